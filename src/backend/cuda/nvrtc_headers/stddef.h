// size_t and its kin.
#pragma once

#ifndef NULL
#define NULL 0
#endif
#ifndef offsetof
#define offsetof(type, member) ((size_t)&(((type*)0)->member))
#endif
namespace std {
using ::ptrdiff_t;
using ::size_t;
typedef decltype(nullptr) nullptr_t;
}  // namespace std
