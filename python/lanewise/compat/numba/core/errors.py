"""numba.core.errors: Numba's names for the exceptions and warnings of lanewise, the very classes that are raised."""

from lanewise.errors import (
    InvalidConfigWarning,
    LanewiseError,
    LanewiseWarning,
    LoweringError,
    OptionError,
    PerformanceWarning,
    TypingError,
    UnsupportedError,
)

NumbaError = LanewiseError
CompilerError = InternalError = IRError = LanewiseError
UnsupportedBytecodeError = UnsupportedError
UnsupportedParforsError = UnsupportedError
DeprecationError = OptionError

# Found while a kernel is typed: one class, that Numba divides further.
UntypedAttributeError = TypingError
NumbaTypeError = TypingError
NumbaAttributeError = TypingError
NumbaIndexError = TypingError
NumbaValueError = TypingError
RequireLiteralValue = TypingError
ConstantInferenceError = TypingError
NotDefinedError = TypingError
NumbaNotImplementedError = UnsupportedError


class ForceLiteralArg(NumbaError):
    """Never raised: Numba's way of asking for a literal argument."""


NumbaWarning = LanewiseWarning
NumbaPerformanceWarning = PerformanceWarning
NumbaInvalidConfigWarning = InvalidConfigWarning


class NumbaDeprecationWarning(NumbaWarning, DeprecationWarning):
    """Never given: Numba's warning of features that go away."""


class NumbaPendingDeprecationWarning(NumbaWarning, PendingDeprecationWarning):
    """Never given: Numba's warning of features that will go away."""


class NumbaExperimentalFeatureWarning(NumbaWarning):
    """Never given: Numba's warning of experimental features."""


class NumbaDebugInfoWarning(NumbaWarning):
    """Never given: Numba's warning about missing debug information."""


class NumbaTypeSafetyWarning(NumbaWarning):
    """Never given: Numba's warning about unsafe casts."""
