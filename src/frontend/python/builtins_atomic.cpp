// Atomic read-modify-write on array elements. Each gives the element's old value.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"

namespace lanewise::python {

using ir::AtomicOp;

namespace {

enum class Elements : std::uint8_t { Numbers, Integers, Unsigned };

struct Row {
    std::string_view name;
    AtomicOp op;
    Elements elements;
};
constexpr Row rows[] = {
    {"cuda.atomic.add", AtomicOp::Add, Elements::Numbers},
    {"cuda.atomic.sub", AtomicOp::Sub, Elements::Numbers},
    {"cuda.atomic.min", AtomicOp::Min, Elements::Numbers},
    {"cuda.atomic.max", AtomicOp::Max, Elements::Numbers},
    {"cuda.atomic.nanmin", AtomicOp::NanMin, Elements::Numbers},
    {"cuda.atomic.nanmax", AtomicOp::NanMax, Elements::Numbers},
    {"cuda.atomic.and_", AtomicOp::And, Elements::Integers},
    {"cuda.atomic.or_", AtomicOp::Or, Elements::Integers},
    {"cuda.atomic.xor", AtomicOp::Xor, Elements::Integers},
    {"cuda.atomic.exch", AtomicOp::Exchange, Elements::Numbers},
    {"cuda.atomic.inc", AtomicOp::Increment, Elements::Unsigned},
    {"cuda.atomic.dec", AtomicOp::Decrement, Elements::Unsigned},
};

std::string_view accepted(Elements elements) {
    switch (elements) {
        case Elements::Numbers:
            return "int32, uint32, int64, uint64, float32 and float64";
        case Elements::Integers:
            return "int32, uint32, int64 and uint64";
        case Elements::Unsigned:
            break;
    }
    return "uint32 and uint64";
}

bool accepts(Elements elements, DType dtype) {
    if (bits(dtype) < 32 || !is_kernel_scalar(dtype)) return false;
    if (is_float(dtype)) return elements == Elements::Numbers;
    return elements != Elements::Unsigned || is_unsigned(dtype);
}

/// The array argument, writable and of a dtype that `elements` takes.
const Operand& target(const Call& c, Elements elements) {
    const Operand& array = array_argument(c, 0);
    if (array.type->read_only || array.type->space == ir::Space::Constant) c.fail_argument(0, "is read-only");
    if (!accepts(elements, array.type->dtype)) {
        c.fail_argument(0, fmt::format("this operation takes arrays of {}", accepted(elements)));
    }
    return array;
}

Operand call_atomic(Call& c) {
    c.bind({"ary", "idx", "val"}, 3);
    const Row& row = *std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.name == c.name; });
    const Operand& array = target(c, row.elements);
    const std::vector<Operand> indices = index_list(c.e, array, c.args[1]);
    const Operand value = convert(c.e, scalar_argument(c, 2), scalar_type(array.type->dtype));
    return emit_scalar(c.e, array.type->dtype, [&](ir::Builder& b) {
        return b.atomic(row.op, element_pointer(c.e, array, indices), value.value());
    });
}

Operand compare_swap(Call& c, const Operand& index, std::size_t expected_at, std::size_t desired_at) {
    const Operand& array = target(c, Elements::Integers);
    const std::vector<Operand> indices = index_list(c.e, array, index);
    const TypePtr element = scalar_type(array.type->dtype);
    const Operand expected = convert(c.e, scalar_argument(c, expected_at), element);
    const Operand desired = convert(c.e, scalar_argument(c, desired_at), element);
    return emit_scalar(c.e, element->dtype, [&](ir::Builder& b) {
        return b.compare_swap(element_pointer(c.e, array, indices), expected.value(), desired.value());
    });
}

Operand call_cas(Call& c) {
    c.bind({"ary", "idx", "old", "val"}, 4);
    return compare_swap(c, c.args[1], 2, 3);
}

/// The first element of a vector.
Operand call_compare_and_swap(Call& c) {
    c.bind({"ary", "old", "val"}, 3);
    if (array_argument(c, 0).type->ndim != 1) c.fail_argument(0, "takes an array of one dimension");
    return compare_swap(c, c.e.integer(0), 1, 2);
}

constexpr Builtin table[] = {
    {"cuda.atomic.add", call_atomic},    {"cuda.atomic.sub", call_atomic},
    {"cuda.atomic.min", call_atomic},    {"cuda.atomic.max", call_atomic},
    {"cuda.atomic.nanmin", call_atomic}, {"cuda.atomic.nanmax", call_atomic},
    {"cuda.atomic.and_", call_atomic},   {"cuda.atomic.or_", call_atomic},
    {"cuda.atomic.xor", call_atomic},    {"cuda.atomic.exch", call_atomic},
    {"cuda.atomic.inc", call_atomic},    {"cuda.atomic.dec", call_atomic},
    {"cuda.atomic.cas", call_cas},       {"cuda.atomic.compare_and_swap", call_compare_and_swap},
};

}  // namespace

std::span<const Builtin> atomic_builtins() {
    return table;
}

}  // namespace lanewise::python
