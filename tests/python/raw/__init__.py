"""Kernels in CUDA C++: RawKernel and RawModule."""
