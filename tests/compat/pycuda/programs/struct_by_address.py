"""A structure that holds a length and a pointer, made on the device from the host."""
import numpy as np
import pycuda.autoinit
import pycuda.driver as cuda
from pycuda.compiler import SourceModule


class DoubleOpStruct:
    mem_size = 8 + np.uintp(0).nbytes

    def __init__(self, array, struct_arr_ptr):
        self.data = cuda.to_device(array)
        self.shape, self.dtype = array.shape, array.dtype
        cuda.memcpy_htod(int(struct_arr_ptr), np.int32(array.size).tobytes())
        cuda.memcpy_htod(int(struct_arr_ptr) + 8, np.uintp(int(self.data)).tobytes())

    def __str__(self):
        return str(cuda.from_device(self.data, self.shape, self.dtype))


struct_arr = cuda.mem_alloc(2 * DoubleOpStruct.mem_size)
do2_ptr = int(struct_arr) + DoubleOpStruct.mem_size
array1 = DoubleOpStruct(np.array([1, 2, 3], dtype=np.float32), struct_arr)
array2 = DoubleOpStruct(np.array([0, 4], dtype=np.float32), do2_ptr)

mod = SourceModule("""
    struct DoubleOperation {
        int datalen, padding;  // so that the pointer is aligned to 64 bits
        float *ptr;
    };

    __global__ void double_array(DoubleOperation *a)
    {
        a = a + blockIdx.x;
        for (int idx = threadIdx.x; idx < a->datalen; idx += blockDim.x)
        {
            float *a_ptr = a->ptr;
            a_ptr[idx] *= 2;
        }
    }
""")
func = mod.get_function("double_array")
func(struct_arr, block=(32, 1, 1), grid=(2, 1))
assert str(array1) == "[2. 4. 6.]", str(array1)
assert str(array2) == "[0. 8.]", str(array2)
func(np.uintp(do2_ptr), block=(32, 1, 1), grid=(1, 1))
assert str(array1) == "[2. 4. 6.]" and str(array2) == "[ 0. 16.]", (str(array1), str(array2))
print("structs")
