// numba.cuda.libdevice: rows of tables/libdevice.def as calls. What the IR has an operation for is that operation, so
// that every target computes it; the rest are external calls.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;

namespace {

struct Lowering {
    enum class Kind : std::uint8_t { External, Scalar, Rounded, Converted, SameBits };
    Kind kind = Kind::External;
    ScalarOp op{};
};
constexpr Lowering external{Lowering::Kind::External, {}};
constexpr Lowering converted{Lowering::Kind::Converted, {}};
constexpr Lowering same_bits{Lowering::Kind::SameBits, {}};
constexpr Lowering scalar(ScalarOp op) {
    return {Lowering::Kind::Scalar, op};
}
constexpr Lowering rounded(ScalarOp op) {
    return {Lowering::Kind::Rounded, op};
}

struct Row {
    std::string_view name, symbol, result, operands;
    Lowering lowering;
};
constexpr Row rows[] = {
#define LANEWISE_LIBDEVICE(name, result, operands, lowering) \
    {"libdevice." #name, "__nv_" #name, result, operands, lowering},
#include "lanewise/tables/libdevice.def"
#undef LANEWISE_LIBDEVICE
};

bool is_output(char letter) {
    return letter >= 'A' && letter <= 'I';
}

/// What the function takes or gives; u and L as the unsigned integers they mean.
DType dtype_of(char letter) {
    switch (letter) {
        case 'f':
        case 'F':
            return DType::Float32;
        case 'd':
        case 'D':
            return DType::Float64;
        case 'h':
            return DType::Int16;
        case 'l':
            return DType::Int64;
        case 'u':
            return DType::UInt32;
        case 'L':
            return DType::UInt64;
        default:
            return DType::Int32;
    }
}

/// What the caller sees: Numba types every integer of libdevice as signed.
DType result_dtype(char letter) {
    return letter == 'u' ? DType::Int32 : letter == 'L' ? DType::Int64 : dtype_of(letter);
}

Value* emit_lowered(ir::Builder& b, const Row& row, const std::vector<Value*>& operands) {
    const DType raw = dtype_of(row.result[0]);
    switch (row.lowering.kind) {
        case Lowering::Kind::Scalar:
            return b.cast(b.scalar(row.lowering.op, operands), result_dtype(row.result[0]));
        case Lowering::Kind::Rounded:
            return b.cast(b.cast(b.scalar(row.lowering.op, operands[0]), raw), result_dtype(row.result[0]));
        case Lowering::Kind::Converted:
            return b.cast(operands[0], raw);
        case Lowering::Kind::SameBits:
            return b.bitcast(operands[0], ir::Type::scalar(raw));
        case Lowering::Kind::External:
            break;
    }
    return nullptr;
}

/// The result, if there is one, then the outputs, which the function writes through pointers to local memory.
std::vector<Value*> emit_external(ir::Builder& b, const Row& row, std::vector<Value*> operands) {
    std::vector<std::pair<Value*, DType>> slots;
    for (char letter : row.operands) {
        if (!is_output(letter)) continue;
        const DType dtype = dtype_of(letter);
        const auto bytes = static_cast<std::uint32_t>(size_of(dtype));
        slots.emplace_back(b.local_array(bytes, bytes), dtype);
        operands.push_back(b.bitcast(slots.back().first, ir::Type::pointer(ir::Space::Generic)));
    }
    std::vector<ir::Type> results;
    if (!row.result.empty()) results.push_back(ir::Type::scalar(result_dtype(row.result[0])));
    Value* call = b.external(std::string(row.symbol), results, operands, !slots.empty());
    std::vector<Value*> values;
    if (!results.empty()) values.push_back(call);
    for (const auto& [pointer, dtype] : slots) values.push_back(b.load(ir::Type::scalar(dtype), pointer));
    return values;
}

Operand call_libdevice(Call& c) {
    const Row& row = *std::lower_bound(std::begin(rows), std::end(rows), c.name,
                                       [](const Row& r, std::string_view name) { return r.name < name; });
    std::vector<char> inputs;
    std::vector<DType> results;
    if (!row.result.empty()) results.push_back(result_dtype(row.result[0]));
    for (char letter : row.operands) {
        if (is_output(letter)) {
            results.push_back(dtype_of(letter));
        } else {
            inputs.push_back(letter);
        }
    }
    if (!c.keywords.empty() || c.args.size() != inputs.size()) {
        std::vector<std::string_view> names;
        for (char letter : inputs) names.push_back(name(result_dtype(letter)));
        c.fail(fmt::format("takes {} positional argument{}: {}({})", inputs.size(), inputs.size() == 1 ? "" : "s",
                           c.spelling, fmt::join(names, ", ")));
    }
    std::vector<Value*> operands;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        scalar_argument(c, i);
        operands.push_back(argument_as(c, i, dtype_of(inputs[i])));
    }

    std::vector<Value*> values(results.size());
    if (!c.e.dry()) {
        if (row.lowering.kind == Lowering::Kind::External) {
            values = emit_external(c.e.builder(), row, operands);
        } else {
            values[0] = emit_lowered(c.e.builder(), row, operands);
        }
    }
    std::vector<Operand> items;
    for (std::size_t i = 0; i < results.size(); ++i) items.push_back(c.e.scalar(results[i], values[i]));
    return items.size() == 1 ? items[0] : c.e.tuple(items);
}

constexpr Builtin table[] = {
#define LANEWISE_LIBDEVICE(name, result, operands, lowering) {"libdevice." #name, call_libdevice},
#include "lanewise/tables/libdevice.def"
#undef LANEWISE_LIBDEVICE
};

static_assert(std::is_sorted(std::begin(rows), std::end(rows),
                             [](const Row& a, const Row& b) { return a.name < b.name; }),
              "call_libdevice finds rows by bisection");

}  // namespace

std::span<const Builtin> libdevice_builtins() {
    return table;
}

}  // namespace lanewise::python
