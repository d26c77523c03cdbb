"""Copies and fills of memory by address. The host side is any contiguous buffer; the device side an allocation, an
integer, or what else has an address."""

from operator import index

from lanewise import _core
from lanewise.compat.pycuda._driver.errors import checked
from lanewise.compat.pycuda._driver.streams import core_stream


@checked("cuMemcpyHtoD")
def memcpy_htod(dest, src):
    """Copies host memory to the device; `src` may be changed on return."""
    _core.raw_copy_to_device(dest, src, core_stream(None))


@checked("cuMemcpyHtoDAsync")
def memcpy_htod_async(dest, src, stream=None):
    """Copies host memory to the device in the order of the stream; page-locked memory must not be changed before."""
    _core.raw_copy_to_device(dest, src, core_stream(stream), False)


@checked("cuMemcpyDtoH")
def memcpy_dtoh(dest, src):
    """Copies device memory to the host."""
    _core.raw_copy_to_host(dest, src, core_stream(None))


@checked("cuMemcpyDtoHAsync")
def memcpy_dtoh_async(dest, src, stream=None):
    """Copies device memory to the host in the order of the stream; complete on return unless `dest` is page-locked."""
    _core.raw_copy_to_host(dest, src, core_stream(stream), False)


@checked("cuMemcpyDtoD")
def memcpy_dtod(dest, src, size):
    """Copies device memory to device memory."""
    _core.raw_copy(dest, src, size, core_stream(None))


@checked("cuMemcpyDtoDAsync")
def memcpy_dtod_async(dest, src, size, stream=None):
    _core.raw_copy(dest, src, size, core_stream(stream))


@checked("cuMemcpyPeer")
def memcpy_peer(dest, src, size, dest_context=None, src_context=None):
    """Copies memory of one device to another's."""
    _copy_between_devices(dest, src, size, dest_context, src_context, None)


@checked("cuMemcpyPeerAsync")
def memcpy_peer_async(dest, src, size, dest_context=None, src_context=None, stream=None):
    _copy_between_devices(dest, src, size, dest_context, src_context, stream)


def _copy_between_devices(dest, src, size, dest_context, src_context, stream):
    """On `stream`, or the destination's; behind the default stream of the source and before its later work."""
    target = core_stream(stream) if stream is not None or dest_context is None else _default_stream(dest_context)
    source = target if src_context is None else _default_stream(src_context)
    if source != target:
        target.wait(source.record())
    _core.raw_copy(dest, src, size, target)
    if source != target:
        source.wait(target.record())


def _default_stream(context):
    return context._device._core.default_stream


def _memset_family(bits):
    """The four functions that fill elements of `bits` bits."""
    width = bits // 8

    def pattern(data):
        value = index(data)
        if not -(1 << bits - 1) <= value < 1 << bits:
            raise OverflowError(f"{value} does not fit into the {bits} bits of an element")
        return value & (1 << bits) - 1

    @checked(f"cuMemsetD{bits}Async")
    def flat_async(dest, data, count, stream=None):
        _core.raw_fill(dest, pattern(data), width, count, 1, 0, core_stream(stream))

    @checked(f"cuMemsetD2D{bits}Async")
    def rows_async(dest, pitch, data, width_, height, stream=None):
        _core.raw_fill(dest, pattern(data), width, width_, height, pitch, core_stream(stream))

    @checked(f"cuMemsetD{bits}")
    def flat(dest, data, count):
        _core.raw_fill(dest, pattern(data), width, count, 1, 0, core_stream(None))

    @checked(f"cuMemsetD2D{bits}")
    def rows(dest, pitch, data, width_, height):
        _core.raw_fill(dest, pattern(data), width, width_, height, pitch, core_stream(None))

    flat_doc = f"Fills `count` elements of {bits} bits with `data`."
    rows_doc = f"Fills `height` rows of elements of {bits} bits, `pitch` bytes from row to row."
    named = {"d": (flat, flat_doc), "d2d": (rows, rows_doc)}
    asynchronous = {"d": (flat_async, flat_doc), "d2d": (rows_async, rows_doc)}
    for functions, suffix in ((named, ""), (asynchronous, "_async")):
        for kind, (function, doc) in functions.items():
            function.__name__ = function.__qualname__ = f"memset_{kind}{bits}{suffix}"
            function.__doc__ = doc
    return flat, flat_async, rows, rows_async


memset_d8, memset_d8_async, memset_d2d8, memset_d2d8_async = _memset_family(8)
memset_d16, memset_d16_async, memset_d2d16, memset_d2d16_async = _memset_family(16)
memset_d32, memset_d32_async, memset_d2d32, memset_d2d32_async = _memset_family(32)
