# raises: ValueError
# text: thread
# text: bad value
import numpy as np
from lanewise import cuda


@cuda.jit(debug=True, opt=False)
def kernel(x):
    if x[cuda.grid(1)] == 0:
        raise ValueError('bad value')  # <-


kernel[1, 4](np.zeros(4))
cuda.synchronize()
