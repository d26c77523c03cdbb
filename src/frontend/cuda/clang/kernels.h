// What a kernel's declaration says of its parameters.
#pragma once

#include "frontend/cuda/clang/clang.h"
#include "lanewise/image.h"

namespace lanewise::cuda_cpp {

/// Name, display name, parameters and their layout. The name is clang's for the object file.
EntryPoint describe_kernel(const clang::FunctionDecl& kernel, const std::string& name);

/// The symbol of a function or variable.
std::string symbol_of(const clang::NamedDecl& declaration);

/// The kernels defined in `declaration` or in namespaces and linkage specifications within, instances of templates
/// included.
void collect_kernels(clang::Decl& declaration, std::vector<const clang::FunctionDecl*>& kernels);

}  // namespace lanewise::cuda_cpp
