"""Run by Python processes that a script under `lanewise run` starts: installs the faces there too, then does what the
sitecustomize that this one hides would have done."""

import importlib.machinery
import importlib.util
import os
import sys


def _install_faces():
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = os.path.dirname(os.path.dirname(package))
    try:
        from lanewise.compat import faces
    except ImportError:
        # The child does not see the folder that lanewise is in, e.g. another environment: it is added at the end.
        sys.path.append(root)
        try:
            from lanewise.compat import faces
        except ImportError:
            sys.path.remove(root)
            return
    faces.install()


def _run_hidden():
    here = os.path.dirname(os.path.abspath(__file__))
    elsewhere = [entry for entry in sys.path if os.path.abspath(entry or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", elsewhere)
    if spec is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


_install_faces()
_run_hidden()
