// CompileOptions: what is asked of a code generator beside the IR itself.
#pragma once

#include <string>

namespace lanewise {

/// Everything beside the IR that decides generated code. Part of every cache key (hash()).
struct CompileOptions {
    int opt_level = 3;
    bool contract = true;   ///< a * b + c may become one fma (nvcc's and Numba's default on CUDA)
    bool fastmath = false;  ///< ftz, approximate division and square root, reassociation: all of LLVM's fast flags
    bool line_info = false;
    bool debug = false;  ///< no optimisation of variables away; full debug information
    int max_registers = 0;
    int max_threads_per_block = 0;  ///< launch bounds; 0: none
    int min_blocks_per_multiprocessor = 0;
    int max_cluster_blocks = 0;
    bool keep_text = false;  ///< fill Image::llvm_ir and Image::assembly
    std::string hash() const;
};

}  // namespace lanewise
