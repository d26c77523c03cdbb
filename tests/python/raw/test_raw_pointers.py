"""What pointers of CUDA C++ kernels take, and how many arguments a kernel takes."""

import numpy as np
import pytest

from lanewise import RawKernel, _core

from .kernels import PARTICLE, VECTORS, Dlpack, Hook, Indexed, Interface, add_one


@pytest.mark.parametrize("wrap", [lambda a: a, Interface, Dlpack, lambda a: a.buffer, lambda a: a.pointer, Hook])
def test_pointers_take_device_memory(device, wrap):
    x = _core.Array.from_host(np.arange(4, dtype=np.float32))
    add_one("float")(1, 1, (wrap(x), 4))
    assert list(x.to_host()) == [1, 2, 3, 4]


def test_pointers_take_addresses_of_any_integer_type(device):
    x = _core.Array.from_host(np.arange(4, dtype=np.float32))
    for address in (np.uint64(x.pointer), np.int64(x.pointer), Indexed(x.pointer)):
        add_one("float")(1, 1, (address, 4))
    assert list(x.to_host()) == [3, 4, 5, 6]


def test_none_and_zero_are_the_null_pointer(device):
    kernel = RawKernel('extern "C" __global__ void f(float *x, int *out) { *out = x == nullptr; }', "f")
    for null in (None, 0):
        out = _core.Array.from_host(np.zeros(1, np.int32))
        kernel(1, 1, (null, out))
        assert out.item(0) == 1


def test_views_pass_their_own_start(device):
    x = _core.Array.from_host(np.arange(6, dtype=np.float32))
    add_one("float")(1, 1, (x[2:], 2))
    assert list(x.to_host()) == [0, 1, 3, 4, 4, 5]


def test_host_arrays_are_used_in_place_on_the_cpu_device(device):
    x = np.arange(4, dtype=np.float32)
    if device == "cpu":
        add_one("float")(1, 1, (x, 4))
        assert list(x) == [1, 2, 3, 4]
    else:
        with pytest.raises(TypeError, match=f"launched on {device}; copy it there first"):
            add_one("float")(1, 1, (x, 4))


def test_directed_host_arrays_are_copied(device):
    x = np.arange(4, dtype=np.float32)
    add_one("float")(1, 1, (_core.HostArgument(x), 4))
    assert list(x) == [1, 2, 3, 4]


def test_host_memory_that_the_device_sees_goes_without_a_copy(device):
    for kind in ("mapped", "managed"):
        x = _core.Buffer.allocate_host(16, kind).numpy(4, np.float32)
        x[:] = range(4)
        add_one("float")(1, 1, (x, 4))
        _core.current_stream().synchronize()
        assert list(x) == [1, 2, 3, 4]


def test_records_on_the_cpu_device(device):
    if device != "cpu":
        pytest.skip("NumPy arrays are passed on the cpu device only")
    code = VECTORS + 'extern "C" __global__ void f(Particle *p) { p[threadIdx.x].mass *= 2; }'
    particles = np.zeros(3, PARTICLE)
    particles["mass"] = [1, 2, 3]
    RawKernel(code, "f")(1, 3, (particles,))
    assert list(particles["mass"]) == [2, 4, 6]


@pytest.mark.parametrize(
    ("type_name", "dtype"),
    [("int", "uint32"), ("unsigned int", "int32"), ("unsigned char", "bool"), ("char", "bool"), ("bool", "uint8")],
)
def test_pointers_do_not_look_at_signs(device, type_name, dtype):
    x = _core.Array.from_host(np.zeros(1, dtype))
    add_one(type_name)(1, 1, (x, 1))
    assert x.view(np.uint8).to_host()[0] == 1


