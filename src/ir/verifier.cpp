// The verifier: what every pass and the code generators may take for granted of a module.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "ir/dominators.h"
#include "ir/function.h"

namespace lanewise::ir {

namespace {

class FunctionVerifier {
public:
    FunctionVerifier(const Module& module, Function& function) : module_(module), function_(function) {}

    void run() {
        signature();
        if (function_.blocks.empty()) fail(nullptr, "has no blocks");
        own_blocks_.insert(function_.blocks.begin(), function_.blocks.end());
        for (const Block* block : function_.blocks) structure(*block);
        const Dominators dominators(function_);
        if (!dominators.predecessors(function_.blocks.front()).empty())
            fail(nullptr, fmt::format("the entry block has the predecessor '{}'",
                                      dominators.predecessors(function_.blocks.front()).front()->label));
        for (const Block* block : dominators.order())
            for (const Value* value : block->values) {
                if (value->op == Op::Phi)
                    phi(*value, dominators);
                else
                    uses(*value, dominators);
                types(*value);
            }
    }

private:
    [[noreturn]] void fail(const Value* value, const std::string& problem) const {
        std::string where = fmt::format("ir::verify: function '{}'", function_.name);
        if (value) where += fmt::format(", value %{} ({})", value->id, describe(*value));
        if (value && value->block) where += fmt::format(" in block '{}'", value->block->label);
        if (value && value->at) where += fmt::format(" at line {}", value->at.line);
        throw Error(ErrorKind::Internal, where + ": " + problem);
    }

    static std::string describe(const Value& value) {
        if (value.op == Op::Scalar) return std::string(info(value.scalar).name);
        if (value.op == Op::Intrinsic) return std::string(info(value.intrinsic).name);
        return std::string(name(value.op));
    }

    void require(bool holds, const Value& value, const char* rule) const {
        if (!holds) fail(&value, rule);
    }

    void signature() const {
        if (function_.parameters.size() != function_.parameter_values.size())
            fail(nullptr, "parameters and parameter_values differ in number");
        for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
            const Value* value = function_.parameter_values[i];
            if (value->op != Op::Parameter || value->index != static_cast<std::int64_t>(i) ||
                value->type != function_.parameters[i].type || value->type.is_void())
                fail(value, fmt::format("does not stand for parameter {} of type {}", i,
                                        to_string(function_.parameters[i].type)));
        }
        if (function_.is_kernel && !function_.results.empty()) fail(nullptr, "a kernel has no results");
        const bool legal = !function_.name.empty() &&
                           std::all_of(function_.name.begin(), function_.name.end(),
                                       [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '$'; }) &&
                           !std::isdigit(static_cast<unsigned char>(function_.name[0]));
        if (!legal) fail(nullptr, "its name may hold letters, digits, '_' and '$' only");
    }

    void structure(const Block& block) {
        if (!block.terminator()) fail(nullptr, fmt::format("block '{}' has no terminator", block.label));
        bool phis_over = false;
        for (const Value* value : block.values) {
            if (value->block != &block)
                fail(value, fmt::format("stands in block '{}' and claims another", block.label));
            if (is_terminator(value->op) && value != block.values.back())
                fail(value, "a terminator before the block's end");
            if (value->op == Op::Phi && phis_over) fail(value, "a phi after other values");
            if (value->op != Op::Phi) phis_over = true;
            for (int i = 0; i < target_count(*value); ++i)
                if (!own_blocks_.contains(value->targets[i])) fail(value, "its target is no block of the function");
            if (!seen_.insert(value).second) fail(value, "stands in two places");
            switch (value->op) {
                case Op::Parameter:
                case Op::Constant:
                case Op::GlobalAddress:
                case Op::DynamicShared:
                    fail(value, "belongs to no block");
                default:
                    break;
            }
        }
    }

