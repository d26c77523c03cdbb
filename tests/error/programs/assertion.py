# raises: AssertionError
# text: thread
# text: must be positive
import numpy as np
from lanewise import cuda


@cuda.jit(debug=True, opt=False)
def kernel(x):
    assert x[cuda.grid(1)] > 0, 'must be positive'  # <-


kernel[1, 4](np.zeros(4))
cuda.synchronize()
