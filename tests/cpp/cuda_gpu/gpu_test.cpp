// The CUDA backend on a real GPU; every test is skipped where there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <thread>

#include "backend/cpu/abi.h"
#include "lanewise/buffer.h"
#include "lanewise/device.h"
#include "runtime/backend.h"

namespace lanewise {
namespace {

constexpr const char* header = ".version 6.4\n.target sm_70\n.address_size 64\n";

constexpr const char* saxpy = R"(
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
 .reg .pred %p; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %d<5>;
 ld.param.u64 %d0, [x]; ld.param.u64 %d1, [y]; ld.param.f32 %f0, [a]; ld.param.u32 %r0, [n];
 mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
 mad.lo.u32 %r4, %r1, %r2, %r3;
 setp.ge.u32 %p, %r4, %r0;
 @%p ret;
 mul.wide.u32 %d2, %r4, 4;
 add.u64 %d3, %d0, %d2; add.u64 %d4, %d1, %d2;
 ld.global.f32 %f1, [%d3]; ld.global.f32 %f2, [%d4];
 fma.rn.f32 %f3, %f0, %f1, %f2;
 st.global.f32 [%d4], %f3;
 ret;
}
)";

/// Thread 5 of block 2 claims the slot and reports site 0 with the value 41.
constexpr const char* raise = R"(
.visible .global .align 8 .b8 __lanewise_error[80];
.visible .entry raise(.param .u32 active)
{
 .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<3>;
 ld.param.u32 %r0, [active]; setp.eq.u32 %p, %r0, 0;
 @%p ret;
 mov.u32 %r1, %ctaid.x; setp.ne.u32 %p, %r1, 2;
 @%p ret;
 mov.u32 %r2, %tid.x; setp.ne.u32 %p, %r2, 5;
 @%p ret;
 mov.u64 %d0, __lanewise_error; cvta.global.u64 %d1, %d0;
 atom.cas.b32 %r3, [%d1], 0, 1; setp.ne.u32 %p, %r3, 0;
 @%p ret;
 mov.u32 %r3, 0;
 st.u32 [%d1+4], %r3; st.u32 [%d1+8], %r2; st.u32 [%d1+12], %r3; st.u32 [%d1+16], %r3;
 st.u32 [%d1+20], %r1; st.u32 [%d1+24], %r3; st.u32 [%d1+28], %r3;
 mov.u64 %d2, 41; st.u64 [%d1+32], %d2;
 ret;
}
)";

/// Writes the size of dynamic shared memory, its last word having been written and read.
constexpr const char* shared_size = R"(
.extern .shared .align 4 .b8 dynamic[];
.visible .entry shared_size(.param .u64 out)
{
 .reg .b32 %r<5>; .reg .b64 %d<2>;
 ld.param.u64 %d0, [out];
 mov.u32 %r0, %dynamic_smem_size; mov.u32 %r1, dynamic; add.u32 %r2, %r1, %r0; sub.u32 %r2, %r2, 4;
 st.shared.u32 [%r2], %r0; ld.shared.u32 %r3, [%r2];
 st.global.u32 [%d0], %r3;
 ret;
}
)";

constexpr const char* nothing = ".visible .entry nothing()\n{\n ret;\n}\n";
constexpr const char* stray = R"(
.visible .entry stray()
{
 .reg .b32 %r; .reg .b64 %d;
 mov.u64 %d, 64; mov.u32 %r, 1; st.global.u32 [%d], %r;
 ret;
}
)";

class Gpu : public testing::Test {
protected:
    void SetUp() override {
        static std::string* reason = new std::string;
        // Never destroyed, as the registry's.
        static auto* devices = new std::vector<std::unique_ptr<Device>>(backend::cuda_devices(*reason));
        if (devices->empty()) GTEST_SKIP() << *reason;
        device_ = devices->front().get();
        stream_ = device_->create_stream();
    }
    Image image(const std::string& body, std::vector<EntryPoint> entries = {}) {
        Image image;
        image.format = ImageFormat::Ptx;
        image.target = device_->target();
        std::string text = header + body;
        image.bytes.assign(text.begin(), text.end());
        image.bytes.push_back(0);
        image.entries = std::move(entries);
        return image;
    }
    std::shared_ptr<Kernel> kernel(const std::string& body, const std::string& name) {
        return device_->load(device_->link(image(body), {}))->kernel(name);
    }
    template <class T>
    std::vector<T> read(const Buffer& buffer, std::size_t count) {
        std::vector<T> values(count);
        stream_->copy_to_host(values.data(), buffer.data(), count * sizeof(T));
        return values;
    }

    Device* device_ = nullptr;
    std::shared_ptr<Stream> stream_;
};

