#include <numeric>
#include <random>
#include <thread>

#include "fixture.h"

namespace lanewise {
namespace {

using Copies = CudaTest;
using namespace cuda;

constexpr std::size_t MiB = std::size_t(1) << 20;

std::vector<std::uint8_t> random_bytes(std::size_t count, unsigned seed) {
    std::vector<std::uint8_t> bytes(count);
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i + 8 <= count; i += 8) {
        std::uint64_t word = random();
        std::memcpy(bytes.data() + i, &word, 8);
    }
    for (std::size_t i = count & ~std::size_t(7); i < count; ++i) bytes[i] = std::uint8_t(random());
    return bytes;
}

/// Sizes around the threshold of staging, a chunk, the ring (32 MiB), and their neighbours.
class CopySizes : public CudaTest, public testing::WithParamInterface<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Bytes, CopySizes,
                         testing::Values(0, 1, 7, 4096, MiB - 1, MiB, MiB + 1, 2 * MiB + 13, 3 * MiB - 5, 16 * MiB,
                                         32 * MiB, 32 * MiB + 1, 77 * MiB + 333));

TEST_P(CopySizes, PageableMemoryGoesToTheDeviceAndBack) {
    std::size_t bytes = GetParam();
    auto* memory = static_cast<std::uint8_t*>(device_->allocate(MemoryKind::Device, bytes + 64));
    for (std::size_t shift : {0, 1, 17}) {
        std::vector<std::uint8_t> source = random_bytes(bytes + shift, unsigned(shift));
        const std::vector<std::uint8_t> original = source;
        stream_->copy_to_device(memory + shift, source.data() + shift, bytes);
        // The source may be reused as soon as the copy returns.
        std::fill(source.begin(), source.end(), 0xee);
        std::vector<std::uint8_t> back(bytes + shift, 0);
        stream_->copy_to_host(back.data() + shift, memory + shift, bytes);
        EXPECT_TRUE(bytes == 0 || std::memcmp(back.data() + shift, original.data() + shift, bytes) == 0);
        EXPECT_EQ(std::accumulate(back.begin(), back.begin() + long(shift), 0), 0) << "wrote before the destination";
    }
    device_->release(MemoryKind::Device, memory);
}

TEST_F(Copies, PageableUploadsAreOrderedWithTheStreamsOtherWork) {
    constexpr std::size_t bytes = 8 * MiB;
    auto* first = static_cast<std::uint8_t*>(device_->allocate(MemoryKind::Device, bytes));
    auto* second = static_cast<std::uint8_t*>(device_->allocate(MemoryKind::Device, bytes));
    std::vector<std::uint8_t> a = random_bytes(bytes, 1), b = random_bytes(bytes, 2), out_a(bytes), out_b(bytes);
    stream_->copy_to_device(first, a.data(), bytes);
    stream_->copy_on_device(second, first, bytes);
    stream_->copy_to_device(first, b.data(), bytes);
    stream_->copy_to_host(out_a.data(), second, bytes);
    stream_->copy_to_host(out_b.data(), first, bytes);
    EXPECT_EQ(out_a, a);
    EXPECT_EQ(out_b, b);
    device_->release(MemoryKind::Device, first);
    device_->release(MemoryKind::Device, second);
}

TEST_F(Copies, PinnedMemoryIsCopiedAsynchronously) {
    constexpr std::size_t bytes = 4 * MiB;
    auto* pinned = static_cast<std::uint8_t*>(device_->allocate(MemoryKind::Pinned, bytes));
    auto* back = static_cast<std::uint8_t*>(device_->allocate(MemoryKind::Pinned, bytes));
    void* memory = device_->allocate(MemoryKind::Device, bytes);
    std::memset(pinned, 0x5a, bytes);
    std::memset(back, 0, bytes);
    std::size_t before = fake_cuda::pending();
    stream_->copy_to_device(memory, pinned, bytes);
    stream_->copy_to_host(back, memory, bytes);
    EXPECT_EQ(fake_cuda::pending(), before + 2);
    EXPECT_EQ(back[bytes - 1], 0);
    stream_->synchronize();
    EXPECT_EQ(back[bytes - 1], 0x5a);
    device_->release(MemoryKind::Pinned, pinned);
    device_->release(MemoryKind::Pinned, back);
    device_->release(MemoryKind::Device, memory);
}

TEST_F(Copies, PartlyRegisteredMemoryIsTreatedAsPageable) {
    std::vector<std::uint8_t> source = random_bytes(4 * MiB, 3), back(4 * MiB);
    device_->register_host(source.data(), MiB);
    void* memory = device_->allocate(MemoryKind::Device, 4 * MiB);
    stream_->copy_to_device(memory, source.data(), 4 * MiB);
    stream_->copy_to_host(back.data(), memory, 4 * MiB);
    EXPECT_EQ(source, back);
    device_->unregister_host(source.data());
    device_->release(MemoryKind::Device, memory);
}

