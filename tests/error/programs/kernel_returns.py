# raises: TypingError
# text: return
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    return x[0]  # <-


kernel[1, 4](np.zeros(4))
