"""Copies of boxes of bytes between pitched memories: Memcpy2D, Memcpy3D, Memcpy3DPeer."""

from lanewise import _core
from lanewise.compat.pycuda._driver import errors
from lanewise.compat.pycuda._driver.contexts import current_core
from lanewise.compat.pycuda._driver.errors import checked, driver_error, refuse
from lanewise.compat.pycuda._driver.streams import core_stream


class _BoxCopy:
    """A copy of a box of bytes between pitched memories; the attributes describe it, a call does it."""

    __module__ = "pycuda._driver"

    def __init__(self):
        self._source = self._target = None
        self.src_x_in_bytes = self.src_y = self.src_pitch = 0
        self.dst_x_in_bytes = self.dst_y = self.dst_pitch = 0
        self.width_in_bytes = self.height = 0

    # What is kept beside an address keeps the memory alive.
    def set_src_host(self, buffer):
        self._source = (*_core.host_address(buffer), True, buffer)

    def set_dst_host(self, buffer):
        self._target = (*_core.host_address(buffer, True), True, buffer)

    def set_src_device(self, address):
        self._source = (int(address), getattr(address, "size", None), False, address)

    def set_dst_device(self, address):
        self._target = (int(address), getattr(address, "size", None), False, address)

    set_src_unified = set_src_device
    set_dst_unified = set_dst_device

    def set_src_array(self, array):
        refuse("a copy from a CUDA array", "textures and arrays have no place; use pitched device memory")

    def set_dst_array(self, array):
        refuse("a copy to a CUDA array", "textures and arrays have no place; use pitched device memory")

    def _sides(self):
        if self._source is None or self._target is None:
            missing = "source" if self._source is None else "destination"
            raise driver_error(errors.INVALID_VALUE, self._call, f"the {missing} has not been set")
        return self._source, self._target

    def _run(self, shape, source_strides, target_strides, source_offset, target_offset, stream, wait):
        source, target = self._sides()
        sides = (
            (source, source_strides, source_offset, "source"),
            (target, target_strides, target_offset, "destination"),
        )
        for (_, size, _, _), strides, offset, which in sides:
            end = offset + sum((n - 1) * step for n, step in zip(shape, strides, strict=True)) + 1
            if size is not None and 0 not in shape and end > size:
                raise driver_error(
                    errors.INVALID_VALUE, self._call, f"the copy ends at byte {end} of a {which} of {size} bytes"
                )
        _core.raw_copy_box(
            target[0] + target_offset,
            source[0] + source_offset,
            shape,
            target_strides,
            source_strides,
            target_on_host=target[2],
            source_on_host=source[2],
            stream=core_stream(stream),
            wait=wait,
        )


class Memcpy2D(_BoxCopy):
    __module__ = "pycuda._driver"
    _call = "cuMemcpy2D"

    @checked("cuMemcpy2D")
    def __call__(self, stream=None, *, aligned=None):
        """copy(aligned=True) or copy(True) waits for the copy; copy(stream) is asynchronous."""
        wait = stream is None or isinstance(stream, bool)
        pitches = self.src_pitch or self.width_in_bytes, self.dst_pitch or self.width_in_bytes
        for pitch in pitches:
            if pitch < self.width_in_bytes and self.height > 1:
                raise driver_error(
                    errors.INVALID_VALUE, self._call, f"rows of {self.width_in_bytes} bytes in a pitch of {pitch}"
                )
        self._run(
            (self.height, self.width_in_bytes),
            (pitches[0], 1),
            (pitches[1], 1),
            self.src_y * pitches[0] + self.src_x_in_bytes,
            self.dst_y * pitches[1] + self.dst_x_in_bytes,
            None if wait else stream,
            wait,
        )


class Memcpy3D(_BoxCopy):
    __module__ = "pycuda._driver"
    _call = "cuMemcpy3D"

    def __init__(self):
        super().__init__()
        self.src_z = self.src_lod = self.src_height = 0
        self.dst_z = self.dst_lod = self.dst_height = 0
        self.depth = 0

    @checked("cuMemcpy3D")
    def __call__(self, stream=None):
        """copy() waits for the copy; copy(stream) is asynchronous."""
        self._copy(stream)

    def _copy(self, stream):
        strides, offsets = [], []
        for side in ("src", "dst"):
            pitch = getattr(self, f"{side}_pitch") or self.width_in_bytes
            slice_ = pitch * (getattr(self, f"{side}_height") or self.height)
            strides.append((slice_, pitch, 1))
            offsets.append(
                getattr(self, f"{side}_z") * slice_
                + getattr(self, f"{side}_y") * pitch
                + getattr(self, f"{side}_x_in_bytes")
            )
        shape = (self.depth, self.height, self.width_in_bytes)
        self._run(shape, *strides, *offsets, stream, stream is None)


class Memcpy3DPeer(Memcpy3D):
    """A Memcpy3D between devices."""

    __module__ = "pycuda._driver"
    _call = "cuMemcpy3DPeer"

    def set_src_context(self, context):
        self.src_context = context

    def set_dst_context(self, context):
        self.dst_context = context

    @checked("cuMemcpy3DPeer")
    def __call__(self, stream=None):
        for context in (getattr(self, "src_context", None), getattr(self, "dst_context", None)):
            if context is not None and context._device._core is not current_core():
                refuse("Memcpy3DPeer between two devices", "copy the box to a contiguous block and use memcpy_peer")
        self._copy(stream)
