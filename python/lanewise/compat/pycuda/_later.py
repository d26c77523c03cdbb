"""What the modules answer that come later."""


def unavailable(module, purpose, instead):
    """ImportError that names what was asked for and what there is."""
    raise ImportError(f"pycuda.{module} ({purpose}) is not offered by lanewise yet; {instead}")
