"""Programs run with NumPy and with lanewise, on the same inputs, and their results compared."""

import numpy as np

import lanewise as lw
from lanewise import _core

TOLERANCE = {"float16": 4e-3, "float32": 2e-5, "complex64": 2e-5, "float64": 1e-11, "complex128": 1e-11}

# How the elements of an input lie in memory: (shape of the memory for a shape, the view of it).
LAYOUTS = {
    "C": (lambda shape: shape, lambda memory: memory),
    "F": (lambda shape: shape[::-1], lambda memory: memory.T),
    "reversed": (lambda shape: shape, lambda memory: memory[(..., *(slice(None, None, -1),) * memory.ndim)]),
    "strided": (
        lambda shape: shape[:-1] + tuple(2 * extent for extent in shape[-1:]),
        lambda memory: memory[..., ::2] if memory.ndim else memory,
    ),
    "swapped": (
        lambda shape: shape[:-2] + shape[-2:][::-1],
        lambda memory: memory.swapaxes(-1, -2) if memory.ndim > 1 else memory,
    ),
}


def numbers(shape, dtype, seed=0):
    """Numbers that every function takes: small, not too close to each other; both signs where the dtype has them."""
    dtype = np.dtype(dtype)
    random = np.random.default_rng(seed + 17 * len(shape) + int(np.prod(shape)))
    if dtype.kind == "b":
        return np.asarray(random.random(shape) < 0.5)
    if dtype.kind == "u":
        return np.asarray(random.integers(0, 9, shape)).astype(dtype)
    if dtype.kind == "i":
        return np.asarray(random.integers(-6, 7, shape)).astype(dtype)
    real = np.asarray(random.uniform(-2, 2, shape))
    if dtype.kind == "c":
        return (real + 1j * random.uniform(-2, 2, shape)).astype(dtype)
    return real.astype(dtype)


class Input:
    """The same elements in the same layout for NumPy and for lanewise."""

    def __init__(self, shape, dtype, layout="C", seed=0, values=None):
        memory_shape, view = LAYOUTS[layout]
        shape = tuple(shape)
        memory = numbers(memory_shape(shape), dtype, seed)
        if values is not None:
            view(memory)[...] = values
        self.theirs = view(memory)
        self.ours = view(lw.asarray(memory))
        self.name = f"{shape} {dtype} {layout}"

    def __repr__(self):
        return self.name


def evaluate(program, xp, inputs):
    """The value of an expression, or of the variable `x` after statements."""
    names = {"xp": xp, "np": np, "lw": lw, **inputs}
    try:
        code = compile(program, "<program>", "eval")
    except SyntaxError:
        exec(compile(program, "<program>", "exec"), names)
        return names["x"]
    return eval(code, names)


def assert_same(ours, theirs, what="", tolerance=None):
    """Same structure, shapes and dtypes; elements equal, or nearly so for floating point."""
    if isinstance(theirs, (tuple, list)):
        assert isinstance(ours, (tuple, list)) and len(ours) == len(theirs), f"{what}: {ours!r} for {theirs!r}"
        for one, other in zip(ours, theirs):
            assert_same(one, other, what, tolerance)
        return
    if isinstance(ours, lw.ndarray):
        theirs = np.asarray(theirs)
        assert ours.shape == theirs.shape, f"{what}: shape {ours.shape} for {theirs.shape}"
        assert ours.dtype == theirs.dtype, f"{what}: dtype {ours.dtype} for {theirs.dtype}"
        host = lw.asnumpy(ours)
        assert host.shape == theirs.shape and host.dtype == theirs.dtype
        if theirs.dtype.kind in "fc":
            rtol = TOLERANCE[theirs.dtype.name] if tolerance is None else tolerance
            np.testing.assert_allclose(host, theirs, rtol=rtol, atol=rtol, equal_nan=True, err_msg=what)
        else:
            np.testing.assert_array_equal(host, theirs, err_msg=what)
        return
    assert not isinstance(theirs, np.ndarray), f"{what}: {type(ours)} for {theirs!r}"
    if isinstance(theirs, (float, complex)):
        np.testing.assert_allclose(ours, theirs, rtol=1e-11, err_msg=what)
    else:
        assert ours == theirs, f"{what}: {ours!r} for {theirs!r}"


def check(program, tolerance=None, **inputs):
    """The program gives the same with both, or is refused by both with the same class of error."""
    what = f"{program} with {inputs}"
    with np.errstate(all="ignore"):
        try:
            theirs = evaluate(program, np, {name: _of(value, "theirs") for name, value in inputs.items()})
        except Exception as error:
            assert_refused(program, error, inputs)
            return
    try:
        ours = evaluate(program, lw, {name: _of(value, "ours") for name, value in inputs.items()})
    except Exception as error:
        raise AssertionError(f"{what}: {type(error).__name__}: {error}") from error
    assert_same(ours, theirs, what, tolerance)


def _of(value, side):
    return getattr(value, side) if isinstance(value, Input) else value


def assert_refused(program, theirs, inputs):
    try:
        result = evaluate(program, lw, {name: _of(value, "ours") for name, value in inputs.items()})
        # Errors of index arrays come when the device is waited for.
        lw.evaluate()
        _core.current_stream().synchronize()
    except Exception as ours:
        families = [cls for cls in (IndexError, TypeError, ValueError, OverflowError) if isinstance(theirs, cls)]
        assert not families or isinstance(ours, tuple(families)), (
            f"{program} with {inputs}: NumPy raises {type(theirs).__name__}: {theirs}; "
            f"lanewise {type(ours).__name__}: {ours}"
        )
        return
    raise AssertionError(
        f"{program} with {inputs}: NumPy raises {type(theirs).__name__}: {theirs}; lanewise {result!r}"
    )
