"""The examples run on every device."""

from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example(lanewise, device, example):
    result = lanewise("run", example, "--quick", env={"LANEWISE_DEVICE": device}, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout
