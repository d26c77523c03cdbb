#include "backend/cpu/spmd/exchange.h"

#include <array>

#include "backend/cpu/abi.h"
#include "backend/cpu/spmd/loops.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

class Exchange {
public:
    Exchange(IRBuilder<>& builder, const Meeting& meeting, Value* lanes)
        : builder_(builder), meeting_(meeting), present_(present_lanes(lanes)) {}

    llvm::SmallVector<Value*, 2> run() {
        switch (meeting_.kind) {
            case SyncKind::ActiveMask:
                return {bits(present_)};
            case SyncKind::ShuffleIndex:
            case SyncKind::ShuffleUp:
            case SyncKind::ShuffleDown:
            case SyncKind::ShuffleXor:
                return shuffle();
            case SyncKind::VoteAll:
            case SyncKind::VoteAny:
            case SyncKind::VoteEqual:
            case SyncKind::Ballot:
                return {vote()};
            case SyncKind::MatchAny:
                return {match()};
            case SyncKind::MatchAll:
                return match_all();
            default:
                if (is_reduction(meeting_.kind)) return {reduce()};
                return {};
        }
    }

private:
    llvm::Type* i32() { return builder_.getInt32Ty(); }
    llvm::VectorType* vector_of(llvm::Type* type) { return llvm::FixedVectorType::get(type, warp_size); }
    Value* splat(Value* value) { return builder_.CreateVectorSplat(warp_size, value); }
    Value* splat(std::uint32_t value) { return splat(builder_.getInt32(value)); }

    Value* lane_numbers() {
        std::array<std::uint32_t, warp_size> numbers;
        for (std::uint32_t i = 0; i < warp_size; ++i) numbers[i] = i;
        return llvm::ConstantDataVector::get(builder_.getContext(), numbers);
    }

    /// <32 x i1>, or null when all 32 lanes are there.
    Value* present_lanes(Value* lanes) {
        Value* present = lanes ? builder_.CreateICmpULT(lane_numbers(), splat(lanes)) : nullptr;
        if (!meeting_.ended) return present;
        Value* running = builder_.CreateIsNull(load_vector(builder_.getInt8Ty(), meeting_.ended));
        return present ? builder_.CreateAnd(present, running) : running;
    }

    Value* load_vector(llvm::Type* type, Value* array) {
        return builder_.CreateAlignedLoad(vector_of(type), array, llvm::Align(64));
    }

    /// The operand as a vector; i1 operands as i1.
    Value* vector(const MeetingOperand& operand) {
        if (operand.uniform) return splat(operand.uniform);
        llvm::Type* stored = stored_type(operand.type);
        Value* loaded = load_vector(stored, operand.array);
        return stored == operand.type ? loaded : builder_.CreateTrunc(loaded, vector_of(operand.type));
    }

    /// The set bits of <32 x i1> as i32; a null vector stands for all.
    Value* bits(Value* lanes) { return lanes ? builder_.CreateBitCast(lanes, i32()) : builder_.getInt32(~0u); }

    /// Lanes that take part under the mask of each lane: i32 if that is one mask, else <32 x i32>.
    Value* members() {
        Value* present = bits(present_);
        if (meeting_.mask.uniform) return builder_.CreateAnd(meeting_.mask.uniform, present);
        return builder_.CreateAnd(vector(meeting_.mask), splat(present));
    }

    Value* as_type_of(Value* value, Value* model) {
        return model->getType()->isVectorTy() && !value->getType()->isVectorTy() ? splat(value) : value;
    }

