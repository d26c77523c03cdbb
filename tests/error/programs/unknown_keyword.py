# raises: TypingError
# text: helper
# text: c
import numpy as np
from lanewise import cuda


def helper(a, b=1):
    return a + b


@cuda.jit
def kernel(x):
    x[0] = helper(1, c=2)  # <-


kernel[1, 4](np.zeros(4))
