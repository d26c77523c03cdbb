"""What the names answer that CuPy has and lanewise does not."""

#: Submodules: (what for, what there is instead).
MODULES = {
    "linalg": ("linear algebra", "matmul, dot, tensordot and einsum are there; copy to NumPy for the rest"),
    "fft": ("Fourier transforms", "copy to the host and use numpy.fft"),
    "random": ("random numbers", "make them with numpy.random and copy them by cupy.asarray"),
    "polynomial": ("polynomials", "copy to the host and use numpy.polynomial"),
    "sparse": ("sparse matrices", "use dense arrays, or scipy.sparse on the host"),
}


def reason(name):
    """Why there is no such name, or None when CuPy has none either."""
    if name in MODULES:
        purpose, instead = MODULES[name]
        return f"cupy.{name} ({purpose}) is not offered by lanewise yet; {instead}"
    from lanewise.arrays.protocols import not_there_yet

    text = not_there_yet(name)
    return text and text.replace("lanewise.", "cupy.", 1) + "; copy to the host with cupy.asnumpy"


def unavailable(name):
    """ImportError of a submodule."""
    raise ImportError(reason(name))
