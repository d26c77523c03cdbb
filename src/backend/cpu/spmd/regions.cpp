#include "backend/cpu/spmd/regions.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "lanewise/error.h"

namespace lanewise::cpu {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

const auto remap_flags = llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals;

/// Blocks that use `variable` or a pointer made from it; nothing when the pointer escapes into memory or a call.
std::optional<llvm::SmallPtrSet<const BasicBlock*, 8>> blocks_using(const llvm::AllocaInst& variable) {
    llvm::SmallPtrSet<const BasicBlock*, 8> blocks;
    llvm::SmallPtrSet<const Value*, 16> seen;
    llvm::SmallVector<const Value*> work = {&variable};
    while (!work.empty()) {
        const Value* pointer = work.pop_back_val();
        if (!seen.insert(pointer).second) continue;
        for (const llvm::User* user : pointer->users()) {
            const auto* instruction = llvm::cast<Instruction>(user);
            blocks.insert(instruction->getParent());
            if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction)) {
                if (store->getValueOperand() == pointer) return std::nullopt;
            } else if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst, llvm::BitCastInst,
                                 llvm::FreezeInst>(instruction)) {
                work.push_back(instruction);
            } else if (!llvm::isa<llvm::LoadInst, llvm::MemIntrinsic, llvm::ICmpInst, llvm::AtomicRMWInst,
                                  llvm::AtomicCmpXchgInst>(instruction) &&
                       !instruction->isLifetimeStartOrEnd()) {
                return std::nullopt;
            }
        }
    }
    return blocks;
}

class RegionEmitter {
public:
    RegionEmitter(const SlotFunction& unit, bool unit_has_slots, const SlotFunction& thread, const Skeleton& skeleton,
                  const Uniformity& uniformity, Crew& crew)
        : unit_(unit),
          unit_has_slots_(unit_has_slots),
          thread_(thread),
          skeleton_(skeleton),
          uniformity_(uniformity),
          crew_(crew),
          context_(thread.function->getContext()),
          builder_(context_) {}

    void run() {
        drop_lifetimes();
        prepare_operands();
        slots_ = demote_cross_values(*thread_.function, boundaries(), uniformity_);
        for (llvm::AllocaInst* variable : operand_variables_) slots_.push_back({variable, false, true});
        find_cross_arrays();
        liveness_.emplace(*thread_.function, slots_);
        for (std::size_t i = 0; i < slots_.size(); ++i) numbers_[slots_[i].variable] = i;

        BasicBlock* entry = BasicBlock::Create(context_, "entry", unit_.function);
        builder_.SetInsertPoint(entry);
        crew_.begin(builder_);
        make_storage();
        builder_.CreateBr(region_block(skeleton_.regions.front()));
        while (!pending_.empty()) {
            const auto emit = std::move(pending_.back());
            pending_.pop_back();
            emit();
        }
    }

private:
    const llvm::DataLayout& layout() const { return thread_.function->getParent()->getDataLayout(); }

