"""Programs written for Numba CUDA, run unchanged by `lanewise run` on each device."""

from pathlib import Path

import pytest

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_program(lanewise, device, program):
    result = lanewise("run", program, env={"LANEWISE_DEVICE": device})
    assert result.returncode == 0, result.stdout + result.stderr


def test_saxpy_prints_its_result(lanewise, device):
    program = Path(__file__).parent / "programs" / "seed_numba_saxpy.py"
    assert lanewise("run", program, env={"LANEWISE_DEVICE": device}).stdout == "4.0\n"


def test_simulator_switch_chooses_the_cpu_device(lanewise):
    code = "from numba import cuda; print(cuda.get_current_device().core.name)"
    assert lanewise("run", "-c", code, env={"NUMBA_ENABLE_CUDASIM": "1"}).stdout == "cpu\n"
    assert lanewise("run", "-c", code, env={"NUMBA_DISABLE_CUDA": "1"}).stdout == "cpu\n"
