# raises: IndexError
# text: x
# text: 4
# text: thread
import numpy as np
from lanewise import cuda


@cuda.jit(boundscheck=True)
def kernel(x):
    x[cuda.grid(1)] = 1  # <-


kernel[1, 5](np.zeros(4))
cuda.synchronize()
