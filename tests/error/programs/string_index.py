# raises: TypingError
# text: x
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    x['a'] = 1  # <-


kernel[1, 4](np.zeros(4))
