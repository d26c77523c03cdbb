// Argument checks shared by the builtins.
#include "frontend/python/builtin_arguments.h"

#include <fmt/format.h>

namespace lanewise::python {

const Operand& scalar_argument(const Call& call, std::size_t index) {
    const Operand& a = call.args[index];
    if (!a.type || !a.type->is_scalar()) {
        const bool array = a.type && a.type->is_array();
        call.fail_argument(index,
                           array ? "takes a number, not an array: index the array, as in x[i]" : "takes a number");
    }
    if (!is_kernel_scalar(a.type->dtype)) {
        call.fail_argument(index, fmt::format("{} values are not supported in kernels", name(a.type->dtype)));
    }
    return a;
}

const Operand& integer_argument(const Call& call, std::size_t index) {
    const Operand& a = scalar_argument(call, index);
    if (a.type->is_float()) call.fail_argument(index, "takes an integer; convert with int(x)");
    return a;
}

const Operand& array_argument(const Call& call, std::size_t index) {
    const Operand& a = call.args[index];
    if (!a.type || !a.type->is_array()) call.fail_argument(index, "takes an array");
    return a;
}

bool given(const Call& call, std::size_t index) {
    return index < call.args.size() && call.args[index].type && !call.args[index].type->is(Type::Kind::None);
}

ir::Value* argument_as(const Call& call, std::size_t index, DType dtype) {
    return call.e.dry() ? nullptr : call.e.builder().cast(call.args[index].value(), dtype);
}

}  // namespace lanewise::python
