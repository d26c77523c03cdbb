"""Copies and fills."""

import numpy as np
import pytest

from lanewise.compat.pycuda import driver as cuda


@pytest.mark.parametrize(
    "source",
    [
        np.arange(12, dtype=np.float32).reshape(3, 4),
        np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        np.zeros(3, np.dtype([("a", "i4"), ("b", "f8")])),
        np.array(["2020-01-01"], "M8[D]"),
        b"some bytes",
        bytearray(range(10)),
        memoryview(b"view"),
        np.float64(2.5),
    ],
    ids=lambda source: type(source).__name__ + str(getattr(source, "dtype", "")),
)
def test_there_and_back(device, source):
    raw = source.tobytes("A") if hasattr(source, "dtype") else bytes(source)
    memory = cuda.to_device(source)
    assert cuda.from_device(memory, len(raw), np.uint8).tobytes() == raw
    if isinstance(source, np.ndarray):
        result = cuda.from_device_like(memory, source)
        assert (result == source).all() and result.strides == source.strides
        cuda.memcpy_htod(memory, np.zeros_like(source))
        cuda.memcpy_htod_async(memory, source)
        result = np.empty_like(source)
        cuda.memcpy_dtoh_async(result, memory)
        assert (result == source).all()


def test_from_device_in_fortran_order(device):
    memory = cuda.to_device(np.arange(6, dtype=np.int16))
    assert cuda.from_device(memory, (2, 3), np.int16, "F").tolist() == [[0, 2, 4], [1, 3, 5]]


def test_offsets(device):
    memory = cuda.to_device(np.arange(16, dtype=np.int32))
    assert cuda.from_device(int(memory) + 16, 4, np.int32).tolist() == [4, 5, 6, 7]
    cuda.memcpy_htod(int(memory) + 8, np.int32(-1))
    cuda.memcpy_dtod(int(memory) + 32, memory, 16)
    assert cuda.from_device(memory, 16, np.int32).tolist() == [0, 1, -1, 3, 4, 5, 6, 7, 0, 1, -1, 3, 12, 13, 14, 15]


def test_source_may_change_at_once(device):
    for n in (100, 1 << 16, 1 << 22):
        source = np.zeros(n, np.uint8)
        memory = cuda.mem_alloc(n)
        stream = cuda.Stream()
        cuda.memset_d8_async(memory, 1, n, stream)
        cuda.memcpy_htod_async(memory, source, stream)
        source[:] = 7
        stream.synchronize()
        assert not cuda.from_device(memory, n, np.uint8).any()
        pinned = cuda.pagelocked_zeros(n, np.uint8)
        cuda.memcpy_htod(memory, pinned)
        pinned[:] = 7
        assert not cuda.from_device(memory, n, np.uint8).any()


def test_copies_that_do_not_fit(device):
    memory = cuda.mem_alloc(16)
    small, large = np.zeros(4, np.int32), np.zeros(5, np.int32)
    cuda.memcpy_htod(memory, small)
    for call, copy in (
        ("cuMemcpyHtoD", lambda: cuda.memcpy_htod(memory, large)),
        ("cuMemcpyHtoDAsync", lambda: cuda.memcpy_htod_async(memory, large)),
        ("cuMemcpyDtoH", lambda: cuda.memcpy_dtoh(large, memory)),
        ("cuMemcpyDtoD", lambda: cuda.memcpy_dtod(memory, memory, 20)),
        ("cuMemsetD8", lambda: cuda.memset_d8(memory, 0, 17)),
    ):
        with pytest.raises(cuda.LogicError, match=f"{call} failed: invalid argument - .* at an allocation of 16 bytes"):
            copy()
    with pytest.raises(cuda.LogicError, match="address 0"):
        cuda.memcpy_htod(0, small)


@pytest.mark.parametrize("address", [1, 12345, 2**63])
def test_addresses_where_nothing_is_on_the_cpu_device(device, address):
    if device != "cpu":
        pytest.skip("a GPU's driver looks at addresses itself")
    here = np.zeros(4, np.int32)
    memory = cuda.mem_alloc(16)
    for copy in (
        lambda: cuda.memcpy_htod(address, here),
        lambda: cuda.memcpy_dtoh(here, address),
        lambda: cuda.memcpy_dtod(memory, address, 16),
        lambda: cuda.memcpy_dtod(address, memory, 16),
        lambda: cuda.memset_d8(address, 0, 16),
    ):
        with pytest.raises(cuda.LogicError, match="failed: invalid argument"):
            copy()
    cuda.memcpy_dtoh(here, memory)


