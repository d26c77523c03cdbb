"""Records what NumPy's ufuncs and casts give, for tests/cpp/array: python scripts/record_numpy_values.py OUT.gz

A sequence of groups. A group: number of inputs (u8), a dtype letter each (as in record_numpy_types.py), number of
elements (u32), the inputs' bytes; number of results (u16), and each result: length of the name (u8), name, dtype
letter, bytes. The name is a ufunc's, "where", or "astype".
"""

import gzip
import struct
import sys
import warnings

import numpy as np
from record_numpy_types import LEFT_OUT, LETTER_OF, LETTERS

FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.75, 1e-3, 20.25, -7.0, np.inf, -np.inf, np.nan]
COMPLEX = [0, 1, -1, 0.5 + 0.5j, -2 + 3j, 3 - 4j, 0.001j, -0.25 - 1.5j, 2.5, 1 + 1j]
COMPLEX_SPECIAL = [complex(np.nan, 1), complex(1, np.nan), complex(np.inf, 2), complex(-3, -np.inf), 1 + 1j, 0, -2j]
EXACT_FOR_COMPLEX = [
    "add",
    "subtract",
    "multiply",
    "negative",
    "positive",
    "conjugate",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "isnan",
    "isinf",
    "isfinite",
]
MIXED = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "remainder",
    "power",
    "less",
    "equal",
    "greater_equal",
    "maximum",
    "fmin",
    "bitwise_and",
    "left_shift",
    "right_shift",
    "logical_or",
    "arctan2",
    "copysign",
    "logaddexp",
    "gcd",
]


def samples(letter):
    dtype = np.dtype(LETTERS[letter])
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind == "f":
        info = np.finfo(dtype)
        return np.array([*FLOATS, info.smallest_subnormal, info.max, info.tiny], dtype)
    if dtype.kind == "c":
        return np.array(COMPLEX, dtype)
    info = np.iinfo(dtype)
    values = [0, 1, 2, 3, 5, 7, 33, 64, 100, info.max, info.max - 1]
    if dtype.kind == "i":
        values += [-1, -2, -3, -7, -100, info.min, info.min + 1]
    return np.array(values, dtype)


def pairs(a, b):
    x, y = np.meshgrid(a, b, indexing="ij")
    return np.ascontiguousarray(x.ravel()), np.ascontiguousarray(y.ravel())


class Recorder:
    def __init__(self):
        self.data = bytearray()

    def group(self, inputs, results):
        self.data += struct.pack("B", len(inputs))
        for array in inputs:
            self.data += LETTER_OF[array.dtype].encode()
        self.data += struct.pack("<I", inputs[0].size)
        for array in inputs:
            self.data += array.tobytes()
        self.data += struct.pack("<H", len(results))
        for name, array in results:
            self.data += struct.pack("B", len(name)) + name.encode()
            self.data += LETTER_OF[array.dtype].encode() + array.tobytes()


def ufuncs(inputs, names=None, skip=()):
    found = []
    for name in names or sorted(dir(np)):
        ufunc = getattr(np, name)
        if not isinstance(ufunc, np.ufunc) or ufunc.__name__ != name or name in LEFT_OUT or name in skip:
            continue
        if ufunc.nin != len(inputs) or name in ("divmod", "ldexp"):
            continue
        arguments = inputs
        if name == "power" and all(a.dtype.kind in "iu" for a in inputs):
            arguments = (inputs[0], np.where(inputs[1] < 0, 0, inputs[1]).astype(inputs[1].dtype))
            if not np.array_equal(arguments[1], inputs[1]):
                continue
        if name == "reciprocal" and inputs[0].dtype.kind in "iu" and (inputs[0] == 0).any():
            continue
        try:
            out = ufunc(*arguments)
        except TypeError:
            continue
        if name == "frexp":
            found += [("frexp_fraction", out[0]), ("frexp_exponent", out[1])]
        elif name == "modf":
            found += [("modf_fraction", out[0])]
        else:
            found.append((name, out))
    return found


def main(path):
    recorder = Recorder()
    for letter in LETTERS:
        x = samples(letter)
        recorder.group([x], ufuncs([x]))
        recorder.group(list(pairs(x, x)), ufuncs(pairs(x, x)))
        if x.dtype.kind in "iu":
            positive = x[x > 0]
            recorder.group([positive], ufuncs([positive], ["reciprocal"]))
            base, exponent = pairs(x, np.array([0, 1, 2, 3, 5, 7, 33, 64, 100], x.dtype))
            recorder.group([base, exponent], ufuncs([base, exponent], ["power"]))
        if x.dtype.kind == "c":
            special = np.array(COMPLEX_SPECIAL, x.dtype)
            recorder.group([special], ufuncs([special], EXACT_FOR_COMPLEX))
            recorder.group(list(pairs(special, special)), ufuncs(pairs(special, special), EXACT_FOR_COMPLEX))
    few = {letter: samples(letter) for letter in LETTERS}
    for letter, x in few.items():
        few[letter] = x[np.linspace(0, x.size - 1, min(x.size, 7)).astype(int)]
    for a in LETTERS:
        for b in LETTERS:
            if a == b:
                continue
            x, y = pairs(few[a], few[b])
            results = ufuncs([x, y], MIXED, skip=("power",) if np.promote_types(x.dtype, y.dtype).kind in "iu" else ())
            recorder.group([x, y], results)
    for a in LETTERS:
        kind = np.dtype(LETTERS[a]).kind
        up = np.array([0, 1, 2, 3, 7, 100] + ([0.25, 2.75] if kind in "fc" else []), LETTERS[a])
        recorder.group([up], [("astype", up.astype(LETTERS[b])) for b in LETTERS])
        if kind in "ifc":
            down = np.array([-1, -2, -3, -100] + ([-0.25, -2.75] if kind in "fc" else []), LETTERS[a])
            recorder.group([down], [("astype", down.astype(LETTERS[b])) for b in LETTERS if b not in "BHIL"])
        if kind in "fciu":
            x = samples(a)
            recorder.group([x], [("astype", x.astype(LETTERS[b])) for b in "efdFD"])
    with open(path, "wb") as file:
        file.write(gzip.compress(bytes(recorder.data), 9, mtime=0))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    main(sys.argv[1])
