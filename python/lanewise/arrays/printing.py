"""Arrays as text, in NumPy's formatting and with its print options. Only the elements that are shown are copied."""

import numpy as np

from lanewise.arrays.operands import core

__all__ = ["array2string", "array_repr", "array_str"]

# The dtypes whose elements show what they are.
_IMPLIED_DTYPES = frozenset(map(np.dtype, (np.bool_, np.int_, np.float64, np.complex128)))


def _shown_elements(x, threshold, edgeitems):
    """A NumPy array of the elements of `x` that are shown, and whether there are more: along each axis that is cut
    short one element more than NumPy shows of it."""
    if x.size <= threshold:
        return x.to_host(), False
    for axis, extent in enumerate(x.shape):
        if extent > 2 * edgeitems + 1:
            before = (slice(None),) * axis
            ends = [x[before + (slice(0, edgeitems + 1),)], x[before + (slice(extent - edgeitems, None),)]]
            x = core.concatenate(ends, axis)
    return x.to_host(), True


def _options(**given):
    """NumPy's print options with those that are given."""
    return np.get_printoptions() | {name: value for name, value in given.items() if value is not None}


def array2string(
    a,
    max_line_width=None,
    precision=None,
    suppress_small=None,
    separator=" ",
    prefix="",
    *,
    formatter=None,
    threshold=None,
    edgeitems=None,
    sign=None,
    floatmode=None,
    suffix="",
    legacy=None,
):
    """The elements as text."""
    options = _options(threshold=threshold, edgeitems=edgeitems)
    elements, summarised = _shown_elements(a, options["threshold"], options["edgeitems"])
    return np.array2string(
        elements,
        max_line_width,
        precision,
        suppress_small,
        separator,
        prefix,
        formatter=formatter,
        threshold=0 if summarised else options["threshold"],
        edgeitems=edgeitems,
        sign=sign,
        floatmode=floatmode,
        suffix=suffix,
        legacy=legacy,
    )


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """The array as an expression: "array([1., 2.], dtype=float32)"."""
    options = _options(linewidth=max_line_width)
    begin = "array("
    if arr.size > 0 or arr.shape == (0,):
        elements = array2string(arr, max_line_width, precision, suppress_small, ", ", begin, suffix=")")
    else:
        elements = "[]"
    extras = []
    if (arr.size == 0 and arr.shape != (0,)) or arr.size > options["threshold"]:
        extras.append(f"shape={arr.shape}")
    if arr.dtype not in _IMPLIED_DTYPES or arr.size == 0:
        extras.append(f"dtype={arr.dtype.name}")
    text = begin + elements
    if not extras:
        return text + ")"
    extra = ", ".join(extras) + ")"
    last_line = len(text) - (text.rfind("\n") + 1) + 1
    fits = last_line + len(extra) + 1 <= options["linewidth"]
    return f"{text},{' ' if fits else chr(10) + ' ' * len(begin)}{extra}"


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """The elements as text, without commas."""
    if a.ndim == 0:
        return str(a.to_host()[()])
    return array2string(a, max_line_width, precision, suppress_small, " ", "")
