# raises: IndexError
# text: buffer
# text: 8
import numpy as np
from lanewise import cuda


@cuda.jit(boundscheck=True)
def kernel(x):
    buffer = cuda.shared.array(8, cuda.float32)
    buffer[cuda.threadIdx.x + 5] = 1  # <-
    cuda.syncthreads()
    x[0] = buffer[0]


kernel[1, 4](np.zeros(4))
cuda.synchronize()
