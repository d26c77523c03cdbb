# raises: TypingError
# text: array(float64, 1d, C)
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    x[0] = x + (1, 2)  # <-


kernel[1, 4](np.zeros(4))
