"""Every recorded expression on kernel values: lanewise infers the type that Numba infers and computes the same values.

`tests/data/numba_semantics.jsonl.gz` holds what numba-cuda 0.30.4 infers and computes on a GPU. One kernel is made for
each pair of dtypes, with every expression recorded for it. `deviates` names where lanewise differs on purpose.
"""

import collections
import gzip
import importlib.util
import json
import math
import pathlib

import numpy as np
import pytest

from lanewise.errors import TypingError

TABLE = pathlib.Path(__file__).parents[1] / "data" / "numba_semantics.jsonl.gz"
SCALARS = ["bool_", *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)), "float32", "float64"]


def read_table():
    groups = collections.defaultdict(list)
    with gzip.open(TABLE, "rt") as lines:
        for line in lines:
            record = json.loads(line)
            if record["a"] in SCALARS and record["b"] in [None, *SCALARS]:
                groups[record["a"], record["b"]].append(record)
    return groups


GROUPS = read_table()
PAIRS = [(a, b) for a in SCALARS for b in [None, *SCALARS]]
pytestmark = pytest.mark.filterwarnings("ignore")


def numbers(values, dtype):
    if np.dtype(dtype).kind == "f":
        return np.array([float.fromhex(value) for value in values], dtype)
    return np.array(values, dtype)


def make_kernel(path, statements, outputs):
    """The kernel with these statements, from a file of its own: the compiler reads the source."""
    parameters = ", ".join(["in_a", "in_b", "typed", *outputs])
    body = "\n".join(f"        {statement}" for statement in statements)
    path.write_text(
        "import math\n\nimport numpy as np\n\nfrom lanewise import cuda\n\n\n@cuda.jit\n"
        f"def kernel({parameters}):\n    i = cuda.grid(1)\n    if i < in_a.size:\n"
        f"        a = in_a[i]\n        b = in_b[i]\n{body}\n"
    )
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.kernel


def computed(record):
    """Recorded as computed, with a result that kernels of lanewise have."""
    return "error" not in record and not record["type"].startswith("complex") and record["type"] != "float16"


def deviates(record, a, b):
    """Quirks of Numba's code generation that are not copied."""
    op, result = record["op"], np.dtype(record["type"])
    integer_result = result.kind in "iu"
    float_operand = isinstance(a, np.floating)
    x = float(a)
    y = 0.0 if b is None else float(b)
    # NaN has no integer, and int8 saturates as every other width does.
    if integer_result and float_operand and (op.startswith("cast_") or op in ("int", "round")):
        return math.isnan(x) or (op == "cast_int8" and math.isinf(x))
    # The least int64 over -1 wraps to itself, as in NumPy; uint64 operands beside signed ones are int64.
    if op in ("floordiv", "divmod0") and integer_result:
        return abs(x) == 2.0**63 and y in (-1, 2.0**64)
    # Undefined in Numba: shift counts outside [0, 64).
    if op in ("lshift", "rshift"):
        return not 0 <= y < 64
    # int16 alone is negated without wrapping.
    if op == "neg":
        return result == np.int64 and x == -(2.0**15)
    # CUDA's float32 powi flushes subnormal results.
    if op == "math_pow":
        return result == np.float32 and y == -128
    if op == "pow" and b is not None and not isinstance(b, np.floating):
        # The least exponent has no magnitude in Numba's loop, and parity above 2**53 is lost in float64.
        return y in (-(2.0**63), -(2.0**31), -(2.0**15), -128) or (
            integer_result and (x < 0 or x >= 2.0**63) and y > 2.0**53
        )
    # Python's modulo and floor division of floats are exact; those of CUDA are not, and NaN for infinite divisors.
    if ("mod" in op or "floordiv" in op) and not integer_result:
        divisor = y if b is not None else 1.0
        return math.isinf(x) or math.isinf(divisor) or (divisor != 0 and abs(x / divisor) > 2.0**24)
    # Numba rounds to an int64 on the way: no -0.0, and nothing beyond its range.
    if op == "round1":
        return x == 0 or abs(x) > 2.0**59
    return False


def agrees(record, got, wanted):
    if np.dtype(record["type"]).kind != "f":
        return got == wanted
    if np.isnan(wanted) or np.isinf(wanted) or wanted == 0:
        return np.isnan(got) == np.isnan(wanted) and (np.isnan(wanted) or got == wanted)
    op = record["op"]
    if op.startswith(("math_", "np_")) or "pow" in op:
        # lgamma cancels near its zeros; both libraries stay within this.
        return abs(float(got) - float(wanted)) <= abs(float(wanted)) * (4e-6 if wanted.dtype == np.float32 else 1e-13)
    return got == wanted


def check_values(record, out, in_a, in_b, problems):
    wanted = numbers(record["out"], record["type"])
    for k in range(wanted.size):
        b = None if record["b"] is None else in_b[k]
        if agrees(record, out[k], wanted[k]) or deviates(record, in_a[k], b):
            continue
        problems.append(f"{record['expr']} at ({in_a[k]!r}, {b!r}): {out[k]!r}, recorded {wanted[k]!r}")


@pytest.mark.parametrize(("a", "b"), PAIRS, ids=lambda value: str(value))
def test_types_and_values(device, tmp_path, a, b):
    batches = collections.defaultdict(list)
    for record in filter(computed, GROUPS[a, b]):
        batches[json.dumps([record["in_a"], record.get("in_b")])].append(record)
    assert batches
    problems = []
    for number, records in enumerate(batches.values()):
        in_a = numbers(records[0]["in_a"], a)
        in_b = in_a if b is None else numbers(records[0]["in_b"], b)
        statements, outputs = [], []
        for k, record in enumerate(records):
            statements += [
                f"r{k} = {record['expr']}",
                f"out{k}[i] = r{k}",
                f"typed[{k}] = isinstance(r{k}, np.{np.dtype(record['type']).name})",
            ]
            outputs.append(f"out{k}")
        kernel = make_kernel(tmp_path / f"batch{number}.py", statements, outputs)
        typed = np.zeros(len(records), np.bool_)
        results = [np.zeros(in_a.size, record["type"]) for record in records]
        with np.errstate(all="ignore"):
            kernel[1, in_a.size](in_a, in_b, typed, *results)
            for record, right, out in zip(records, typed, results, strict=True):
                if not right:
                    problems.append(f"{record['expr']} is no {record['type']}")
                check_values(record, out, in_a, in_b, problems)
    assert not problems, "\n".join(problems[:20])


def is_extension(record):
    """What Numba refuses and lanewise computes as NumPy does: NumPy's functions of scalars, min and max with booleans,
    float(bool)."""
    return record["op"].startswith("np_") or record["op"] in ("min", "max", "float")


REFUSED = [
    pytest.param(record["expr"], a, b, id=f"{record['op']}-{a}-{b}")
    for (a, b), records in GROUPS.items()
    for record in records
    if "error" in record and not is_extension(record) and a in ("bool_", "int64", "float32")
]


@pytest.mark.parametrize(("expression", "a", "b"), REFUSED)
def test_refusals(tmp_path, expression, a, b):
    kernel = make_kernel(tmp_path / "refused.py", [f"out0[i] = {expression}"], ["out0"])
    in_a, in_b = np.zeros(1, a), np.zeros(1, b or a)
    with pytest.raises(TypingError):
        kernel[1, 1](in_a, in_b, np.zeros(1, np.bool_), np.zeros(1))
