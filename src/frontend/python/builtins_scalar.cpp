// The methods of scalars.
#include <fmt/format.h>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"

namespace lanewise::python {

using ir::ScalarOp;

namespace {

/// The number of ones in the magnitude, as int.bit_count of Python.
Operand call_bit_count(Call& c) {
    c.bind({"self"}, 1);
    const Operand& x = integer_argument(c, 0);
    return emit_scalar(c.e, DType::Int64, [&](ir::Builder& b) {
        ir::Value* value = b.cast(x.value(), is_unsigned(x.type->dtype) ? DType::UInt64 : DType::Int64);
        if (!is_unsigned(x.type->dtype)) value = b.scalar(ScalarOp::Abs, value);
        return b.cast(b.scalar(ScalarOp::PopCount, value), DType::Int64);
    });
}

Operand call_identity(Call& c) {
    c.bind({"self"}, 1);
    return scalar_argument(c, 0);
}

Operand call_astype(Call& c) {
    c.bind({"self", "dtype"}, 2);
    return convert(c.e, scalar_argument(c, 0), scalar_type(c.dtype(1)));
}

/// The same bits as another dtype of the same size.
Operand call_view(Call& c) {
    c.bind({"self", "dtype"}, 2);
    const Operand& x = scalar_argument(c, 0);
    const DType to = c.dtype(1);
    require_kernel_scalar(c.e, to);
    if (size_of(to) != size_of(x.type->dtype) || is_bool(to) || x.type->is_bool()) {
        c.fail(fmt::format("cannot view the {} bits of a {} as {}; the sizes must be equal", bits(x.type->dtype),
                           name(x.type->dtype), name(to)));
    }
    return emit_scalar(c.e, to, [&](ir::Builder& b) { return b.bitcast(x.value(), ir::Type::scalar(to)); });
}

constexpr Builtin table[] = {
    {"scalar.bit_count", call_bit_count}, {"scalar.item", call_identity}, {"scalar.conjugate", call_identity},
    {"scalar.conj", call_identity},       {"scalar.astype", call_astype}, {"scalar.view", call_view},
};

}  // namespace

std::span<const Builtin> scalar_method_builtins() {
    return table;
}

}  // namespace lanewise::python