TEST_F(Gpu, DescribesItself) {
    EXPECT_FALSE(device_->model().empty());
    EXPECT_EQ(device_->uuid().size(), 16u);
    EXPECT_TRUE(device_->target().starts_with("sm_")) << device_->target();
    EXPECT_EQ(device_->attribute(DeviceAttribute::WarpSize), 32);
    MemoryInfo memory = device_->memory_info();
    EXPECT_GT(memory.free, 0u);
    EXPECT_LE(memory.free, memory.total);
}

TEST_F(Gpu, LinksLoadsAndLaunches) {
    constexpr unsigned n = 100003;
    std::vector<float> x(n), y(n);
    std::iota(x.begin(), x.end(), 0.f);
    std::fill(y.begin(), y.end(), 0.5f);
    auto device_x = Buffer::create(stream_, n * 4), device_y = Buffer::create(stream_, n * 4);
    stream_->copy_to_device(device_x->data(), x.data(), n * 4);
    stream_->copy_to_device(device_y->data(), y.data(), n * 4);
    auto k = kernel(saxpy, "saxpy");
    struct {
        void* x;
        void* y;
        float a;
        unsigned n;
    } params = {device_x->data(), device_y->data(), 2.f, n};
    stream_->launch(*k, {{(n + 255) / 256, 1, 1}, {256, 1, 1}}, std::as_bytes(std::span(&params, 1)));
    std::vector<float> result = read<float>(*device_y, n);
    for (unsigned i = 0; i < n; ++i) ASSERT_EQ(result[i], 2.f * float(i) + 0.5f) << i;
    EXPECT_GT(k->attribute(KernelAttribute::Registers), 0);
    EXPECT_GT(k->max_active_blocks(256, 0), 0);
    auto [block, grid] = k->suggested_block_and_grid(0, 0);
    EXPECT_GT(block, 0);
    EXPECT_GT(grid, 0);
}

TEST_F(Gpu, DriverDescribesForeignKernels) {
    auto k = kernel(saxpy, "saxpy");
    if (k->entry().parameter_bytes == 0) GTEST_SKIP() << "the driver is older than CUDA 12.4";
    EXPECT_EQ(k->entry().parameter_offsets, (std::vector<std::uint32_t>{0, 8, 16, 20}));
    EXPECT_EQ(k->entry().parameter_sizes, (std::vector<std::uint32_t>{8, 8, 4, 4}));
    EXPECT_EQ(k->entry().parameter_bytes, 24u);
}

TEST_F(Gpu, PtxErrorsCarryTheLog) {
    for (bool link : {true, false}) {
        try {
            Image bad = image(".visible .entry k() { bad.instruction; }\n");
            if (link)
                device_->link(bad, {});
            else
                device_->load(bad);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Compile) << error.what();
            EXPECT_NE(error.log.find("line"), std::string::npos) << error.log;
        }
    }
}

TEST_F(Gpu, LinkOptionsAreTaken) {
    LinkOptions options;
    options.max_registers = 32;
    options.line_info = true;
    EXPECT_NO_THROW(device_->load(device_->link(image(saxpy), options))->kernel("saxpy"));
    options = {};
    options.debug = true;
    options.opt_level = 0;
    EXPECT_NO_THROW(device_->load(device_->link(image(saxpy), options))->kernel("saxpy"));
}

TEST_F(Gpu, UnknownNamesAreValueErrors) {
    auto module = device_->load(image(nothing));
    for (bool global : {true, false}) {
        try {
            if (global)
                module->global("x");
            else
                module->kernel("x");
            ADD_FAILURE() << "nothing was thrown";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Value) << error.what();
        }
    }
}

TEST_F(Gpu, KernelExceptionsAreReportedOnceByEverySynchronisation) {
    EntryPoint entry;
    entry.name = "raise";
    entry.display_name = "raiser";
    entry.parameter_bytes = 4;
    entry.can_raise = true;
    Image code = image(raise, {entry});
    code.raise_sites.push_back({"IndexError", "index {0} is out of range", {}, 0});
    auto k = device_->load(device_->link(std::move(code), {}))->kernel("raise");
    auto event = device_->create_event();
    auto launch = [&](int active) {
        stream_->launch(*k, {{8, 1, 1}, {64, 1, 1}}, std::as_bytes(std::span(&active, 1)));
    };
    auto expect_raised = [&](auto&& synchronize) {
        try {
            synchronize();
            ADD_FAILURE() << "nothing was thrown";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::KernelRaised);
            EXPECT_EQ(error.python_class, "IndexError");
            std::string text = error.what();
            EXPECT_NE(text.find("index 41 is out of range"), std::string::npos) << text;
            EXPECT_NE(text.find("thread (5, 0, 0) of block (2, 0, 0)"), std::string::npos) << text;
        }
        EXPECT_NO_THROW(synchronize());
    };
    launch(0);
    EXPECT_NO_THROW(stream_->synchronize());
    launch(1);
    expect_raised([&] { stream_->synchronize(); });
    launch(1);
    stream_->record(*event);
    expect_raised([&] { event->synchronize(); });
    launch(1);
    expect_raised([&] { device_->synchronize(); });
    launch(0);
    EXPECT_NO_THROW(stream_->synchronize());
}

