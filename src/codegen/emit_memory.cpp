// Addresses, loads and stores.
#include <fmt/format.h>

#include "codegen/emitter.h"

namespace lanewise::codegen {

using namespace llvm;
using ir::CacheHint;

namespace {

StringRef operator_of(CacheHint hint) {
    switch (hint) {
        case CacheHint::Ca:
            return "ca";
        case CacheHint::Cg:
            return "cg";
        case CacheHint::Cs:
            return "cs";
        case CacheHint::Lu:
            return "lu";
        case CacheHint::Cv:
            return "cv";
        case CacheHint::Wb:
            return "wb";
        case CacheHint::Wt:
            return "wt";
        case CacheHint::None:
        case CacheHint::Volatile:
            break;
    }
    return "";
}

/// PTX's access width and the register class of its inline assembly constraint.
struct AccessKind {
    StringRef suffix;
    StringRef constraint;
};
AccessKind access_kind(unsigned bits) {
    switch (bits) {
        case 8:
            return {"u8", "h"};
        case 16:
            return {"u16", "h"};
        case 32:
            return {"u32", "r"};
        default:
            return {"u64", "l"};
    }
}

}  // namespace

Value* Emitter::emit_pointer_add(const ir::Value& value) {
    Value* base = operand(value.operands[0]);
    Value* index = operand(value.operands[1]);
    const std::int64_t scale = value.index;
    // The element type carries the scale, so that LLVM's address passes see one indexed access.
    if (scale == 1 || scale == 2 || scale == 4 || scale == 8)
        return b_.CreateInBoundsGEP(b_.getIntNTy(8 * scale), base, index);
    if (scale > 0) return b_.CreateInBoundsGEP(ArrayType::get(b_.getInt8Ty(), scale), base, index);
    return b_.CreateInBoundsGEP(b_.getInt8Ty(), base, b_.CreateMul(index, b_.getInt64(scale)));
}

bool Emitter::is_invariant(const ir::Value* pointer) const {
    while (pointer->op == ir::Op::PointerAdd || (pointer->op == ir::Op::Bitcast && pointer->type.is_pointer()))
        pointer = pointer->operands[0];
    if (pointer->op != ir::Op::Parameter || !current_->is_kernel) return false;
    const ir::Parameter& parameter = current_->parameters[pointer->index];
    return parameter.read_only && parameter.no_alias;
}

Value* Emitter::emit_load(const ir::Value& value) {
    Value* pointer = operand(value.operands[0]);
    Value* loaded;
    const bool hinted = value.hint != CacheHint::None && value.hint != CacheHint::Volatile;
    const ir::Space space = value.operands[0]->type.space;
    if (hinted && kind_ == DeviceKind::Cuda && (space == ir::Space::Global || space == ir::Space::Generic)) {
        loaded = emit_hinted_load(value, pointer);
    } else {
        const Align align(value.align ? value.align : value.type.bytes());
        LoadInst* load = b_.CreateAlignedLoad(memory_type(value.type), pointer, align);
        load->setVolatile(value.hint == CacheHint::Volatile);
        if (value.hint == CacheHint::None && is_invariant(value.operands[0]))
            load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context_, {}));
        loaded = load;
    }
    // Any byte but zero counts as true: bool arrays may be views of uint8 ones.
    return value.type.is(DType::Bool) ? b_.CreateIsNotNull(loaded) : loaded;
}

void Emitter::emit_store(const ir::Value& value) {
    Value* pointer = operand(value.operands[0]);
    Value* stored = operand(value.operands[1]);
    const ir::Type type = value.operands[1]->type;
    if (type.is(DType::Bool)) stored = b_.CreateZExt(stored, b_.getInt8Ty());
    const bool hinted = value.hint != CacheHint::None && value.hint != CacheHint::Volatile;
    const ir::Space space = value.operands[0]->type.space;
    if (hinted && kind_ == DeviceKind::Cuda && (space == ir::Space::Global || space == ir::Space::Generic))
        return emit_hinted_store(value, pointer, stored);
    StoreInst* store = b_.CreateAlignedStore(stored, pointer, Align(value.align ? value.align : type.bytes()));
    store->setVolatile(value.hint == CacheHint::Volatile);
}

Value* Emitter::emit_hinted_load(const ir::Value& value, Value* pointer) {
    llvm::Type* wanted = memory_type(value.type);
    const unsigned bits = 8 * value.type.bytes();
    const AccessKind kind = access_kind(bits);
    const StringRef space = value.operands[0]->type.space == ir::Space::Global ? ".global" : "";
    llvm::Type* held = b_.getIntNTy(std::max(bits, 16u));
    Value* loaded =
        inline_asm(held, ("ld" + space + "." + operator_of(value.hint) + "." + kind.suffix + " $0, [$1];").str(),
                   ("=" + kind.constraint + ",l,~{memory}").str(), {pointer});
    loaded = b_.CreateTrunc(loaded, b_.getIntNTy(bits));
    return wanted->isPointerTy() ? b_.CreateIntToPtr(loaded, wanted) : b_.CreateBitCast(loaded, wanted);
}

void Emitter::emit_hinted_store(const ir::Value& value, Value* pointer, Value* stored) {
    const unsigned bits = 8 * value.operands[1]->type.bytes();
    const AccessKind kind = access_kind(bits);
    const StringRef space = value.operands[0]->type.space == ir::Space::Global ? ".global" : "";
    llvm::Type* integer = b_.getIntNTy(bits);
    stored = stored->getType()->isPointerTy() ? b_.CreatePtrToInt(stored, integer) : b_.CreateBitCast(stored, integer);
    stored = b_.CreateZExt(stored, b_.getIntNTy(std::max(bits, 16u)));
    inline_asm(b_.getVoidTy(), ("st" + space + "." + operator_of(value.hint) + "." + kind.suffix + " [$0], $1;").str(),
               ("l," + kind.constraint + ",~{memory}").str(), {pointer, stored});
}

}  // namespace lanewise::codegen
