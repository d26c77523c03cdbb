"""Puts the faces where scripts look for the libraries they stand for: `import numba` finds `lanewise.compat.numba`."""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

#: Top-level modules that a face stands for.
FACES = ("cupy", "cupyx", "numba", "pycuda")
_PACKAGE = "lanewise.compat"


class FaceLoader(importlib.abc.Loader):
    """Gives the face's module under the library's name, which programs may ask it for (`xp.__name__ == "cupy"`). The
    module keeps its own spec; modules that stand in the face under another name keep that too."""

    def __init__(self, name, target):
        self.name, self.target = name, target

    def create_module(self, spec):
        self.module = importlib.import_module(self.target)
        self.own_spec = self.module.__spec__
        return self.module

    def exec_module(self, module):
        module.__spec__ = self.own_spec
        if module.__name__ == self.target:
            module.__name__ = self.name


class FaceFinder(importlib.abc.MetaPathFinder):
    """Finds the modules of the faces; stands first, so that a face wins over an installed library of the same name."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] not in FACES:
            return None
        name = f"{_PACKAGE}.{fullname}"
        try:
            found = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            return None
        if found is None:
            return None
        is_package = found.submodule_search_locations is not None
        return importlib.machinery.ModuleSpec(
            fullname, FaceLoader(fullname, name), origin=found.origin, is_package=is_package
        )


def install():
    """Puts the finder in place, for this process and for Python processes that it starts."""
    if any(isinstance(finder, FaceFinder) for finder in sys.meta_path):
        return
    for name in [name for name in sys.modules if name.partition(".")[0] in FACES]:
        del sys.modules[name]
    sys.meta_path.insert(0, FaceFinder())
    startup = os.path.join(os.path.dirname(__file__), "startup")
    inherited = os.environ.get("PYTHONPATH", "")
    if startup not in inherited.split(os.pathsep):
        os.environ["PYTHONPATH"] = startup + (os.pathsep + inherited if inherited else "")
