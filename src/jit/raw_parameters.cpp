// Parameters of CUDA C++ kernels: where they lie, and how messages call them.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "lanewise/raw.h"

namespace lanewise {
namespace {

/// A class of CUDA C++ that is a row of equal elements.
struct Fields {
    DType dtype = DType::Int8;
    int lanes = 0;
};

/// The built-in vector types are these names with 1, 2, 3 or 4 behind: float4.
constexpr std::pair<std::string_view, DType> vector_elements[] = {
    {"char", DType::Int8},      {"uchar", DType::UInt8},      {"short", DType::Int16},   {"ushort", DType::UInt16},
    {"int", DType::Int32},      {"uint", DType::UInt32},      {"long", DType::Int64},    {"ulong", DType::UInt64},
    {"longlong", DType::Int64}, {"ulonglong", DType::UInt64}, {"float", DType::Float32}, {"double", DType::Float64},
};

constexpr std::pair<std::string_view, DType> complex_parts[] = {
    {"cuComplex", DType::Float32},      {"cuFloatComplex", DType::Float32},  {"cuDoubleComplex", DType::Float64},
    {"complex<float>", DType::Float32}, {"complex<double>", DType::Float64},
};

/// The last part of a type's name, without qualifiers: "complex<float>" for "const thrust::complex<float>".
std::string_view bare_name(std::string_view type) {
    for (std::string_view prefix : {"const ", "volatile ", "struct ", "class "})
        if (type.starts_with(prefix)) type.remove_prefix(prefix.size());
    std::size_t arguments = std::min(type.find('<'), type.size());
    std::size_t scope = type.substr(0, arguments).rfind("::");
    if (scope != std::string_view::npos) type.remove_prefix(scope + 2);
    while (type.ends_with(' ')) type.remove_suffix(1);
    return type;
}

Fields fields_of(std::string_view type, std::uint32_t size) {
    std::string_view name = bare_name(type);
    Fields fields;
    for (auto [complex, dtype] : complex_parts)
        if (name == complex) fields = {dtype, 2};
    if (name == "dim3") fields = {DType::UInt32, 3};
    if (!name.empty() && name.back() >= '1' && name.back() <= '4')
        for (auto [element, dtype] : vector_elements)
            if (name.substr(0, name.size() - 1) == element) fields = {dtype, name.back() - '0'};
    // A user's own class may have such a name, and long is 8 bytes here.
    return fields.lanes * size_of(fields.dtype) == int(size) ? fields : Fields{};
}

}  // namespace

RawParameters parameters_of(const EntryPoint& entry, bool layout_known) {
    RawParameters result;
    result.layout_known = layout_known;
    result.bytes = entry.parameter_bytes;
    for (std::size_t i = 0; i < entry.parameter_sizes.size(); ++i) {
        RawParameter item;
        item.offset = entry.parameter_offsets[i];
        item.size = entry.parameter_sizes[i];
        if (i < entry.parameters.size()) {
            const Parameter& declared = entry.parameters[i];
            item.kind = declared.kind;
            item.dtype = declared.dtype;
            item.pointee_known = declared.pointee_known;
            item.read_only = declared.read_only;
            item.name = declared.name;
            item.type = declared.type;
            if (item.kind == ParameterKind::Struct) {
                Fields fields = fields_of(declared.type, item.size);
                item.dtype = fields.dtype;
                item.lanes = static_cast<std::uint8_t>(fields.lanes);
            }
        }
        result.items.push_back(std::move(item));
    }
    return result;
}

std::string to_string(const RawParameters& parameters) {
    std::string text;
    for (const RawParameter& item : parameters.items) {
        if (!text.empty()) text += ", ";
        text += item.type.empty() ? fmt::format("{} bytes", item.size) : item.type;
        if (!item.name.empty()) text += (text.ends_with('*') ? "" : " ") + item.name;
    }
    return text;
}

std::string describe(const RawParameters& parameters, std::size_t index) {
    std::string text = fmt::format("parameter {}", index + 1);
    if (index >= parameters.items.size()) return text;
    const RawParameter& item = parameters.items[index];
    if (!item.name.empty()) text += fmt::format(" '{}'", item.name);
    return text + (item.type.empty() ? fmt::format(" ({} bytes)", item.size) : fmt::format(" ({})", item.type));
}

}  // namespace lanewise
