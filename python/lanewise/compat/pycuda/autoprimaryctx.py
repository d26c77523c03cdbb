"""pycuda.autoprimaryctx: the default device's primary context, for the importing thread; `context` and `device`."""

import lanewise.compat.pycuda.driver as cuda
from lanewise.compat.pycuda.tools import make_default_context


def _retain_and_push(device):
    context = device.retain_primary_context()
    context.push()
    return context


cuda.init()
context = make_default_context(_retain_and_push)
device = context.get_device()
