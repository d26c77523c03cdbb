// Running reductions along an axis: plans and launches.
//
// On CUDA, lines that are contiguous in memory are scanned in one pass (scan_tiles.cpp). Elsewhere a thread walks along
// a line. Where there are too few lines to fill the device, they are cut into chunks, and there are three launches: the
// total of each chunk, the running totals, and the scan of each chunk from the total before it.
#include "array/scan.h"

#include <algorithm>
#include <bit>

#include "array/launcher.h"
#include "array/normal_axis.h"
#include "array/operands.h"
#include "array/scan_code.h"

namespace lanewise {
namespace {

/// Lines of fewer elements are a thread's.
constexpr std::int64_t least_tile_line = 8;
constexpr int most_rounds = 8;
/// Threads of a block that a line, or a tile of it, has for itself.
constexpr int small_block = 256, large_block = 512;
/// Of accumulated values a thread has.
constexpr int most_thread_bytes = 128;
/// Instructions for all elements of a thread.
constexpr std::size_t most_thread_code = 512;

std::int64_t pieces(std::int64_t whole, std::int64_t piece) {
    return (whole + piece - 1) / piece;
}

int power_of_two_from(std::int64_t count) {
    return static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(count)));
}

template <class Do>
void each_operand(const Program& program, const Access& target, Do&& action) {
    action(target, 0);
    for (std::size_t i = 0; i < program.leaves.size(); ++i) action(program.leaves[i], i + 1);
}

/// Elements that all operands can be moved at once: 16 bytes of the widest.
int vector_of(const Program& program, const ScanPlan& plan, const Access& target) {
    int widest = 1;
    bool runs = true;
    each_operand(program, target, [&](const Access& access, std::size_t k) {
        if (access.is_iota || (k > 0 && plan.innermost[k - 1] == Innermost::Same)) return;
        widest = std::max(widest, size_of(access.dtype));
        runs &= plan.steps[k] == access.item();
    });
    if (!runs) return 1;
    const int vector = std::max(16 / widest, 1);
    bool aligned = true;
    each_operand(program, target, [&](const Access& access, std::size_t k) {
        if (access.is_iota || (k > 0 && plan.innermost[k - 1] == Innermost::Same)) return;
        std::int64_t bits = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(access.address));
        if (plan.lines > 1)
            for (std::int64_t stride : plan.line_strides[k]) bits |= stride;
        aligned &= bits % std::min(16, vector * size_of(access.dtype)) == 0;
    });
    return aligned && (plan.lines == 1 || plan.length % vector == 0) ? vector : 1;
}

void plan_tiles(const Program& program, const Access& target, DType accumulated, Device& device, ScanPlan& plan) {
    plan.kind = ScanPlan::Kind::Tiles;
    for (std::size_t i = 0; i < program.leaves.size(); ++i) {
        const std::int64_t step = plan.steps[i + 1];
        plan.innermost.push_back(step == 0                          ? Innermost::Same
                                 : step == program.leaves[i].item() ? Innermost::Unit
                                                                    : Innermost::Strided);
    }
    plan.vector = vector_of(program, plan, target);
    plan.exact = plan.length % plan.vector == 0;
    int most = std::clamp(most_thread_bytes / (plan.vector * size_of(accumulated)), 1, most_rounds);
    while (most > 1 && static_cast<std::size_t>(most * plan.vector) * program.code.size() > most_thread_code) most /= 2;
    const std::int64_t runs = pieces(plan.length, plan.vector);
    if (runs <= std::int64_t(32) * most) {
        plan.lanes = power_of_two_from(std::min<std::int64_t>(runs, 32));
        plan.rounds = power_of_two_from(pieces(runs, plan.lanes));
        return;
    }
    plan.lanes = runs <= std::int64_t(small_block) * most ? small_block : large_block;
    plan.rounds = std::min(most, power_of_two_from(pieces(runs, plan.lanes)));
    // Room is left for the totals of warps.
    constexpr std::int64_t other_shared = 1 << 10;
    const std::int64_t shared = device.attribute(DeviceAttribute::MaxSharedPerBlockOptin) - other_shared;
    const std::int64_t processors = device.attribute(DeviceAttribute::MultiprocessorCount);
    while (plan.rounds > 1 && (plan.tile_elements() * size_of(accumulated) > shared ||
                               plan.lines * pieces(plan.length, plan.tile_elements()) < 2 * processors))
        plan.rounds /= 2;
    plan.tiles = pieces(plan.length, plan.tile_elements());
    for (std::int64_t groups = plan.tiles; groups > 1; groups = pieces(groups, std::int64_t(1) << scan_radix_bits))
        ++plan.levels;
}

