# raises: TypingError
# text: y
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    x[0] = y  # <-
    y = 1


kernel[1, 4](np.zeros(4))
