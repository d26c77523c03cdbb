"""Threads that use the device without contexts of their own, and with one each."""
import threading

import numpy as np
import pycuda.driver as cuda
from pycuda.compiler import SourceModule

cuda.init()
context = cuda.Device(0).make_context()
add = SourceModule("""
__global__ void add(float *x, float value) { x[threadIdx.x] += value; }
""").get_function("add")
results = {}


def without_context(number):
    memory = cuda.to_device(np.zeros(32, np.float32))
    add(memory, np.float32(number), block=(32, 1, 1))
    results[number] = cuda.from_device(memory, 32, np.float32)


class Worker(threading.Thread):
    def __init__(self, number):
        super().__init__()
        self.number = number

    def run(self):
        self.context = cuda.Device(0).make_context()
        module = SourceModule("__global__ void put(float *x, float v) { x[threadIdx.x] = v; }")
        x = np.zeros(16, np.float32)
        module.get_function("put")(cuda.Out(x), np.float32(self.number), block=(16, 1, 1))
        results[self.number] = x
        self.context.pop()
        del self.context


threads = [threading.Thread(target=without_context, args=(k,)) for k in range(4)] + [Worker(k) for k in range(4, 8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert all((results[k] == k).all() for k in range(8)), results
context.pop()
print("threads")
