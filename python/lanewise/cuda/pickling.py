"""Pickling of kernels and device functions: by name where the name leads back to them, else by value."""

import importlib
import marshal
import sys
import types as python_types


def _by_name(obj, py_func):
    """The qualified name when looking it up in the function's module gives `obj`."""
    target = sys.modules.get(py_func.__module__)
    try:
        for part in py_func.__qualname__.split("."):
            target = getattr(target, part)
    except AttributeError:
        return None
    return py_func.__qualname__ if target is obj else None


def reduce(obj, py_func, rebuild, arguments):
    """What __reduce__ returns: `rebuild(py_func, *arguments)` makes the object again."""
    name = _by_name(obj, py_func)
    if name is not None:
        return _find, (py_func.__module__, name)
    return _load, (rebuild, _function_state(obj, py_func), arguments)


def _find(module, qualname):
    target = importlib.import_module(module)
    for part in qualname.split("."):
        target = getattr(target, part)
    return target


class _Itself:
    """Stands for the object being pickled where its function refers to it (recursion)."""


class _Module:
    def __init__(self, name):
        self.name = name


def _names(code):
    """Global names that a code object and those nested in it use."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            names |= _names(constant)
    return names


def _pack(value, obj):
    if value is obj:
        return _Itself
    if isinstance(value, python_types.ModuleType):
        return _Module(value.__name__)
    return value


def _unpack(value):
    return importlib.import_module(value.name) if isinstance(value, _Module) else value


def _function_state(obj, py_func):
    code = py_func.__code__
    known = {name: _pack(py_func.__globals__[name], obj) for name in _names(code) if name in py_func.__globals__}
    cells = None
    if py_func.__closure__ is not None:
        cells = tuple(_pack(cell.cell_contents, obj) for cell in py_func.__closure__)
    return {
        "code": marshal.dumps(code),
        "globals": known,
        "module": py_func.__module__,
        "name": py_func.__name__,
        "qualname": py_func.__qualname__,
        "doc": py_func.__doc__,
        "defaults": py_func.__defaults__,
        "cells": cells,
    }


def _load(rebuild, state, arguments):
    scope = {"__builtins__": __builtins__, "__name__": state["module"]}
    cells = None if state["cells"] is None else tuple(python_types.CellType() for _ in state["cells"])
    code = marshal.loads(state["code"])
    function = python_types.FunctionType(code, scope, state["name"], state["defaults"], cells)
    function.__qualname__ = state["qualname"]
    function.__module__ = state["module"]
    function.__doc__ = state["doc"]
    named_cells = list(zip(cells or (), state["cells"] or (), strict=True))
    scope.update((name, _unpack(value)) for name, value in state["globals"].items() if value is not _Itself)
    for cell, value in named_cells:
        if value is not _Itself:
            cell.cell_contents = _unpack(value)
    # May compile at once, so all but the object itself must be in place.
    obj = rebuild(function, *arguments)
    scope.update((name, obj) for name, value in state["globals"].items() if value is _Itself)
    for cell, value in named_cells:
        if value is _Itself:
            cell.cell_contents = obj
    return obj
