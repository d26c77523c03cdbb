// Helpers of the tests of CUDA C++: texts compiled by clang for a GPU or for the cpu device, where they run.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "codegen/compiler.h"
#include "lanewise/device.h"

namespace lanewise::test {

struct Request {
    cuda_cpp::Source source;
    cuda_cpp::Options options;
    std::string target = "sm_90";  ///< on CUDA
};

/// With Image::assembly and Image::llvm_ir.
Image compile_for_cuda(const Request& request);
Image compile_for_cpu(const Request& request);
Image describe(const Request& request);

/// A text with default options.
Request text(const std::string& code, const std::vector<std::string>& names = {});

/// What `call` throws; fails the test if nothing.
Error error_of(const std::function<void()>& call);
/// The error of a text for CUDA.
Error error_of(const Request& request);

/// Launches kernel `name` of a module on the cpu device and waits.
template <class... Ts>
void run(Module& module, const std::string& name, Dim3 grid, Dim3 block, std::uint32_t dynamic_shared, Ts... values) {
    std::vector<std::byte> bytes;
    const auto add = [&](auto value) {
        bytes.resize((bytes.size() + alignof(decltype(value)) - 1) / alignof(decltype(value)) *
                     alignof(decltype(value)));
        const auto* raw = reinterpret_cast<const std::byte*>(&value);
        bytes.insert(bytes.end(), raw, raw + sizeof value);
    };
    (add(values), ...);
    const std::shared_ptr<Stream> stream = cpu_device().default_stream();
    stream->launch(*module.kernel(name), LaunchConfig{grid, block, dynamic_shared}, bytes);
    stream->synchronize();
}

/// Compiled and loaded on the cpu device.
std::shared_ptr<Module> load(const Request& request);

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace lanewise::test
