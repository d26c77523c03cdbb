"""Pieces of generated CUDA C++ that all expressions share."""

from lanewise.expressions import carray
from lanewise.expressions.spelling import includes, type_name


def user_text(text, what, call):
    """The user's text, with lines of its own for the compiler's messages."""
    return f'\n#line 1 "{what} of {call}"\n{text}\n'


#: After a user's text: what follows is ours again.
OURS = '#line 1 "generated"\n'


def head(dtypes, placeholders, preamble, call, texts):
    """Includes, the classes of arrays, placeholders and the user's preamble."""
    parts = ["#include <stdint.h>\n", includes(dtypes, preamble, *texts), carray.TEXT]
    parts += [f"typedef {type_name(dtype)} {letter};\n" for letter, dtype in sorted(placeholders.items())]
    if preamble:
        parts += [user_text(preamble, "preamble", call), OURS]
    return "".join(parts)


def c_type(parameter, dtype):
    """A parameter's type as its kernel calls it."""
    return parameter.type_text if parameter.dtype is None else type_name(dtype)


class LayoutWriter:
    """Collects the integers that a kernel gets about sizes, shapes and strides, and says where each of them lies."""

    def __init__(self):
        self.values = []

    def add(self, *values):
        place = f"_layout.at + {len(self.values)}"
        self.values += values
        return place

    @property
    def declaration(self):
        return f"lanewise_expression::Layout<{max(1, len(self.values))}> _layout"
