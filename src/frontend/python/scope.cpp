#include "frontend/python/scope.h"

#include <algorithm>

namespace lanewise::python {

using syntax::Expr;
using syntax::Stmt;

namespace {

/// Whether a tree mentions the captured function `id`, nested functions included.
class Mentions {
public:
    explicit Mentions(std::uint64_t id) : id_(id) {}

    bool in(const std::vector<syntax::StmtPtr>& body) const {
        return std::any_of(body.begin(), body.end(), [this](const auto& s) { return in(*s); });
    }

private:
    bool in(const syntax::ExprPtr& x) const {
        if (!x) return false;
        if (x->kind == Expr::Kind::Captured && x->captured->kind == syntax::Captured::Kind::Function)
            return x->captured->function && x->captured->function->id == id_;
        if (in(x->a) || in(x->b) || in(x->c)) return true;
        if (x->function && in(x->function->body)) return true;
        return std::any_of(x->items.begin(), x->items.end(), [this](const auto& item) { return in(item); }) ||
               std::any_of(x->keywords.begin(), x->keywords.end(), [this](const auto& k) { return in(k.value); });
    }
    bool in(const Stmt& s) const {
        return in(s.value) || in(s.test) || in(s.body) || in(s.orelse) || (s.function && in(s.function->body)) ||
               std::any_of(s.targets.begin(), s.targets.end(), [this](const auto& t) { return in(t); });
    }

    std::uint64_t id_;
};

/// Numbers the names a body assigns and notes them at the loops around.
class Assignments {
public:
    explicit Assignments(Scope& scope) : scope_(scope) {}

    void name(std::string_view name) {
        auto [found, added] = scope_.slots.try_emplace(name, static_cast<int>(scope_.names.size()));
        if (added) scope_.names.push_back(name);
        for (const Stmt* loop : loops_) scope_.assigned[loop].push_back(found->second);
    }

    void body(const std::vector<syntax::StmtPtr>& statements) {
        for (const auto& s : statements) statement(*s);
    }

private:
    void target(const Expr& x) {
        if (x.kind == Expr::Kind::Name) name(x.text);
        if (x.kind == Expr::Kind::Starred) target(*x.a);
        if (x.kind == Expr::Kind::Tuple || x.kind == Expr::Kind::List)
            for (const auto& item : x.items) target(*item);
    }

    void statement(const Stmt& s) {
        const bool loop = s.kind == Stmt::Kind::While || s.kind == Stmt::Kind::For;
        if (loop) loops_.push_back(&s);
        for (const auto& t : s.targets) target(*t);
        if (s.kind == Stmt::Kind::FunctionDef) name(local_name(*s.function));
        body(s.body);
        if (loop) {
            loops_.pop_back();
            std::vector<int>& slots = scope_.assigned[&s];
            std::sort(slots.begin(), slots.end());
            slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
        }
        body(s.orelse);
    }

    Scope& scope_;
    std::vector<const Stmt*> loops_;
};

}  // namespace

Scope::Scope(const syntax::Function& function) {
    Assignments assignments(*this);
    for (const auto& parameter : function.parameters) assignments.name(parameter.name);
    for (const auto& name : function.free_variables) assignments.name(name);
    assignments.body(function.body);
    calls_itself = Mentions(function.id).in(function.body);
}

int Scope::slot(std::string_view name) const {
    auto found = slots.find(name);
    return found == slots.end() ? -1 : found->second;
}

std::string_view local_name(const syntax::Function& function) {
    const std::string_view name = function.name;
    return name.substr(name.rfind('.') + 1);
}

}  // namespace lanewise::python
