# raises: IndexError
# text: x
# text: (2, 2)
import numpy as np
from lanewise import cuda


@cuda.jit(boundscheck=True)
def kernel(x):
    x[1, cuda.grid(1)] = 1  # <-


kernel[1, 3](np.zeros((2, 2)))
cuda.synchronize()
