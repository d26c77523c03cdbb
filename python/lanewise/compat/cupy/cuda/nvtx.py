"""cupy.cuda.nvtx: ranges and marks for NVIDIA's profilers, through their library where there is one; else no effect."""

import ctypes
import functools

NAMES = ("libnvToolsExt.so.1", "libnvtx3interop.so.1", "libnvtx3interop.so")
_COLORS = (0xFF76B900, 0xFF0071C5, 0xFFED1C24, 0xFFF7941D, 0xFF8C4FFF, 0xFF00A99D, 0xFFFFD200, 0xFF808080)
_VERSION, _ARGB, _ASCII = 3, 1, 1


class _Attributes(ctypes.Structure):
    """nvtxEventAttributes_t."""

    _fields_ = [
        ("version", ctypes.c_uint16),
        ("size", ctypes.c_uint16),
        ("category", ctypes.c_uint32),
        ("color_type", ctypes.c_int32),
        ("color", ctypes.c_uint32),
        ("payload_type", ctypes.c_int32),
        ("reserved", ctypes.c_int32),
        ("payload", ctypes.c_uint64),
        ("message_type", ctypes.c_int32),
        ("message", ctypes.c_char_p),
    ]


def available():
    """True when NVIDIA's library is there, so that marks and ranges have an effect."""
    return _library() is not None


@functools.lru_cache(maxsize=1)
def _library():
    for name in NAMES:
        try:
            library = ctypes.CDLL(name)
        except OSError:
            continue
        library.nvtxRangeStartEx.restype = ctypes.c_uint64
        library.nvtxRangeEnd.argtypes = [ctypes.c_uint64]
        return library
    return None


def _call(function, message, color):
    library = _library()
    if library is None:
        return 0
    attributes = _Attributes(
        _VERSION, ctypes.sizeof(_Attributes), 0, _ARGB, color, 0, 0, 0, _ASCII, str(message).encode()
    )
    return getattr(library, function)(ctypes.byref(attributes))


def _color(number):
    return _COLORS[number % len(_COLORS)]


def MarkC(message, color=0):
    """A mark on the profiler's time line; the colour is 0xAARRGGBB."""
    _call("nvtxMarkEx", message, color)


def Mark(message, id_color=-1):
    """A mark on the profiler's time line, in one of eight colours."""
    MarkC(message, _color(id_color))


def RangePushC(message, color=0):
    """Begins a range of the calling thread; the colour is 0xAARRGGBB."""
    _call("nvtxRangePushEx", message, color)


def RangePush(message, id_color=-1):
    """Begins a range of the calling thread, in one of eight colours."""
    RangePushC(message, _color(id_color))


def RangePop():
    """Ends the range of the calling thread that began last."""
    if _library() is not None:
        _library().nvtxRangePop()


def RangeStart(message, id_color=-1):
    """Begins a range that may end on another thread; returns what RangeEnd takes."""
    return _call("nvtxRangeStartEx", message, _color(id_color))


def RangeEnd(range_id):
    if _library() is not None:
        _library().nvtxRangeEnd(range_id)
