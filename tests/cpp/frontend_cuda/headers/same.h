// SAME(expression, type): the expression's type is exactly that. For tests that nvcc compiles as well.
#pragma once

template <class T, class U>
struct SameType {
    static constexpr bool value = false;
};
template <class T>
struct SameType<T, T> {
    static constexpr bool value = true;
};
#define SAME(EXPRESSION, ...) static_assert(SameType<decltype(EXPRESSION), __VA_ARGS__>::value, #EXPRESSION)

template <class T>
__host__ __device__ T of();
