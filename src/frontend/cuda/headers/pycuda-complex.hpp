// PyCUDA's complex numbers: pycuda::complex.
#pragma once

extern "C++" {
#include "__lanewise/complex_functions.h"
namespace pycuda {
#include "__lanewise/complex_names.h"
}
}
