"""fuse: decorated functions give what they give undecorated."""

import numpy as np
import pytest

import lanewise as lw
from lanewise import fuse


def expression(x, y):
    """Something of each kind."""
    return lw.sqrt(x * x + y * y) / 2 - lw.where(x > y, x, y)


@pytest.mark.parametrize("decorator", [fuse, fuse(), fuse(kernel_name="norm")])
def test_results_are_the_same_as_without(device, decorator):
    x, y = (np.random.default_rng(seed).random((30, 40), np.float32) for seed in range(2))
    fused = decorator(expression)
    a, b = lw.asarray(x), lw.asarray(y)
    np.testing.assert_array_equal(lw.asnumpy(fused(a, b)), lw.asnumpy(expression(a, b)))
    np.testing.assert_allclose(
        lw.asnumpy(fused(a, b)), np.sqrt(x * x + y * y) / 2 - np.where(x > y, x, y), rtol=1e-5, atol=1e-6
    )
    assert (fused.__name__, fused.__doc__, fused.__wrapped__) == ("expression", "Something of each kind.", expression)


def test_reductions_keywords_and_several_results(device):
    @fuse
    def statistics(x, *, shift):
        centred = x - shift
        return centred.sum(), centred, shift

    x = np.arange(100.0)
    total, centred, shift = statistics(lw.asarray(x), shift=3)
    assert float(total) == (x - 3).sum()
    np.testing.assert_array_equal(lw.asnumpy(centred), x - 3)
    assert shift == 3


def test_methods(device):
    class Scale:
        factor = 3

        @fuse(kernel_name="scale")
        def apply(self, x):
            return x * self.factor + 1

    np.testing.assert_array_equal(lw.asnumpy(Scale().apply(lw.arange(4))), np.arange(4) * 3 + 1)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: fuse(3), "decorates one function, not int"),
        (lambda: fuse(expression, expression), "decorates one function, not function, function"),
        (lambda: fuse(name="x"), "takes kernel_name, not name"),
    ],
)
def test_what_is_refused(call, text):
    with pytest.raises(TypeError, match=text):
        call()
