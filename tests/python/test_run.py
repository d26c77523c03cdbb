"""`lanewise run`: a program sees what it sees under python, but with the faces."""

import sys

import pytest


def test_arguments_name_and_path(lanewise, run_python, tmp_path):
    (tmp_path / "neighbour.py").write_text("VALUE = 42\n")
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, neighbour\n"
        "print(__name__, __file__, sys.argv, sys.path[0], neighbour.VALUE, __doc__, __package__, __spec__)\n"
        "print(sys.modules['__main__'].__dict__ is globals())\n"
    )
    arguments = [script, "-x", "--help", "run", "--device=cpu"]
    expected = run_python(*arguments)
    result = lanewise("run", *arguments)
    assert expected.returncode == 0
    assert result.stdout == expected.stdout, result.stderr


def test_relative_paths(lanewise, run_python, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "script.py").write_text("import sys\nprint(__file__, sys.argv, sys.path[0])\n")
    assert (
        lanewise("run", "sub/script.py", "a", cwd=tmp_path).stdout
        == run_python("sub/script.py", "a", cwd=tmp_path).stdout
    )


def test_modules(lanewise, run_python, tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "__main__.py").write_text(
        "import sys\nfrom . import helper\nprint(__name__, sys.argv, helper.VALUE, __package__)\n"
    )
    (tmp_path / "package" / "helper.py").write_text("VALUE = 1\n")
    expected = run_python("-m", "package", "x", "y", cwd=tmp_path)
    assert expected.returncode == 0
    assert lanewise("run", "-m", "package", "x", "y", cwd=tmp_path).stdout == expected.stdout


def test_folders_with_main(lanewise, tmp_path):
    (tmp_path / "__main__.py").write_text("import sys\nprint(__name__, len(sys.argv))\n")
    assert lanewise("run", tmp_path, "x").stdout == "__main__ 2\n"


def test_code(lanewise):
    code = "import sys; from numba import cuda; print(sys.argv, __name__, cuda.is_available())"
    assert lanewise("run", "-c", code, "a").stdout == "['-c', 'a'] __main__ True\n"


def test_kernels_in_code(lanewise):
    code = (
        "from numba import cuda\n"
        "import numpy as np\n"
        "@cuda.jit\n"
        "def kernel(x):\n"
        "    x[cuda.grid(1)] = 3\n"
        "x = np.zeros(4)\n"
        "kernel[1, 4](x)\n"
        "print(x.sum())\n"
    )
    result = lanewise("run", "-c", code)
    assert result.stdout == "12.0\n", result.stderr


def test_tracebacks_are_pythons(lanewise, run_python, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("def inner():\n    return 1 / 0\n\n\ndef outer():\n    inner()\n\n\nouter()\n")
    expected = run_python(script)
    result = lanewise("run", script)
    assert (result.returncode, result.stdout, result.stderr) == (1, "", expected.stderr)


def test_syntax_errors_are_pythons(lanewise, run_python, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("print('never')\nif True\n    pass\n")
    expected = run_python(script)
    result = lanewise("run", script)
    assert (result.returncode, result.stderr) == (1, expected.stderr)


@pytest.mark.parametrize(
    ("statement", "status", "message"),
    [
        ("sys.exit()", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("sys.exit('went wrong')", 1, "went wrong\n"),
        ("raise SystemExit(7)", 7, ""),
    ],
)
def test_exit_status(lanewise, tmp_path, statement, status, message):
    script = tmp_path / "script.py"
    script.write_text(f"import sys\n{statement}\n")
    result = lanewise("run", script)
    assert (result.returncode, result.stderr) == (status, message)


def test_a_script_that_is_not_there(lanewise):
    result = lanewise("run", "missing.py")
    assert result.returncode == 2
    assert "can't open file 'missing.py'" in result.stderr


@pytest.mark.parametrize("arguments", [[], ["-z", "x"], ["-m"], ["-c"]], ids=str)
def test_usage(lanewise, arguments):
    result = lanewise("run", *arguments)
    assert result.returncode == 2
    assert "usage: lanewise run" in result.stderr


def test_help(lanewise):
    result = lanewise("run", "--help")
    assert result.returncode == 0
    assert "usage: lanewise run" in result.stdout


def test_choosing_the_device(lanewise):
    code = "from numba import cuda; print(cuda.get_current_device().core.name)"
    assert lanewise("run", "--device", "cpu", "-c", code).stdout == "cpu\n"
    assert lanewise("run", "--device=cpu", "-c", code).stdout == "cpu\n"


def test_numba_resolves_to_the_face(lanewise):
    code = "import numba.core.errors, numba.cuda; print(numba.__name__, numba.__spec__.name, numba.cuda.implementation)"
    result = lanewise("run", "-c", code)
    assert result.stdout == "numba lanewise.compat.numba lanewise\n", result.stderr


def test_child_processes_have_the_faces(lanewise, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import multiprocessing, subprocess, sys\n"
        "def work(n):\n"
        "    from numba import cuda\n"
        "    return cuda.implementation\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(work, [1]), flush=True)\n"
        "    subprocess.run([sys.executable, '-c', 'import numba; print(numba.__spec__.name)'], check=True)\n"
    )
    result = lanewise("run", script)
    assert result.stdout == "['lanewise']\nlanewise.compat.numba\n", result.stderr


def test_a_sitecustomize_of_the_user_still_runs(lanewise, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import builtins\nbuiltins.customized = True\n")
    code = (
        "import subprocess, sys\n"
        "subprocess.run([sys.executable, '-c', 'print(customized); import numba; print(numba.cuda.implementation)'])\n"
    )
    result = lanewise("run", "-c", code, env={"PYTHONPATH": f"{tmp_path}:{':'.join(filter(None, sys.path))}"})
    assert result.stdout == "True\nlanewise\n", result.stderr


def test_python_without_lanewise_run_is_untouched(run_python):
    result = run_python(
        "-c", "import lanewise.compat.faces, sys; print([f for f in sys.meta_path if 'Face' in repr(f)])"
    )
    assert result.stdout == "[]\n"
