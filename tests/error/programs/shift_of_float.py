# raises: TypingError
# text: float64
# text: <<
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    x[0] = x[0] << 1  # <-


kernel[1, 4](np.zeros(4))
