"""cupy.exceptions."""

from numpy.exceptions import AxisError, ComplexWarning, RankWarning, TooHardError, VisibleDeprecationWarning
