# raises: TypingError
# text: unify
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    if x[0] > 0:
        y = x
    else:
        y = 1.0
    x[0] = y  # <-


kernel[1, 4](np.zeros(4))
