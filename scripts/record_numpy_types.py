"""Records NumPy's type rules for tests/cpp/array: python scripts/record_numpy_types.py > tests/data/numpy_types.txt

Lines, with dtypes as the letters of LETTERS and '-' for "refused":
  promote A B C        promote_types(A, B) is C
  cast A B n e s k u   can_cast(A, B, rule) for the five rules, 0 or 1
  weak A KIND C        result_type of an A array and a Python number of KIND (b, i, f, c)
  ufunc NAME OUTPUTS...          a unary ufunc of an array of each dtype, in the order of LETTERS
  ufunc NAME A OUTPUTS...        a binary one of an A array and an array of each dtype
"""

import warnings

import numpy as np

LETTERS = {
    "?": "bool",
    "b": "int8",
    "h": "int16",
    "i": "int32",
    "l": "int64",
    "B": "uint8",
    "H": "uint16",
    "I": "uint32",
    "L": "uint64",
    "e": "float16",
    "f": "float32",
    "d": "float64",
    "F": "complex64",
    "D": "complex128",
}
LETTER_OF = {np.dtype(name): letter for letter, name in LETTERS.items()}
LEFT_OUT = {"isnat", "matmul", "vecdot", "matvec", "vecmat"}


def ufunc_result(ufunc, inputs):
    arrays = [np.ones(1, LETTERS[letter]) for letter in inputs]
    try:
        out = ufunc(*arrays)
    except TypeError:
        return "-"
    outputs = out if isinstance(out, tuple) else (out,)
    return "".join(LETTER_OF[o.dtype] for o in outputs)


def main():
    for a in LETTERS:
        for b in LETTERS:
            print("promote", a, b, LETTER_OF[np.promote_types(LETTERS[a], LETTERS[b])])
    for a in LETTERS:
        for b in LETTERS:
            rules = ("no", "equiv", "safe", "same_kind", "unsafe")
            print("cast", a, b, *(int(np.can_cast(LETTERS[a], LETTERS[b], rule)) for rule in rules))
    for a in LETTERS:
        for kind, value in {"b": True, "i": 1, "f": 1.0, "c": 1j}.items():
            print("weak", a, kind, LETTER_OF[np.result_type(np.ones(1, LETTERS[a]), value)])
    for name in sorted(dir(np)):
        ufunc = getattr(np, name)
        if not isinstance(ufunc, np.ufunc) or ufunc.__name__ != name or name in LEFT_OUT:
            continue
        if ufunc.nin == 1:
            print("ufunc", name, *(ufunc_result(ufunc, a) for a in LETTERS))
        else:
            for a in LETTERS:
                print("ufunc", name, a, *(ufunc_result(ufunc, a + b) for b in LETTERS))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