TEST_F(Gpu, LargeDynamicSharedMemory) {
    auto k = kernel(shared_size, "shared_size");
    auto out = Buffer::create(stream_, 4);
    void* pointer = out->data();
    auto most = std::uint32_t(device_->attribute(DeviceAttribute::MaxSharedPerBlockOptin));
    for (std::uint32_t bytes : {1024u, 49152u, most}) {
        stream_->launch(*k, {{1, 1, 1}, {1, 1, 1}, bytes}, std::as_bytes(std::span(&pointer, 1)));
        EXPECT_EQ(read<std::uint32_t>(*out, 1)[0], bytes);
    }
    EXPECT_THROW(stream_->launch(*k, {{1, 1, 1}, {1, 1, 1}, most + 4}, std::as_bytes(std::span(&pointer, 1))), Error);
    stream_->synchronize();
}

TEST_F(Gpu, RefusedLaunchesAreValueErrorsAndHarmless) {
    auto k = kernel(nothing, "nothing");
    LaunchConfig cooperative{{1u << 20, 1, 1}, {1024, 1, 1}};
    cooperative.cooperative = true;
    for (const LaunchConfig& config : {LaunchConfig{{1, 1, 1}, {2048, 1, 1}}, LaunchConfig{{0, 1, 1}, {1, 1, 1}},
                                       LaunchConfig{{1, 70000, 1}, {1, 1, 1}}, cooperative}) {
        try {
            stream_->launch(*k, config, {});
            ADD_FAILURE() << "nothing was thrown";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Value) << error.what();
        }
    }
    stream_->launch(*k, {}, {});
    EXPECT_NO_THROW(stream_->synchronize());
}

TEST_F(Gpu, CooperativeAndClusterLaunches) {
    auto k = kernel(nothing, "nothing");
    LaunchConfig config{{4, 1, 1}, {128, 1, 1}};
    config.cooperative = true;
    stream_->launch(*k, config, {});
    if (device_->attribute(DeviceAttribute::ComputeCapabilityMajor) >= 9) {
        config = {{32, 1, 1}, {128, 1, 1}};
        for (unsigned blocks : {2u, 8u, 16u}) {
            config.cluster = {blocks, 1, 1};
            stream_->launch(*k, config, {});
        }
    }
    EXPECT_NO_THROW(stream_->synchronize());
}

TEST_F(Gpu, PageableCopiesOfAllSizes) {
    constexpr std::size_t MiB = std::size_t(1) << 20;
    std::mt19937 random(1);
    for (std::size_t bytes :
         {std::size_t(1), std::size_t(4097), MiB - 1, MiB, 5 * MiB + 3, 32 * MiB + 1, 200 * MiB + 77}) {
        auto buffer = Buffer::create(stream_, bytes);
        std::vector<std::uint32_t> words(bytes / 4 + 2);
        for (auto& word : words) word = random();
        std::vector<std::uint32_t> source = words;
        auto* from = reinterpret_cast<std::byte*>(source.data()) + 3;
        stream_->copy_to_device(buffer->data(), from, bytes);
        std::fill(source.begin(), source.end(), 0);
        std::vector<std::byte> back(bytes + 1);
        stream_->copy_to_host(back.data() + 1, buffer->data(), bytes);
        EXPECT_EQ(std::memcmp(back.data() + 1, reinterpret_cast<std::byte*>(words.data()) + 3, bytes), 0) << bytes;
    }
}

