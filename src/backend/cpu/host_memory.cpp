#include "backend/cpu/host_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <mutex>
#include <new>
#include <string>

#include "runtime/fork_handlers.h"

namespace lanewise::cpu {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::uintptr_t address(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
}

/// A control group's number; the largest there is when it has none.
std::size_t group_bytes(const char* name) {
    std::ifstream file(std::string("/sys/fs/cgroup/") + name);
    std::size_t bytes = 0;
    return file >> bytes ? bytes : std::numeric_limits<std::size_t>::max();
}

}  // namespace

HostMemory::HostMemory() {
    add_fork_handler(ForkRank::Device, {[this] { mutex_.lock(); }, [this] { mutex_.unlock(); },
                                        [this] {
                                            // A reader-writer lock knows its writer by a thread number that changed.
                                            new (&mutex_) std::shared_mutex;
                                        }});
}

void* HostMemory::allocate(MemoryKind kind, std::size_t bytes) {
    std::size_t alignment = bytes >= huge_page ? huge_page : page;
    std::size_t rounded = bytes > SIZE_MAX - alignment ? 0 : (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
    // The system promises more memory than it has, so that a failure of its own would come too late.
    static const std::size_t total = info().total;
    void* pointer = nullptr;
    if (rounded && rounded <= total)
        pointer = std::aligned_alloc(alignment, (rounded + alignment - 1) / alignment * alignment);
    if (!pointer) {
        MemoryInfo memory = info();
        throw Error(ErrorKind::OutOfMemory,
                    fmt::format("cpu device: cannot allocate {} bytes; the host has {} of {} bytes free", bytes,
                                memory.free, memory.total));
    }
    if (alignment == huge_page) madvise(pointer, rounded, MADV_HUGEPAGE);
    if (kind != MemoryKind::Device) add_pinned(pointer, bytes);
    return pointer;
}

void HostMemory::release(MemoryKind kind, void* pointer) {
    if (kind != MemoryKind::Device) remove_pinned(pointer);
    std::free(pointer);
}

void HostMemory::add_pinned(void* pointer, std::size_t bytes) {
    std::uintptr_t start = address(pointer);
    std::unique_lock lock(mutex_);
    auto next = pinned_.lower_bound(start);
    bool overlaps = next != pinned_.end() && next->first - start < std::max<std::size_t>(bytes, 1);
    if (next != pinned_.begin()) {
        auto previous = std::prev(next);
        overlaps |= start - previous->first < previous->second;
    }
    if (overlaps)
        throw Error(
            ErrorKind::Value,
            fmt::format("cpu device: {} bytes at {} are page-locked already, at least in part", bytes, pointer));
    pinned_.emplace(start, std::max<std::size_t>(bytes, 1));
}

void HostMemory::remove_pinned(void* pointer) {
    std::unique_lock lock(mutex_);
    if (pinned_.erase(address(pointer)) == 0)
        throw Error(ErrorKind::Value, fmt::format("cpu device: no page-locked memory starts at {}", pointer));
}

bool HostMemory::is_pinned(const void* pointer, std::size_t bytes) const {
    std::uintptr_t start = address(pointer);
    std::shared_lock lock(mutex_);
    auto next = pinned_.upper_bound(start);
    if (next == pinned_.begin()) return false;
    auto range = std::prev(next);
    std::size_t offset = start - range->first;
    return offset < range->second && bytes <= range->second - offset;
}

bool HostMemory::is_mapped(const void* pointer) {
    if (!pointer) return false;
    unsigned char resident = 0;
    static const std::uintptr_t size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    void* start = reinterpret_cast<void*>(address(pointer) / size * size);
    return mincore(start, 1, &resident) == 0 || errno != ENOMEM;
}

MemoryInfo HostMemory::info() {
    MemoryInfo memory;
    std::ifstream file("/proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        std::string key = line.substr(0, colon);
        if (key == "MemTotal") memory.total = std::strtoull(line.c_str() + colon + 1, nullptr, 10) * 1024;
        if (key == "MemAvailable") memory.free = std::strtoull(line.c_str() + colon + 1, nullptr, 10) * 1024;
    }
    std::size_t limit = group_bytes("memory.max");
    if (limit < memory.total) {
        std::size_t used = group_bytes("memory.current");
        memory.total = limit;
        memory.free = std::min(memory.free, limit - std::min(limit, used));
    }
    return memory;
}

}  // namespace lanewise::cpu
