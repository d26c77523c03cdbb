#include "backend/cpu/abi.h"
#include "fixture.h"
#include "lanewise/buffer.h"
#include "lanewise/graph.h"

namespace lanewise {
namespace {

using namespace cuda;

/// Kernels that raise write the module's error slot, as generated code does.
class Raises : public CudaTest {
protected:
    std::shared_ptr<Kernel> raising(const std::string& name) {
        EntryPoint described = entry(name);
        described.can_raise = true;
        Image code = image("kernel " + name + "_symbol 0 0\nglobal __lanewise_error 80\n", {described});
        code.raise_sites.push_back({"IndexError", "unused", {}, 0});
        code.raise_sites.push_back({"ZeroDivisionError", "division of {0} by {1}", {7, 4, 7, 9}, 0});
        code.files.push_back({"script.py", {"    y = a / b"}, 7});
        return device_->load(std::move(code))->kernel(name + "_symbol");
    }
    static CUresult raise(const fake_cuda::Launch& launch) {
        auto* slot = static_cast<ErrorSlot*>(launch.global("__lanewise_error"));
        if (slot->claimed) return CUDA_SUCCESS;
        *slot = {1, 1, {3, 0, 0}, {2, 1, 0}, {10, 0}};
        return CUDA_SUCCESS;
    }
    void raises(const std::string& name) { fake_cuda::settings().kernels[name + "_symbol"] = raise; }
    void does_nothing(const std::string& name) { fake_cuda::settings().kernels.erase(name + "_symbol"); }
};

TEST_F(Raises, StreamSynchronisationThrowsTheKernelsException) {
    auto k = raising("divide");
    raises("divide");
    stream_->launch(*k, {}, {});
    Error error = error_of([&] { stream_->synchronize(); });
    EXPECT_EQ(error.kind(), ErrorKind::KernelRaised);
    EXPECT_EQ(error.python_class, "ZeroDivisionError");
    EXPECT_SAYS(error, "division of 10 by 0", "'divide'", "thread (3, 0, 0)", "block (2, 1, 0)", "script.py:7:5",
                "y = a / b", "^^^^^");
    // It is reported once, and the slot is free for the next.
    EXPECT_NO_THROW(stream_->synchronize());
    stream_->launch(*k, {}, {});
    EXPECT_EQ(error_of([&] { stream_->synchronize(); }).kind(), ErrorKind::KernelRaised);
    does_nothing("divide");
    stream_->launch(*k, {}, {});
    EXPECT_NO_THROW(stream_->synchronize());
}

TEST_F(Raises, TheLaunchAfterAReportIsWatchedAgain) {
    auto k = raising("divide");
    stream_->launch(*k, {}, {});
    stream_->synchronize();
    raises("divide");
    stream_->launch(*k, {}, {});
    EXPECT_EQ(error_of([&] { stream_->synchronize(); }).kind(), ErrorKind::KernelRaised);
}

TEST_F(Raises, GraphsAreWatchedAtEachLaunchAndNotWhenTheyAreCaptured) {
    auto k = raising("divide");
    raises("divide");
    stream_->begin_capture();
    stream_->launch(*k, {}, {});
    const std::shared_ptr<Graph> graph = stream_->end_capture();
    EXPECT_NO_THROW(stream_->synchronize());
    for (int i = 0; i < 2; ++i) {
        graph->launch(stream_);
        EXPECT_EQ(error_of([&] { stream_->synchronize(); }).kind(), ErrorKind::KernelRaised);
    }
}

TEST_F(Raises, CopiesToPageableMemoryThrowTheKernelsException) {
    auto k = raising("divide");
    raises("divide");
    auto buffer = Buffer::create(stream_, 64);
    std::vector<char> host(64);
    stream_->launch(*k, {}, {});
    EXPECT_SAYS(error_of([&] { stream_->copy_to_host(host.data(), buffer->data(), 64); }), "division of 10 by 0");
    EXPECT_NO_THROW(stream_->copy_to_host(host.data(), buffer->data(), 64));
}

TEST_F(Raises, OnlyKernelsThatCanRaiseCostAReadBack) {
    auto plain = kernel("plain");
    stream_->launch(*plain, {}, {});
    fake_cuda::take_calls();
    stream_->synchronize();
    EXPECT_FALSE(called(fake_cuda::take_calls(), "cuMemcpyAsync"));
    auto k = raising("divide");
    stream_->launch(*k, {}, {});
    fake_cuda::take_calls();
    stream_->synchronize();
    EXPECT_TRUE(called(fake_cuda::take_calls(), "cuMemcpyAsync"));
    stream_->synchronize();
    EXPECT_FALSE(called(fake_cuda::take_calls(), "cuMemcpyAsync"));
}

TEST_F(Raises, SeveralKernelsReportOneAfterTheOther) {
    auto a = raising("first"), b = raising("second");
    raises("first");
    raises("second");
    stream_->launch(*a, {}, {});
    stream_->launch(*b, {}, {});
    EXPECT_SAYS(error_of([&] { stream_->synchronize(); }), "'first'");
    EXPECT_SAYS(error_of([&] { stream_->synchronize(); }), "'second'");
    EXPECT_NO_THROW(stream_->synchronize());
}

TEST_F(Raises, AnotherStreamsSynchronisationLeavesTheReport) {
    auto k = raising("divide");
    raises("divide");
    auto other = device_->create_stream();
    stream_->launch(*k, {}, {});
    EXPECT_NO_THROW(other->synchronize());
    EXPECT_EQ(error_of([&] { stream_->synchronize(); }).kind(), ErrorKind::KernelRaised);
}

TEST_F(Raises, DeviceSynchronisationThrowsForAnyStreamEvenADestroyedOne) {
    auto k = raising("divide");
    raises("divide");
    auto other = device_->create_stream();
    other->launch(*k, {}, {});
    EXPECT_EQ(error_of([&] { device_->synchronize(); }).kind(), ErrorKind::KernelRaised);
    EXPECT_NO_THROW(other->synchronize());
    other->launch(*k, {}, {});
    other.reset();
    EXPECT_EQ(error_of([&] { device_->synchronize(); }).kind(), ErrorKind::KernelRaised);
    EXPECT_NO_THROW(device_->synchronize());
}

TEST_F(Raises, EventSynchronisationThrowsForKernelsBeforeTheEvent) {
    auto k = raising("divide");
    auto event = device_->create_event();
    stream_->record(*event);
    raises("divide");
    stream_->launch(*k, {}, {});
    EXPECT_NO_THROW(event->synchronize());
    stream_->record(*event);
    EXPECT_EQ(error_of([&] { event->synchronize(); }).kind(), ErrorKind::KernelRaised);
    EXPECT_NO_THROW(event->synchronize());
    EXPECT_NO_THROW(stream_->synchronize());
}

TEST_F(Raises, AKernelDroppedBeforeTheSynchronisationStillReports) {
    raises("divide");
    {
        auto k = raising("divide");
        stream_->launch(*k, {}, {});
    }
    EXPECT_EQ(error_of([&] { stream_->synchronize(); }).kind(), ErrorKind::KernelRaised);
}

TEST_F(Raises, AnImageWithoutTheSlotIsRefused) {
    EntryPoint described = entry("k");
    described.can_raise = true;
    Error error = error_of([&] { device_->load(image("kernel k_symbol 0 0\n", {described})); });
    EXPECT_EQ(error.kind(), ErrorKind::Internal);
    EXPECT_SAYS(error, "__lanewise_error", "missing");
    error = error_of([&] { device_->load(image("kernel k_symbol 0 0\nglobal __lanewise_error 8\n", {described})); });
    EXPECT_SAYS(error, "too small");
}

}  // namespace
}  // namespace lanewise
