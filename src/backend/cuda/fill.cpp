// CudaStream::fill: patterns of 1 to 8 bytes by the driver's memsets, which know 1, 2 and 4.
#include <fmt/format.h>

#include <algorithm>

#include "backend/cuda/context.h"
#include "backend/cuda/stream.h"

namespace lanewise::cuda {

namespace {

/// The narrowest width that repeats to the pattern: 0x0101 is 0x01 twice.
int narrowest(std::uint64_t pattern, int width) {
    while (width > 1) {
        int half = width / 2, bits = half * 8;
        std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
        if ((pattern & mask) != (pattern >> bits & mask)) break;
        width = half;
    }
    return width;
}

}  // namespace

void CudaStream::fill(void* dst, std::uint64_t pattern, int width, std::size_t count) {
    if (width != 1 && width != 2 && width != 4 && width != 8)
        throw Error(ErrorKind::Value, fmt::format("fill: elements of {} bytes; expected 1, 2, 4 or 8", width));
    if (count == 0) return;
    ContextScope scope(device_);
    int step = narrowest(pattern, width);
    std::size_t steps = count * std::size_t(width / step);
    CUdeviceptr at = address(dst);
    if (step == 8 || at % unsigned(step) != 0) {
        fill_strided(at, pattern, step, steps);
    } else if (step == 4) {
        driver.cuMemsetD32Async(at, unsigned(pattern), steps, queue());
    } else if (step == 2) {
        driver.cuMemsetD16Async(at, static_cast<unsigned short>(pattern), steps, queue());
    } else {
        driver.cuMemsetD8Async(at, static_cast<unsigned char>(pattern), steps, queue());
    }
}

void CudaStream::fill_strided(CUdeviceptr dst, std::uint64_t pattern, int width, std::size_t count) {
    // A first stretch by columns, which is slow, then copies of what there is, each twice as long as the one before.
    constexpr std::size_t most_rows = 65536;
    std::size_t rows = std::min(count, most_rows), pitch = std::size_t(width);
    if (width == 8 && dst % 4 == 0) {
        driver.cuMemsetD2D32Async(dst, pitch, unsigned(pattern), 1, rows, queue());
        driver.cuMemsetD2D32Async(dst + 4, pitch, unsigned(pattern >> 32), 1, rows, queue());
    } else {
        for (int i = 0; i < width; ++i)
            driver.cuMemsetD2D8Async(dst + unsigned(i), pitch, static_cast<unsigned char>(pattern >> 8 * i), 1, rows,
                                     queue());
    }
    std::size_t done = rows * pitch, total = count * pitch;
    while (done < total) {
        std::size_t bytes = std::min(done, total - done);
        driver.cuMemcpyAsync(dst + done, dst, bytes, queue());
        done += bytes;
    }
}

}  // namespace lanewise::cuda
