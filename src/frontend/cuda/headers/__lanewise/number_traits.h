// What the headers here ask of types. Also given to NVRTC.
#pragma once

extern "C++" {
template <class T>
struct __lanewise_is_integer {
    static constexpr bool value = false;
};
#define __LANEWISE_INTEGER(T)               \
    template <>                             \
    struct __lanewise_is_integer<T> {       \
        static constexpr bool value = true; \
    };
__LANEWISE_INTEGER(bool)
__LANEWISE_INTEGER(char)
__LANEWISE_INTEGER(signed char)
__LANEWISE_INTEGER(unsigned char)
__LANEWISE_INTEGER(wchar_t)
__LANEWISE_INTEGER(char16_t)
__LANEWISE_INTEGER(char32_t)
__LANEWISE_INTEGER(short)
__LANEWISE_INTEGER(unsigned short)
__LANEWISE_INTEGER(int)
__LANEWISE_INTEGER(unsigned)
__LANEWISE_INTEGER(long)
__LANEWISE_INTEGER(unsigned long)
__LANEWISE_INTEGER(long long)
__LANEWISE_INTEGER(unsigned long long)
#undef __LANEWISE_INTEGER

template <class T>
struct __lanewise_is_number {
    static constexpr bool value = __lanewise_is_integer<T>::value;
};
template <>
struct __lanewise_is_number<float> {
    static constexpr bool value = true;
};
template <>
struct __lanewise_is_number<double> {
    static constexpr bool value = true;
};

template <bool Condition, class T>
struct __lanewise_if {};
template <class T>
struct __lanewise_if<true, T> {
    using type = T;
};

template <class T, class U>
struct __lanewise_is_same {
    static constexpr bool value = false;
};
template <class T>
struct __lanewise_is_same<T, T> {
    static constexpr bool value = true;
};
}
