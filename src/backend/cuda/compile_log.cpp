#include "backend/cuda/compile_log.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/cuda/driver_error.h"

namespace lanewise::cuda {

namespace {

constexpr std::size_t log_bytes = 16384;

bool is_refused_code(CUresult result) {
    switch (result) {
        case CUDA_ERROR_INVALID_IMAGE:
        case CUDA_ERROR_NO_BINARY_FOR_GPU:
        case CUDA_ERROR_INVALID_PTX:
        case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
        case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
        case CUDA_ERROR_JIT_COMPILATION_DISABLED:
        case CUDA_ERROR_INVALID_SOURCE:
        case CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND:
        case CUDA_ERROR_NOT_FOUND:
            return true;
        default:
            return false;
    }
}

std::string hint(CUresult result) {
    switch (result) {
        case CUDA_ERROR_NO_BINARY_FOR_GPU:
        case CUDA_ERROR_INVALID_IMAGE:
            return "; the image is damaged or for another GPU architecture";
        case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
            return fmt::format(
                "; the driver (CUDA {}) is older than the PTX: update it, or compile for an older PTX version",
                version_text(driver.version()));
        case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
            return "; libnvidia-ptxjitcompiler.so.1 of the driver is missing (containers need the \"compute\" "
                   "capability)";
        case CUDA_ERROR_JIT_COMPILATION_DISABLED:
            return "; CUDA_DISABLE_PTX_JIT is set";
        default:
            return "";
    }
}

std::string kernel_list(const Image& image) {
    std::string list;
    for (const EntryPoint& entry : image.entries)
        list += (list.empty() ? "" : ", ") + (entry.display_name.empty() ? entry.name : entry.display_name);
    return list.empty() ? "" : fmt::format(" of kernel{} {}", image.entries.size() > 1 ? "s" : "", list);
}

}  // namespace

JitOptions::JitOptions() : errors_(log_bytes), information_(log_bytes) {
    add(CU_JIT_ERROR_LOG_BUFFER, reinterpret_cast<std::size_t>(errors_.data()));
    add(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, errors_.size());
    add(CU_JIT_INFO_LOG_BUFFER, reinterpret_cast<std::size_t>(information_.data()));
    add(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, information_.size());
}

void JitOptions::add(CUjit_option option, std::size_t value) {
    options_.push_back(option);
    values_.push_back(reinterpret_cast<void*>(value));
}

std::string JitOptions::text(const std::vector<char>& buffer) {
    std::string log(buffer.begin(), std::find(buffer.begin(), buffer.end(), '\0'));
    while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
    return log;
}

void fail_compile(CUresult result, const char* call, const Image& image, const std::string& log) {
    if (!is_refused_code(result)) fail(result, call);
    Error error(ErrorKind::Compile,
                fmt::format("{}: the driver refuses the code{} for {}: {}{}{}{}", call, kernel_list(image),
                            image.target, describe(result), hint(result), log.empty() ? "" : "\n", log));
    error.code = result;
    error.log = log;
    throw error;
}

}  // namespace lanewise::cuda
