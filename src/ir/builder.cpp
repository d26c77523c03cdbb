#include "ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/fold.h"
#include "ir/simplify.h"

namespace lanewise::ir {

void Builder::misuse(std::string_view call, const std::string& problem) const {
    throw Error(ErrorKind::Internal, fmt::format("ir::Builder::{} in function '{}'{}: {}", call, function_.name,
                                                 at_ ? fmt::format(" at line {}", at_.line) : "", problem));
}

Value* Builder::floating(Op op, Type type) {
    Value* value = function_.new_value();
    value->op = op;
    value->type = type;
    value->at = at_;
    return value;
}

Value* Builder::append(Op op, Type type) {
    if (!block_) misuse(name(op), "no current block");
    if (terminated()) misuse(name(op), fmt::format("block '{}' already has its terminator", block_->label));
    Value* value = floating(op, type);
    value->block = block_;
    block_->values.push_back(value);
    return value;
}

Value* Builder::constant(DType type, std::int64_t value) {
    if (!is_integer(type) && !is_bool(type))
        misuse("constant", fmt::format("{} is no integer type", to_string(Type::scalar(type))));
    return constant_bits(Type::scalar(type), encode_integer(type, value));
}

Value* Builder::constant_float(DType type, double value) {
    if (!is_float(type)) misuse("constant_float", fmt::format("{} is no float type", to_string(Type::scalar(type))));
    return constant_bits(Type::scalar(type), encode_float(type, value));
}

Value* Builder::constant_bits(Type type, std::uint64_t bits) {
    if (type.is_void() || (type.is_scalar() && is_complex(type.dtype)))
        misuse("constant_bits", fmt::format("a constant cannot have the type {}", to_string(type)));
    Value* value = floating(Op::Constant, type);
    value->bits = bits;
    return value;
}

Value* Builder::scalar(ScalarOp op, std::vector<Value*> operands) {
    const ScalarInfo& row = info(op);
    if (operands.size() != row.operands.size())
        misuse(row.name, fmt::format("takes {} operands, got {}", row.operands.size(), operands.size()));
    std::optional<Type> common;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Type type = operands[i]->type;
        const bool pointer_choice = op == ScalarOp::Select && type.is_pointer();
        const char letter = row.operands[i];
        Type wanted = letter == 'i' ? Type::scalar(DType::Int32) : Type::scalar(DType::Bool);
        if (letter == 'T') {
            if (!type.is_scalar() && !pointer_choice)
                misuse(row.name, fmt::format("operand {} has the type {}", i, to_string(type)));
            if (!common) common = type;
            wanted = *common;
            if (!pointer_choice && row.kinds.find(kind(type.dtype)) == std::string_view::npos)
                misuse(row.name, fmt::format("does not take {} (kinds: {})", to_string(type), row.kinds));
        }
        if (type != wanted)
            misuse(row.name, fmt::format("operand {} is {}, expected {}", i, to_string(type), to_string(wanted)));
    }
    if (Value* simpler = simplify_scalar(*this, op, operands)) return simpler;
    const Type result = row.result == 'b'   ? Type::scalar(DType::Bool)
                        : row.result == 'i' ? Type::scalar(DType::Int32)
                                            : *common;
    Value* value = append(Op::Scalar, result);
    value->scalar = op;
    value->operands = std::move(operands);
    return value;
}

Value* Builder::select(Value* condition, Value* if_true, Value* if_false) {
    return scalar(ScalarOp::Select, {condition, if_true, if_false});
}

Value* Builder::cast(Value* value, DType to) {
    if (!value->type.is_scalar())
        misuse("cast", fmt::format("the operand is {}, expected a scalar", to_string(value->type)));
    if (is_complex(to)) misuse("cast", "complex types do not reach the IR");
    const DType from = value->type.dtype;
    if (from == to) return value;
    if (value->op == Op::Constant)
        if (auto folded = fold_cast(from, value->bits, to)) return constant_bits(Type::scalar(to), *folded);
    // An integer widened and narrowed to where it came from.
    if (value->op == Op::Cast && value->operands[0]->type.is(to) && is_integer(from) && is_integer(to) &&
        bits(from) > bits(to))
        return value->operands[0];
    Value* result = append(Op::Cast, Type::scalar(to));
    result->operands = {value};
    return result;
}

