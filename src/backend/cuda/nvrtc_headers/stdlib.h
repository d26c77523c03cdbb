// Memory and absolute values in std::.
#pragma once

#include <stddef.h>
namespace std {
using ::abs;
using ::free;
using ::labs;
using ::llabs;
using ::malloc;
}  // namespace std
