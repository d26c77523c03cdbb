#include <stdexcept>
#include <thread>

#include "fixture.h"

namespace lanewise {
namespace {

using Streams = CudaTest;
using namespace cuda;

TEST_F(Streams, KindsAndHandles) {
    EXPECT_EQ(device_->default_stream()->kind(), StreamKind::Null);
    EXPECT_EQ(device_->default_stream()->handle(), 0u);
    EXPECT_EQ(device_->default_stream(), device_->default_stream());
    EXPECT_EQ(device_->external_stream(0), device_->default_stream());
    EXPECT_EQ(device_->external_stream(1)->kind(), StreamKind::Legacy);
    EXPECT_EQ(device_->external_stream(1)->handle(), 1u);
    EXPECT_EQ(device_->external_stream(2)->kind(), StreamKind::PerThread);
    EXPECT_EQ(device_->per_thread_stream()->handle(), 2u);
    EXPECT_EQ(stream_->kind(), StreamKind::Owned);
    EXPECT_EQ(&stream_->device(), device_);
}

TEST_F(Streams, EveryThreadHasAPerThreadStreamOfItsOwn) {
    auto mine = device_->per_thread_stream();
    EXPECT_EQ(mine, device_->per_thread_stream());
    std::shared_ptr<Stream> theirs;
    std::thread([&] { theirs = device_->per_thread_stream(); }).join();
    EXPECT_NE(mine, theirs);
    EXPECT_NE(mine, devices_[1]->per_thread_stream());
}

TEST_F(Streams, ExternalStreamsOfOneHandleAreOneObject) {
    std::uintptr_t handle = stream_->handle();
    auto external = device_->external_stream(handle);
    EXPECT_EQ(external->kind(), StreamKind::External);
    EXPECT_EQ(external, device_->external_stream(handle));
    fake_cuda::take_calls();
    external.reset();
    EXPECT_FALSE(called(fake_cuda::take_calls(), "cuStreamDestroy_v2"));
}

TEST_F(Streams, ExternalStreamsOfOtherContextsAreRefused) {
    auto other = devices_[1]->create_stream();
    Error error = error_of([&] { device_->external_stream(other->handle()); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "primary context", "cuda:0");
}

TEST_F(Streams, QueryTellsWhetherWorkIsLeft) {
    void* memory = device_->allocate(MemoryKind::Device, 64);
    EXPECT_TRUE(stream_->query());
    stream_->fill(memory, 1, 4, 16);
    EXPECT_FALSE(stream_->query());
    stream_->synchronize();
    EXPECT_TRUE(stream_->query());
    device_->release(MemoryKind::Device, memory);
}

TEST_F(Streams, EventsMarkWorkAndMeasureTime) {
    void* memory = device_->allocate(MemoryKind::Device, 64);
    auto start = device_->create_event(), end = device_->create_event();
    stream_->record(*start);
    stream_->fill(memory, 1, 4, 16);
    stream_->fill(memory, 2, 4, 16);
    stream_->record(*end);
    EXPECT_FALSE(end->query());
    Error error = error_of([&] { end->elapsed_ms(*start); });
    EXPECT_EQ(error.kind(), ErrorKind::Driver);
    EXPECT_SAYS(error, "still running");
    end->synchronize();
    EXPECT_TRUE(end->query());
    EXPECT_EQ(end->elapsed_ms(*start), 2.0f);
    stream_->wait(*end);
    device_->release(MemoryKind::Device, memory);
}

TEST_F(Streams, ElapsedTimeNeedsTimedAndRecordedEventsOfOneDevice) {
    auto timed = device_->create_event(), untimed = device_->create_event(false), other = devices_[1]->create_event();
    EXPECT_SAYS(error_of([&] { timed->elapsed_ms(*untimed); }), "start event", "without timing");
    EXPECT_SAYS(error_of([&] { untimed->elapsed_ms(*timed); }), "never recorded");
    stream_->record(*timed);
    EXPECT_SAYS(error_of([&] { untimed->elapsed_ms(*timed); }), "end event", "without timing");
    EXPECT_SAYS(error_of([&] { other->elapsed_ms(*timed); }), "cuda:0", "cuda:1");
    EXPECT_SAYS(error_of([&] { stream_->record(*other); }), "cuda:0", "cuda:1");
}

TEST_F(Streams, HostCallsRunInOrderAndAreDestroyedOutsideTheDriver) {
    std::vector<int> order;
    struct Releaser {
        Device* device;
        void* memory;
        // Needs the driver, which a host function must not call.
        ~Releaser() { device->release(MemoryKind::Device, memory); }
    };
    std::size_t before = fake_cuda::live_allocations();
    auto held = std::make_shared<Releaser>(device_, device_->allocate(MemoryKind::Device, 64));
    stream_->host_call([&order, held] { order.push_back(1); });
    held.reset();
    stream_->host_call([&order] { order.push_back(2); });
    EXPECT_TRUE(order.empty());
    stream_->synchronize();
    EXPECT_EQ(order, (std::vector<int>{1, 2}));
    EXPECT_EQ(fake_cuda::live_allocations(), before);
}

TEST_F(Streams, AnExceptionOfAHostCallIsThrownByTheNextSynchronisation) {
    auto other = device_->create_stream();
    stream_->host_call([] { throw std::runtime_error("from the callback"); });
    EXPECT_NO_THROW(other->synchronize());
    EXPECT_THROW(stream_->synchronize(), std::runtime_error);
    EXPECT_NO_THROW(stream_->synchronize());
}

}  // namespace
}  // namespace lanewise
