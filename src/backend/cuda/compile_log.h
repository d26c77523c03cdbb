// What the driver's compiler and linker say: the log buffers of a JIT call, and the error made of them.
#pragma once

#include <string>
#include <vector>

#include "backend/cuda/driver.h"
#include "lanewise/image.h"

namespace lanewise::cuda {

/// The options of one JIT call. Lives until the call's state is destroyed: the driver writes through it.
class JitOptions {
public:
    /// With buffers for the error and information logs.
    JitOptions();
    JitOptions(const JitOptions&) = delete;
    JitOptions& operator=(const JitOptions&) = delete;

    void add(CUjit_option option, std::size_t value);
    unsigned count() const { return unsigned(options_.size()); }
    CUjit_option* options() { return options_.data(); }
    void** values() { return values_.data(); }
    std::string errors() const { return text(errors_); }
    std::string information() const { return text(information_); }

private:
    static std::string text(const std::vector<char>& buffer);
    std::vector<char> errors_, information_;
    std::vector<CUjit_option> options_;
    std::vector<void*> values_;
};

/// Throws for a failed JIT call about `image`: Error(Compile) with the log where the driver refused the code, else what
/// fail() throws.
[[noreturn]] void fail_compile(CUresult result, const char* call, const Image& image, const std::string& log);

}  // namespace lanewise::cuda
