"""numba.cuda.cudadrv: what programs take from Numba's driver layer."""
