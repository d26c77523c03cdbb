# raises: TypingError
# text: recurs
import numpy as np
from lanewise import cuda


def helper(n):  # <-
    return helper(n - 1)


@cuda.jit
def kernel(x):
    x[0] = helper(3)


kernel[1, 4](np.zeros(4))
