// printf in std::.
#pragma once

#include <stddef.h>
namespace std {
using ::printf;
}
