#include "backend/cpu/spmd/apart.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>

#include "backend/cpu/spmd/services.h"

namespace lanewise::cpu {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

class ApartEmitter {
public:
    ApartEmitter(const SlotFunction& unit, bool unit_has_slots, const SlotFunction& thread, Crew& crew)
        : unit_(unit),
          unit_has_slots_(unit_has_slots),
          thread_(thread),
          crew_(crew),
          context_(thread.function->getContext()) {}

    void run() {
        const auto any_meeting = [](SyncKind) { return true; };
        require_fixed_allocations(*thread_.function);
        isolate_meetings(*thread_.function, any_meeting);
        const Uniformity uniformity(thread_, Scope::Block);
        const Skeleton skeleton = find_meetings(*thread_.function, any_meeting);
        llvm::SmallVector<BasicBlock*> boundaries;
        for (const Region& region : llvm::drop_begin(skeleton.regions)) boundaries.push_back(region.root);
        for (const Node& node : skeleton.nodes) boundaries.push_back(node.block);
        demote_cross_values(*thread_.function, boundaries, uniformity);
        // Every stack variable lives in an array, for a thread's stack frame ends at each meeting.
        for (Instruction& instruction : thread_.function->getEntryBlock()) {
            if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variables_.push_back(variable);
        }
        fill_unit(make_resume_function(make_body(skeleton)));
    }

private:
    /// void(thread function's parameters..., i32 index, arrays..., record): runs a thread up to its next meeting.
    llvm::Function* make_body(const Skeleton& skeleton) {
        llvm::SmallVector<llvm::Type*> types(thread_.function->getFunctionType()->params());
        const auto own = static_cast<unsigned>(types.size());
        llvm::Type* pointer = llvm::PointerType::get(context_, 0);
        types.push_back(llvm::Type::getInt32Ty(context_));
        types.append(variables_.size() + 1, pointer);
        auto* body = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context_), types, false),
                                            llvm::GlobalValue::InternalLinkage, 0,
                                            thread_.function->getName() + ".resumed", thread_.function->getParent());
        for (llvm::Argument& argument : thread_.function->args()) {
            body->getArg(argument.getArgNo())->takeName(&argument);
            argument.replaceAllUsesWith(body->getArg(argument.getArgNo()));
        }
        note_slots({body, thread_.own});
        BasicBlock* start = &thread_.function->getEntryBlock();
        body->splice(body->begin(), thread_.function);

        BasicBlock* dispatch = BasicBlock::Create(context_, "dispatch", body, start);
        IRBuilder<> builder(dispatch);
        Value* index = body->getArg(own);
        Value* record = body->getArg(own + 1 + static_cast<unsigned>(variables_.size()));
        for (unsigned i = 0; i < variables_.size(); ++i) {
            Value* place =
                builder.CreateInBoundsGEP(padded_array_type(*variables_[i]), body->getArg(own + 1 + i), index);
            variables_[i]->replaceAllUsesWith(place);
        }
        Value* state = builder.CreateLoad(builder.getInt32Ty(), field(builder, record, offsetof(ThreadRecord, state)));
        llvm::SwitchInst* resume = builder.CreateSwitch(state, start, static_cast<unsigned>(skeleton.nodes.size()));
        for (std::uint32_t i = 0; i < skeleton.nodes.size(); ++i) {
            resume->addCase(builder.getInt32(i + 1), suspend(skeleton.nodes[i], i + 1, record));
        }
        if (skeleton.end) {
            builder.SetInsertPoint(skeleton.end->getTerminator());
            builder.CreateStore(builder.getInt32(ThreadRecord::ended),
                                field(builder, record, offsetof(ThreadRecord, state)));
        }
        return body;
    }

    static Value* field(IRBuilder<>& builder, Value* record, std::size_t offset) {
        return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record, offset);
    }

    /// Describes the meeting in the record and returns; the block where the thread goes on comes back.
    BasicBlock* suspend(const Node& node, std::uint32_t number, Value* record) {
        BasicBlock* after = node.block->splitBasicBlock(node.call->getNextNode(), "resume");
        IRBuilder<> builder(node.call);
        const auto put = [&](std::size_t offset, Value* value) {
            builder.CreateStore(value, field(builder, record, offset));
        };
        const SyncOperands operands = sync_operands(*node.call, node.sync);
        put(offsetof(ThreadRecord, state), builder.getInt32(number));
        put(offsetof(ThreadRecord, kind), builder.getInt32(static_cast<std::uint32_t>(node.sync)));
        const bool together = node.sync == SyncKind::ActiveMask || (is_warp_sync(node.sync) && !operands.has_mask);
        put(offsetof(ThreadRecord, mask), together || !operands.mask ? builder.getInt32(0) : operands.mask);
        const bool partial = operands.identifier != nullptr;
        if (partial || operands.lane) put(offsetof(ThreadRecord, lane), partial ? operands.identifier : operands.lane);
        if (partial || operands.clamp) put(offsetof(ThreadRecord, clamp), partial ? operands.count : operands.clamp);
        const llvm::DebugLoc& place = node.call->getDebugLoc();
        put(offsetof(ThreadRecord, line), builder.getInt32(place ? place.getLine() : 0));
        if (operands.value) put(offsetof(ThreadRecord, value), widen(builder, operands.value));

        IRBuilder<> resumed(&after->front());
        if (!node.call->getType()->isVoidTy()) node.call->replaceAllUsesWith(result(resumed, *node.call, record));
        llvm::ReturnInst::Create(context_, nullptr, node.block->getTerminator()->getIterator());
        node.block->getTerminator()->eraseFromParent();
        node.call->eraseFromParent();
        return after;
    }

    static Value* widen(IRBuilder<>& builder, Value* value) {
        if (value->getType()->isFloatTy()) value = builder.CreateBitCast(value, builder.getInt32Ty());
        return builder.CreateZExt(value, builder.getInt64Ty());
    }

    static Value* narrow(IRBuilder<>& builder, Value* value, llvm::Type* type) {
        if (!type->isFloatTy()) return builder.CreateTrunc(value, type);
        return builder.CreateBitCast(builder.CreateTrunc(value, builder.getInt32Ty()), type);
    }

    static Value* result(IRBuilder<>& builder, const llvm::CallInst& call, Value* record) {
        Value* value = builder.CreateLoad(builder.getInt64Ty(), field(builder, record, offsetof(ThreadRecord, result)));
        auto* pair = llvm::dyn_cast<llvm::StructType>(call.getType());
        if (!pair) return narrow(builder, value, call.getType());
        Value* predicate =
            builder.CreateLoad(builder.getInt32Ty(), field(builder, record, offsetof(ThreadRecord, predicate)));
        Value* both =
            builder.CreateInsertValue(llvm::PoisonValue::get(pair), narrow(builder, value, pair->getElementType(0)), 0);
        return builder.CreateInsertValue(both, builder.CreateTrunc(predicate, pair->getElementType(1)), 1);
    }

    /// void(ptr frame, i32 index): unpacks the frame and calls `body`.
    llvm::Function* make_resume_function(llvm::Function* body) {
        llvm::SmallVector<llvm::Type*> types(unit_.function->getFunctionType()->params());
        llvm::Type* pointer = llvm::PointerType::get(context_, 0);
        types.append(variables_.size() + 1, pointer);
        frame_type_ = llvm::StructType::get(context_, types);

        auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context_),
                                             {pointer, llvm::Type::getInt32Ty(context_)}, false);
        llvm::Function* resume = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, 0,
                                                        thread_.function->getName() + ".resume", body->getParent());
        IRBuilder<> builder(BasicBlock::Create(context_, "entry", resume));
        Value* index = resume->getArg(1);
        unsigned position = 0;
        const auto next = [&]() -> Value* {
            Value* address = builder.CreateStructGEP(frame_type_, resume->getArg(0), position);
            return builder.CreateLoad(types[position++], address);
        };
        llvm::SmallVector<Value*> arguments;
        const auto slot = [&](Slot which) -> Value*& { return arguments[unit_.own + static_cast<unsigned>(which)]; };
        for (unsigned i = 0; i < unit_.own + block_slots; ++i) arguments.push_back(next());
        arguments.resize(unit_.own + thread_slots);
        Value* linear = index;
        if (unit_has_slots_) {
            for (unsigned i = block_slots; i < thread_slots; ++i) arguments[unit_.own + i] = next();
            linear = builder.CreateAdd(slot(Slot::Linear), index);
        }
        Value* row = builder.CreateUDiv(linear, slot(Slot::BlockDimX));
        slot(Slot::ThreadX) = builder.CreateURem(linear, slot(Slot::BlockDimX));
        slot(Slot::ThreadY) = builder.CreateURem(row, slot(Slot::BlockDimY));
        slot(Slot::ThreadZ) = builder.CreateUDiv(row, slot(Slot::BlockDimY));
        slot(Slot::Linear) = linear;
        while (position < unit_.function->arg_size()) arguments.push_back(next());
        arguments.push_back(index);
        for (unsigned i = 0; i < variables_.size(); ++i) arguments.push_back(next());
        arguments.push_back(builder.CreateInBoundsGEP(record_type(), next(), index));
        builder.CreateCall(body, arguments);
        builder.CreateRetVoid();
        return resume;
    }

    llvm::Type* record_type() const {
        return llvm::ArrayType::get(llvm::Type::getInt8Ty(context_), sizeof(ThreadRecord));
    }

    void fill_unit(llvm::Function* resume) {
        IRBuilder<> builder(BasicBlock::Create(context_, "entry", unit_.function));
        crew_.begin(builder);
        Value* frame = builder.CreateAlloca(frame_type_, nullptr, "frame");
        unsigned position = 0;
        const auto put = [&](Value* value) {
            builder.CreateStore(value, builder.CreateStructGEP(frame_type_, frame, position++));
        };
        for (llvm::Argument& argument : unit_.function->args()) put(&argument);
        for (const llvm::AllocaInst* variable : variables_) {
            put(crew_.make_array(builder, padded_array_type(*variable), variable->getAlign()));
        }
        for (llvm::AllocaInst* variable : variables_) variable->eraseFromParent();
        Value* records = crew_.make_array(builder, record_type(), llvm::Align(alignof(ThreadRecord)));
        put(records);
        ServiceCalls(unit_, builder).interleave(resume, frame, records, crew_.count());
        builder.CreateRetVoid();
    }

    SlotFunction unit_;
    bool unit_has_slots_;
    SlotFunction thread_;
    Crew& crew_;
    llvm::LLVMContext& context_;
    llvm::SmallVector<llvm::AllocaInst*> variables_;
    llvm::StructType* frame_type_ = nullptr;  ///< the unit's arguments, then arrays, then records
};

}  // namespace

void emit_threads_apart(const SlotFunction& unit, bool unit_has_slots, const SlotFunction& thread, Crew& crew) {
    ApartEmitter(unit, unit_has_slots, thread, crew).run();
}

}  // namespace lanewise::cpu
