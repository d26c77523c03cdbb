"""Which library computes matrix products on the cpu device."""

import os
import subprocess
import sys

import numpy as np  # noqa: F401  its BLAS is looked for
import pytest

PRODUCT = "import lanewise; x = lanewise.ones((4, 4), dtype='float32'); print((x @ x)[0, 0])"


def _run(blas, device="cpu"):
    environment = {**os.environ, "LANEWISE_DEVICE": device, "LANEWISE_LOG": "info"}
    environment.pop("LANEWISE_BLAS", None)
    if blas:
        environment["LANEWISE_BLAS"] = blas
    return subprocess.run([sys.executable, "-c", PRODUCT], env=environment, capture_output=True, text=True)


def test_off_leaves_products_to_the_own_kernel():
    run = _run("off")
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "4.0"
    assert "matrix products by" not in run.stderr


@pytest.mark.parametrize(("given", "problem"), [("libno-such-blas.so", "no-such-blas"), ("libm.so.6", "cblas_sgemm")])
def test_a_named_library_that_cannot_serve_is_an_error(given, problem):
    run = _run(given)
    assert run.returncode != 0
    assert "LANEWISE_BLAS" in run.stderr
    assert problem in run.stderr


def test_a_library_the_process_has_loaded_is_used():
    with open("/proc/self/maps") as maps:
        loaded = {os.path.basename(line.split()[-1]) for line in maps if "openblas" in line and "/" in line}
    if not loaded:
        pytest.skip("NumPy brings no OpenBLAS here")
    run = _run(None)
    assert run.stdout.strip() == "4.0"
    used = [line for line in run.stderr.splitlines() if "matrix products by" in line]
    assert [os.path.basename(line) in loaded for line in used] == [True]
