"""launch_loose: arguments by PyCUDA's rules."""

import numpy as np
import pytest

from lanewise import RawKernel, _core

from .kernels import PARTICLE, VECTORS, Indexed, Interface, echo

MIXED = """
extern "C" __global__ void mixed(short a, double b, float4 c, float *out) {
    out[0] = a; out[1] = b; out[2] = c.x; out[3] = c.w;
}
"""


class GpuData:
    """An array whose memory is at `gpudata`, as PyCUDA's."""

    def __init__(self, gpudata):
        self.gpudata = gpudata


def test_numpy_scalars_and_arrays_go_by_value(device):
    out = _core.Array.empty(4, np.float32)
    c = np.array([3, 4, 5, 6], np.float32)
    RawKernel(MIXED, "mixed").launch_loose((1, 1), (1, 1, 1), (np.int16(-1), np.float64(2.5), c, out))
    assert list(out.to_host()) == [-1, 2.5, 3, 6]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda a: a,
        lambda a: a.buffer,
        Interface,
        lambda a: GpuData(a.buffer),
        lambda a: GpuData(a.pointer),
        lambda a: GpuData(Indexed(a.pointer)),
        lambda a: Indexed(a.pointer),
        lambda a: np.uint64(a.pointer),
        lambda a: np.intp(a.pointer),
    ],
)
def test_pointers(device, wrap):
    x = _core.Array.from_host(np.zeros(1, np.float32))
    kernel = RawKernel('extern "C" __global__ void f(float *x) { *x += 1; }', "f")
    kernel.launch_loose(1, 1, [wrap(x)])
    assert x.item(0) == 1


def test_arrays_without_elements_are_null(device):
    out = _core.Array.from_host(np.zeros(1, np.int32))
    kernel = RawKernel('extern "C" __global__ void f(float *x, int *out) { *out = x == nullptr; }', "f")
    kernel.launch_loose(1, 1, (GpuData(None), out))
    assert out.item(0) == 1


def test_host_arrays_in_device_visible_memory_are_pointers(device):
    x = _core.Buffer.allocate_host(4, "managed").numpy(1, np.float32)
    x[:] = 1
    RawKernel('extern "C" __global__ void f(float *x) { *x += 1; }', "f").launch_loose(1, 1, (x,))
    _core.current_stream().synchronize()
    assert x[0] == 2


def test_records_go_by_value(device):
    record = np.array([(1.5, (1, 2, 3))], PARTICLE)
    kernel = RawKernel(VECTORS + 'extern "C" __global__ void f(Particle p, double *o) { *o = p.position[2]; }', "f")
    for value in (record, record[0]):
        out = _core.Array.empty(1, np.float64)
        kernel.launch_loose(1, 1, (value, out))
        assert out.item(0) == 3


@pytest.mark.parametrize("value", [1, 1.0, True, 1j, None, (1,), "x", object()])
def test_what_has_no_width_is_refused(device, value):
    out = _core.Array.empty(4, np.float32)
    with pytest.raises(TypeError) as error:
        RawKernel(MIXED, "mixed").launch_loose(1, 1, (np.int16(1), value, np.zeros(4, np.float32), out))
    assert str(error.value).startswith("invalid type on parameter #1 (0-based): a ")
    assert ("pass a NumPy number" in str(error.value)) == isinstance(value, (int, float))


def test_arrays_of_the_host_are_no_pointers(device):
    kernel = RawKernel('extern "C" __global__ void f(float *x) { *x = 1; }', "f")
    # Of eight bytes too, which could be taken for an address.
    for array in (np.zeros(5, np.float32), np.zeros(1), np.zeros(2, np.float32), np.zeros(2, np.int32)[::2]):
        with pytest.raises(TypeError, match=r"parameter 1 'x' \(float \*\): a NumPy array lies in the host's memory"):
            kernel.launch_loose(1, 1, (array,))
    out = _core.Array.empty(1, np.float32)
    kernel.launch_loose(1, 1, (np.array([out.__cuda_array_interface__["data"][0]], np.uintp),))
    assert out.item(0) == 1


def test_numpy_scalars_of_another_width_go_by_value(device):
    out = _core.Array.empty(1, np.int32)
    echo("int").launch_loose(1, 1, (np.int64(-7), out))
    assert out.item(0) == -7
    with pytest.raises(OverflowError, match="is outside its range"):
        echo("int").launch_loose(1, 1, (np.int64(2**40), out))


def test_a_wrong_size_or_count_is_refused(device):
    out = _core.Array.empty(4, np.float32)
    kernel = RawKernel(MIXED, "mixed")
    with pytest.raises(
        TypeError, match=r"parameter 3 'c' \(float4\): the numpy.ndarray has 12 bytes, the parameter has 16"
    ):
        kernel.launch_loose(1, 1, (np.int16(1), np.float64(1), np.zeros(3, np.float32), out))
    with pytest.raises(TypeError, match=r"takes 4 arguments \(short a, double b, float4 c, float \*out\)"):
        kernel.launch_loose(1, 1, (out,))


def test_streams_and_shared_memory(device):
    stream = _core.current_device().create_stream()
    x = _core.Array.from_host(np.zeros(1, np.float32), stream=stream)
    code = """
    extern "C" __global__ void f(float *x) {
        extern __shared__ float s[];
        s[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) *x = s[255];
    }
    """
    RawKernel(code, "f").launch_loose((1,), (256, 1, 1), (x,), 1024, stream)
    assert x.to_host(stream=stream)[0] == 255
