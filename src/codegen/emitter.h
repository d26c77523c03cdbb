// The state of one emission; its parts are spread over emit_*.cpp by topic.
#pragma once

#include <optional>

#include "codegen/debug_info.h"
#include "codegen/emit.h"
#include "codegen/llvm.h"

namespace lanewise::codegen {

class Emitter {
public:
    Emitter(const ir::Module& module, DeviceKind kind, const CompileOptions& options, llvm::LLVMContext& context);
    std::unique_ptr<llvm::Module> run();

private:
    using Value = llvm::Value;

    // emit.cpp: module, functions, control flow.
    void declare_globals();
    void declare_function(const ir::Function& function);
    void annotate_kernel(const ir::Function& function, llvm::Function& llvm_function);
    void emit_function(const ir::Function& function);
    void emit_block(const ir::Block& block);
    /// Null for values that give nothing.
    Value* emit_value(const ir::Value& value);
    void fill_phi(const ir::Value& phi);
    Value* emit_call(const ir::Value& value);
    Value* emit_external(const ir::Value& value);
    void emit_return(const ir::Value& value);
    Value* operand(const ir::Value* value);
    Value* constant(const ir::Value& value);
    [[noreturn]] void refuse(const ir::Value& value, const std::string& problem) const;

    // Types.
    llvm::Type* type(DType type) const;
    llvm::Type* type(ir::Type type) const;
    /// As it lies in memory and kernel parameters: bool is i8.
    llvm::Type* memory_type(ir::Type type) const;
    llvm::Type* result_type(const std::vector<ir::Type>& results) const;
    Value* to_generic(Value* pointer);
    /// In the entry block, before everything else.
    llvm::AllocaInst* entry_alloca(llvm::Type* type, llvm::Align align);
    llvm::Function* runtime_function(llvm::StringRef name, llvm::FunctionType* type);

    // emit_scalar.cpp
    Value* emit_scalar(const ir::Value& value);
    Value* emit_integer(const ir::Value& value, DType type, llvm::ArrayRef<Value*> operands);
    Value* emit_float(const ir::Value& value, DType type, llvm::ArrayRef<Value*> operands);
    /// float32 on CUDA under fastmath, and the 16-bit types through it: approximate forms, as nvcc -use_fast_math
    /// takes.
    Value* emit_approximate_divide(Value* a, Value* b);
    Value* emit_approximate_sqrt(Value* a);
    Value* emit_shift(ir::ScalarOp op, DType type, Value* value, Value* count);
    Value* emit_math(llvm::StringRef name, DType type, llvm::ArrayRef<Value*> operands);

    // emit_cast.cpp
    Value* emit_cast(Value* value, DType from, DType to);
    /// Between float types, rounded once.
    Value* convert_float(Value* value, llvm::Type* wanted);
    Value* round_to_odd_float(Value* value);
    Value* round_to_bfloat(Value* value);
    Value* emit_bitcast(const ir::Value& value);

    // emit_memory.cpp
    Value* emit_pointer_add(const ir::Value& value);
    Value* emit_load(const ir::Value& value);
    void emit_store(const ir::Value& value);
    Value* emit_hinted_load(const ir::Value& value, Value* pointer);
    void emit_hinted_store(const ir::Value& value, Value* pointer, Value* stored);
    bool is_invariant(const ir::Value* pointer) const;

    // emit_atomics.cpp
    Value* emit_atomic(const ir::Value& value);
    Value* emit_float_extremum(ir::AtomicOp op, Value* pointer, Value* operand);
    Value* emit_compare_swap(const ir::Value& value);

    // emit_intrinsics.cpp
    Value* emit_intrinsic(const ir::Value& value);
    Value* special_register(llvm::Intrinsic::ID id, std::uint64_t lowest, std::uint64_t bound);
    Value* emit_shuffle(const ir::Value& value, llvm::Intrinsic::ID id, unsigned clamp);
    Value* emit_match(const ir::Value& value, llvm::Intrinsic::ID narrow, llvm::Intrinsic::ID wide);
    Value* inline_asm(llvm::Type* result, llvm::StringRef text, llvm::StringRef constraints,
                      llvm::ArrayRef<Value*> operands, bool has_effect = true);

    // emit_effects.cpp
    void emit_print(const ir::Value& value);
    void emit_raise(const ir::Value& value);

    const ir::Module& source_;
    const DeviceKind kind_;
    const CompileOptions& options_;
    llvm::LLVMContext& context_;
    std::unique_ptr<llvm::Module> module_;
    llvm::IRBuilder<> b_;
    std::optional<DebugInfo> debug_;
    llvm::DenseMap<const ir::Function*, llvm::Function*> functions_;
    llvm::DenseMap<const ir::Global*, llvm::GlobalVariable*> globals_;
    llvm::DenseMap<const ir::Function*, std::size_t> inlined_sizes_;
    llvm::GlobalVariable* dynamic_shared_ = nullptr;

    // Of the function being emitted.
    const ir::Function* current_ = nullptr;
    llvm::Function* current_llvm_ = nullptr;
    llvm::DenseMap<const ir::Value*, Value*> values_;
    llvm::DenseMap<const ir::Block*, llvm::BasicBlock*> first_;  ///< where branches to a block go
    llvm::DenseMap<const ir::Block*, llvm::BasicBlock*> last_;   ///< where its terminator stands: emission may split
};

}  // namespace lanewise::codegen
