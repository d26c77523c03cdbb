# raises: TypingError
# text: cuda.atomic.and_
# text: float64
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    cuda.atomic.and_(x, 0, 1)  # <-


kernel[1, 4](np.zeros(4))
