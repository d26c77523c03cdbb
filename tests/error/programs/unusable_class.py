# raises: TypingError
# text: Thing
import numpy as np
from lanewise import cuda


class Thing:
    pass


@cuda.jit
def kernel(x):
    x[0] = Thing()  # <-


kernel[1, 4](np.zeros(4))
