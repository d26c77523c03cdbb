// The element types under which PyCUDA's helpers read doubles and complex numbers from textures.
#pragma once

#include "pycuda-complex.hpp"

typedef float fp_tex_float;
typedef uint2 fp_tex_double;
typedef uint2 fp_tex_cfloat;
typedef uint4 fp_tex_cdouble;
