// CUDA's runtime, as far as device code can use it: its types.
#pragma once

#include "driver_types.h"
#include "library_types.h"

#ifndef CUDART_VERSION
#define CUDART_VERSION 13000
#endif
