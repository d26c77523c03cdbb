"""Between the types a user writes (`lanewise.cuda.types`) and the core's."""

from functools import cache

from lanewise import _core
from lanewise.cuda import types


@cache
def to_core(ty):
    """The core's type; NotImplementedError for types that kernels do not take."""
    if isinstance(ty, types.NoneType):
        return _core.Type.none()
    if isinstance(ty, types.Number):
        return _core.Type.scalar(ty.dtype)
    if isinstance(ty, types.Array):
        return _core.Type.array(types.as_dtype(ty.dtype), ty.ndim, ty.layout, ty.readonly)
    if isinstance(ty, types.BaseTuple):
        return _core.Type.tuple([to_core(item) for item in ty])
    raise NotImplementedError(f"a kernel cannot take an argument of type {ty}")


@cache
def from_core(core_type):
    """The user's type for one of the core's."""
    kind = core_type.kind
    if kind == "none":
        return types.none
    if kind == "scalar":
        return types.from_dtype(core_type.dtype)
    if kind == "array":
        return types.Array(types.from_dtype(core_type.dtype), core_type.ndim, core_type.layout, core_type.read_only)
    if kind == "tuple":
        return types.BaseTuple.from_types(from_core(item) for item in core_type.items)
    return types.from_name(str(core_type))


def argument_types(argtypes):
    """The user's types of a specialisation's arguments."""
    return tuple(from_core(item) for item in argtypes)


def is_signature(value):
    """True for what `cuda.jit` takes as one signature: text, a Signature, a tuple of types."""
    return isinstance(value, (str, types.Signature)) or (
        isinstance(value, tuple) and all(isinstance(item, types.Type) for item in value)
    )


def normalize_signature(signature):
    """(argument types, result type or None) of a text, a Signature or a tuple of types."""
    if isinstance(signature, str):
        signature = types.parse(signature)
    if isinstance(signature, types.Signature):
        return signature.args, signature.return_type
    if isinstance(signature, tuple):
        for item in signature:
            if not isinstance(item, types.Type):
                raise TypeError(f"invalid signature: element {item!r} of {signature!r} is no type")
        return signature, None
    raise TypeError(f"invalid signature: {signature!r} is neither text, a signature, nor a tuple of types")
