// Arrays in shared, local and constant memory, and loads and stores with cache operators.
#include <fmt/format.h>

#include <bit>
#include <limits>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"
#include "frontend/python/index.h"

namespace lanewise::python {

using ir::CacheHint;
using ir::Value;

namespace {

[[noreturn]] void fail_runtime_shape(const Call& c, const Operand& extent) {
    const std::string what = extent.spelling.empty() ? "this one" : fmt::format("`{}`", extent.spelling);
    const char* dynamic =
        c.name == "cuda.shared.array"
            ? "; for a size chosen at launch use cuda.shared.array(0, dtype) and give its bytes as the "
              "fourth launch argument: kernel[grid, block, stream, bytes]"
            : "; declare the largest size needed";
    c.fail_argument(0, fmt::format("`shape` must be known at compile time: an integer literal, a global or a closure "
                                   "variable, or a tuple of them; {} is known only at run time{}",
                                   what, dynamic));
}

std::int64_t extent_of(const Call& c, const Operand& extent) {
    if (!extent.type->is_integer()) c.fail_argument(0, "`shape` must be an integer or a tuple of integers");
    const auto value = constant_integer(extent);
    if (!value) fail_runtime_shape(c, extent);
    if (*value < 0) c.fail_argument(0, fmt::format("`shape` must not be negative, and {} is", *value));
    return *value;
}

std::vector<std::int64_t> constant_shape(Call& c) {
    const Operand& shape = c.args[0];
    std::vector<std::int64_t> extents;
    if (!shape.type->is_tuple()) {
        extents.push_back(extent_of(c, shape));
    } else {
        for (std::size_t i = 0; i < shape.type->items.size(); ++i) extents.push_back(extent_of(c, c.e.item(shape, i)));
        if (extents.empty()) c.fail_argument(0, "`shape` must have at least one dimension");
    }
    return extents;
}

std::uint64_t total_bytes(const Call& c, const std::vector<std::int64_t>& extents, DType dtype) {
    std::int64_t bytes = size_of(dtype);
    for (std::int64_t extent : extents) {
        if (__builtin_mul_overflow(bytes, extent, &bytes) || bytes > std::numeric_limits<std::int32_t>::max()) {
            c.fail_argument(0, "the array would be larger than 2 GiB");
        }
    }
    return static_cast<std::uint64_t>(bytes);
}

/// Vector loads of 16 bytes are possible by default.
std::uint32_t alignment_of(const Call& c) {
    if (!given(c, 2)) return 16;
    const std::int64_t alignment = c.constant_int(2, "alignment");
    if (alignment <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(alignment)) || alignment % 8 != 0 ||
        alignment > 65536) {
        c.fail_argument(
            2, fmt::format("`alignment` must be a power of two, a multiple of 8 and at most 65536, not {}", alignment));
    }
    return static_cast<std::uint32_t>(alignment);
}

/// C-contiguous; `extents` int64 values.
Operand contiguous(Emitter& e, TypePtr type, Value* pointer, const std::vector<Value*>& extents) {
    const std::vector<Value*> strides = contiguous_strides(e, extents, size_of(type->dtype), true);
    Operand result;
    result.type = type;
    result.parts = {pointer};
    result.parts.insert(result.parts.end(), extents.begin(), extents.end());
    result.parts.insert(result.parts.end(), strides.begin(), strides.end());
    return result;
}

DType element_dtype(Call& c) {
    const DType dtype = c.dtype(1);
    if (!is_kernel_scalar(dtype))
        c.fail_argument(1, fmt::format("{} values are not supported in kernels", name(dtype)));
    return dtype;
}

Operand dynamic_shared(Call& c, TypePtr type) {
    Operand result;
    result.type = type;
    if (c.e.dry()) return result;
    ir::Builder& b = c.e.builder();
    Value* bytes = b.intrinsic(ir::Intrinsic::DynamicSharedBytes);
    Value* length = b.scalar(ir::ScalarOp::Div, bytes, b.constant(DType::UInt32, size_of(type->dtype)));
    return contiguous(c.e, type, b.dynamic_shared(), {b.cast(length, DType::Int64)});
}

Operand call_array(Call& c) {
    c.bind({"shape", "dtype", "alignment"}, 2);
    const bool shared = c.name == "cuda.shared.array";
    const ir::Space space = shared ? ir::Space::Shared : ir::Space::Local;
    const DType dtype = element_dtype(c);
    const std::vector<std::int64_t> extents = constant_shape(c);
    const std::uint32_t alignment = alignment_of(c);
    const std::uint64_t bytes = total_bytes(c, extents, dtype);
    const TypePtr type = array_type(dtype, static_cast<int>(extents.size()), Layout::C, false, space);
    if (bytes == 0) {
        if (shared && extents.size() == 1) return dynamic_shared(c, type);
        c.fail_argument(0, shared ? "only a shape of one 0 stands for dynamic shared memory; this array has no elements"
                                  : "a local array must have at least one element");
    }
    Operand result;
    result.type = type;
    if (c.e.dry()) return result;

    ir::Builder& b = c.e.builder();
    Value* pointer = nullptr;
    if (shared) {
        const std::string name = fmt::format("{}$shared{}", b.function().name, c.e.module().globals.size());
        pointer = b.global_address(c.e.module().new_global(name, space, bytes, alignment));
    } else {
        pointer = b.local_array(bytes, alignment);
    }
    std::vector<Value*> values;
    for (std::int64_t extent : extents) values.push_back(b.i64(extent));
    return contiguous(c.e, type, pointer, values);
}

/// A captured host array is constant data already.
Operand call_array_like(Call& c) {
    c.bind({"ndarray"}, 1);
    const Operand& array = c.args[0];
    if (!array.type->is_array() || !array.constant || array.constant->kind != syntax::Captured::Kind::Array) {
        c.fail_argument(
            0, "takes a NumPy array that is a global or a closure variable: its contents become constant data");
    }
    return array;
}

template <CacheHint hint>
Operand call_load(Call& c) {
    c.bind({"array", "i"}, 2);
    const Operand& array = array_argument(c, 0);
    const std::vector<Operand> indices = index_list(c.e, array, c.args[1]);
    const DType dtype = array.type->dtype;
    require_kernel_scalar(c.e, dtype);
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        return b.load(ir::Type::scalar(dtype), element_pointer(c.e, array, indices), 0, hint);
    });
}

