"""Device and host memory."""

import numpy as np
import pytest

from lanewise.compat.pycuda import driver as cuda


def test_device_allocation(device):
    memory = cuda.mem_alloc(1000)
    assert isinstance(memory, cuda.DeviceAllocation)
    assert int(memory) == memory.__index__() != 0
    assert int(memory) + 100 == memory.__index__() + 100
    assert hex(memory) == hex(int(memory))
    memory.free()
    with pytest.raises(cuda.LogicError, match="freed already"):
        memory.free()
    with pytest.raises(cuda.LogicError, match="has been freed"):
        int(memory)


@pytest.mark.parametrize("size", [0, -1])
def test_sizes_that_no_memory_has(device, size):
    with pytest.raises(cuda.LogicError, match="cuMemAlloc failed: invalid argument"):
        cuda.mem_alloc(size)


def test_sizes_are_integers(device):
    assert cuda.mem_alloc(np.int64(8)).size == 8
    for bad in (8.0, np.float32(8), "8"):
        with pytest.raises(TypeError):
            cuda.mem_alloc(bad)


def test_too_much_memory(device):
    with pytest.raises(cuda.MemoryError, match="cuMemAlloc failed: out of memory") as caught:
        cuda.mem_alloc(1 << 50)
    assert caught.value.is_out_of_memory()
    assert not isinstance(caught.value, MemoryError)


def test_pitched_memory(device):
    memory, pitch = cuda.mem_alloc_pitch(100, 7, 4)
    assert pitch >= 100 and pitch % 128 == 0 and memory.size >= 7 * pitch
    with pytest.raises(cuda.LogicError, match="access size"):
        cuda.mem_alloc_pitch(100, 7, 3)


def test_memory_facts(device):
    free, total = cuda.mem_get_info()
    assert 0 < free <= total
    memory = cuda.mem_alloc_like(np.zeros((3, 4)))
    assert cuda.mem_get_address_range(memory) == (int(memory), 96)


def test_address_ranges_of_addresses(gpu):
    memory = cuda.mem_alloc(1000)
    start, size = cuda.mem_get_address_range(int(memory) + 10)
    assert start <= int(memory) and start + size >= int(memory) + 1000


def test_as_buffer(device):
    memory = cuda.to_device(np.arange(8, dtype=np.uint8))
    view = memory.as_buffer(4, 2)
    assert np.frombuffer(view, np.uint8).__array_interface__["data"][0] == int(memory) + 2
    assert view.nbytes == 4
    if device == "cpu":
        assert bytes(view) == bytes([2, 3, 4, 5])
    with pytest.raises(ValueError, match="bytes 6 to 10 of an allocation of 8"):
        memory.as_buffer(4, 6)


def test_pointer_holders(device):
    class Holder(cuda.PointerHolderBase):
        def __init__(self, memory):
            super().__init__()
            self.memory = memory

        def get_pointer(self):
            return int(self.memory) + 4

    memory = cuda.to_device(np.arange(4, dtype=np.int32))
    holder = Holder(memory)
    assert int(holder) == int(memory) + 4
    assert cuda.from_device(holder, 2, np.int32).tolist() == [1, 2]
    with pytest.raises(NotImplementedError, match="get_pointer"):
        int(cuda.PointerHolderBase())


def test_handles_for_other_processes_on_the_cpu_device():
    from lanewise import _core

    before = _core.set_current_device(_core.device("cpu"))
    try:
        with pytest.raises(cuda.LogicError, match="cuIpcGetMemHandle failed: operation not supported"):
            cuda.mem_get_ipc_handle(cuda.mem_alloc(10))
        with pytest.raises(cuda.LogicError, match="cuIpcOpenMemHandle failed: operation not supported"):
            cuda.IPCMemoryHandle(bytearray(64))
    finally:
        _core.set_current_device(before)


def test_memory_of_another_process(gpu, lanewise):
    program = """
import sys
import numpy as np
import pycuda.autoinit, pycuda.driver as cuda
for text in sys.argv[1:]:
    memory = cuda.IPCMemoryHandle(bytearray.fromhex(text))
    print(cuda.from_device(memory, 3, np.int32).tolist(), end=" ")
    cuda.memset_d32(memory, 9, 1)
    cuda.Context.synchronize()
    memory.close()
"""
    # The second does not begin a block of the driver's.
    first, second = cuda.to_device(np.arange(3, dtype=np.int32)), cuda.to_device(np.arange(3, 6, dtype=np.int32))
    handles = [cuda.mem_get_ipc_handle(memory).hex() for memory in (first, second)]
    result = lanewise("run", "-c", program, *handles, env={"LANEWISE_DEVICE": gpu})
    assert result.stdout == "[0, 1, 2] [3, 4, 5] ", result.stderr
    assert cuda.from_device(first, 3, np.int32).tolist() == [9, 1, 2]
    assert cuda.from_device(second, 3, np.int32).tolist() == [9, 4, 5]


