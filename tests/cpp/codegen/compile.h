// Helpers of the code generator's tests: kernels built by hand, compiled to PTX, assembled by ptxas where there is one.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "codegen/compiler.h"
#include "ir/builder.h"

namespace lanewise::test {

inline constexpr ir::Type global_pointer = ir::Type::pointer(ir::Space::Global);

/// A kernel with one parameter a type in `parameters`; `body` fills its entry block and what follows.
ir::Function* add_kernel(ir::Module& module, const std::string& name, const std::vector<ir::Type>& parameters,
                         const std::function<void(ir::Builder&, std::vector<ir::Value*>)>& body);

struct Texts {
    std::string llvm;
    std::string ptx;
    Image image;
};
/// Runs the IR pipeline, then the CUDA code generator.
Texts compile_cuda(ir::Module& module, const CompileOptions& options = {}, const std::string& target = "sm_90a");

/// What ptxas says against the PTX: "" when it assembles or when there is no ptxas on this machine.
std::string ptxas_complaint(const std::string& ptx, const std::string& target = "sm_90a");

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}
/// Number of occurrences.
int count(const std::string& text, const std::string& part);

}  // namespace lanewise::test
