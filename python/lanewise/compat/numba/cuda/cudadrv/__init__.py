"""numba.cuda.cudadrv: what programs take from Numba's driver layer."""

from lanewise.compat.numba.cuda.cudadrv import devicearray, devices, driver, error, runtime