    void available(const Value& user, const Value* operand, const Block* at, const Dominators& dominators) const {
        if (!operand) fail(&user, "has a null operand");
        if (!operand->block) {
            const bool parameter = operand->op == Op::Parameter;
            if (parameter &&
                (operand->index < 0 || operand->index >= static_cast<std::int64_t>(function_.parameter_values.size()) ||
                 function_.parameter_values[operand->index] != operand))
                fail(&user, "uses another function's parameter");
            if (operand->op == Op::GlobalAddress &&
                std::none_of(module_.globals.begin(), module_.globals.end(),
                             [&](const auto& global) { return global.get() == operand->global; }))
                fail(&user, "uses the address of a global of another module");
            if (!parameter && operand->op != Op::Constant && operand->op != Op::GlobalAddress &&
                operand->op != Op::DynamicShared)
                fail(&user, fmt::format("its operand ({}) stands in no block", describe(*operand)));
            return;
        }
        if (!seen_.contains(operand)) fail(&user, "its operand belongs to no block of the function");
        if (!dominators.reachable(operand->block) || !dominators.dominates(operand->block, at))
            fail(&user,
                 fmt::format("its operand %{} in block '{}' does not dominate it", operand->id, operand->block->label));
    }

    void uses(const Value& value, const Dominators& dominators) const {
        for (const Value* operand : value.operands) {
            available(value, operand, value.block, dominators);
            if (operand->block == value.block && operand->id >= value.id)
                fail(&value, fmt::format("its operand %{} comes later in the block", operand->id));
            if (operand->type.is_void() && value.op != Op::Result) fail(&value, "has an operand without a value");
        }
    }

    void phi(const Value& value, const Dominators& dominators) const {
        if (value.operands.size() != value.incoming.size())
            fail(&value, "operands and incoming blocks differ in number");
        std::vector<const Block*> expected(dominators.predecessors(value.block).begin(),
                                           dominators.predecessors(value.block).end());
        std::vector<const Block*> given(value.incoming.begin(), value.incoming.end());
        std::sort(expected.begin(), expected.end());
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        std::sort(given.begin(), given.end());
        if (given != expected) fail(&value, "its incoming blocks are not the block's predecessors, each once");
        for (std::size_t i = 0; i < value.operands.size(); ++i) {
            if (dominators.reachable(value.incoming[i]))
                available(value, value.operands[i], value.incoming[i], dominators);
            if (value.operands[i]->type != value.type)
                fail(&value, fmt::format("its operand {} is {}, expected {}", i, to_string(value.operands[i]->type),
                                         to_string(value.type)));
        }
    }

    static Type operand_type(const Value& value, std::size_t i) { return value.operands[i]->type; }

    void types(const Value& value) const {
        const std::size_t count = value.operands.size();
        switch (value.op) {
            case Op::Scalar:
                return scalar(value);
            case Op::Cast:
                return require(count == 1 && operand_type(value, 0).is_scalar() && value.type.is_scalar(), value,
                               "a cast takes a scalar to a scalar");
            case Op::Bitcast:
                return require(count == 1 && !value.type.is_void(), value, "a bitcast has one operand");
            case Op::PointerAdd:
                return require(count == 2 && operand_type(value, 0) == value.type && value.type.is_pointer() &&
                                   operand_type(value, 1).is(DType::Int64),
                               value, "pointer_add takes a pointer and an i64");
            case Op::LocalArray:
                return require(value.block == function_.blocks.front() && value.index >= 0, value,
                               "local memory belongs into the entry block");
            case Op::Load:
                return require(count == 1 && operand_type(value, 0).is_pointer() && !value.type.is_void(), value,
                               "a load has one pointer operand and a type");
            case Op::Store:
                return require(count == 2 && operand_type(value, 0).is_pointer(), value,
                               "a store has a pointer and a value");
            case Op::Atomic:
                return require(
                    count == 2 && operand_type(value, 0).is_pointer() && operand_type(value, 1) == value.type, value,
                    "an atomic has a pointer and a value of its type");
            case Op::CompareSwap:
                return require(count == 3 && operand_type(value, 0).is_pointer() &&
                                   operand_type(value, 1) == value.type && operand_type(value, 2) == value.type,
                               value, "compare_swap has a pointer and two values of its type");
            case Op::Intrinsic:
                return require(count == info(value.intrinsic).operands.size(), value, "wrong number of operands");
            case Op::Call:
                return call(value);
            case Op::Result: {
                const Value& whole = *value.operands.at(0);
                return require(value.index >= 0 && static_cast<std::size_t>(value.index) < whole.result_types.size() &&
                                   whole.result_types[value.index] == value.type,
                               value, "no such result");
            }
            case Op::CondBranch:
                return require(count == 1 && operand_type(value, 0).is(DType::Bool), value,
                               "the condition must be bool");
            case Op::Return:
                require(count == function_.results.size(), value, "wrong number of results");
                for (std::size_t i = 0; i < count; ++i)
                    require(operand_type(value, i) == function_.results[i], value, "a result of another type");
                return;
            case Op::Raise:
                require(count <= 6 && value.index >= 0 &&
                            static_cast<std::size_t>(value.index) < module_.raise_sites.size(),
                        value, "no such raise site, or more than six values");
                for (std::size_t i = 0; i < count; ++i)
                    require(operand_type(value, i).is(DType::Int64), value, "raise stores i64 values");
                return;
            default:
                return;
        }
    }

