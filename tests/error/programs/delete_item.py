# raises: UnsupportedError
# text: del
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    del x[0]  # <-


kernel[1, 4](np.zeros(4))
