"""cupy.cuda.driver: the parts of CUDA's driver that programs ask for."""

from lanewise.compat.cupy.cuda._errors import CUDADriverError
from lanewise.cuda.devices import driver_version

CU_STREAM_PER_THREAD = 2


def get_build_version():
    """The CUDA version whose names the face has."""
    return 13000


def driverGetVersion():
    """The newest CUDA version that the driver supports, 1000 * major + 10 * minor."""
    major, minor = driver_version() or (13, 0)
    return 1000 * major + 10 * minor
