"""The layers of the source tree: which folders a folder of src/ may include."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: The code generators, which are a library of their own: they see the IR and what the front ends and targets describe.
CODE_GENERATORS = {
    "codegen": {"ir", "passes", "frontend/cuda", "runtime"},
    "frontend/cuda/clang": {"frontend/cuda", "base"},
    "backend/cuda/target": {"codegen", "backend/cuda"},
    "backend/cpu/target": {"codegen", "backend/cpu", "backend/cpu/spmd"},
    "backend/cpu/spmd": {"codegen", "backend/cpu", "backend/cpu/target"},
    "frontend/cuda/precompile": {"frontend/cuda/clang"},
    "backend": {"codegen", "backend/cuda/target", "backend/cpu/target", "frontend/cuda/clang"},
}
#: The door of the code generators, behind which they are loaded when they are needed: an interface without LLVM.
DOOR = "codegen/compiler.h"
#: Texts for programs of users rather than sources of ours.
EMBEDDED = ("src/frontend/cuda/headers/", "src/backend/cuda/nvrtc_headers/")


def rows():
    """Folder -> folders it names, from the rows of CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text()
    folders, named = {}, {}
    for name, rest in re.findall(r"^lanewise_layer\((\w+) ([^)]*)\)", text, re.MULTILINE):
        folder = re.search(r"FOLDER (\S+)", rest)
        folders[name] = folder[1] if folder else name
        named[name] = re.findall(r"lanewise_(\w+)", rest)
    table = {folders[name]: {folders[other] for other in others} for name, others in named.items()}
    return table | {folder: set(others) for folder, others in CODE_GENERATORS.items()}


def reachable(folder, table):
    found, work = {folder}, [folder]
    while work:
        for other in table[work.pop()]:
            if other not in found:
                found.add(other)
                work.append(other)
    return found


def layer_of(path, table):
    """The longest of the table's folders that a path below src/ lies in."""
    return max((folder for folder in table if path.startswith(folder + "/")), key=len, default=None)


def sources():
    files = [path for path in (ROOT / "src").rglob("*") if path.suffix in (".cpp", ".h")]
    return [path for path in files if not path.relative_to(ROOT).as_posix().startswith(EMBEDDED)]


@pytest.fixture(scope="module")
def table():
    if not (ROOT / "src").is_dir():
        pytest.skip("needs the source tree")
    return rows()


def test_every_source_belongs_to_a_layer(table):
    below = [path.relative_to(ROOT / "src").as_posix() for path in sources()]
    assert len(below) > 300
    assert [path for path in below if layer_of(path, table) is None] == []


def test_a_layer_includes_only_what_it_stands_on(table):
    allowed = {folder: reachable(folder, table) for folder in table}
    wrong = []
    for path in sources():
        own = path.relative_to(ROOT / "src").as_posix()
        for included in re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE):
            layer = layer_of(included, table)
            if layer and included != DOOR and layer not in allowed[layer_of(own, table)]:
                wrong.append(f"{own} includes {included}")
    assert wrong == []


def test_the_door_of_the_code_generators_shows_nothing_behind_it(table):
    text = (ROOT / "src" / DOOR).read_text()
    assert {layer_of(name, table) for name in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)} <= {
        "ir",
        "frontend/cuda",
        None,
    }
    assert not re.search("llvm|clang/", text)


def test_public_headers_include_public_headers_alone():
    wrong = []
    for path in (ROOT / "include").rglob("*.h"):
        for included in re.findall(r'^#include [<"]([^>"]+)', path.read_text(), re.MULTILINE):
            if "/" in included and not included.startswith("lanewise/"):
                wrong.append(f"{path.name} includes {included}")
    assert wrong == []


def test_the_core_knows_nothing_of_python(table):
    pattern = re.compile(r"^#include <(Python\.h|nanobind/)", re.MULTILINE)
    headers = list((ROOT / "include").rglob("*.h"))
    assert [path.name for path in sources() + headers if pattern.search(path.read_text())] == []
