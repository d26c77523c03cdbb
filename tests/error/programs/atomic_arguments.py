# raises: TypingError
# text: cuda.atomic.add
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    cuda.atomic.add(x, 0)  # <-


kernel[1, 4](np.zeros(4))