TEST_F(Copies, WithoutPinnedMemoryTheDriverCopies) {
    std::string reason;
    auto fresh = backend::cuda_devices(reason);
    auto stream = fresh[0]->create_stream();
    std::vector<std::uint8_t> source = random_bytes(5 * MiB, 4), back(5 * MiB);
    void* memory = fresh[0]->allocate(MemoryKind::Device, source.size());
    fake_cuda::settings().failures["cuMemHostAlloc"] = CUDA_ERROR_OUT_OF_MEMORY;
    stream->copy_to_device(memory, source.data(), source.size());
    stream->copy_to_host(back.data(), memory, back.size());
    EXPECT_EQ(source, back);
    fresh[0]->release(MemoryKind::Device, memory);
}

TEST_F(Copies, AFailureInTheMiddleIsReportedAndTheNextCopyWorks) {
    std::vector<std::uint8_t> source = random_bytes(40 * MiB, 5), back(40 * MiB);
    void* memory = device_->allocate(MemoryKind::Device, source.size());
    fake_cuda::settings().failures["cuEventRecord"] = CUDA_ERROR_UNKNOWN;
    Error error = error_of([&] { stream_->copy_to_device(memory, source.data(), source.size()); });
    EXPECT_SAYS(error, "cuEventRecord");
    error = error_of([&] { stream_->copy_to_host(back.data(), memory, back.size()); });
    EXPECT_SAYS(error, "cuEventRecord");
    fake_cuda::settings().failures.clear();
    stream_->copy_to_device(memory, source.data(), source.size());
    stream_->copy_to_host(back.data(), memory, back.size());
    EXPECT_EQ(source, back);
    device_->release(MemoryKind::Device, memory);
}

TEST_F(Copies, ManyThreadsCopyAtOnce) {
    constexpr std::size_t bytes = 6 * MiB + 7;
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (unsigned t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            auto stream = device_->create_stream();
            void* memory = device_->allocate(MemoryKind::Device, bytes);
            for (unsigned round = 0; round < 3; ++round) {
                std::vector<std::uint8_t> source = random_bytes(bytes, t * 100 + round), back(bytes);
                stream->copy_to_device(memory, source.data(), bytes);
                stream->copy_to_host(back.data(), memory, bytes);
                if (source != back) ++wrong;
            }
            device_->release(MemoryKind::Device, memory);
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(Copies, CapturedStreamsAreLeftToTheDriver) {
    std::vector<std::uint8_t> source = random_bytes(4 * MiB, 6);
    void* memory = device_->allocate(MemoryKind::Device, source.size());
    fake_cuda::settings().capturing = true;
    fake_cuda::take_calls();
    stream_->copy_to_device(memory, source.data(), source.size());
    EXPECT_FALSE(called(fake_cuda::take_calls(), "cuEventRecord"));
    device_->release(MemoryKind::Device, memory);
}

template <class T>
void expect_filled(Device& device, Stream& stream, T pattern, std::size_t count, std::size_t offset) {
    std::size_t bytes = count * sizeof(T);
    auto* memory = static_cast<std::uint8_t*>(device.allocate(MemoryKind::Device, bytes + 64));
    stream.fill(memory, 0xcc, 1, bytes + 64);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &pattern, sizeof pattern);
    stream.fill(memory + offset, bits, sizeof(T), count);
    std::vector<std::uint8_t> back(bytes + 64);
    stream.copy_to_host(back.data(), memory, back.size());
    std::vector<T> expected(count, pattern);
    EXPECT_EQ(std::memcmp(back.data() + offset, expected.data(), bytes), 0) << sizeof(T) << " x " << count;
    for (std::size_t i = 0; i < offset; ++i) EXPECT_EQ(back[i], 0xcc);
    for (std::size_t i = offset + bytes; i < back.size(); ++i) EXPECT_EQ(back[i], 0xcc);
    device.release(MemoryKind::Device, memory);
}

TEST_F(Copies, FillRepeatsPatternsOfAllWidths) {
    for (std::size_t count : {1, 3, 65536, 65537, 300001}) {
        expect_filled(*device_, *stream_, std::uint8_t(0x12), count, 0);
        expect_filled(*device_, *stream_, std::uint16_t(0x1234), count, 0);
        expect_filled(*device_, *stream_, 3.25f, count, 0);
        expect_filled(*device_, *stream_, 3.14159265358979, count, 0);
        expect_filled(*device_, *stream_, std::uint64_t(0x0101010101010101), count, 0);
        expect_filled(*device_, *stream_, std::uint64_t(0x0000000200000002), count, 0);
    }
}

TEST_F(Copies, FillReachesUnalignedElements) {
    expect_filled(*device_, *stream_, 2.71828f, 70000, 3);
    expect_filled(*device_, *stream_, 2.718281828, 70000, 4);
    expect_filled(*device_, *stream_, 2.718281828, 70000, 7);
    expect_filled(*device_, *stream_, std::uint16_t(0xabcd), 1000, 1);
}

TEST_F(Copies, FillOfNothingAndOfOddWidths) {
    stream_->fill(nullptr, 0, 4, 0);
    Error error = error_of([&] { stream_->fill(nullptr, 0, 3, 1); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "3 bytes", "1, 2, 4 or 8");
}

}  // namespace
}  // namespace lanewise
