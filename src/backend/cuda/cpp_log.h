// The output of NVRTC and nvcc: messages of NVIDIA's C++ front end and of ptxas.
#pragma once

#include <string>
#include <vector>

#include "lanewise/cuda_cpp.h"
#include "lanewise/image.h"

namespace lanewise::cuda {

struct CppMessage {
    bool error = false;  ///< else a warning
    std::string file;    ///< "" for messages without a place
    int line = 0;
    std::string text;  ///< all its lines: place, problem, and the source line with the caret where given
};
std::vector<CppMessage> messages_of(const std::string& log);

/// Throws Error(Compile): `compiler`, the first error with its source line, how many more there are, and `hint`; all of
/// the output in `log`.
[[noreturn]] void fail_cpp(const std::string& compiler, const cuda_cpp::Source& source, const std::string& log,
                           const std::string& hint);
/// The warnings of `log`, one text each, into image.warnings.
void take_warnings(Image& image, const std::string& log);

}  // namespace lanewise::cuda
