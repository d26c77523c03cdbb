// ir::Builder: appends values to a block, checks operand types (Error(Internal) on misuse) and folds constants.
#pragma once

#include <optional>

#include "ir/function.h"

namespace lanewise::ir {

class Builder {
public:
    Builder(Module& module, Function& function) : module_(module), function_(function) {}

    Module& module() { return module_; }
    Function& function() { return function_; }
    Block* block() const { return block_; }
    void set_block(Block* block) { block_ = block; }
    Block* new_block(std::string label) { return function_.new_block(std::move(label)); }
    /// Location given to the values that follow.
    void set_location(Location at) { at_ = at; }
    Location location() const { return at_; }
    bool terminated() const { return block_ && block_->terminator(); }

    Value* constant(DType type, std::int64_t value);  ///< integers and bool, wrapped to the width
    Value* constant_float(DType type, double value);  ///< float16, bfloat16, float32, float64
    Value* constant_bits(Type type, std::uint64_t bits);
    Value* boolean(bool value) { return constant(DType::Bool, value); }
    Value* i32(std::int32_t value) { return constant(DType::Int32, value); }
    Value* i64(std::int64_t value) { return constant(DType::Int64, value); }

    Value* scalar(ScalarOp op, std::vector<Value*> operands);
    Value* scalar(ScalarOp op, Value* a) { return scalar(op, std::vector{a}); }
    Value* scalar(ScalarOp op, Value* a, Value* b) { return scalar(op, std::vector{a, b}); }
    Value* add(Value* a, Value* b) { return scalar(ScalarOp::Add, a, b); }
    Value* sub(Value* a, Value* b) { return scalar(ScalarOp::Sub, a, b); }
    Value* mul(Value* a, Value* b) { return scalar(ScalarOp::Mul, a, b); }
    Value* eq(Value* a, Value* b) { return scalar(ScalarOp::Eq, a, b); }
    Value* lt(Value* a, Value* b) { return scalar(ScalarOp::Lt, a, b); }
    Value* logical_not(Value* a) { return scalar(ScalarOp::BitNot, a); }
    Value* select(Value* condition, Value* if_true,
                  Value* if_false);       ///< scalars of one dtype, or pointers of one space
    Value* cast(Value* value, DType to);  ///< no-op when already `to`
    Value* bitcast(Value* value, Type to);

    Value* pointer_add(Value* pointer, Value* index, std::int64_t scale_bytes);
    Value* load(Type type, Value* pointer, std::uint32_t align = 0, CacheHint hint = CacheHint::None);
    void store(Value* pointer, Value* value, std::uint32_t align = 0, CacheHint hint = CacheHint::None);
    Value* atomic(AtomicOp op, Value* pointer, Value* value);
    Value* compare_swap(Value* pointer, Value* expected, Value* desired);
    /// In the entry block, whatever the current block.
    Value* local_array(std::uint64_t bytes, std::uint32_t align);
    Value* global_address(Global* global);
    Value* dynamic_shared();
    Value* string_constant(const std::string& text);  ///< pointer to NUL-terminated constant data

    Value* intrinsic(Intrinsic which, std::vector<Value*> operands = {});
    Value* call(Function* callee, std::vector<Value*> operands);
    Value* external(std::string symbol, std::vector<Type> results, std::vector<Value*> operands,
                    bool memory_effect = false);
    Value* result(Value* call, int index);  ///< the call itself when it has one result
    void print(std::string format, std::vector<Value*> operands);

    Value* phi(Type type);  ///< at the block's start, no operands yet
    static void add_incoming(Value* phi, Value* value, Block* from);

    void branch(Block* target);
    void cond_branch(Value* condition, Block* if_true, Block* if_false);
    void ret(std::vector<Value*> values = {});
    void raise(std::uint32_t site, std::vector<Value*> values);
    void unreachable();

private:
    [[noreturn]] void misuse(std::string_view call, const std::string& problem) const;
    Value* floating(Op op, Type type);  ///< a value outside every block
    Value* append(Op op, Type type);
    Module& module_;
    Function& function_;
    Block* block_ = nullptr;
    Location at_;
};

/// The value of an integer or bool constant (a uint64 above the int64 range as its bit pattern), or none.
std::optional<std::int64_t> constant_integer(const Value* value);
/// The value of a float constant, or none.
std::optional<double> constant_float(const Value* value);

}  // namespace lanewise::ir
