// The table of CUDA C++ options: a row for each, with its names, its form and what becomes of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "frontend/cuda/options.h"

namespace lanewise::cuda_cpp {

enum class Form : std::uint8_t {
    Flag,     ///< -w
    Boolean,  ///< -ftz, -ftz=true, -ftz true
    Value,    ///< -std=c++17, -std c++17
    Joined,   ///< one letter whose value may follow at once: -DX, -D X, -D=X
};

/// What becomes of an option beyond its effect on Options.
enum class Use : std::uint8_t {
    Parsed,   ///< its effect says all; compilers are given the parsed form
    Both,     ///< handed on to NVRTC and nvcc
    Nvrtc,    ///< handed on to NVRTC, which alone has it; of no consequence elsewhere
    Nvcc,     ///< handed on to nvcc, which alone has it; of no consequence elsewhere
    Ignored,  ///< without effect here; the row's reason says why
    Refused,  ///< asks for something that is not done here; the row's reason says what
};

struct OptionRow {
    std::string_view names;  ///< with blanks between; the first is the long one
    Form form;
    Use use;
    void (*effect)(Options& options, const std::string& value);  ///< or null
    std::string_view reason;
};

std::span<const OptionRow> option_table();

struct FoundOption {
    const OptionRow* row = nullptr;  ///< null: in no row
    bool has_value = false;          ///< the text itself contains the value
    std::string value;
};
/// Looks `text` ("-DX", "--std=c++17", "-D X") up.
FoundOption find_option(std::string_view text);

/// The row's first name with its dashes.
std::string long_name(const OptionRow& row);

}  // namespace lanewise::cuda_cpp