def test_copies_of_what_is_no_memory(device):
    memory = cuda.mem_alloc(64)
    with pytest.raises(TypeError):
        cuda.memcpy_htod(memory, 5)
    with pytest.raises(TypeError, match="expected device memory"):
        cuda.memcpy_htod("address", b"1234")
    with pytest.raises(ValueError, match="not contiguous"):
        cuda.memcpy_htod(memory, np.zeros((4, 4))[:, :2])
    with pytest.raises(ValueError, match="read-only"):
        cuda.memcpy_dtoh(np.broadcast_to(np.float32(1), (1,)), memory)
    with pytest.raises((BufferError, TypeError)):
        cuda.memcpy_dtoh(b"1234", memory)


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_fills(device, bits):
    dtype = np.dtype(f"u{bits // 8}")
    value = 0xDEADBEEF & (1 << bits) - 1
    memory = cuda.mem_alloc(1024)
    for suffix, stream in (("", ()), ("_async", (cuda.Stream(),)), ("_async", ())):
        cuda.memset_d8(memory, 0, 1024)
        getattr(cuda, f"memset_d{bits}{suffix}")(int(memory) + 16, value, 20, *stream)
        if stream:
            stream[0].synchronize()
        expected = np.zeros(1024, np.uint8)
        expected[16 : 16 + 20 * dtype.itemsize].view(dtype)[:] = value
        assert (cuda.from_device(memory, 1024, np.uint8) == expected).all()


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_fills_with_what_no_element_can_be(device, bits):
    memory = cuda.mem_alloc(64)
    fill = getattr(cuda, f"memset_d{bits}")
    for value in (1 << bits, -(1 << bits - 1) - 1):
        with pytest.raises(OverflowError, match=f"{value} does not fit into the {bits} bits of an element"):
            fill(memory, value, 1)
    with pytest.raises(TypeError):
        fill(memory, 1.5, 1)
    fill(memory, -1, 4)
    assert (cuda.from_device(memory, bits // 2, np.uint8) == 255).all()


@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize(("pitch", "width", "height"), [(64, 3, 5), (64, 5, 40), (16, 4, 3), (256, 1, 1)])
def test_fills_of_rows(device, bits, pitch, width, height):
    dtype = np.dtype(f"u{bits // 8}")
    memory = cuda.mem_alloc(8192)
    for suffix, stream in (("", ()), ("_async", (cuda.Stream(),))):
        cuda.memset_d8(memory, 1, 8192)
        getattr(cuda, f"memset_d2d{bits}{suffix}")(memory, pitch, 0x55667788 & (1 << bits) - 1, width, height, *stream)
        if stream:
            stream[0].synchronize()
        expected = np.full(8192, 1, np.uint8)
        rows = expected[: pitch * height].reshape(height, pitch)[:, : width * dtype.itemsize]
        rows[:] = np.array([0x55667788 & (1 << bits) - 1], dtype).view(np.uint8)[None].repeat(width, 0).ravel()
        assert (cuda.from_device(memory, 8192, np.uint8) == expected).all()
    with pytest.raises(cuda.LogicError, match="do not fit into a pitch"):
        cuda.memset_d2d32(memory, 4, 0, 2, 2)


def test_copies_between_contexts(device):
    context = cuda.Context.get_device().make_context()
    try:
        source, target = cuda.to_device(np.arange(100)), cuda.mem_alloc(800)
        for call in (
            lambda: cuda.memcpy_peer(target, source, 800),
            lambda: cuda.memcpy_peer(target, source, 800, context, context),
            lambda: cuda.memcpy_peer_async(target, source, 800, context, context, cuda.Stream()),
        ):
            cuda.memset_d8(target, 0, 800)
            call()
            context.synchronize()
            assert cuda.from_device(target, 100, int).tolist() == list(range(100))
    finally:
        context.pop()


@pytest.fixture
def plane():
    return np.arange(24 * 32, dtype=np.int32).reshape(24, 32)


def describe(copy, **attributes):
    for name, value in attributes.items():
        setattr(copy, name, value)
    return copy


@pytest.mark.parametrize("x", [0, 3])
@pytest.mark.parametrize("width", [32 * 4 - 12, 5, 8])
def test_copy_of_a_plane(device, plane, x, width):
    """Bytes x.. of rows 2.. of the plane to pitched memory, and back to other places."""
    height = 20
    memory, pitch = cuda.mem_alloc_pitch(width, height, 4)
    up = describe(cuda.Memcpy2D(), src_x_in_bytes=x, src_y=2, src_pitch=128, dst_pitch=pitch)
    describe(up, width_in_bytes=width, height=height)
    up.set_src_host(plane)
    up.set_dst_device(memory)
    up(aligned=True)
    rows = cuda.from_device(memory, pitch * height, np.uint8)[: pitch * height].reshape(height, pitch)[:, :width]
    expected = plane.view(np.uint8)[2:22, x : x + width]
    assert (rows == expected).all()

    result = np.zeros((30, 200), np.uint8)
    down = describe(cuda.Memcpy2D(), src_pitch=pitch, dst_pitch=200, dst_x_in_bytes=7, dst_y=4)
    describe(down, width_in_bytes=width, height=height)
    down.set_src_device(memory)
    down.set_dst_host(result)
    stream = cuda.Stream()
    down(stream)
    stream.synchronize()
    shown = np.zeros_like(result)
    shown[4:24, 7 : 7 + width] = expected
    assert (result == shown).all()


def test_copy_of_a_plane_on_the_device_and_on_the_host(device, plane):
    source, target = cuda.to_device(plane), cuda.to_device(np.zeros_like(plane))
    copy = describe(cuda.Memcpy2D(), src_pitch=128, dst_pitch=128, src_y=1, dst_x_in_bytes=8)
    describe(copy, width_in_bytes=64, height=23)
    copy.set_src_device(source)
    copy.set_dst_unified(target)
    copy(True)
    expected = np.zeros_like(plane)
    expected[:23, 2:18] = plane[1:, :16]
    assert (cuda.from_device_like(target, plane) == expected).all()
    result = np.zeros_like(plane)
    copy.set_src_host(plane)
    copy.set_dst_host(result)
    copy(aligned=False)
    assert (result == expected).all()


@pytest.mark.parametrize("kind", [cuda.Memcpy3D, cuda.Memcpy3DPeer])
def test_copy_of_a_box(device, kind):
    box = np.arange(6 * 8 * 10, dtype=np.int16).reshape(6, 8, 10)
    memory = cuda.to_device(np.zeros((7, 9, 16), np.int16))
    up = describe(kind(), src_pitch=20, src_height=8, src_x_in_bytes=4, src_y=1, src_z=2)
    describe(up, dst_pitch=32, dst_height=9, dst_x_in_bytes=2, dst_y=3, dst_z=1, width_in_bytes=12, height=5, depth=3)
    up.set_src_host(box)
    up.set_dst_device(memory)
    up()
    expected = np.zeros((7, 9, 16), np.int16)
    expected[1:4, 3:8, 1:7] = box[2:5, 1:6, 2:8]
    assert (cuda.from_device(memory, expected.shape, np.int16) == expected).all()

    result = np.zeros_like(box)
    down = describe(kind(), src_pitch=32, src_height=9, src_x_in_bytes=2, src_y=3, src_z=1)
    describe(down, dst_pitch=20, dst_height=8, width_in_bytes=12, height=5, depth=3)
    down.set_src_device(memory)
    down.set_dst_host(result)
    stream = cuda.Stream()
    down(stream)
    stream.synchronize()
    shown = np.zeros_like(box)
    shown[:3, :5, :6] = box[2:5, 1:6, 2:8]
    assert (result == shown).all()


def test_boxes_that_do_not_fit(device, plane):
    copy = describe(cuda.Memcpy2D(), src_pitch=128, width_in_bytes=128, height=25)
    with pytest.raises(cuda.LogicError, match="cuMemcpy2D failed: invalid argument - the source has not been set"):
        copy(True)
    copy.set_src_host(plane)
    copy.set_dst_device(cuda.mem_alloc(128 * 25))
    with pytest.raises(cuda.LogicError, match="ends at byte 3200 of a source of 3072 bytes"):
        copy(True)
    copy.height, copy.dst_pitch = 24, 100
    with pytest.raises(cuda.LogicError, match="rows of 128 bytes in a pitch of 100"):
        copy(True)
    for method in (copy.set_src_array, copy.set_dst_array):
        with pytest.raises(NotImplementedError, match="pitched device memory"):
            method(None)