void plan_chunks(bool cuda, std::int64_t processors, ScanPlan& plan) {
    const std::int64_t wanted = cuda ? processors * 2048 : processors >= 4 ? processors : 1;
    const std::int64_t own = cuda ? plan.lines : (plan.lines + 511) / 512;
    const std::int64_t least = cuda ? 32 : 16384;
    plan.chunks = std::clamp<std::int64_t>(wanted / std::max<std::int64_t>(own, 1), 1,
                                           std::max<std::int64_t>(1, plan.length / least));
    plan.chunks = std::min<std::int64_t>(plan.chunks, 2048);
    plan.chunk = pieces(plan.length, plan.chunks);
    plan.chunks = std::max<std::int64_t>(1, pieces(plan.length, std::max<std::int64_t>(plan.chunk, 1)));
}

bool may_raise(const Program& program) {
    return std::any_of(program.gathers.begin(), program.gathers.end(),
                       [](const GatherMode& gather) { return gather.mode == IndexMode::Raise; });
}

std::vector<std::uint32_t> key_of(const Program& program, const ReduceSpec& spec, const ScanPlan& plan, DType target) {
    const bool tiles = plan.kind == ScanPlan::Kind::Tiles;
    std::vector<std::uint32_t> key{0xc0000000u | std::uint32_t(spec.op) | std::uint32_t(spec.type) << 8 |
                                       std::uint32_t(target) << 16 | std::uint32_t(tiles) << 24 |
                                       std::uint32_t(plan.in_step) << 25 | std::uint32_t(plan.totals) << 26 |
                                       std::uint32_t(plan.offsets) << 27,
                                   std::uint32_t(spec.value) | std::uint32_t(plan.line_shape.size()) << 16};
    if (tiles) {
        key.push_back(std::uint32_t(plan.lanes) | std::uint32_t(plan.vector) << 16 | std::uint32_t(plan.rounds) << 24);
        key.push_back(std::uint32_t(plan.levels) | std::uint32_t(plan.exact) << 8);
        for (Innermost innermost : plan.innermost) key.push_back(std::uint32_t(innermost));
    }
    program.append_key(key);
    return key;
}

int held_bytes(const ReduceSpec& spec, const ScanPlan& plan) {
    return static_cast<int>(plan.tile_elements()) * size_of(accumulator(spec.type));
}

/// Registers are left for blocks to fill the shared memory of a multiprocessor.
LaunchBounds bounds_of(const Program& program, const ReduceSpec& spec, const ScanPlan& plan) {
    constexpr std::size_t most_simple_code = 4;
    LaunchBounds bounds;
    if (plan.kind != ScanPlan::Kind::Tiles) return bounds;
    bounds.threads = plan.block_threads();
    const int values = size_of(accumulator(spec.type)) / 4;
    if (plan.is_held() && values <= 2 && program.code.size() <= most_simple_code)
        bounds.blocks = 3 * large_block / bounds.threads;
    if (plan.is_held()) bounds.shared_bytes = held_bytes(spec, plan);
    return bounds;
}

