// Short names of integer types.
#pragma once

#include <stdint.h>
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long ssize_t;