def test_handles_are_bytearrays(device):
    with pytest.raises(cuda.LogicError, match="a handle is a bytearray of 64 bytes"):
        cuda.IPCMemoryHandle(b"\0" * 64)


FAMILIES = [
    (cuda.pagelocked_empty, cuda.pagelocked_zeros, cuda.pagelocked_empty_like, cuda.pagelocked_zeros_like, {}),
    (cuda.managed_empty, cuda.managed_zeros, cuda.managed_empty_like, cuda.managed_zeros_like, {"mem_flags": 1}),
    (cuda.aligned_empty, cuda.aligned_zeros, cuda.aligned_empty_like, cuda.aligned_zeros_like, {}),
]


@pytest.mark.parametrize("family", FAMILIES, ids=["pagelocked", "managed", "aligned"])
def test_host_arrays(device, family):
    empty, zeros, empty_like, zeros_like, flags = family
    for shape, order in ((5, "C"), ((3, 4), "C"), ((3, 4), "F"), ((2, 3, 4), "F"), ((), "C"), ((0, 3), "C")):
        array = zeros(shape, np.float32, order, **flags)
        expected = np.zeros(shape, np.float32, order)
        assert array.shape == expected.shape and array.dtype == expected.dtype
        assert array.strides == expected.strides or array.size == 0
        assert (array == 0).all()
        for like in (empty_like(array), zeros_like(array)):
            assert like.shape == array.shape and like.strides == array.strides and like.dtype == array.dtype
    record = np.dtype([("a", "i4"), ("b", "f8", 2)])
    assert empty(3, record, **flags).dtype == record
    array = zeros(7, "i2", **flags)
    array[:] = range(7)
    assert array.sum() == 21


def test_bases_of_host_arrays(device):
    assert type(cuda.pagelocked_empty(3, float).base) is cuda.PagelockedHostAllocation
    assert cuda.HostAllocation is cuda.PagelockedHostAllocation
    assert type(cuda.managed_empty(3, float, mem_flags=1).base) is cuda.ManagedAllocation
    aligned = cuda.aligned_empty((3, 5), float, alignment=512)
    assert type(aligned.base) is cuda.AlignedHostAllocation
    assert aligned.ctypes.data % 512 == 0
    for bad in (0, 3, -8):
        with pytest.raises(ValueError, match="power of two"):
            cuda.aligned_empty(3, float, alignment=bad)


def test_device_pointers_of_host_memory(device):
    mapped = cuda.pagelocked_zeros(4, np.int32, mem_flags=cuda.host_alloc_flags.DEVICEMAP)
    assert isinstance(mapped.base, cuda.HostPointer)
    cuda.memset_d32(mapped.base.get_device_pointer(), 3, 4)
    cuda.Context.synchronize()
    assert mapped.tolist() == [3] * 4
    managed = cuda.managed_zeros(4, np.int32, mem_flags=cuda.mem_attach_flags.GLOBAL)
    managed.base.attach(cuda.mem_attach_flags.GLOBAL)
    cuda.memset_d32(managed.base.get_device_pointer(), 4, 4)
    cuda.Context.synchronize()
    assert managed.tolist() == [4] * 4


def test_registered_memory(device):
    array = cuda.aligned_zeros(1000, np.float64)
    registered = cuda.register_host_memory(array)
    assert type(registered.base) is cuda.RegisteredHostMemory
    assert np.shares_memory(array, registered)
    with pytest.raises(cuda.LogicError, match="cuMemHostRegister failed"):
        cuda.register_host_memory(array)
    registered.base.unregister()
    with pytest.raises(cuda.LogicError, match="unregistered already"):
        registered.base.unregister()
    # The end of the array is the end of the registration.
    again = cuda.register_host_memory(array)
    del again
    cuda.register_host_memory(array).base.unregister()


def test_memory_that_cannot_be_registered(device):
    for bad in (np.zeros((4, 4))[:, ::2], [1, 2, 3]):
        with pytest.raises(cuda.LogicError, match="cuMemHostRegister failed: invalid argument - .*contiguous"):
            cuda.register_host_memory(bad)


def test_freed_memory_is_not_reused_under_running_work(device):
    stream = cuda.Stream(cuda.stream_flags.NON_BLOCKING)
    n = 8 << 20
    kept = cuda.mem_alloc(n)
    for value in range(30):
        memory = cuda.mem_alloc(n)
        cuda.memset_d8_async(memory, value, n, stream)
        cuda.memcpy_dtod_async(int(kept), int(memory), n, stream)
        memory.free()
        # Takes the block that has just been freed, if the pool gives it out.
        other = cuda.mem_alloc(n)
        cuda.memset_d8(other, 255, n)
        stream.synchronize()
        assert (cuda.from_device(kept, n, np.uint8) == value).all()
