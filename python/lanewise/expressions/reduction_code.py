"""The kernels behind a ReductionKernel for operands of given dtypes and layouts.

A block has `columns` outputs and `lanes` threads for each of them. Every thread goes along the reduced axes in steps
and keeps one value; the lanes of a column then fold theirs in shared memory, halving their number. Where there are few
outputs, blocks share them: each folds a piece and writes a partial value, and a second kernel folds these. The order
is fixed, so results are the same each time.

On the cpu device a barrier in each round keeps the threads of a block together, so that a round is one loop over
neighbouring elements, which vectorises."""

from dataclasses import dataclass

from lanewise.expressions.source import OURS, LayoutWriter, c_type, head, user_text
from lanewise.expressions.spelling import type_name

#: Tells how large values of a C++ type are that only the compiler knows.
SIZE_KERNEL = "lanewise_size_of_reduce_type"


@dataclass(frozen=True)
class Operand:
    """kind: "number", "raw", "input" or "output"."""

    kind: str
    #: Of raw arrays.
    rank: int = 0
    contiguous: bool = False
    #: An input whose elements along the reduced axes lie side by side.
    packed: bool = False
    #: An input with one element for all positions along the reduced axes.
    single: bool = False


@dataclass(frozen=True)
class Tree:
    """How threads share the work.

    reduce_rank, out_rank: axes of either kind that are left after collapsing. fast: whether neighbouring threads are
    "lanes" or "columns". pack: elements that a thread loads at once; unroll: packs that it takes in a round; in_step:
    rounds end with a barrier. split: blocks share outputs, and `combine_lanes` threads fold what they leave."""

    reduce_rank: int
    out_rank: int
    narrow: bool
    columns: int
    lanes: int
    fast: str
    pack: int
    unroll: int
    in_step: bool
    split: bool
    combine_lanes: int


def generate(spec, dtypes, placeholders, operands, tree):
    """CUDA C++ with the kernel `spec.entry` and, with `tree.split`, `spec.entry`_combine; `spec` is the
    ReductionKernel."""
    layout = LayoutWriter()
    narrow = "true" if tree.narrow else "false"
    places = {
        "in": layout.add(*[0] * (1 + tree.reduce_rank + tree.out_rank)),
        "out": layout.add(*[0] * (1 + tree.out_rank)),
        "length": layout.add(0),
        "chunk": layout.add(0),
        "pieces": layout.add(0),
    }
    declarations, objects, inputs, outputs = [], [], [], []
    for parameter, dtype, operand in zip(spec.params, dtypes, operands, strict=True):
        name, declared = parameter.name, c_type(parameter, dtype)
        if operand.kind == "number":
            declarations.append(f"{type_name(dtype)} {name}")
            continue
        const = "const " if parameter.const else ""
        declarations.append(f"{const}{type_name(dtype)} *_data_{name}")
        if operand.kind == "raw":
            cls = f"CArray<{declared}, {operand.rank}, {'true' if operand.contiguous else 'false'}, {narrow}>"
            objects.append(f"{const}{cls} {name}(_data_{name}, {layout.add(*[0] * (1 + 2 * operand.rank))});\n")
        elif operand.kind == "input":
            along_out = layout.add(*[0] * tree.out_rank)
            inputs.append((parameter, dtype, operand, along_out, layout.add(*[0] * tree.reduce_rank)))
        else:
            outputs.append((parameter, dtype, layout.add(*[0] * tree.out_rank)))
    if tree.split:
        declarations.append("char *_partial_bytes")
    declarations.append(layout.declaration)

    start = _start(tree, narrow, places, objects)
    fold = _fold_function(spec)
    finish = _finish_function(spec, tree, narrow, outputs)
    partial = "_type_reduce *const _partial = (_type_reduce *)_partial_bytes;\n"
    signature = ", ".join(declarations)
    parts = [
        _head(spec, dtypes, placeholders),
        f'extern "C" __global__ void {spec.entry}({signature}) {{\n',
        _lanes(tree.columns, tree.lanes, tree.fast),
        start,
        _map_function(spec, inputs),
        fold,
        partial if tree.split else finish,
        _walk(spec, tree, narrow, places, inputs),
        _fold_lanes(tree.columns, tree.lanes),
        "if (_lane == 0 && _i < _out_size) {\n",
        "_partial[blockIdx.y * _out_size + _i] = _s;\n" if tree.split else "_finish(_s);\n",
        "}\n}\n",
    ]
    if tree.split:
        columns = tree.columns * tree.lanes // tree.combine_lanes
        parts += [
            f'extern "C" __global__ void {spec.entry}_combine({signature}) {{\n',
            _lanes(columns, tree.combine_lanes, "columns"),
            start,
            fold,
            partial,
            finish,
            f"const ptrdiff_t _pieces = *({places['pieces']});\n",
            "_type_reduce _s = _type_reduce();\n",
            f"const ptrdiff_t _valid = _pieces < {tree.combine_lanes} ? _pieces : {tree.combine_lanes};\n",
            "if (_i < _out_size && _lane < _pieces) {\n_s = _partial[_lane * _out_size + _i];\n",
            f"for (ptrdiff_t _at = _lane + {tree.combine_lanes}; _at < _pieces; _at += {tree.combine_lanes}) "
            "_s = _fold(_s, _partial[_at * _out_size + _i]);\n}\n",
            _fold_lanes(columns, tree.combine_lanes),
            "if (_lane == 0 && _i < _out_size) _finish(_s);\n}\n",
        ]
    return "".join(parts)


