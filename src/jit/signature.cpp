// Argument codes to kernel types and back.
#include "jit/signature.h"

#include <fmt/format.h>

namespace lanewise::jit {
namespace {

python::TypePtr read_type(std::span<const Code> codes, std::size_t& next) {
    if (next >= codes.size()) throw Error(ErrorKind::Internal, "signature: a tuple has fewer items than it says");
    Code code = codes[next++];
    switch (kind(code)) {
        case CodeKind::None:
            return python::none_type();
        case CodeKind::Scalar:
            return python::scalar_type(dtype(code));
        case CodeKind::Array:
            return python::array_type(dtype(code), count(code), layout(code), read_only(code));
        case CodeKind::Tuple: {
            std::vector<python::TypePtr> items;
            for (int i = 0; i < count(code); ++i) items.push_back(read_type(codes, next));
            return python::tuple_type(std::move(items));
        }
    }
    throw Error(ErrorKind::Internal, fmt::format("signature: code {:#x} is of no kind", code));
}

void write_type(python::TypePtr type, std::vector<Code>& codes) {
    using Kind = python::Type::Kind;
    bool global = type->space == ir::Space::Global;
    if (type->kind == Kind::None) {
        codes.push_back(none_code());
    } else if (type->kind == Kind::Scalar) {
        codes.push_back(scalar_code(type->dtype));
    } else if (type->kind == Kind::Array && global) {
        codes.push_back(array_code(type->dtype, type->ndim, type->layout, type->read_only));
    } else if (type->kind == Kind::Tuple && type->items.size() <= std::size_t(max_tuple_items)) {
        codes.push_back(tuple_code(static_cast<int>(type->items.size())));
        for (python::TypePtr item : type->items) write_type(item, codes);
    } else {
        throw Error(ErrorKind::Type,
                    fmt::format("a kernel cannot take an argument of type {}; arguments are scalars, global "
                                "arrays, tuples of them (at most {} items) and None",
                                python::to_string(type), max_tuple_items));
    }
}

}  // namespace

std::uint64_t hash_of(const void* device, std::span<const Code> codes) {
    std::uint64_t hash = hash_seed(device);
    for (Code code : codes) hash = hash_step(hash, code);
    return hash;
}

std::vector<python::TypePtr> types_of(std::span<const Code> codes) {
    std::vector<python::TypePtr> types;
    for (std::size_t next = 0; next < codes.size();) types.push_back(read_type(codes, next));
    return types;
}

std::vector<Code> codes_of(std::span<const python::TypePtr> types) {
    std::vector<Code> codes;
    for (python::TypePtr type : types) write_type(type, codes);
    return codes;
}

}  // namespace lanewise::jit