/// `extra`: of a serial scan the totals that chunks start from, of tiles the words in which they publish theirs.
void launch(const Program& program, const ReduceSpec& spec, const ScanPlan& plan, const Access& target,
            const std::shared_ptr<Buffer>& extra, const std::shared_ptr<Stream>& stream) {
    std::vector<std::uint32_t> key = key_of(program, spec, plan, target.dtype);
    Kernel& kernel = KernelTable::instance().find_or_build(
        stream->device(), key, [&] { return scan_module(program, spec, plan, target.dtype); },
        bounds_of(program, spec, plan));
    ParameterPack parameters;
    parameters.add(target.address);
    target.buffer->used_on(stream);
    if (extra) parameters.add(extra->data());
    for (const Access& leaf : program.leaves) {
        if (leaf.buffer) leaf.buffer->used_on(stream);
        leaf.is_iota ? parameters.add(leaf.start) : parameters.add(leaf.address);
    }
    parameters.add(plan.lines);
    parameters.add(plan.length);
    LaunchConfig config;
    if (plan.kind == ScanPlan::Kind::Serial) {
        parameters.add(plan.chunk);
        config.block.x = plan.in_step ? 512 : 64;
        config.grid.x = static_cast<std::uint32_t>(pieces(plan.lines, config.block.x));
        config.grid.y = static_cast<std::uint32_t>(plan.chunks);
    } else {
        if (plan.levels > 0) {
            parameters.add(plan.tiles);
            parameters.add(plan.line_words());
            std::int64_t start = 0;
            for (int level = 0; level < plan.levels; start += plan.level_words(level++)) parameters.add(start);
        }
        config.block.x = static_cast<std::uint32_t>(plan.block_threads());
        config.grid.x = static_cast<std::uint32_t>(pieces(plan.lines * plan.tiles, plan.block_threads() / plan.lanes));
        if (plan.is_held()) config.dynamic_shared_bytes = static_cast<std::uint32_t>(held_bytes(spec, plan));
    }
    for (std::int64_t extent : plan.line_shape) parameters.add(extent);
    for (std::size_t k = 0; k <= program.leaves.size(); ++k) {
        parameters.add(plan.steps[k]);
        for (std::int64_t stride : plan.line_strides[k]) parameters.add(stride);
    }
    for (std::uint64_t word : program.scalars) parameters.add_word(word);
    each_indexed_axis(program, [&](const IndexedAxis& axis) {
        parameters.add(axis.stride);
        parameters.add(axis.extent);
    });
    engine::count_launch();
    stream->launch(kernel, config, parameters.bytes());
}

void run_tiles(const Program& program, const ReduceSpec& spec, const ScanPlan& plan, const Access& target,
               const std::shared_ptr<Stream>& stream) {
    if (plan.levels == 0) return launch(program, spec, plan, target, nullptr, stream);
    const std::int64_t total_words = std::max(size_of(accumulator(spec.type)) / 4, 1);
    // The first of them counts the tiles that have started.
    const auto words = static_cast<std::size_t>(total_words * (1 + plan.lines * plan.line_words()));
    const std::shared_ptr<Buffer> published = Buffer::create(stream, words * sizeof(std::uint64_t));
    stream->fill(published->data(), 0, sizeof(std::uint64_t), words);
    launch(program, spec, plan, target, published, stream);
}

void run(const Program& program, const ReduceSpec& spec, int axis, const Access& target,
         const std::shared_ptr<Stream>& stream) {
    const DType type = accumulator(spec.type);
    ScanPlan plan = plan_scan(program, axis, target, type, stream->device());
    if (plan.kind == ScanPlan::Kind::Tiles) return run_tiles(program, spec, plan, target, stream);
    if (plan.chunks == 1) return launch(program, spec, plan, target, nullptr, stream);
    auto memory = [&] {
        Access access;
        access.dtype = type;
        access.buffer = Buffer::create(
            stream, static_cast<std::size_t>(plan.lines * plan.chunks) * static_cast<std::size_t>(size_of(type)));
        access.address = static_cast<std::byte*>(access.buffer->data());
        access.strides = Dims{size_of(type), plan.lines * size_of(type)};
        return access;
    };
    const Access totals = memory(), running = memory();
    ScanPlan first = plan;
    first.totals = true;
    launch(program, spec, first, totals, nullptr, stream);
    Program second;
    second.shape = Dims{plan.lines, plan.chunks};
    second.leaves.push_back(totals);
    second.code.push_back({ElementOp::Load, type, type, {0, 0, 0}});
    ReduceSpec joined = spec;
    joined.type = type;
    joined.value = 0;
    run(second, joined, 1, running, stream);
    plan.offsets = true;
    launch(program, spec, plan, target, running.buffer, stream);
}

