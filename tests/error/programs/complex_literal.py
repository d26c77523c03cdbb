# raises: TypingError
# text: complex
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    x[0] = abs(1 + 2j)  # <-


kernel[1, 4](np.zeros(4))
