# raises: TypingError
# text: unify
import numpy as np
from lanewise import cuda


def helper(a):
    if a > 0:
        return (1, 2)  # <-
    return 1.0


@cuda.jit
def kernel(x):
    x[0] = helper(1)[0]


kernel[1, 4](np.zeros(4))
