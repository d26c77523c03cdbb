# raises: TypingError
# text: helper
import numpy as np
from lanewise import cuda


def helper(a, b):
    return a + b


@cuda.jit
def kernel(x):
    x[0] = helper(1)  # <-


kernel[1, 4](np.zeros(4))