def generate_size_kernel(spec, dtypes, placeholders):
    """CUDA C++ with the kernel SIZE_KERNEL, whose parameter is a value that is folded."""
    return _head(spec, dtypes, placeholders) + f'extern "C" __global__ void {SIZE_KERNEL}(_type_reduce) {{}}\n'


def _head(spec, dtypes, placeholders):
    texts = (spec.map_expr, spec.reduce_expr, spec.post_map_expr, spec.reduce_type or "")
    reduce_type = spec.reduce_type or c_type(spec.params[spec.nin], dtypes[spec.nin])
    return f"{head(dtypes, placeholders, spec.preamble, spec.call, texts)}typedef {reduce_type} _type_reduce;\n"


def _lanes(columns, lanes, fast):
    if fast == "lanes":
        which = f"const int _lane = threadIdx.x % {lanes}, _column = threadIdx.x / {lanes};\n"
    else:
        which = f"const int _column = threadIdx.x % {columns}, _lane = threadIdx.x / {columns};\n"
    if lanes == 1:
        which = "const int _lane = 0, _column = threadIdx.x;\n"
    return which + f"const ptrdiff_t _i = ptrdiff_t(blockIdx.x) * {columns} + _column;\n"


def _start(tree, narrow, places, objects):
    return "".join(
        [
            f"CIndexer<{tree.reduce_rank + tree.out_rank}, {narrow}> _in_ind({places['in']});\n",
            f"CIndexer<{tree.out_rank}, {narrow}> _out_ind({places['out']});\n",
            "const ptrdiff_t _out_size = _out_ind.size();\n",
            "_out_ind.set(_i);\n",
            *objects,
        ]
    )


def _map_function(spec, inputs):
    parameters = ", ".join(
        ["ptrdiff_t _J", "ptrdiff_t _j", *[f"const {c_type(p, dtype)} &{p.name}" for p, dtype, *_ in inputs]]
    )
    sets_index = "_in_ind.set(_j);\n" if "_in_ind" in spec.map_expr else ""
    text = user_text(spec.map_expr, "map_expr", spec.call)
    return (
        f"auto _map = [&]({parameters}) -> _type_reduce {{\n{sets_index}"
        f"return static_cast<_type_reduce>({text}{OURS});\n}};\n"
    )


def _fold_function(spec):
    text = user_text(spec.reduce_expr, "reduce_expr", spec.call)
    return f"auto _fold = [&](_type_reduce a, _type_reduce b) -> _type_reduce {{\nreturn ({text}{OURS});\n}};\n"


def _finish_function(spec, tree, narrow, outputs):
    """From the value that is left to the outputs' elements."""
    parameters = "".join(f", {c_type(p, dtype)} &{p.name}" for p, dtype, _ in outputs)
    text = user_text(spec.post_map_expr, "post_map_expr", spec.call)
    loads, arguments, stores = "", "", ""
    for parameter, dtype, strides in outputs:
        name, element = parameter.name, type_name(dtype)
        loads += (
            f"{element} *_place_{name} = lanewise_expression::moved(_data_{name}, lanewise_expression::offset_of"
            f"<{tree.out_rank}, {narrow}>(_i, _out_ind.shape(), {strides}));\n"
            f"{element} _element_{name} = *_place_{name};\n"
        )
        arguments += f", _element_{name}"
        stores += f"*_place_{name} = _element_{name};\n"
    return (
        f"auto _post_map = [&](_type_reduce a{parameters}) {{\n{text};\n{OURS}}};\n"
        f"auto _finish = [&](_type_reduce _total) {{\n{loads}_post_map(_total{arguments});\n{stores}}};\n"
    )


