"""The decorator `cuda.jit`."""

from lanewise import _core, libdevice_path
from lanewise.cuda import options as compile_options
from lanewise.cuda.core_types import is_signature, normalize_signature, to_core
from lanewise.cuda.dispatcher import Dispatcher
from lanewise.cuda.functions import DeviceFunction
from lanewise.cuda.types import void

#: Keyword arguments that have a meaning beyond those that `jit` names.
_FURTHER = ("max_registers", "fastmath", "boundscheck", "literals", "extensions", "nopython")


def jit(
    func_or_sig=None,
    device=False,
    inline="never",
    forceinline=False,
    link=(),
    debug=None,
    opt=None,
    lineinfo=False,
    cache=False,
    launch_bounds=None,
    lto=None,
    shared_memory_carveout=None,
    **kws,
):
    """Makes a Python function a kernel, or with device=True a function that kernels call.

    func_or_sig: the function; or a signature, such as "void(float32[:], int64)", or a list of signatures: then they are
    compiled at once and no other types are taken. Without one, each combination of argument types is compiled when it
    is first launched.

    debug: assert and raise take effect, integer division by zero raises. boundscheck: indexing outside an array raises
    IndexError. opt: False or 0 compiles without optimisation. lineinfo: profilers can show the Python lines. fastmath:
    approximate division, square roots and functions, no denormals. max_registers, launch_bounds: limits for the
    compiler. shared_memory_carveout: preference for shared memory over the L1 cache, in per cent. literals="weak":
    Python literals do not widen float32. inline="always" and forceinline: calls of the function are inlined. cache
    and lto are accepted: compiled kernels are always kept on disk, and a kernel is always compiled together with all
    that it calls."""
    compile_options.removed(kws)
    unknown = [name for name in kws if name not in _FURTHER]
    if unknown:
        raise KeyError(f"Unrecognized options: {sorted(unknown)}. Known options: {sorted(_known_options())}")
    if device and link:
        raise ValueError("link keyword invalid for device function")
    if link:
        raise NotImplementedError(
            "cuda.jit(link=...): linking PTX, CUDA C++ or object code into a Python kernel is not offered yet; "
            "what works: device functions written in Python (cuda.jit(device=True))"
        )
    if inline not in ("never", "always", True, False) and not callable(inline):
        raise ValueError(f"inline is 'never', 'always' or a cost function, not {inline!r}")
    target_options = {
        "device": bool(device),
        "inline": inline,
        "forceinline": forceinline,
        "link": tuple(link),
        "debug": debug,
        "opt": opt,
        "lineinfo": lineinfo,
        "cache": cache,
        "launch_bounds": launch_bounds,
        "lto": lto,
        "shared_memory_carveout": shared_memory_carveout,
        "extensions": [],
        **kws,
    }
    if is_signature(func_or_sig):
        signatures = [func_or_sig]
    elif isinstance(func_or_sig, list):
        signatures = func_or_sig
    else:
        signatures = None
    if func_or_sig is not None and signatures is None:
        return make_dispatcher(_function(func_or_sig), target_options)
    # Contradictions are reported at the decorator, not when it meets the function.
    _core_options(target_options)
    compile_options.carveout(shared_memory_carveout)
    return lambda function: make_dispatcher(_function(function), target_options, signatures)


def _known_options():
    return [
        "device", "inline", "forceinline", "link", "debug", "opt", "lineinfo", "cache", "launch_bounds", "lto",
        "shared_memory_carveout", *_FURTHER,
    ]  # fmt: skip


def _function(value):
    """The Python function to compile."""
    if isinstance(value, (_core.KernelFunction, _core.DeviceFunction)):
        if getattr(value, "accepts_jit", False):
            return value.py_func
        raise TypeError(
            f"A jit decorator was called on an already jitted function {value}. "
            "If trying to get access to the original python function, use the .py_func attribute."
        )
    if isinstance(value, type):
        raise TypeError(f"cuda.jit compiles functions, not classes; got {value!r}")
    if not callable(value) or not hasattr(value, "__code__"):
        raise TypeError(f"cuda.jit compiles Python functions; got {value!r}, which is no signature either")
    return value


def _core_options(target_options):
    return compile_options.make(
        debug=target_options["debug"],
        opt=target_options["opt"],
        lineinfo=target_options["lineinfo"],
        launch_bounds=target_options["launch_bounds"],
        fastmath=target_options.get("fastmath", False),
        max_registers=target_options.get("max_registers"),
        boundscheck=target_options.get("boundscheck"),
        literals=target_options.get("literals", "numba"),
    )


def make_device_function(function, cls=DeviceFunction, inline="never", forceinline=False, **options):
    """A device function of the class `cls`."""
    target_options = {"device": True, "inline": inline, "forceinline": forceinline, **options}
    return cls(
        _function(function),
        compile_options.make(**options),
        target_options,
        bool(forceinline) or inline in ("always", True),
    )


def make_dispatcher(function, target_options, signatures=None):
    """The kernel or device function for `function`; compiles the signatures, if there are any."""
    libdevice_path.announce()
    options = _core_options(target_options)
    force_inline = bool(target_options["forceinline"]) or target_options["inline"] in ("always", True)
    if target_options["device"]:
        made = DeviceFunction(function, options, target_options, force_inline, signatures or ())
        for arguments, result in made.declared:
            made.compile_device(arguments, result)
        return made
    kernel = Dispatcher(
        function,
        options,
        target_options,
        force_inline=force_inline,
        carveout=compile_options.carveout(target_options["shared_memory_carveout"]),
    )
    if signatures is not None:
        declared = []
        for signature in signatures:
            arguments, result = normalize_signature(signature)
            if result is not None and result != void:
                raise TypeError(
                    f"CUDA kernel must have void return type: the signature of {function.__name__} returns {result}"
                )
            declared.append([to_core(argument) for argument in arguments])
        kernel.declare(declared)
    return kernel
