// How headers that are written for our own clang say that host and device code may call a function.
#pragma once

#define __LANEWISE_BOTH __host__ __device__ __forceinline__
