// What the headers here ask of types.
#pragma once

extern "C++" {
template <class T>
struct __lanewise_is_integer {
    static constexpr bool value = false;
};
template <class T>
struct __lanewise_is_number {
    static constexpr bool value = __lanewise_is_integer<T>::value;
};
#define __LANEWISE_TRUE(trait, type)        \
    template <>                             \
    struct trait<type> {                    \
        static constexpr bool value = true; \
    };
__LANEWISE_TRUE(__lanewise_is_integer, bool)
__LANEWISE_TRUE(__lanewise_is_integer, char)
__LANEWISE_TRUE(__lanewise_is_integer, signed char)
__LANEWISE_TRUE(__lanewise_is_integer, unsigned char)
__LANEWISE_TRUE(__lanewise_is_integer, short)
__LANEWISE_TRUE(__lanewise_is_integer, unsigned short)
__LANEWISE_TRUE(__lanewise_is_integer, int)
__LANEWISE_TRUE(__lanewise_is_integer, unsigned)
__LANEWISE_TRUE(__lanewise_is_integer, long)
__LANEWISE_TRUE(__lanewise_is_integer, unsigned long)
__LANEWISE_TRUE(__lanewise_is_integer, long long)
__LANEWISE_TRUE(__lanewise_is_integer, unsigned long long)
__LANEWISE_TRUE(__lanewise_is_number, float)
__LANEWISE_TRUE(__lanewise_is_number, double)
#undef __LANEWISE_TRUE
template <bool condition, class T>
struct __lanewise_if {};
template <class T>
struct __lanewise_if<true, T> {
    using type = T;
};
}
