// CUDA's keywords as clang's attributes.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// Requests that change no result: parameters are read in place anyway, and registers are the assembler's matter.
#define __grid_constant__
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __nv_pure__ __attribute__((pure))
#define __tile_global__ __global__

#define __cudart_builtin__
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __no_return__ __attribute__((noreturn))
#define __annotate__(...)
#define __location__(what) __attribute__((what))
#define __CUDA_HOSTDEVICE__ __host__ __device__
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#define __assume(condition) __builtin_assume(condition)

// How these headers declare things: a function of the device, one of both sides, and the same without side effects,
// whose calls may be merged.
#define __LANEWISE_DEVICE __attribute__((device, always_inline)) inline
#define __LANEWISE_BOTH __attribute__((host, device, always_inline)) inline
#define __LANEWISE_EXTERN __attribute__((device))
#define __LANEWISE_EXTERN_BOTH __attribute__((host, device))
#define __LANEWISE_PURE __attribute__((device, const))
#define __LANEWISE_PURE_BOTH __attribute__((host, device, const))
// A template of nothing: it gives way to a function of the program's own with the same parameters, as what NVRTC and
// nvcc build in does.
#define __LANEWISE_YIELDING template <int = 0>
// constexpr from the standard on that lets such functions have statements.
#if __cplusplus >= 201402L
#define __LANEWISE_CONSTEXPR constexpr
#else
#define __LANEWISE_CONSTEXPR
#endif
#define __LANEWISE_NOEXCEPT __attribute__((nothrow))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;
