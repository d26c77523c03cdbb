"""The types of the kernel language, as Numba spells them: `float32`, `float32[:, ::1]`, `void(int64, float32[:])`."""

import numpy as np

from lanewise import _core


class Type:
    """A type of the kernel language. Equal names are equal types."""

    def __init__(self, name):
        self.name = name

    @property
    def key(self):
        return self.name

    @property
    def __lanewise_type__(self):
        """The core's type: by it a kernel knows `float32` as a dtype."""
        from lanewise.cuda.core_types import to_core

        return to_core(self)

    def __str__(self):
        return self.name

    def __repr__(self):
        return self.name

    def __eq__(self, other):
        return isinstance(other, Type) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __call__(self, *args):
        """`float32(int32, int32)` is a signature: the result type and the argument types."""
        if len(args) == 1 and not isinstance(args[0], Type):
            return self.cast_python_value(args[0])
        return Signature(self, tuple(args))

    def cast_python_value(self, value):
        raise TypeError(f"cannot make a value of type {self} from {value!r}: call it with types to make a signature")

    def __getitem__(self, index):
        ndim, layout = _array_spec(index)
        return Array(self, ndim, layout)

    def is_precise(self):
        return True


def _array_spec(index):
    """Number of dimensions and layout of an index such as `:`, `:, ::1` or `::1, :`."""
    axes = index if isinstance(index, tuple) else (index,)
    for axis in axes:
        if not isinstance(axis, slice) or axis.start is not None or axis.stop is not None or axis.step not in (None, 1):
            raise KeyError(
                f"an array type is written with ':' and at most one '::1', e.g. float32[:, ::1]; got {axis!r}"
            )
    contiguous = [position for position, axis in enumerate(axes) if axis.step == 1]
    if not contiguous:
        return len(axes), "A"
    if contiguous == [len(axes) - 1]:
        return len(axes), "C"
    if contiguous == [0]:
        return len(axes), "F"
    raise KeyError("'::1' marks the contiguous dimension: the last (C order) or the first (Fortran order)")


class Number(Type):
    """A scalar type with a NumPy counterpart."""

    def __init__(self, name, dtype):
        super().__init__(name)
        self.dtype = np.dtype(dtype)
        self.bitwidth = self.dtype.itemsize * 8

    def cast_python_value(self, value):
        return self.dtype.type(value)


class Integer(Number):
    @property
    def signed(self):
        return self.dtype.kind == "i"

    @property
    def maxval(self):
        return int(np.iinfo(self.dtype).max)

    @property
    def minval(self):
        return int(np.iinfo(self.dtype).min)

    def cast_python_value(self, value):
        return self.dtype.type(np.asarray(value).astype(self.dtype))


class Float(Number):
    pass


class Complex(Number):
    pass


class Boolean(Number):
    def cast_python_value(self, value):
        return bool(value)


class NoneType(Type):
    pass


class Array(Type):
    """An array argument: element type, number of dimensions, layout "C", "F" or "A" (any strides)."""

    def __init__(self, dtype, ndim, layout, readonly=False, aligned=True):
        if layout not in ("C", "F", "A"):
            raise ValueError(f"layout is 'C', 'F' or 'A', not {layout!r}")
        if not isinstance(dtype, Type):
            raise TypeError(f"the element type of an array is a type such as float32, not {dtype!r}")
        self.dtype = dtype
        self.ndim = int(ndim)
        self.layout = layout
        self.mutable = not readonly
        self.aligned = aligned
        what = "Array" if readonly else "array"
        suffix = ", readonly" if readonly else ""
        super().__init__(f"{what}({dtype}, {self.ndim}d, {layout}{suffix})")

    @property
    def readonly(self):
        return not self.mutable

    @property
    def is_c_contig(self):
        return self.layout == "C" or (self.ndim <= 1 and self.layout in "CF")

    @property
    def is_f_contig(self):
        return self.layout == "F" or (self.ndim <= 1 and self.layout in "CF")

    @property
    def is_contig(self):
        return self.layout in "CF"

    def copy(self, dtype=None, ndim=None, layout=None, readonly=None):
        return Array(
            self.dtype if dtype is None else dtype,
            self.ndim if ndim is None else ndim,
            self.layout if layout is None else layout,
            self.readonly if readonly is None else readonly,
        )


