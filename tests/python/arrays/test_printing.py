"""Arrays as text: as NumPy prints them."""

import numpy as np
import pytest

import lanewise as lw

ARRAYS = [
    np.arange(3),
    np.arange(3.0),
    np.arange(3, dtype="int8"),
    np.linspace(0, 1, 7, dtype="float32"),
    np.array(2.5),
    np.array(-6.926868, dtype="float32"),
    np.array(3, dtype="uint8"),
    np.array([True, False]),
    np.array([1 + 2j, 3]),
    np.array([np.nan, np.inf, -1.5]),
    np.zeros((0,)),
    np.zeros((2, 0)),
    np.zeros((2, 0), "int16"),
    np.arange(24).reshape(2, 3, 4),
    np.arange(1001),
    np.arange(5000.0).reshape(50, 100),
    np.arange(3000.0, dtype="float32").reshape(2, 3, 500),
    np.arange(40.0) / 7,
    np.arange(12.0).reshape(3, 4).T,
    np.array([1e-20, 1e20]),
    np.arange(30, dtype="uint16"),
]


@pytest.mark.parametrize("host", ARRAYS, ids=lambda host: f"{host.shape}-{host.dtype}")
def test_same_text_as_numpy(device, host):
    x = lw.asarray(host)
    assert repr(x) == repr(host)
    assert str(x) == str(host)
    assert lw.array_repr(x) == np.array_repr(host)
    assert lw.array_str(x) == np.array_str(host)
    assert lw.array2string(x) == np.array2string(host)
    assert lw.array2string(x, precision=2, separator=", ", threshold=4) == np.array2string(
        host, precision=2, separator=", ", threshold=4
    )
    assert lw.array_repr(x, max_line_width=30, precision=3) == np.array_repr(host, max_line_width=30, precision=3)
    with lw.printoptions(precision=2, threshold=5, edgeitems=1, linewidth=40):
        assert repr(x) == repr(host) and str(x) == str(host)


def test_text_of_what_is_pending(device):
    assert str(lw.arange(3.0) + 1) == "[1. 2. 3.]"


def test_formatting(device):
    assert f"{lw.asarray(2.5):.2f}" == "2.50" and f"{lw.asarray(7):03d}" == "007"
    assert f"{lw.arange(3)}" == "[0 1 2]"
    with pytest.raises(TypeError, match="__format__"):
        f"{lw.arange(3):.2f}"


def test_only_what_is_shown_is_copied(device):
    x = lw.zeros((1000, 1000))
    assert repr(x) == repr(np.zeros((1000, 1000)))
