"""pycuda.gl."""

raise ImportError(
    "pycuda.gl (OpenGL) is not offered by lanewise: it shares no memory with OpenGL; copy through the host"
)