@pytest.mark.parametrize("wrap", [lambda a: a, Interface, Dlpack])
@pytest.mark.parametrize("dtype", ["float64", "int32", "float16", "complex64"])
def test_pointers_refuse_another_dtype(device, wrap, dtype):
    x = wrap(_core.Array.from_host(np.zeros(4, dtype)))
    with pytest.raises(TypeError) as error:
        add_one("float")(1, 1, (x, 4))
    text = str(error.value)
    assert "kernel 'add_one', parameter 1 'x' (float *): it points to float32" in text
    assert f"the array has dtype {dtype}" in text
    assert "x.astype('float32')" in text
    assert ("x.view('float32')" in text) == (np.dtype(dtype).itemsize == 4)


def test_host_arrays_of_another_dtype_are_refused(device):
    if device != "cpu":
        pytest.skip("NumPy arrays are passed on the cpu device only")
    for dtype in ("float64", ">f4", PARTICLE):
        with pytest.raises(
            TypeError, match=r"parameter 1 'x' \(float \*\): it points to float32, but the array has dtype"
        ):
            add_one("float")(1, 1, (np.zeros(4, dtype), 4))


def test_void_pointers_and_pointers_to_classes_take_any_dtype(device):
    kernel = RawKernel(VECTORS + 'extern "C" __global__ void f(void *a, float4 *b, Particle *c) {}', "f")
    x = _core.Array.from_host(np.zeros(4))
    kernel(1, 1, (x, x, x))


def test_read_only_arrays_need_a_pointer_to_const(device):
    x = _core.Array.from_host(np.full(1, 5, np.float32)).broadcast_to((3,))
    out = _core.Array.from_host(np.zeros(1))
    add_one("float", const=True)(1, 1, (x, out))
    assert out.item(0) == 5
    with pytest.raises(ValueError, match=r"parameter 1 'x' \(float \*\): the array is read-only"):
        add_one("float")(1, 1, (x, 1))


def test_host_arrays_must_be_aligned_and_writable(device):
    if device != "cpu":
        pytest.skip("NumPy arrays are passed on the cpu device only")
    with pytest.raises(ValueError, match="the array is read-only"):
        add_one("float")(1, 1, (np.frombuffer(b"1234", np.float32), 1))
    with pytest.raises(ValueError, match="not aligned"):
        add_one("float")(1, 1, (np.frombuffer(bytearray(9), np.float32, 2, 1), 1))


@pytest.mark.parametrize("value", [True, 1.0, 1j, np.float32(1), (1,), "x", object()])
def test_pointers_refuse_other_values(device, value):
    with pytest.raises(
        TypeError, match=r"parameter 1 'x' \(float \*\): expected an array, a Buffer, an address or None"
    ):
        add_one("float")(1, 1, (value, 1))


@pytest.mark.parametrize("value", [-1, 2**64])
def test_pointers_refuse_integers_that_are_no_address(device, value):
    with pytest.raises(OverflowError, match="an address is an integer from 0 to"):
        add_one("float")(1, 1, (value, 1))


def test_arrays_of_another_device_are_refused(gpu):
    there = _core.Array.from_host(np.zeros(1, np.float32), device=_core.device("cpu"))
    with pytest.raises(ValueError, match="the array lies on cpu, but the kernel is launched on cuda"):
        add_one("float")(1, 1, (there, 1))
    with pytest.raises(ValueError, match="the buffer lies on cpu, but the kernel is launched on cuda"):
        add_one("float")(1, 1, (there.buffer, 1))


@pytest.mark.parametrize("args", [(), (1,), (1, 2, 3)])
def test_a_wrong_count_lists_the_parameters(device, args):
    with pytest.raises(TypeError) as error:
        add_one("float")(1, 1, args)
    count = f"{len(args)} {'was' if len(args) == 1 else 'were'} given"
    assert str(error.value) == f"kernel 'add_one' takes 2 arguments (float *x, int n), but {count}"


def test_a_kernel_without_parameters(device):
    kernel = RawKernel('extern "C" __global__ void f() {}', "f")
    kernel(1, 1)
    kernel(1, 1, ())
    with pytest.raises(TypeError, match=r"kernel 'f' takes 0 arguments \(\), but 1 was given"):
        kernel(1, 1, (1,))
