#include "ir/op.h"

namespace lanewise::ir {

namespace {
constexpr ScalarInfo scalar_table[] = {
#define LANEWISE_SCALAR(Id, name, operands, result, kinds, lowering) {name, operands, result, kinds, lowering},
#include "lanewise/tables/scalar.def"
#undef LANEWISE_SCALAR
};
constexpr IntrinsicInfo intrinsic_table[] = {
#define LANEWISE_INTRINSIC(Id, name, operands, results, effects, value) \
    {name, operands, results, Effects::effects, Uniformity::value},
#include "lanewise/tables/intrinsics.def"
#undef LANEWISE_INTRINSIC
};
constexpr std::string_view atomic_names[] = {"add", "sub", "min", "max",      "nanmin",    "nanmax",
                                             "and", "or",  "xor", "exchange", "increment", "decrement"};
constexpr std::string_view op_names[] = {
    "parameter", "constant",    "global", "dynamic_shared", "local",       "phi",          "scalar",    "cast",
    "bitcast",   "pointer_add", "load",   "store",          "atomic",      "compare_swap", "intrinsic", "call",
    "external",  "result",      "print",  "branch",         "cond_branch", "return",       "raise",     "unreachable"};
}  // namespace

const ScalarInfo& info(ScalarOp op) {
    return scalar_table[static_cast<int>(op)];
}
const IntrinsicInfo& info(Intrinsic intrinsic) {
    return intrinsic_table[static_cast<int>(intrinsic)];
}
std::string_view name(AtomicOp op) {
    return atomic_names[static_cast<int>(op)];
}
std::string_view name(Op op) {
    return op_names[static_cast<int>(op)];
}

}  // namespace lanewise::ir
