# raises: TypingError
# text: 2
# text: 3
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    a, b = 1, 2, 3  # <-
    x[0] = a + b


kernel[1, 4](np.zeros(4))
