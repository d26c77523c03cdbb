# raises: TypingError
# text: grid
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    x[0] = cuda.grid(4)  # <-


kernel[1, 4](np.zeros(4))
