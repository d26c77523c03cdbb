# raises: TypingError
# text: truth
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    if x:  # <-
        x[0] = 1


kernel[1, 4](np.zeros(4))
