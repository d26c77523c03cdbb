// The per-thread form of a kernel: a function that runs one thread of one block, with its place in the grid as
// arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "backend/cpu/spmd/shared.h"
#include "codegen/llvm.h"
#include "lanewise/image.h"

namespace lanewise::cpu {

/// The arguments that follow the kernel's own in thread, region and block functions, in this order. All are i32 but the
/// last three of a block. Those from ThreadX on only thread functions have; they alone differ between threads of a
/// block.
enum class Slot : unsigned {
    BlockX,
    BlockY,
    BlockZ,  ///< ctaid
    BlockDimX,
    BlockDimY,
    BlockDimZ,  ///< ntid
    GridDimX,
    GridDimY,
    GridDimZ,  ///< nctaid
    SpanX,     ///< threads along x to run: block_dim.x, or more when blocks are merged
    Launch,    ///< ptr to lanewise::cpu::Launch
    Shared,    ///< ptr: the block's shared memory
    Context,   ///< ptr: the block's context arrays
    ThreadX,
    ThreadY,
    ThreadZ,  ///< tid
    Linear,   ///< (tid.z * ntid.y + tid.y) * ntid.x + tid.x
};
inline constexpr unsigned block_slots = static_cast<unsigned>(Slot::ThreadX);
inline constexpr unsigned thread_slots = static_cast<unsigned>(Slot::Linear) + 1;

/// A function whose parameters are `own` of a kernel, followed by block_slots or thread_slots, followed by what a
/// transformation appended.
struct SlotFunction {
    llvm::Function* function = nullptr;
    unsigned own = 0;

    llvm::Argument* operator[](Slot slot) const { return function->getArg(own + static_cast<unsigned>(slot)); }
};

/// Notes on the function where its slots are, and reads the note back (nothing when there is none).
void note_slots(const SlotFunction& function);
std::optional<SlotFunction> noted_slots(const llvm::Function& function);

/// How messages name the kernel or device function that a thread function is made from.
std::string shown_name(const llvm::Function& thread);

/// Types of the slots, `count` of them.
llvm::SmallVector<llvm::Type*> slot_types(llvm::LLVMContext& context, unsigned count);
/// Names, value ranges and pointer facts of the slots a function has.
void describe_slots(const SlotFunction& function, unsigned count);

/// What the code of a kernel, or of the device functions it may call, does.
struct ThreadFacts {
    bool can_raise = false;
    bool cooperative = false;
    bool ends_threads = false;  ///< device functions: one may end the thread
};

/// Turns `kernel` (flattened, device functions inlined where possible) into a thread function: special registers become
/// arguments, services calls through Slot::Launch, exits returns. What is left of llvm.nvvm.* are the synchronising
/// operations. The kernel keeps its name and loses its body. `shared` is its layout; `facts` those of the device
/// functions, to which its own are added.
SlotFunction make_thread_function(llvm::Function& kernel, const SharedLayout& shared, ThreadFacts& facts);

/// Does the same, in place, to the device functions that could not be inlined (recursive, or called through pointers):
/// each takes the thread slots behind its own parameters, and then a pointer to a byte that it sets when it ends the
/// thread. Error(Lowering) for one with barriers or warp operations.
ThreadFacts convert_device_functions(llvm::Module& module, llvm::ArrayRef<llvm::Function*> device_functions,
                                     const SharedLayout& shared);

}  // namespace lanewise::cpu
