#include "backend/cpu/spmd/services.h"

#include <array>
#include <cstddef>

#include "backend/cpu/abi.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

Value* field(IRBuilder<>& builder, Value* base, std::size_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
}

constexpr llvm::StringLiteral raise_name = "lanewise.raise";

/// void(launch, site, values, count, thread x y z, block x y z); out of line, since it is cold.
llvm::Function* raise_function(llvm::Module& module) {
    if (llvm::Function* existing = module.getFunction(raise_name)) return existing;
    llvm::LLVMContext& context = module.getContext();
    IRBuilder<> builder(context);
    llvm::Type* i32 = builder.getInt32Ty();
    llvm::Type* pointer = builder.getPtrTy();
    auto* type =
        llvm::FunctionType::get(builder.getVoidTy(), {pointer, i32, pointer, i32, i32, i32, i32, i32, i32, i32}, false);
    llvm::Function* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, raise_name, module);
    function->addFnAttr(llvm::Attribute::Cold);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::NoUnwind);

    const auto block = [&](const char* label) { return llvm::BasicBlock::Create(context, label, function); };
    llvm::BasicBlock* entry = block("entry");
    llvm::BasicBlock* claim = block("claim");
    llvm::BasicBlock* fill = block("fill");
    llvm::BasicBlock* copy = block("copy");
    llvm::BasicBlock* done = block("done");

    builder.SetInsertPoint(entry);
    Value* slot = builder.CreateLoad(pointer, field(builder, function->getArg(0), offsetof(Launch, error)));
    builder.CreateCondBr(builder.CreateIsNull(slot), done, claim);

    builder.SetInsertPoint(claim);
    Value* claimed = builder.CreateAtomicCmpXchg(field(builder, slot, offsetof(ErrorSlot, claimed)),
                                                 builder.getInt32(0), builder.getInt32(1), llvm::Align(4),
                                                 llvm::AtomicOrdering::AcquireRelease, llvm::AtomicOrdering::Acquire);
    builder.CreateCondBr(builder.CreateExtractValue(claimed, 1), fill, done);

    builder.SetInsertPoint(fill);
    builder.CreateStore(function->getArg(1), field(builder, slot, offsetof(ErrorSlot, site)));
    // Where blocks are merged, thread.x goes on beyond the block.
    Value* width = builder.CreateLoad(i32, field(builder, function->getArg(0), offsetof(Launch, block)));
    Value* thread_x = builder.CreateURem(function->getArg(4), width);
    Value* block_x = builder.CreateAdd(function->getArg(7), builder.CreateUDiv(function->getArg(4), width));
    for (unsigned i = 0; i < 3; ++i) {
        builder.CreateStore(i == 0 ? thread_x : function->getArg(4 + i),
                            field(builder, slot, offsetof(ErrorSlot, thread) + 4 * i));
        builder.CreateStore(i == 0 ? block_x : function->getArg(7 + i),
                            field(builder, slot, offsetof(ErrorSlot, block) + 4 * i));
    }
    constexpr unsigned capacity = std::size(ErrorSlot{}.values);
    Value* count =
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, function->getArg(3), builder.getInt32(capacity));
    builder.CreateCondBr(builder.CreateIsNull(count), done, copy);

    builder.SetInsertPoint(copy);
    llvm::PHINode* index = builder.CreatePHI(i32, 2);
    Value* value = builder.CreateLoad(builder.getInt64Ty(),
                                      builder.CreateInBoundsGEP(builder.getInt64Ty(), function->getArg(2), index));
    Value* values = field(builder, slot, offsetof(ErrorSlot, values));
    builder.CreateStore(value, builder.CreateInBoundsGEP(builder.getInt64Ty(), values, index));
    Value* next = builder.CreateAdd(index, builder.getInt32(1));
    index->addIncoming(builder.getInt32(0), fill);
    index->addIncoming(next, copy);
    builder.CreateCondBr(builder.CreateICmpULT(next, count), copy, done);

    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
    return function;
}

}  // namespace

