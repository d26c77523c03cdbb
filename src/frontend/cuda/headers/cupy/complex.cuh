// CuPy's complex numbers: thrust::complex, also without the namespace.
#pragma once

#include <thrust/complex.h>

extern "C++" {
using thrust::arg;
using thrust::complex;
using thrust::conj;
using thrust::imag;
using thrust::polar;
using thrust::proj;
using thrust::real;
}
