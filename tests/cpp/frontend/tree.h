// Short constructors of syntax trees, for tests that lower Python functions without Python.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "frontend/python/syntax.h"

namespace lanewise::tree {

using namespace lanewise::syntax;

/// Counts source lines as statements are made, so that messages about lines can be tested.
class Lines {
public:
    static std::uint32_t next() { return ++current(); }
    static std::uint32_t last() { return current(); }
    static void restart() { current() = 0; }

private:
    static std::uint32_t& current() {
        static std::uint32_t line = 0;
        return line;
    }
};

template <class T>
void append(std::vector<T>&) {}
template <class T, class... Rest>
void append(std::vector<T>& list, T first, Rest... rest) {
    list.push_back(std::move(first));
    append(list, std::move(rest)...);
}
template <class... Items>
std::vector<ExprPtr> exprs(Items... items) {
    std::vector<ExprPtr> list;
    append(list, std::move(items)...);
    return list;
}
template <class... Items>
std::vector<StmtPtr> body(Items... items) {
    std::vector<StmtPtr> list;
    append(list, std::move(items)...);
    return list;
}

inline ExprPtr make(Expr::Kind kind) {
    auto x = std::make_unique<Expr>();
    x->kind = kind;
    x->at = {Lines::last() + 1, 4, Lines::last() + 1, 5};
    return x;
}

inline CapturedPtr captured_int(std::int64_t value) {
    auto c = std::make_shared<Captured>();
    c->kind = Captured::Kind::Int;
    c->integer = value;
    return c;
}
inline CapturedPtr captured_float(double value) {
    auto c = std::make_shared<Captured>();
    c->kind = Captured::Kind::Float;
    c->number = value;
    return c;
}
inline CapturedPtr captured_bool(bool value) {
    auto c = std::make_shared<Captured>();
    c->kind = Captured::Kind::Bool;
    c->integer = value;
    return c;
}
inline CapturedPtr captured_text(Captured::Kind kind, std::string text) {
    auto c = std::make_shared<Captured>();
    c->kind = kind;
    c->text = std::move(text);
    return c;
}
inline CapturedPtr captured_tuple(std::vector<CapturedPtr> items) {
    auto c = std::make_shared<Captured>();
    c->kind = Captured::Kind::Tuple;
    c->items = std::move(items);
    return c;
}
inline CapturedPtr captured_dtype(DType dtype) {
    auto c = std::make_shared<Captured>();
    c->kind = Captured::Kind::DType;
    c->dtype = dtype;
    return c;
}
inline CapturedPtr captured_function(FunctionPtr function) {
    auto c = std::make_shared<Captured>();
    c->kind = Captured::Kind::Function;
    c->function = std::move(function);
    return c;
}

inline ExprPtr literal(CapturedPtr value) {
    auto x = make(Expr::Kind::Literal);
    x->captured = std::move(value);
    return x;
}
inline ExprPtr num(std::int64_t value) {
    return literal(captured_int(value));
}
inline ExprPtr real(double value) {
    return literal(captured_float(value));
}
inline ExprPtr boolean(bool value) {
    return literal(captured_bool(value));
}
inline ExprPtr none() {
    return literal(std::make_shared<Captured>());
}
inline ExprPtr text(std::string value) {
    return literal(captured_text(Captured::Kind::String, std::move(value)));
}
inline ExprPtr ellipsis() {
    return literal(captured_text(Captured::Kind::Builtin, "builtins.Ellipsis"));
}
inline ExprPtr global(std::string spelling, CapturedPtr value) {
    auto x = make(Expr::Kind::Captured);
    x->text = std::move(spelling);
    x->captured = std::move(value);
    return x;
}
inline ExprPtr builtin(const std::string& canonical) {
    return global(canonical.starts_with("builtins.") ? canonical.substr(9) : canonical,
                  captured_text(Captured::Kind::Builtin, canonical));
}
inline ExprPtr dtype(DType value) {
    return global(std::string(name(value)), captured_dtype(value));
}
inline ExprPtr var(std::string text) {
    auto x = make(Expr::Kind::Name);
    x->text = std::move(text);
    return x;
}
inline ExprPtr attr(ExprPtr object, std::string text) {
    auto x = make(Expr::Kind::Attribute);
    x->a = std::move(object);
    x->text = std::move(text);
    return x;
}
inline ExprPtr sub(ExprPtr object, ExprPtr index) {
    auto x = make(Expr::Kind::Subscript);
    x->a = std::move(object);
    x->b = std::move(index);
    return x;
}
inline ExprPtr slice(ExprPtr start, ExprPtr stop, ExprPtr step = nullptr) {
    auto x = make(Expr::Kind::Slice);
    x->a = std::move(start);
    x->b = std::move(stop);
    x->c = std::move(step);
    return x;
}
template <class... Items>
ExprPtr tup(Items... items) {
    auto x = make(Expr::Kind::Tuple);
    x->items = exprs(std::move(items)...);
    return x;
}
inline ExprPtr bin(BinaryOp op, ExprPtr a, ExprPtr b) {
    auto x = make(Expr::Kind::Binary);
    x->binary = op;
    x->a = std::move(a);
    x->b = std::move(b);
    return x;
}
inline ExprPtr add(ExprPtr a, ExprPtr b) {
    return bin(BinaryOp::Add, std::move(a), std::move(b));
}
inline ExprPtr subtract(ExprPtr a, ExprPtr b) {
    return bin(BinaryOp::Sub, std::move(a), std::move(b));
}
inline ExprPtr mul(ExprPtr a, ExprPtr b) {
    return bin(BinaryOp::Mul, std::move(a), std::move(b));
}
inline ExprPtr neg(ExprPtr a) {
    auto x = make(Expr::Kind::Unary);
    x->unary = UnaryOp::Neg;
    x->a = std::move(a);
    return x;
}
inline ExprPtr logical_not(ExprPtr a) {
    auto x = make(Expr::Kind::Unary);
    x->unary = UnaryOp::Not;
    x->a = std::move(a);
    return x;
}
inline ExprPtr cmp(ExprPtr a, CompareOp op, ExprPtr b) {
    auto x = make(Expr::Kind::Compare);
    x->a = std::move(a);
    x->compares.push_back(op);
    x->items.push_back(std::move(b));
    return x;
}
inline ExprPtr chain(ExprPtr a, CompareOp first, ExprPtr b, CompareOp second, ExprPtr c) {
    auto x = cmp(std::move(a), first, std::move(b));
    x->compares.push_back(second);
    x->items.push_back(std::move(c));
    return x;
}
inline ExprPtr lt(ExprPtr a, ExprPtr b) {
    return cmp(std::move(a), CompareOp::Lt, std::move(b));
}
inline ExprPtr eq(ExprPtr a, ExprPtr b) {
    return cmp(std::move(a), CompareOp::Eq, std::move(b));
}
template <class... Items>
ExprPtr both(Items... items) {
    auto x = make(Expr::Kind::BoolAnd);
    x->items = exprs(std::move(items)...);
    return x;
}
template <class... Items>
ExprPtr either(Items... items) {
    auto x = make(Expr::Kind::BoolOr);
    x->items = exprs(std::move(items)...);
    return x;
}
inline ExprPtr choose(ExprPtr value, ExprPtr test, ExprPtr other) {
    auto x = make(Expr::Kind::IfExp);
    x->a = std::move(value);
    x->b = std::move(test);
    x->c = std::move(other);
    return x;
}
template <class... Items>
ExprPtr call(ExprPtr callee, Items... items) {
    auto x = make(Expr::Kind::Call);
    x->a = std::move(callee);
    x->items = exprs(std::move(items)...);
    return x;
}
template <class... Items>
ExprPtr call(const std::string& canonical, Items... items) {
    return call(builtin(canonical), std::move(items)...);
}
inline ExprPtr call(const FunctionPtr& function, std::vector<ExprPtr> items) {
    auto x = make(Expr::Kind::Call);
    x->a = global(function->name, captured_function(function));
    x->items = std::move(items);
    return x;
}
inline ExprPtr keyword(ExprPtr call, std::string name, ExprPtr value) {
    call->keywords.push_back({std::move(name), std::move(value), call->at});
    return call;
}
inline ExprPtr starred(ExprPtr a) {
    auto x = make(Expr::Kind::Starred);
    x->a = std::move(a);
    return x;
}
inline ExprPtr lambda(FunctionPtr function) {
    auto x = make(Expr::Kind::Lambda);
    x->function = std::move(function);
    return x;
}
inline ExprPtr unsupported(std::string ast_class) {
    auto x = make(Expr::Kind::Unsupported);
    x->text = std::move(ast_class);
    return x;
}

inline StmtPtr statement(Stmt::Kind kind) {
    auto s = std::make_unique<Stmt>();
    s->kind = kind;
    const std::uint32_t line = Lines::next();
    s->at = {line, 4, line, 8};
    return s;
}
inline StmtPtr assign(ExprPtr target, ExprPtr value) {
    auto s = statement(Stmt::Kind::Assign);
    s->targets.push_back(std::move(target));
    s->value = std::move(value);
    return s;
}
inline StmtPtr assign(std::string name, ExprPtr value) {
    return assign(var(std::move(name)), std::move(value));
}
inline StmtPtr augment(ExprPtr target, BinaryOp op, ExprPtr value) {
    auto s = statement(Stmt::Kind::AugAssign);
    s->targets.push_back(std::move(target));
    s->binary = op;
    s->value = std::move(value);
    return s;
}
inline StmtPtr run(ExprPtr value) {
    auto s = statement(Stmt::Kind::Expr);
    s->value = std::move(value);
    return s;
}
inline StmtPtr when(ExprPtr test, std::vector<StmtPtr> then, std::vector<StmtPtr> otherwise = {}) {
    auto s = statement(Stmt::Kind::If);
    s->test = std::move(test);
    s->body = std::move(then);
    s->orelse = std::move(otherwise);
    return s;
}
inline StmtPtr loop_while(ExprPtr test, std::vector<StmtPtr> inside, std::vector<StmtPtr> orelse = {}) {
    auto s = statement(Stmt::Kind::While);
    s->test = std::move(test);
    s->body = std::move(inside);
    s->orelse = std::move(orelse);
    return s;
}
inline StmtPtr loop_for(ExprPtr target, ExprPtr iterable, std::vector<StmtPtr> inside,
                        std::vector<StmtPtr> orelse = {}) {
    auto s = statement(Stmt::Kind::For);
    s->targets.push_back(std::move(target));
    s->value = std::move(iterable);
    s->body = std::move(inside);
    s->orelse = std::move(orelse);
    return s;
}
inline StmtPtr give(ExprPtr value) {
    auto s = statement(Stmt::Kind::Return);
    s->value = std::move(value);
    return s;
}
inline StmtPtr leave() {
    return statement(Stmt::Kind::Return);
}
inline StmtPtr stop() {
    return statement(Stmt::Kind::Break);
}
inline StmtPtr next() {
    return statement(Stmt::Kind::Continue);
}
inline StmtPtr pass() {
    return statement(Stmt::Kind::Pass);
}
inline StmtPtr throwing(ExprPtr value) {
    auto s = statement(Stmt::Kind::Raise);
    s->value = std::move(value);
    return s;
}
inline StmtPtr asserting(ExprPtr test, ExprPtr message = nullptr) {
    auto s = statement(Stmt::Kind::Assert);
    s->test = std::move(test);
    s->value = std::move(message);
    return s;
}
inline StmtPtr del(std::string name) {
    auto s = statement(Stmt::Kind::Del);
    s->targets.push_back(var(std::move(name)));
    return s;
}
inline StmtPtr nested(FunctionPtr function) {
    auto s = statement(Stmt::Kind::FunctionDef);
    s->function = std::move(function);
    return s;
}
inline StmtPtr unsupported_statement(std::string ast_class) {
    auto s = statement(Stmt::Kind::Unsupported);
    s->text = std::move(ast_class);
    return s;
}

inline std::shared_ptr<Function> define(std::string name, std::vector<std::string> parameters,
                                        std::vector<StmtPtr> inside, std::vector<std::string> free_variables = {}) {
    static std::uint64_t next_id = 1;
    auto function = std::make_shared<Function>();
    function->name = std::move(name);
    auto file = std::make_shared<SourceFile>();
    file->path = "kernel.py";
    for (std::uint32_t line = 1; line <= Lines::last() + 2; ++line)
        file->lines.push_back("    source of line " + std::to_string(line));
    function->file = file;
    function->at = {1, 0, Lines::last() + 1, 4};
    for (auto& parameter : parameters) function->parameters.push_back({std::move(parameter), {}, nullptr});
    function->body = std::move(inside);
    function->free_variables = std::move(free_variables);
    function->id = next_id++;
    return function;
}

}  // namespace lanewise::tree
