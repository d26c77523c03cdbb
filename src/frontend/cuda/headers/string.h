// Functions on memory and on strings that end in 0.
#pragma once

#include <stddef.h>

extern "C++" {
__LANEWISE_BOTH int memcmp(const void* a, const void* b, size_t size) {
    const unsigned char *x = static_cast<const unsigned char*>(a), *y = static_cast<const unsigned char*>(b);
    for (size_t i = 0; i < size; ++i)
        if (x[i] != y[i]) return x[i] - y[i];
    return 0;
}
__LANEWISE_BOTH void* memchr(const void* where, int value, size_t size) {
    const unsigned char* x = static_cast<const unsigned char*>(where);
    for (size_t i = 0; i < size; ++i)
        if (x[i] == static_cast<unsigned char>(value)) return const_cast<unsigned char*>(x + i);
    return nullptr;
}
__LANEWISE_BOTH size_t strlen(const char* text) {
    size_t length = 0;
    while (text[length]) ++length;
    return length;
}
__LANEWISE_BOTH int strncmp(const char* a, const char* b, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        const unsigned char x = a[i], y = b[i];
        if (x != y || !x) return x - y;
    }
    return 0;
}
__LANEWISE_BOTH int strcmp(const char* a, const char* b) {
    return strncmp(a, b, ~size_t(0));
}
__LANEWISE_BOTH char* strchr(const char* text, int value) {
    for (;; ++text) {
        if (*text == static_cast<char>(value)) return const_cast<char*>(text);
        if (!*text) return nullptr;
    }
}
__LANEWISE_BOTH char* strcpy(char* to, const char* from) {
    for (size_t i = 0;; ++i)
        if (!(to[i] = from[i])) return to;
}
__LANEWISE_BOTH char* strncpy(char* to, const char* from, size_t size) {
    size_t i = 0;
    for (; i < size && from[i]; ++i) to[i] = from[i];
    for (; i < size; ++i) to[i] = 0;
    return to;
}
__LANEWISE_BOTH char* strcat(char* to, const char* from) {
    strcpy(to + strlen(to), from);
    return to;
}
}
