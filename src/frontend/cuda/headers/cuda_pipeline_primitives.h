// What it declares is in cuda_pipeline.h.
#pragma once

#include <cuda_pipeline.h>
