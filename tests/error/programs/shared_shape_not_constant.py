# raises: TypingError
# text: constant
# text: shape
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    buffer = cuda.shared.array(x.size, cuda.float32)  # <-
    buffer[0] = 1


kernel[1, 4](np.zeros(4))
