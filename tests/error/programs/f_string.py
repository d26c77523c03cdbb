# raises: UnsupportedError
# text: f-string
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    print(f'{x[0]}')  # <-


kernel[1, 4](np.zeros(4))
