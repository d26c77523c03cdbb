"""Compiling without launching, and without a GPU: `cuda.compile`, `cuda.compile_ptx`."""

from lanewise import _core, config, libdevice_path
from lanewise.cuda import options as compile_options
from lanewise.cuda.core_types import from_core, normalize_signature, to_core
from lanewise.cuda.devices import get_current_device
from lanewise.cuda.types import void


def _target(cc):
    cc = cc or config.get("FORCE_CUDA_CC") or config.get("CUDA_DEFAULT_PTX_CC")
    major, minor = cc
    return f"sm_{major}{minor}"


def compile(
    pyfunc,
    sig,
    debug=None,
    lineinfo=False,
    device=True,
    fastmath=False,
    cc=None,
    opt=None,
    abi="c",
    abi_info=None,
    output="ptx",
    forceinline=False,
    launch_bounds=None,
):
    """Compiles a Python function for given argument types; returns (PTX, result type).

    cc: compute capability, (major, minor); by default (7, 5). device: False compiles a kernel. abi: "c" gives device
    functions the C calling convention. abi_info={"abi_name": name} chooses the symbol.
    """
    if output not in ("ptx", "ltoir"):
        raise NotImplementedError(f"Unsupported output type: {output}")
    if output == "ltoir":
        raise NotImplementedError("LTO-IR is made by NVIDIA's libNVVM only; what works: output='ptx'")
    if abi not in ("numba", "c"):
        raise NotImplementedError(f"Unsupported ABI: {abi}")
    if abi == "c" and not device:
        raise NotImplementedError("The C ABI is not supported for kernels")
    if abi == "numba" and device:
        raise NotImplementedError(
            "Numba's own calling convention is not offered for device functions; what works: abi='c'"
        )
    if forceinline:
        raise ValueError("Can only designate forced inlining in LTO-IR")
    pyfunc = getattr(pyfunc, "py_func", pyfunc)
    arguments, result = normalize_signature(sig)
    if not device and result is not None and result != void:
        raise TypeError("CUDA kernel must have void return type.")
    libdevice_path.announce()
    text, made, _ = _core.compile_offline(
        pyfunc,
        [to_core(argument) for argument in arguments],
        target=_target(cc),
        options=compile_options.make(
            debug=debug, lineinfo=lineinfo, fastmath=fastmath, opt=opt, launch_bounds=launch_bounds
        ),
        is_kernel=not device,
        symbol=(abi_info or {}).get("abi_name", ""),
    )
    made = from_core(made)
    if device and result is not None and result != made:
        raise TypeError(f"{pyfunc.__name__} returns {made}, not {result} as its signature says")
    return text, made


def compile_for_current_device(pyfunc, sig, **kwargs):
    """compile() for the compute capability of the current device."""
    return compile(pyfunc, sig, cc=get_current_device().compute_capability, **kwargs)


def compile_ptx(pyfunc, sig, debug=None, lineinfo=False, device=False, fastmath=False, cc=None, opt=None, abi="numba",
                abi_info=None, forceinline=False, launch_bounds=None):  # fmt: skip
    """compile() for a kernel; returns (PTX, result type)."""
    return compile(
        pyfunc,
        sig,
        debug=debug,
        lineinfo=lineinfo,
        device=device,
        fastmath=fastmath,
        cc=cc,
        opt=opt,
        abi=abi,
        abi_info=abi_info,
        forceinline=forceinline,
        launch_bounds=launch_bounds,
    )


def compile_ptx_for_current_device(pyfunc, sig, **kwargs):
    """compile_ptx() for the compute capability of the current device."""
    return compile_ptx(pyfunc, sig, cc=get_current_device().compute_capability, **kwargs)


def result_type(pyfunc, args, options):
    """The type that a device function returns for these argument types."""
    libdevice_path.announce()
    arguments = [to_core(argument) for argument in args]
    _, made, _ = _core.compile_offline(pyfunc, arguments, options=options, is_kernel=False)
    return from_core(made)
