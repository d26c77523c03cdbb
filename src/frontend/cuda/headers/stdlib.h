// malloc(), free() and abs() need no #include.
#pragma once

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

extern "C++" {
struct div_t {
    int quot, rem;
};
struct ldiv_t {
    long quot, rem;
};
struct lldiv_t {
    long long quot, rem;
};
__LANEWISE_BOTH div_t div(int x, int y) {
    return {x / y, x % y};
}
__LANEWISE_BOTH ldiv_t div(long x, long y) {
    return {x / y, x % y};
}
__LANEWISE_BOTH lldiv_t div(long long x, long long y) {
    return {x / y, x % y};
}
__LANEWISE_BOTH ldiv_t ldiv(long x, long y) {
    return {x / y, x % y};
}
__LANEWISE_BOTH lldiv_t lldiv(long long x, long long y) {
    return {x / y, x % y};
}
}
