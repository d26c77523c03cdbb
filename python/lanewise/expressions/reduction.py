"""ReductionKernel: a kernel that maps elements and folds them along axes, from expressions in CUDA C++."""

import operator
import struct

import numpy as np

from lanewise import _core
from lanewise.expressions import arguments, layout, parameters, spelling
from lanewise.expressions.expression import Expression
from lanewise.expressions.reduction_code import SIZE_KERNEL, Operand, generate, generate_size_kernel
from lanewise.expressions.reduction_plan import choose_tree
from lanewise.raw import RawKernel


class _Plan:
    """What a call does, worked out from its arguments' shapes and types."""

    __slots__ = (
        "aligned", "dtypes", "extents", "launch", "launch_unaligned", "numbers", "out_size", "outputs", "shape",
    )  # fmt: skip


class _Launch:
    """A plan's kernels for one way to share the work."""

    __slots__ = ("combine_grid", "grid", "kernels", "layout", "partial_bytes", "threads")


class ReductionKernel(Expression):
    """A kernel that reduces arrays along axes: `map_expr` of the inputs' elements, folded two at a time by
    `reduce_expr` of `a` and `b` from `identity`, and `post_map_expr`, which assigns the outputs from `a`.

    `in_params` and `out_params` declare arguments as ElementwiseKernel's do. In map_expr, `_J` is the position along
    the reduced axes, `_j` that among all elements with the reduced axes first, `_in_ind.size()` and `_out_ind.size()`
    the numbers of elements and of results. The order in which elements are folded is fixed but not theirs. Without an
    identity (None or ''), reducing no elements is an error. reduce_type: the C++ type that is folded, by default the
    first output's. preamble: text in front of the kernel. options: of the compiler."""

    def __init__(
        self,
        in_params,
        out_params,
        map_expr,
        reduce_expr,
        post_map_expr,
        identity,
        name="reduce_kernel",
        reduce_type=None,
        reduce_dims=True,
        preamble="",
        options=(),
    ):
        super().__init__(in_params, out_params, name, reduce_dims, preamble, options)
        if not self.out_params:
            raise ValueError(f"{self.call}: out_params declares no output")
        for parameter in self.out_params:
            if parameter.raw:
                raise ValueError(f"{self.call}: the output '{parameter.declaration}' cannot be raw")
        self.map_expr = map_expr
        self.reduce_expr = reduce_expr
        self.post_map_expr = post_map_expr
        self.identity = "" if identity is None else str(identity)
        self.reduce_type = reduce_type
        self._sizes = {}

    def __call__(self, *args, out=None, axis=None, keepdims=False, stream=None):
        """Reduces along `axis`, an axis or a tuple of them, or all of them, and returns the outputs.

        out: an array for the output; arrays for the outputs may also follow the inputs."""
        call = self.call
        if out is not None:
            if self.nout != 1:
                raise TypeError(f"{call}: out= is for kernels with one output; give the arrays after the inputs")
            if len(args) == self.nargs:
                raise TypeError(f"{call}: the output is given twice, as an argument and as out=")
            args = (*args, out)
        values = arguments.collect(args, self.in_params, self.out_params, call)
        arrays = [value for value in values if isinstance(value, _core.Array)]
        device = arguments.common_device(arrays, call)
        if stream is not None:
            with arguments.current(arguments.launch_stream(stream, device, call)):
                return self(*args, axis=axis, keepdims=keepdims)
        stream = _core.current_stream(device)
        given = len(values) > self.nin
        axis = tuple(axis) if isinstance(axis, list) else axis
        key = (
            axis, bool(keepdims), device,
            *[(v.dtype, v.shape, v.strides) if isinstance(v, _core.Array) else type(v) for v in values],
        )  # fmt: skip
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plan(values, axis, keepdims, device)
            self._remember(key, plan)
        if given:
            results = list(args[self.nin :])
            if plan.out_size:
                arguments.copy_overlapping(values, plan.extents, self.nin, same_is_fine=False)
        else:
            make = arguments.result_class(arrays)
            results = [make.empty(plan.shape, dtype, stream=stream, device=device) for dtype in plan.outputs]
            values += results
        if plan.out_size:
            for index in plan.numbers:
                number = parameters.convert_number(values[index], self.params[index], plan.dtypes[index], call)
                values[index] = spelling.scalar_argument(number, plan.dtypes[index])
            self._launch(plan, values, stream)
        return results[0] if self.nout == 1 else tuple(results)

    def _launch(self, plan, values, stream):
        launch = plan.launch
        if plan.aligned and any(values[index].address % 16 for index in plan.aligned):
            launch = plan.launch_unaligned
        first, *combine = launch.kernels
        if not combine:
            first(launch.grid, launch.threads, (*values, launch.layout), stream=stream)
            return
        partial = _core.Array.empty(launch.partial_bytes, np.int8, stream=stream, device=stream.device)
        values = (*values, partial, launch.layout)
        first(launch.grid, launch.threads, values, stream=stream)
        combine[0](launch.combine_grid, launch.threads, values, stream=stream)

    def _plan(self, values, axis, keepdims, device):
        call = self.call
        made = self.nargs - len(values)
        kinds = [v.dtype if isinstance(v, _core.Array) else type(v) for v in values] + [None] * made
        dtypes, placeholders = parameters.resolve(self.params, kinds, call)
        shape = self._in_shape(values)
        axes = _reduced_axes(axis, len(shape), call)
        kept = tuple(n for n in range(len(shape)) if n not in axes)
        out_shape = tuple(shape[n] for n in kept)
        full_shape = tuple(1 if n in axes else extent for n, extent in enumerate(shape)) if keepdims else out_shape
        for value, parameter in zip(values[self.nin :], self.out_params, strict=False):
            if value.shape != full_shape:
                raise ValueError(
                    f"{call}: the output '{parameter.declaration}' has shape {value.shape}, and the result has shape "
                    f"{full_shape}"
                )
        plan = _Plan()
        plan.shape, plan.dtypes, plan.outputs = full_shape, dtypes, dtypes[len(values) :]
        plan.out_size = layout.size(out_shape)
        plan.numbers = tuple(n for n, v in enumerate(values) if not isinstance(v, _core.Array))
        plan.extents = arguments.extents(values)
        plan.aligned, plan.launch, plan.launch_unaligned = (), None, None
        if not plan.out_size:
            return plan
        reduced_shape = tuple(shape[n] for n in sorted(axes))
        if not layout.size(reduced_shape) and not self.identity:
            raise ValueError(f"{call} has no identity, and there are no elements along axis {tuple(sorted(axes))}")

        # Strides over the outputs' axes of inputs and outputs, and over the reduced axes of inputs.
        along_out, along_reduced, which = [], [], []
        for index, parameter in enumerate(self.params):
            value = values[index] if index < len(values) else None
            if index >= self.nin:
                if value is None:
                    strides = layout.c_strides(out_shape, dtypes[index].itemsize)
                else:
                    strides = tuple(value.strides[n] for n in kept) if keepdims else value.strides
                along_out.append(strides)
            elif isinstance(value, _core.Array) and not parameter.raw:
                strides = layout.broadcast_strides(value.shape, value.strides, shape)
                along_out.append(tuple(strides[n] for n in kept))
                along_reduced.append(tuple(strides[n] for n in sorted(axes)))
            else:
                continue
            which.append(index)
        if self.reduce_dims:
            out_shape, along_out = layout.collapse(out_shape, along_out)
            if layout.size(reduced_shape):
                reduced_shape, along_reduced = layout.collapse(reduced_shape, along_reduced)
        along_out = dict(zip(which, along_out, strict=True))
        along_reduced = dict(zip(which, along_reduced, strict=False))

        walked = [(dtypes[n].itemsize, along_out[n], along_reduced[n]) for n in which if n < self.nin]
        raws = [v for v, p in zip(values, self.params, strict=False) if p.raw and isinstance(v, _core.Array)]
        value_bytes = self._value_bytes(dtypes, placeholders, device)
        for aligned in (True, False):
            tree, chunk, pieces, single = choose_tree(
                out_shape,
                reduced_shape,
                walked,
                device,
                packs=aligned,
                narrow_sizes=[v.size for v in raws],
                value_bytes=value_bytes,
            )
            operands, numbers = [], self._numbers(out_shape, reduced_shape, chunk, pieces)
            walk = iter(single)
            for index, (parameter, dtype) in enumerate(zip(self.params, dtypes, strict=True)):
                value = values[index] if index < len(values) else None
                if index >= self.nin:
                    operands.append(Operand("output"))
                    numbers += along_out[index]
                elif not isinstance(value, _core.Array):
                    operands.append(Operand("number"))
                elif parameter.raw:
                    contiguous = layout.is_contiguous(value.shape, value.strides, dtype.itemsize)
                    operands.append(Operand("raw", rank=value.ndim, contiguous=contiguous))
                    numbers += [value.size, *value.shape, *value.strides]
                else:
                    packed, is_single = next(walk)
                    operands.append(Operand("input", packed=packed, single=is_single))
                    numbers += [*along_out[index], *along_reduced[index]]
            key = (dtypes, tuple(sorted(placeholders.items())), tuple(operands), tree)
            launch = self._prepare(key, tree, pieces, plan.out_size, value_bytes)
            launch.layout = struct.pack(f"{len(numbers)}q", *numbers)
            if aligned:
                plan.launch = launch
                if tree.pack == 1:
                    break
                plan.aligned = tuple(n for n in which if n < self.nin and along_reduced[n] and any(along_reduced[n]))
            else:
                plan.launch_unaligned = launch
        return plan

    def _numbers(self, out_shape, reduced_shape, chunk, pieces):
        out_size, length = layout.size(out_shape), layout.size(reduced_shape)
        return [out_size * length, *reduced_shape, *out_shape, out_size, *out_shape, length, chunk, pieces]

    def _prepare(self, key, tree, pieces, out_size, value_bytes):
        """The kernels for these operands, compiled when first launched."""
        kernels = self._kernels.get(key)
        if kernels is None:
            dtypes, placeholders, operands, _ = key
            code = generate(self, dtypes, dict(placeholders), operands, tree)
            names = [self.entry, f"{self.entry}_combine"] if tree.split else [self.entry]
            kernels = self._kernels[key] = [RawKernel(code, name, self.options) for name in names]
            self.cached_codes[key] = code
        launch = _Launch()
        launch.threads = tree.columns * tree.lanes
        launch.grid = (-(-out_size // tree.columns), pieces)
        launch.kernels = kernels
        if tree.split:
            launch.combine_grid = -(-out_size // (launch.threads // tree.combine_lanes))
            launch.partial_bytes = pieces * out_size * value_bytes
        return launch

    def _value_bytes(self, dtypes, placeholders, device):
        """The size of what is folded."""
        if not self.reduce_type:
            return dtypes[self.nin].itemsize
        if self.reduce_type in placeholders:
            return placeholders[self.reduce_type].itemsize
        key = (dtypes, tuple(sorted(placeholders.items())))
        if key not in self._sizes:
            code = generate_size_kernel(self, dtypes, placeholders)
            self._sizes[key] = _size_of_parameter(RawKernel(code, SIZE_KERNEL, self.options), device)
        return self._sizes[key]

    def _in_shape(self, values):
        shapes = [
            value.shape
            for value, parameter in zip(values[: self.nin], self.in_params, strict=True)
            if isinstance(value, _core.Array) and not parameter.raw
        ]
        if not shapes:
            raise ValueError(f"{self.call}: there is no array to reduce; one input has to be an array that is not raw")
        shape = layout.broadcast(shapes)
        if shape is None:
            raise ValueError(f"{self.call}: shapes {', '.join(map(str, shapes))} do not broadcast together")
        return shape


def _reduced_axes(axis, rank, call):
    if axis is None:
        return set(range(rank))
    axes = set()
    for each in axis if isinstance(axis, tuple) else (axis,):
        try:
            number = operator.index(each)
        except TypeError:
            raise TypeError(f"{call}: axis is an integer, a tuple of them or None, not {axis!r}") from None
        if not -rank <= number < rank:
            raise np.exceptions.AxisError(number, rank, call)
        if number % rank in axes:
            raise ValueError(f"{call}: axis {axis!r} names an axis twice")
        axes.add(number % rank)
    return axes


def _size_of_parameter(kernel, device):
    before = _core.set_current_device(device)
    try:
        return kernel.parameter_layout[0][1]
    finally:
        _core.set_current_device(before)
