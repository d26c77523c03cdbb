// Calls: builtins, methods, dtypes as conversions, device functions, nested functions.
#include <fmt/format.h>

#include "frontend/python/body.h"
#include "frontend/python/builtins.h"
#include "frontend/python/declared.h"
#include "frontend/python/scalar_rules.h"
#include "frontend/python/unsupported.h"

namespace lanewise::python {

using syntax::Captured;
using syntax::Expr;

Body::Arguments Body::arguments(const Expr& call) {
    Arguments result;
    for (const auto& item : call.items) {
        if (item->kind != Expr::Kind::Starred) {
            result.positional.push_back(expression(*item));
            result.locations.push_back(item->at);
            continue;
        }
        const Operand packed = expression(*item->a);
        if (!packed.type->is_tuple())
            fail(fmt::format("'*' unpacks tuples into arguments, not {}", to_string(packed.type)), item->at);
        for (std::size_t i = 0; i < packed.type->items.size(); ++i) {
            result.positional.push_back(e_.item(packed, i));
            result.locations.push_back(item->at);
        }
    }
    for (const auto& keyword : call.keywords) {
        if (keyword.name.empty())
            fail("'**' arguments are not supported in kernels: name each one", keyword.at,
                 ErrorKind::UnsupportedSyntax);
        result.keywords.emplace_back(keyword.name, expression(*keyword.value));
    }
    return result;
}

Operand Body::lower_call(const Expr& x) {
    const Expr& callee = *x.a;
    if (callee.kind == Expr::Kind::Captured) {
        const Captured& captured = *callee.captured;
        const std::string& spelling = callee.text.empty() ? captured.text : callee.text;
        if (captured.kind == Captured::Kind::Builtin) return call_builtin(x, captured.text, spelling, nullptr);
        if (captured.kind == Captured::Kind::Function) return call_function(x, *captured.function);
    }
    const Operand called = expression(callee);
    switch (called.type->kind) {
        case Type::Kind::Builtin:
            return call_builtin(x, called.type->builtin, callee.text, nullptr);
        case Type::Kind::Function:
            return call_function(x, *called.type->function);
        case Type::Kind::Closure:
            return call_closure(x, called);
        case Type::Kind::DType:
            return call_dtype(x, called);
        case Type::Kind::Method: {
            Operand object = called;
            object.type = called.type->items[0];
            object.spelling = callee.kind == Expr::Kind::Attribute ? callee.a->text : std::string();
            return call_builtin(x, called.type->builtin, called.spelling.empty() ? callee.text : called.spelling,
                                &object);
        }
        default:
            fail(fmt::format("{} cannot be called{}", to_string(called.type),
                             callee.text.empty() ? std::string() : fmt::format(" ('{}')", callee.text)),
                 callee.at);
    }
}

Operand Body::call_builtin(const Expr& x, const std::string& name, const std::string& spelling, const Operand* object) {
    const Handler handler = find_builtin(name);
    if (!handler) {
        std::string advice = replacement_of_builtin(name);
        if (advice.empty())
            if (const std::string close = closest_builtin(name); !close.empty())
                advice = fmt::format("did you mean '{}'?", close);
        fail(fmt::format("'{}' is not supported in kernels{}{}", spelling, advice.empty() ? "" : "; ", advice),
             x.a->at);
    }
    Arguments given = arguments(x);
    if (object) {
        given.positional.insert(given.positional.begin(), *object);
        given.locations.insert(given.locations.begin(), x.a->at);
    }
    at(x.at);
    Call call{
        e_, name, spelling, x.at, std::move(given.positional), std::move(given.locations), std::move(given.keywords)};
    return handler(call);
}

Operand Body::call_function(const Expr& x, const syntax::Function& function) {
    Arguments given = arguments(x);
    at(x.at);
    auto bound = bind_arguments(e_, function, std::move(given.positional), std::move(given.keywords));
    TypePtr declared = nullptr;
    if (!function.signatures.empty()) {
        DeclaredCall call = match_declared(e_, function, std::move(bound));
        bound = std::move(call.arguments);
        declared = call.result;
    }
    Operand result = program_.call(function, bound, x.at);
    at(x.at);
    return declared ? convert(e_, result, declared) : result;
}

/// The nested function's body is lowered here, in the caller's IR function.
Operand Body::call_closure(const Expr& x, const Operand& closure) {
    const syntax::Function& function = *closure.type->function;
    Arguments given = arguments(x);
    at(x.at);
    const auto bound = bind_arguments(e_, function, std::move(given.positional), std::move(given.keywords));
    std::vector<Operand> captured;
    std::size_t part = 0;
    for (std::size_t i = 0; i < closure.type->items.size(); ++i) {
        Operand value;
        value.type = closure.type->items[i];
        if (closure.constant && i < closure.constant->items.size()) value.constant = closure.constant->items[i];
        value.is_literal = value.constant != nullptr;
        if (!e_.dry()) {
            const std::size_t count = parts_of(value.type).size();
            value.parts.assign(closure.parts.begin() + part, closure.parts.begin() + part + count);
            part += count;
        }
        captured.push_back(std::move(value));
    }

    Body inner(program_, context_, function, bound, captured);
    inner.run();
    std::vector<Return>& returns = inner.returns();
    at(x.at);
    if (returns.empty()) {
        if (inner.stopped_) throw UnknownResult{};
        // Every path raises: what follows is unreachable.
        enter_block(new_block("unreachable"));
        return e_.none();
    }
    if (returns.size() == 1) {
        enter_block(returns[0].block);
        return returns[0].value;
    }
    Operand result;
    result.type = result_type(e_, function, returns);
    if (e_.dry()) return result;
    ir::Builder& b = e_.builder();
    ir::Block* after = b.new_block("returned");
    std::vector<std::vector<ir::Value*>> values;
    for (Return& returned : returns) {
        b.set_block(returned.block);
        values.push_back(convert(e_, returned.value, result.type).parts);
        returned.block = b.block();
        b.branch(after);
    }
    b.set_block(after);
    for (std::size_t i = 0; i < values[0].size(); ++i) {
        result.parts.push_back(b.phi(values[0][i]->type));
        for (std::size_t k = 0; k < returns.size(); ++k)
            ir::Builder::add_incoming(result.parts.back(), values[k][i], returns[k].block);
    }
    return result;
}

/// np.float32(x), a.dtype.type(x): a conversion.
Operand Body::call_dtype(const Expr& x, const Operand& dtype) {
    Arguments given = arguments(x);
    at(x.at);
    const std::string name = to_string(scalar_type(dtype.type->dtype));
    if (!given.keywords.empty() || given.positional.size() > 1)
        fail(fmt::format("{}(x) converts one number, got {} arguments", name,
                         given.positional.size() + given.keywords.size()),
             x.at);
    if (given.positional.empty()) {
        Operand zero;
        zero.type = scalar_type(dtype.type->dtype);
        if (!e_.dry())
            for (ir::Type part : parts_of(zero.type)) zero.parts.push_back(e_.builder().constant_bits(part, 0));
        return zero;
    }
    const Operand& value = given.positional[0];
    if (!value.type->is_scalar())
        fail(fmt::format("{}(x) converts numbers, not {}", name, to_string(value.type)), x.at);
    Operand result = convert(e_, value, scalar_type(dtype.type->dtype));
    // What is converted on purpose is no longer weak.
    result.is_literal = false;
    return result;
}

}  // namespace lanewise::python
