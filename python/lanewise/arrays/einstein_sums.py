"""Einstein's sums: products of arrays named by the letters of their axes."""

import string

import numpy as np

from lanewise import _core
from lanewise.arrays.operands import as_array, core, deliver

__all__ = ["einsum", "einsum_path"]

_LETTERS = string.ascii_letters


class _Term:
    """An array and one label for each of its axes; a letter, or a negative number where an ellipsis stands."""

    def __init__(self, array, labels):
        self.array, self.labels = array, list(labels)

    def without_repeats(self):
        """Axes with the same label become their diagonal."""
        array, labels = self.array, self.labels
        for label in dict.fromkeys(labels):
            while labels.count(label) > 1:
                first = labels.index(label)
                second = labels.index(label, first + 1)
                if array.shape[first] != array.shape[second]:
                    raise ValueError(
                        f"einsum: the axes named {label!r} have extents {array.shape[first]} and {array.shape[second]}"
                    )
                array = core.diagonal(array, 0, first, second)
                labels = [one for axis, one in enumerate(labels) if axis not in (first, second)] + [label]
        return _Term(array, labels)

    def summed_over(self, labels):
        axes = tuple(axis for axis, label in enumerate(self.labels) if label in labels)
        if not axes:
            return self
        return _Term(core.sum(self.array, axes, self.array.dtype), [one for one in self.labels if one not in labels])

    def in_order(self, labels):
        return core.transpose(self.array, tuple(map(self.labels.index, labels)))


def _labels(text, ndim, position):
    """The labels of an operand's axes; those of its ellipsis count down from the last, so that they broadcast."""
    letters = text.replace("...", ".")
    if letters.count(".") > 1 or any(letter not in _LETTERS + "." for letter in letters):
        raise ValueError(f"einsum: {text!r} of operand {position} may have letters and one '...'")
    named = len(letters.replace(".", ""))
    if named > ndim or ("." not in letters and named != ndim):
        raise ValueError(f"einsum: {text!r} names {named} axes, operand {position} has {ndim}")
    extra = list(range(named - ndim, 0))
    labels = []
    for letter in letters:
        labels.extend(extra if letter == "." else [letter])
    return labels


def _text_of(sublist):
    """A list of integers and Ellipsis as letters."""
    return "".join("..." if item is Ellipsis else _LETTERS[item] for item in sublist)


def _parsed(operands):
    """(terms, the labels of the result)."""
    if isinstance(operands[0], str):
        text, arrays = operands[0].replace(" ", ""), list(operands[1:])
        inputs, arrow, output = text.partition("->")
        inputs = inputs.split(",")
    else:
        arrays, lists = list(operands[:-1:2]) if len(operands) % 2 else list(operands[::2]), operands[1::2]
        inputs, arrow = [_text_of(one) for one in lists], "->" if len(operands) % 2 else ""
        output = _text_of(operands[-1]) if arrow else ""
    if len(inputs) != len(arrays):
        raise ValueError(f"einsum: {len(inputs)} operands are named, {len(arrays)} given")
    arrays = [as_array(array, "einsum") for array in arrays]
    terms = [
        _Term(array, _labels(text, array.ndim, at)) for at, (text, array) in enumerate(zip(inputs, arrays, strict=True))
    ]
    present = [label for term in terms for label in term.labels]
    extra = sorted({label for label in present if isinstance(label, int)})
    if not arrow:
        named = sorted(label for label in set(present) - set(extra) if present.count(label) == 1)
        return terms, extra + named
    labels = []
    for letter in output.replace("...", "."):
        labels.extend(extra if letter == "." else [letter])
    if len(set(labels)) != len(labels):
        raise ValueError(f"einsum: a letter is repeated in the output {output!r}")
    if missing := set(labels) - set(present):
        raise ValueError(f"einsum: the output has {sorted(missing)}, which no operand has")
    return terms, labels + ([] if "..." in output or not extra else _refuse_extra(output))


def _refuse_extra(output):
    raise ValueError(
        f"einsum: the output {output!r} needs '...' for the axes that the ellipses of the operands stand for"
    )


def _extents(terms):
    extents = {}
    for term in terms:
        for label, extent in zip(term.labels, term.array.shape, strict=True):
            known = extents.setdefault(label, extent)
            if known == 1:
                extents[label] = extent
            elif extent not in (1, known):
                raise ValueError(f"einsum: the axes named {label!r} have extents {known} and {extent}")
    return extents


