// The options of CUDA C++ compilers, parsed once for clang, NVRTC, nvcc and the caches.
#pragma once

#include <string>
#include <vector>

#include "lanewise/cuda_cpp.h"

namespace lanewise::cuda_cpp {

/// What the options say, parsed.
struct Options {
    std::vector<std::string> include_folders;  ///< in search order
    std::vector<std::string> defines;          ///< "NAME" or "NAME=VALUE"
    std::vector<std::string> undefines;
    std::vector<std::string> forced_includes;  ///< -include FILE
    int standard = 17;                         ///< C++ 11, 14, 17 or 20
    bool fast_math = false;                    ///< sets the three below and the fast intrinsics
    bool flush_denormals = false;              ///< -ftz=true
    bool precise_divide = true;                ///< -prec-div
    bool precise_sqrt = true;                  ///< -prec-sqrt
    bool contract = true;                      ///< -fmad
    bool line_info = false;
    bool debug = false;  ///< -G
    bool relocatable = false;
    bool default_device = false;  ///< unannotated functions are device functions
    bool warnings = true;         ///< off: -w
    int max_registers = 0;
    int opt_level = 3;
    std::string architecture;  ///< "sm_90", "compute_80"; "": the device's
    /// Options that only the compiler proper knows, as given.
    std::vector<std::string> other;
};

}  // namespace lanewise::cuda_cpp
