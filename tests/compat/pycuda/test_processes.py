"""What happens at the end of a process, whatever is still alive."""

import pytest

ENDINGS = {
    "context on the stack": "ctx = cuda.Device(0).make_context()",
    "several contexts": "a = cuda.Device(0).make_context(); b = cuda.Device(0).make_context(); a.detach()",
    "autoinit and pop": "import pycuda.autoinit; pycuda.autoinit.context.pop()",
    "autoinit and detach": "import pycuda.autoinit; pycuda.autoinit.context.detach()",
    "live objects": """
import pycuda.autoinit
from pycuda.compiler import SourceModule
memory, stream, event = cuda.mem_alloc(100), cuda.Stream(), cuda.Event()
module = SourceModule("__global__ void f() {}")
function = module.get_function("f")
function(block=(1, 1, 1), stream=stream)
host = cuda.pagelocked_empty(10, float)
registered = cuda.register_host_memory(cuda.aligned_empty(10, float))
""",
    "live pools": """
import pycuda.autoinit
from pycuda.tools import DeviceMemoryPool, PageLockedMemoryPool
pool, host_pool = DeviceMemoryPool(), PageLockedMemoryPool()
memory, array = pool.allocate(1000), host_pool.allocate(100, float)
pool.allocate(2000).free()
""",
    "objects in a cycle": """
import pycuda.autoinit
class Node: pass
node = Node(); node.self = node; node.memory = cuda.mem_alloc(10); node.context = pycuda.autoinit.context
""",
    "running work": """
import pycuda.autoinit
stream = cuda.Stream()
memory = cuda.mem_alloc(1 << 24)
for value in range(20): cuda.memset_d8_async(memory, value, 1 << 24, stream)
""",
    "a thread with a context": """
import threading
def work():
    global context
    context = cuda.Device(0).make_context()
thread = threading.Thread(target=work); thread.start(); thread.join()
""",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_exit_is_quiet(lanewise, device, ending):
    program = f"import pycuda.driver as cuda\ncuda.init()\n{ENDINGS[ending]}\nprint('end')\n"
    result = lanewise("run", "-c", program, env={"LANEWISE_DEVICE": device})
    assert (result.returncode, result.stdout, result.stderr) == (0, "end\n", "")


def test_errors_are_those_of_the_program(lanewise, device):
    program = "import pycuda.autoinit, pycuda.driver as cuda\nx = cuda.mem_alloc(10)\ncuda.memcpy_htod(x, b'0' * 11)\n"
    result = lanewise("run", "-c", program, env={"LANEWISE_DEVICE": device})
    assert result.returncode == 1
    assert "pycuda._driver.LogicError: cuMemcpyHtoD failed: invalid argument - " in result.stderr


def test_thread_pools(lanewise, device):
    program = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np
import pycuda.autoinit, pycuda.driver as cuda
from pycuda.compiler import SourceModule
add = SourceModule("__global__ void add(int *x, int n) { x[threadIdx.x] += n; }").get_function("add")
def work(n):
    x = np.zeros(32, np.int32)
    add(cuda.InOut(x), np.int32(n), block=(32, 1, 1))
    return (x == n).all()
with ThreadPoolExecutor(8) as pool:
    assert all(pool.map(work, range(200)))
"""
    result = lanewise("run", "-c", program, env={"LANEWISE_DEVICE": device})
    assert (result.returncode, result.stderr) == (0, "")
