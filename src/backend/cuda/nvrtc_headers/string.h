// Memory functions in std::.
#pragma once

#include <stddef.h>
namespace std {
using ::memcpy;
using ::memset;
}  // namespace std
