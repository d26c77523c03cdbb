#include "backend/cpu/target/ptx_code.h"

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <bit>

#include "backend/cpu/target/ptx_asm.h"
#include "backend/cpu/target/shared_window.h"

namespace lanewise::cpu::ptx {
namespace {

using llvm::IRBuilder;
using llvm::Value;

/// Bits of the register a constraint stands for; 0: an immediate.
std::optional<unsigned> constraint_bits(llvm::StringRef code) {
    static const llvm::StringMap<unsigned> known = {{"c", 8},  {"h", 16},  {"r", 32}, {"l", 64}, {"f", 32},
                                                    {"d", 64}, {"q", 128}, {"n", 0},  {"i", 0},  {"s", 0}};
    const auto found = known.find(code);
    return found == known.end() ? std::nullopt : std::optional(found->second);
}

Value* as_integer(IRBuilder<>& builder, Value* value) {
    llvm::Type* type = value->getType();
    if (type->isIntegerTy()) return value;
    if (type->isPointerTy()) return builder.CreatePtrToInt(value, builder.getInt64Ty());
    return builder.CreateBitCast(value, builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits())));
}

}  // namespace

std::optional<Type> type_named(llvm::StringRef name) {
    if (name == "pred") return predicate_type;
    if (name == "bf16") return Type{'x', 16};
    if (name == "bf16x2") return Type{'x', 16, 2};
    if (name.empty() || !llvm::StringRef("usbf").contains(name.front())) return std::nullopt;
    Type type{name.front()};
    const auto [bits, lanes] = name.drop_front().split('x');
    if (bits.getAsInteger(10, type.bits) || (!lanes.empty() && lanes.getAsInteger(10, type.lanes))) return std::nullopt;
    const bool valid = type.kind == 'f' ? type.bits == 16 || type.bits == 32 || type.bits == 64
                                        : llvm::is_contained({8u, 16u, 32u, 64u, 128u}, type.bits);
    return valid && (type.lanes == 1 || type.lanes == 2 || type.lanes == 4) ? std::optional(type) : std::nullopt;
}

Code::Code(llvm::CallInst& assembly, llvm::function_ref<Value*()> carry)
    : call_(assembly), builder_(&assembly), carry_(carry) {
    declare_operands();
}

/// Operands are numbered in the order of their constraints; an input tied to an output gives that one its value.
void Code::declare_operands() {
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call_.getCalledOperand());
    unsigned argument = 0, number = 0;
    for (const llvm::InlineAsm::ConstraintInfo& constraint : assembly->ParseConstraints()) {
        if (constraint.Type == llvm::InlineAsm::isClobber) continue;
        const std::string name = "$" + std::to_string(number++);
        const llvm::StringRef code = constraint.Codes.empty() ? llvm::StringRef() : constraint.Codes.front();
        const auto bits = constraint_bits(code);
        const bool tied = !code.empty() && llvm::isDigit(code.front());
        if (constraint.isIndirect || (!tied && !bits)) {
            refuse(fmt::format("its operand constraint \"{}\" is not supported; h, r, l, f, d and n are", code.str()),
                   0);
        }
        if (constraint.Type == llvm::InlineAsm::isOutput) {
            registers_[name].push_back({*bits, nullptr, 0});
            outputs_.push_back(name);
            continue;
        }
        Value* value = as_integer(builder_, call_.getArgOperand(argument++));
        const unsigned own_bits = value->getType()->getIntegerBitWidth();
        if (tied) {
            Register& target = registers_["$" + code.str()].back();
            target.value = builder_.CreateZExtOrTrunc(value, builder_.getIntNTy(target.bits));
            registers_[name].push_back(target);
        } else {
            const unsigned width = *bits ? *bits : own_bits;
            registers_[name].push_back({width, builder_.CreateZExtOrTrunc(value, builder_.getIntNTy(width)), 0});
        }
    }
}

void Code::declare(const Declaration& declaration) {
    const auto type = type_named(declaration.type);
    if (!type) refuse(fmt::format("registers of type .{} are not supported", declaration.type), declaration.line);
    for (const std::string& name : declaration.names) {
        registers_[name].push_back({type->all_bits(), nullptr, scopes_});
    }
}

void Code::end_scope() {
    if (scopes_ == 0) refuse("'}' without '{'", 0);
    for (auto& [name, stack] : registers_) {
        while (!stack.empty() && stack.back().scope == scopes_) stack.pop_back();
    }
    --scopes_;
}

