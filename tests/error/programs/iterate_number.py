# raises: TypingError
# text: int64
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    for i in 5:  # <-
        x[0] = i


kernel[1, 4](np.zeros(4))
