# raises: IndexError
# text: out of range
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    t = (1, 2)
    x[0] = t[2]  # <-


kernel[1, 4](np.zeros(4))
