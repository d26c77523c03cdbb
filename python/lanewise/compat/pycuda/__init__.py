"""The face of PyCUDA: its names for memory, streams, CUDA C++ modules and kernels of lanewise."""

VERSION = (2026, 1)
VERSION_STATUS = ""
VERSION_TEXT = "2026.1"
__version__ = VERSION_TEXT
