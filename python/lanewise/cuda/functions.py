"""Device functions: Python functions that kernels call."""

import functools

from lanewise import _core
from lanewise.cuda import pickling
from lanewise.cuda.core_types import normalize_signature


class DeviceFunction(_core.DeviceFunction):
    """What `cuda.jit(device=True)` gives. Called from Python it runs as Python."""

    def __init__(self, py_func, options, target_options, force_inline=False, signatures=()):
        super().__init__(py_func, options=options, force_inline=force_inline)
        functools.update_wrapper(self, py_func)
        self.py_func = py_func
        self.targetoptions = target_options
        self.declared = [normalize_signature(signature) for signature in signatures]
        # How the core learns of them: calls convert their arguments, and the result, to the best match.
        self.__lanewise_signatures__ = [_text(arguments, result) for arguments, result in self.declared]

    @property
    def signatures(self):
        """The argument types of the declared signatures."""
        return [arguments for arguments, _ in self.declared]

    def compile_device(self, args, return_type=None):
        """Checks that the function compiles for these argument types; gives the result's type."""
        from lanewise.cuda.compiler import result_type

        return result_type(self.py_func, args, self.options)

    def __repr__(self):
        return f"<device function {self.__qualname__}>"

    def __reduce__(self):
        return pickling.reduce(self, self.py_func, _rebuild, (self.targetoptions, self.declared))


def _rebuild(py_func, target_options, declared):
    from lanewise.cuda.decorators import make_dispatcher

    return make_dispatcher(py_func, target_options, [_signature(*item) for item in declared])


def _text(arguments, result):
    return f"{'' if result is None else result}({', '.join(map(str, arguments))})"


def _signature(arguments, result):
    from lanewise.cuda.types import Signature

    return Signature(result, arguments)
