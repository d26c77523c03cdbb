#include "backend/cpu/launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "backend/cpu/grid_barrier.h"
#include "backend/cpu/host_threads.h"
#include "backend/cpu/print.h"
#include "backend/cpu/services.h"
#include "backend/cpu/thread_start.h"
#include "runtime/entry_name.h"
#include "runtime/raise_report.h"

namespace lanewise::cpu {

namespace {

/// A launch that takes no longer than this is not worth waking a sleeping thread for.
constexpr double alone_ns = 10'000;
/// How long a piece should take: long against handing it out, short against the whole.
constexpr double piece_ns = 20'000;

constexpr std::size_t alignment = 64;

std::size_t round_up(std::size_t value, std::size_t to) {
    return (value + to - 1) / to * to;
}

/// A thread's memory for the shared memory and the context of the block it runs; grows on demand.
class Scratch {
public:
    ~Scratch() { std::free(data_); }
    std::byte* at_least(std::size_t bytes) {
        if (bytes <= bytes_) return data_;
        std::free(data_);
        bytes_ = 0;
        data_ = static_cast<std::byte*>(std::aligned_alloc(alignment, round_up(bytes, alignment)));
        if (!data_)
            throw Error(ErrorKind::OutOfMemory,
                        fmt::format("cpu device: cannot allocate {} bytes for the shared memory and context of a block",
                                    bytes));
        bytes_ = bytes;
        return data_;
    }

private:
    std::byte* data_ = nullptr;
    std::size_t bytes_ = 0;
};

Scratch& scratch() {
    thread_local Scratch memory;
    return memory;
}

Error report(const Image& image, const EntryPoint& entry, const ErrorSlot& slot) {
    const std::string& name = shown_name(entry);
    if (slot.site == barrier_site) {
        std::string place = slot.values[0] ? fmt::format(" (line {})", slot.values[0]) : std::string();
        Error error(ErrorKind::KernelRaised,
                    fmt::format("kernel '{}': a barrier{} was reached by some threads while others had ended or waited "
                                "elsewhere; all threads must reach the same barrier",
                                name, place));
        error.python_class = "RuntimeError";
        return error;
    }
    if (slot.site == trap_site) {
        Error error(
            ErrorKind::KernelRaised,
            fmt::format("kernel '{}' trapped in thread ({}, {}, {}) of block ({}, {}, {})", name, slot.thread[0],
                        slot.thread[1], slot.thread[2], slot.block[0], slot.block[1], slot.block[2]));
        error.python_class = "RuntimeError";
        return error;
    }
    if (slot.site == index_site) {
        return Error(
            ErrorKind::Value,
            fmt::format("kernel '{}' computes indices of threads in 32 bits, and on this grid they would reach {}; "
                        "the cpu device runs it with indices below {}. Compute them in 64 bits, as in (long "
                        "long)blockIdx.x * blockDim.x, or launch fewer blocks",
                        name, slot.values[0], std::uint64_t{1} << 31));
    }
    if (slot.site == assert_site) {
        const auto text = [&](int i) { return reinterpret_cast<const char*>(slot.values[i]); };
        Error error(
            ErrorKind::KernelRaised,
            fmt::format("{}:{}: {}: assertion `{}` failed [kernel '{}', thread ({}, {}, {}) of block ({}, {}, {})]",
                        text(1), slot.values[3], text(2), text(0), name, slot.thread[0], slot.thread[1], slot.thread[2],
                        slot.block[0], slot.block[1], slot.block[2]));
        error.python_class = "AssertionError";
        return error;
    }
    return raised_error(image, entry, slot);
}

class LaunchCommand final : public Command {
public:
    LaunchCommand(const CpuKernel& kernel, const LaunchConfig& config, std::span<const std::byte> parameters);
    void run() override;

private:
    void run_pieces();
    void run_cooperative();
    void run_blocks(std::uint64_t first, std::uint64_t count) noexcept;
    void learn(double ns, int threads);

    const std::shared_ptr<Module> module_;
    KernelState& state_;
    const std::uint64_t blocks_;
    const bool cooperative_;
    std::size_t shared_bytes_ = 0;
    std::size_t context_bytes_ = 0;
    Launch launch_{};
    ErrorSlot error_{};
    std::mutex failure_mutex_;
    std::exception_ptr failure_;  ///< of the device rather than the kernel
    /// Room for `small_bytes` bytes at a multiple of `alignment`, which is as aligned as parameters can ask to be.
    static constexpr std::size_t small_bytes = 192;
    std::array<std::byte, small_bytes + alignment - 1> small_parameters_;
    struct AlignedDelete {
        void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t(alignment)); }
    };
    std::unique_ptr<std::byte[], AlignedDelete> large_parameters_;
};

