// Program: what the functions of one module share while they are lowered: scopes, device functions already typed or
// emitted, loop types already found, and the record of assigned types.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "frontend/python/environment.h"
#include "frontend/python/frontend.h"
#include "frontend/python/scope.h"

namespace lanewise::python {

/// Thrown in dry runs where a recursive call's type is not known yet: the path gives no type in this round.
struct UnknownResult {};

/// A device function for one list of argument types.
struct Specialisation {
    const syntax::Function* function = nullptr;
    std::vector<TypePtr> arguments;
    /// By parameter, for arguments whose value is not in their type (strings); null elsewhere.
    std::vector<syntax::CapturedPtr> constants;
    TypePtr result = nullptr;  ///< null: not typed yet
    ir::Function* emitted = nullptr;
    bool is_kernel = false;
    std::string symbol;      ///< empty: made from the name
    bool active = false;     ///< being typed or emitted now
    bool in_rounds = false;  ///< being typed round by round, for recursion
};

class Program {
public:
    explicit Program(Emitter& emitter) : e(emitter) {}

    Emitter& e;

    const Scope& scope(const syntax::Function& function);

    /// Emits the requested function and all it calls; returns its result type (none for kernels).
    TypePtr lower(const Request& request);

    /// A call with one operand a parameter (*args already packed).
    Operand call(const syntax::Function& function, const std::vector<Operand>& arguments, Location at);

    /// Variables at the head of a loop, by the environment in which the loop was entered.
    const Environment* find_loop(const syntax::Stmt& loop, const Environment& entry) const;
    void remember_loop(const syntax::Stmt& loop, Environment entry, Environment head);

    void record_assignment(const SourceFile* file, std::uint32_t line, std::string_view name, TypePtr type);
    /// Source lines, each followed by the variables assigned on it.
    std::string typed_source(const syntax::Function& function) const;

private:
    Specialisation& specialise(const syntax::Function& function, const std::vector<Operand>& arguments);
    void require_no_runaway(const Specialisation& callee, Location at) const;
    void infer(Specialisation& callee);
    void infer_rounds(Specialisation& callee);
    void emit(Specialisation& callee);
    std::vector<Operand> dry_arguments(const Specialisation& callee) const;
    std::string unique_symbol(const std::string& name);

    std::unordered_map<const syntax::Function*, std::unique_ptr<Scope>> scopes_;
    std::deque<Specialisation> specialisations_;
    std::unordered_multimap<std::uint64_t, Specialisation*> by_id_;
    std::vector<Specialisation*> active_;

    struct LoopTypes {
        Environment entry, head;
    };
    std::unordered_map<const syntax::Stmt*, std::vector<LoopTypes>> loops_;

    struct Assignment {
        const SourceFile* file;
        std::uint32_t line;
        std::string name;
        TypePtr type;
    };
    std::vector<Assignment> assignments_;
    std::unordered_map<std::string, int> symbols_;
};

/// Matches a call's arguments to parameters: defaults, keywords, *args. Error(Type) naming the function's signature.
std::vector<Operand> bind_arguments(Emitter& e, const syntax::Function& function, std::vector<Operand> positional,
                                    std::vector<std::pair<std::string, Operand>> keywords);

}  // namespace lanewise::python
