# raises: UnsupportedError
# text: import
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    import math  # <-
    x[0] = math.pi


kernel[1, 4](np.zeros(4))
