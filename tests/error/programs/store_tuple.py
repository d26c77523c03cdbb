# raises: TypingError
# text: UniTuple(int64 x 2)
# text: array 'x', which is float64
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    x[0] = (1, 2)  # <-


kernel[1, 4](np.zeros(4))
