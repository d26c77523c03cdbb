# raises: TypingError
# text: constant
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x, n):
    x[0] = cuda.grid(n)  # <-


kernel[1, 4](np.zeros(4), 1)
