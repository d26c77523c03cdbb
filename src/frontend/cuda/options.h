// The options of CUDA C++ compilers, parsed once for clang, NVRTC, nvcc and the caches.
#pragma once

#include <span>
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
    int opt_level = 3;         ///< of device code: -Xptxas -O2
    std::string architecture;  ///< "sm_90", "compute_80"; "": the device's
    /// All architectures given (-arch, -code, -gencode), in order; `architecture` is the last of them.
    std::vector<std::string> architectures;
    /// Options that only the compiler proper knows: "--NAME=VALUE", NAME being the first one of the table's row.
    std::vector<std::string> other;
    /// Options in no row of the table, as given.
    std::vector<std::string> unknown;
    /// Options without effect here and why, a text each: "-Xcompiler=-fopenmp: is for the host compiler, ...".
    std::vector<std::string> ignored;
};

/// Options as nvcc and NVRTC spell them ("-DN=3", "-D N=3", "-D", "N=3", "--define-macro=N=3"), one or two strings
/// each. Error(Value) for a value that is missing or none of the option's, and for options that ask for something else
/// than code to load (-E, -dlto). Options that no row of the table has go to `unknown`.
Options parse_options(std::span<const std::string> given);

/// Error(Value) for the first of `unknown`, with the known option that is spelled most alike.
void refuse_unknown(const Options& options, const std::string& compiler);
/// The known option that is spelled most alike, with its dashes; "" when none is near.
std::string nearest_option(const std::string& given);

/// The same options as each compiler takes them, without the architecture. What it cannot take and does not need is
/// left out; Error(Value) for what would change the meaning.
std::vector<std::string> nvrtc_arguments(const Options& options);
std::vector<std::string> nvcc_arguments(const Options& options);

/// The architecture to compile for on a GPU of `capability` (10 * major + minor): the highest of `architectures` that
/// it runs, "" when none is given. Error(Value) when it runs none of them.
std::string architecture_for(const Options& options, int capability);
/// 90 for "sm_90", "sm_90a", "compute_90", "90"; 0 for other texts.
int capability_of(const std::string& architecture);

}  // namespace lanewise::cuda_cpp
