// Captures and graphs, on the driver without a GPU.
#include "lanewise/graph.h"

#include "backend/cuda/driver.h"
#include "fixture.h"
#include "lanewise/buffer.h"

namespace lanewise {
namespace {

class Graphs : public CudaTest {
protected:
    /// A kernel that adds 1 to the int its parameter points to.
    std::shared_ptr<Kernel> counting() {
        fake_cuda::settings().kernels["count_symbol"] = [](const fake_cuda::Launch& launch) {
            int* target = nullptr;
            std::memcpy(&target, launch.parameters.data(), sizeof target);
            ++*target;
            return cuda::CUDA_SUCCESS;
        };
        return kernel("count", 8);
    }
    /// A kernel that doubles the int its parameter points to.
    std::shared_ptr<Kernel> doubling() {
        fake_cuda::settings().kernels["twice_symbol"] = [](const fake_cuda::Launch& launch) {
            int* target = nullptr;
            std::memcpy(&target, launch.parameters.data(), sizeof target);
            *target *= 2;
            return cuda::CUDA_SUCCESS;
        };
        return kernel("twice", 8);
    }
    static void launch(Stream& stream, Kernel& kernel, void* target) {
        stream.launch(kernel, {}, std::as_bytes(std::span(&target, 1)));
    }
    static int read(Stream& stream, const void* source) {
        int value = 0;
        stream.copy_to_host(&value, source, sizeof value);
        return value;
    }
    std::shared_ptr<Buffer> zero() {
        auto buffer = Buffer::create(stream_, sizeof(int));
        stream_->fill(buffer->data(), 0, 4, 1);
        stream_->synchronize();
        return buffer;
    }
    static bool called(const char* name) {
        for (const std::string& call : fake_cuda::take_calls())
            if (call == name) return true;
        return false;
    }
    static int code_of(auto&& call) {
        try {
            call();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Driver);
            return error.code;
        }
        return 0;
    }
};

TEST_F(Graphs, RunTheirWorkAtEachLaunchAndNotBefore) {
    const auto kernel = counting();
    const auto target = zero();
    stream_->begin_capture();
    EXPECT_TRUE(stream_->is_capturing());
    launch(*stream_, *kernel, target->data());
    launch(*stream_, *kernel, target->data());
    const std::shared_ptr<Graph> graph = stream_->end_capture();
    EXPECT_FALSE(stream_->is_capturing());
    EXPECT_EQ(graph->size(), 2u);
    EXPECT_EQ(&graph->device(), device_);
    EXPECT_EQ(read(*stream_, target->data()), 0);
    graph->upload(stream_);
    for (int i = 0; i < 3; ++i) graph->launch(stream_);
    EXPECT_EQ(read(*stream_, target->data()), 6);
}

TEST_F(Graphs, AreDestroyedWithTheirLastOwner) {
    stream_->begin_capture();
    std::shared_ptr<Graph> graph = stream_->end_capture();
    EXPECT_EQ(fake_cuda::live_graphs(), 2u) << "what was captured, and its instance";
    graph.reset();
    EXPECT_EQ(fake_cuda::live_graphs(), 0u);
    EXPECT_TRUE(called("cuGraphDestroy"));
}

TEST_F(Graphs, KeepModulesLoaded) {
    auto kernel = counting();
    const auto target = zero();
    stream_->begin_capture();
    launch(*stream_, *kernel, target->data());
    std::shared_ptr<Graph> graph = stream_->end_capture();
    kernel.reset();
    fake_cuda::take_calls();
    graph->launch(stream_);
    stream_->synchronize();
    EXPECT_FALSE(called("cuModuleUnload"));
    graph.reset();
    EXPECT_TRUE(called("cuModuleUnload"));
}

TEST_F(Graphs, HaveMemoryThatNobodyElseGets) {
    stream_->begin_capture();
    auto first = Buffer::create(stream_, 4 << 20);
    void* const address = first->data();
    first.reset();
    EXPECT_EQ(Buffer::create(stream_, 4 << 20)->data(), address) << "reused within the capture";
    std::shared_ptr<Graph> graph = stream_->end_capture();
    std::vector<std::shared_ptr<Buffer>> others;
    for (int i = 0; i < 8; ++i) {
        others.push_back(Buffer::create(stream_, 4 << 20));
        EXPECT_NE(others.back()->data(), address);
    }
    graph->launch(stream_);
    graph.reset();
    stream_->synchronize();
    bool reused = false;
    for (int i = 0; i < 16; ++i) {
        others.push_back(Buffer::create(stream_, 4 << 20));
        reused |= others.back()->data() == address;
    }
    EXPECT_TRUE(reused);
}

TEST_F(Graphs, KeepTheBuffersThatTheirWorkUses) {
    const auto kernel = counting();
    auto target = zero();
    const std::weak_ptr<Buffer> alive = target;
    stream_->begin_capture();
    target->used_on(stream_);
    launch(*stream_, *kernel, target->data());
    std::shared_ptr<Graph> graph = stream_->end_capture();
    target.reset();
    EXPECT_FALSE(alive.expired());
    graph.reset();
    EXPECT_TRUE(alive.expired());
}

TEST_F(Graphs, AllocateAndLoadInTheStrictestMode) {
    stream_->begin_capture(CaptureMode::Global);
    const auto buffer = Buffer::create(stream_, 64 << 20);
    const auto pinned = Buffer::create_host(*device_, MemoryKind::Pinned, 64);
    const auto kernel = counting();
    launch(*stream_, *kernel, buffer->data());
    EXPECT_EQ(stream_->end_capture()->size(), 1u);
}

TEST_F(Graphs, CopyOrdinaryMemoryAsItWas) {
    const auto target = zero();
    int source = 7;
    stream_->begin_capture();
    stream_->copy_to_device(target->data(), &source, sizeof source);
    const std::shared_ptr<Graph> graph = stream_->end_capture();
    source = 8;
    graph->launch(stream_);
    EXPECT_EQ(read(*stream_, target->data()), 7);
}

TEST_F(Graphs, CallHostFunctionsAtEachLaunch) {
    int calls = 0;
    const auto held = std::make_shared<int>(0);
    stream_->begin_capture();
    stream_->host_call([&calls, held] { ++calls; });
    std::shared_ptr<Graph> graph = stream_->end_capture();
    for (int i = 0; i < 3; ++i) graph->launch(stream_);
    graph.reset();
    EXPECT_EQ(calls, 3) << "a graph waits for its host functions";
    EXPECT_EQ(held.use_count(), 1);
}

TEST_F(Graphs, TakeInStreamsThatWaitForTheirEvents) {
    const auto kernel = counting();
    const auto target = zero();
    const auto other = device_->create_stream();
    const auto forked = device_->create_event(), joined = device_->create_event();
    stream_->begin_capture();
    stream_->record(*forked);
    other->wait(*forked);
    EXPECT_TRUE(other->is_capturing());
    EXPECT_EQ(other->capture(), stream_->capture());
    launch(*other, *kernel, target->data());
    other->record(*joined);
    stream_->wait(*joined);
    const std::shared_ptr<Graph> graph = stream_->end_capture();
    EXPECT_FALSE(other->is_capturing());
    graph->launch(other);
    EXPECT_EQ(read(*other, target->data()), 1);
    EXPECT_EQ(code_of([&] { forked->synchronize(); }), 907);
}

TEST_F(Graphs, BecomePartsOfGraphs) {
    const auto kernel = counting();
    const auto target = zero();
    stream_->begin_capture();
    launch(*stream_, *kernel, target->data());
    std::shared_ptr<Graph> inner = stream_->end_capture();
    stream_->begin_capture();
    inner->launch(stream_);
    inner->launch(stream_);
    const std::shared_ptr<Graph> outer = stream_->end_capture();
    EXPECT_EQ(outer->size(), 2u);
    EXPECT_EQ(read(*stream_, target->data()), 0);
    inner.reset();
    outer->launch(stream_);
    EXPECT_EQ(read(*stream_, target->data()), 2);
}

TEST_F(Graphs, ThatArePartsComeAfterTheWorkBeforeAndBeforeTheWorkAfter) {
    const auto count = counting(), twice = doubling();
    const auto target = zero();
    stream_->begin_capture();
    launch(*stream_, *twice, target->data());
    std::shared_ptr<Graph> part = stream_->end_capture();
    stream_->begin_capture();
    part->launch(stream_);
    launch(*stream_, *count, target->data());
    part = stream_->end_capture();
    stream_->begin_capture();
    launch(*stream_, *count, target->data());
    part->launch(stream_);
    launch(*stream_, *count, target->data());
    part->launch(stream_);
    const std::shared_ptr<Graph> whole = stream_->end_capture();
    part.reset();
    whole->launch(stream_);
    EXPECT_EQ(read(*stream_, target->data()), ((0 + 1) * 2 + 1 + 1) * 2 + 1);
    whole->launch(stream_);
    EXPECT_EQ(read(*stream_, target->data()), ((9 + 1) * 2 + 1 + 1) * 2 + 1);
}

TEST_F(Graphs, ThatArePartsFollowTheirLaunchBeforeOnAnotherStream) {
    const auto count = counting(), twice = doubling();
    const auto target = zero();
    stream_->begin_capture();
    launch(*stream_, *twice, target->data());
    const std::shared_ptr<Graph> part = stream_->end_capture();
    const auto other = device_->create_stream();
    const auto forked = device_->create_event(), joined = device_->create_event();
    stream_->begin_capture();
    stream_->record(*forked);
    other->wait(*forked);
    launch(*stream_, *count, target->data());
    part->launch(stream_);
    part->launch(other);
    other->record(*joined);
    stream_->wait(*joined);
    const std::shared_ptr<Graph> whole = stream_->end_capture();
    whole->launch(stream_);
    EXPECT_EQ(read(*stream_, target->data()), (0 + 1) * 2 * 2);
}

TEST_F(Graphs, KeepTheirPartsAndWhatThoseUse) {
    auto count = counting();
    auto target = zero();
    const std::weak_ptr<Buffer> alive = target;
    stream_->begin_capture();
    target->used_on(stream_);
    launch(*stream_, *count, target->data());
    std::shared_ptr<Graph> part = stream_->end_capture();
    stream_->begin_capture();
    part->launch(stream_);
    std::shared_ptr<Graph> whole = stream_->end_capture();
    fake_cuda::take_calls();
    count.reset();
    target.reset();
    part.reset();
    EXPECT_FALSE(alive.expired());
    EXPECT_FALSE(called("cuModuleUnload"));
    EXPECT_EQ(fake_cuda::live_graphs(), 4u);
    whole.reset();
    EXPECT_TRUE(alive.expired());
    EXPECT_TRUE(called("cuModuleUnload"));
    EXPECT_EQ(fake_cuda::live_graphs(), 0u);
}

TEST_F(Graphs, BecomePartsOfCapturesThatOthersBegan) {
    const auto count = counting();
    const auto target = zero();
    stream_->begin_capture();
    launch(*stream_, *count, target->data());
    const std::shared_ptr<Graph> part = stream_->end_capture();
    const auto queue = reinterpret_cast<cuda::CUstream>(stream_->handle());
    cuda::driver.cuStreamBeginCapture(queue, cuda::CU_STREAM_CAPTURE_MODE_GLOBAL);
    part->launch(stream_);
    part->launch(stream_);
    cuda::CUgraph theirs = nullptr;
    cuda::driver.cuStreamEndCapture(queue, &theirs);
    std::size_t nodes = 0;
    cuda::driver.cuGraphGetNodes(theirs, nullptr, &nodes);
    EXPECT_EQ(nodes, 2u);
    EXPECT_EQ(read(*stream_, target->data()), 0);
    cuda::CUgraphExec executable = nullptr;
    cuda::driver.cuGraphInstantiateWithFlags(&executable, theirs, 0);
    cuda::driver.cuGraphLaunch(executable, queue);
    EXPECT_EQ(read(*stream_, target->data()), 2);

    cuda::driver.cuStreamBeginCapture(queue, cuda::CU_STREAM_CAPTURE_MODE_GLOBAL);
    EXPECT_EQ(cuda::driver.cuGraphLaunch.status(executable, queue), cuda::CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
        << "which breaks the capture";
    EXPECT_EQ(code_of([&] { part->launch(stream_); }), 901);
    cuda::CUgraph none = nullptr;
    EXPECT_EQ(cuda::driver.cuStreamEndCapture.status(queue, &none), cuda::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    cuda::driver.cuGraphExecDestroy(executable);
    cuda::driver.cuGraphDestroy(theirs);
}

TEST_F(Graphs, OfOthersTakeKernelsOnTheirStreams) {
    const auto count = counting();
    const auto target = zero();
    cuda::CUstream queue = nullptr;
    cuda::driver.cuStreamCreateWithPriority(&queue, cuda::CU_STREAM_NON_BLOCKING, 0);
    cuda::driver.cuStreamBeginCapture(queue, cuda::CU_STREAM_CAPTURE_MODE_GLOBAL);
    // First seen while it is captured, when the driver tells little of it.
    std::shared_ptr<Stream> theirs = device_->external_stream(reinterpret_cast<std::uintptr_t>(queue));
    launch(*theirs, *count, target->data());
    cuda::CUgraph graph = nullptr;
    cuda::driver.cuStreamEndCapture(queue, &graph);
    std::size_t nodes = 0;
    cuda::driver.cuGraphGetNodes(graph, nullptr, &nodes);
    EXPECT_EQ(nodes, 1u);
    EXPECT_EQ(read(*stream_, target->data()), 0);
    theirs.reset();
    cuda::driver.cuGraphDestroy(graph);
    cuda::driver.cuStreamDestroy(queue);
}

TEST_F(Graphs, ThatCannotBecomePartsAreReported) {
    stream_->begin_capture();
    std::shared_ptr<Graph> part = stream_->end_capture();
    for (const char* call :
         {"cuStreamGetCaptureInfo_v2", "cuGraphAddChildGraphNode", "cuStreamUpdateCaptureDependencies"}) {
        stream_->begin_capture();
        fake_cuda::settings().failures = {{call, cuda::CUresult(1)}};
        EXPECT_EQ(code_of([&] { part->launch(stream_); }), 1) << call;
        fake_cuda::settings().failures.clear();
        stream_->end_capture();
    }
    part.reset();
    EXPECT_EQ(fake_cuda::live_graphs(), 0u);
}

TEST_F(Graphs, EndWithoutAGraphAfterWhatCannotBeCaptured) {
    const auto target = zero();
    int value = 0;
    const std::vector<std::pair<int, std::function<void()>>> calls = {
        {900, [&] { stream_->synchronize(); }},
        {900, [&] { stream_->query(); }},
        {900, [&] { stream_->copy_to_host(&value, target->data(), sizeof value); }},
    };
    for (const auto& [code, call] : calls) {
        stream_->begin_capture();
        EXPECT_EQ(code_of(call), code);
        EXPECT_EQ(code_of([&] { stream_->end_capture(); }), 901);
        EXPECT_FALSE(stream_->is_capturing());
        stream_->synchronize();
    }
    EXPECT_EQ(fake_cuda::live_graphs(), 0u);
}

TEST_F(Graphs, RefusalsHaveTheDriversCodes) {
    const auto other = device_->create_stream();
    const auto outside = device_->create_event(), inside = device_->create_event();
    other->record(*outside);
    EXPECT_EQ(code_of([&] { device_->default_stream()->begin_capture(); }), 900);
    EXPECT_EQ(code_of([&] { stream_->end_capture(); }), 401);
    stream_->begin_capture();
    EXPECT_EQ(code_of([&] { stream_->begin_capture(); }), 401);
    EXPECT_EQ(code_of([&] { stream_->wait(*outside); }), 905);
    EXPECT_EQ(code_of([&] { stream_->end_capture(); }), 901);
    stream_->begin_capture();
    stream_->record(*inside);
    other->wait(*inside);
    other->host_call([] {});
    EXPECT_EQ(code_of([&] { other->end_capture(); }), 903);
    EXPECT_EQ(code_of([&] { stream_->end_capture(); }), 904);
    EXPECT_FALSE(other->is_capturing());
}

TEST_F(Graphs, DriverFailuresAreReported) {
    fake_cuda::settings().failures["cuStreamBeginCapture_v2"] = cuda::CUresult(401);
    EXPECT_EQ(code_of([&] { stream_->begin_capture(); }), 401);
    EXPECT_FALSE(stream_->is_capturing());
    fake_cuda::settings().failures = {{"cuGraphInstantiateWithFlags", cuda::CUresult(999)}};
    stream_->begin_capture();
    EXPECT_EQ(code_of([&] { stream_->end_capture(); }), 999);
    EXPECT_FALSE(stream_->is_capturing());
    EXPECT_EQ(fake_cuda::live_graphs(), 0u);
    fake_cuda::settings().failures.clear();
    stream_->begin_capture();
    const std::shared_ptr<Graph> graph = stream_->end_capture();
    fake_cuda::settings().failures = {{"cuGraphLaunch", cuda::CUresult(1)}};
    EXPECT_EQ(code_of([&] { graph->launch(stream_); }), 1);
}

TEST_F(Graphs, BelongToOneDevice) {
    stream_->begin_capture();
    const std::shared_ptr<Graph> graph = stream_->end_capture();
    const auto elsewhere = devices_[1]->create_stream();
    EXPECT_THROW(graph->launch(elsewhere), Error);
    EXPECT_THROW(graph->upload(elsewhere), Error);
}

}  // namespace
}  // namespace lanewise
