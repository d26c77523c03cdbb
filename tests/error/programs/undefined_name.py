# raises: TypingError
# text: undefined_name
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    x[0] = undefined_name + 1  # <-


kernel[1, 4](np.zeros(4))
