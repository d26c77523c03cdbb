// Allocators: where the memory of arrays comes from, when it is not to be the device's pool.
#pragma once

#include <functional>
#include <memory>

#include "lanewise/buffer.h"

namespace lanewise {

/// Memory of at least `bytes` (never 0) bytes on the stream's device, for work on the stream. It may be called while
/// operations are computed, and must not compute any itself. What it throws reaches whoever needed the memory.
using Allocator = std::function<std::shared_ptr<Buffer>(const std::shared_ptr<Stream>& stream, std::size_t bytes)>;

/// The allocator of the calling thread; null: that of all threads.
void set_thread_allocator(std::shared_ptr<const Allocator> allocator);
/// The allocator of all threads that have none of their own; null: the pools of the devices.
void set_allocator(std::shared_ptr<const Allocator> allocator);

/// Memory of an array from the allocator in use. One load more than Buffer::create while none is set.
std::shared_ptr<Buffer> allocate(const std::shared_ptr<Stream>& stream, std::size_t bytes);
/// True while the calling thread is in an allocator.
bool is_allocating();

}  // namespace lanewise