def _contract(a, b, kept):
    """The product of two terms, summed over the labels that are not kept."""
    summed = [label for label in a.labels if label in b.labels and label not in kept]
    # A sum over an axis that one of them broadcasts is not a product of matrices.
    if any(a.array.shape[a.labels.index(one)] != b.array.shape[b.labels.index(one)] for one in summed):
        return _multiplied(a, b).summed_over(summed)
    if not summed:
        return _multiplied(a, b)
    batch = [label for label in a.labels if label in b.labels and label in kept]
    rows = [label for label in a.labels if label not in b.labels]
    columns = [label for label in b.labels if label not in a.labels]
    # Dot products are reductions, which read everything once.
    if not rows and not columns:
        return _multiplied(a, b).summed_over(summed)
    left, right = a.in_order(batch + rows + summed), b.in_order(batch + summed + columns)
    at = len(batch)
    size = _size(right.shape[at : at + len(summed)])
    row_shape, column_shape = left.shape[at : at + len(rows)], right.shape[at + len(summed) :]
    product = core.matmul(
        core.reshape(left, left.shape[:at] + (_size(row_shape), size)),
        core.reshape(right, right.shape[:at] + (size, _size(column_shape))),
    )
    return _Term(core.reshape(product, product.shape[:at] + row_shape + column_shape), batch + rows + columns)


def _size(extents):
    size = 1
    for extent in extents:
        size *= extent
    return size


def _multiplied(a, b):
    labels = a.labels + [label for label in b.labels if label not in a.labels]
    shaped = []
    for term in (a, b):
        array = term.in_order([label for label in labels if label in term.labels])
        present = iter(array.shape)
        shaped.append(core.reshape(array, tuple(next(present) if label in term.labels else 1 for label in labels)))
    return _Term(_core.ufuncs["multiply"](*shaped), labels)


def _cost(a, b):
    """The elements of the product of two terms, before it is summed."""
    return _size(dict(zip(a.labels + b.labels, a.array.shape + b.array.shape, strict=True)).values())


def einsum(*operands, out=None, dtype=None, order="K", casting="safe", optimize=False):
    """The sum over the products of the operands that the labels of their axes say: "ij,jk->ik" is a product of
    matrices. The operands may also be followed by lists of integers. Pairs are contracted one after the other, the
    cheapest first with `optimize`."""
    if not operands:
        raise ValueError("einsum: there are no operands")
    terms, output = _parsed(operands)
    kind = np.dtype(dtype) if dtype is not None else np.result_type(*(term.array.dtype for term in terms))
    for term in terms:
        if not np.can_cast(term.array.dtype, kind, casting):
            raise TypeError(f"einsum: {term.array.dtype} does not cast to {kind} by the rule {casting!r}")
        term.array = core.astype(term.array, kind, copy=False)
    terms = [term.without_repeats() for term in terms]
    extents = _extents(terms)
    while True:
        # What only one operand has and the result has not is summed at once.
        for at, term in enumerate(terms):
            elsewhere = set(output).union(*(other.labels for other in terms if other is not term))
            terms[at] = term.summed_over([label for label in term.labels if label not in elsewhere])
        if len(terms) == 1:
            break
        pairs = [(i, j) for j in range(len(terms)) for i in range(j)]
        i, j = min(pairs, key=lambda pair: _cost(terms[pair[0]], terms[pair[1]])) if optimize else (0, 1)
        b, a = terms.pop(j), terms.pop(i)
        kept = set(output).union(*(term.labels for term in terms))
        terms.insert(0, _contract(a, b, kept))
    result = terms[0].in_order(output)
    shape = tuple(extents[label] for label in output)
    if result.shape != shape:
        result = core.broadcast_to(result, shape).copy()
    if order in ("C", "F") and not (result.is_c_contiguous if order == "C" else result.is_f_contiguous):
        result = result.copy(order)
    return deliver(result, out, "einsum")


def einsum_path(*operands, optimize="greedy", einsum_call=False):
    """The order in which NumPy would contract the operands; only their shapes are looked at."""
    shapes = [np.broadcast_to(np.int8(0), one.shape) if isinstance(one, _core.Array) else one for one in operands]
    return np.einsum_path(*shapes, optimize=optimize)
