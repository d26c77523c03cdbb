# raises: UnsupportedError
# text: set
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    y = {1, 2}  # <-
    x[0] = 1


kernel[1, 4](np.zeros(4))
