"""Complex numbers against NumPy's."""

import numpy as np
import pytest

from lanewise import RawKernel, _core

pytestmark = [pytest.mark.usefixtures("device"), pytest.mark.filterwarnings("ignore::RuntimeWarning")]

# Each header with its type's name.
HEADERS = {
    "pycuda-complex.hpp": "pycuda::complex",
    "thrust/complex.h": "thrust::complex",
    "cupy/complex.cuh": "complex",
    "complex": "std::complex",
}
FUNCTIONS = {
    "exp": np.exp,
    "log": np.log,
    "log10": np.log10,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "conj": np.conj,
}
REAL = {"abs": np.abs, "arg": np.angle, "real": np.real, "imag": np.imag, "norm": lambda z: np.abs(z) ** 2}
ELEMENT = {"complex64": "float", "complex128": "double"}
TOLERANCE = {"complex64": 4e-6, "complex128": 1e-13}


def numbers(dtype, count=400):
    random = np.random.default_rng(13)
    radius, angle = np.exp(random.uniform(-3, 1.5, count)), random.uniform(-np.pi, np.pi, count)
    return (radius * np.exp(1j * angle)).astype(dtype)


def evaluate(expression, result, z, w, header="thrust/complex.h"):
    element = ELEMENT[z.dtype.name]
    complex_type = f"{HEADERS[header]}<{element}>"
    out_type = complex_type if np.dtype(result).kind == "c" else element
    kernel = RawKernel(
        f"""#include <{header}>
extern "C" __global__ void evaluate(const {complex_type}* zs, const {complex_type}* ws, {out_type}* out, int n) {{
    typedef {element} T;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {{ const {complex_type} z = zs[i], w = ws[i]; const T x = w.real(); out[i] = {expression}; }}
}}""",
        "evaluate",
        backend="clang",
    )
    out = _core.Array.empty(z.size, result)
    kernel((z.size + 63) // 64, 64, (_core.Array.from_host(z), _core.Array.from_host(w), out, np.int32(z.size)))
    return out.to_host()


@pytest.mark.parametrize("dtype", ELEMENT)
@pytest.mark.parametrize("name", [*FUNCTIONS, *REAL])
def test_functions(name, dtype):
    z = numbers(dtype)
    result = dtype if name in FUNCTIONS else z.real.dtype
    got = evaluate(f"{name}(z)", result, z, z)
    wanted = {**FUNCTIONS, **REAL}[name](z.astype("complex128"))
    np.testing.assert_allclose(got, wanted, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


@pytest.mark.parametrize("dtype", ELEMENT)
@pytest.mark.parametrize(
    "expression, function",
    [
        ("z + w", lambda z, w, x: z + w),
        ("z - x", lambda z, w, x: z - x),
        ("x - z", lambda z, w, x: x - z),
        ("z * w", lambda z, w, x: z * w),
        ("2 * z", lambda z, w, x: 2 * z),
        ("z / w", lambda z, w, x: z / w),
        ("z / x", lambda z, w, x: z / x),
        ("x / z", lambda z, w, x: x / z),
        ("-z", lambda z, w, x: -z),
        ("pow(z, w)", lambda z, w, x: z**w),
        ("pow(z, T(2))", lambda z, w, x: z**2),
        ("thrust::polar(T(2), x)", lambda z, w, x: 2 * np.exp(1j * x)),
    ],
)
def test_arithmetic(expression, function, dtype):
    z, w = numbers(dtype), numbers(dtype)[::-1].copy()
    got = evaluate(expression, dtype, z, w)
    wanted = function(z.astype("c16"), w.astype("c16"), w.real.astype("f8"))
    np.testing.assert_allclose(got, wanted, rtol=20 * TOLERANCE[dtype], atol=20 * TOLERANCE[dtype])


@pytest.mark.parametrize("header", HEADERS)
def test_each_library_s_name_is_the_same_class(header):
    z, w = numbers("complex64"), numbers("complex64")[::-1].copy()
    got = evaluate("exp(z) * w + conj(z)", "complex64", z, w, header)
    np.testing.assert_allclose(got, np.exp(z) * w + np.conj(z), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["asin", "acos", "atan", "asinh", "acosh", "atanh", "sqrt", "log"])
def test_branch_cuts_are_numpys(name):
    parts = [-2.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.5]
    z = np.array([complex(x, y) for x in parts for y in parts])
    z = z[~((np.abs(z) == 1) & (name in ("atan", "atanh")))]  # their poles
    z = z[~((z == 0) & (name == "log"))]
    got = evaluate(f"{name}(z)", "complex128", z, z)
    wanted = FUNCTIONS[name](z)
    np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(np.signbit(got.imag), np.signbit(wanted.imag))


def test_square_roots_and_quotients_do_not_overflow():
    z = np.array([1e300 + 1e300j, 1e-320 + 1e-320j, -1e308 + 1e308j, 3e-310 - 4e-310j])
    np.testing.assert_allclose(evaluate("sqrt(z)", "complex128", z, z), np.sqrt(z), rtol=1e-12)
    np.testing.assert_allclose(evaluate("z / w", "complex128", z, z)[:1], [1], rtol=1e-14)


def test_pairs_of_cucomplex():
    kernel = RawKernel(
        """#include <cuComplex.h>
extern "C" __global__ void pairs(cuFloatComplex* z, cuDoubleComplex* w) {
    z[2] = cuCaddf(z[0], z[1]);
    z[3] = cuCsubf(z[0], z[1]);
    z[4] = cuCmulf(z[0], z[1]);
    z[5] = cuCdivf(z[0], z[1]);
    z[6] = cuConjf(z[0]);
    z[7] = make_cuFloatComplex(cuCabsf(z[0]), cuCimagf(z[1]));
    z[8] = cuCfmaf(z[0], z[1], z[2]);
    w[0] = cuCdiv(cuComplexFloatToDouble(z[0]), make_cuDoubleComplex(0, 2));
    z[9] = cuComplexDoubleToFloat(w[0]);
}""",
        "pairs",
        backend="clang",
    )
    a, b = 3 + 4j, -1 + 2j
    z = _core.Array.from_host(np.array([a, b] + [0] * 8, np.complex64))
    kernel(1, 1, (z, _core.Array.empty(1, np.complex128)))
    wanted = [a, b, a + b, a - b, a * b, a / b, a.conjugate(), 5 + 2j, a * b + a + b, a / 2j]
    np.testing.assert_allclose(z.to_host(), wanted, rtol=1e-6)