Value* Builder::bitcast(Value* value, Type to) {
    const Type from = value->type;
    if (from == to) return value;
    const bool between_pointers = from.is_pointer() && to.is_pointer();
    const bool with_integer = (from.is_pointer() && (to.is(DType::Int64) || to.is(DType::UInt64))) ||
                              (to.is_pointer() && (from.is(DType::Int64) || from.is(DType::UInt64)));
    const bool between_scalars = from.is_scalar() && to.is_scalar() && from.bytes() == to.bytes() &&
                                 !from.is(DType::Bool) && !to.is(DType::Bool);
    if (between_pointers && from.space != Space::Generic && to.space != Space::Generic)
        misuse("bitcast", fmt::format("{} to {} must go through the generic space", to_string(from), to_string(to)));
    if (!between_pointers && !with_integer && !between_scalars)
        misuse("bitcast", fmt::format("{} to {}", to_string(from), to_string(to)));
    if (value->op == Op::Constant && between_scalars) return constant_bits(to, value->bits);
    Value* result = append(Op::Bitcast, to);
    result->operands = {value};
    return result;
}

Value* Builder::pointer_add(Value* pointer, Value* index, std::int64_t scale_bytes) {
    if (!pointer->type.is_pointer())
        misuse("pointer_add", fmt::format("the base is {}, expected a pointer", to_string(pointer->type)));
    if (!index->type.is(DType::Int64))
        misuse("pointer_add", fmt::format("the index is {}, expected i64", to_string(index->type)));
    if (auto constant_index = constant_integer(index); scale_bytes == 0 || (constant_index && *constant_index == 0))
        return pointer;
    Value* value = append(Op::PointerAdd, pointer->type);
    value->operands = {pointer, index};
    value->index = scale_bytes;
    return value;
}

Value* Builder::load(Type type, Value* pointer, std::uint32_t align, CacheHint hint) {
    if (!pointer->type.is_pointer())
        misuse("load", fmt::format("the address is {}, expected a pointer", to_string(pointer->type)));
    if (type.is_void()) misuse("load", "of the type void");
    Value* value = append(Op::Load, type);
    value->operands = {pointer};
    value->align = align;
    value->hint = hint;
    return value;
}

void Builder::store(Value* pointer, Value* stored, std::uint32_t align, CacheHint hint) {
    if (!pointer->type.is_pointer())
        misuse("store", fmt::format("the address is {}, expected a pointer", to_string(pointer->type)));
    if (stored->type.is_void()) misuse("store", "of a value of type void");
    Value* value = append(Op::Store, Type::void_type());
    value->operands = {pointer, stored};
    value->align = align;
    value->hint = hint;
}

Value* Builder::atomic(AtomicOp op, Value* pointer, Value* operand) {
    if (!pointer->type.is_pointer())
        misuse("atomic", fmt::format("the address is {}, expected a pointer", to_string(pointer->type)));
    const Type type = operand->type;
    const bool scalar = type.is_scalar();
    const bool floating = scalar && is_float(type.dtype);
    const bool wide_float = floating && size_of(type.dtype) >= 4;
    const bool integer = scalar && is_integer(type.dtype) && size_of(type.dtype) >= 4;
    bool accepted = false;
    switch (op) {
        case AtomicOp::Add:
        case AtomicOp::Sub:
        case AtomicOp::Min:
        case AtomicOp::Max:
        case AtomicOp::NanMin:
        case AtomicOp::NanMax:
        case AtomicOp::Exchange:
            accepted = integer || wide_float;
            break;
        case AtomicOp::And:
        case AtomicOp::Or:
        case AtomicOp::Xor:
            accepted = integer;
            break;
        case AtomicOp::Increment:
        case AtomicOp::Decrement:
            accepted = integer && is_unsigned(type.dtype);
            break;
    }
    if (!accepted) misuse("atomic", fmt::format("{} does not take {}", name(op), to_string(type)));
    Value* value = append(Op::Atomic, type);
    value->atomic = op;
    value->operands = {pointer, operand};
    return value;
}