void Code::emit(const Instruction& instruction, llvm::function_ref<void(Code&)> emit) {
    instruction_ = &instruction;
    types_.clear();
    for (const std::string& part : llvm::drop_begin(instruction.opcode)) {
        if (const auto type = type_named(part)) types_.push_back(*type);
    }
    if (instruction.guard.empty()) {
        emit(*this);
        return;
    }
    Operand guard;
    guard.kind = Operand::Kind::Name;
    guard.name = instruction.guard;
    guard.negated = instruction.guard_negated;
    Value* condition = read(guard, predicate_type);
    const auto before = registers_;
    llvm::BasicBlock* from = builder_.GetInsertBlock();
    llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(condition, &call_, false);
    builder_.SetInsertPoint(end);
    emit(*this);
    llvm::BasicBlock* then = end->getParent();
    builder_.SetInsertPoint(call_.getParent(), call_.getParent()->begin());
    for (auto& [name, stack] : registers_) {
        const auto& old_stack = before.at(name);
        for (std::size_t i = 0; i < stack.size(); ++i) {
            if (stack[i].value == old_stack[i].value) continue;
            llvm::PHINode* both = builder_.CreatePHI(builder_.getIntNTy(stack[i].bits), 2);
            both->addIncoming(stack[i].value, then);
            both->addIncoming(read_register(old_stack[i]), from);
            stack[i].value = both;
        }
    }
    builder_.SetInsertPoint(&call_);
}

Value* Code::result() {
    llvm::Type* type = call_.getType();
    const auto value_of = [&](const std::string& name, llvm::Type* wanted) {
        Value* value = read_register(registers_.at(name).back());
        if (wanted->isPointerTy()) return builder_.CreateIntToPtr(value, wanted);
        value = builder_.CreateZExtOrTrunc(value,
                                           builder_.getIntNTy(static_cast<unsigned>(wanted->getPrimitiveSizeInBits())));
        return builder_.CreateBitCast(value, wanted);
    };
    if (outputs_.empty()) return nullptr;
    if (outputs_.size() == 1) return value_of(outputs_.front(), type);
    Value* all = llvm::PoisonValue::get(type);
    for (unsigned i = 0; i < outputs_.size(); ++i) {
        all = builder_.CreateInsertValue(all, value_of(outputs_[i], type->getStructElementType(i)), i);
    }
    return all;
}

void Code::refuse(const std::string& why) const {
    refuse(why, instruction_ ? instruction_->line : 0);
}

void Code::refuse(const std::string& why, unsigned line) const {
    throw assembly_error(call_, instruction_ ? instruction_->text : std::string(), why, line);
}

bool Code::has(llvm::StringRef modifier) const {
    return llvm::is_contained(llvm::drop_begin(instruction_->opcode), modifier);
}

llvm::StringRef Code::part(unsigned i) const {
    return i < instruction_->opcode.size() ? llvm::StringRef(instruction_->opcode[i]) : llvm::StringRef();
}

llvm::StringRef Code::one_of(std::initializer_list<llvm::StringRef> choices) const {
    for (const llvm::StringRef choice : choices) {
        if (has(choice)) return choice;
    }
    return "";
}

Type Code::type(unsigned which) const {
    if (which >= types_.size()) refuse("a type is missing");
    return types_[which];
}

const Operand& Code::operand(unsigned i) const {
    if (i >= instruction_->operands.size()) {
        refuse(fmt::format("it has {} operands; more are needed", instruction_->operands.size()));
    }
    return instruction_->operands[i];
}

char Code::rounding() const {
    return has("rz") ? 'z' : has("rp") ? 'u' : has("rm") ? 'd' : 'n';
}

llvm::Type* Code::llvm_type(Type type) {
    llvm::Type* element = nullptr;
    if (type.kind == 'x')
        element = builder_.getBFloatTy();
    else if (type.kind == 'f')
        element = type.bits == 16   ? builder_.getHalfTy()
                  : type.bits == 32 ? builder_.getFloatTy()
                                    : builder_.getDoubleTy();
    else
        element = builder_.getIntNTy(type.bits);
    return type.lanes == 1 ? element : llvm::FixedVectorType::get(element, type.lanes);
}

Value* Code::cast(Value* value, llvm::Type* type) {
    return value->getType() == type ? value : builder_.CreateBitCast(value, type);
}

Value* Code::read(const Operand& operand, Type type) {
    return cast(read_bits(operand, type), llvm_type(type));
}

void Code::write(const Operand& operand, Type type, Value* value) {
    write_bits(operand, type, as_integer(builder_, value));
}

Code::Register* Code::find(const std::string& name) {
    const auto found = registers_.find(name);
    return found == registers_.end() || found->second.empty() ? nullptr : &found->second.back();
}

Value* Code::read_register(const Register& from) {
    return from.value ? from.value : llvm::Constant::getNullValue(builder_.getIntNTy(from.bits));
}

