# raises: TypingError
# text: math.sin
import numpy as np
from lanewise import cuda
import math


@cuda.jit
def kernel(x):
    x[0] = math.sin((1, 2))  # <-


kernel[1, 4](np.zeros(4))
