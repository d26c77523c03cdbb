# raises: UnsupportedError
# text: try
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    try:  # <-
        x[0] = 1
    except ValueError:
        x[0] = 2


kernel[1, 4](np.zeros(4))
