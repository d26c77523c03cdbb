# raises: UnsupportedError
# text: with
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    with open('f') as f:  # <-
        x[0] = 1


kernel[1, 4](np.zeros(4))