    void drop_lifetimes() {
        for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(thread_.function))) {
            if (instruction.isLifetimeStartOrEnd()) instruction.eraseFromParent();
        }
    }

    llvm::SmallVector<BasicBlock*> boundaries() const {
        llvm::SmallVector<BasicBlock*> blocks;
        for (const Region& region : llvm::drop_begin(skeleton_.regions)) blocks.push_back(region.root);
        for (const Node& node : skeleton_.nodes) blocks.push_back(node.block);
        return blocks;
    }

    /// Operands of meetings that differ by thread are stored to variables by the code before the meeting.
    void prepare_operands() {
        for (const Node& node : skeleton_.nodes) {
            if (!node.call) continue;
            const SyncOperands operands = sync_operands(*node.call, node.sync);
            Value* const by_role[] = {operands.mask, operands.value, operands.lane, operands.clamp};
            for (unsigned role = 0; role < std::size(by_role); ++role) {
                Value* operand = by_role[role];
                if (!operand || uniformity_.is_uniform(operand)) continue;
                auto* variable =
                    new llvm::AllocaInst(operand->getType(), 0, "operand", thread_.function->getEntryBlock().begin());
                new llvm::StoreInst(operand, variable, node.call->getIterator());
                operand_variables_.push_back(variable);
                operands_[{node.call, role}] = variable;
            }
        }
    }

    /// User arrays that more than one region touches, or one region at two times, must keep their contents.
    void find_cross_arrays() {
        for (Instruction& instruction : thread_.function->getEntryBlock()) {
            auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
            if (!variable || llvm::any_of(slots_, [&](const CrossSlot& slot) { return slot.variable == variable; })) {
                continue;
            }
            if (skeleton_.nodes.empty() || stays_in_one_region(*variable)) continue;
            slots_.push_back({variable, false, false});
        }
        if (!skeleton_.nodes.empty()) require_fixed_allocations(*thread_.function);
    }

    bool stays_in_one_region(const llvm::AllocaInst& variable) const {
        const auto blocks = blocks_using(variable);
        if (!blocks) return false;
        const Region* home = nullptr;
        for (const Region& region : skeleton_.regions) {
            if (llvm::none_of(region.blocks, [&](const BasicBlock* block) { return blocks->contains(block); }))
                continue;
            if (home) return false;
            home = &region;
        }
        return !home || !returns_to(*home);
    }

    /// Whether the region can run again after its next node.
    bool returns_to(const Region& home) const {
        llvm::SmallPtrSet<const BasicBlock*, 8> seen;
        llvm::SmallVector<const BasicBlock*> work = {home.next};
        while (!work.empty()) {
            const BasicBlock* node = work.pop_back_val();
            if (!node || node == skeleton_.end || !seen.insert(node).second) continue;
            for (const BasicBlock* root : llvm::successors(node)) {
                if (root == home.root) return true;
                work.push_back(skeleton_.region_at(root).next);
            }
        }
        return false;
    }

    void make_storage() {
        for (std::size_t number = 0; number < slots_.size(); ++number) {
            const CrossSlot& slot = slots_[number];
            llvm::Type* type = slot.variable->getAllocatedType();
            if (slot.uniform) {
                storage_.push_back(builder_.CreateAlloca(type, nullptr, slot.variable->getName()));
            } else if (!slot.scalar) {
                const llvm::Align align = std::max(slot.variable->getAlign(), layout().getABITypeAlign(type));
                storage_.push_back(crew_.make_array(builder_, padded_array_type(*slot.variable), align));
            } else {
                storage_.push_back(shared_array(number));
            }
        }
        if (skeleton_.threads_end_early) {
            ended_ = crew_.make_array(builder_, builder_.getInt8Ty(), llvm::Align(1));
            alive_ = builder_.CreateAlloca(builder_.getInt8Ty(), nullptr, "alive");
            some_ended_ = builder_.CreateAlloca(builder_.getInt8Ty(), nullptr, "some_ended");
            builder_.CreateStore(builder_.getInt8(0), some_ended_);
            crew_.clear(builder_, ended_);
        }
    }

    /// An array for a scalar slot. Slots that are never live at the same boundary share one: a thread reads its element
    /// of the one at the start of a region and writes that of the other at the end.
    Value* shared_array(std::size_t number) {
        const llvm::AllocaInst* variable = slots_[number].variable;
        llvm::Type* stored = stored_type(variable->getAllocatedType());
        const llvm::SmallVector<BasicBlock*> boundary = boundaries();
        llvm::BitVector live(static_cast<unsigned>(boundary.size()));
        for (unsigned i = 0; i < boundary.size(); ++i) {
            const Node* node = node_at(boundary[i]);
            if (liveness_->is_live_into(boundary[i], variable) ||
                (node && node->call && is_operand_of(*node, variable))) {
                live.set(i);
            }
        }
        const std::uint64_t size = layout().getTypeAllocSize(stored);
        for (auto& [array, array_size, occupied] : arrays_) {
            if (array_size != size || occupied.anyCommon(live)) continue;
            occupied |= live;
            return array;
        }
        Value* array = crew_.make_array(builder_, stored, layout().getABITypeAlign(stored));
        arrays_.push_back({array, size, std::move(live)});
        return array;
    }

    // The unit function: blocks are made on demand, their code is emitted from `pending_`.

    BasicBlock* node_block(BasicBlock* original) {
        BasicBlock*& block = node_blocks_[original];
        if (block) return block;
        block = BasicBlock::Create(context_, original->getName(), unit_.function);
        pending_.push_back([this, original, place = block] {
            builder_.SetInsertPoint(place);
            if (original == skeleton_.end) {
                builder_.CreateRetVoid();
                return;
            }
            const Node& node =
                *llvm::find_if(skeleton_.nodes, [&](const Node& candidate) { return candidate.block == original; });
            emit_node(node);
        });
        return block;
    }

    BasicBlock* region_block(const Region& region) {
        BasicBlock*& block = region_blocks_[region.root];
        if (block) return block;
        block = BasicBlock::Create(context_, region.root->getName(), unit_.function);
        pending_.push_back([this, &region, place = block] {
            builder_.SetInsertPoint(place);
            emit_region(region);
        });
        return block;
    }

    void emit_node(const Node& node) {
        if (node.call) emit_meeting(node);
        Instruction* terminator = node.block->getTerminator()->clone();
        for (llvm::Use& operand : terminator->operands()) {
            if (auto* root = llvm::dyn_cast<BasicBlock>(operand.get()))
                operand.set(region_block(skeleton_.region_at(root)));
            else
                operand.set(in_unit(operand.get()));
        }
        builder_.Insert(terminator);
    }

    void emit_meeting(const Node& node) {
        const SyncOperands operands = sync_operands(*node.call, node.sync);
        Meeting meeting;
        meeting.kind = node.sync;
        meeting.call = node.call;
        meeting.ended = ended_;
        meeting.mask = operand(node, 0, operands.mask);
        meeting.value = operand(node, 1, operands.value);
        meeting.lane = operand(node, 2, operands.lane);
        meeting.clamp = operand(node, 3, operands.clamp);
        const llvm::SmallVector<Value*, 2> results = crew_.meet(builder_, meeting);
        for (Instruction& instruction : *node.block) {
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            if (!store) continue;
            const Value* stored = store->getValueOperand();
            const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(stored);
            if (stored != node.call && (!part || part->getAggregateOperand() != node.call)) continue;
            const std::size_t number = numbers_.at(llvm::cast<llvm::AllocaInst>(store->getPointerOperand()));
            keep_result(number, results[part ? part->getIndices().front() : 0]);
        }
    }

    void keep_result(std::size_t number, Value* result) {
        llvm::Type* type = slots_[number].variable->getAllocatedType();
        if (slots_[number].uniform) {
            if (result->getType() != type)
                throw Error(ErrorKind::Internal, "a uniform result comes as one for each thread");
            builder_.CreateStore(result, storage_[number]);
        } else if (result->getType() != type) {
            crew_.spread(builder_, storage_[number], result);
        } else {
            crew_.fill(builder_, storage_[number], result);
        }
    }

    MeetingOperand operand(const Node& node, unsigned role, Value* value) {
        if (!value) return {};
        MeetingOperand result;
        result.type = value->getType();
        const auto variable = operands_.find({node.call, role});
        if (variable != operands_.end())
            result.array = storage_[numbers_.at(variable->second)];
        else
            result.uniform = in_unit(value);
        return result;
    }

    /// `value` of a node's block as computed once for the unit: from arguments, uniform slots and operations on them.
    Value* in_unit(Value* value) {
        if (llvm::isa<llvm::Constant>(value)) return value;
        if (auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return unit_argument(argument->getArgNo());
        auto* instruction = llvm::cast<Instruction>(value);
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
            const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand());
            const auto number = numbers_.find(variable);
            if (number == numbers_.end() || !slots_[number->second].uniform) {
                throw Error(ErrorKind::Internal, "a uniform operand is read from a slot of threads");
            }
            return builder_.CreateLoad(load->getType(), storage_[number->second]);
        }
        Instruction* copy = instruction->clone();
        for (llvm::Use& use : copy->operands()) use.set(in_unit(use.get()));
        return builder_.Insert(copy, instruction->getName());
    }

    Value* unit_argument(unsigned number) const {
        if (unit_has_slots_ || number < thread_.own + block_slots) return unit_.function->getArg(number);
        return unit_.function->getArg(number - (thread_slots - block_slots));
    }

    // Regions.

    bool is_empty(const Region& region) const {
        if (region.may_end_threads || has_operands(region)) return false;
        return region.blocks.size() == 1 && region.root != &thread_.function->getEntryBlock() &&
               region.root->size() == 1;
    }

    bool has_operands(const Region& region) const {
        const auto node = llvm::find_if(skeleton_.nodes, [&](const Node& n) { return n.block == region.next; });
        if (node == skeleton_.nodes.end() || !node->call) return false;
        return llvm::any_of(operands_, [&](const auto& entry) { return entry.first.first == node->call; });
    }

    void emit_region(const Region& region) {
        if (!is_empty(region)) {
            if (region.may_end_threads) builder_.CreateStore(builder_.getInt8(0), alive_);
            if (has_two_forms(region))
                run_either_form(region);
            else
                run_region(region, may_follow_ends(region));
        }
        if (!region.next) {
            builder_.CreateUnreachable();
            return;
        }
        BasicBlock* next = node_block(region.next);
        if (!region.may_end_threads) {
            builder_.CreateBr(next);
            return;
        }
        Value* alive = builder_.CreateIsNotNull(builder_.CreateLoad(builder_.getInt8Ty(), alive_));
        builder_.CreateCondBr(alive, next, node_block(skeleton_.end));
    }

    /// Whether a thread may have ended before the region.
    bool may_follow_ends(const Region& region) const { return ended_ && &region != &skeleton_.regions.front(); }

    /// In most blocks no thread ends early. A loop over threads that need not ask is worth its code where it is run
    /// again and again.
    bool has_two_forms(const Region& region) const {
        return may_follow_ends(region) && !crew_.has_index() && returns_to(region) &&
               llvm::none_of(region.blocks, [](const BasicBlock* block) {
                   return llvm::any_of(*block, [](const Instruction& i) { return sync_kind(i) != SyncKind::None; });
               });
    }

    void run_either_form(const Region& region) {
        const auto create = [&](const char* name) { return BasicBlock::Create(context_, name, unit_.function); };
        BasicBlock *all = create("all_there"), *some = create("some_ended"), *after = create("after");
        builder_.CreateCondBr(builder_.CreateIsNull(builder_.CreateLoad(builder_.getInt8Ty(), some_ended_)), all, some);
        for (BasicBlock* form : {all, some}) {
            builder_.SetInsertPoint(form);
            run_region(region, form == some);
            builder_.CreateBr(after);
        }
        builder_.SetInsertPoint(after);
    }

    void run_region(const Region& region, bool checks_ended) {
        llvm::SmallVector<Value*> tail;
        const SlotFunction function = make_region_function(region, checks_ended, tail);
        const auto uniform_results = take_uniform_results(*function.function, tail);
        crew_.run(builder_, function, tail);
        for (const auto& [value, place] : uniform_results) builder_.CreateStore(value, place);
    }

    /// Stores of uniform slots at the end of a region that every thread would repeat: the value is computed once,
    /// before the region, where it follows from arguments alone. (value, address), both of the unit function.
    llvm::SmallVector<std::pair<Value*, Value*>> take_uniform_results(llvm::Function& region,
                                                                      llvm::ArrayRef<Value*> tail) {
        llvm::SmallVector<Value*> arguments;
        for (unsigned i = 0; i < thread_.function->arg_size(); ++i) {
            const bool varying = i >= thread_.own + block_slots && i < thread_.own + thread_slots;
            arguments.push_back(varying ? nullptr : unit_argument(i));
        }
        if (crew_.has_index()) arguments.push_back(nullptr);
        arguments.append(tail.begin(), tail.end());
        llvm::SmallVector<std::pair<Value*, Value*>> results;
        for (llvm::Argument& argument : region.args()) {
            const auto slot = llvm::find(storage_, arguments[argument.getArgNo()]);
            if (slot == storage_.end() || !slots_[slot - storage_.begin()].uniform) continue;
            for (llvm::User* user : llvm::make_early_inc_range(argument.users())) {
                auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
                Value* value = store ? from_arguments(store->getValueOperand(), arguments, 0) : nullptr;
                if (!value) continue;
                results.emplace_back(value, *slot);
                store->eraseFromParent();
            }
        }
        return results;
    }

    /// `value` of a region in the unit function; null when it depends on the thread, on memory, or on control flow.
    Value* from_arguments(Value* value, llvm::ArrayRef<Value*> arguments, unsigned depth) {
        constexpr unsigned limit = 16;
        if (auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return arguments[argument->getArgNo()];
        auto* instruction = llvm::dyn_cast<Instruction>(value);
        if (!instruction) return value;
        if (depth > limit || llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) ||
            instruction->mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(instruction)) {
            return nullptr;
        }
        llvm::SmallVector<Value*> operands;
        for (Value* operand : instruction->operand_values()) {
            Value* outside = from_arguments(operand, arguments, depth + 1);
            if (!outside) return nullptr;
            operands.push_back(outside);
        }
        Instruction* copy = instruction->clone();
        for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
        return builder_.Insert(copy, instruction->getName());
    }

    /// The region as a function of its own: live slots come in, written ones go out. Appends what to pass to `tail`.
    SlotFunction make_region_function(const Region& region, bool checks_ended, llvm::SmallVectorImpl<Value*>& tail) {
        const llvm::SmallVector<std::size_t> used = slots_in(region);
        llvm::SmallVector<llvm::Type*> types(thread_.function->getFunctionType()->params());
        const unsigned index_position = static_cast<unsigned>(types.size());
        if (crew_.has_index()) types.push_back(builder_.getInt32Ty());
        const unsigned tail_position = static_cast<unsigned>(types.size());
        for (const std::size_t number : used) {
            if (slots_[number].uniform) {
                llvm::Type* type = slots_[number].variable->getAllocatedType();
                types.push_back(type);
                tail.push_back(builder_.CreateLoad(type, storage_[number]));
            }
            types.push_back(builder_.getPtrTy());
            tail.push_back(storage_[number]);
        }
        if (ended_) {
            types.append(3, builder_.getPtrTy());
            tail.append({ended_, alive_, some_ended_});
        }
        SlotFunction result;
        result.own = thread_.own;
        result.function = llvm::Function::Create(
            llvm::FunctionType::get(builder_.getVoidTy(), types, false), llvm::GlobalValue::InternalLinkage, 0,
            thread_.function->getName() + "." + region.root->getName(), thread_.function->getParent());
        for (unsigned i = 0; i < index_position; ++i) {
            result.function->getArg(i)->setName(thread_.function->getArg(i)->getName());
            result.function->addParamAttrs(
                i, llvm::AttrBuilder(context_, thread_.function->getAttributes().getParamAttrs(i)));
        }
        RegionBody body{result, crew_.has_index() ? result.function->getArg(index_position) : result[Slot::Linear],
                        tail_position, used, checks_ended};
        fill_region(region, body);
        return result;
    }

    struct RegionBody {
        SlotFunction function;
        Value* index;
        unsigned tail_position;
        llvm::SmallVector<std::size_t> used;
        bool checks_ended;
    };

    llvm::SmallVector<std::size_t> slots_in(const Region& region) const {
        llvm::SmallPtrSet<const Value*, 16> seen;
        const auto visit = [&](const BasicBlock* block) {
            for (const Instruction& instruction : *block) {
                for (const Value* operand : instruction.operand_values()) {
                    if (llvm::isa<llvm::AllocaInst>(operand)) seen.insert(operand);
                }
            }
        };
        for (const BasicBlock* block : region.blocks) visit(block);
        if (region.next) visit(region.next);
        llvm::SmallVector<std::size_t> used;
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            if (seen.contains(slots_[i].variable)) used.push_back(i);
        }
        return used;
    }

    void fill_region(const Region& region, const RegionBody& body) {
        llvm::Function* function = body.function.function;
        llvm::ValueToValueMapTy map;
        for (llvm::Argument& argument : thread_.function->args())
            map[&argument] = function->getArg(argument.getArgNo());

        BasicBlock* entry = BasicBlock::Create(context_, "entry", function);
        IRBuilder<> builder(entry);
        Value* ended = nullptr;
        Value* alive = nullptr;
        Value* some_ended = nullptr;
        if (ended_) {
            const std::size_t last = function->arg_size() - 1;
            some_ended = function->getArg(last);
            alive = function->getArg(last - 1);
            ended = builder.CreateInBoundsGEP(builder.getInt8Ty(), function->getArg(last - 2), body.index);
        }

        // Slots become variables of the region; promoted to values below.
        llvm::SmallVector<llvm::AllocaInst*> locals;
        llvm::DenseMap<std::size_t, Value*> places;
        unsigned position = body.tail_position;
        llvm::SmallVector<std::pair<std::size_t, Value*>> incoming;
        for (const std::size_t number : body.used) {
            const CrossSlot& slot = slots_[number];
            llvm::Type* type = slot.variable->getAllocatedType();
            if (slot.uniform) incoming.emplace_back(number, function->getArg(position++));
            Value* place = function->getArg(position++);
            if (!slot.scalar) {
                map[slot.variable] = builder.CreateInBoundsGEP(padded_array_type(*slot.variable), place, body.index);
                continue;
            }
            if (!slot.uniform) {
                place = builder.CreateInBoundsGEP(stored_type(type), place, body.index);
                incoming.emplace_back(number, nullptr);
            }
            places[number] = place;
            llvm::AllocaInst* local = builder.CreateAlloca(type, nullptr, slot.variable->getName());
            map[slot.variable] = local;
            locals.push_back(local);
        }
        for (Instruction& instruction : thread_.function->getEntryBlock()) {
            auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
            if (!variable || map.count(variable)) continue;
            Instruction* copy = variable->clone();
            copy->setName(variable->getName());
            map[variable] = builder.Insert(copy, variable->getName());
        }

        BasicBlock* finish = BasicBlock::Create(context_, "finish", function);
        llvm::ReturnInst::Create(context_, finish);
        if (body.checks_ended) {
            BasicBlock* active = BasicBlock::Create(context_, "active", function);
            Value* is_ended = builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), ended));
            builder.CreateCondBr(is_ended, finish, active);
            builder.SetInsertPoint(active);
        }
        for (const auto& [number, value] : incoming) {
            Value* initial = value;
            if (!initial) {
                llvm::Type* type = slots_[number].variable->getAllocatedType();
                initial = builder.CreateLoad(stored_type(type), places[number]);
                if (stored_type(type) != type) initial = builder.CreateTrunc(initial, type);
            }
            builder.CreateStore(initial, map[slots_[number].variable]);
        }

        for (BasicBlock* block : region.blocks) map[block] = BasicBlock::Create(context_, block->getName(), function);
        BasicBlock* reached = region.next ? BasicBlock::Create(context_, "reached", function) : nullptr;
        if (region.next) map[region.next] = reached;
        BasicBlock* end = nullptr;
        if (region.may_end_threads) {
            end = BasicBlock::Create(context_, "ends", function);
            map[skeleton_.end] = end;
        }
        llvm::SmallVector<Instruction*> copies;
        for (BasicBlock* block : region.blocks) copy_instructions(*block, nullptr, map, copies);
        if (reached) {
            const Node* node = node_at(region.next);
            if (node && node->call) copy_instructions(*region.next, node->call, map, copies);
            builder.CreateBr(llvm::cast<BasicBlock>(map[region.root]));
            for (Instruction* copy : copies) llvm::RemapInstruction(copy, map, remap_flags);
            builder.SetInsertPoint(reached);
            write_back(region, body, map, places, builder);
            if (region.may_end_threads) builder.CreateStore(builder.getInt8(1), alive);
            builder.CreateBr(finish);
        } else {
            builder.CreateBr(llvm::cast<BasicBlock>(map[region.root]));
            for (Instruction* copy : copies) llvm::RemapInstruction(copy, map, remap_flags);
        }
        if (end) {
            builder.SetInsertPoint(end);
            builder.CreateStore(builder.getInt8(1), ended);
            builder.CreateStore(builder.getInt8(1), some_ended);
            builder.CreateBr(finish);
        }
        drop_foreign_edges(region, map);
        promote(*function, locals);
    }

    const Node* node_at(const BasicBlock* block) const {
        const auto node = llvm::find_if(skeleton_.nodes, [&](const Node& n) { return n.block == block; });
        return node == skeleton_.nodes.end() ? nullptr : &*node;
    }

    /// Copies a block up to `stop`, or whole; operands are mapped later. Variables of the entry block are mapped
    /// already.
    static void copy_instructions(BasicBlock& block, const Instruction* stop, llvm::ValueToValueMapTy& map,
                                  llvm::SmallVectorImpl<Instruction*>& copies) {
        auto* target = llvm::cast<BasicBlock>(map[&block]);
        for (Instruction& instruction : block) {
            if (&instruction == stop) break;
            if (llvm::isa<llvm::AllocaInst>(instruction) && map.count(&instruction)) continue;
            Instruction* copy = instruction.clone();
            copy->insertInto(target, target->end());
            if (!copy->getType()->isVoidTy()) copy->setName(instruction.getName());
            map[&instruction] = copy;
            copies.push_back(copy);
        }
    }

    void write_back(const Region& region, const RegionBody& body, llvm::ValueToValueMapTy& map,
                    const llvm::DenseMap<std::size_t, Value*>& places, IRBuilder<>& builder) {
        const Node* node = node_at(region.next);
        for (const std::size_t number : body.used) {
            const CrossSlot& slot = slots_[number];
            if (!slot.scalar) continue;
            const bool is_operand = node && node->call && is_operand_of(*node, slot.variable);
            if (!is_operand && (region.next == skeleton_.end || !liveness_->is_live_into(region.next, slot.variable) ||
                                !is_written(region, slot.variable))) {
                continue;
            }
            llvm::Type* type = slot.variable->getAllocatedType();
            Value* value = builder.CreateLoad(type, map[slot.variable]);
            if (!slot.uniform && stored_type(type) != type) value = builder.CreateZExt(value, stored_type(type));
            builder.CreateStore(value, places.lookup(number));
        }
    }

    bool is_operand_of(const Node& node, const llvm::AllocaInst* variable) const {
        return llvm::any_of(
            operands_, [&](const auto& entry) { return entry.first.first == node.call && entry.second == variable; });
    }

    static bool is_written(const Region& region, const llvm::AllocaInst* variable) {
        return llvm::any_of(variable->users(), [&](const llvm::User* user) {
            const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
            return store && llvm::is_contained(region.blocks, store->getParent());
        });
    }

    /// Phis keep only the edges from blocks of this copy.
    static void drop_foreign_edges(const Region& region, llvm::ValueToValueMapTy& map) {
        llvm::SmallPtrSet<const BasicBlock*, 16> inside;
        for (BasicBlock* block : region.blocks) inside.insert(llvm::cast<BasicBlock>(map[block]));
        for (BasicBlock* block : region.blocks) {
            for (llvm::PHINode& phi : llvm::make_early_inc_range(llvm::cast<BasicBlock>(map[block])->phis())) {
                phi.removeIncomingValueIf([&](unsigned i) { return !inside.contains(phi.getIncomingBlock(i)); }, false);
            }
        }
    }

    static void promote(llvm::Function& function, llvm::ArrayRef<llvm::AllocaInst*> locals) {
        llvm::removeUnreachableBlocks(function);
        llvm::DominatorTree dominators(function);
        llvm::SmallVector<llvm::AllocaInst*> promotable;
        for (llvm::AllocaInst* local : locals) {
            if (llvm::isAllocaPromotable(local)) promotable.push_back(local);
        }
        llvm::PromoteMemToReg(promotable, dominators);
        for (BasicBlock& block : function) {
            if (block.getSinglePredecessor()) llvm::FoldSingleEntryPHINodes(&block);
        }
    }

    SlotFunction unit_;
    bool unit_has_slots_;
    SlotFunction thread_;
    const Skeleton& skeleton_;
    const Uniformity& uniformity_;
    Crew& crew_;
    llvm::LLVMContext& context_;
    IRBuilder<> builder_;

    struct SharedArray {
        Value* array;
        std::uint64_t element_size;
        llvm::BitVector occupied;  ///< by boundary
    };
    std::vector<CrossSlot> slots_;
    std::vector<SharedArray> arrays_;
    std::vector<Value*> storage_;  ///< by slot: the uniform value's address, or the array
    llvm::DenseMap<const llvm::AllocaInst*, std::size_t> numbers_;
    llvm::SmallVector<llvm::AllocaInst*> operand_variables_;
    llvm::DenseMap<std::pair<const llvm::CallInst*, unsigned>, llvm::AllocaInst*> operands_;  ///< by call and role
    std::optional<SlotLiveness> liveness_;
    Value* ended_ = nullptr;
    Value* alive_ = nullptr;       ///< i8: whether a thread has reached the next node
    Value* some_ended_ = nullptr;  ///< i8: whether a thread has ended
    llvm::DenseMap<const BasicBlock*, BasicBlock*> node_blocks_, region_blocks_;
    std::vector<std::function<void()>> pending_;
};

}  // namespace

void emit_regions(const SlotFunction& unit, bool unit_has_slots, const SlotFunction& thread, const Skeleton& skeleton,
                  const Uniformity& uniformity, Crew& crew) {
    RegionEmitter(unit, unit_has_slots, thread, skeleton, uniformity, crew).run();
}

llvm::Type* stored_type(llvm::Type* type) {
    return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

}  // namespace lanewise::cpu
