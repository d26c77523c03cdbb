// One inline assembly statement on its way to LLVM IR: its registers, and the operands of the instruction at hand.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>

#include "backend/cpu/target/formula.h"
#include "backend/cpu/target/ptx_text.h"
#include "codegen/llvm.h"

namespace lanewise::cpu::ptx {

/// A type of PTX: "u32", "f16x2", "pred".
struct Type {
    char kind = 'b';  ///< 'u', 's', 'b', 'f', 'x' (bfloat16) or 'p'
    unsigned bits = 32;
    unsigned lanes = 1;

    bool is_float() const { return kind == 'f' || kind == 'x'; }
    bool is_signed() const { return kind == 's'; }
    unsigned all_bits() const { return bits * lanes; }
    Type with(char other_kind, unsigned other_bits) const { return {other_kind, other_bits, lanes}; }
};
inline constexpr Type b32{'b', 32};
inline constexpr Type b64{'b', 64};
inline constexpr Type predicate_type{'p', 1};

std::optional<Type> type_named(llvm::StringRef name);

class Code {
public:
    /// Emits in front of `assembly`, and keeps the condition code register in memory that `carry` gives.
    Code(llvm::CallInst& assembly, llvm::function_ref<llvm::Value*()> carry);

    void declare(const Declaration& declaration);
    void begin_scope() { ++scopes_; }
    void end_scope();
    /// Runs `emit` for the instruction, under its guard if it has one.
    void emit(const Instruction& instruction, llvm::function_ref<void(Code&)> emit);
    /// What the assembly statement returns.
    llvm::Value* result();

    llvm::IRBuilder<>& builder() { return builder_; }
    llvm::Module& module() const { return *call_.getModule(); }
    /// Error(Lowering) that names the instruction, why it is refused, the kernel and the place.
    [[noreturn]] void refuse(const std::string& why) const;
    [[noreturn]] void refuse(const std::string& why, unsigned line) const;

    // The instruction at hand.
    bool has(llvm::StringRef modifier) const;
    /// The i-th part of the opcode, "" when it has fewer.
    llvm::StringRef part(unsigned i) const;
    /// The first of `choices` among the modifiers, or "".
    llvm::StringRef one_of(std::initializer_list<llvm::StringRef> choices) const;
    unsigned type_count() const { return static_cast<unsigned>(types_.size()); }
    Type type(unsigned which = 0) const;
    unsigned operand_count() const { return static_cast<unsigned>(instruction_->operands.size()); }
    const Operand& operand(unsigned i) const;
    /// 'z', 'u', 'd', or 'n' when no other rounding is named.
    char rounding() const;

    llvm::Type* llvm_type(Type type);
    /// The bits of `value` as a value of `type`'s LLVM type.
    llvm::Value* cast(llvm::Value* value, llvm::Type* type);
    llvm::Value* in(unsigned i, Type type) { return read(operand(i), type); }
    llvm::Value* read(const Operand& operand, Type type);
    bool is_predicate(unsigned i);
    llvm::Value* predicate(unsigned i) { return read(operand(i), predicate_type); }
    /// An operand that must be a number.
    std::uint64_t constant(unsigned i);
    void out(unsigned i, Type type, llvm::Value* value) { write(operand(i), type, value); }
    void write(const Operand& operand, Type type, llvm::Value* value);
    Formula formula(unsigned i, Type type) { return {builder_, in(i, type)}; }

    /// A generic pointer from an Address operand, in the state space the modifiers name.
    llvm::Value* address(unsigned i);
    bool in_shared_space() const;

    llvm::Value* carry();
    void set_carry(llvm::Value* value);

private:
    struct Register {
        unsigned bits = 0;
        llvm::Value* value = nullptr;  ///< an integer of `bits`; null before the first write
        unsigned scope = 0;
    };

    void declare_operands();
    Register* find(const std::string& name);
    llvm::Value* read_bits(const Operand& operand, Type type);
    llvm::Value* read_register(const Register& from);
    llvm::Value* read_special(llvm::StringRef name);
    void write_bits(const Operand& operand, Type type, llvm::Value* value);

    llvm::CallInst& call_;
    llvm::IRBuilder<> builder_;
    llvm::function_ref<llvm::Value*()> carry_;
    std::map<std::string, std::deque<Register>> registers_;  ///< by name, innermost scope last
    llvm::SmallVector<std::string> outputs_;                 ///< names of the output operands
    unsigned scopes_ = 0;
    const Instruction* instruction_ = nullptr;
    llvm::SmallVector<Type> types_;
};

}  // namespace lanewise::cpu::ptx
