"""NumPy types by their names in C, and descriptions of the arguments of generated kernels."""

import re

import numpy as np

#: Names that stand for a type whose size the platform fixes.
_NAMES = {
    "bool": np.bool_,
    "char": np.int8,
    "signed char": np.int8,
    "unsigned char": np.uint8,
    "short": np.int16,
    "unsigned short": np.uint16,
    "int": np.int32,
    "unsigned int": np.uint32,
    "unsigned": np.uint32,
    "long": np.dtype("l").type,
    "unsigned long": np.dtype("L").type,
    "long int": np.dtype("l").type,
    "long long": np.int64,
    "unsigned long long": np.uint64,
    "float": np.float32,
    "double": np.float64,
    "half": np.float16,
    "size_t": np.uintp,
    "pycuda::complex<float>": np.complex64,
    "pycuda::complex<double>": np.complex128,
    "cuFloatComplex": np.complex64,
    "cuDoubleComplex": np.complex128,
    **{f"{sign}int{bits}_t": getattr(np, f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)},
}

_dtypes = {name: np.dtype(scalar) for name, scalar in _NAMES.items()}
#: The other way round: the name that generated code uses.
_c_names = {
    np.dtype(scalar): name
    for name, scalar in {
        "bool": np.bool_,
        "signed char": np.int8,
        "unsigned char": np.uint8,
        "short": np.int16,
        "unsigned short": np.uint16,
        "int": np.int32,
        "unsigned": np.uint32,
        "long": np.int64,
        "unsigned long": np.uint64,
        "long long": np.longlong,
        "unsigned long long": np.ulonglong,
        "float": np.float32,
        "double": np.float64,
        "half": np.float16,
        "pycuda::complex<float>": np.complex64,
        "pycuda::complex<double>": np.complex128,
    }.items()
}
_TEXTURE_NAMES = {
    np.dtype(np.float64): "fp_tex_double",
    np.dtype(np.complex64): "fp_tex_cfloat",
    np.dtype(np.complex128): "fp_tex_cdouble",
}


def get_or_register_dtype(c_names, dtype=None):
    """The type of a name in C; with `dtype`, the names stand for it from now on."""
    names = [c_names] if isinstance(c_names, str) else list(c_names)
    if dtype is None:
        name = " ".join(names[0].split())
        if name not in _dtypes:
            raise TypeError(f"there is no type named {name!r}; register it with get_or_register_dtype(name, dtype)")
        return _dtypes[name]
    dtype = np.dtype(dtype)
    for name in names:
        known = _dtypes.setdefault(name, dtype)
        if known != dtype:
            raise RuntimeError(f"the name {name!r} stands for {known} already, and cannot stand for {dtype}")
    return _register(dtype, names[0])


def _register(dtype, name):
    # An equal type that is registered already is the one that stays.
    for known in _c_names:
        if known == dtype:
            return known
    _c_names[dtype] = name
    return dtype


def register_dtype(dtype, name):
    """A name in C for a type, usually a record's."""
    get_or_register_dtype(name, dtype)


def dtype_to_ctype(dtype, with_fp_tex_hack=False):
    """The name in C of a type."""
    if dtype is None:
        raise ValueError("dtype may not be None")
    dtype = np.dtype(dtype)
    if with_fp_tex_hack and dtype in _TEXTURE_NAMES:
        return _TEXTURE_NAMES[dtype]
    if dtype not in _c_names:
        raise ValueError(f"there is no name in C for dtype {dtype}; give it one with register_dtype")
    return _c_names[dtype]


class Argument:
    """A kernel's argument."""

    __module__ = "pycuda.tools"


class DtypedArgument(Argument):
    __module__ = "pycuda.tools"

    def __init__(self, dtype, name):
        self.dtype = np.dtype(dtype)
        self.name = name

    def __repr__(self):
        return f"{type(self).__name__}({self.name!r}, {self.dtype})"

    def __eq__(self, other):
        return type(self) is type(other) and (self.dtype, self.name) == (other.dtype, other.name)

    def __hash__(self):
        return hash((type(self), self.dtype, self.name))


class VectorArg(DtypedArgument):
    """A pointer to elements."""

    __module__ = "pycuda.tools"
    struct_char = "P"

    def declarator(self):
        return f"{dtype_to_ctype(self.dtype)} *{self.name}"


class ScalarArg(DtypedArgument):
    """A value."""

    __module__ = "pycuda.tools"

    @property
    def struct_char(self):
        return f"{self.dtype.itemsize}s" if self.dtype.kind == "V" else self.dtype.char

    def declarator(self):
        return f"{dtype_to_ctype(self.dtype)} {self.name}"


_DECLARATION = re.compile(
    r"^(?P<type>[\w:<>\s]*?[\w>])(?P<pointer>[\s*]*)\b(?P<name>[A-Za-z_]\w*)(?P<array>\s*\[\s*\])?$"
)
_QUALIFIERS = re.compile(r"\b(const|volatile|__restrict__|restrict|struct)\b")


def parse_c_arg_backend(c_arg, scalar_arg_factory, vec_arg_factory, name_to_dtype=None):
    """An argument from its declaration in C, made by the factories from (dtype, name)."""
    text = " ".join(_QUALIFIERS.sub(" ", c_arg.replace("&", " ")).split()).replace(" <", "<").replace("< ", "<")
    text = text.replace(" >", ">").replace(" ::", "::").replace(":: ", "::")
    match = _DECLARATION.match(text)
    if match is None:
        raise ValueError(f"cannot make out a type and a name in the argument {c_arg!r}")
    pointers = match["pointer"].count("*")
    if pointers > 1 or (pointers and match["array"]):
        raise ValueError(f"the argument {c_arg!r} is a pointer to pointers; only values and vectors can be declared")
    dtype = (name_to_dtype or get_or_register_dtype)(match["type"])
    factory = vec_arg_factory if pointers or match["array"] else scalar_arg_factory
    return factory(dtype, match["name"])


def parse_c_arg(c_arg):
    """A VectorArg or ScalarArg from its declaration in C: "const float *x"."""
    return parse_c_arg_backend(c_arg, ScalarArg, VectorArg)


def get_arg_type(c_arg):
    """What prepare() takes for an argument that is declared so."""
    return parse_c_arg(c_arg).struct_char


def parse_arguments(arguments):
    """Arguments from a text with commas, or from a sequence of arguments and declarations."""
    if isinstance(arguments, str):
        arguments = arguments.split(",")
    return [parse_c_arg(item) if isinstance(item, str) else item for item in arguments]