    llvm::SmallVector<Value*, 2> shuffle() {
        Value* lane = lane_numbers();
        Value* operand = builder_.CreateAnd(vector(meeting_.lane), splat(warp_size - 1));
        Value* clamp = vector(meeting_.clamp);
        Value* segment = builder_.CreateAnd(builder_.CreateLShr(clamp, splat(8)), splat(warp_size - 1));
        Value* inside = builder_.CreateXor(segment, splat(warp_size - 1));
        clamp = builder_.CreateAnd(clamp, splat(warp_size - 1));
        Value* low = builder_.CreateAnd(lane, segment);
        Value* high = builder_.CreateOr(low, builder_.CreateAnd(clamp, inside));
        Value* source = nullptr;
        Value* in_range = nullptr;
        switch (meeting_.kind) {
            case SyncKind::ShuffleUp:
                source = builder_.CreateSub(lane, operand);
                in_range = builder_.CreateICmpSGE(source, high);
                break;
            case SyncKind::ShuffleDown:
                source = builder_.CreateAdd(lane, operand);
                in_range = builder_.CreateICmpSLE(source, high);
                break;
            case SyncKind::ShuffleXor:
                source = builder_.CreateXor(lane, operand);
                in_range = builder_.CreateICmpSLE(source, high);
                break;
            default:
                source = builder_.CreateOr(low, builder_.CreateAnd(operand, inside));
                in_range = builder_.CreateICmpSLE(source, high);
                break;
        }
        source = builder_.CreateSelect(in_range, source, lane);
        return {permute(vector(meeting_.value), source), in_range};
    }

