"""Updates of elements by index where every index counts, even where indices repeat."""


def scatter_add(a, slices, value):
    """a[slices] += value, once for each index."""
    a.scatter_add(slices, value)


def scatter_max(a, slices, value):
    """a[slices] = maximum(a[slices], value), once for each index."""
    a.scatter_max(slices, value)


def scatter_min(a, slices, value):
    """a[slices] = minimum(a[slices], value), once for each index."""
    a.scatter_min(slices, value)
