// Assignments: names, tuples of targets, subscripts, and the augmented forms.
#include <fmt/format.h>

#include "frontend/python/body.h"
#include "frontend/python/elementwise.h"
#include "frontend/python/index.h"
#include "frontend/python/scalar_rules.h"
#include "frontend/python/unsupported.h"

namespace lanewise::python {

using syntax::Expr;
using syntax::Stmt;

void Body::lower_assign(const Stmt& s) {
    if (s.value->kind == Expr::Kind::Lambda) {
        // Bound to its captured variables where it is called, as a def is.
        const Operand closure = closure_operand(*s.value->function);
        for (const auto& target : s.targets) assign(*target, closure);
        return;
    }
    const Operand value = expression(*s.value);
    for (const auto& target : s.targets) assign(*target, value);
}

void Body::assign(const Expr& target, const Operand& value) {
    switch (target.kind) {
        case Expr::Kind::Name:
            return bind(target, value);
        case Expr::Kind::Tuple:
        case Expr::Kind::List:
            return assign_tuple(target, value);
        case Expr::Kind::Subscript: {
            const Operand object = expression(*target.a);
            const Operand where = index(*target.b);
            at(target.at);
            return set_item(e_, object, where, value);
        }
        case Expr::Kind::Attribute:
            fail(fmt::format("kernels cannot assign to the attribute '{}': use a variable or an array element",
                             target.text),
                 target.at);
        case Expr::Kind::Starred:
            fail("starred targets ('*rest = ...') are not supported: slice the tuple, as in rest = t[1:]", target.at,
                 ErrorKind::UnsupportedSyntax);
        case Expr::Kind::Captured:
            fail(fmt::format("'{}' is a global, which is a constant to a kernel: store results in an array argument",
                             target.text),
                 target.at, ErrorKind::UnsupportedSyntax);
        default:
            fail("this cannot be assigned to: names, tuples of names and array elements can", target.at,
                 ErrorKind::UnsupportedSyntax);
    }
}

void Body::bind(const Expr& name, const Operand& value) {
    auto variable = std::make_shared<Variable>();
    variable->operand = value;
    variable->operand.spelling = name.text;
    variable->defined = name.at;
    env_[static_cast<std::size_t>(scope_.slot(name.text))] = std::move(variable);
    if (!e_.dry()) program_.record_assignment(file_, name.at.line, name.text, value.type);
}

void Body::assign_tuple(const Expr& target, const Operand& value) {
    if (!value.type->is_tuple())
        fail(fmt::format(
                 "cannot unpack {} into {} names: only tuples unpack{}", to_string(value.type), target.items.size(),
                 value.type->is_array() ? "; index the array, whose length is not known before the kernel runs" : ""),
             target.at);
    const std::size_t count = value.type->items.size();
    for (const auto& item : target.items)
        if (item->kind == Expr::Kind::Starred) assign(*item, value);
    if (count != target.items.size())
        fail(fmt::format("cannot unpack {}, which has {} item{}, into {} name{}", to_string(value.type), count,
                         count == 1 ? "" : "s", target.items.size(), target.items.size() == 1 ? "" : "s"),
             target.at);
    for (std::size_t i = 0; i < count; ++i) assign(*target.items[i], e_.item(value, i));
}

void Body::lower_augmented(const Stmt& s) {
    const Expr& target = *s.targets.front();
    auto combine = [&](const Operand& a, const Operand& b) { return binary(e_, s.binary, a, b); };
    if (target.kind == Expr::Kind::Name) {
        const Operand old = load(target);
        const Operand value = expression(*s.value);
        at(s.at);
        if (old.type->is_array()) return update_view(e_, old, value, combine);
        return bind(target, combine(old, value));
    }
    if (target.kind != Expr::Kind::Subscript) return assign(target, e_.none());
    const Operand object = expression(*target.a);
    const Operand where = index(*target.b);
    if (!object.type->is_array()) {
        at(target.at);
        return set_item(e_, object, where, expression(*s.value));
    }
    at(target.at);
    require_writable(e_, object);
    const Place place = place_of(e_, object, where);
    if (!place.is_element) {
        const Operand value = expression(*s.value);
        at(s.at);
        return update_view(e_, place.view, value, combine);
    }
    const Operand old = load_element(e_, object.type, place.pointer);
    const Operand value = expression(*s.value);
    at(s.at);
    store_element(e_, object, place.pointer, combine(old, value));
}

}  // namespace lanewise::python