class BaseTuple(Type):
    """A tuple type; iterable over its item types."""

    @classmethod
    def from_types(cls, types):
        types = tuple(types)
        if types and all(item == types[0] for item in types):
            return UniTuple(types[0], len(types))
        return Tuple(types)

    def __iter__(self):
        return iter(self.types)

    def __len__(self):
        return len(self.types)

    @property
    def count(self):
        return len(self.types)


class Tuple(BaseTuple):
    def __init__(self, types):
        self.types = tuple(types)
        super().__init__(f"Tuple({', '.join(map(str, self.types))})")


class UniTuple(BaseTuple):
    def __init__(self, dtype, count):
        self.dtype = dtype
        self.types = (dtype,) * count
        super().__init__(f"UniTuple({dtype} x {count})")


class DType(Type):
    """The type of a dtype given as an argument."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"dtype({dtype})")


class Opaque(Type):
    """A type that has a name only: strings, functions, dim3."""


class Signature:
    """Argument types and the result type (None where it is to be inferred)."""

    def __init__(self, return_type, args):
        self.return_type = return_type
        self.args = tuple(args)
        for arg in self.args:
            if not isinstance(arg, Type):
                raise TypeError(f"a signature is made of types such as float32[:]; got {arg!r}")

    def __iter__(self):
        return iter((self.return_type, self.args))

    def __eq__(self, other):
        return isinstance(other, Signature) and (self.return_type, self.args) == (other.return_type, other.args)

    def __hash__(self):
        return hash((self.return_type, self.args))

    def __repr__(self):
        return f"({', '.join(map(str, self.args))}) -> {self.return_type}"

    def __call__(self, *args):
        raise TypeError(f"{self!r} is a signature; give it to cuda.jit")


boolean = bool_ = Boolean("bool", "?")
int8, int16, int32, int64 = (Integer(f"int{bits}", f"i{bits // 8}") for bits in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (Integer(f"uint{bits}", f"u{bits // 8}") for bits in (8, 16, 32, 64))
float16, float32, float64 = (Float(f"float{bits}", f"f{bits // 8}") for bits in (16, 32, 64))
complex64, complex128 = (Complex(f"complex{bits}", f"c{bits // 8}") for bits in (64, 128))
none = void = NoneType("none")
string = unicode_type = Opaque("unicode_type")
dim3 = Opaque("Dim3")

i1 = char = int8
i2 = short = int16
i4 = intc = int32
i8 = intp = int_ = long_ = longlong = ssize_t = int64
u1 = byte = uchar = uint8
u2 = ushort = uint16
u4 = uintc = uint32
u8 = uintp = uint = ulong = ulonglong = size_t = uint64
b1 = bool_
f2 = float16
f4 = float_ = float32
f8 = double = float64
c8 = complex64
c16 = complex128

signed_domain = frozenset([int8, int16, int32, int64])
unsigned_domain = frozenset([uint8, uint16, uint32, uint64])
integer_domain = signed_domain | unsigned_domain
real_domain = frozenset([float32, float64])
complex_domain = frozenset([complex64, complex128])
number_domain = real_domain | integer_domain | complex_domain

#: The scalar types by name, in the order in which `lanewise.cuda` exports them.
SCALARS = {
    str(scalar): scalar
    for scalar in (
        bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
        float16, float32, float64, complex64, complex128,
    )
}  # fmt: skip
_BY_DTYPE = {scalar.dtype: scalar for scalar in SCALARS.values()}


def from_dtype(dtype):
    """The scalar type of a NumPy dtype; NotImplementedError for what kernels do not have."""
    dtype = np.dtype(dtype)
    found = _BY_DTYPE.get(dtype)
    if found is None:
        raise NotImplementedError(f"kernels have no element type for dtype {dtype}")
    return found


def as_dtype(ty):
    """The NumPy dtype of a scalar type, a NumPy dtype or anything np.dtype() takes."""
    if isinstance(ty, Number):
        return ty.dtype
    if isinstance(ty, Type):
        raise NotImplementedError(f"{ty} has no NumPy dtype")
    return np.dtype(ty)


def layout_of(shape, strides, itemsize):
    """ "C", "F" or "A", as Numba classifies an array: by its strides, where dimensions of extent 1 do not count."""
    if any(extent == 0 for extent in shape):
        return "C"
    expected = itemsize
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent != 1 and stride != expected:
            break
        expected *= extent
    else:
        return "C"
    expected = itemsize
    for extent, stride in zip(shape, strides, strict=True):
        if extent != 1 and stride != expected:
            return "A"
        expected *= extent
    return "F"


def typeof(value):
    """The type under which a kernel sees `value` given as an argument."""
    if value is None:
        return none
    if isinstance(value, (bool, np.bool_)):
        return bool_
    if isinstance(value, np.generic):
        return from_dtype(value.dtype)
    if isinstance(value, int):
        if -(2**63) <= value < 2**63:
            return int64
        if value < 2**64:
            return uint64
        raise ValueError(f"int value is too large: {value} does not fit 64 bits")
    if isinstance(value, float):
        return float64
    if isinstance(value, complex):
        return complex128
    if isinstance(value, str):
        return unicode_type
    if isinstance(value, tuple):
        return BaseTuple.from_types(map(typeof, value))
    if isinstance(value, np.ndarray):
        flags = value.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return Array(from_dtype(value.dtype), value.ndim, layout, readonly=not flags.writeable)
    if isinstance(value, np.dtype):
        return DType(from_dtype(value))
    if isinstance(value, type) and issubclass(value, np.generic):
        return DType(from_dtype(value))
    if isinstance(value, Number):
        return DType(value)
    if isinstance(value, _core.Array):
        layout = layout_of(value.shape, value.strides, value.itemsize)
        return Array(from_dtype(value.dtype), value.ndim, layout, readonly=value.read_only)
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is not None:
        dtype = np.dtype(interface["typestr"])
        shape = tuple(interface["shape"])
        strides = interface.get("strides")
        layout = "C" if strides is None else layout_of(shape, strides, dtype.itemsize)
        return Array(from_dtype(dtype), len(shape), layout, readonly=bool(interface["data"][1]))
    raise ValueError(f"cannot determine the kernel type of {type(value)}")


_NAMESPACE = {
    name: value
    for name, value in list(globals().items())
    if isinstance(value, Type) or (isinstance(value, type) and issubclass(value, Type))
}
_NAMESPACE["__builtins__"] = {}


def parse(text):
    """The type or signature that `text` spells, in signature syntax: "void(float32[:], int64)", "float32[:, ::1]"."""
    try:
        value = eval(text, dict(_NAMESPACE))
    except Exception as error:
        raise TypeError(f"cannot read the signature {text!r}: {error}") from error
    if isinstance(value, tuple):
        return Signature(None, value)
    if not isinstance(value, (Type, Signature)):
        raise TypeError(f"{text!r} is no signature: write it as 'void(float32[:], int64)' or '(float32[:], int64)'")
    return value


def from_name(name):
    """The type with this name, as str(type) spells it: "array(float32, 1d, C)", "UniTuple(int64 x 2)"."""
    found = _NAMESPACE.get(name)
    if isinstance(found, Type):
        return found
    head, _, rest = name.partition("(")
    inner = rest.removesuffix(")")
    if head in ("array", "Array"):
        dtype, ndim, layout, *flags = (part.strip() for part in inner.split(","))
        return Array(from_name(dtype), int(ndim.removesuffix("d")), layout, readonly="readonly" in flags)
    if head == "UniTuple":
        item, _, count = inner.rpartition(" x ")
        return UniTuple(from_name(item), int(count))
    if head == "Tuple":
        return Tuple(map(from_name, _split_outside_parentheses(inner)))
    if head == "dtype":
        return DType(from_name(inner))
    return Opaque(name)


def _split_outside_parentheses(text):
    parts, depth, start = [], 0, 0
    for position, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    if text[start:].strip():
        parts.append(text[start:].strip())
    return parts


__all__ = [name for name, value in _NAMESPACE.items() if isinstance(value, Type) and name not in ("string", "dim3")]
