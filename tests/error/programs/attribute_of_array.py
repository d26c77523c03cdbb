# raises: TypingError
# text: array(float64, 1d, C)
# text: length
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    x[0] = x.length  # <-


kernel[1, 4](np.zeros(4))
