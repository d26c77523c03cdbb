# raises: TypingError
# text: `shape` must be known at compile time
# text: `n` (int64)
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x, n):
    buffer = cuda.shared.array(n, cuda.float32)  # <-
    buffer[0] = 1


kernel[1, 4](np.zeros(4), 3)
