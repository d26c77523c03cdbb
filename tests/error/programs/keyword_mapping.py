# raises: UnsupportedError
# text: **
import numpy as np
from lanewise import cuda


def helper(a=1):
    return a


@cuda.jit
def kernel(x):
    x[0] = helper(**{})  # <-


kernel[1, 4](np.zeros(4))
