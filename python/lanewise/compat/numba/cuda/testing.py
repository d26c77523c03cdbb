"""numba.cuda.testing: the base classes and decorators that tests of CUDA programs use."""

import contextlib
import io
import unittest

from lanewise.cuda import close, get_current_device, synchronize


class CUDATestCase(unittest.TestCase):
    """A test case that waits for the device when a test ends, so that its errors are its own."""

    def tearDown(self):
        synchronize()


class ContextResettingTestCase(CUDATestCase):
    def tearDown(self):
        super().tearDown()
        close()


def _keep(item):
    return item


def skip_on_cudasim(reason):
    """Keeps the test: the cpu device is no simulator, it runs what a GPU runs."""
    return _keep


def skip_unless_cudasim(reason):
    return unittest.skip(reason)


def skip_on_arm(reason):
    return _keep


def skip_unless_cc(major, minor):
    """Skips on devices of a lower compute capability."""
    have = get_current_device().compute_capability
    return unittest.skipUnless(have >= (major, minor), f"needs compute capability {major}.{minor}")


def skip_unless_cc_53(fn):
    return skip_unless_cc(5, 3)(fn)


def skip_unless_cc_75(fn):
    return skip_unless_cc(7, 5)(fn)


def skip_unless_cc_90(fn):
    return skip_unless_cc(9, 0)(fn)


def skip_if_cuda_includes_missing(fn):
    return unittest.skip("needs the CUDA toolkit's headers")(fn)


@contextlib.contextmanager
def captured_stdout():
    """What Python prints, as text."""
    with io.StringIO() as text, contextlib.redirect_stdout(text):
        yield text


def captured_cuda_stdout():
    raise NotImplementedError(
        "numba.cuda.testing.captured_cuda_stdout: what kernels print goes to file descriptor 1; "
        "capture it there, for example with pytest's capfd"
    )
