# raises: TypingError
# text: cuda.shfl_sync
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    x[0] = cuda.shfl_sync(0xFFFFFFFF, (1, 2), 0)[0]  # <-


kernel[1, 4](np.zeros(4))