Array running_total(const char* call, Reduction op, const Array& x, std::optional<int> axis,
                    std::optional<DType> dtype) {
    const DType own = x.dtype();
    const DType type = dtype                            ? *dtype
                       : is_bool(own) || is_signed(own) ? DType::Int64
                       : is_unsigned(own)               ? DType::UInt64
                                                        : own;
    return running(call, op, x, axis, type);
}

}  // namespace

std::int64_t ScanPlan::level_words(int level) const {
    return pieces(tiles, std::int64_t(1) << (scan_radix_bits * level));
}

std::int64_t ScanPlan::line_words() const {
    std::int64_t count = 0;
    for (int level = 0; level < levels; ++level) count += level_words(level);
    return count;
}

ScanPlan plan_scan(const Program& program, int axis, const Access& target, DType accumulated, Device& device) {
    ScanPlan plan;
    plan.length = program.shape[axis];
    each_operand(program, target, [&](const Access& access, std::size_t) {
        Dims strides;
        for (int d = 0; d < program.shape.size(); ++d)
            if (d != axis) strides.push_back(access.strides[d]);
        plan.line_strides.push_back(std::move(strides));
        plan.steps.push_back(access.strides[axis]);
    });
    for (int d = 0; d < program.shape.size(); ++d)
        if (d != axis) {
            plan.line_shape.push_back(program.shape[d]);
            plan.lines *= program.shape[d];
        }
    const bool cuda = engine::planned_kind(device) == DeviceKind::Cuda;
    const bool contiguous = plan.steps[0] == size_of(target.dtype);
    if (cuda && contiguous && plan.length >= least_tile_line) {
        plan_tiles(program, target, accumulated, device, plan);
    } else {
        plan.in_step = !cuda && !contiguous && plan.lines >= 16;
        plan_chunks(cuda, device.attribute(DeviceAttribute::MultiprocessorCount), plan);
    }
    return plan;
}

std::unique_ptr<ir::Module> scan_module(const Program& program, const ReduceSpec& spec, const ScanPlan& plan,
                                        DType target) {
    return plan.kind == ScanPlan::Kind::Tiles ? tile_scan_module(program, spec, plan, target)
                                              : serial_scan_module(program, spec, plan, target);
}

Array running(const char* call, Reduction op, const Array& given, std::optional<int> axis, DType type) {
    const Array x = axis ? given : reshape(given, {-1});
    const int at = normal_axis(call, axis.value_or(0), x.ndim());
    const std::shared_ptr<Stream> stream = stream_of(x);
    const Array result = Array::empty(x.shape(), type, stream);
    if (x.size() == 0) return result;
    const Input input = ArrayAccess::input(x, x.shape());
    {
        const engine::Exclusive lock;
        GroupBuilder group(x.shape(), stream);
        ReduceSpec spec;
        spec.op = op;
        spec.type = type;
        spec.value = group.input(input, type);
        Access target;
        target.dtype = type;
        target.buffer = ArrayAccess::memory(result);
        target.address = static_cast<std::byte*>(target.buffer->data());
        target.strides = result.strides();
        if (!may_raise(group.program())) {
            run(group.program(), spec, at, target, stream);
            return result;
        }
    }
    // Threads that end at an index out of bounds would leave others waiting for them.
    evaluate(x);
    return running(call, op, x, at, type);
}

Array cumsum(const Array& x, std::optional<int> axis, std::optional<DType> dtype) {
    return running_total("cumsum", Reduction::Sum, x, axis, dtype);
}
Array cumprod(const Array& x, std::optional<int> axis, std::optional<DType> dtype) {
    return running_total("cumprod", Reduction::Prod, x, axis, dtype);
}

}  // namespace lanewise
