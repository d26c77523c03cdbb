"""Doubles a 4x4 array on the device, in the two ways a first program would."""
import numpy
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

a = numpy.random.randn(4, 4).astype(numpy.float32)
a_gpu = cuda.mem_alloc(a.nbytes)
cuda.memcpy_htod(a_gpu, a)

mod = SourceModule("""
  __global__ void doublify(float *a)
  {
    int idx = threadIdx.x + threadIdx.y*4;
    a[idx] *= 2;
  }
""")
func = mod.get_function("doublify")
func(a_gpu, block=(4, 4, 1), grid=(1, 1), shared=0)

a_doubled = numpy.empty_like(a)
cuda.memcpy_dtoh(a_doubled, a_gpu)
assert (a_doubled == 2 * a).all()

b = a.copy()
func(cuda.InOut(b), block=(4, 4, 1))
assert (b == 2 * a).all()

func.prepare("P")
func.prepared_call((1, 1), (4, 4, 1), a_gpu)
cuda.memcpy_dtoh(a_doubled, a_gpu)
assert (a_doubled == 4 * a).all()
print("doubled")
