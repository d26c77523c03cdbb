// DType: a one-byte id of an element type; the facts about it are its row in tables/dtypes.def.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lanewise {

enum class DType : std::uint8_t {
#define LANEWISE_DTYPE(Id, ...) Id,
#include "lanewise/tables/dtypes.def"
#undef LANEWISE_DTYPE
};

struct DTypeInfo {
    std::string_view name;
    /// b bool, i signed, u unsigned, f float, c complex.
    char kind;
    std::uint16_t bits;
    char numpy_char;
    std::uint8_t dlpack_code;
    std::string_view cuda_name;
};

inline constexpr DTypeInfo dtype_table[] = {
#define LANEWISE_DTYPE(Id, name, storage, kind, bits, numpy_char, dlpack, cuda) \
    {name, kind, bits, numpy_char, dlpack, cuda},
#include "lanewise/tables/dtypes.def"
#undef LANEWISE_DTYPE
};
inline constexpr int dtype_count = sizeof(dtype_table) / sizeof(dtype_table[0]);

constexpr const DTypeInfo& info(DType t) {
    return dtype_table[static_cast<int>(t)];
}
constexpr std::string_view name(DType t) {
    return info(t).name;
}
constexpr char kind(DType t) {
    return info(t).kind;
}
constexpr int bits(DType t) {
    return info(t).bits;
}
constexpr int size_of(DType t) {
    return info(t).bits / 8;
}
constexpr bool is_bool(DType t) {
    return kind(t) == 'b';
}
constexpr bool is_signed(DType t) {
    return kind(t) == 'i';
}
constexpr bool is_unsigned(DType t) {
    return kind(t) == 'u';
}
/// Signed or unsigned; bool is not an integer here.
constexpr bool is_integer(DType t) {
    return is_signed(t) || is_unsigned(t);
}
constexpr bool is_float(DType t) {
    return kind(t) == 'f';
}
constexpr bool is_complex(DType t) {
    return kind(t) == 'c';
}

/// The dtype with this NumPy name ("float32"), or none.
std::optional<DType> dtype_from_name(std::string_view name);
/// The dtype with this kind (b i u f c) and size in bytes; Float16 rather than BFloat16 for ('f', 2); or none.
std::optional<DType> dtype_from_kind(char kind, int bytes);

}  // namespace lanewise
