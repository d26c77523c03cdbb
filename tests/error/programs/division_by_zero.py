# raises: ZeroDivisionError
# text: thread
import numpy as np
from lanewise import cuda


@cuda.jit(debug=True, opt=False)
def kernel(x, n):
    x[0] = 1 // n  # <-


kernel[1, 4](np.zeros(4), 0)
cuda.synchronize()
