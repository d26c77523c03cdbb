"""Faces: packages that translate the spellings of other libraries onto lanewise. Nothing is implemented here."""

import importlib.abc
import importlib.machinery
import sys


class _OwnFinder(importlib.abc.MetaPathFinder):
    """Finds the modules of the faces where they lie. Import hooks of installed libraries that claim every name with
    "numba.cuda" in it would otherwise take `lanewise.compat.numba.cuda` for theirs."""

    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith(f"{__name__}."):
            return None
        return importlib.machinery.PathFinder.find_spec(fullname, path, target)


sys.meta_path.insert(0, _OwnFinder())
