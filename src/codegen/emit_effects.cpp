// printf and raise: what a kernel tells the host.
#include <fmt/format.h>

#include "codegen/emitter.h"

namespace lanewise::codegen {

using namespace llvm;

void Emitter::emit_print(const ir::Value& value) {
    // The arguments as C's variadic calls promote them, in a struct at natural alignment.
    SmallVector<Value*> arguments;
    SmallVector<llvm::Type*> types;
    for (const ir::Value* used : value.operands) {
        Value* argument = operand(used);
        if (used->type.is_pointer())
            argument = to_generic(argument);
        else if (is_float(used->type.dtype))
            argument = convert_float(argument, b_.getDoubleTy());
        else if (size_of(used->type.dtype) < 4)
            argument = b_.CreateIntCast(argument, b_.getInt32Ty(), is_signed(used->type.dtype));
        arguments.push_back(argument);
        types.push_back(argument->getType());
    }
    auto* generic = PointerType::get(context_, 0);
    Value* packed = ConstantPointerNull::get(generic);
    if (!arguments.empty()) {
        auto* layout = StructType::get(context_, types);
        packed = entry_alloca(layout, Align(8));
        for (std::size_t i = 0; i < arguments.size(); ++i)
            b_.CreateStore(arguments[i], b_.CreateStructGEP(layout, packed, i));
    }
    Constant* text = ConstantDataArray::getString(context_, value.text);
    auto* format = new GlobalVariable(*module_, text->getType(), true, GlobalValue::PrivateLinkage, text, "format",
                                      nullptr, GlobalValue::NotThreadLocal, static_cast<unsigned>(ir::Space::Global));
    format->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    format->setAlignment(Align(1));
    llvm::Function* vprintf =
        runtime_function("vprintf", FunctionType::get(b_.getInt32Ty(), {generic, generic}, false));
    b_.CreateCall(vprintf, {to_generic(format), packed});
}

void Emitter::emit_raise(const ir::Value& value) {
    auto* word = b_.getInt64Ty();
    auto* generic = PointerType::get(context_, 0);
    auto* layout = ArrayType::get(word, 6);
    Value* values = entry_alloca(layout, Align(8));
    for (std::size_t i = 0; i < value.operands.size(); ++i)
        b_.CreateStore(operand(value.operands[i]), b_.CreateConstInBoundsGEP2_32(layout, values, 0, i));
    llvm::Function* raise = runtime_function(
        "__lanewise_raise", FunctionType::get(b_.getVoidTy(), {b_.getInt32Ty(), generic, b_.getInt32Ty()}, false));
    raise->addFnAttr(Attribute::Cold);
    b_.CreateCall(raise, {b_.getInt32(value.index), values, b_.getInt32(value.operands.size())});
    b_.CreateIntrinsic(Intrinsic::nvvm_exit, {}, {});
    b_.CreateUnreachable();
}

}  // namespace lanewise::codegen
