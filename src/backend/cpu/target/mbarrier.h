// mbarrier objects: barriers that live in memory, at which threads arrive without waiting.
#pragma once

#include "codegen/llvm.h"

namespace lanewise::cpu {

/// Emits operations on the mbarrier at a pointer. Only threads of one block use it, and they share a host thread: the
/// accesses are plain, but volatile, which keeps the threads in order.
class Mbarrier {
public:
    Mbarrier(llvm::IRBuilder<>& builder, llvm::Value* address) : builder_(builder), address_(address) {}

    void init(llvm::Value* count);
    /// The state before (i64). `drops`: the thread takes no part in later phases either.
    llvm::Value* arrive(llvm::Value* count, bool drops);
    /// Bytes that the phase also waits for, and bytes that have come.
    void expect(llvm::Value* bytes);
    void complete(llvm::Value* bytes);
    /// Whether the phase of a state is over, or the one of a parity; lets other threads run before it looks.
    llvm::Value* test(llvm::Value* state);
    llvm::Value* test_parity(llvm::Value* parity);

    static llvm::Value* pending_count(llvm::IRBuilder<>& builder, llvm::Value* state);

private:
    llvm::Value* load();
    void store_settled(llvm::Value* state);
    llvm::Value* phase(llvm::Value* state);

    llvm::IRBuilder<>& builder_;
    llvm::Value* address_;
};

/// A copy that is complete at once; it orders the threads of the block like an access of an mbarrier.
void copy_at_once(llvm::IRBuilder<>& builder, llvm::Value* target, llvm::Value* source, llvm::Value* bytes,
                  llvm::Align align);

}  // namespace lanewise::cpu
