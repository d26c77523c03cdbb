"""The command `lanewise`: info, cache, version, usage."""

import numpy as np

from lanewise import __version__, _core


def test_version(lanewise):
    assert lanewise("--version").stdout == f"lanewise {__version__}\n"


def test_without_arguments(lanewise):
    result = lanewise()
    assert result.returncode == 2
    assert "usage: lanewise" in result.stderr


def test_unknown_command(lanewise):
    result = lanewise("fly")
    assert result.returncode == 2
    assert "fly" in result.stderr


def test_info(lanewise):
    result = lanewise("info")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    text = result.stdout
    assert f"lanewise {__version__}, Python" in text
    assert f"NumPy {np.__version__}" in text
    for device in _core.devices():
        assert f"{device.name}: {device.model}" in text
    reason = _core.cuda_unavailable_reason()
    assert text.count("no CUDA device:") == bool(reason)
    assert reason in text
    assert "LLVM" in text
    assert "libdevice:" in text
    for name, path in _core.cuda_cpp_compilers().items():
        assert f"{name.replace('nvrtc', 'NVRTC')}: {path or 'not found'}" in text
    assert _core.disk_cache().path in text


def test_info_says_which_device_is_chosen(lanewise):
    text = lanewise("info", env={"LANEWISE_DEVICE": "cpu"}).stdout
    assert "LANEWISE_DEVICE=cpu" in text
    assert text.count("<- current") == 1


def test_cache(lanewise, tmp_path):
    env = {"LANEWISE_CACHE_DIR": str(tmp_path / "kernels"), "LANEWISE_DEVICE": "cpu"}
    program = tmp_path / "program.py"
    program.write_text(
        "import numpy as np\n"
        "from lanewise import cuda\n"
        "@cuda.jit\n"
        "def kernel(x):\n"
        "    x[0] = 1\n"
        "kernel[1, 1](np.zeros(1))\n"
    )
    assert lanewise("cache", "path", env=env).stdout == f"{tmp_path}/kernels\n"
    assert lanewise("cache", "size", env=env).stdout == "0\n"
    assert lanewise("run", program, env=env).returncode == 0
    assert int(lanewise("cache", "size", env=env).stdout) > 0
    assert "1 kernels" in lanewise("cache", env=env).stdout
    assert "freed" in lanewise("cache", "clear", env=env).stdout
    assert lanewise("cache", "size", env=env).stdout == "0\n"
    assert lanewise("cache", "burn", env=env).returncode == 2


def test_kernels_come_from_the_cache_in_the_next_process(lanewise, tmp_path):
    env = {"LANEWISE_CACHE_DIR": str(tmp_path / "kernels"), "LANEWISE_DEVICE": "cpu"}
    program = tmp_path / "program.py"
    program.write_text(
        "import numpy as np\n"
        "from lanewise import cuda\n"
        "@cuda.jit\n"
        "def kernel(x):\n"
        "    x[0] = x[0] * 2 + 1\n"
        "x = np.ones(1)\n"
        "kernel[1, 1](x)\n"
        "hits, misses = (sum(c.values()) for c in kernel.stats[1:])\n"
        "print(x[0], hits, misses, 'liblanewise_compiler' in open('/proc/self/maps').read())\n"
    )
    assert lanewise("run", program, env=env).stdout == "3.0 0 1 True\n"
    assert lanewise("run", program, env=env).stdout == "3.0 1 0 False\n"
