"""pycuda.autoinit: a context on the default device, for the importing thread; `context` and `device`. Nothing has to be
undone at exit."""

import lanewise.compat.pycuda.driver as cuda
from lanewise.compat.pycuda.tools import make_default_context

cuda.init()
context = make_default_context()
device = context.get_device()
