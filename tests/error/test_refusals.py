"""Programs that are refused: the exception's class, its text, and the place it points at.

A program in programs/ opens with `# raises: CLASS` and `# text: FRAGMENT` lines; the line to blame ends with `# <-`.
"""

import builtins
import re
import runpy
from pathlib import Path

import pytest

import lanewise.errors

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))


def _header(text, key):
    return re.findall(rf"^# {key}: (.*)$", text, re.MULTILINE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_refusal(device, program):
    source = program.read_text()
    (name,) = _header(source, "raises")
    expected = getattr(lanewise.errors, name, None) or getattr(builtins, name)
    with pytest.raises(expected) as caught:
        runpy.run_path(str(program))
    text = str(caught.value)
    for fragment in _header(source, "text"):
        assert fragment in text
    (number,) = [number for number, line in enumerate(source.splitlines(), 1) if line.endswith("# <-")]
    assert re.search(rf"{re.escape(str(program))}:{number}:\d+", text), text
    lines = text.splitlines()
    shown = source.splitlines()[number - 1].strip()
    (position,) = [index for index, line in enumerate(lines) if line.strip().endswith(shown)]
    assert re.fullmatch(r"[ |]*\^+~*", lines[position + 1]), text


def test_there_are_refusals():
    assert len(PROGRAMS) >= 60
