# raises: TypingError
# text: int64
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    n = 3
    x[0] = n(1)  # <-


kernel[1, 4](np.zeros(4))
