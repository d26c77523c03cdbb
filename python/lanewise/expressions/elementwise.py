"""ElementwiseKernel: a kernel from an expression in CUDA C++ that is computed for each element."""

import operator
import struct

from lanewise import _core
from lanewise.expressions import arguments, layout, parameters, spelling
from lanewise.expressions.elementwise_code import PACK_BYTES, Operand, Shape, generate, pack_width, works_together
from lanewise.expressions.expression import Expression
from lanewise.raw import RawKernel

THREADS = 128
#: Of a block that works on a row, at most: on the cpu device each block costs as much as hundreds of elements.
ROW_THREADS = {"cuda": 128, "cpu": 1024}
#: Elements of a row from which on a block works on it alone.
MIN_ROW = 32
MAX_GRID_YZ = 65535


class _Plan:
    """What a call does, worked out from its arguments' shapes and types."""

    __slots__ = (
        "aligned",
        "code_key",
        "dtypes",
        "extents",
        "layout",
        "loop_size",
        "numbers",
        "outputs",
        "pack",
        "row",
        "rows",
        "shape",
    )


class ElementwiseKernel(Expression):
    """A kernel that computes outputs from inputs element by element.

    `in_params` and `out_params` declare arguments: "float32 x, T y, raw int32 table". A letter stands for any dtype,
    the same wherever it stands. Arguments broadcast; `raw` ones do not, and the operation indexes them itself, by
    position (`table[i]`) or by an index for each axis (`table[index]`). In the operation, `i` is the position,
    `_ind.size()` the number of positions and `_ind.get()` the index along each axis.

    preamble: text in front of the kernel. loop_prep, after_loop: statements of each thread before and after its
    elements. options: of the compiler. reduce_dims=False keeps the axes as they are, for `_ind.get()`. no_return: calls
    give None; return_tuple: calls give a tuple also when there is one output."""

    def __init__(
        self,
        in_params,
        out_params,
        operation,
        name="kernel",
        reduce_dims=True,
        preamble="",
        no_return=False,
        return_tuple=False,
        *,
        loop_prep="",
        after_loop="",
        options=(),
    ):
        super().__init__(in_params, out_params, name, reduce_dims, preamble, options)
        self.operation = operation
        self.loop_prep = loop_prep
        self.after_loop = after_loop
        self.no_return = no_return
        self.return_tuple = return_tuple

    def __call__(self, *args, size=None, stream=None, block_size=None):
        """Computes the outputs and returns them. Arrays for the outputs may follow the inputs.

        size: the number of positions, where every array is raw. block_size: threads in a block, by default 128 or what
        suits the layout."""
        call = self.call
        if size is not None:
            size = _checked_size(size, call)
        values = arguments.collect(args, self.in_params, self.out_params, call)
        given = len(values)
        arrays = [value for value in values if isinstance(value, _core.Array)]
        device = arguments.common_device(arrays, call)
        if stream is not None:
            with arguments.current(arguments.launch_stream(stream, device, call)):
                return self(*args, size=size, block_size=block_size)
        stream = _core.current_stream(device)

        key = (size, *[(v.dtype, v.shape, v.strides) if isinstance(v, _core.Array) else type(v) for v in values])
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plan(values, size)
            self._remember(key, plan)

        if given > self.nin:
            results = list(args[self.nin :])
            if plan.loop_size:
                arguments.copy_overlapping(values, plan.extents, self.nin, same_is_fine=True)
        else:
            make = arguments.result_class(arrays)
            results = [make.empty(plan.shape, dtype, stream=stream, device=device) for dtype in plan.outputs]
            values += results
        if plan.loop_size:
            for index in plan.numbers:
                number = parameters.convert_number(values[index], self.params[index], plan.dtypes[index], call)
                values[index] = spelling.scalar_argument(number, plan.dtypes[index])
            self._launch(plan, values, block_size, stream)
        if self.no_return:
            return None
        return results[0] if self.nout == 1 and not self.return_tuple else tuple(results)

    def _launch(self, plan, values, block_size, stream):
        pack = plan.pack
        if pack > 1 and any(values[index].address % PACK_BYTES for index in plan.aligned):
            pack = 1
        kernel = self._kernels.get((plan.code_key, pack))
        if kernel is None:
            kernel = self._compile(plan, pack)
        if plan.rows:
            threads = -(-plan.row // pack)
            block_size = block_size or min(ROW_THREADS[stream.device.kind], -(-threads // 32) * 32)
            blocks = (-(-threads // block_size), *plan.rows)
        else:
            block_size = block_size or THREADS
            blocks = -(-plan.loop_size // (block_size * pack))
        kernel(blocks, block_size, (*values, plan.layout), stream=stream)

    def _compile(self, plan, pack):
        dtypes, placeholders, operands, rank, rows, narrow = plan.code_key
        code = generate(self, dtypes, dict(placeholders), operands, Shape(rank, rows, narrow, pack))
        kernel = RawKernel(code, self.entry, self.options)
        self.cached_codes[plan.code_key, pack] = code
        self._kernels[plan.code_key, pack] = kernel
        return kernel

    def _plan(self, values, size):
        call = self.call
        made = self.nargs - len(values)
        kinds = [v.dtype if isinstance(v, _core.Array) else type(v) for v in values] + [None] * made
        dtypes, placeholders = parameters.resolve(self.params, kinds, call)
        shape = self._loop_shape(values, size)
        if made and size is None and any(p.raw for p in self.out_params):
            raise ValueError(f"{call}: size= has to say how large a raw output is, or the output has to be given")

        plan = _Plan()
        plan.shape, plan.dtypes, plan.outputs = shape, dtypes, dtypes[len(values) :]
        plan.loop_size = layout.size(shape)
        plan.numbers = tuple(n for n, v in enumerate(values) if not isinstance(v, _core.Array))
        if not plan.loop_size:
            return plan
        walked, arrays = [], []
        for index, (parameter, dtype) in enumerate(zip(self.params, dtypes, strict=True)):
            value = values[index] if index < len(values) else None
            if value is None:
                array = (shape, layout.c_strides(shape, dtype.itemsize))
            elif isinstance(value, _core.Array):
                array = (value.shape, value.strides)
            else:
                array = None
            arrays.append(array)
            if array is not None and not parameter.raw:
                walked.append((index, layout.broadcast_strides(*array, shape)))
        loop_shape, strides = shape, [s for _, s in walked]
        if self.reduce_dims:
            loop_shape, strides = layout.collapse(shape, strides)
        strides = dict(zip([index for index, _ in walked], strides, strict=True))

        texts = (self.operation, self.loop_prep, self.after_loop)
        kinds = [_kind(loop_shape, strides[n], dtypes[n].itemsize) for n in strides]
        plan.rows = None
        if "strided" in kinds and not works_together(texts):
            plan.rows = _grid_of_rows(loop_shape)
        if plan.rows:
            plan.row = loop_shape[-1]
            kinds = [_kind(loop_shape[-1:], strides[n][-1:], dtypes[n].itemsize) for n in strides]
        kinds = dict(zip(strides, kinds, strict=True))

        numbers = [plan.loop_size, *loop_shape]
        operands, sizes = [], [plan.loop_size]
        for index, (parameter, dtype, array) in enumerate(zip(self.params, dtypes, arrays, strict=True)):
            if array is None:
                operands.append(Operand("number"))
            elif parameter.raw:
                total = layout.size(array[0])
                sizes.append(total)
                numbers += [total, *array[0], *array[1]]
                contiguous = layout.is_contiguous(*array, dtype.itemsize)
                operands.append(Operand("raw", len(array[0]), contiguous))
            else:
                if plan.rows or kinds[index] == "strided":
                    numbers += strides[index]
                operands.append(Operand(kinds[index], holds_values=index < len(values)))
        plan.extents = arguments.extents(values)
        narrow = max(sizes) < layout.NARROW_LIMIT
        plan.layout = struct.pack(f"{len(numbers)}q", *numbers)
        plan.aligned = tuple(n for n, operand in enumerate(operands) if operand.kind == "contiguous")
        plan.pack = pack_width(self.params, dtypes, operands, texts)
        if plan.rows and any(stride % PACK_BYTES for n in plan.aligned for stride in strides[n][:-1]):
            plan.pack = 1
        plan.code_key = (
            dtypes, tuple(sorted(placeholders.items())), tuple(operands), len(loop_shape), plan.rows is not None, narrow
        )  # fmt: skip
        return plan

    def _loop_shape(self, values, size):
        call = self.call
        shapes = [
            value.shape
            for value, parameter in zip(values, self.params)  # noqa: B905
            if isinstance(value, _core.Array) and not parameter.raw
        ]
        if size is not None:
            if shapes:
                raise ValueError(f"{call}: size= is for calls where every array is raw; here {shapes} decide")
            return (size,)
        if not shapes:
            raise ValueError(f"{call}: no argument says how many elements there are; give size=")
        shape = layout.broadcast(shapes)
        if shape is None:
            raise ValueError(f"{call}: shapes {', '.join(map(str, shapes))} do not broadcast together")
        for value, parameter in zip(values[self.nin :], self.out_params):  # noqa: B905
            if not parameter.raw and value.shape != shape:
                raise ValueError(
                    f"{call}: the output '{parameter.declaration}' has shape {value.shape}, and the arguments "
                    f"broadcast to {shape}"
                )
        return shape


def _kind(shape, strides, itemsize):
    if layout.is_contiguous(shape, strides, itemsize):
        return "contiguous"
    return "strided" if any(strides) else "single"


def _grid_of_rows(shape):
    """The grid's second and third extent, which have a block for each row; None where rows are short or do not fill
    such a grid: threads would have to be told from those past the end, which the cpu device cannot vectorise."""
    if len(shape) < 2 or shape[-1] < MIN_ROW:
        return None
    rows = layout.size(shape[:-1])
    first = -(-rows // MAX_GRID_YZ)
    for third in range(first, min(first + 100, MAX_GRID_YZ)):
        if rows % third == 0:
            return rows // third, third
    return None


def _checked_size(size, call):
    try:
        size = operator.index(size)
    except TypeError:
        raise TypeError(f"{call}: size is an integer, not {type(size).__name__}") from None
    if size < 0:
        raise ValueError(f"{call}: size is {size}, and cannot be negative")
    return size
