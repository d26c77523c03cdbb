// Device memory shared between processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lanewise/buffer.h"

namespace lanewise {

/// Names memory to other processes. Valid while the memory is allocated in the process that made it.
struct MemoryHandle {
    AllocationName allocation{};
    /// Of the memory from the start of the allocation: memory from the pool lies anywhere in one.
    std::uint64_t offset = 0;

    /// 64 bytes as the driver makes them, which other libraries take too; behind them the offset, when it is not 0.
    std::string to_bytes() const;
    /// Error(Value) for a length that no handle has.
    static MemoryHandle from_bytes(std::string_view bytes);
};

/// A handle for the memory at `pointer`, which belongs to `device`. Waits for the device's work, so that whoever opens
/// the handle finds what the memory holds now; operations on arrays that are still pending are the caller's to
/// evaluate. Error(NotImplemented) where memory of the device cannot be shared.
MemoryHandle export_memory(Device& device, const void* pointer);

/// The memory a handle of another process stands for, to the end of its allocation. Changes are seen by both processes;
/// neither waits for the other's work. Closed with the last owner, after the work on it.
std::shared_ptr<Buffer> open_memory(Device& device, const MemoryHandle& handle);

}  // namespace lanewise