LaunchCommand::LaunchCommand(const CpuKernel& kernel, const LaunchConfig& config, std::span<const std::byte> parameters)
    : module_(kernel.module()),
      state_(kernel.state()),
      blocks_(config.grid.count()),
      cooperative_(config.cooperative || kernel.entry().cooperative) {
    const EntryPoint& entry = kernel.entry();
    shared_bytes_ = round_up(round_up(entry.static_shared_bytes, 16) + config.dynamic_shared_bytes, alignment);
    context_bytes_ = std::size_t{entry.context_bytes_per_thread} * round_up(config.block.count(), warp_size);
    // An over-aligned object would cost a slower allocation at each launch.
    std::byte* copy =
        reinterpret_cast<std::byte*>(round_up(reinterpret_cast<std::uintptr_t>(small_parameters_.data()), alignment));
    if (parameters.size() > small_bytes) {
        large_parameters_.reset(new (std::align_val_t(alignment)) std::byte[parameters.size()]);
        copy = large_parameters_.get();
    }
    if (!parameters.empty()) std::memcpy(copy, parameters.data(), parameters.size());
    launch_ = {.grid = {config.grid.x, config.grid.y, config.grid.z},
               .block = {config.block.x, config.block.y, config.block.z},
               .dynamic_shared_bytes = config.dynamic_shared_bytes,
               .reserved = 0,
               .parameters = copy,
               .error = &error_,
               .services = &kernel_services,
               .grid_barrier = nullptr};
}

void LaunchCommand::run() {
    // A graph runs its launches again and again.
    error_ = {};
    failure_ = nullptr;
    std::uint64_t prints = print_count();
    if (cooperative_)
        run_cooperative();
    else
        run_pieces();
    if (print_count() != prints) flush_prints();
    if (failure_) std::rethrow_exception(failure_);
    if (error_.claimed) throw report(module_->image(), *state_.entry, error_);
}

void LaunchCommand::run_pieces() {
    WorkerPool& workers = host_threads().workers;
    double block_ns = state_.block_ns.load(std::memory_order_relaxed);
    std::uint64_t threads = static_cast<std::uint64_t>(workers.threads());
    std::uint64_t fair = std::max<std::uint64_t>(1, blocks_ / (threads * 8));
    std::uint64_t chunk = fair;
    int helpers = workers.threads() - 1;
    if (block_ns > 0) {
        double all_ns = block_ns * static_cast<double>(blocks_);
        helpers = static_cast<int>(std::min<double>(helpers, all_ns / alone_ns));
        chunk = static_cast<std::uint64_t>(std::clamp(piece_ns / block_ns, 1.0, static_cast<double>(fair)));
    }
    std::int64_t start = now_ns();
    int used = workers.run(blocks_, chunk, helpers,
                           [this](std::uint64_t first, std::uint64_t count) noexcept { run_blocks(first, count); });
    learn(static_cast<double>(now_ns() - start), used);
}

/// Rises at once and falls slowly, so that a kernel that is sometimes long gets helpers from its first block on.
void LaunchCommand::learn(double ns, int threads) {
    double measured = std::max(1.0, ns * threads / static_cast<double>(blocks_));
    double before = state_.block_ns.load(std::memory_order_relaxed);
    double after = before == 0 || measured > before ? measured : before + (measured - before) / 8;
    state_.block_ns.store(static_cast<float>(after), std::memory_order_relaxed);
}

void LaunchCommand::run_blocks(std::uint64_t first, std::uint64_t count) noexcept {
    if (ends_launch(error_)) return;
    try {
        std::byte* memory = scratch().at_least(shared_bytes_ + context_bytes_);
        state_.function(&launch_, first, count, memory, memory + shared_bytes_);
    } catch (...) {
        std::lock_guard lock(failure_mutex_);
        if (!failure_) failure_ = std::current_exception();
    }
}

/// Every block on a thread of its own, since all must be able to wait for each other.
void LaunchCommand::run_cooperative() {
    struct Meeting {
        Meeting(std::uint64_t blocks, ErrorSlot& error) : barrier(blocks, error), running(blocks) {}
        GridBarrier barrier;
        std::mutex mutex;
        std::condition_variable ended;
        std::uint64_t running;
        std::uint64_t next = 0;
        LaunchCommand* command = nullptr;

        void run_one() {
            std::uint64_t block;
            {
                std::lock_guard lock(mutex);
                block = next++;
            }
            command->run_blocks(block, 1);
            barrier.leave();
            std::lock_guard lock(mutex);
            if (--running == 0) ended.notify_all();
        }
        void abandon(std::uint64_t blocks) {
            for (std::uint64_t i = 0; i < blocks; ++i) barrier.leave();
            std::lock_guard lock(mutex);
            running -= blocks;
        }
    };
    // Shared, so that a thread may still be leaving run_one() when this one goes on.
    auto meeting = std::make_shared<Meeting>(blocks_, error_);
    meeting->command = this;
    launch_.grid_barrier = &meeting->barrier;
    for (std::uint64_t i = 1; i < blocks_; ++i) {
        try {
            host_threads().elastic.post({meeting, [](void* data) { static_cast<Meeting*>(data)->run_one(); }});
        } catch (const Error&) {
            // The blocks that have no thread count as ended, so that those that have one do not wait for them.
            std::lock_guard lock(failure_mutex_);
            failure_ = std::current_exception();
            meeting->abandon(blocks_ - i);
            break;
        }
    }
    meeting->run_one();
    std::unique_lock lock(meeting->mutex);
    meeting->ended.wait(lock, [&] { return meeting->running == 0; });
}

}  // namespace

std::unique_ptr<Command> make_launch(const CpuKernel& kernel, const LaunchConfig& config,
                                     std::span<const std::byte> parameters) {
    return std::make_unique<LaunchCommand>(kernel, config, parameters);
}

}  // namespace lanewise::cpu
