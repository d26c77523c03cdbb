# raises: UnsupportedError
# text: comprehension
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    y = [i for i in range(3)]  # <-
    x[0] = y[0]


kernel[1, 4](np.zeros(4))
