// printf of kernels: CUDA's formats and its packed arguments, written to the C library's stdout.
#pragma once

#include <cstdint>
#include <string>

namespace lanewise::cpu {

/// The text of `format` with the packed `arguments` (src/backend/cpu/abi.h), and how many of them it used. A conversion
/// that C does not know is copied as it stands.
struct Printed {
    std::string text;
    int arguments = 0;
};
Printed format_packed(const char* format, const void* arguments);

/// Services::vprintf. Each call's text stays together on stdout.
std::int32_t kernel_vprintf(const char* format, const void* arguments) noexcept;

/// Count of calls so far: a launch that sees it change flushes.
std::uint64_t print_count();
void flush_prints();

}  // namespace lanewise::cpu