template <CacheHint hint>
Operand call_store(Call& c) {
    c.bind({"array", "i", "value"}, 3);
    const Operand& array = array_argument(c, 0);
    if (array.type->read_only) c.fail_argument(0, "is read-only");
    const std::vector<Operand> indices = index_list(c.e, array, c.args[1]);
    const Operand value = convert(c.e, scalar_argument(c, 2), scalar_type(array.type->dtype));
    if (!c.e.dry()) c.e.builder().store(element_pointer(c.e, array, indices), value.value(), 0, hint);
    return c.e.none();
}

constexpr Builtin table[] = {
    {"cuda.shared.array", call_array},          {"cuda.local.array", call_array},
    {"cuda.const.array_like", call_array_like}, {"cuda.ldca", call_load<CacheHint::Ca>},
    {"cuda.ldcg", call_load<CacheHint::Cg>},    {"cuda.ldcs", call_load<CacheHint::Cs>},
    {"cuda.ldlu", call_load<CacheHint::Lu>},    {"cuda.ldcv", call_load<CacheHint::Cv>},
    {"cuda.stcg", call_store<CacheHint::Cg>},   {"cuda.stcs", call_store<CacheHint::Cs>},
    {"cuda.stwb", call_store<CacheHint::Wb>},   {"cuda.stwt", call_store<CacheHint::Wt>},
};

}  // namespace

std::span<const Builtin> memory_builtins() {
    return table;
}

}  // namespace lanewise::python
