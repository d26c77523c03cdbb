// Half precision and bfloat16 have nvcc's types and functions.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "same.h"

template <class H, class H2, class Raw, class Raw2>
__device__ void both() {
    static_assert(sizeof(H) == 2 && alignof(H) == 2, "");
    static_assert(sizeof(H2) == 4 && alignof(H2) == 4, "");
    const H h(1.5f);
    const H2 v(h, h);
    SAME(h + h, H);
    SAME(h - h, H);
    SAME(h * h, H);
    SAME(h / h, H);
    SAME(-h, H);
    SAME(+h, H);
    SAME(of<H&>() += h, H&);
    SAME(of<H&>()++, H);
    SAME(++of<H&>(), H&);
    SAME(h < h, bool);
    SAME(h == h, bool);
    SAME(v + v, H2);
    SAME(v / v, H2);
    SAME(-v, H2);
    SAME(v == v, bool);
    SAME(of<H2&>() *= v, H2&);

#define UNARY(NAME)      \
    SAME(h##NAME(h), H); \
    SAME(h2##NAME(v), H2);
    UNARY(ceil)
    UNARY(cos)
    UNARY(exp)
    UNARY(exp10)
    UNARY(exp2)
    UNARY(floor)
    UNARY(log)
    UNARY(log10)
    UNARY(log2)
    UNARY(rcp)
    UNARY(rint)
    UNARY(rsqrt)
    UNARY(sin)
    UNARY(sqrt)
    UNARY(tanh)
    UNARY(tanh_approx)
    UNARY(trunc)

#define ARITHMETIC(NAME)             \
    SAME(__h##NAME(h, h), H);        \
    SAME(__h##NAME##_rn(h, h), H);   \
    SAME(__h##NAME##_sat(h, h), H);  \
    SAME(__h##NAME##2(v, v), H2);    \
    SAME(__h##NAME##2_rn(v, v), H2); \
    SAME(__h##NAME##2_sat(v, v), H2);
    ARITHMETIC(add)
    ARITHMETIC(sub)
    ARITHMETIC(mul)
    SAME(__hdiv(h, h), H);
    SAME(__h2div(v, v), H2);
    SAME(__hfma(h, h, h), H);
    SAME(__hfma_relu(h, h, h), H);
    SAME(__hfma_sat(h, h, h), H);
    SAME(__hfma2(v, v, v), H2);
    SAME(__hfma2_relu(v, v, v), H2);
    SAME(__hfma2_sat(v, v, v), H2);
    SAME(__hcmadd(v, v, v), H2);
    SAME(__hneg(h), H);
    SAME(__habs(h), H);
    SAME(__hneg2(v), H2);
    SAME(__habs2(v), H2);

#define COMPARE(NAME)                         \
    SAME(__h##NAME(h, h), bool);              \
    SAME(__h##NAME##u(h, h), bool);           \
    SAME(__h##NAME##2(v, v), H2);             \
    SAME(__h##NAME##u2(v, v), H2);            \
    SAME(__h##NAME##2_mask(v, v), unsigned);  \
    SAME(__h##NAME##u2_mask(v, v), unsigned); \
    SAME(__hb##NAME##2(v, v), bool);          \
    SAME(__hb##NAME##u2(v, v), bool);
    COMPARE(eq)
    COMPARE(ne)
    COMPARE(lt)
    COMPARE(le)
    COMPARE(gt)
    COMPARE(ge)
    SAME(__hisnan(h), bool);
    SAME(__hisinf(h), int);
    SAME(__hisnan2(v), H2);
    SAME(__hmin(h, h), H);
    SAME(__hmax(h, h), H);
    SAME(__hmin_nan(h, h), H);
    SAME(__hmax_nan(h, h), H);
    SAME(__hmin2(v, v), H2);
    SAME(__hmax2(v, v), H2);
    SAME(__hmin2_nan(v, v), H2);
    SAME(__hmax2_nan(v, v), H2);

    SAME(__low2float(v), float);
    SAME(__high2float(v), float);
    SAME(__lowhigh2highlow(v), H2);
    SAME(__shfl_sync(~0u, h, 1), H);
    SAME(__shfl_up_sync(~0u, h, 1, 16), H);
    SAME(__shfl_down_sync(~0u, v, 1), H2);
    SAME(__shfl_xor_sync(~0u, v, 1), H2);
    SAME(__ldg(of<const H*>()), H);
    SAME(__ldg(of<const H2*>()), H2);
    SAME(__ldcg(of<const H2*>()), H2);
    SAME(__stcs(of<H*>(), h), void);
    SAME(atomicAdd(of<H*>(), h), H);
    SAME(atomicAdd(of<H2*>(), v), H2);

    float f = h;
    const double d = h;
    const int i = h;
    const unsigned short s = h;
    const long long l = h;
    H from[] = {f, d, i, s, l, 2u, 3ull};
    from[0] = 1.0f, from[1] = 2.0, from[2] = 3, from[3] = 4ll;
    const Raw raw = h;
    const Raw2 raw2 = v;
    H back = raw;
    H2 back2 = raw2;
    back = back2.x;
    if (h) f += static_cast<float>(back);
}

#define CONVERSIONS(H, H2, N)                         \
    SAME(__float2##N(1.0f), H);                       \
    SAME(__float2##N##_rn(1.0f), H);                  \
    SAME(__float2##N##_rz(1.0f), H);                  \
    SAME(__float2##N##_ru(1.0f), H);                  \
    SAME(__float2##N##_rd(1.0f), H);                  \
    SAME(__double2##N(1.0), H);                       \
    SAME(__##N##2float(of<H>()), float);              \
    INTEGER(H, N, short, short)                       \
    INTEGER(H, N, ushort, unsigned short)             \
    INTEGER(H, N, int, int)                           \
    INTEGER(H, N, uint, unsigned)                     \
    INTEGER(H, N, ll, long long)                      \
    INTEGER(H, N, ull, unsigned long long)            \
    SAME(__##N##2char_rz(of<H>()), signed char);      \
    SAME(__##N##2uchar_rz(of<H>()), unsigned char);   \
    SAME(__##N##_as_short(of<H>()), short);           \
    SAME(__##N##_as_ushort(of<H>()), unsigned short); \
    SAME(__short_as_##N(of<short>()), H);             \
    SAME(__ushort_as_##N(of<unsigned short>()), H);   \
    SAME(make_##N##2(of<H>(), of<H>()), H2);          \
    SAME(__halves2##N##2(of<H>(), of<H>()), H2);      \
    SAME(__float2##N##2_rn(1.0f), H2);                \
    SAME(__floats2##N##2_rn(1.0f, 2.0f), H2);         \
    SAME(__float22##N##2_rn(of<float2>()), H2);       \
    SAME(__##N##22float2(of<H2>()), float2);          \
    SAME(__##N##2##N##2(of<H>()), H2);                \
    SAME(__low2##N(of<H2>()), H);                     \
    SAME(__high2##N(of<H2>()), H);                    \
    SAME(__low2##N##2(of<H2>()), H2);                 \
    SAME(__high2##N##2(of<H2>()), H2);                \
    SAME(__lows2##N##2(of<H2>(), of<H2>()), H2);      \
    SAME(__highs2##N##2(of<H2>(), of<H2>()), H2);
#define INTEGER(H, N, WORD, T)             \
    SAME(__##WORD##2##N##_rn(of<T>()), H); \
    SAME(__##WORD##2##N##_rz(of<T>()), H); \
    SAME(__##WORD##2##N##_ru(of<T>()), H); \
    SAME(__##WORD##2##N##_rd(of<T>()), H); \
    SAME(__##N##2##WORD##_rn(of<H>()), T); \
    SAME(__##N##2##WORD##_rz(of<H>()), T); \
    SAME(__##N##2##WORD##_ru(of<H>()), T); \
    SAME(__##N##2##WORD##_rd(of<H>()), T);

__global__ void all() {
    both<__half, __half2, __half_raw, __half2_raw>();
    both<__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __nv_bfloat162_raw>();
    CONVERSIONS(half, half2, half)
    CONVERSIONS(nv_bfloat16, nv_bfloat162, bfloat16)
    SAME(of<half>(), __half);
    SAME(of<nv_bfloat162>(), __nv_bfloat162);
}
