// thrust::complex.
#pragma once

extern "C++" {
#include <__lanewise/complex_functions.h>
namespace thrust {
#include <__lanewise/complex_names.h>
}
}
