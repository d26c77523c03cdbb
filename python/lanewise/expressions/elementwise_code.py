"""The kernel behind an ElementwiseKernel for operands of given dtypes and layouts.

Where every operand is contiguous or one element, a thread's elements follow from its number. Otherwise a block works on
one row, that is the last axis, so that only the row's place costs divisions; where rows are short, each thread divides
for its element."""

import re
from dataclasses import dataclass

from lanewise.expressions.source import OURS, LayoutWriter, c_type, head, user_text
from lanewise.expressions.spelling import type_name

#: Bytes that a thread moves at once.
PACK_BYTES = 16
MAX_PACK = 8
#: Longer operations are bound by arithmetic, and copies of them by the compiler's time.
MAX_PACKED_TEXT = 800
#: In an operation in which threads work together, a thread has the element of its number.
_TOGETHER = re.compile(r"__shared__|__sync|_sync\b|cooperative_groups|threadIdx|blockIdx|\basm\b")


@dataclass(frozen=True)
class Operand:
    """How a kernel finds a parameter's elements.

    kind: "number"; "raw"; "contiguous", "single" (one element) or "strided", for all positions or for those of a
    row."""

    kind: str
    rank: int = 0
    contiguous: bool = False
    #: An output with elements from before the call.
    holds_values: bool = False


@dataclass(frozen=True)
class Shape:
    """What else the text depends on: the loop's axes, whether blocks work on rows, narrow positions, and the elements
    that a thread takes."""

    rank: int
    rows: bool
    narrow: bool
    pack: int


def works_together(texts):
    return any(_TOGETHER.search(text) for text in texts)


