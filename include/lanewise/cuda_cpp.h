// CUDA C++ as text, with what decides its compilation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanewise::cuda_cpp {

enum class Backend : std::uint8_t {
    Auto,   ///< on a GPU: NVRTC where it is found, else Clang; on the cpu device: Clang
    Nvrtc,  ///< NVIDIA's run-time compiler
    Clang,  ///< the compiler inside liblanewise_compiler.so
    Nvcc,   ///< the toolkit's compiler driver, as a process
};

struct Source {
    std::string text;
    std::string file = "kernel.cu";  ///< how diagnostics call it
    /// As nvcc and NVRTC spell them: "-DN=3", "--std=c++17", "-I/some/folder".
    std::vector<std::string> options;
    /// Template instances and qualified names whose symbols are asked for: "scale<float>", "&ns::table".
    std::vector<std::string> name_expressions;
    bool extern_c = false;  ///< the text stands inside extern "C" { }
    Backend backend = Backend::Auto;
};

}  // namespace lanewise::cuda_cpp
