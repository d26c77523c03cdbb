"""The names of the kernel language on the host: the compiler knows them all, and calling one says where it belongs."""

import copy
import pickle

import pytest

from lanewise import _core, cuda
from lanewise.cuda import intrinsics

ALL = sorted(intrinsics._ALL)


@pytest.mark.parametrize("name", ALL)
def test_the_compiler_knows_every_intrinsic(name):
    assert name in _core.builtin_names("cuda.")


def test_every_name_of_the_compiler_is_offered():
    names = [name for name in _core.builtin_names("cuda.") if name.rpartition(".")[2] not in ("x", "y", "z", "sync")]
    assert sorted(names) == ALL


@pytest.mark.parametrize("name", [row[0] for row in intrinsics.FUNCTIONS])
def test_calling_an_intrinsic_on_the_host(name):
    with pytest.raises(RuntimeError, match=rf"cuda\.{name} exists only inside kernels"):
        getattr(cuda, name)(1)


def test_thread_indices_on_the_host():
    with pytest.raises(AttributeError, match=r"cuda\.threadIdx\.x exists only inside kernels"):
        _ = cuda.threadIdx.x
    with pytest.raises(TypeError, match="value"):
        cuda.blockIdx()


def test_groups():
    assert repr(cuda.atomic) == "<kernel intrinsics cuda.atomic.*>"
    assert cuda.atomic.add.__lanewise_builtin__ == "cuda.atomic.add"
    with pytest.raises(RuntimeError, match=r"cuda\.shared\.array exists only inside kernels"):
        cuda.shared.array(3, cuda.float32)


@pytest.mark.parametrize("intrinsic", [cuda.grid, cuda.threadIdx, cuda.atomic.add, cuda.shared], ids=repr)
def test_intrinsics_pickle_to_themselves(intrinsic):
    assert pickle.loads(pickle.dumps(intrinsic)) is intrinsic
    assert copy.deepcopy(intrinsic) is intrinsic


def test_libdevice():
    from lanewise.cuda import libdevice

    assert libdevice.sinf.__lanewise_builtin__ == "libdevice.sinf"
    assert "rsqrt" in dir(libdevice)
    assert pickle.loads(pickle.dumps(libdevice.sinf)) is libdevice.sinf
    with pytest.raises(AttributeError, match="no_such_function"):
        libdevice.no_such_function
    with pytest.raises(RuntimeError, match=r"libdevice\.sinf exists only inside kernels"):
        libdevice.sinf(1.0)


def test_documentation_of_an_intrinsic_shows_its_parameters():
    assert cuda.shfl_sync.__doc__.startswith("cuda.shfl_sync(mask, value, src_lane)\n\n")