    void scalar(const Value& value) const {
        const ScalarInfo& row = info(value.scalar);
        require(value.operands.size() == row.operands.size(), value, "wrong number of operands");
        const Type common = operand_type(value, row.operands.find('T'));
        for (std::size_t i = 0; i < row.operands.size(); ++i) {
            const Type wanted = row.operands[i] == 'T'   ? common
                                : row.operands[i] == 'i' ? Type::scalar(DType::Int32)
                                                         : Type::scalar(DType::Bool);
            require(operand_type(value, i) == wanted, value, "its operands differ in type");
        }
        const bool pointer_choice = value.scalar == ScalarOp::Select && common.is_pointer();
        require(pointer_choice || (common.is_scalar() && row.kinds.find(kind(common.dtype)) != std::string_view::npos),
                value, "does not take operands of this type");
        const Type result = row.result == 'T' ? common : Type::scalar(row.result == 'b' ? DType::Bool : DType::Int32);
        require(value.type == result, value, "has the wrong result type");
    }

    void call(const Value& value) const {
        require(value.callee != nullptr && !value.callee->is_kernel, value, "calls no device function");
        require(std::any_of(module_.functions.begin(), module_.functions.end(),
                            [&](const auto& function) { return function.get() == value.callee; }),
                value, "calls a function of another module");
        require(value.operands.size() == value.callee->parameters.size(), value, "wrong number of operands");
        for (std::size_t i = 0; i < value.operands.size(); ++i)
            require(operand_type(value, i) == value.callee->parameters[i].type, value,
                    "an operand differs in type from the parameter");
    }

    const Module& module_;
    Function& function_;
    std::unordered_set<const Block*> own_blocks_;
    std::unordered_set<const Value*> seen_;
};

}  // namespace

void verify(const Module& module) {
    std::unordered_set<std::string_view> names;
    for (const auto& function : module.functions) {
        if (!names.insert(function->name).second)
            throw Error(ErrorKind::Internal, fmt::format("ir::verify: two symbols are named '{}'", function->name));
        FunctionVerifier(module, *function).run();
    }
    for (const auto& global : module.globals) {
        if (!names.insert(global->name).second)
            throw Error(ErrorKind::Internal, fmt::format("ir::verify: two symbols are named '{}'", global->name));
        if (global->data.size() > global->bytes)
            throw Error(ErrorKind::Internal,
                        fmt::format("ir::verify: global '{}' holds {} bytes and is initialised with {}", global->name,
                                    global->bytes, global->data.size()));
        const bool allowed =
            global->space == Space::Constant || global->space == Space::Shared || global->space == Space::Global;
        if (!allowed || (global->space == Space::Shared && !global->data.empty()))
            throw Error(ErrorKind::Internal,
                        fmt::format("ir::verify: global '{}' cannot be in that space or be initialised", global->name));
    }
}

}  // namespace lanewise::ir
