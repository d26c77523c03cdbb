#include "lanewise/dtype.h"

namespace lanewise {

std::optional<DType> dtype_from_name(std::string_view name) {
    for (int i = 0; i < dtype_count; ++i)
        if (dtype_table[i].name == name) return static_cast<DType>(i);
    return std::nullopt;
}

std::optional<DType> dtype_from_kind(char kind, int bytes) {
    for (int i = 0; i < dtype_count; ++i)
        if (dtype_table[i].kind == kind && dtype_table[i].bits == bytes * 8) return static_cast<DType>(i);
    return std::nullopt;
}

}  // namespace lanewise
