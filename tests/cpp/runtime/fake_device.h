// FakeDevice: a device whose streams finish work when the test says so and whose memory has a chosen size.
#pragma once

#include <cstdlib>
#include <map>
#include <stdexcept>

#include "lanewise/buffer.h"
#include "lanewise/device.h"

namespace lanewise::testing_fake {

class FakeStream final : public Stream {
public:
    explicit FakeStream(Device& device) : device_(device) {}
    Device& device() const override { return device_; }
    StreamKind kind() const override { return StreamKind::Owned; }
    bool is_blocking() const override { return false; }
    std::uintptr_t handle() const override { return reinterpret_cast<std::uintptr_t>(this); }
    void launch(Kernel&, const LaunchConfig&, std::span<const std::byte>) override { unexpected(); }
    void copy_to_device(void*, const void*, std::size_t) override { unexpected(); }
    void copy_to_host(void*, const void*, std::size_t) override { unexpected(); }
    void copy_on_device(void*, const void*, std::size_t) override { unexpected(); }
    void fill(void*, std::uint64_t, int, std::size_t) override { unexpected(); }
    void record(Event& event) override;
    void wait(Event&) override { unexpected(); }
    void host_call(std::function<void()>) override { unexpected(); }
    bool query() override { return finished >= started; }
    void synchronize() override { finished = started; }
    void begin_capture(CaptureMode) override { unexpected(); }
    std::shared_ptr<Graph> end_capture() override { unexpected(); }
    bool is_capturing() override { return false; }

    void begin_work() { ++started; }
    void finish_work() { finished = started; }

    int started = 0, finished = 0;

private:
    [[noreturn]] static void unexpected() { throw std::logic_error("a fake stream does not do that"); }
    Device& device_;
};

class FakeEvent final : public Event {
public:
    explicit FakeEvent(Device& device) : device_(device) {}
    Device& device() const override { return device_; }
    std::uintptr_t handle() const override { return 1; }
    bool query() override {
        // Polling stands for time that passes: whoever waits for an event sees it end.
        if (stream && ++polls > patience) stream->finished = std::max(stream->finished, point);
        return !stream || stream->finished >= point;
    }
    void synchronize() override { stream->finished = std::max(stream->finished, point); }
    float elapsed_ms(Event&) override { return 0; }

    static inline int patience = 3;
    int polls = 0;
    std::shared_ptr<FakeStream> stream;
    int point = 0;

private:
    Device& device_;
};

inline void FakeStream::record(Event& event) {
    auto& fake = dynamic_cast<FakeEvent&>(event);
    fake.stream = std::static_pointer_cast<FakeStream>(shared_from_this());
    fake.point = started;
}

class FakeDevice final : public Device {
public:
    explicit FakeDevice(std::size_t bytes = std::size_t{1} << 30) : total(bytes), pool_(*this) {}

    DeviceKind kind() const override { return DeviceKind::Cuda; }
    std::string name() const override { return "fake:0"; }
    std::string model() const override { return "Fake"; }
    int ordinal() const override { return 0; }
    std::string uuid() const override { return std::string(16, 'f'); }
    std::string target() const override { return "fake"; }
    std::int64_t attribute(DeviceAttribute) override { return 0; }
    MemoryInfo memory_info() override { return {total - used, total}; }
    std::shared_ptr<Stream> default_stream() override { return stream(); }
    std::shared_ptr<Stream> per_thread_stream() override { return stream(); }
    std::shared_ptr<Stream> create_stream(bool, int) override { return stream(); }
    std::shared_ptr<Stream> external_stream(std::uintptr_t) override { return stream(); }
    std::shared_ptr<Event> create_event(bool, bool) override { return std::make_shared<FakeEvent>(*this); }
    Image link(Image image, const LinkOptions&) override { return image; }
    std::shared_ptr<Module> load(Image) override { throw std::logic_error("a fake device loads nothing"); }
    void synchronize() override {}
    MemoryPool& pool() override { return pool_; }
    void* allocate(MemoryKind kind, std::size_t bytes) override {
        ++allocate_calls;
        if (bytes > total - used) throw Error(ErrorKind::OutOfMemory, "fake device is full");
        // Only the addresses matter, and the system backs none that is not touched.
        void* pointer = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
        sizes[pointer] = bytes;
        used += bytes;
        kinds[pointer] = kind;
        return pointer;
    }
    void release(MemoryKind kind, void* pointer) override {
        if (!sizes.contains(pointer) || kinds[pointer] != kind)
            throw std::logic_error("released what was not allocated");
        used -= sizes[pointer];
        sizes.erase(pointer);
        kinds.erase(pointer);
        std::free(pointer);
    }
    void* device_address(void* host) override { return static_cast<std::byte*>(host) + (std::size_t{1} << 40); }
    void register_host(void*, std::size_t) override {}
    void unregister_host(void*) override {}
    bool owns_address(const void*) override { return true; }
    void make_current() override {}

    std::shared_ptr<FakeStream> stream() { return std::make_shared<FakeStream>(*this); }

    std::size_t total;
    std::size_t used = 0;
    int allocate_calls = 0;
    std::map<void*, std::size_t> sizes;
    std::map<void*, MemoryKind> kinds;

private:
    MemoryPool pool_;
};

}  // namespace lanewise::testing_fake
