# raises: TypingError
# text: str
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    y = 'a' + 1  # <-
    x[0] = 1


kernel[1, 4](np.zeros(4))