Value* Builder::compare_swap(Value* pointer, Value* expected, Value* desired) {
    if (!pointer->type.is_pointer())
        misuse("compare_swap", fmt::format("the address is {}, expected a pointer", to_string(pointer->type)));
    if (expected->type != desired->type || !expected->type.is_scalar() || expected->type.bytes() < 4)
        misuse("compare_swap", fmt::format("operands are {} and {}, expected two of one type of 32 or 64 bits",
                                           to_string(expected->type), to_string(desired->type)));
    Value* value = append(Op::CompareSwap, expected->type);
    value->operands = {pointer, expected, desired};
    return value;
}

Value* Builder::local_array(std::uint64_t bytes, std::uint32_t align) {
    if (function_.blocks.empty()) misuse("local", "the function has no entry block yet");
    if (align == 0 || (align & (align - 1)) != 0) misuse("local", fmt::format("align {} is no power of two", align));
    Value* value = floating(Op::LocalArray, Type::pointer(Space::Local));
    value->index = static_cast<std::int64_t>(bytes);
    value->align = align;
    Block* entry = function_.blocks.front();
    value->block = entry;
    auto at = std::find_if(entry->values.begin(), entry->values.end(),
                           [](const Value* v) { return v->op != Op::LocalArray; });
    entry->values.insert(at, value);
    return value;
}

Value* Builder::global_address(Global* global) {
    Value* value = floating(Op::GlobalAddress, Type::pointer(global->space));
    value->global = global;
    return value;
}

Value* Builder::dynamic_shared() {
    return floating(Op::DynamicShared, Type::pointer(Space::Shared));
}

Value* Builder::string_constant(const std::string& text) {
    std::vector<std::uint8_t> data(text.begin(), text.end());
    data.push_back(0);
    for (const auto& global : module_.globals)
        if (global->name.starts_with("string$") && global->data == data) return global_address(global.get());
    // Not constant memory: printf's buffer is read by the host, which reaches device memory only.
    Global* global =
        module_.new_global(fmt::format("string${}", module_.globals.size()), Space::Global, data.size(), 1);
    global->data = std::move(data);
    return global_address(global);
}

Value* Builder::intrinsic(Intrinsic which, std::vector<Value*> operands) {
    const IntrinsicInfo& row = info(which);
    if (operands.size() != row.operands.size())
        misuse(row.name, fmt::format("takes {} operands, got {}", row.operands.size(), operands.size()));
    DType common = DType::Int32;
    auto type_of = [&](char letter) {
        switch (letter) {
            case 'b':
                return DType::Bool;
            case 'i':
                return DType::Int32;
            case 'u':
                return DType::UInt32;
            case 'l':
                return DType::Int64;
            case 'L':
                return DType::UInt64;
            default:
                return common;
        }
    };
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Type type = operands[i]->type;
        if (row.operands[i] == 'T') {
            if (!type.is_scalar() || is_bool(type.dtype) || size_of(type.dtype) < 4)
                misuse(row.name,
                       fmt::format("operand {} is {}, expected a number of 32 or 64 bits", i, to_string(type)));
            common = type.dtype;
        }
        const Type wanted = Type::scalar(type_of(row.operands[i]));
        if (type != wanted)
            misuse(row.name, fmt::format("operand {} is {}, expected {}", i, to_string(type), to_string(wanted)));
    }
    Value* value =
        append(Op::Intrinsic, row.results.size() == 1 ? Type::scalar(type_of(row.results[0])) : Type::void_type());
    value->intrinsic = which;
    value->operands = std::move(operands);
    if (row.results.size() > 1)
        for (char letter : row.results) value->result_types.push_back(Type::scalar(type_of(letter)));
    return value;
}

Value* Builder::call(Function* callee, std::vector<Value*> operands) {
    if (callee->is_kernel) misuse("call", fmt::format("'{}' is a kernel", callee->name));
    if (operands.size() != callee->parameters.size())
        misuse("call",
               fmt::format("'{}' takes {} operands, got {}", callee->name, callee->parameters.size(), operands.size()));
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (operands[i]->type != callee->parameters[i].type)
            misuse("call", fmt::format("'{}': operand {} is {}, expected {}", callee->name, i,
                                       to_string(operands[i]->type), to_string(callee->parameters[i].type)));
    Value* value = append(Op::Call, callee->results.size() == 1 ? callee->results[0] : Type::void_type());
    value->callee = callee;
    value->operands = std::move(operands);
    if (callee->results.size() > 1) value->result_types = callee->results;
    return value;
}

