#include "lanewise/buffer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "runtime/capture.h"
#include "runtime/event_wait.h"

namespace lanewise {

namespace {

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
    if (const std::shared_ptr<Capture> capture = stream->capture()) {
        buffer->graph_memory_ = capture->memory();
        buffer->data_ = buffer->graph_memory_->allocate(bytes, stream);
        capture->note_created(buffer);
    } else {
        buffer->data_ = device.pool().allocate(bytes, stream);
    }
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
        if (graph_memory_)
            graph_memory_->release(data_, stream_, uses_);
        else if (data_)
            device_->pool().release(data_, stream_, uses_);
        return;
    }
    if (stream_) uses_.push_back(std::move(stream_));
    if (!deleter_ && host_data_)
        deleter_ = [device = device_, kind = kind_, memory = host_data_] { device->release(kind, memory); };
    if (!deleter_) return;
    run_outside_captures([uses = std::move(uses_), drop = std::move(deleter_)] {
        for (const std::shared_ptr<Stream>& stream : uses) wait_for_work(*stream);
        give_back(drop);
    });
}

void Buffer::add_use(const std::shared_ptr<Stream>& stream) {
    if (const std::shared_ptr<Capture> capture = stream->capture(); capture && graph_memory_ != capture->memory())
        capture->use(shared_from_this());
    if (stream == stream_) return;
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
