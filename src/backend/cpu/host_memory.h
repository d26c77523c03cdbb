// HostMemory: memory of the cpu device and which of it counts as page-locked.
#pragma once

#include <cstddef>
#include <map>
#include <shared_mutex>

#include "lanewise/device.h"

namespace lanewise::cpu {

/// All kinds are ordinary memory; those but Device, and registered memory, are remembered as page-locked, since copies
/// from and to them may be asynchronous. Thread-safe.
class HostMemory {
public:
    HostMemory();

    /// Aligned to a page. Error(OutOfMemory) with the sizes.
    void* allocate(MemoryKind kind, std::size_t bytes);
    void release(MemoryKind kind, void* pointer);
    /// Error(Value) when part of the range is registered already, or when nothing is registered there.
    void add_pinned(void* pointer, std::size_t bytes);
    void remove_pinned(void* pointer);
    bool is_pinned(const void* pointer, std::size_t bytes) const;
    /// Whether a page is mapped there.
    static bool is_mapped(const void* pointer);
    static MemoryInfo info();

private:
    mutable std::shared_mutex mutex_;
    std::map<std::uintptr_t, std::size_t> pinned_;  ///< start, bytes
};

}  // namespace lanewise::cpu
