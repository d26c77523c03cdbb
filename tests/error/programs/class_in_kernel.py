# raises: UnsupportedError
# text: class
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    class A:  # <-
        pass
    x[0] = 1


kernel[1, 4](np.zeros(4))
