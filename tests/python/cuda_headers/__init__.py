"""What the CUDA C++ headers compute, against NumPy, Python and cuRAND."""
