# raises: TypingError
# text: dtype
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    buffer = cuda.shared.array(4, 3)  # <-
    buffer[0] = 1


kernel[1, 4](np.zeros(4))