Value* ServiceCalls::call(std::size_t offset, llvm::Type* result, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<llvm::Type*> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    Value* services =
        builder_.CreateLoad(builder_.getPtrTy(), field(builder_, thread_[Slot::Launch], offsetof(Launch, services)));
    Value* target = builder_.CreateLoad(builder_.getPtrTy(), field(builder_, services, offset));
    llvm::CallInst* called = builder_.CreateCall(llvm::FunctionType::get(result, types, false), target, arguments);
    called->setDoesNotThrow();
    return called;
}

void ServiceCalls::raise(Value* site, Value* values, Value* count) {
    std::array<Value*, 10> arguments = {thread_[Slot::Launch], site, values, count};
    for (unsigned i = 0; i < 3; ++i) {
        arguments[4 + i] = thread_[static_cast<Slot>(static_cast<unsigned>(Slot::ThreadX) + i)];
        arguments[7 + i] = thread_[static_cast<Slot>(static_cast<unsigned>(Slot::BlockX) + i)];
    }
    builder_.CreateCall(raise_function(*thread_.function->getParent()), arguments);
}

Value* ServiceCalls::print(Value* format, Value* arguments) {
    return call(offsetof(Services, vprintf), builder_.getInt32Ty(), {format, arguments});
}

void ServiceCalls::raise_assertion(Value* message, Value* file, Value* line, Value* function) {
    llvm::Type* i64 = builder_.getInt64Ty();
    Value* values[] = {builder_.CreatePtrToInt(message, i64), builder_.CreatePtrToInt(file, i64),
                       builder_.CreatePtrToInt(function, i64), builder_.CreateZExtOrTrunc(line, i64)};
    auto* array_type = llvm::ArrayType::get(i64, std::size(values));
    Value* array = new llvm::AllocaInst(array_type, 0, "assertion", thread_.function->getEntryBlock().begin());
    for (unsigned i = 0; i < std::size(values); ++i) {
        builder_.CreateStore(values[i], builder_.CreateConstInBoundsGEP2_64(array_type, array, 0, i));
    }
    raise(builder_.getInt32(assert_site), array, builder_.getInt32(std::size(values)));
}

Value* ServiceCalls::allocate(Value* bytes) {
    return call(offsetof(Services, allocate), builder_.getPtrTy(), {bytes});
}

void ServiceCalls::release(Value* pointer) {
    call(offsetof(Services, free), builder_.getVoidTy(), {pointer});
}

void ServiceCalls::sleep(Value* nanoseconds) {
    call(offsetof(Services, nanosleep), builder_.getVoidTy(), {nanoseconds});
}

Value* ServiceCalls::clock() {
    return call(offsetof(Services, clock64), builder_.getInt64Ty(), {});
}

Value* ServiceCalls::timer() {
    return call(offsetof(Services, global_timer), builder_.getInt64Ty(), {});
}

Value* ServiceCalls::grid_sync() {
    return call(offsetof(Services, grid_sync), builder_.getInt32Ty(), {thread_[Slot::Launch]});
}

void ServiceCalls::interleave(Value* resume, Value* frame, Value* records, Value* count) {
    call(offsetof(Services, interleave), builder_.getVoidTy(), {thread_[Slot::Launch], resume, frame, records, count});
}

void raise_unless(IRBuilder<>& builder, Value* condition, Value* launch, std::uint32_t site, Value* value) {
    llvm::LLVMContext& context = builder.getContext();
    llvm::Function* function = builder.GetInsertBlock()->getParent();
    Value* values = builder.CreateAlloca(value->getType());
    llvm::BasicBlock* fails = llvm::BasicBlock::Create(context, "fails", function);
    llvm::BasicBlock* after = llvm::BasicBlock::Create(context, "checked", function);
    builder.CreateCondBr(condition, after, fails);
    builder.SetInsertPoint(fails);
    builder.CreateStore(value, values);
    Value* zero = builder.getInt32(0);
    builder.CreateCall(
        raise_function(*function->getParent()),
        {launch, builder.getInt32(site), values, builder.getInt32(1), zero, zero, zero, zero, zero, zero});
    builder.CreateBr(after);
    builder.SetInsertPoint(after);
}

bool is_error_report(const llvm::User& user) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&user);
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == raise_name;
}

}  // namespace lanewise::cpu
