// The 8-bit floating-point types have nvcc's types and conversions.
#include <cuda_fp8.h>

#include "same.h"

template <class Q, class Q2, class Q4>
__device__ void both() {
    static_assert(sizeof(Q) == 1 && sizeof(Q2) == 2 && sizeof(Q4) == 4, "");
    Q q(1.5f), from_double(2.0), from_half(__half(1.0f)), from_bfloat(__nv_bfloat16(1.0f)), from_int(3);
    Q2 pair(float2{1, 2}), from_half2(__half2(__half(1.0f), __half(2.0f)));
    Q4 four(float4{1, 2, 3, 4});
    SAME(static_cast<float>(q), float);
    SAME(static_cast<__half>(q), __half);
    SAME(static_cast<__nv_bfloat16>(q), __nv_bfloat16);
    SAME(static_cast<int>(q), int);
    SAME(static_cast<float2>(pair), float2);
    SAME(static_cast<__half2>(pair), __half2);
    SAME(static_cast<float4>(four), float4);
    SAME(q.__x, __nv_fp8_storage_t);
    SAME(pair.__x, __nv_fp8x2_storage_t);
    SAME(four.__x, __nv_fp8x4_storage_t);
}

__global__ void all() {
    both<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>();
    both<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>();
    SAME(__nv_cvt_float_to_fp8(1.0f, __NV_SATFINITE, __NV_E4M3), __nv_fp8_storage_t);
    SAME(__nv_cvt_double_to_fp8(1.0, __NV_NOSAT, __NV_E5M2), __nv_fp8_storage_t);
    SAME(__nv_cvt_float2_to_fp8x2(of<float2>(), __NV_NOSAT, __NV_E5M2), __nv_fp8x2_storage_t);
    SAME(__nv_cvt_halfraw_to_fp8(of<__half_raw>(), __NV_NOSAT, __NV_E5M2), __nv_fp8_storage_t);
    SAME(__nv_cvt_halfraw2_to_fp8x2(of<__half2_raw>(), __NV_NOSAT, __NV_E5M2), __nv_fp8x2_storage_t);
    SAME(__nv_cvt_bfloat16raw_to_fp8(of<__nv_bfloat16_raw>(), __NV_NOSAT, __NV_E5M2), __nv_fp8_storage_t);
    SAME(__nv_cvt_fp8_to_halfraw(of<__nv_fp8_storage_t>(), __NV_E4M3), __half_raw);
    SAME(__nv_cvt_fp8x2_to_halfraw2(of<__nv_fp8x2_storage_t>(), __NV_E4M3), __half2_raw);
}