    /// Element source[i] of `values` for each i, or values[i] where that lane is absent.
    Value* permute(Value* values, Value* source) {
        Value* moved = nullptr;
        if (auto* constant = llvm::dyn_cast<llvm::Constant>(source)) {
            llvm::SmallVector<int> mask;
            for (unsigned i = 0; i < warp_size; ++i) {
                const auto* element = llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getAggregateElement(i));
                mask.push_back(element ? static_cast<int>(element->getZExtValue()) : static_cast<int>(i));
            }
            moved = builder_.CreateShuffleVector(values, mask);
        } else {
            moved = gather(values, source);
        }
        if (!present_) return moved;
        Value* source_present =
            builder_.CreateTrunc(builder_.CreateLShr(splat(bits(present_)), source), vector_of(builder_.getInt1Ty()));
        return builder_.CreateSelect(source_present, moved, values);
    }

    /// Through memory, one lane after the other.
    Value* gather(Value* values, Value* source) {
        llvm::Type* type = llvm::cast<llvm::VectorType>(values->getType())->getElementType();
        Value* from = spill(values);
        Value* order = spill(source);
        Value* to = temporary(values->getType());
        CountingLoop lane(builder_, "lane");
        Value* number = builder_.CreateLoad(i32(), builder_.CreateInBoundsGEP(i32(), order, lane.index()));
        Value* value = builder_.CreateLoad(type, builder_.CreateInBoundsGEP(type, from, number));
        builder_.CreateStore(value, builder_.CreateInBoundsGEP(type, to, lane.index()));
        lane.end(builder_, builder_.getInt32(warp_size));
        return builder_.CreateAlignedLoad(values->getType(), to, llvm::Align(64));
    }

    Value* temporary(llvm::Type* type) {
        llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
        return new llvm::AllocaInst(type, 0, nullptr, llvm::Align(64), "lanes", entry.begin());
    }

    Value* spill(Value* vector) {
        Value* place = temporary(vector->getType());
        builder_.CreateAlignedStore(vector, place, llvm::Align(64));
        return place;
    }

    Value* vote() {
        Value* predicate = vector(meeting_.value);
        if (!meeting_.value.type->isIntegerTy(1)) predicate = builder_.CreateIsNotNull(predicate);
        Value* of = members();
        Value* yes = builder_.CreateAnd(as_type_of(bits(predicate), of), of);
        switch (meeting_.kind) {
            case SyncKind::Ballot:
                return yes;
            case SyncKind::VoteAny:
                return builder_.CreateIsNotNull(yes);
            case SyncKind::VoteAll:
                return builder_.CreateICmpEQ(yes, of);
            default:
                return builder_.CreateOr(builder_.CreateIsNull(yes), builder_.CreateICmpEQ(yes, of));
        }
    }

    /// For each lane the members that have its value.
    Value* match() {
        Value* values = vector(meeting_.value);
        llvm::Type* type = meeting_.value.type;
        Value* from = spill(values);
        Value* to = temporary(vector_of(i32()));
        CountingLoop lane(builder_, "lane");
        Value* value = builder_.CreateLoad(type, builder_.CreateInBoundsGEP(type, from, lane.index()));
        Value* same = builder_.CreateBitCast(builder_.CreateICmpEQ(values, splat(value)), i32());
        builder_.CreateStore(same, builder_.CreateInBoundsGEP(i32(), to, lane.index()));
        lane.end(builder_, builder_.getInt32(warp_size));
        Value* matching = load_vector(i32(), to);
        return builder_.CreateAnd(matching, as_type_of(members(), matching));
    }

    llvm::SmallVector<Value*, 2> match_all() {
        Value* of = members();
        if (of->getType()->isVectorTy()) {
            Value* all = builder_.CreateICmpEQ(match(), of);
            return {builder_.CreateSelect(all, of, llvm::Constant::getNullValue(of->getType())), all};
        }
        // All members match if they match the first of them.
        Value* values = vector(meeting_.value);
        Value* first = builder_.CreateExtractElement(values, first_of(of));
        Value* same = builder_.CreateAnd(bits(builder_.CreateICmpEQ(values, splat(first))), of);
        Value* all = builder_.CreateICmpEQ(same, of);
        return {builder_.CreateSelect(all, of, builder_.getInt32(0)), all};
    }

    Value* first_of(Value* lanes) {
        Value* first = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, lanes, builder_.getFalse());
        return builder_.CreateAnd(first, warp_size - 1);
    }

    Value* reduce() {
        Value* of = members();
        if (!of->getType()->isVectorTy()) return reduce_members(of);
        Value* masks = spill(of);
        Value* to = temporary(vector_of(i32()));
        CountingLoop lane(builder_, "lane");
        Value* mask = builder_.CreateLoad(i32(), builder_.CreateInBoundsGEP(i32(), masks, lane.index()));
        builder_.CreateStore(reduce_members(mask), builder_.CreateInBoundsGEP(i32(), to, lane.index()));
        lane.end(builder_, builder_.getInt32(warp_size));
        return load_vector(i32(), to);
    }

    Value* reduce_members(Value* of) {
        const auto neutral = [&](std::uint32_t value) {
            Value* taking_part = builder_.CreateBitCast(of, vector_of(builder_.getInt1Ty()));
            return builder_.CreateSelect(taking_part, vector(meeting_.value), splat(value));
        };
        switch (meeting_.kind) {
            case SyncKind::ReduceAdd:
                return builder_.CreateAddReduce(neutral(0));
            case SyncKind::ReduceMin:
                return builder_.CreateIntMinReduce(neutral(0x7fffffff), true);
            case SyncKind::ReduceMax:
                return builder_.CreateIntMaxReduce(neutral(0x80000000), true);
            case SyncKind::ReduceUnsignedMin:
                return builder_.CreateIntMinReduce(neutral(0xffffffff), false);
            case SyncKind::ReduceUnsignedMax:
                return builder_.CreateIntMaxReduce(neutral(0), false);
            case SyncKind::ReduceAnd:
                return builder_.CreateAndReduce(neutral(0xffffffff));
            case SyncKind::ReduceOr:
                return builder_.CreateOrReduce(neutral(0));
            default:
                return builder_.CreateXorReduce(neutral(0));
        }
    }

    IRBuilder<>& builder_;
    const Meeting& meeting_;
    Value* present_;
};

}  // namespace

llvm::SmallVector<Value*, 2> exchange(IRBuilder<>& builder, const Meeting& meeting, Value* lanes) {
    return Exchange(builder, meeting, lanes).run();
}

}  // namespace lanewise::cpu
