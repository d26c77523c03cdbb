// Statements but for assignments and loops.
#include <fmt/format.h>

#include "frontend/python/body.h"
#include "frontend/python/scalar_rules.h"
#include "frontend/python/unsupported.h"

namespace lanewise::python {

using syntax::Captured;
using syntax::Expr;
using syntax::Stmt;

namespace {

/// "ValueError" of `ValueError`, `builtins.ValueError` or a class of the user's own.
std::string class_name(const Expr& x) {
    std::string name = x.text;
    if (name.empty() && x.captured) name = x.captured->text;
    return name.substr(name.rfind('.') + 1);
}

std::string constant_text(const Captured& value) {
    switch (value.kind) {
        case Captured::Kind::None:
            return "None";
        case Captured::Kind::Bool:
            return value.integer ? "True" : "False";
        case Captured::Kind::Int:
            return value.is_uint64 ? fmt::format("{}", static_cast<std::uint64_t>(value.integer))
                                   : fmt::format("{}", value.integer);
        case Captured::Kind::Float:
            return fmt::format("{}", value.number);
        case Captured::Kind::String:
            return value.text;
        default:
            return {};
    }
}

}  // namespace

Body::Body(Program& program, FunctionContext& context, const syntax::Function& function,
           const std::vector<Operand>& arguments, const std::vector<Operand>& captured)
    : program_(program),
      e_(program.e),
      context_(context),
      function_(function),
      scope_(program.scope(function)),
      file_(function.file.get()),
      env_(scope_.names.size()) {
    auto define = [&](std::string_view name, const Operand& value, Location where) {
        auto variable = std::make_shared<Variable>();
        variable->operand = value;
        variable->operand.spelling = name;
        variable->defined = where;
        env_[static_cast<std::size_t>(scope_.slot(name))] = std::move(variable);
    };
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
        define(function.parameters[i].name, arguments.at(i), function.parameters[i].at);
    for (std::size_t i = 0; i < captured.size(); ++i) define(function.free_variables[i], captured[i], function.at);
}

void Body::run() {
    block(function_.body);
    if (live_) {
        returns_.push_back({open_block(), e_.none(), function_.at});
        live_ = false;
    }
}

void Body::block(const std::vector<syntax::StmtPtr>& statements) {
    for (const auto& s : statements) {
        if (!live_) return;
        try {
            statement(*s);
        } catch (const UnknownResult&) {
            if (!e_.dry()) throw;
            live_ = false;
            stopped_ = true;
        }
    }
}

void Body::statement(const Stmt& s) {
    at(s.at);
    switch (s.kind) {
        case Stmt::Kind::Assign:
            return lower_assign(s);
        case Stmt::Kind::AugAssign:
            return lower_augmented(s);
        case Stmt::Kind::Expr:
            expression(*s.value);
            return;
        case Stmt::Kind::If:
            return lower_if(s);
        case Stmt::Kind::While:
            return lower_while(s);
        case Stmt::Kind::For:
            return lower_for(s);
        case Stmt::Kind::Return:
            return lower_return(s);
        case Stmt::Kind::Break:
        case Stmt::Kind::Continue: {
            if (loops_.empty())
                fail("'break' and 'continue' stand inside loops only", s.at, ErrorKind::UnsupportedSyntax);
            auto& edges = s.kind == Stmt::Kind::Break ? loops_.back()->breaks : loops_.back()->continues;
            edges.push_back(here());
            live_ = false;
            return;
        }
        case Stmt::Kind::Pass:
            return;
        case Stmt::Kind::Assert:
            return lower_assert(s);
        case Stmt::Kind::Raise:
            return lower_raise(s);
        case Stmt::Kind::Del:
            return lower_delete(s);
        case Stmt::Kind::FunctionDef: {
            auto variable = std::make_shared<Variable>();
            variable->operand = closure_operand(*s.function);
            variable->defined = s.at;
            env_[static_cast<std::size_t>(scope_.slot(local_name(*s.function)))] = std::move(variable);
            return;
        }
        case Stmt::Kind::Unsupported:
            fail(unsupported_syntax(s.text), s.at, ErrorKind::UnsupportedSyntax);
    }
}

void Body::lower_if(const Stmt& s) {
    const Operand test = condition(*s.test);
    if (auto known = test.constant_int()) return block(*known ? s.body : s.orelse);
    ir::Block* then_block = new_block("then");
    ir::Block* else_block = new_block("else");
    if (!e_.dry()) e_.builder().cond_branch(test.value(), then_block, else_block);
    const Environment before = env_;
    std::vector<Edge> ends;
    enter_block(then_block);
    block(s.body);
    if (live_) ends.push_back(here());
    env_ = before;
    live_ = true;
    enter_block(else_block);
    block(s.orelse);
    if (live_) ends.push_back(here());
    continue_from(std::move(ends));
}

/// Goes on where several edges meet; with none, what follows is unreachable.
void Body::continue_from(std::vector<Edge> edges) {
    live_ = !edges.empty();
    if (!live_) return;
    if (edges.size() == 1) {
        env_ = std::move(edges.front().environment);
        enter_block(edges.front().block);
        return;
    }
    env_ = join(e_, std::move(edges), new_block("join"));
}

void Body::lower_return(const Stmt& s) {
    const Operand value = s.value ? expression(*s.value) : e_.none();
    at(s.at);
    returns_.push_back({open_block(), value, s.at});
    live_ = false;
}

/// Without debug a failing thread just stops, as Numba's does.
void Body::end_thread() {
    live_ = false;
    if (e_.dry()) return;
    if (context_.is_kernel)
        e_.builder().ret();
    else
        context_.abandoned.push_back(e_.builder().block());
}

void Body::lower_raise(const Stmt& s) {
    if (!s.value)
        fail("a bare 'raise' has nothing to raise again: kernels have no try/except", s.at,
             ErrorKind::UnsupportedSyntax);
    const Expr& value = *s.value;
    const Expr& raised = value.kind == Expr::Kind::Call ? *value.a : value;
    if (raised.kind != Expr::Kind::Captured)
        fail(
            "raise takes an exception class, or a call of one with constant arguments, as in raise "
            "ValueError(\"text\")",
            value.at, ErrorKind::UnsupportedSyntax);
    std::string message;
    if (value.kind == Expr::Kind::Call) {
        if (!value.keywords.empty())
            fail("exceptions in kernels take no keyword arguments", value.at, ErrorKind::UnsupportedSyntax);
        for (const auto& argument : value.items) {
            if (argument->kind == Expr::Kind::Unsupported)
                fail(unsupported_syntax(argument->text), argument->at, ErrorKind::UnsupportedSyntax);
            const Operand operand = expression(*argument);
            if (!operand.constant) fail("the arguments of an exception in a kernel must be constants", argument->at);
            if (!message.empty()) message += ", ";
            message += constant_text(*operand.constant);
        }
    }
    at(s.at);
    if (!e_.options().debug) return end_thread();
    live_ = false;
    if (e_.dry()) return;
    ir::Module& module = e_.module();
    const auto site = static_cast<std::uint32_t>(module.raise_sites.size());
    module.raise_sites.push_back(RaiseSite{class_name(raised), message, s.at, e_.file_index(file_)});
    e_.builder().raise(site, {});
}

void Body::lower_assert(const Stmt& s) {
    if (!e_.options().debug) return;
    std::string message;
    if (s.value) {
        const Operand operand = expression(*s.value);
        if (!operand.constant) fail("the message of an assert in a kernel must be a constant", s.value->at);
        message = constant_text(*operand.constant);
    }
    const Operand test = condition(*s.test);
    at(s.at);
    if (!e_.dry()) e_.raise_if(e_.builder().logical_not(test.value()), "AssertionError", message, {});
}

void Body::lower_delete(const Stmt& s) {
    for (const auto& target : s.targets) {
        if (target->kind != Expr::Kind::Name)
            fail(unsupported_syntax("Delete"), target->at, ErrorKind::UnsupportedSyntax);
        load(*target);
        env_[static_cast<std::size_t>(scope_.slot(target->text))] = nullptr;
    }
}

}  // namespace lanewise::python
