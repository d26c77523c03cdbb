# raises: TypingError
# text: libdevice
import numpy as np
from lanewise import cuda
from lanewise.cuda import libdevice


@cuda.jit
def kernel(x):
    x[0] = libdevice.sin(1.0, 2.0)  # <-


kernel[1, 4](np.zeros(4))
