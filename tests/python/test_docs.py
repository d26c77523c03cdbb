"""The code in the documentation runs and prints what it says."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
_BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n?^```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def _blocks():
    for page in PAGES:
        text = page.read_text()
        for match in _BLOCK.finditer(text):
            line = text.count("\n", 0, match.start()) + 2
            yield pytest.param(match[1], match[2], id=f"{page.name}:{line}")


@pytest.mark.parametrize(("code", "expected"), _blocks())
def test_block(lanewise, device, tmp_path, code, expected):
    program = tmp_path / "block.py"
    program.write_text(code)
    result = lanewise("run", program, env={"LANEWISE_DEVICE": device}, cwd=tmp_path)
    raises = "# raises" in code
    assert (result.returncode != 0) == raises, result.stdout + result.stderr
    if expected is None:
        return
    if raises:
        # The text shows the end of the error: the message with the place and the caret.
        shown = expected.replace("example.py", str(program)).strip("\n")
        assert shown in result.stderr
    else:
        assert result.stdout == expected


def test_there_are_blocks():
    assert len(list(_blocks())) >= 10
