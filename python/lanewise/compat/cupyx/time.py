"""cupyx.time: the older name of cupyx.profiler.benchmark."""

import warnings

from lanewise.compat.cupyx import profiler


def repeat(func, args=(), kwargs=None, n_repeat=10000, **options):
    """As cupyx.profiler.benchmark."""
    warnings.warn("cupyx.time.repeat is now cupyx.profiler.benchmark", FutureWarning, stacklevel=2)
    return profiler.benchmark(func, args, kwargs or {}, n_repeat, **options)
