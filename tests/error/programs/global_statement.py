# raises: UnsupportedError
# text: global
import numpy as np
from lanewise import cuda
counter = 0


@cuda.jit
def kernel(x):
    global counter
    counter = 1  # <-
    x[0] = counter


kernel[1, 4](np.zeros(4))
