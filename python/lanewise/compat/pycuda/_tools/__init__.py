"""The parts of pycuda.tools."""