Value* Builder::external(std::string symbol, std::vector<Type> results, std::vector<Value*> operands,
                         bool memory_effect) {
    Value* value = append(Op::External, results.size() == 1 ? results[0] : Type::void_type());
    value->symbol = std::move(symbol);
    value->operands = std::move(operands);
    value->has_memory_effect = memory_effect;
    if (results.size() > 1) value->result_types = std::move(results);
    return value;
}

Value* Builder::result(Value* call, int index) {
    if (call->result_types.empty()) {
        if (index != 0 || call->type.is_void()) misuse("result", fmt::format("the call has no result {}", index));
        return call;
    }
    if (index < 0 || static_cast<std::size_t>(index) >= call->result_types.size())
        misuse("result", fmt::format("{} of a call with {} results", index, call->result_types.size()));
    Value* value = append(Op::Result, call->result_types[index]);
    value->operands = {call};
    value->index = index;
    return value;
}

void Builder::print(std::string format, std::vector<Value*> operands) {
    for (const Value* operand : operands)
        if (operand->type.is_void()) misuse("print", "an operand of type void");
    Value* value = append(Op::Print, Type::void_type());
    value->text = std::move(format);
    value->operands = std::move(operands);
}

Value* Builder::phi(Type type) {
    if (!block_) misuse("phi", "no current block");
    if (type.is_void()) misuse("phi", "of the type void");
    Value* value = floating(Op::Phi, type);
    value->block = block_;
    auto at =
        std::find_if(block_->values.begin(), block_->values.end(), [](const Value* v) { return v->op != Op::Phi; });
    block_->values.insert(at, value);
    return value;
}

void Builder::add_incoming(Value* phi, Value* value, Block* from) {
    if (phi->op != Op::Phi) throw Error(ErrorKind::Internal, "ir::Builder::add_incoming: the first operand is no phi");
    if (value->type != phi->type)
        throw Error(ErrorKind::Internal, fmt::format("ir::Builder::add_incoming: a {} for a phi of {}",
                                                     to_string(value->type), to_string(phi->type)));
    phi->operands.push_back(value);
    phi->incoming.push_back(from);
}

void Builder::branch(Block* target) {
    append(Op::Branch, Type::void_type())->targets[0] = target;
}

void Builder::cond_branch(Value* condition, Block* if_true, Block* if_false) {
    if (!condition->type.is(DType::Bool))
        misuse("cond_branch", fmt::format("the condition is {}, expected bool", to_string(condition->type)));
    Value* value = append(Op::CondBranch, Type::void_type());
    value->operands = {condition};
    value->targets[0] = if_true;
    value->targets[1] = if_false;
}

void Builder::ret(std::vector<Value*> values) {
    if (values.size() != function_.results.size())
        misuse("return", fmt::format("{} values for {} results", values.size(), function_.results.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i]->type != function_.results[i])
            misuse("return", fmt::format("value {} is {}, expected {}", i, to_string(values[i]->type),
                                         to_string(function_.results[i])));
    append(Op::Return, Type::void_type())->operands = std::move(values);
}

void Builder::raise(std::uint32_t site, std::vector<Value*> values) {
    if (site >= module_.raise_sites.size())
        misuse("raise", fmt::format("site {} of {}", site, module_.raise_sites.size()));
    if (values.size() > 6) misuse("raise", fmt::format("{} values, at most 6 fit", values.size()));
    for (const Value* operand : values)
        if (!operand->type.is(DType::Int64))
            misuse("raise", fmt::format("a value is {}, expected i64", to_string(operand->type)));
    Value* value = append(Op::Raise, Type::void_type());
    value->index = site;
    value->operands = std::move(values);
}

void Builder::unreachable() {
    append(Op::Unreachable, Type::void_type());
}

std::optional<std::int64_t> constant_integer(const Value* value) {
    if (value->op != Op::Constant || !value->type.is_scalar() || is_float(value->type.dtype)) return std::nullopt;
    return decode_integer(value->type.dtype, value->bits);
}

std::optional<double> constant_float(const Value* value) {
    if (value->op != Op::Constant || !value->type.is_scalar() || !is_float(value->type.dtype)) return std::nullopt;
    return decode_float(value->type.dtype, value->bits);
}

}  // namespace lanewise::ir
