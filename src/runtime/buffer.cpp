#include "lanewise/buffer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "runtime/event_wait.h"

namespace lanewise {

namespace {

/// Blocks until the work on `stream` so far is done, without taking the errors that synchronize() reports.
void wait_for_work(Stream& stream) noexcept {
    try {
        if (stream.query()) return;
        std::shared_ptr<Event> event = stream.device().create_event(false);
        stream.record(*event);
        wait_without_report(*event);
    } catch (const std::exception& error) {
        // A device that fails here runs nothing any more that could touch the memory.
        log(LogLevel::Warning, [&] { return std::string("~Buffer: waiting for its stream failed: ") + error.what(); });
    }
}

/// A destructor must not throw.
void give_back(const std::function<void()>& f) noexcept {
    try {
        f();
    } catch (const std::exception& error) {
        log(LogLevel::Error, [&] { return std::string("~Buffer: giving memory back failed: ") + error.what(); });
    }
}

}  // namespace

std::shared_ptr<Buffer> Buffer::create(const std::shared_ptr<Stream>& stream, std::size_t bytes) {
    std::shared_ptr<Buffer> buffer(new Buffer);
    Device& device = stream->device();
    buffer->device_ = &device;
    buffer->kind_ = MemoryKind::Device;
    buffer->stream_ = stream;
    buffer->bytes_ = bytes;
    buffer->data_ = device.pool().allocate(bytes, stream);
    if (device.kind() == DeviceKind::Cpu) buffer->host_data_ = buffer->data_;
    return buffer;
}

std::shared_ptr<Buffer> Buffer::create_host(Device& device, MemoryKind kind, std::size_t bytes) {
    if (kind == MemoryKind::Device)
        throw Error(ErrorKind::Value,
                    "Buffer::create_host: Device memory comes from Buffer::create; expected Pinned, "
                    "Mapped or Managed");
    std::shared_ptr<Buffer> buffer(new Buffer);
    buffer->device_ = &device;
    buffer->kind_ = kind;
    buffer->bytes_ = bytes;
    buffer->shared_ = true;
    if (bytes == 0) return buffer;
    buffer->host_data_ = device.allocate(kind, bytes);
    buffer->data_ = buffer->host_data_;
    if (kind == MemoryKind::Mapped) buffer->data_ = device.device_address(buffer->host_data_);
    return buffer;
}

std::shared_ptr<Buffer> Buffer::foreign(Device& device, MemoryKind kind, void* pointer, std::size_t bytes,
                                        std::shared_ptr<Stream> stream, std::function<void()> deleter) {
    std::shared_ptr<Buffer> buffer(new Buffer);
    buffer->device_ = &device;
    buffer->kind_ = kind;
    buffer->bytes_ = bytes;
    buffer->stream_ = std::move(stream);
    buffer->shared_ = true;
    // An empty deleter still marks the memory as not ours.
    buffer->deleter_ = deleter ? std::move(deleter) : [] {};
    buffer->data_ = pointer;
    if (kind != MemoryKind::Device || device.kind() == DeviceKind::Cpu) buffer->host_data_ = pointer;
    if (kind == MemoryKind::Mapped && pointer) buffer->data_ = device.device_address(pointer);
    return buffer;
}

std::shared_ptr<Buffer> Buffer::within(std::shared_ptr<Buffer> whole, std::size_t offset, std::size_t bytes,
                                       std::shared_ptr<Stream> stream, std::function<void()> released) {
    if (offset > whole->bytes() || bytes > whole->bytes() - offset)
        throw Error(ErrorKind::Value, fmt::format("Buffer::within: {} bytes at offset {} of a buffer of {} bytes",
                                                  bytes, offset, whole->bytes()));
    std::shared_ptr<Buffer> buffer(new Buffer);
    buffer->device_ = whole->device_;
    buffer->kind_ = whole->kind_;
    buffer->bytes_ = bytes;
    buffer->stream_ = std::move(stream);
    auto part = [&](void* start) { return start ? static_cast<std::byte*>(start) + offset : nullptr; };
    buffer->data_ = part(whole->data_);
    buffer->host_data_ = part(whole->host_data_);
    buffer->deleter_ = released ? std::move(released) : [] {};
    buffer->whole_ = std::move(whole);
    return buffer;
}

Buffer::~Buffer() {
    if (whole_) {
        if (stream_) whole_->used_on(stream_);
        for (const std::shared_ptr<Stream>& stream : uses_) whole_->used_on(stream);
        give_back(deleter_);
        return;
    }
    if (kind_ == MemoryKind::Device && !deleter_) {
        if (data_) device_->pool().release(data_, stream_, uses_);
        return;
    }
    if (stream_) wait_for_work(*stream_);
    for (const std::shared_ptr<Stream>& stream : uses_) wait_for_work(*stream);
    if (deleter_)
        give_back(deleter_);
    else if (host_data_)
        give_back([&] { device_->release(kind_, host_data_); });
}

void Buffer::add_use(const std::shared_ptr<Stream>& stream) {
    if (stream_ && late_.load(std::memory_order_relaxed)) stream->follow(*stream_);
    std::lock_guard lock(uses_mutex_);
    if (std::find(uses_.begin(), uses_.end(), stream) != uses_.end()) return;
    uses_.push_back(stream);
    has_uses_.store(true, std::memory_order_release);
}

std::vector<std::shared_ptr<Stream>> Buffer::all_uses() {
    std::lock_guard lock(uses_mutex_);
    std::vector<std::shared_ptr<Stream>> all = uses_;
    if (stream_) all.push_back(stream_);
    return all;
}

void Buffer::follow_uses(Stream& stream) {
    for (const std::shared_ptr<Stream>& use : all_uses()) stream.follow(*use);
}

void Buffer::synchronize() {
    for (const std::shared_ptr<Stream>& use : all_uses()) use->synchronize();
}

}  // namespace lanewise
