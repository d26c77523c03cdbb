# raises: UnsupportedError
# text: match
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    match x.size:  # <-
        case 4:
            x[0] = 1
        case _:
            x[0] = 2


kernel[1, 4](np.zeros(4))
