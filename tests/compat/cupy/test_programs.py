"""Programs written for CuPy, run unchanged by `lanewise run` on each device."""

from pathlib import Path

import pytest

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(lanewise, device, program):
    # Some launch kernels on few blocks, as examples do.
    result = lanewise("run", program, env={"LANEWISE_DEVICE": device, "NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0"})
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout and not result.stderr, result.stderr


def test_help_lists_the_face(lanewise):
    assert "cupy, cupyx" in lanewise("run", "--help").stdout
