# raises: TypingError
# text: math
# text: sinus
import numpy as np
from lanewise import cuda
import math


@cuda.jit
def kernel(x):
    x[0] = math.sinus(1.0)  # <-


kernel[1, 4](np.zeros(4))
