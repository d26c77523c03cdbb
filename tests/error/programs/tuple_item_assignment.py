# raises: TypingError
# text: immutable
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    t = (1, 2)
    t[0] = 3  # <-
    x[0] = t[0]


kernel[1, 4](np.zeros(4))
