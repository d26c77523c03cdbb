"""vectorize: a Python function of numbers as a function of arrays."""

import functools
import inspect
import linecache
import zlib
from types import SimpleNamespace

import numpy as np

from lanewise import _core, cuda, libdevice_path
from lanewise.cuda import notices
from lanewise.expressions import arguments, layout

THREADS = 128


class vectorize:
    """A function that calls `pyfunc`, compiled, for each element of arrays that broadcast.

    `pyfunc` is what kernels written in Python may call: a function of numbers that returns a number or a tuple of them
    (then each is an array). It is compiled once for each combination of dtypes; Python literals in it do not widen its
    results, and integers are computed in 64 bits.

    otypes: the dtypes of the results, a string of type characters or a list; by default those that pyfunc returns.
    doc: the docstring; pyfunc's by default. excluded: positions and names of arguments that pyfunc gets whole: numbers,
    tuples, and arrays that it may index. cache: accepted. Without pyfunc: a decorator."""

    def __new__(cls, pyfunc=None, *args, **kwargs):
        if pyfunc is None:
            return functools.partial(cls, *args, **kwargs)
        return super().__new__(cls)

    def __init__(self, pyfunc=None, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        if signature is not None:
            raise NotImplementedError(
                "vectorize(signature=...): functions of parts of arrays are not offered; what works: functions of "
                "numbers, and excluded= for arrays that the function indexes itself"
            )
        if not callable(pyfunc):
            raise TypeError(f"vectorize() takes a function, not {type(pyfunc).__name__}")
        self.pyfunc = pyfunc
        self.otypes = None if otypes is None else _dtypes(otypes)
        self.excluded = frozenset(excluded or ())
        for name in self.excluded:
            if not isinstance(name, (int, str)):
                raise TypeError(f"vectorize: excluded has positions and names of arguments, not {name!r}")
        self.cache = cache
        self.__name__ = getattr(pyfunc, "__name__", "function")
        self.__doc__ = pyfunc.__doc__ if doc is None else doc
        self.__wrapped__ = pyfunc
        self.call = f"vectorize of '{self.__name__}'"
        python_function = getattr(pyfunc, "py_func", pyfunc)
        self._signature = _signature(python_function)
        self._options = _core.Options(weak_literals=True)
        if inspect.isfunction(pyfunc):
            self._function = _core.DeviceFunction(pyfunc, options=self._options)
        else:
            self._function = pyfunc
        self._results = {}
        self._kernels = {}

    def __repr__(self):
        return f"<lanewise.vectorize of {self.__name__}>"

    def __call__(self, *args, **kwargs):
        call = self.call
        names, given, whole = self._bind(args, kwargs)
        values = [
            value if is_whole else arguments.argument(value, SimpleNamespace(declaration=name), call)
            for name, value, is_whole in zip(names, given, whole, strict=True)
        ]
        arrays = [v for v, is_whole in zip(values, whole, strict=True) if not is_whole and isinstance(v, _core.Array)]
        device = arguments.common_device([v for v in values if isinstance(v, _core.Array)], call)
        shape = layout.broadcast([array.shape for array in arrays]) if arrays else ()
        if shape is None:
            shapes = ", ".join(str(array.shape) for array in arrays)
            raise ValueError(f"{call}: shapes {shapes} do not broadcast together")

        dtypes, single = self._result_dtypes(values, whole)
        stream = _core.current_stream(device)
        make = arguments.result_class(arrays)
        results = [make.empty(shape, dtype, stream=stream, device=device) for dtype in dtypes]
        size = layout.size(shape)
        if size:
            flat = all(array.shape == shape and array.is_c_contiguous for array in arrays) or not shape
            operands = []
            for value, is_whole in zip(values, whole, strict=True):
                if not is_whole and isinstance(value, _core.Array):
                    value = value.reshape(-1) if flat else value.broadcast_to(shape)
                operands.append(value)
            outputs = [result.reshape(-1) for result in results]
            kinds = tuple(
                "whole" if is_whole or not isinstance(value, _core.Array) else "element"
                for value, is_whole in zip(values, whole, strict=True)
            )
            rank = 1 if flat else len(shape)
            kernel = self._kernel(kinds, rank, None if single else len(dtypes))
            extents = () if flat else shape[1:]
            with notices.own_grid():
                kernel[-(-size // THREADS), THREADS, stream](size, *extents, *outputs, *operands)
        return results[0] if single else tuple(results)

    def _bind(self, args, kwargs):
        """(names, values, whether each is passed whole), in the order of pyfunc's parameters."""
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.call}: {error}") from None
        bound.apply_defaults()
        names, values = [], []
        for name, value in bound.arguments.items():
            if self._signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
                names += [f"{name}[{n}]" for n in range(len(value))]
                values += value
            elif self._signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
                if value:
                    raise TypeError(f"{self.call}: **{name} cannot be compiled; name the parameters")
            else:
                names.append(name)
                values.append(value)
        if not names:
            raise ValueError(f"{self.call}: it has no arguments")
        whole = [n in self.excluded or name in self.excluded for n, name in enumerate(names)]
        return names, values, whole

    def _result_dtypes(self, values, whole):
        """The dtypes of the results, and whether pyfunc returns one number that is no tuple."""
        types = tuple(
            _core.Type.scalar(value.dtype) if isinstance(value, _core.Array) and not is_whole else _core.typeof(value)
            for value, is_whole in zip(values, whole, strict=True)
        )
        result = self._results.get(types)
        if result is None:
            result = self._results[types] = self._infer(types)
        return result

    def _infer(self, types):
        libdevice_path.announce()
        target = _core.device("cpu").target
        call = _call(self._function, len(types))
        _, made, _ = _core.compile_offline(
            call, types, target=target, kind="cpu", options=self._options, is_kernel=False
        )
        items = made.items if made.kind == "tuple" else (made,)
        if any(item.kind != "scalar" for item in items):
            raise TypeError(
                f"{self.call} has to return a number or a tuple of numbers; for these types it returns {made}"
            )
        dtypes = [np.dtype(item.dtype) for item in items]
        if self.otypes is not None:
            if len(self.otypes) != len(dtypes):
                raise ValueError(f"{self.call} returns {len(dtypes)} values, and otypes has {len(self.otypes)}")
            dtypes = self.otypes
        return dtypes, made.kind != "tuple"

    def _kernel(self, kinds, rank, count):
        """The kernel for arguments of these kinds; `count`: the length of the tuple that pyfunc returns, or None."""
        key = (kinds, rank, count)
        kernel = self._kernels.get(key)
        if kernel is None:
            kernel = _core.KernelFunction(_loop(self._function, kinds, rank, count), options=self._options)
            self._kernels[key] = kernel
        return kernel


def _loop(function, kinds, rank, count):
    """A Python function that calls `function` for the element at the thread's position."""
    outputs = [f"out{n}" for n in range(count or 1)]
    extents = [f"extent{axis}" for axis in range(1, rank)]
    inputs = [f"x{n}" for n in range(len(kinds))]
    lines = ["def make(cuda, function):", f"    def loop({', '.join(['size', *extents, *outputs, *inputs])}):"]
    lines += ["        i = cuda.grid(1)", "        if i < size:"]
    index = ["i"]
    if rank > 1:
        lines.append("            rest = i")
        for axis in range(rank - 1, 0, -1):
            lines += [f"            k{axis} = rest % extent{axis}", f"            rest = rest // extent{axis}"]
        index = ["rest", *[f"k{axis}" for axis in range(1, rank)]]
    values = [f"{x}[{', '.join(index)}]" if kind == "element" else x for x, kind in zip(inputs, kinds, strict=True)]
    lines.append(f"            value = function({', '.join(values)})")
    if count is None:
        lines.append("            out0[i] = value")
    else:
        lines += [f"            out{n}[i] = value[{n}]" for n in range(count)]
    lines.append("    return loop")
    return _made("\n".join(lines) + "\n", function)


def _call(function, count):
    """A Python function that only calls `function`."""
    inputs = ", ".join(f"x{n}" for n in range(count))
    return _made(
        f"def make(cuda, function):\n    def call({inputs}):\n        return function({inputs})\n    return call\n",
        function,
    )


def _made(text, function):
    # The compiler reads the text back, as it does for functions from files.
    name = f"<lanewise.vectorize {zlib.crc32(text.encode()):08x}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space = {}
    exec(compile(text, name, "exec"), space)
    return space["make"](cuda, function)


def _signature(function):
    try:
        return inspect.signature(function)
    except ValueError:
        return inspect.Signature([inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL)])


def _dtypes(otypes):
    if isinstance(otypes, str):
        try:
            return [np.dtype(character) for character in otypes]
        except TypeError:
            raise ValueError(f"vectorize: otypes {otypes!r} has a character that is no dtype's") from None
    if isinstance(otypes, (list, tuple)):
        return [np.dtype(each) for each in otypes]
    raise ValueError("vectorize: otypes is a string of type characters or a list of dtypes")
