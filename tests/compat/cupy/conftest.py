"""Fixtures of the tests of CuPy's face."""

import pytest

from lanewise.compat import cupy


@pytest.fixture
def cp(device):
    """The face, on each device in turn."""
    cupy.cuda.Stream.null.use()
    return cupy
