"""cupy.typing: types for annotations."""

from typing import Any

from numpy import generic
from numpy.typing import ArrayLike, DTypeLike, NBitBase

from lanewise.compat.cupy._array import ndarray

NDArray = ndarray[Any, generic]
