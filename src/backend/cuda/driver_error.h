// What a failed driver call becomes: names and texts of codes, faults that end a context, the kernels launched last.
#pragma once

#include <string>

#include "backend/cuda/driver.h"
#include "lanewise/error.h"

namespace lanewise::cuda {

/// "CUDA_ERROR_INVALID_VALUE (1): invalid argument".
std::string describe(CUresult result);

/// True when the code means that the device's context is lost for the rest of the process.
bool is_sticky(CUresult result);

/// True for codes a destructor may meet on the way out: the driver has shut down, the process is a forked child, or a
/// fault was reported already.
bool is_shutdown(CUresult result);

/// An Error(Driver) of this code whose text is `problem`, then the code's name and text.
Error driver_error(CUresult result, const std::string& problem);

/// A label for note_launch that lives to the end of the process; equal texts share one.
const std::string* launch_label(const std::string& text);

/// Remembers that the kernel with this label was launched, for the report of a later fault. No lock, no allocation.
void note_launch(const std::string* label);

}  // namespace lanewise::cuda
