// Atomic functions: relaxed, of device scope; those for a block alone have the same scope, which includes it.
#pragma once

#define __LANEWISE_ATOMIC(NAME, OPERATION, T)                                   \
    __LANEWISE_YIELDING __LANEWISE_DEVICE T NAME(T* address, T value) {         \
        return OPERATION(address, value, __ATOMIC_RELAXED);                     \
    }                                                                           \
    __LANEWISE_YIELDING __LANEWISE_DEVICE T NAME##_block(T* address, T value) { \
        return OPERATION(address, value, __ATOMIC_RELAXED);                     \
    }

#define __LANEWISE_ATOMIC_SYSTEM(NAME, T, C, BUILTIN)                                                           \
    __LANEWISE_YIELDING __LANEWISE_DEVICE T NAME##_system(T* address, T value) {                                \
        return static_cast<T>(__nvvm_atom_sys_##BUILTIN(reinterpret_cast<C*>(address), static_cast<C>(value))); \
    }

__LANEWISE_ATOMIC(atomicAdd, __atomic_fetch_add, int)
__LANEWISE_ATOMIC(atomicAdd, __atomic_fetch_add, unsigned)
__LANEWISE_ATOMIC(atomicAdd, __atomic_fetch_add, unsigned long long)
__LANEWISE_ATOMIC(atomicAdd, __atomic_fetch_add, float)
__LANEWISE_ATOMIC(atomicAdd, __atomic_fetch_add, double)
__LANEWISE_ATOMIC(atomicSub, __atomic_fetch_sub, int)
__LANEWISE_ATOMIC(atomicSub, __atomic_fetch_sub, unsigned)
__LANEWISE_ATOMIC(atomicExch, __atomic_exchange_n, int)
__LANEWISE_ATOMIC(atomicExch, __atomic_exchange_n, unsigned)
__LANEWISE_ATOMIC(atomicExch, __atomic_exchange_n, unsigned long long)
__LANEWISE_ATOMIC(atomicMin, __atomic_fetch_min, int)
__LANEWISE_ATOMIC(atomicMin, __atomic_fetch_min, unsigned)
__LANEWISE_ATOMIC(atomicMin, __atomic_fetch_min, long long)
__LANEWISE_ATOMIC(atomicMin, __atomic_fetch_min, unsigned long long)
__LANEWISE_ATOMIC(atomicMax, __atomic_fetch_max, int)
__LANEWISE_ATOMIC(atomicMax, __atomic_fetch_max, unsigned)
__LANEWISE_ATOMIC(atomicMax, __atomic_fetch_max, long long)
__LANEWISE_ATOMIC(atomicMax, __atomic_fetch_max, unsigned long long)
#define __LANEWISE_ATOMIC_BITS(T)                       \
    __LANEWISE_ATOMIC(atomicAnd, __atomic_fetch_and, T) \
    __LANEWISE_ATOMIC(atomicOr, __atomic_fetch_or, T)   \
    __LANEWISE_ATOMIC(atomicXor, __atomic_fetch_xor, T)
__LANEWISE_ATOMIC_BITS(int)
__LANEWISE_ATOMIC_BITS(unsigned)
__LANEWISE_ATOMIC_BITS(long long)
__LANEWISE_ATOMIC_BITS(unsigned long long)

// Compare and swap, with the value before.
#define __LANEWISE_ATOMIC_CAS(NAME, T)                                                                    \
    __LANEWISE_YIELDING __LANEWISE_DEVICE T NAME(T* address, T compare, T value) {                        \
        __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return compare;                                                                                   \
    }
#define __LANEWISE_ATOMIC_CAS_SCOPES(T) __LANEWISE_ATOMIC_CAS(atomicCAS, T) __LANEWISE_ATOMIC_CAS(atomicCAS_block, T)
__LANEWISE_ATOMIC_CAS_SCOPES(int)
__LANEWISE_ATOMIC_CAS_SCOPES(unsigned)
__LANEWISE_ATOMIC_CAS_SCOPES(unsigned long long)
__LANEWISE_ATOMIC_CAS(atomicCAS, unsigned short)

#define __LANEWISE_ATOMIC_WRAP(NAME, BUILTIN)                                                        \
    __LANEWISE_YIELDING __LANEWISE_DEVICE unsigned NAME(unsigned* address, unsigned limit) {         \
        return BUILTIN(address, limit);                                                              \
    }                                                                                                \
    __LANEWISE_YIELDING __LANEWISE_DEVICE unsigned NAME##_block(unsigned* address, unsigned limit) { \
        return BUILTIN(address, limit);                                                              \
    }
__LANEWISE_ATOMIC_WRAP(atomicInc, __nvvm_atom_inc_gen_ui)
__LANEWISE_ATOMIC_WRAP(atomicDec, __nvvm_atom_dec_gen_ui)

#define __LANEWISE_ATOMIC_FLOAT_EXCHANGE(NAME)                                                      \
    __LANEWISE_YIELDING __LANEWISE_DEVICE float NAME(float* address, float value) {                 \
        return __uint_as_float(NAME(reinterpret_cast<unsigned*>(address), __float_as_uint(value))); \
    }
__LANEWISE_ATOMIC_FLOAT_EXCHANGE(atomicExch)
__LANEWISE_ATOMIC_FLOAT_EXCHANGE(atomicExch_block)

