"""The exceptions and warnings of lanewise. Errors that a user's code can catch by a builtin class (ValueError,
IndexError, NotImplementedError, ...) are raised as such; these are the others."""

from lanewise._core import (
    CompileError,
    DeviceUnavailable,
    DriverError,
    InternalError,
    KernelRuntimeError,
    LanewiseError,
    LoweringError,
    OutOfMemoryError,
    TypingError,
    UnsupportedError,
)


class LanewiseWarning(Warning):
    """The base of the warnings below."""


class PerformanceWarning(LanewiseWarning):
    """Correct, but slower than it could be."""


class PromotionWarning(PerformanceWarning):
    """float32 code in a kernel computes in float64."""


class CompilerWarning(LanewiseWarning):
    """What a compiler had to say about a kernel that it accepted."""


class CacheWarning(LanewiseWarning):
    """The disk cache of compiled kernels cannot be used."""


class InvalidConfigWarning(LanewiseWarning):
    """Options that contradict each other."""


class OptionError(LanewiseError):
    """An option that no longer exists."""


__all__ = [
    "CacheWarning",
    "CompileError",
    "CompilerWarning",
    "DeviceUnavailable",
    "DriverError",
    "InternalError",
    "InvalidConfigWarning",
    "KernelRuntimeError",
    "LanewiseError",
    "LanewiseWarning",
    "LoweringError",
    "OptionError",
    "OutOfMemoryError",
    "PerformanceWarning",
    "PromotionWarning",
    "TypingError",
    "UnsupportedError",
]
