// Body: one activation of a Python function while it is lowered: an abstract interpreter over its syntax tree that
// types and emits in one walk. In a dry run it only types. Nested functions are activations inside their caller's IR
// function.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "frontend/python/program.h"

namespace lanewise::python {

/// Where a function returns: the value waits in its open block until the common type is known.
struct Return {
    ir::Block* block = nullptr;  ///< null in a dry run
    Operand value;
    Location at;
};

/// The IR function an activation emits into; shared with the nested functions inlined there.
struct FunctionContext {
    bool is_kernel = false;
    /// Device functions: open blocks that give up without debug (a `raise`): they return zeros.
    std::vector<ir::Block*> abandoned;
};

class Body {
public:
    /// `arguments`: one operand a parameter. `captured`: one a free variable of a nested function.
    Body(Program& program, FunctionContext& context, const syntax::Function& function,
         const std::vector<Operand>& arguments, const std::vector<Operand>& captured = {});

    /// Lowers all statements. Falling off the end returns None.
    void run();
    /// None of the returns are terminated yet.
    std::vector<Return>& returns() { return returns_; }

private:
    struct LoopExits {
        std::vector<Edge> breaks, continues;
    };
    /// What differs between kinds of loops. Each callback types, and emits unless dry.
    struct LoopShape {
        /// In the head block, after the variables' phis; gives whether to go on.
        std::function<Operand(ir::Block* before)> head;
        std::function<void()> enter;    ///< at the start of the body: assigns the targets
        std::function<void()> advance;  ///< before the branch back
    };
    /// How one pass over a loop ends.
    struct LoopEnds {
        std::optional<Edge> exhausted;  ///< the condition failed
        std::vector<Edge> breaks;
        std::optional<Edge> again;  ///< reaches the head once more (dry runs only)
    };
    class DryRun;
    class LoopScope;

    // Statements (statement.cpp, assign.cpp).
    void block(const std::vector<syntax::StmtPtr>& statements);
    void statement(const syntax::Stmt& s);
    void lower_if(const syntax::Stmt& s);
    void lower_return(const syntax::Stmt& s);
    void lower_raise(const syntax::Stmt& s);
    void lower_assert(const syntax::Stmt& s);
    void lower_delete(const syntax::Stmt& s);
    void lower_assign(const syntax::Stmt& s);
    void lower_augmented(const syntax::Stmt& s);
    void assign(const syntax::Expr& target, const Operand& value);
    void assign_tuple(const syntax::Expr& target, const Operand& value);
    void bind(const syntax::Expr& name, const Operand& value);
    void end_thread();

    // Loops (loop.cpp).
    void lower_while(const syntax::Stmt& s);
    void lower_for(const syntax::Stmt& s);
    void lower_range(const syntax::Stmt& s, const Operand& range);
    void lower_counted(const syntax::Stmt& s, const Operand& iterable);
    void lower_unrolled(const syntax::Stmt& s, const Operand& iterable);
    void lower_loop(const syntax::Stmt& s, const LoopShape& shape);
    Environment loop_head(const syntax::Stmt& s) const;
    LoopEnds loop_pass(const syntax::Stmt& s, const LoopShape& shape, const Environment& head);
    void finish_loop(const syntax::Stmt& s, std::optional<Edge> exhausted, std::vector<Edge> breaks);
    void continue_from(std::vector<Edge> edges);

    // Expressions (expression.cpp).
    Operand expression(const syntax::Expr& x);
    Operand load(const syntax::Expr& name);
    Operand closure_operand(const syntax::Function& function);
    Operand bind_closure(const Operand& closure, Location at);
    Operand index(const syntax::Expr& x);
    Operand lower_compare(const syntax::Expr& x);
    Operand lower_conditional(const syntax::Expr& x);
    Operand lower_logical(const syntax::Expr& x);
    /// An alternative's value; none where its type is not known in this dry run.
    std::optional<Operand> alternative(const syntax::Expr& x);
    /// The truth of an expression as a bool; logical operators need no common type here.
    Operand condition(const syntax::Expr& x);
    Operand logical_condition(const syntax::Expr& x);
    /// `then()` where `condition` holds (or fails, `when` false), else the bool `!when`.
    Operand short_circuit(const Operand& condition, bool when, bool cheap, const std::function<Operand()>& then);
    /// No control flow, memory access or call: evaluated whether needed or not.
    bool is_cheap(const syntax::Expr& x, int budget = 8) const;
    Operand select(const Operand& condition, const Operand& a, const Operand& b);

    // Calls (call.cpp).
    Operand lower_call(const syntax::Expr& x);
    Operand call_builtin(const syntax::Expr& x, const std::string& name, const std::string& spelling,
                         const Operand* object);
    Operand call_function(const syntax::Expr& x, const syntax::Function& function);
    Operand call_closure(const syntax::Expr& x, const Operand& closure);
    Operand call_dtype(const syntax::Expr& x, const Operand& dtype);
    struct Arguments {
        std::vector<Operand> positional;
        std::vector<Location> locations;
        std::vector<std::pair<std::string, Operand>> keywords;
    };
    Arguments arguments(const syntax::Expr& call);

    void at(Location location) { e_.set_position(file_, location); }
    [[noreturn]] void fail(const std::string& message, Location location, ErrorKind kind = ErrorKind::Typing) {
        e_.set_position(file_, location);
        e_.fail(kind, message);
    }
    ir::Block* open_block() { return e_.dry() ? nullptr : e_.builder().block(); }
    ir::Block* new_block(const char* label) { return e_.dry() ? nullptr : e_.builder().new_block(label); }
    void enter_block(ir::Block* block) {
        if (!e_.dry()) e_.builder().set_block(block);
    }
    Edge here() { return {open_block(), env_}; }

    Program& program_;
    Emitter& e_;
    FunctionContext& context_;
    const syntax::Function& function_;
    const Scope& scope_;
    const SourceFile* file_;
    Environment env_;
    bool live_ = true;      ///< control can reach the current point
    bool stopped_ = false;  ///< an unknown type ended some path of this dry run
    std::vector<Return> returns_;
    std::vector<LoopExits*> loops_;
};

/// The common type of what a function returns; Error(Typing) naming both lines.
TypePtr result_type(Emitter& e, const syntax::Function& function, const std::vector<Return>& returns);

}  // namespace lanewise::python
