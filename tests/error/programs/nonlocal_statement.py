# raises: UnsupportedError
# text: nonlocal
import numpy as np
from lanewise import cuda


@cuda.jit
def kernel(x):
    counter = 0

    def step():
        nonlocal counter
        counter += 1  # <-

    step()
    x[0] = counter


kernel[1, 4](np.zeros(4))
