"""The namespace of arrays: `import lanewise as lw` as `import numpy as np`. `lanewise` has all these names."""

from types import ModuleType as _ModuleType
from types import SimpleNamespace as _SimpleNamespace

from lanewise.arrays import stride_tricks as _stride_tricks
from lanewise.arrays.array_class import *
from lanewise.arrays.conversion import *
from lanewise.arrays.creation import *
from lanewise.arrays.differences import *
from lanewise.arrays.dtypes import *
from lanewise.arrays.editing import *
from lanewise.arrays.einstein_sums import *
from lanewise.arrays.elementwise import *
from lanewise.arrays.evaluation import *
from lanewise.arrays.files import *
from lanewise.arrays.flat import *
from lanewise.arrays.functional import *
from lanewise.arrays.grids import *
from lanewise.arrays.index_arrays import *
from lanewise.arrays.indexing import *
from lanewise.arrays.joining import *
from lanewise.arrays.logic import *
from lanewise.arrays.matrices import *
from lanewise.arrays.namespace_info import *
from lanewise.arrays.packing import *
from lanewise.arrays.padding import *
from lanewise.arrays.printing import *
from lanewise.arrays.products import *
from lanewise.arrays.protocols import not_there_yet
from lanewise.arrays.ranges import *
from lanewise.arrays.reductions import *
from lanewise.arrays.shapes import *
from lanewise.arrays.statistics import *
from lanewise.arrays.stride_tricks import *
from lanewise.arrays.windows import *

#: Where NumPy has them.
lib = _SimpleNamespace(stride_tricks=_stride_tricks)

_PROTOCOL_NAMES = ("__array_api_version__", "__array_namespace_info__")

__all__ = [
    name
    for name, value in list(globals().items())
    if name in _PROTOCOL_NAMES
    or not (name.startswith("_") or name == "not_there_yet" or isinstance(value, _ModuleType))
]


def __getattr__(name):
    raise AttributeError(not_there_yet(name) or f"module {__name__!r} has no attribute {name!r}")
