// Sizes, differences and offsets.
#pragma once

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
typedef double max_align_t;
#undef NULL
#define NULL __null
#define offsetof(type, member) __builtin_offsetof(type, member)
