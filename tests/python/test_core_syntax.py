"""What the conversion of Python functions hands to the compiler: names, captured values, places, refusals."""

import enum
import math
import operator
import textwrap
import types

import numpy as np
import pytest

from lanewise import _core, cuda


def lower(function, signature="(float64[::1])", **kwargs):
    return _core.lower(function, signature, **kwargs)


def constants(function, signature="(float64[::1])"):
    """The module attributes and captured numbers a kernel stores, by running it on the cpu device."""
    out = _core.Array.from_host(np.zeros(8), device="cpu")
    _core.KernelFunction(function, options=_core.Options(warn_float64=False))[1, 1, out.stream](out)
    return out.to_host().tolist()


GLOBAL_INT = 3
GLOBAL_FLOAT = 2.5
GLOBAL_TUPLE = (1, (2, 4.5))
GLOBAL_ARRAY = np.array([[1.0, 2.0], [3.0, 4.0]])


class Number(enum.IntEnum):
    SEVEN = 7


class Plain(enum.Enum):
    EIGHT = 8


namespace = types.SimpleNamespace(inner=types.SimpleNamespace(value=11))


def test_captured_values():
    closure = 21
    scalar = np.float32(1.5)

    def kernel(out):
        out[0] = GLOBAL_INT + GLOBAL_FLOAT
        out[1] = GLOBAL_TUPLE[1][1]
        out[2] = Number.SEVEN + Plain.EIGHT
        out[3] = namespace.inner.value
        out[4] = closure
        out[5] = scalar
        out[6] = GLOBAL_ARRAY[1, 0]
        out[7] = math.pi

    assert constants(kernel) == [5.5, 4.5, 15.0, 11.0, 21.0, 1.5, 3.0, math.pi]


def test_functions_are_known_by_identity():
    sine, plus = math.sin, operator.add

    def kernel(out):
        out[0] = plus(sine(0.0), 1.0)
        out[1] = np.sqrt(4.0)

    assert constants(kernel)[:2] == [1.0, 2.0]


def test_plain_functions_and_lambdas_are_device_functions():
    twice = lambda x: 2 * x

    def helper(x, offset=1):
        return twice(x) + offset

    def kernel(out):
        out[0] = helper(3)
        out[1] = helper(3, 5)

    assert constants(kernel)[:2] == [7.0, 11.0]


def test_nested_functions_see_locals():
    def kernel(out):
        a = 4.0

        def inner(x):
            return x + a

        out[0] = inner(1.0)

    assert constants(kernel)[0] == 5.0


def test_recursion_ends():
    def fib(n):
        if n < 2:
            return n
        return fib(n - 1) + fib(n - 2)

    def kernel(out):
        out[0] = fib(10)

    assert constants(kernel)[0] == 55.0


def test_device_arrays_are_captured_by_address():
    table = _core.Array.from_host(np.array([1.0, 2.0]), device="cpu")

    def kernel(out):
        out[0] = table[1]

    k = _core.KernelFunction(kernel)
    out = _core.Array.from_host(np.zeros(1), device="cpu")
    k[1, 1, out.stream](out)
    assert out.item(0) == 2.0
    table.fill(9)
    k[1, 1, out.stream](out)
    assert out.item(0) == 9.0


def test_globals_are_read_again_after_clear():
    cell = 1

    def kernel(out):
        out[0] = cell

    k = _core.KernelFunction(kernel)
    out = _core.Array.from_host(np.zeros(1), device="cpu")
    k[1, 1, out.stream](out)
    cell = 2
    k[1, 1, out.stream](out)
    assert out.item(0) == 1.0
    k.clear()
    k[1, 1, out.stream](out)
    assert out.item(0) == 2.0


def test_docstrings_annotations_and_pass_are_nothing():
    def kernel(out: object):
        """A docstring."""
        value: int = 3
        unused: int  # noqa: F842
        pass
        out[0] = value

    assert constants(kernel)[0] == 3.0


