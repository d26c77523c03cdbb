"""Parameters of expressions: "float32 x, T y, raw T z", and the dtypes that arguments give them."""

import difflib
import re
from dataclasses import dataclass

import numpy as np

from lanewise.expressions.spelling import TYPES

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_RESERVED = ("i", "_ind", "_in_ind", "_out_ind", "_i", "_j", "_J")
_NUMBERS = {bool: np.bool_, int: np.int64, float: np.float64, complex: np.complex128}


@dataclass(frozen=True)
class Parameter:
    """`dtype` is None where `type_text`, a single letter, is a placeholder."""

    name: str
    type_text: str
    dtype: np.dtype | None
    raw: bool
    const: bool

    @property
    def declaration(self):
        return f"{'raw ' if self.raw else ''}{self.type_text} {self.name}"


def parse(text, *, const, call):
    """The parameters of a declaration; `const` is whether they are inputs, `call` how errors name the kernel."""
    parts = [part.strip() for part in text.split(",")]
    if parts == [""]:
        return ()
    return tuple(_parse_one(part, text, const, call) for part in parts)


def _parse_one(part, text, const, call):
    words = part.split()
    if len(words) < 2:
        raise ValueError(f"{call}: a parameter is a type and a name, such as 'float32 x', not {part!r} (in {text!r})")
    *qualifiers, type_text, name = words
    for qualifier in qualifiers:
        if qualifier not in ("raw", "_non_const"):
            raise ValueError(
                f"{call}: {qualifier!r} in {part!r} is not known; 'raw' stands before a type, nothing else"
            )
    if not _NAME.match(name):
        raise ValueError(f"{call}: {name!r} in {part!r} is no name of a variable")
    if name in _RESERVED:
        raise ValueError(f"{call}: {name!r} has a meaning of its own in expressions; call the parameter otherwise")
    dtype = None if len(type_text) == 1 and type_text.isalpha() else _dtype(type_text, part, call)
    return Parameter(name, type_text, dtype, "raw" in qualifiers, const and "_non_const" not in qualifiers)


def _dtype(type_text, part, call):
    try:
        dtype = np.dtype(type_text)
    except TypeError:
        dtype = None
    if dtype is None or dtype.name not in TYPES or not dtype.isnative:
        close = difflib.get_close_matches(type_text.removesuffix("_t"), TYPES, 1)
        hint = f"; {close[0]!r} is" if close else ""
        raise TypeError(
            f"{call}: {type_text!r} in {part!r} is no dtype{hint}. Types are names of NumPy's dtypes "
            "('float32', 'int64', ...) or a placeholder of one letter ('T')"
        )
    return dtype


def check_names(parameters, call):
    seen = set()
    for parameter in parameters:
        if parameter.name in seen:
            raise ValueError(f"{call}: two parameters are called {parameter.name!r}")
        seen.add(parameter.name)


def check_kernel_name(name, what):
    if not isinstance(name, str) or not _NAME.match(name):
        raise ValueError(f"{what}: the kernel's name has to be an identifier, not {name!r}")


def resolve(parameters, given, call):
    """The dtypes of the parameters, and those of the placeholders by letter.

    `given`: for each parameter the dtype of its array, the class of its number, or None where an output is to be made.
    Arrays decide what a placeholder stands for; numbers do where there is no array."""
    placeholders = {}
    decided_by = {}
    for parameter, dtype in zip(parameters, given, strict=True):
        if not isinstance(dtype, np.dtype):
            continue
        expected = parameter.dtype or placeholders.setdefault(parameter.type_text, dtype)
        if expected != dtype:
            raise TypeError(_mismatch(parameter, dtype, expected, decided_by, call))
        decided_by.setdefault(parameter.type_text, parameter)
    for weak in (False, True):
        found = {}
        for parameter, kind in zip(parameters, given, strict=True):
            if isinstance(kind, type) and (kind in _NUMBERS) is weak and parameter.dtype is None:
                found.setdefault(parameter.type_text, []).append(np.dtype(_NUMBERS.get(kind, kind)))
        for letter, dtypes in found.items():
            placeholders.setdefault(letter, np.result_type(*dtypes))
    for parameter in parameters:
        if parameter.dtype is None and parameter.type_text not in placeholders:
            raise TypeError(
                f"{call}: no argument says what {parameter.type_text} is in '{parameter.declaration}'; give the output "
                "as an argument, or name its dtype"
            )
    return tuple(parameter.dtype or placeholders[parameter.type_text] for parameter in parameters), placeholders


def _mismatch(parameter, dtype, expected, decided_by, call):
    text = f"{call}: '{parameter.declaration}' takes arrays of {expected}"
    first = decided_by.get(parameter.type_text)
    if parameter.dtype is None and first is not None:
        text += f" (as '{first.declaration}' is one)"
    return f"{text}, and the argument has dtype {dtype}; pass it with .astype({expected.name!r})"


def convert_number(value, parameter, dtype, call):
    """A number as a scalar of the parameter's dtype. TypeError when a part of it would be lost, OverflowError for
    integers out of range."""
    kind = np.dtype(type(value)).kind if isinstance(value, np.generic) else np.dtype(_NUMBERS[type(value)]).kind
    place = f"{call}: '{parameter.declaration}' is {dtype}"
    if kind == "c" and dtype.kind != "c":
        if value.imag:
            raise TypeError(f"{place} and cannot be {value!r}")
        value, kind = value.real, "f"
    if dtype.kind in "iu":
        if kind == "f":
            if not float(value).is_integer():
                raise TypeError(f"{place} and cannot be {value!r}; convert it with int() or round()")
            value = int(value)
        limits = np.iinfo(dtype)
        if not limits.min <= int(value) <= limits.max:
            raise OverflowError(f"{place}, {limits.min} to {limits.max}, and cannot be {value!r}")
        return int(value)
    if dtype.kind == "b":
        return bool(value)
    if dtype.kind == "c":
        return complex(value)
    return float(value)
