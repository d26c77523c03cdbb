# raises: TypingError
# text: dict
import numpy as np
from lanewise import cuda
table = {0: 1}


@cuda.jit
def kernel(x):
    x[0] = table[0]  # <-


kernel[1, 4](np.zeros(4))
