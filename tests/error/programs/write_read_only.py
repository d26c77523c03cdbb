# raises: TypingError
# text: readonly
import numpy as np
from lanewise import cuda
table = np.zeros(4)
table.flags.writeable = False


@cuda.jit
def kernel(x):
    x[0] = 1  # <-


kernel[1, 4](table)
