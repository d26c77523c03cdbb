#include "frontend/python/declared.h"

#include <fmt/format.h>

#include <optional>

#include "frontend/python/scalar_rules.h"

namespace lanewise::python {
namespace {

/// Conversions of a call, in the order in which they count: fewer unsafe ones first, then safe ones, then promotions.
struct Cost {
    int unsafe = 0, safe = 0, promotions = 0;
    auto operator<=>(const Cost&) const = default;
};

int kind_rank(DType dtype) {
    return is_bool(dtype) ? 0 : is_integer(dtype) ? 1 : is_float(dtype) ? 2 : 3;
}

/// Exactly representable: every integer of `from` in `to`.
bool holds(DType to, DType from) {
    if (is_float(to)) return (is_float(from) ? bits(from) : 2 * bits(from)) <= bits(to) || bits(to) == 64;
    if (is_unsigned(from)) return is_unsigned(to) ? bits(to) >= bits(from) : bits(to) > bits(from);
    return is_signed(to) && bits(to) >= bits(from);
}

void add_scalar(Cost& cost, DType from, DType to) {
    if (from == to) return;
    const int difference = kind_rank(to) - kind_rank(from);
    if (difference < 0 || (!is_bool(from) && !holds(to, from))) {
        ++cost.unsafe;
    } else if (difference > 0) {
        ++cost.safe;
    } else {
        ++cost.promotions;
    }
}

bool add_argument(Cost& cost, TypePtr from, TypePtr to) {
    if (from == to) return true;
    if (from->is_scalar() && to->is_scalar()) {
        add_scalar(cost, from->dtype, to->dtype);
        return true;
    }
    if (from->is_array() && to->is_array()) {
        if (from->dtype != to->dtype || from->ndim != to->ndim) return false;
        if (to->layout != Layout::A && from->layout != to->layout) return false;
        if (from->read_only && !to->read_only) return false;
        ++cost.promotions;
        return true;
    }
    if (!from->is_tuple() || !to->is_tuple() || from->items.size() != to->items.size()) return false;
    for (std::size_t i = 0; i < from->items.size(); ++i)
        if (!add_argument(cost, from->items[i], to->items[i])) return false;
    return true;
}

std::optional<Cost> cost_of(const std::vector<Operand>& arguments, const DeclaredSignature& signature) {
    if (arguments.size() != signature.arguments.size()) return std::nullopt;
    Cost cost;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (!add_argument(cost, arguments[i].type, signature.arguments[i])) return std::nullopt;
    return cost;
}

/// Arrays keep their type: shared memory and known layouts serve as well as what the signature names.
Operand converted(Emitter& e, const Operand& argument, TypePtr to) {
    return argument.type->is_array() ? argument : convert(e, argument, to);
}

}  // namespace

DeclaredCall match_declared(Emitter& e, const syntax::Function& function, std::vector<Operand> arguments) {
    std::optional<DeclaredSignature> best;
    Cost least;
    for (const std::string& text : function.signatures) {
        DeclaredSignature signature = parse_signature(text);
        const std::optional<Cost> cost = cost_of(arguments, signature);
        if (!cost || (best && *cost >= least)) continue;
        least = *cost;
        best = std::move(signature);
    }
    if (!best) {
        std::string given, declared;
        for (const Operand& argument : arguments) given += (given.empty() ? "" : ", ") + to_string(argument.type);
        for (const std::string& text : function.signatures) declared += (declared.empty() ? "" : "; ") + text;
        e.fail(ErrorKind::Typing,
               fmt::format("No matching definition of '{}' for argument types ({}): it is declared as {}",
                           function.name, given, declared));
    }
    DeclaredCall call;
    call.result = best->result;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        call.arguments.push_back(converted(e, arguments[i], best->arguments[i]));
    return call;
}

}  // namespace lanewise::python
