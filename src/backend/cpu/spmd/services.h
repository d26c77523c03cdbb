// Calls from kernel code into the device: errors, printing, memory, time, through the Launch structure.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// Emits, at the builder's place in a thread function, what abi.h's Services and ErrorSlot offer.
class ServiceCalls {
public:
    ServiceCalls(const SlotFunction& thread, llvm::IRBuilder<>& builder) : thread_(thread), builder_(builder) {}

    /// The first of a launch to get here claims the error slot and fills it; `values` points to `count` int64 values.
    void raise(llvm::Value* site, llvm::Value* values, llvm::Value* count);
    llvm::Value* print(llvm::Value* format, llvm::Value* arguments);
    /// Reports a failed assert().
    void raise_assertion(llvm::Value* message, llvm::Value* file, llvm::Value* line, llvm::Value* function);
    llvm::Value* allocate(llvm::Value* bytes);
    void release(llvm::Value* pointer);
    void sleep(llvm::Value* nanoseconds);
    llvm::Value* clock();
    llvm::Value* timer();
    llvm::Value* grid_sync();
    void interleave(llvm::Value* resume, llvm::Value* frame, llvm::Value* records, llvm::Value* count);

private:
    llvm::Value* call(std::size_t offset, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments);

    const SlotFunction& thread_;
    llvm::IRBuilder<>& builder_;
};

/// Outside of a thread: reports `site` with one value for the launch unless `condition` holds.
void raise_unless(llvm::IRBuilder<>& builder, llvm::Value* condition, llvm::Value* launch, std::uint32_t site,
                  llvm::Value* value);

/// Whether `user` is the call that reports an error. It tells threads of merged blocks apart by itself.
bool is_error_report(const llvm::User& user);

}  // namespace lanewise::cpu
