// Emits the code of a unit (a block, or a warp) from the skeleton of its threads' code.
#pragma once

#include "backend/cpu/spmd/skeleton.h"
#include "backend/cpu/spmd/slots.h"

namespace lanewise::cpu {

/// An operand of a meeting as a unit sees it.
struct MeetingOperand {
    llvm::Value* uniform = nullptr;  ///< the one value, or
    llvm::Value* array = nullptr;    ///< the address of one value for each thread (i1 stored as i8)
    llvm::Type* type = nullptr;      ///< null: the meeting has no such operand
};

struct Meeting {
    SyncKind kind = SyncKind::None;
    llvm::CallInst* call = nullptr;
    MeetingOperand mask, value, lane, clamp;
    /// Address of one i8 for each thread, not 0 for those that have ended; null when none can have.
    llvm::Value* ended = nullptr;
};

/// What distinguishes running the threads of a block from running the lanes of a warp.
class Crew {
public:
    virtual ~Crew() = default;
    /// Called once, with the builder in the unit function's entry block, before all else.
    virtual void begin(llvm::IRBuilder<>& builder) = 0;
    /// How many threads there are, i32.
    virtual llvm::Value* count() const = 0;
    /// Memory for one `type` for each thread, valid throughout the unit function; `builder` is in its entry block.
    virtual llvm::Value* make_array(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Align align) = 0;
    /// Sets all elements of an array of i8 to 0.
    virtual void clear(llvm::IRBuilder<>& builder, llvm::Value* array) = 0;
    /// Sets all elements of an array to `value`.
    virtual void fill(llvm::IRBuilder<>& builder, llvm::Value* array, llvm::Value* value) = 0;
    /// Runs `region` for every thread. Its parameters are those of the thread function, an i32 index into arrays if
    /// `has_index()`, then `tail`.
    virtual void run(llvm::IRBuilder<>& builder, const SlotFunction& region, llvm::ArrayRef<llvm::Value*> tail) = 0;
    /// Whether arrays are indexed by a parameter of their own instead of Slot::Linear.
    virtual bool has_index() const = 0;
    /// The components of the meeting's result: one value for all threads, or a vector of one for each array element.
    virtual llvm::SmallVector<llvm::Value*, 2> meet(llvm::IRBuilder<>& builder, const Meeting& meeting) = 0;
    /// Writes a vector that meet() returned to an array.
    virtual void spread(llvm::IRBuilder<>& builder, llvm::Value* array, llvm::Value* vector) = 0;
};

/// Fills `unit`, an empty function that takes the parameters of `thread` but for its thread slots if `unit_has_slots`
/// is false, with code that runs all threads of `crew` through `skeleton`. `thread` is spent.
void emit_regions(const SlotFunction& unit, bool unit_has_slots, const SlotFunction& thread, const Skeleton& skeleton,
                  const Uniformity& uniformity, Crew& crew);

/// How an element of this type lies in an array: i1 takes a byte.
llvm::Type* stored_type(llvm::Type* type);

}  // namespace lanewise::cpu
