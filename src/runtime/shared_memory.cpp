#include "lanewise/shared_memory.h"

#include <fmt/format.h>

#include <cstring>

namespace lanewise {

namespace {

constexpr std::size_t name_bytes = sizeof(AllocationName);
constexpr std::size_t whole_bytes = name_bytes + sizeof(std::uint64_t);

}  // namespace

std::string MemoryHandle::to_bytes() const {
    std::string bytes(reinterpret_cast<const char*>(allocation.data()), name_bytes);
    if (offset) bytes.append(reinterpret_cast<const char*>(&offset), sizeof offset);
    return bytes;
}

MemoryHandle MemoryHandle::from_bytes(std::string_view bytes) {
    if (bytes.size() != name_bytes && bytes.size() != whole_bytes)
        throw Error(ErrorKind::Value, fmt::format("a handle of another process's memory has {} or {} bytes, got {}",
                                                  name_bytes, whole_bytes, bytes.size()));
    MemoryHandle handle;
    std::memcpy(handle.allocation.data(), bytes.data(), name_bytes);
    if (bytes.size() == whole_bytes) std::memcpy(&handle.offset, bytes.data() + name_bytes, sizeof handle.offset);
    return handle;
}

MemoryHandle export_memory(Device& device, const void* pointer) {
    MemoryHandle handle;
    handle.allocation = device.name_allocation(pointer);
    handle.offset = static_cast<std::uint64_t>(static_cast<const std::byte*>(pointer) -
                                               static_cast<const std::byte*>(device.allocation_at(pointer).start));
    device.synchronize();
    return handle;
}

std::shared_ptr<Buffer> open_memory(Device& device, const MemoryHandle& handle) {
    void* start = device.open_allocation(handle.allocation);
    auto close = [&device, start] { device.close_allocation(start); };
    try {
        std::size_t bytes = device.allocation_at(start).bytes;
        if (handle.offset >= bytes)
            throw Error(ErrorKind::Value,
                        fmt::format("the handle is for byte {} of an allocation of {} bytes", handle.offset, bytes));
        return Buffer::foreign(device, MemoryKind::Device, static_cast<std::byte*>(start) + handle.offset,
                               bytes - handle.offset, nullptr, close);
    } catch (...) {
        close();
        throw;
    }
}

}  // namespace lanewise
