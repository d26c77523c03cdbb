# raises: TypingError
# text: print
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    print(x)  # <-


kernel[1, 4](np.zeros(4))