def pack_width(parameters, dtypes, operands, texts):
    """Elements that a thread takes at once; 1 where neighbouring elements do not lie side by side."""
    walked = [
        (dtype, operand)
        for dtype, operand in zip(dtypes, operands, strict=True)
        if operand.kind in ("contiguous", "strided")
    ]
    if not walked or any(operand.kind == "strided" for _, operand in walked):
        return 1
    if sum(map(len, texts)) > MAX_PACKED_TEXT or works_together(texts):
        return 1
    widest = max(dtype.itemsize for dtype, _ in walked)
    return max(1, min(MAX_PACK, PACK_BYTES // widest))


def generate(spec, dtypes, placeholders, operands, shape):
    """CUDA C++. `spec` is the ElementwiseKernel."""
    layout = LayoutWriter()
    declarations, objects, element_parameters = [], [], []
    indexer_place = layout.add(*[0] * (1 + shape.rank))
    narrow = "true" if shape.narrow else "false"
    loads = []
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
        walks = shape.rows or operand.kind == "strided"
        loads.append((parameter, dtype, operand, layout.add(*[0] * shape.rank) if walks else ""))
    declarations.append(layout.declaration)
    call = spec.call
    texts = (spec.operation, spec.loop_prep, spec.after_loop)

    parts = [
        head(dtypes, placeholders, spec.preamble, call, texts),
        f'extern "C" __global__ void {spec.entry}({", ".join(declarations)}) {{\n',
        f"CIndexer<{shape.rank}, {narrow}> _ind({indexer_place});\n",
        _place(shape, loads),
        *objects,
    ]
    if spec.loop_prep:
        parts += [user_text(spec.loop_prep, "loop_prep", call), ";\n", OURS]
    parts += [
        f"auto _element = [&]({', '.join(['ptrdiff_t i', *element_parameters])}) {{\n",
        "_ind.set(i);\n" if any("_ind" in text for text in texts) else "",
        "do {",
        user_text(spec.operation, "operation", call),
        ";\n",
        OURS,
        "} while (0);\n};\n",
    ]
    if shape.pack > 1:
        parts.append(_packs(loads, shape.pack))
        parts.append(f"else for (ptrdiff_t _at = _first; _at < _extent && _at < _first + {shape.pack}; ++_at) {{\n")
    else:
        parts.append("if (_first < _extent) {\nconst ptrdiff_t _at = _first;\n")
    parts += [_single(loads, shape), "}\n"]
    if spec.after_loop:
        parts += [user_text(spec.after_loop, "after_loop", call), ";\n", OURS]
    parts.append("}\n")
    return "".join(parts)


def _place(shape, loads):
    """The first of the thread's elements: `_first` of `_extent` in its row, whose first element is at position `_row`;
    without rows, all is one."""
    pointers = {parameter.name: f"_data_{parameter.name}" for parameter, *_ in loads}
    if not shape.rows:
        text = (
            "const ptrdiff_t _extent = _ind.size(), _row = 0;\n"
            f"const ptrdiff_t _first = (ptrdiff_t(blockIdx.x) * blockDim.x + threadIdx.x) * {shape.pack};\n"
        )
    else:
        text = (
            "const ptrdiff_t _line = ptrdiff_t(blockIdx.z) * gridDim.y + blockIdx.y;\n"
            f"const ptrdiff_t _row = _line * _ind.shape()[{shape.rank - 1}];\n"
            f"const ptrdiff_t _extent = _ind.shape()[{shape.rank - 1}];\n"
            f"const ptrdiff_t _first = (ptrdiff_t(blockIdx.x) * blockDim.x + threadIdx.x) * {shape.pack};\n"
        )
        for name, (*_, strides) in zip(pointers, loads, strict=True):
            pointers[name] = (
                f"lanewise_expression::moved(_data_{name}, lanewise_expression::offset_of<{shape.rank - 1}, true>"
                f"(_line, _ind.shape(), {strides}))"
            )
    return text + "".join(f"auto *const _line_{name} = {pointer};\n" for name, pointer in pointers.items())


def _packs(loads, width):
    """The part for threads all of whose elements exist."""
    before, arguments, after = [], ["_row + _first + _k"], []
    for parameter, dtype, operand, _ in loads:
        name, element = parameter.name, type_name(dtype)
        if operand.kind == "single":
            before.append(_load(parameter, dtype, operand, f"*_line_{name}"))
            arguments.append(f"_element_{name}")
            continue
        pack = f"lanewise_expression::Pack<{element}, {width}>"
        if parameter.const or operand.holds_values:
            before.append(f"{pack} _pack_{name} = *(const {pack} *)(_line_{name} + _first);\n")
        else:
            before.append(f"{pack} _pack_{name};\n")
        arguments.append(f"_pack_{name}.at[_k]")
        if not parameter.const:
            after.append(f"*({pack} *)(_line_{name} + _first) = _pack_{name};\n")
    return (
        f"if (_first + {width} <= _extent) {{\n{''.join(before)}#pragma unroll\n"
        f"for (int _k = 0; _k < {width}; ++_k) _element({', '.join(arguments)});\n{''.join(after)}}}\n"
    )


def _single(loads, shape):
    """One element, at `_at`."""
    before, arguments, after = [], ["_row + _at"], []
    for parameter, dtype, operand, strides in loads:
        name = parameter.name
        place = {"single": f"*_line_{name}", "contiguous": f"_line_{name}[_at]", "strided": f"*_place_{name}"}[
            operand.kind
        ]
        if operand.kind == "strided":
            if shape.rows:
                offset = f"_at * ({strides})[{shape.rank - 1}]"
            else:
                narrow = "true" if shape.narrow else "false"
                offset = f"lanewise_expression::offset_of<{shape.rank}, {narrow}>(_at, _ind.shape(), {strides})"
            before.append(f"auto *const _place_{name} = lanewise_expression::moved(_line_{name}, {offset});\n")
        before.append(_load(parameter, dtype, operand, place))
        arguments.append(f"_element_{name}")
        if not parameter.const:
            after.append(f"{place} = _element_{name};\n")
    return f"{''.join(before)}_element({', '.join(arguments)});\n{''.join(after)}"


def _load(parameter, dtype, operand, place):
    element = type_name(dtype)
    if parameter.const:
        return f"const {element} _element_{parameter.name} = {place};\n"
    if operand.holds_values:
        return f"{element} _element_{parameter.name} = {place};\n"
    return f"{element} _element_{parameter.name};\n"
