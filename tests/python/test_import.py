"""What importing lanewise loads, and what it leaves for later."""

import json


def _loaded(run_python, statement):
    code = (
        "import json, sys, numpy\n"
        "before = set(sys.modules)\n"
        f"{statement}\n"
        "maps = open('/proc/self/maps').read()\n"
        "print(json.dumps([sorted(set(sys.modules) - before), 'liblanewise_compiler' in maps, 'libcuda' in maps]))\n"
    )
    result = run_python("-c", code)
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_importing_lanewise_loads_nothing_else(run_python):
    modules, compiler, driver = _loaded(run_python, "import lanewise")
    assert [name for name in modules if not name.startswith("importlib")] == ["lanewise"]
    assert not compiler and not driver


def test_importing_the_kernel_language_loads_neither_compiler_nor_heavy_modules(run_python):
    modules, compiler, _ = _loaded(run_python, "import lanewise.cuda")
    assert not compiler
    heavy = {"asyncio", "multiprocessing", "argparse", "unittest", "concurrent.futures", "ctypes.util", "lanewise.cli"}
    assert heavy.isdisjoint(modules)
    assert not [name for name in modules if name.startswith("lanewise.compat")]


def test_declaring_a_kernel_does_not_load_the_compiler(run_python, tmp_path):
    program = tmp_path / "declare.py"
    program.write_text(
        "from lanewise import cuda\n"
        "@cuda.jit\n"
        "def kernel(x):\n"
        "    x[0] = 1\n"
        "print('liblanewise_compiler' in open('/proc/self/maps').read())\n"
    )
    result = run_python(program)
    assert result.stdout == "False\n", result.stderr


def test_import_gives_no_warning_without_a_gpu(run_python):
    result = run_python("-W", "error", "-c", "import lanewise.cuda", env={"CUDA_VISIBLE_DEVICES": ""})
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_lazy_submodules(run_python):
    result = run_python(
        "-c", "import lanewise; print(lanewise.cuda.__name__, 'cuda' in dir(lanewise)); lanewise.nothing"
    )
    assert result.stdout == "lanewise.cuda True\n"
    assert "AttributeError: module 'lanewise' has no attribute 'nothing'" in result.stderr
