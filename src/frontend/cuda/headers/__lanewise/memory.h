// Loads and stores with cache hints, and the spaces of addresses.
#pragma once

// The word that holds an object of a size; the read-only path loads it.
template <int Size>
struct __lanewise_word;
#define __LANEWISE_WORD(SIZE, TYPE, BUILTIN)                                \
    template <>                                                             \
    struct __lanewise_word<SIZE> {                                          \
        typedef TYPE type;                                                  \
        typedef TYPE __attribute__((may_alias)) alias;                      \
        __LANEWISE_DEVICE static type load_read_only(const void* address) { \
            return BUILTIN(static_cast<const type*>(address));              \
        }                                                                   \
    };
typedef int __lanewise_int2 __attribute__((ext_vector_type(2)));
typedef int __lanewise_int4 __attribute__((ext_vector_type(4)));
__LANEWISE_WORD(1, signed char, __nvvm_ldg_sc)
__LANEWISE_WORD(2, short, __nvvm_ldg_s)
__LANEWISE_WORD(4, int, __nvvm_ldg_i)
__LANEWISE_WORD(8, __lanewise_int2, __nvvm_ldg_i2)
__LANEWISE_WORD(16, __lanewise_int4, __nvvm_ldg_i4)
#undef __LANEWISE_WORD

template <class T>
__LANEWISE_DEVICE T __ldg(const T* address) {
    return __builtin_bit_cast(T, __lanewise_word<sizeof(T)>::load_read_only(address));
}
template <class T>
__LANEWISE_DEVICE T __ldca(const T* address) {
    return *address;
}
template <class T>
__LANEWISE_DEVICE T __ldcs(const T* address) {
    return *address;
}
template <class T>
__LANEWISE_DEVICE T __ldlu(const T* address) {
    return *address;
}
// Past the first-level cache, so that other blocks' stores are seen.
template <class T>
__LANEWISE_DEVICE T __ldcg(const T* address) {
    typedef typename __lanewise_word<sizeof(T)>::alias word;
    const word value = *reinterpret_cast<const volatile word*>(address);
    return __builtin_bit_cast(T, value);
}
template <class T>
__LANEWISE_DEVICE T __ldcv(const T* address) {
    return __ldcg(address);
}

// The value's type is the address's alone, as in NVIDIA's functions for each type.
template <class T>
struct __lanewise_same {
    typedef T type;
};
template <class T>
__LANEWISE_DEVICE void __stwb(T* address, typename __lanewise_same<T>::type value) {
    *address = value;
}
template <class T>
__LANEWISE_DEVICE void __stcg(T* address, typename __lanewise_same<T>::type value) {
    *address = value;
}
template <class T>
__LANEWISE_DEVICE void __stcs(T* address, typename __lanewise_same<T>::type value) {
    *address = value;
}
// Through all caches.
template <class T>
__LANEWISE_DEVICE void __stwt(T* address, typename __lanewise_same<T>::type value) {
    typedef typename __lanewise_word<sizeof(T)>::alias word;
    *reinterpret_cast<volatile word*>(address) = __builtin_bit_cast(typename __lanewise_word<sizeof(T)>::type, value);
}

__LANEWISE_DEVICE unsigned __isGlobal(const void* address) {
    return __nvvm_isspacep_global(address);
}
__LANEWISE_DEVICE unsigned __isShared(const void* address) {
    return __nvvm_isspacep_shared(address);
}
__LANEWISE_DEVICE unsigned __isConstant(const void* address) {
    return __nvvm_isspacep_const(address);
}
__LANEWISE_DEVICE unsigned __isLocal(const void* address) {
    return __nvvm_isspacep_local(address);
}

// Addresses within a space, and back.
#define __LANEWISE_SPACE(NAME, NUMBER)                                              \
    __LANEWISE_DEVICE size_t __cvta_generic_to_##NAME(const void* address) {        \
        return (size_t)(const __attribute__((address_space(NUMBER))) void*)address; \
    }                                                                               \
    __LANEWISE_DEVICE void* __cvta_##NAME##_to_generic(size_t address) {            \
        return (void*)(__attribute__((address_space(NUMBER))) void*)address;        \
    }
__LANEWISE_SPACE(global, 1)
__LANEWISE_SPACE(shared, 3)
__LANEWISE_SPACE(constant, 4)
__LANEWISE_SPACE(local, 5)
#undef __LANEWISE_SPACE
