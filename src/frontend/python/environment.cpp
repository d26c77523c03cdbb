#include "frontend/python/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "frontend/python/scalar_rules.h"

namespace lanewise::python {

using syntax::Captured;

namespace {

bool is_weak(const Operand& value) {
    const auto& constant = value.constant;
    return value.is_literal && constant &&
           (constant->kind == Captured::Kind::Int || constant->kind == Captured::Kind::Float);
}

VariablePtr conflict(const VariablePtr& a, const VariablePtr& b) {
    auto result = std::make_shared<Variable>();
    result->conflict_a = a;
    result->conflict_b = b;
    return result;
}

VariablePtr possibly_undefined(const VariablePtr& v) {
    if (v->maybe_undefined) return v;
    auto result = std::make_shared<Variable>(*v);
    result->maybe_undefined = true;
    return result;
}

/// One value whatever the path: constants are made anew at each use.
bool same_value(const ir::Value* a, const ir::Value* b) {
    return a == b ||
           (a->op == ir::Op::Constant && b->op == ir::Op::Constant && a->type == b->type && a->bits == b->bits);
}

std::string describe(const Variable& v) {
    if (v.operand.type->is(Type::Kind::String) && v.operand.constant)
        return fmt::format("the string '{}'", v.operand.constant->text);
    return to_string(v.operand.type);
}

}  // namespace

TypePtr common_type(const Emitter& e, const Operand& a, const Operand& b) {
    if (a.type == b.type) {
        // A string has no value at run time.
        const bool two_strings = a.type->is(Type::Kind::String) && !same_constant(a.constant, b.constant);
        return two_strings ? nullptr : a.type;
    }
    if (e.options().weak_literals && a.type->is_scalar() && b.type->is_scalar()) {
        if (is_weak(a) && b.type->dtype == DType::Float32) return b.type;
        if (is_weak(b) && a.type->dtype == DType::Float32) return a.type;
    }
    return unify(a.type, b.type);
}

bool same_constant(const syntax::CapturedPtr& a, const syntax::CapturedPtr& b) {
    if (a == b) return true;
    if (!a || !b || a->kind != b->kind) return false;
    switch (a->kind) {
        case Captured::Kind::None:
            return true;
        case Captured::Kind::Bool:
            return a->integer == b->integer;
        case Captured::Kind::Int:
            return a->integer == b->integer && a->is_uint64 == b->is_uint64;
        // Bit for bit would tell NaNs apart; values that compare equal but for a zero's sign are not one constant.
        case Captured::Kind::Float:
            return a->number == b->number && std::signbit(a->number) == std::signbit(b->number);
        case Captured::Kind::String:
        case Captured::Kind::Builtin:
        case Captured::Kind::Module:
            return a->text == b->text;
        case Captured::Kind::DType:
            return a->dtype == b->dtype;
        case Captured::Kind::Function:
            return a->function == b->function;
        case Captured::Kind::Tuple:
            return std::equal(a->items.begin(), a->items.end(), b->items.begin(), b->items.end(), same_constant);
        default:
            return false;
    }
}

bool same_typing(const VariablePtr& a, const VariablePtr& b) {
    if (a == b) return true;
    if (!a || !b) return false;
    return a->operand.type == b->operand.type && a->maybe_undefined == b->maybe_undefined &&
           a->operand.is_literal == b->operand.is_literal && same_constant(a->operand.constant, b->operand.constant);
}

VariablePtr merge(const Emitter& e, const VariablePtr& a, const VariablePtr& b) {
    if (a == b) return a;
    if (!a || !b) return possibly_undefined(a ? a : b);
    if (a->is_conflict()) return a;
    if (b->is_conflict()) return b;
    const TypePtr type = common_type(e, a->operand, b->operand);
    if (!type) return conflict(a, b);
    auto result = std::make_shared<Variable>();
    result->operand.type = type;
    result->operand.spelling = a->operand.spelling;
    if (a->operand.type == b->operand.type && same_constant(a->operand.constant, b->operand.constant)) {
        result->operand.constant = a->operand.constant;
        result->operand.is_literal = a->operand.is_literal && b->operand.is_literal;
    }
    result->defined = a->defined;
    result->maybe_undefined = a->maybe_undefined || b->maybe_undefined;
    return result;
}

std::vector<ir::Value*> parts_as(Emitter& e, const VariablePtr& variable, TypePtr type) {
    if (e.dry()) return {};
    if (variable) return convert(e, variable->operand, type).parts;
    std::vector<ir::Value*> zeros;
    for (ir::Type part : parts_of(type)) zeros.push_back(e.builder().constant_bits(part, 0));
    return zeros;
}

Environment join(Emitter& e, std::vector<Edge> edges, ir::Block* target) {
    const std::size_t slots = edges.front().environment.size();
    Environment merged = edges.front().environment;
    for (std::size_t i = 1; i < edges.size(); ++i)
        for (std::size_t slot = 0; slot < slots; ++slot)
            merged[slot] = merge(e, merged[slot], edges[i].environment[slot]);
    if (e.dry()) return merged;

    // Slots whose values differ between edges, and for each edge their parts in the merged type.
    std::vector<std::size_t> differing;
    for (std::size_t slot = 0; slot < slots; ++slot) {
        if (!merged[slot] || merged[slot]->is_conflict()) continue;
        const bool same = std::all_of(edges.begin(), edges.end(), [&](const Edge& edge) {
            return edge.environment[slot] == edges.front().environment[slot];
        });
        if (!same) differing.push_back(slot);
    }
    std::vector<std::vector<ir::Value*>> parts(edges.size() * differing.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        e.builder().set_block(edges[i].block);
        for (std::size_t k = 0; k < differing.size(); ++k)
            parts[i * differing.size() + k] =
                parts_as(e, edges[i].environment[differing[k]], merged[differing[k]]->operand.type);
        edges[i].block = e.builder().block();
        e.builder().branch(target);
    }
    e.builder().set_block(target);
    for (std::size_t k = 0; k < differing.size(); ++k) {
        auto variable = std::make_shared<Variable>(*merged[differing[k]]);
        std::vector<ir::Value*>& result = variable->operand.parts;
        result.assign(parts[k].size(), nullptr);
        for (std::size_t part = 0; part < result.size(); ++part) {
            auto at = [&](std::size_t edge) { return parts[edge * differing.size() + k][part]; };
            bool same = true;
            for (std::size_t i = 1; i < edges.size(); ++i) same &= same_value(at(i), at(0));
            if (same) {
                result[part] = at(0);
                continue;
            }
            result[part] = e.builder().phi(at(0)->type);
            bool never_negative = true;
            for (std::size_t i = 0; i < edges.size(); ++i) {
                ir::Builder::add_incoming(result[part], at(i), edges[i].block);
                never_negative &= e.noted_never_negative(at(i));
            }
            if (never_negative) e.note_never_negative(result[part]);
        }
        merged[differing[k]] = std::move(variable);
    }
    return merged;
}

void fail_conflict(const Emitter& e, const Variable& variable, std::string_view name) {
    const Variable& a = *variable.conflict_a;
    const Variable& b = *variable.conflict_b;
    std::string hint;
    const bool with_none = a.operand.type->is(Type::Kind::None) || b.operand.type->is(Type::Kind::None);
    if (with_none) hint = "; kernels have no optional values: start with a number and keep a flag beside it";
    const std::string file = e.file() ? e.file()->path : std::string();
    e.fail(ErrorKind::Typing,
           fmt::format("Cannot unify {} and {} for '{}', defined at {} ({}), and at {} ({}){}", describe(a),
                       describe(b), name, file, a.defined.line, file, b.defined.line, hint));
}

}  // namespace lanewise::python
