"""numba.cuda.cudadrv.runtime: there is no CUDA runtime library; the driver's version stands for it."""

from lanewise.compat.numba.cuda.cudadrv.driver import driver


class Runtime:
    """Numba's runtime object, as far as programs ask it for facts."""

    supported_versions = ((11, 0), (12, 0), (13, 0))

    def get_version(self):
        return driver.get_version()

    def is_supported_version(self):
        return True


runtime = Runtime()
