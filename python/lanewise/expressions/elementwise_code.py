"""The kernel behind an ElementwiseKernel for operands of given dtypes and layouts."""

import re
from dataclasses import dataclass

from lanewise.expressions.source import OURS, LayoutWriter, c_type, head, user_text
from lanewise.expressions.spelling import type_name

#: Bytes that a thread moves at once.
PACK_BYTES = 16
MAX_PACK = 8
#: Longer operations are bound by arithmetic, and copies of them by the compiler's time.
MAX_PACKED_TEXT = 800
#: An operation in which threads work together runs once a thread.
_TOGETHER = re.compile(r"__shared__|__sync|_sync\b|cooperative_groups|threadIdx|blockIdx|\basm\b")


@dataclass(frozen=True)
class Operand:
    """How a kernel finds a parameter's elements.

    kind: "number"; "raw"; "contiguous", "single" (one element for all positions) or "strided"."""

    kind: str
    rank: int = 0
    contiguous: bool = False
    #: An output with elements from before the call.
    holds_values: bool = False


@dataclass(frozen=True)
class Shape:
    """What else the text depends on: the loop's axes, narrow positions, and the elements that a thread takes."""

    rank: int
    narrow: bool
    pack: int


def pack_width(parameters, dtypes, operands, texts):
    """Elements that a thread takes at once; 1 where neighbouring elements do not lie side by side."""
    walked = [
        (dtype, operand)
        for dtype, operand in zip(dtypes, operands, strict=True)
        if operand.kind in ("contiguous", "strided")
    ]
    if not walked or any(operand.kind == "strided" for _, operand in walked):
        return 1
    if sum(map(len, texts)) > MAX_PACKED_TEXT or any(_TOGETHER.search(text) for text in texts):
        return 1
    widest = max(dtype.itemsize for dtype, _ in walked)
    return max(1, min(MAX_PACK, PACK_BYTES // widest))


def generate(spec, dtypes, placeholders, operands, shape):
    """CUDA C++. `spec` is the ElementwiseKernel."""
    layout = LayoutWriter()
    declarations, objects, element_parameters = [], [], []
    indexer_place = layout.add(*[0] * (1 + shape.rank))
    narrow = "true" if shape.narrow else "false"
    loads, singles = [], []
    for parameter, dtype, operand in zip(spec.params, dtypes, operands, strict=True):
        name, declared = parameter.name, c_type(parameter, dtype)
        if operand.kind == "number":
            declarations.append(f"{type_name(dtype)} {name}")
            continue
        const = "const " if parameter.const else ""
        declarations.append(f"{const}{type_name(dtype)} *_data_{name}")
        if operand.kind == "raw":
            place = layout.add(*[0] * (1 + 2 * operand.rank))
            contiguous = "true" if operand.contiguous else "false"
            cls = f"CArray<{declared}, {operand.rank}, {contiguous}, {narrow}>"
            objects.append(f"{const}{cls} {name}(_data_{name}, {place});\n")
            continue
        element_parameters.append(f"{const}{declared} &{name}")
        loads.append((parameter, dtype, operand))
        if operand.kind == "strided":
            singles.append((name, layout.add(*[0] * shape.rank)))
    declarations.append(layout.declaration)
    strides = dict(singles)
    call = spec.call

    parts = [
        head(dtypes, placeholders, spec.preamble, call, (spec.operation, spec.loop_prep, spec.after_loop)),
        f'extern "C" __global__ void {spec.name}({", ".join(declarations)}) {{\n',
        f"CIndexer<{shape.rank}, {narrow}> _ind({indexer_place});\n",
        "const ptrdiff_t _size = _ind.size();\n",
        f"const ptrdiff_t _first = (ptrdiff_t(blockIdx.x) * blockDim.x + threadIdx.x) * {shape.pack};\n",
        *objects,
    ]
    if spec.loop_prep:
        parts += [user_text(spec.loop_prep, "loop_prep", call), ";\n", OURS]
    parts += [
        f"auto _element = [&]({', '.join(['ptrdiff_t i', *element_parameters])}) {{\n",
        "_ind.set(i);\ndo {",
        user_text(spec.operation, "operation", call),
        ";\n",
        OURS,
        "} while (0);\n};\n",
    ]
    if shape.pack > 1:
        parts.append(_packs(loads, shape.pack))
        parts.append(f"else for (ptrdiff_t _at = _first; _at < _size && _at < _first + {shape.pack}; ++_at) {{\n")
    else:
        parts.append("if (_first < _size) {\nconst ptrdiff_t _at = _first;\n")
    parts += [_single(loads, strides, shape), "}\n"]
    if spec.after_loop:
        parts += [user_text(spec.after_loop, "after_loop", call), ";\n", OURS]
    parts.append("}\n")
    return "".join(parts)


def _packs(loads, width):
    """The part for threads all of whose elements exist."""
    before, arguments, after = [], ["_first + _k"], []
    for parameter, dtype, operand in loads:
        name, element = parameter.name, type_name(dtype)
        if operand.kind == "single":
            before.append(_load_single(parameter, dtype, operand, f"_data_{name}[0]"))
            arguments.append(f"_element_{name}")
            continue
        pack = f"lanewise_expression::Pack<{element}, {width}>"
        if parameter.const or operand.holds_values:
            before.append(f"{pack} _pack_{name} = *(const {pack} *)(_data_{name} + _first);\n")
        else:
            before.append(f"{pack} _pack_{name};\n")
        arguments.append(f"_pack_{name}.at[_k]")
        if not parameter.const:
            after.append(f"*({pack} *)(_data_{name} + _first) = _pack_{name};\n")
    return (
        f"if (_first + {width} <= _size) {{\n{''.join(before)}#pragma unroll\n"
        f"for (int _k = 0; _k < {width}; ++_k) _element({', '.join(arguments)});\n{''.join(after)}}}\n"
    )


def _single(loads, strides, shape):
    """One element, at `_at`."""
    before, arguments, after = [], ["_at"], []
    for parameter, dtype, operand in loads:
        name = parameter.name
        if operand.kind == "single":
            place = f"_data_{name}[0]"
        elif operand.kind == "contiguous":
            place = f"_data_{name}[_at]"
        else:
            narrow = "true" if shape.narrow else "false"
            before.append(
                f"auto *_place_{name} = lanewise_expression::moved(_data_{name}, lanewise_expression::offset_of"
                f"<{shape.rank}, {narrow}>(_at, _ind.shape(), {strides[name]}));\n"
            )
            place = f"*_place_{name}"
        before.append(_load_single(parameter, dtype, operand, place))
        arguments.append(f"_element_{name}")
        if not parameter.const:
            after.append(f"{place} = _element_{name};\n")
    return f"{''.join(before)}_element({', '.join(arguments)});\n{''.join(after)}"


def _load_single(parameter, dtype, operand, place):
    element = type_name(dtype)
    if parameter.const:
        return f"const {element} _element_{parameter.name} = {place};\n"
    if operand.holds_values:
        return f"{element} _element_{parameter.name} = {place};\n"
    return f"{element} _element_{parameter.name};\n"