def _walk(spec, tree, narrow, places, inputs):
    """Each thread's way along the reduced axes. Leaves its value in `_s`, and in `_valid` how many lanes have one."""
    step = tree.lanes * tree.pack
    rows, elements, pack_loads, pack_elements = [], [], [], []
    for parameter, dtype, operand, along_out, along_reduced in inputs:
        name, element = parameter.name, type_name(dtype)
        rows.append(
            f"const {element} *_base_{name} = lanewise_expression::moved(_data_{name}, lanewise_expression::offset_of"
            f"<{tree.out_rank}, {narrow}>(_row, _out_ind.shape(), {along_out}));\n"
        )
        if operand.single:
            elements.append(f"*_base_{name}")
            pack_elements.append(f"*_base_{name}")
            continue
        if operand.packed:
            elements.append(f"_base_{name}[_J]")
        else:
            elements.append(
                f"*lanewise_expression::moved(_base_{name}, lanewise_expression::offset_of"
                f"<{tree.reduce_rank}, {narrow}>(_J, _in_ind.shape(), {along_reduced}))"
            )
        pack = f"lanewise_expression::Pack<{element}, {tree.pack}>"
        pack_loads.append(f"const {pack} _pack_{name} = *(const {pack} *)(_base_{name} + _J_pack);\n")
        pack_elements.append(f"_pack_{name}.at[_k]")

    if spec.identity:
        start = "".join(
            ["_type_reduce _s = _type_reduce(", user_text(spec.identity, "identity", spec.call), OURS, ");\n"]
        )
        fold = "{{ _s = _fold(_s, {}); }}\n"
    else:
        start = "_type_reduce _s = _type_reduce();\nbool _begun = false;\n"
        fold = "{{ const _type_reduce _mapped = {}; _s = _begun ? _fold(_s, _mapped) : _mapped; _begun = true; }}\n"
    single = fold.format(f"_map({', '.join(['_J', '_J * _out_size + _row', *elements])})")
    barrier = "__syncthreads();\n" if tree.in_step else ""
    parts = [
        f"const ptrdiff_t _length = *({places['length']}), _chunk = *({places['chunk']});\n",
        "const ptrdiff_t _begin = blockIdx.y * _chunk;\n",
        "const ptrdiff_t _end = _begin + _chunk < _length ? _begin + _chunk : _length;\n",
        # Threads past the last output walk along with it.
        "const ptrdiff_t _row = _i < _out_size ? _i : _out_size - 1;\n",
        *rows,
        start,
        f"const ptrdiff_t _rounds = (_end - _begin) / {step * tree.unroll};\n",
        f"for (ptrdiff_t _round = 0; _round < _rounds; ++_round) {{\n#pragma unroll\n"
        f"for (int _u = 0; _u < {tree.unroll}; ++_u) {{\n",
        f"const ptrdiff_t _J{'_pack' if tree.pack > 1 else ''} = _begin + (_round * {tree.unroll} + _u) * {step} "
        f"+ _lane * {tree.pack};\n",
    ]
    if tree.pack > 1:
        packed = fold.format(f"_map({', '.join(['_J', '_J * _out_size + _row', *pack_elements])})")
        packs = (
            "".join(pack_loads) + f"#pragma unroll\nfor (int _k = 0; _k < {tree.pack}; ++_k) {{\n"
            f"const ptrdiff_t _J = _J_pack + _k;\n{packed}}}\n"
        )
        parts += [
            packs,
            f"}}\n{barrier}}}\n",
            f"for (ptrdiff_t _J_pack = _begin + _rounds * {step * tree.unroll} + _lane * {tree.pack}; "
            f"_J_pack + {tree.pack} <= _end; _J_pack += {step}) {{\n{packs}}}\n",
            f"const ptrdiff_t _packs = (_end - _begin) / {tree.pack}, _rest = (_end - _begin) % {tree.pack};\n",
            f"for (ptrdiff_t _J = _end - _rest + _lane; _J < _end; _J += {tree.lanes}) {single}",
            "const ptrdiff_t _most = _packs > _rest ? _packs : _rest;\n",
        ]
    else:
        parts += [
            single,
            f"}}\n{barrier}}}\n",
            f"for (ptrdiff_t _at = _begin + _rounds * {step * tree.unroll}; _at < _end; _at += {step}) {{\n"
            f"const ptrdiff_t _J = _at + _lane;\nif (_J < _end) {single}{barrier}}}\n",
            "const ptrdiff_t _most = _end - _begin;\n",
        ]
    parts.append(f"const ptrdiff_t _valid = _most < {tree.lanes} ? _most : {tree.lanes};\n")
    return "".join(parts)


def _fold_lanes(columns, lanes):
    """The lanes of each column fold their values; lane 0 has the result."""
    if lanes == 1:
        return "(void)_valid;\n"
    return f"""__shared__ __align__(16) char _shared_bytes[{columns * lanes} * sizeof(_type_reduce)];
_type_reduce *const _shared = (_type_reduce *)_shared_bytes;
_shared[_lane * {columns} + _column] = _s;
for (int _half = {lanes // 2}; _half > 0; _half /= 2) {{
    __syncthreads();
    if (_lane < _half && _lane + _half < _valid) {{
        _s = _fold(_s, _shared[(_lane + _half) * {columns} + _column]);
        _shared[_lane * {columns} + _column] = _s;
    }}
}}
"""