TEST_F(Gpu, CopiesFromManyThreadsAndStreams) {
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 6; ++t)
        threads.emplace_back([&, t] {
            auto stream = t == 0   ? device_->default_stream()
                          : t == 1 ? device_->per_thread_stream()
                                   : device_->create_stream(t % 2 == 0);
            constexpr std::size_t count = 9'000'001;
            auto buffer = Buffer::create(stream, count * 4);
            for (unsigned round = 0; round < 4; ++round) {
                std::vector<std::uint32_t> source(count), back(count);
                std::iota(source.begin(), source.end(), t * 1000003 + round);
                stream->copy_to_device(buffer->data(), source.data(), count * 4);
                stream->copy_to_host(back.data(), buffer->data(), count * 4);
                if (source != back) ++wrong;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(Gpu, PinnedManagedAndMappedMemory) {
    constexpr std::size_t bytes = std::size_t(8) << 20;
    auto device_side = Buffer::create(stream_, bytes);
    for (MemoryKind kind : {MemoryKind::Pinned, MemoryKind::Mapped, MemoryKind::Managed}) {
        auto host = Buffer::create_host(*device_, kind, bytes);
        EXPECT_TRUE(device_->owns_address(host->data()));
        std::memset(host->host_data(), 0x5a, bytes);
        stream_->copy_to_device(device_side->data(), host->host_data(), bytes);
        stream_->synchronize();
        std::memset(host->host_data(), 0, bytes);
        stream_->copy_to_host(host->host_data(), device_side->data(), bytes);
        stream_->synchronize();
        EXPECT_EQ(static_cast<unsigned char*>(host->host_data())[bytes - 1], 0x5a);
    }
    std::vector<char> own(bytes);
    device_->register_host(own.data(), bytes);
    stream_->copy_to_host(own.data(), device_side->data(), bytes);
    stream_->synchronize();
    EXPECT_EQ(own[bytes - 1], 0x5a);
    device_->unregister_host(own.data());
    EXPECT_FALSE(device_->owns_address(own.data()));
}

TEST_F(Gpu, FillsOfAllWidthsAndAlignments) {
    constexpr std::size_t count = 1'000'003;
    auto buffer = Buffer::create(stream_, count * 8 + 64);
    double pattern = 3.14159265358979;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &pattern, 8);
    for (std::size_t offset : {0, 3, 4}) {
        stream_->fill(static_cast<std::byte*>(buffer->data()) + offset, bits, 8, count);
        std::vector<std::byte> bytes = read<std::byte>(*buffer, count * 8 + offset);
        std::vector<double> values(count);
        std::memcpy(values.data(), bytes.data() + offset, count * 8);
        EXPECT_EQ(std::count(values.begin(), values.end(), pattern), long(count)) << offset;
    }
    stream_->fill(buffer->data(), 0xabcd, 2, count);
    std::vector<std::uint16_t> shorts = read<std::uint16_t>(*buffer, count);
    EXPECT_EQ(std::count(shorts.begin(), shorts.end(), 0xabcd), long(count));
}

TEST_F(Gpu, EventsAndHostCalls) {
    auto k = kernel(nothing, "nothing");
    auto start = device_->create_event(), end = device_->create_event();
    std::vector<int> order;
    stream_->record(*start);
    stream_->launch(*k, {}, {});
    stream_->host_call([&] { order.push_back(1); });
    stream_->host_call([&] { order.push_back(2); });
    stream_->record(*end);
    auto other = device_->create_stream();
    other->wait(*end);
    other->host_call([&] { order.push_back(3); });
    other->synchronize();
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
    EXPECT_TRUE(stream_->query());
    EXPECT_TRUE(end->query());
    EXPECT_GE(end->elapsed_ms(*start), 0.f);
}

TEST_F(Gpu, ExternalStreamsOfThePrimaryContextAreTaken) {
    EXPECT_EQ(device_->external_stream(stream_->handle())->handle(), stream_->handle());
    for (std::uintptr_t handle : {0, 1, 2}) {
        auto stream = device_->external_stream(handle);
        EXPECT_NO_THROW(stream->synchronize());
        EXPECT_TRUE(stream->query());
    }
}

TEST_F(Gpu, OutOfMemoryIsAnErrorAndNotTheEnd) {
    try {
        device_->allocate(MemoryKind::Device, device_->memory_info().total * 2);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::OutOfMemory) << error.what();
    }
    EXPECT_NO_THROW(Buffer::create(stream_, 1 << 20));
}

using GpuDeathTest = Gpu;

/// In a process of its own, because the context is lost.
TEST_F(GpuDeathTest, AFaultNamesTheKernelAndLaterCallsReferToIt) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    auto fault = [&] {
        auto k = kernel(stray, "stray");
        stream_->launch(*k, {}, {});
        for (int i = 0; i < 2; ++i) {
            try {
                if (i == 0)
                    stream_->synchronize();
                else
                    device_->allocate(MemoryKind::Device, 1 << 20);
            } catch (const Error& error) {
                std::fprintf(stderr, "%s\n", error.what());
            }
        }
        std::exit(0);
    };
    EXPECT_EXIT(fault(), testing::ExitedWithCode(0),
                "stray \\(cuda:0\\)(.|\n)*restart the process(.|\n)*earlier fault");
}

}  // namespace
}  // namespace lanewise
