// Intrinsics, atomics and warp functions exist with nvcc's types.
#include "same.h"

#define ROUNDED(R, NAME, ...)            \
    SAME(__##NAME##_rn(__VA_ARGS__), R); \
    SAME(__##NAME##_rz(__VA_ARGS__), R); \
    SAME(__##NAME##_ru(__VA_ARGS__), R); \
    SAME(__##NAME##_rd(__VA_ARGS__), R);

// Within a function: nvcc sees the device's functions from there.
__device__ void conversions() {
    ROUNDED(int, float2int, of<float>())
    ROUNDED(unsigned, float2uint, of<float>())
    ROUNDED(long long, float2ll, of<float>())
    ROUNDED(unsigned long long, float2ull, of<float>())
    ROUNDED(int, double2int, of<double>())
    ROUNDED(unsigned, double2uint, of<double>())
    ROUNDED(long long, double2ll, of<double>())
    ROUNDED(unsigned long long, double2ull, of<double>())
    ROUNDED(float, double2float, of<double>())
    ROUNDED(float, int2float, of<int>())
    ROUNDED(float, uint2float, of<unsigned>())
    ROUNDED(float, ll2float, of<long long>())
    ROUNDED(float, ull2float, of<unsigned long long>())
    ROUNDED(double, ll2double, of<long long>())
    ROUNDED(double, ull2double, of<unsigned long long>())
    SAME(__int2double_rn(of<int>()), double);
    SAME(__uint2double_rn(of<unsigned>()), double);
    SAME(__double2hiint(of<double>()), int);
    SAME(__double2loint(of<double>()), int);
    SAME(__hiloint2double(of<int>(), of<int>()), double);
    SAME(__double_as_longlong(of<double>()), long long);
    SAME(__longlong_as_double(of<long long>()), double);
    SAME(__float_as_int(of<float>()), int);
    SAME(__float_as_uint(of<float>()), unsigned);
    SAME(__int_as_float(of<int>()), float);
    SAME(__uint_as_float(of<unsigned>()), float);
}

__device__ void arithmetic() {
    ROUNDED(float, fadd, of<float>(), of<float>())
    ROUNDED(float, fsub, of<float>(), of<float>())
    ROUNDED(float, fmul, of<float>(), of<float>())
    ROUNDED(float, fdiv, of<float>(), of<float>())
    ROUNDED(float, fmaf, of<float>(), of<float>(), of<float>())
    ROUNDED(float, fmaf_ieee, of<float>(), of<float>(), of<float>())
    ROUNDED(float, frcp, of<float>())
    ROUNDED(float, fsqrt, of<float>())
    ROUNDED(double, dadd, of<double>(), of<double>())
    ROUNDED(double, dsub, of<double>(), of<double>())
    ROUNDED(double, dmul, of<double>(), of<double>())
    ROUNDED(double, ddiv, of<double>(), of<double>())
    ROUNDED(double, fma, of<double>(), of<double>(), of<double>())
    ROUNDED(double, drcp, of<double>())
    ROUNDED(double, dsqrt, of<double>())
    SAME(__frsqrt_rn(of<float>()), float);
    SAME(__sinf(of<float>()), float);
    SAME(__cosf(of<float>()), float);
    SAME(__tanf(of<float>()), float);
    SAME(__tanhf(of<float>()), float);
    SAME(__sincosf(of<float>(), of<float*>(), of<float*>()), void);
    SAME(__expf(of<float>()), float);
    SAME(__exp10f(of<float>()), float);
    SAME(__logf(of<float>()), float);
    SAME(__log2f(of<float>()), float);
    SAME(__log10f(of<float>()), float);
    SAME(__powf(of<float>(), of<float>()), float);
    SAME(__fdividef(of<float>(), of<float>()), float);
    SAME(fdividef(of<float>(), of<float>()), float);
    SAME(__saturatef(of<float>()), float);
}

__device__ void integers() {
    SAME(__clz(of<int>()), int);
    SAME(__clzll(of<long long>()), int);
    SAME(__popc(of<unsigned>()), int);
    SAME(__popcll(of<unsigned long long>()), int);
    SAME(__ffs(of<int>()), int);
    SAME(__ffsll(of<long long>()), int);
    SAME(__brev(of<unsigned>()), unsigned);
    SAME(__brevll(of<unsigned long long>()), unsigned long long);
    SAME(__byte_perm(of<unsigned>(), of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__mul24(of<int>(), of<int>()), int);
    SAME(__umul24(of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__mulhi(of<int>(), of<int>()), int);
    SAME(__umulhi(of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__mul64hi(of<long long>(), of<long long>()), long long);
    SAME(__umul64hi(of<unsigned long long>(), of<unsigned long long>()), unsigned long long);
    SAME(__sad(of<int>(), of<int>(), of<unsigned>()), unsigned);
    SAME(__usad(of<unsigned>(), of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__hadd(of<int>(), of<int>()), int);
    SAME(__rhadd(of<int>(), of<int>()), int);
    SAME(__uhadd(of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__urhadd(of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__fns(of<unsigned>(), of<unsigned>(), of<int>()), unsigned);
    SAME(__funnelshift_l(of<unsigned>(), of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__funnelshift_r(of<unsigned>(), of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__funnelshift_lc(of<unsigned>(), of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__funnelshift_rc(of<unsigned>(), of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__dp4a(of<int>(), of<int>(), of<int>()), int);
    SAME(__dp4a(of<unsigned>(), of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__dp4a(of<char4>(), of<char4>(), of<int>()), int);
    SAME(__dp4a(of<uchar4>(), of<uchar4>(), of<unsigned>()), unsigned);
    SAME(__dp2a_lo(of<int>(), of<int>(), of<int>()), int);
    SAME(__dp2a_lo(of<unsigned>(), of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__dp2a_lo(of<short2>(), of<char4>(), of<int>()), int);
    SAME(__dp2a_hi(of<ushort2>(), of<uchar4>(), of<unsigned>()), unsigned);
}

template <class T>
__device__ void shuffle() {
    SAME(__shfl_sync(~0u, of<T>(), 1), T);
    SAME(__shfl_up_sync(~0u, of<T>(), 1, 16), T);
    SAME(__shfl_down_sync(~0u, of<T>(), 1, 8), T);
    SAME(__shfl_xor_sync(~0u, of<T>(), 1), T);
}
template <class T>
__device__ void match() {
    SAME(__match_any_sync(~0u, of<T>()), unsigned);
    SAME(__match_all_sync(~0u, of<T>(), of<int*>()), unsigned);
}

__device__ void warp() {
    shuffle<int>(), shuffle<unsigned>(), shuffle<long>(), shuffle<unsigned long>();
    shuffle<long long>(), shuffle<unsigned long long>(), shuffle<float>(), shuffle<double>();
    match<int>(), match<unsigned>(), match<long>(), match<unsigned long>();
    match<long long>(), match<unsigned long long>(), match<float>(), match<double>();
    SAME(__activemask(), unsigned);
    SAME(__syncwarp(), void);
    SAME(__syncwarp(~0u), void);
    SAME(__all_sync(~0u, 1), int);
    SAME(__any_sync(~0u, 1), int);
    SAME(__uni_sync(~0u, 1), int);
    SAME(__ballot_sync(~0u, 1), unsigned);
    SAME(__reduce_add_sync(~0u, of<int>()), int);
    SAME(__reduce_min_sync(~0u, of<int>()), int);
    SAME(__reduce_max_sync(~0u, of<int>()), int);
    SAME(__reduce_add_sync(~0u, of<unsigned>()), unsigned);
    SAME(__reduce_min_sync(~0u, of<unsigned>()), unsigned);
    SAME(__reduce_max_sync(~0u, of<unsigned>()), unsigned);
    SAME(__reduce_and_sync(~0u, of<unsigned>()), unsigned);
    SAME(__reduce_or_sync(~0u, of<unsigned>()), unsigned);
    SAME(__reduce_xor_sync(~0u, of<unsigned>()), unsigned);
}

__device__ void block() {
    SAME(__syncthreads(), void);
    SAME(__syncthreads_count(1), int);
    SAME(__syncthreads_and(1), int);
    SAME(__syncthreads_or(1), int);
    SAME(__threadfence(), void);
    SAME(__threadfence_block(), void);
    SAME(__threadfence_system(), void);
    SAME(clock(), clock_t);
    SAME(clock64(), long long);
    SAME(__nanosleep(1), void);
    SAME(__trap(), void);
    SAME(__brkpt(), void);
}

#define ATOMIC(NAME, T)                       \
    SAME(NAME(of<T*>(), of<T>()), T);         \
    SAME(NAME##_block(of<T*>(), of<T>()), T); \
    SAME(NAME##_system(of<T*>(), of<T>()), T);
#define ATOMIC_CAS(T)                                     \
    SAME(atomicCAS(of<T*>(), of<T>(), of<T>()), T);       \
    SAME(atomicCAS_block(of<T*>(), of<T>(), of<T>()), T); \
    SAME(atomicCAS_system(of<T*>(), of<T>(), of<T>()), T);

__device__ void atomics() {
    ATOMIC(atomicAdd, int)
    ATOMIC(atomicAdd, unsigned)
    ATOMIC(atomicAdd, unsigned long long)
    ATOMIC(atomicAdd, float)
    ATOMIC(atomicAdd, double)
    ATOMIC(atomicSub, int)
    ATOMIC(atomicSub, unsigned)
    ATOMIC(atomicExch, int)
    ATOMIC(atomicExch, unsigned)
    ATOMIC(atomicExch, unsigned long long)
    ATOMIC(atomicExch, float)
    ATOMIC(atomicMin, int)
    ATOMIC(atomicMin, unsigned)
    ATOMIC(atomicMin, long long)
    ATOMIC(atomicMin, unsigned long long)
    ATOMIC(atomicMax, int)
    ATOMIC(atomicMax, unsigned)
    ATOMIC(atomicMax, long long)
    ATOMIC(atomicMax, unsigned long long)
    ATOMIC(atomicInc, unsigned)
    ATOMIC(atomicDec, unsigned)
    ATOMIC(atomicAnd, int)
    ATOMIC(atomicAnd, unsigned)
    ATOMIC(atomicAnd, unsigned long long)
    ATOMIC(atomicOr, int)
    ATOMIC(atomicOr, unsigned)
    ATOMIC(atomicOr, unsigned long long)
    ATOMIC(atomicXor, int)
    ATOMIC(atomicXor, unsigned)
    ATOMIC(atomicXor, unsigned long long)
    ATOMIC_CAS(int)
    ATOMIC_CAS(unsigned)
    ATOMIC_CAS(unsigned long long)
    SAME(atomicCAS(of<unsigned short*>(), of<unsigned short>(), of<unsigned short>()), unsigned short);
}

template <class T>
__device__ void cached() {
    SAME(__ldg(of<const T*>()), T);
    SAME(__ldca(of<const T*>()), T);
    SAME(__ldcg(of<const T*>()), T);
    SAME(__ldcs(of<const T*>()), T);
    SAME(__ldlu(of<const T*>()), T);
    SAME(__ldcv(of<const T*>()), T);
    SAME(__stwb(of<T*>(), of<T>()), void);
    SAME(__stcg(of<T*>(), of<T>()), void);
    SAME(__stcs(of<T*>(), of<T>()), void);
    SAME(__stwt(of<T*>(), of<T>()), void);
}

__device__ void memory() {
    cached<char>(), cached<signed char>(), cached<short>(), cached<int>(), cached<long>(), cached<long long>();
    cached<unsigned char>(), cached<unsigned short>(), cached<unsigned>(), cached<unsigned long>();
    cached<unsigned long long>(), cached<float>(), cached<double>();
    cached<char2>(), cached<char4>(), cached<short2>(), cached<short4>(), cached<int2>(), cached<int4>();
    cached<uchar2>(), cached<uchar4>(), cached<ushort2>(), cached<ushort4>(), cached<uint2>(), cached<uint4>();
    cached<float2>(), cached<float4>(), cached<double2>(), cached<longlong2>(), cached<ulonglong2>();
    SAME(__isGlobal(of<const void*>()), unsigned);
    SAME(__isShared(of<const void*>()), unsigned);
    SAME(__isConstant(of<const void*>()), unsigned);
    SAME(__isLocal(of<const void*>()), unsigned);
    SAME(__cvta_generic_to_shared(of<const void*>()), size_t);
    SAME(__cvta_shared_to_generic(of<size_t>()), void*);
    SAME(__cvta_generic_to_global(of<const void*>()), size_t);
    SAME(__cvta_global_to_generic(of<size_t>()), void*);
    SAME(__cvta_generic_to_constant(of<const void*>()), size_t);
    SAME(__cvta_generic_to_local(of<const void*>()), size_t);
    SAME(malloc(of<size_t>()), void*);
    SAME(free(of<void*>()), void);
    SAME(printf("%d", 1), int);
    SAME(memcpy(of<void*>(), of<const void*>(), of<size_t>()), void*);
    SAME(memset(of<void*>(), 0, of<size_t>()), void*);
}
