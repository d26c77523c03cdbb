# raises: TypingError
# text: undefined_name
import numpy as np
from lanewise import cuda


@cuda.jit(device=True)
def helper(a):
    return a + undefined_name  # <-


@cuda.jit
def kernel(x):
    x[0] = helper(1)


kernel[1, 4](np.zeros(4))
