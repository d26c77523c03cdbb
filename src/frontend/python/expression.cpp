// Expressions but for calls.
#include <fmt/format.h>

#include "frontend/python/attribute.h"
#include "frontend/python/body.h"
#include "frontend/python/index.h"
#include "frontend/python/scalar_rules.h"
#include "frontend/python/unsupported.h"

namespace lanewise::python {

using syntax::Captured;
using syntax::CompareOp;
using syntax::Expr;

namespace {

TypePtr chosen_type(const Emitter& e, const Operand& a, const Operand& b, const char* what) {
    if (TypePtr type = common_type(e, a, b)) return type;
    const std::string left = to_string(a.type), right = to_string(b.type);
    e.fail(ErrorKind::Typing,
           left == right
               ? fmt::format("{} are two strings, and the choice is made at run time: strings are compile-time "
                             "values in kernels",
                             what)
               : fmt::format("Cannot unify {} and {}, {}", left, right, what));
}

}  // namespace

Operand Body::expression(const Expr& x) {
    at(x.at);
    switch (x.kind) {
        case Expr::Kind::Literal:
            return e_.captured(x.captured);
        case Expr::Kind::Captured: {
            Operand operand = e_.captured(x.captured);
            operand.spelling = x.text;
            return operand;
        }
        case Expr::Kind::Name:
            return load(x);
        case Expr::Kind::Attribute: {
            const Operand object = expression(*x.a);
            at(x.at);
            Operand result = attribute(e_, object, x.text);
            if (!object.spelling.empty() && !result.type->is_array()) result.spelling = object.spelling + "." + x.text;
            return result;
        }
        case Expr::Kind::Subscript: {
            const Operand object = expression(*x.a);
            const Operand where = index(*x.b);
            at(x.at);
            return get_item(e_, object, where);
        }
        case Expr::Kind::Slice:
            return index(x);
        case Expr::Kind::Tuple: {
            std::vector<Operand> items;
            for (const auto& item : x.items) {
                if (item->kind != Expr::Kind::Starred) {
                    items.push_back(expression(*item));
                    continue;
                }
                const Operand packed = expression(*item->a);
                if (!packed.type->is_tuple())
                    fail(fmt::format("'*' unpacks tuples, not {}", to_string(packed.type)), item->at);
                for (std::size_t i = 0; i < packed.type->items.size(); ++i) items.push_back(e_.item(packed, i));
            }
            at(x.at);
            return e_.tuple(items);
        }
        case Expr::Kind::List:
            fail(unsupported_syntax("List"), x.at, ErrorKind::UnsupportedSyntax);
        case Expr::Kind::Binary: {
            const Operand a = expression(*x.a), b = expression(*x.b);
            at(x.at);
            return binary(e_, x.binary, a, b);
        }
        case Expr::Kind::Unary: {
            if (x.unary == syntax::UnaryOp::Not) return condition(x);
            const Operand a = expression(*x.a);
            at(x.at);
            return unary(e_, x.unary, a);
        }
        case Expr::Kind::BoolAnd:
        case Expr::Kind::BoolOr:
            return lower_logical(x);
        case Expr::Kind::Compare:
            return lower_compare(x);
        case Expr::Kind::IfExp:
            return lower_conditional(x);
        case Expr::Kind::Call:
            return lower_call(x);
        case Expr::Kind::Starred:
            fail(unsupported_syntax("Starred"), x.at, ErrorKind::UnsupportedSyntax);
        case Expr::Kind::Lambda:
            return bind_closure(closure_operand(*x.function), x.at);
        case Expr::Kind::Unsupported:
            fail(unsupported_syntax(x.text), x.at, ErrorKind::UnsupportedSyntax);
    }
    fail("unknown expression", x.at, ErrorKind::Internal);
}

Operand Body::load(const Expr& name) {
    const int slot = scope_.slot(name.text);
    const Variable* variable = slot < 0 ? nullptr : env_[static_cast<std::size_t>(slot)].get();
    if (!variable) {
        // A later statement of the loop may define it: then the next round of typing knows.
        if (slot >= 0 && e_.dry() && !loops_.empty()) throw UnknownResult{};
        fail(slot < 0 ? fmt::format("name '{}' is not defined", name.text)
                      : fmt::format("local variable '{}' is used before it has a value", name.text),
             name.at);
    }
    at(name.at);
    if (variable->is_conflict()) fail_conflict(e_, *variable, name.text);
    if (variable->operand.type->is(Type::Kind::Closure)) return bind_closure(variable->operand, name.at);
    return variable->operand;
}

Operand Body::closure_operand(const syntax::Function& function) {
    Operand closure;
    Type type;
    type.kind = Type::Kind::Closure;
    type.function = &function;
    closure.type = intern(std::move(type));
    return closure;
}

/// Gives a nested function of this activation the present values of the variables it takes from here.
Operand Body::bind_closure(const Operand& closure, Location where) {
    const syntax::Function& function = *closure.type->function;
    if (!closure.type->items.empty() || function.free_variables.empty()) return closure;
    Operand bound = closure;
    Type type = *closure.type;
    auto constants = std::make_shared<Captured>();
    constants->kind = Captured::Kind::Tuple;
    for (const std::string& name : function.free_variables) {
        if (name == local_name(function))
            fail(fmt::format("the nested function '{}' calls itself: make it a device function at module level", name),
                 where, ErrorKind::UnsupportedSyntax);
        const int slot = scope_.slot(name);
        const VariablePtr variable = slot < 0 ? nullptr : env_[static_cast<std::size_t>(slot)];
        if (!variable && e_.dry() && !loops_.empty()) throw UnknownResult{};
        if (!variable)
            fail(fmt::format("the nested function '{}' uses '{}', which has no value yet here", local_name(function),
                             name),
                 where);
        at(where);
        if (variable->is_conflict()) fail_conflict(e_, *variable, name);
        const Operand value = variable->operand.type->is(Type::Kind::Closure) ? bind_closure(variable->operand, where)
                                                                              : variable->operand;
        type.items.push_back(value.type);
        bound.parts.insert(bound.parts.end(), value.parts.begin(), value.parts.end());
        constants->items.push_back(value.constant);
    }
    bound.type = intern(std::move(type));
    bound.constant = std::move(constants);
    return bound;
}

Operand Body::index(const Expr& x) {
    if (x.kind == Expr::Kind::Slice) {
        const Operand absent;
        const Operand start = x.a ? expression(*x.a) : absent;
        const Operand stop = x.b ? expression(*x.b) : absent;
        const Operand step = x.c ? expression(*x.c) : absent;
        at(x.at);
        return make_slice(e_, start, stop, step);
    }
    return expression(x);
}

bool Body::is_cheap(const Expr& x, int budget) const {
    if (budget <= 0) return false;
    switch (x.kind) {
        case Expr::Kind::Literal:
        case Expr::Kind::Captured:
        case Expr::Kind::Name:
            return true;
        case Expr::Kind::Attribute:
            return is_cheap(*x.a, budget - 1);
        case Expr::Kind::Subscript: {
            // a.shape[0]: a tuple's item, not memory.
            const bool of_shape =
                x.a->kind == Expr::Kind::Attribute && (x.a->text == "shape" || x.a->text == "strides");
            return of_shape && x.b->kind == Expr::Kind::Literal;
        }
        case Expr::Kind::Unary:
            return is_cheap(*x.a, budget - 1);
        case Expr::Kind::Binary:
            switch (x.binary) {
                case syntax::BinaryOp::Add:
                case syntax::BinaryOp::Sub:
                case syntax::BinaryOp::Mul:
                case syntax::BinaryOp::LShift:
                case syntax::BinaryOp::RShift:
                case syntax::BinaryOp::BitAnd:
                case syntax::BinaryOp::BitOr:
                case syntax::BinaryOp::BitXor:
                    return is_cheap(*x.a, budget / 2) && is_cheap(*x.b, budget / 2);
                default:
                    return false;
            }
        case Expr::Kind::Compare: {
            if (!is_cheap(*x.a, budget / 2)) return false;
            for (const auto& item : x.items)
                if (!is_cheap(*item, budget / 2)) return false;
            return true;
        }
        default:
            return false;
    }
}

Operand Body::select(const Operand& test, const Operand& a, const Operand& b) {
    Operand result;
    result.type = a.type;
    for (std::size_t i = 0; i < a.parts.size(); ++i)
        result.parts.push_back(e_.builder().select(test.value(), a.parts[i], b.parts[i]));
    return result;
}

Operand Body::short_circuit(const Operand& test, bool when, bool cheap, const std::function<Operand()>& then) {
    if (auto known = test.constant_int()) {
        if ((*known != 0) == when) return then();
        return test;
    }
    if (e_.dry()) {
        try {
            then();
        } catch (const UnknownResult&) {
            // The type is bool whatever the rest gives.
        }
        return e_.scalar(DType::Bool, nullptr);
    }
    ir::Builder& b = e_.builder();
    if (cheap) {
        const Operand other = then();
        return e_.scalar(DType::Bool,
                         b.scalar(when ? ir::ScalarOp::BitAnd : ir::ScalarOp::BitOr, test.value(), other.value()));
    }
    ir::Block* before = b.block();
    ir::Block* evaluate = b.new_block("evaluate");
    ir::Block* after = b.new_block("evaluated");
    b.cond_branch(test.value(), when ? evaluate : after, when ? after : evaluate);
    b.set_block(evaluate);
    const Operand other = then();
    ir::Block* end = b.block();
    b.branch(after);
    b.set_block(after);
    ir::Value* result = b.phi(ir::Type::scalar(DType::Bool));
    ir::Builder::add_incoming(result, b.boolean(!when), before);
    ir::Builder::add_incoming(result, other.value(), end);
    return e_.scalar(DType::Bool, result);
}

Operand Body::lower_compare(const Expr& x) {
    Operand left = expression(*x.a);
    Operand right = expression(*x.items[0]);
    at(x.at);
    Operand result = compare(e_, x.compares[0], left, right);
    // a < b < c: b is evaluated once, c only when a < b holds.
    for (std::size_t i = 1; i < x.compares.size(); ++i) {
        left = right;
        result = short_circuit(result, true, is_cheap(*x.items[i]), [&] {
            right = expression(*x.items[i]);
            at(x.at);
            return compare(e_, x.compares[i], left, right);
        });
    }
    return result;
}

Operand Body::condition(const Expr& x) {
    if (x.kind == Expr::Kind::BoolAnd || x.kind == Expr::Kind::BoolOr) return logical_condition(x);
    if (x.kind == Expr::Kind::Unary && x.unary == syntax::UnaryOp::Not) {
        const Operand a = condition(*x.a);
        at(x.at);
        return unary(e_, syntax::UnaryOp::Not, a);
    }
    const Operand value = expression(x);
    at(x.at);
    return truth(e_, value);
}

Operand Body::logical_condition(const Expr& x) {
    const bool all = x.kind == Expr::Kind::BoolAnd;
    Operand result = condition(*x.items[0]);
    for (std::size_t i = 1; i < x.items.size(); ++i)
        result = short_circuit(result, all, is_cheap(*x.items[i]), [&] { return condition(*x.items[i]); });
    return result;
}

std::optional<Operand> Body::alternative(const Expr& x) {
    try {
        return expression(x);
    } catch (const UnknownResult&) {
        if (!e_.dry()) throw;
        return std::nullopt;
    }
}

/// `a and b` as a value: one of the operands, in the type both unify to.
Operand Body::lower_logical(const Expr& x) {
    const bool all = x.kind == Expr::Kind::BoolAnd;
    Operand left = expression(*x.items[0]);
    for (std::size_t i = 1; i < x.items.size(); ++i) {
        at(x.at);
        const Operand test = truth(e_, left);
        if (auto known = test.constant_int()) {
            if ((*known != 0) == all) left = expression(*x.items[i]);
            continue;
        }
        if (left.type->is_bool() && is_cheap(*x.items[i])) {
            const Operand right = expression(*x.items[i]);
            at(x.at);
            if (right.type->is_bool()) {
                const auto op = all ? syntax::BinaryOp::BitAnd : syntax::BinaryOp::BitOr;
                left = binary(e_, op, left, right);
                continue;
            }
            const TypePtr type = chosen_type(e_, left, right, all ? "the operands of 'and'" : "the operands of 'or'");
            const Operand a = convert(e_, left, type), b = convert(e_, right, type);
            left = e_.dry() ? b : all ? select(test, b, a) : select(test, a, b);
            left.constant = nullptr;
            left.is_literal = false;
            continue;
        }
        // The left block stays open until the type of the right operand is known.
        ir::Block* left_block = open_block();
        ir::Block* right_block = new_block("evaluate");
        ir::Block* after = new_block("evaluated");
        enter_block(right_block);
        const std::optional<Operand> evaluated = alternative(*x.items[i]);
        if (!evaluated) {
            left.constant = nullptr;
            left.is_literal = false;
            continue;
        }
        Operand right = *evaluated;
        at(x.at);
        const TypePtr type = chosen_type(e_, left, right, all ? "the operands of 'and'" : "the operands of 'or'");
        right = convert(e_, right, type);
        Operand result;
        result.type = type;
        if (!e_.dry()) {
            ir::Builder& b = e_.builder();
            ir::Block* right_end = b.block();
            b.branch(after);
            b.set_block(left_block);
            left = convert(e_, left, type);
            b.cond_branch(test.value(), all ? right_block : after, all ? after : right_block);
            b.set_block(after);
            for (std::size_t part = 0; part < right.parts.size(); ++part) {
                result.parts.push_back(b.phi(right.parts[part]->type));
                ir::Builder::add_incoming(result.parts.back(), left.parts[part], left_block);
                ir::Builder::add_incoming(result.parts.back(), right.parts[part], right_end);
            }
        }
        left = std::move(result);
    }
    return left;
}

Operand Body::lower_conditional(const Expr& x) {
    const Operand test = condition(*x.b);
    if (auto known = test.constant_int()) return expression(*known ? *x.a : *x.c);
    if (e_.dry() || (is_cheap(*x.a) && is_cheap(*x.c))) {
        const std::optional<Operand> first = alternative(*x.a), second = alternative(*x.c);
        if (!first && !second) throw UnknownResult{};
        const Operand& a = first ? *first : *second;
        const Operand& b = second ? *second : *first;
        at(x.at);
        const TypePtr type = chosen_type(e_, a, b, "the values of 'if ... else ...'");
        Operand result = convert(e_, a, type);
        const Operand other = convert(e_, b, type);
        if (!e_.dry()) result = select(test, result, other);
        result.constant = nullptr;
        result.is_literal = false;
        return result;
    }
    ir::Builder& builder = e_.builder();
    ir::Block* then_block = builder.new_block("then");
    ir::Block* else_block = builder.new_block("else");
    ir::Block* after = builder.new_block("chosen");
    builder.cond_branch(test.value(), then_block, else_block);
    builder.set_block(then_block);
    Operand a = expression(*x.a);
    ir::Block* then_end = builder.block();
    builder.set_block(else_block);
    Operand b = expression(*x.c);
    at(x.at);
    const TypePtr type = chosen_type(e_, a, b, "the values of 'if ... else ...'");
    b = convert(e_, b, type);
    ir::Block* else_end = builder.block();
    builder.branch(after);
    builder.set_block(then_end);
    a = convert(e_, a, type);
    builder.branch(after);
    builder.set_block(after);
    Operand result;
    result.type = type;
    for (std::size_t part = 0; part < a.parts.size(); ++part) {
        result.parts.push_back(builder.phi(a.parts[part]->type));
        ir::Builder::add_incoming(result.parts.back(), a.parts[part], then_end);
        ir::Builder::add_incoming(result.parts.back(), b.parts[part], else_end);
    }
    return result;
}

}  // namespace lanewise::python