// Of system scope: seen by the host and by other devices.
__LANEWISE_ATOMIC_SYSTEM(atomicAdd, int, int, add_gen_i)
__LANEWISE_ATOMIC_SYSTEM(atomicAdd, unsigned, int, add_gen_i)
__LANEWISE_ATOMIC_SYSTEM(atomicAdd, unsigned long long, long long, add_gen_ll)
__LANEWISE_ATOMIC_SYSTEM(atomicAdd, float, float, add_gen_f)
__LANEWISE_ATOMIC_SYSTEM(atomicAdd, double, double, add_gen_d)
__LANEWISE_ATOMIC_SYSTEM(atomicExch, int, int, xchg_gen_i)
__LANEWISE_ATOMIC_SYSTEM(atomicExch, unsigned, int, xchg_gen_i)
__LANEWISE_ATOMIC_SYSTEM(atomicExch, unsigned long long, long long, xchg_gen_ll)
__LANEWISE_ATOMIC_FLOAT_EXCHANGE(atomicExch_system)
__LANEWISE_ATOMIC_SYSTEM(atomicMin, int, int, min_gen_i)
__LANEWISE_ATOMIC_SYSTEM(atomicMax, int, int, max_gen_i)
__LANEWISE_ATOMIC_SYSTEM(atomicMin, long long, long long, min_gen_ll)
__LANEWISE_ATOMIC_SYSTEM(atomicMax, long long, long long, max_gen_ll)
#define __LANEWISE_ATOMIC_BITS_SYSTEM(T, C, SUFFIX)             \
    __LANEWISE_ATOMIC_SYSTEM(atomicAnd, T, C, and_gen_##SUFFIX) \
    __LANEWISE_ATOMIC_SYSTEM(atomicOr, T, C, or_gen_##SUFFIX)   \
    __LANEWISE_ATOMIC_SYSTEM(atomicXor, T, C, xor_gen_##SUFFIX)
__LANEWISE_ATOMIC_BITS_SYSTEM(int, int, i)
__LANEWISE_ATOMIC_BITS_SYSTEM(unsigned, int, i)
__LANEWISE_ATOMIC_BITS_SYSTEM(long long, long long, ll)
__LANEWISE_ATOMIC_BITS_SYSTEM(unsigned long long, long long, ll)

__LANEWISE_YIELDING __LANEWISE_DEVICE int atomicSub_system(int* address, int value) {
    return atomicAdd_system(address, -value);
}
__LANEWISE_YIELDING __LANEWISE_DEVICE unsigned atomicSub_system(unsigned* address, unsigned value) {
    return atomicAdd_system(address, 0u - value);
}
__LANEWISE_YIELDING __LANEWISE_DEVICE int atomicCAS_system(int* address, int compare, int value) {
    return __nvvm_atom_sys_cas_gen_i(address, compare, value);
}
__LANEWISE_YIELDING __LANEWISE_DEVICE unsigned atomicCAS_system(unsigned* address, unsigned compare, unsigned value) {
    return __nvvm_atom_sys_cas_gen_i(reinterpret_cast<int*>(address), compare, value);
}
__LANEWISE_YIELDING __LANEWISE_DEVICE unsigned long long atomicCAS_system(unsigned long long* address,
                                                                          unsigned long long compare,
                                                                          unsigned long long value) {
    return __nvvm_atom_sys_cas_gen_ll(reinterpret_cast<long long*>(address), compare, value);
}

// What has no instruction of system scope within reach: compare and swap until nothing came between.
#define __LANEWISE_ATOMIC_LOOP(NAME, T, NEXT)                                    \
    __LANEWISE_YIELDING __LANEWISE_DEVICE T NAME##_system(T* address, T value) { \
        T old = *static_cast<volatile T*>(address);                              \
        for (;;) {                                                               \
            const T seen = atomicCAS_system(address, old, NEXT);                 \
            if (seen == old) return old;                                         \
            old = seen;                                                          \
        }                                                                        \
    }
__LANEWISE_ATOMIC_LOOP(atomicMin, unsigned, old < value ? old : value)
__LANEWISE_ATOMIC_LOOP(atomicMax, unsigned, old > value ? old : value)
__LANEWISE_ATOMIC_LOOP(atomicMin, unsigned long long, old < value ? old : value)
__LANEWISE_ATOMIC_LOOP(atomicMax, unsigned long long, old > value ? old : value)
__LANEWISE_ATOMIC_LOOP(atomicInc, unsigned, old >= value ? 0 : old + 1)
__LANEWISE_ATOMIC_LOOP(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)

// Vectors: one addition for each element.
#define __LANEWISE_ATOMIC_VECTOR(NAME)                                                              \
    __LANEWISE_YIELDING __LANEWISE_DEVICE float2 NAME(float2* address, float2 value) {              \
        return {NAME(&address->x, value.x), NAME(&address->y, value.y)};                            \
    }                                                                                               \
    __LANEWISE_YIELDING __LANEWISE_DEVICE float4 NAME(float4* address, float4 value) {              \
        return {NAME(&address->x, value.x), NAME(&address->y, value.y), NAME(&address->z, value.z), \
                NAME(&address->w, value.w)};                                                        \
    }
__LANEWISE_ATOMIC_VECTOR(atomicAdd)
__LANEWISE_ATOMIC_VECTOR(atomicAdd_block)
__LANEWISE_ATOMIC_VECTOR(atomicAdd_system)
#undef __LANEWISE_ATOMIC_VECTOR

#undef __LANEWISE_ATOMIC
#undef __LANEWISE_ATOMIC_SYSTEM
#undef __LANEWISE_ATOMIC_BITS
#undef __LANEWISE_ATOMIC_BITS_SYSTEM
#undef __LANEWISE_ATOMIC_CAS
#undef __LANEWISE_ATOMIC_CAS_SCOPES
#undef __LANEWISE_ATOMIC_WRAP
#undef __LANEWISE_ATOMIC_FLOAT_EXCHANGE
#undef __LANEWISE_ATOMIC_LOOP
