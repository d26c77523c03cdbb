// Environment: what the local variables hold at one point of a function, and how the environments of several paths
// join.
#pragma once

#include <memory>
#include <vector>

#include "frontend/python/emitter.h"

namespace lanewise::python {

/// What one local variable holds. Immutable: an assignment binds another.
struct Variable {
    Operand operand;  ///< type null: a conflict
    Location defined;
    bool maybe_undefined = false;  ///< no value on some path here; its parts are zero then
    /// Where paths merged that left it with types that do not unify: an error once it is read.
    std::shared_ptr<const Variable> conflict_a, conflict_b;

    bool is_conflict() const { return operand.type == nullptr; }
};
/// Null: not defined here.
using VariablePtr = std::shared_ptr<const Variable>;
/// By Scope slot.
using Environment = std::vector<VariablePtr>;

/// A way control leaves a block that is still open.
struct Edge {
    ir::Block* block = nullptr;  ///< null in a dry run
    Environment environment;
};

/// The type two values have in common where one of them is chosen: unify(), but a weak literal yields to float32 where
/// the options say so. Null: none.
TypePtr common_type(const Emitter& e, const Operand& a, const Operand& b);
/// The variable both can be seen as where two paths merge, without IR parts.
VariablePtr merge(const Emitter& e, const VariablePtr& a, const VariablePtr& b);
/// Equal in everything typing sees: type, constant, possible absence.
bool same_typing(const VariablePtr& a, const VariablePtr& b);
bool same_constant(const syntax::CapturedPtr& a, const syntax::CapturedPtr& b);

/// Ends every edge's block with a branch to `target`, makes it current, and returns the merged environment.
Environment join(Emitter& e, std::vector<Edge> edges, ir::Block* target);

/// The parts of `variable` as `type` (zeros when undefined), emitted at the current place; nothing in a dry run.
std::vector<ir::Value*> parts_as(Emitter& e, const VariablePtr& variable, TypePtr type);

/// The error of reading `name`, a conflict.
[[noreturn]] void fail_conflict(const Emitter& e, const Variable& variable, std::string_view name);

}  // namespace lanewise::python
