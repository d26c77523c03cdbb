"""cupy.memoize: functions whose results are kept."""

import functools
import weakref

from lanewise import _core

_kept = weakref.WeakSet()


class _Results(dict):
    """A dict that can be held weakly."""

    __hash__ = object.__hash__


def memoize(for_each_device=False):
    """A decorator: results are kept by the arguments, which have to be hashable; with `for_each_device` by the current
    device as well."""

    def decorate(function):
        results = _Results()
        _kept.add(results)

        @functools.wraps(function)
        def memoized(*args, **kwargs):
            key = (_core.current_device() if for_each_device else None, args, frozenset(kwargs.items()))
            try:
                return results[key]
            except KeyError:
                result = results[key] = function(*args, **kwargs)
                return result

        return memoized

    return decorate


def clear_memo():
    """Forgets the results of all memoized functions."""
    for results in tuple(_kept):
        results.clear()