def test_decorated_and_continued_definitions(tmp_path):
    source = '''
        import numpy as np
        from lanewise import _core

        def identity(f):
            return f

        class Holder:
            if True:
                @identity
                @identity
                def kernel(
                    out,  # a comment with ( in it
                ):
                    text = """
        not the end of the block
        """
                    out[0] = (1 +
        2)
                    # a comment at the block's level

        # and one outside
                    out[1] = 4 \\
                        + 1

        kernel = Holder.kernel
    '''
    path = tmp_path / "module_with_odd_layout.py"
    path.write_text(textwrap.dedent(source))
    scope = {"__name__": "module_with_odd_layout"}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    text = _core.lower(scope["kernel"], "(float64[::1])")
    assert text.count("store") == 2


def test_one_line_functions_and_several_lambdas_on_a_line():
    def one(out): out[0] = 1  # fmt: skip

    assert "store" in lower(one)
    pair = (lambda x: x + 1.0, lambda x: x + 2.0)
    first, second = pair

    def kernel(out):
        out[0] = first(1.0)
        out[1] = second(1.0)

    assert constants(kernel)[:2] == [2.0, 3.0]


def test_python_c_has_a_source(run_python):
    code = """if 1:
        from lanewise import _core
        def f(x):
            x[0] = 1
        print(_core.lower(f, "(float64[::1])"))
    """
    done = run_python("-c", code)
    assert "store" in done.stdout, done.stderr


def test_without_source_the_message_says_so():
    scope = {}
    exec("def f(x):\n    x[0] = 1", scope)
    with pytest.raises(_core.UnsupportedError, match=r"'f'.*source text was not found"):
        lower(scope["f"])


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("x[0] = missing", _core.TypingError, "name 'missing' is not defined"),
        ("x[0] = math.missing", _core.TypingError, "module 'math' has no attribute 'missing'"),
        ("x[0] = namespace.missing", _core.TypingError, "has no attribute 'missing'"),
        ("x[0] = BIG", _core.TypingError, "needs more than 64 bits"),
        ("x[0] = 36893488147419103232", _core.TypingError, "needs more than 64 bits"),
        ("x[0] = [a for a in (1, 2)][0]", _core.UnsupportedError, "comprehension"),
        ("with open('f'): x[0] = 1", _core.UnsupportedError, "with"),
        ("yield x[0]", _core.UnsupportedError, "yield"),
    ],
)
def test_refusals_point_at_the_place(tmp_path, body, error, message):
    path = tmp_path / "refused.py"
    path.write_text(f"def kernel(x):\n    x[1] = 0\n    {body}\n")
    scope = {"math": math, "namespace": namespace, "BIG": 1 << 70}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(error, match=message) as caught:
        lower(scope["kernel"])
    assert f"{path}:3:" in str(caught.value)
    assert "^" in str(caught.value)


def test_columns_count_from_the_file_and_survive_unicode(tmp_path):
    path = tmp_path / "unicode.py"
    path.write_text("class A:\n    def kernel(x):\n        x['é'] = missing\n")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(_core.TypingError) as caught:
        lower(scope["A"].kernel)
    assert f"{path}:3:" in str(caught.value)
    line, caret = str(caught.value).splitlines()[-2:]
    assert line[caret.index("^") :].startswith("missing")


@pytest.mark.parametrize("definition", ["async def kernel(x):", "def kernel(x, **rest):", "def kernel(x, *a, b):"])
def test_refused_definitions(tmp_path, definition):
    path = tmp_path / "definition.py"
    path.write_text(f"{definition}\n    x[0] = 1\n")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(_core.UnsupportedError):
        lower(scope["kernel"])


def test_markers_name_builtins():
    class Marker:
        __lanewise_builtin__ = "math.sqrt"

    root = Marker()

    def kernel(out):
        out[0] = root(9.0)

    assert constants(kernel)[0] == 3.0


def test_unusable_objects_are_named():
    thing = object()

    def kernel(out):
        out[0] = thing

    with pytest.raises(_core.TypingError, match="object"):
        lower(kernel)


def test_dtype_like_objects():
    spellings = [np.float32, np.dtype("float32"), cuda.types.float32 if hasattr(cuda, "types") else np.float32]
    texts = []
    for dtype in spellings:

        def kernel(out):
            buffer = cuda.local.array(2, dtype)
            buffer[0] = 1
            out[0] = buffer[0]

        texts.append(lower(kernel))
    assert len(set(texts)) == 1