/// An integer of type.all_bits().
Value* Code::read_bits(const Operand& operand, Type type) {
    llvm::Type* wanted = builder_.getIntNTy(type.all_bits());
    switch (operand.kind) {
        case Operand::Kind::Integer:
            if (type.is_float()) refuse("a floating-point operand is needed where an integer stands");
            return llvm::ConstantInt::get(wanted, operand.negated ? operand.bits == 0 : operand.bits);
        case Operand::Kind::Float: {
            const unsigned bits = type.all_bits();
            if (operand.float_bits == 32 || bits == 64) {
                if (operand.float_bits == 32 && bits == 64) {
                    const double wide = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
                    return llvm::ConstantInt::get(wanted, std::bit_cast<std::uint64_t>(wide));
                }
                return llvm::ConstantInt::get(wanted, operand.bits);
            }
            const auto narrow = static_cast<float>(std::bit_cast<double>(operand.bits));
            return llvm::ConstantInt::get(wanted, std::bit_cast<std::uint32_t>(narrow));
        }
        case Operand::Kind::Vector: {
            if (operand.parts.empty() || type.all_bits() % operand.parts.size() != 0) refuse("a vector does not fit");
            const auto part_bits = static_cast<unsigned>(type.all_bits() / operand.parts.size());
            Value* packed = llvm::Constant::getNullValue(wanted);
            for (unsigned i = 0; i < operand.parts.size(); ++i) {
                Value* part = builder_.CreateZExt(read_bits(operand.parts[i], {'b', part_bits}), wanted);
                packed = builder_.CreateOr(packed, builder_.CreateShl(part, i * part_bits));
            }
            return packed;
        }
        case Operand::Kind::Name:
            break;
        default:
            refuse("an operand is of the wrong kind");
    }
    Value* value = nullptr;
    if (const Register* found = find(operand.name)) {
        value = read_register(*found);
    } else if (operand.name == "WARP_SZ") {
        value = builder_.getInt32(32);
    } else if (operand.name.front() == '%') {
        value = read_special(llvm::StringRef(operand.name).drop_front());
    } else if (llvm::GlobalValue* symbol = module().getNamedValue(operand.name)) {
        Value* generic = builder_.CreateAddrSpaceCast(symbol, builder_.getPtrTy());
        value = symbol->getAddressSpace() == 3 ? to_shared_address(builder_, generic)
                                               : builder_.CreatePtrToInt(generic, builder_.getInt64Ty());
    } else {
        refuse(fmt::format("'{}' is neither declared nor a variable of the program", operand.name));
    }
    if (operand.negated) value = builder_.CreateNot(value);
    return builder_.CreateZExtOrTrunc(value, wanted);
}

void Code::write_bits(const Operand& operand, Type type, Value* value) {
    if (operand.kind == Operand::Kind::Sink) return;
    if (operand.kind == Operand::Kind::Vector) {
        const auto part_bits = static_cast<unsigned>(type.all_bits() / operand.parts.size());
        for (unsigned i = 0; i < operand.parts.size(); ++i) {
            Value* part =
                builder_.CreateTrunc(builder_.CreateLShr(value, i * part_bits), builder_.getIntNTy(part_bits));
            write_bits(operand.parts[i], {'b', part_bits}, part);
        }
        return;
    }
    Register* target = operand.kind == Operand::Kind::Name ? find(operand.name) : nullptr;
    if (!target) refuse("its destination is no register");
    llvm::Type* wanted = builder_.getIntNTy(target->bits);
    target->value =
        type.is_signed() ? builder_.CreateSExtOrTrunc(value, wanted) : builder_.CreateZExtOrTrunc(value, wanted);
}

bool Code::is_predicate(unsigned i) {
    const Register* found = operand(i).kind == Operand::Kind::Name ? find(operand(i).name) : nullptr;
    return found && found->bits == 1;
}

std::uint64_t Code::constant(unsigned i) {
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(read_bits(operand(i), b64));
    if (!number) refuse(fmt::format("operand {} must be a constant", i + 1));
    return number->getZExtValue();
}

Value* Code::read_special(llvm::StringRef name) {
    const auto found = special_registers().find(name);
    if (found == special_registers().end()) refuse(fmt::format("there is no special register %{} here", name.str()));
    llvm::Type* type = builder_.getIntNTy(found->second.bits);
    llvm::FunctionCallee reader = module().getOrInsertFunction((special_register_prefix + name).str(), type);
    auto* function = llvm::cast<llvm::Function>(reader.getCallee());
    function->setDoesNotThrow();
    function->setWillReturn();
    if (!found->second.changes) function->setDoesNotAccessMemory();
    return builder_.CreateCall(reader);
}

bool Code::in_shared_space() const {
    return has("shared") || has("shared::cta") || has("shared::cluster");
}

Value* Code::address(unsigned i) {
    const Operand& where = operand(i);
    if (where.kind != Operand::Kind::Address) refuse(fmt::format("operand {} must be an address in brackets", i + 1));
    if (has("param") || has("param::entry")) refuse("the state space .param is not accessible");
    Value* number = builder_.CreateAdd(read_bits(where.parts.front(), b64),
                                       builder_.getInt64(static_cast<std::uint64_t>(where.offset)));
    return in_shared_space() ? from_shared_address(builder_, number)
                             : builder_.CreateIntToPtr(number, builder_.getPtrTy());
}

Value* Code::carry() {
    return builder_.CreateLoad(builder_.getInt1Ty(), carry_());
}

void Code::set_carry(Value* value) {
    builder_.CreateStore(value, carry_());
}

}  // namespace lanewise::cpu::ptx
