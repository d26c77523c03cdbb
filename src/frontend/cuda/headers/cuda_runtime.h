// CUDA's runtime; the device's part of it needs no #include.
#pragma once

#include "cuda_runtime_api.h"
