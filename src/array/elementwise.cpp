// Elementwise programs: plans and launches.
//
// On CUDA a thread computes a run of elements whose operands are loaded and stored 16 bytes at a time where they are
// contiguous and aligned. On the cpu device a thread computes one element: the loop over threads vectorises.
#include <algorithm>

#include "array/elementwise_plan.h"
#include "array/engine.h"
#include "array/launcher.h"
#include "array/tiled.h"

namespace lanewise {
namespace {

using Path = ElementwisePath;
using Plan = ElementwisePlan;

constexpr std::int64_t block_threads = elementwise_block, row_piece = elementwise_piece;
/// Elements of a thread on CUDA, a block apart, where they are moved one by one: so that enough bytes are under way.
constexpr int most_apart = 4;
/// Instructions for them, and elements from which on the device has work for fewer threads.
constexpr std::size_t most_apart_code = 64;
constexpr std::int64_t least_apart = std::int64_t(1) << 20;
/// Up to here index arithmetic is 32 bits wide.
constexpr std::int64_t narrow_limit = (std::int64_t(1) << 31) - 1;
/// Rows at least this long are walked one by one on the cpu device.
constexpr std::int64_t long_row = 48;
/// Rows up to this length are a thread's there.
constexpr std::int64_t most_whole_row = 8;
/// Threads of a block that walk along pieces of rows.
constexpr std::int64_t row_threads = 32;
constexpr std::int64_t most_grid_y = 0xffff;

Innermost innermost_of(const Access& access, const Dims& strides) {
    if (strides.empty() || strides.back() == 0) return Innermost::Same;
    return strides.back() == access.item() ? Innermost::Unit : Innermost::Strided;
}

template <class Do>
void each_access(Program& program, Do&& action) {
    std::size_t number = 0;
    for (Store& store : program.stores) action(store.target, number++);
    for (Access& leaf : program.leaves) action(leaf, number++);
}

/// Elements a thread: 16 bytes of the widest operand, at least four where narrower ones then still fill a sector.
int wanted_vector(Program& program) {
    int widest = 1, narrowest = 16;
    each_access(program, [&](const Access& access, std::size_t) {
        if (access.is_iota) return;
        widest = std::max(widest, size_of(access.dtype));
        narrowest = std::min(narrowest, size_of(access.dtype));
    });
    int count = std::max(16 / widest, 1);
    if (count < 4 && narrowest < 16) count = std::min(4, 32 / widest);
    return std::max(count, 1);
}

bool is_aligned(const Access& access, const Dims& strides, int vector) {
    const std::int64_t align = std::min<std::int64_t>(16, vector * size_of(access.dtype));
    if (reinterpret_cast<std::uintptr_t>(access.address) % static_cast<std::uintptr_t>(align) != 0) return false;
    for (int i = 0; i + 1 < strides.size(); ++i)
        if (strides[i] % align != 0) return false;
    return true;
}

/// Runs of `vector` elements lie at multiples of their size wherever indices move them.
bool indices_keep_alignment(const Program& program, int vector) {
    auto keep = [&](const GatherMode& mode, DType dtype) {
        const std::int64_t align = std::min(16, vector * size_of(dtype));
        return std::all_of(mode.axes.begin(), mode.axes.end(),
                           [&](const IndexedAxis& axis) { return axis.stride % align == 0; });
    };
    std::size_t gather = 0;
    for (const Instruction& in : program.code)
        if (in.op == ElementOp::Gather && !keep(program.gathers[gather++], in.result)) return false;
    return std::all_of(program.stores.begin(), program.stores.end(),
                       [&](const Store& store) { return keep(store.scatter, store.target.dtype); });
}

Plan make_plan(Program& program, DeviceKind kind) {
    Plan plan;
    std::vector<const Dims*> strides;
    each_access(program, [&](const Access& access, std::size_t) { strides.push_back(&access.strides); });
    plan.axes = collapse(program.shape, strides, 0);
    const int ndim = plan.axes.shape.size();
    bool flat = ndim <= 1, vectorises = true;
    each_access(program, [&](Access& access, std::size_t k) {
        if (access.is_iota)
            access.start += plan.axes.offsets[k];
        else
            access.address += plan.axes.offsets[k];
        plan.innermost.push_back(innermost_of(access, plan.axes.strides[k]));
        if (!access.is_iota) flat &= plan.innermost.back() != Innermost::Strided;
    });
    bool indexed = !program.gathers.empty();
    for (const Store& store : program.stores) indexed |= !store.indices.empty();
    if (indexed) {
        plan.common = common_values(program, std::span(plan.innermost).subspan(program.stores.size()));
        vectorises = ndim > 1 && has_common_indices(program, plan.common);
        if (!vectorises) plan.common.clear();
    }
    const std::int64_t size = plan.axes.size();
    plan.narrow = size <= narrow_limit - block_threads;
    for (const Store& store : program.stores)
        for (const Access& leaf : program.leaves)
            plan.no_alias &= !store.target.buffer || store.target.buffer != leaf.buffer;
    // An element that is stored more than once must not be computed by threads side by side.
    plan.path = flat ? Path::Flat : Path::Divided;
    const std::int64_t inner = ndim > 0 ? plan.axes.shape.back() : 1;
    if (kind == DeviceKind::Cuda) {
        int vector = vectorises && ndim > 0 ? wanted_vector(program) : 1;
        if (plan.path == Path::Divided)
            while (vector > 1 && inner % vector != 0) vector /= 2;
        each_access(program, [&](const Access& access, std::size_t k) {
            if (access.is_iota || plan.innermost[k] == Innermost::Same) return;
            if (plan.innermost[k] == Innermost::Strided || !is_aligned(access, plan.axes.strides[k], vector))
                vector = 1;
        });
        plan.vector = indexed && !indices_keep_alignment(program, vector) ? 1 : vector;
        if (plan.vector == 1 && !indexed && size >= least_apart && program.code.size() * most_apart <= most_apart_code)
            plan.apart = most_apart;
    } else if (plan.path == Path::Divided && inner <= most_whole_row && vectorises) {
        plan.whole_rows = true;
        plan.vector = static_cast<int>(inner);
    } else if (plan.path == Path::Divided && indexed && vectorises) {
        plan.path = Path::Pieces;
    } else if (plan.path == Path::Divided && (inner >= long_row || !plan.narrow)) {
        plan.path = Path::Rows;
    }
    plan.units = plan.path == Path::Flat     ? (size + plan.vector - 1) / plan.vector
                 : plan.path == Path::Pieces ? size / inner * ((inner + row_piece - 1) / row_piece)
                                             : size / plan.vector;
    return plan;
}

/// Stores one number into contiguous elements by the driver's fill, which costs a third of a launch. False for other
/// programs, and for numbers of 8 bytes that do not repeat within them, which the fill is slow for.
bool fill(const Program& program, const Plan& plan, Stream& stream) {
    if (program.code.size() != 1 || program.code[0].op != ElementOp::Parameter || program.stores.size() != 1)
        return false;
    const Store& store = program.stores[0];
    if (plan.path != Path::Flat || !store.indices.empty() || store.update || plan.innermost[0] != Innermost::Unit)
        return false;
    int width = size_of(store.target.dtype);
    std::uint64_t pattern = program.scalars[0];
    if (is_complex(store.target.dtype)) {
        if (pattern != program.scalars[1]) return false;
        width /= 2;
    }
    auto count = static_cast<std::size_t>(plan.axes.size()) * static_cast<std::size_t>(size_of(store.target.dtype)) /
                 static_cast<std::size_t>(width);
    if (width == 8) {
        if (pattern >> 32 != (pattern & 0xffffffff)) return false;
        width = 4;
        count *= 2;
        pattern &= 0xffffffff;
    }
    stream.fill(store.target.address, pattern, width, count);
    return true;
}

void pack(ParameterPack& parameters, const Program& program, const Plan& plan) {
    const int ndim = plan.axes.shape.size();
    const std::int64_t size = plan.axes.size();
    for (const Store& store : program.stores) parameters.add(store.target.address);
    for (const Access& leaf : program.leaves) leaf.is_iota ? parameters.add(leaf.start) : parameters.add(leaf.address);
    const std::int64_t inner = ndim > 0 ? plan.axes.shape.back() : 1;
    parameters.add(plan.path == Path::Flat ? size : plan.path == Path::Rows ? size / inner : plan.units);
    if (plan.path != Path::Flat)
        for (int d = 0; d < ndim; ++d) {
            std::int64_t extent = plan.axes.shape[d];
            if (d + 1 == ndim && plan.path == Path::Divided) extent /= plan.vector;
            parameters.add(extent);
            if (plan.path == Path::Divided && plan.narrow) parameters.add_word(division_word(extent));
        }
    for (std::size_t k = 0; k < plan.innermost.size(); ++k)
        for (int d = 0; d < ndim; ++d)
            if (d + 1 < ndim || plan.innermost[k] == Innermost::Strided) parameters.add(plan.axes.strides[k][d]);
    for (std::uint64_t word : program.scalars) parameters.add_word(word);
    each_indexed_axis(program, [&](const IndexedAxis& axis) {
        parameters.add(axis.stride);
        parameters.add(axis.extent);
    });
}

}  // namespace

std::unique_ptr<ir::Module> elementwise_module(Program& program, DeviceKind kind) {
    const Plan plan = make_plan(program, kind);
    if (plan.path != Path::Flat)
        if (const auto tiles = plan_tiles(program, plan.axes, plan.no_alias, kind))
            return tiled_module(program, plan.axes, *tiles);
    return write_elementwise(program, plan);
}

void launch_elementwise(Program& program, const std::shared_ptr<Stream>& stream) {
    if (program.stores.empty()) return;
    Device& device = stream->device();
    const DeviceKind kind = engine::planned_kind(device);
    Plan plan = make_plan(program, kind);
    if (kind == DeviceKind::Cuda && fill(program, plan, *stream)) return engine::count_launch();
    if (plan.path != Path::Flat)
        if (const auto tiles = plan_tiles(program, plan.axes, plan.no_alias, kind))
            return launch_tiled(program, plan.axes, *tiles, stream);
    thread_local std::vector<std::uint32_t> key;
    key.clear();
    key.push_back(std::uint32_t(plan.path) | std::uint32_t(plan.vector) << 8 | std::uint32_t(plan.narrow) << 16 |
                  std::uint32_t(plan.no_alias) << 17 | std::uint32_t(plan.whole_rows) << 18 |
                  std::uint32_t(plan.apart) << 20 | std::uint32_t(plan.axes.shape.size()) << 24);
    std::uint32_t word = 1;
    for (Innermost innermost : plan.innermost) {
        word = word << 2 | std::uint32_t(innermost);
        if (word >> 30) {
            key.push_back(word);
            word = 1;
        }
    }
    key.push_back(word);
    program.append_key(key);
    Kernel& kernel =
        KernelTable::instance().find_or_build(device, key, [&] { return write_elementwise(program, plan); });

    ParameterPack parameters;
    pack(parameters, program, plan);
    LaunchConfig config;
    config.block.x = block_threads;
    if (plan.path == Path::Rows) {
        const std::int64_t inner = plan.axes.shape.back(), rows = plan.axes.size() / inner;
        config.grid.x = static_cast<std::uint32_t>((inner + block_threads - 1) / block_threads);
        config.grid.y = static_cast<std::uint32_t>(std::min(rows, most_grid_y));
        config.grid.z = static_cast<std::uint32_t>((rows + config.grid.y - 1) / config.grid.y);
    } else if (plan.path == Path::Pieces) {
        config.block.x = row_threads;
        config.grid.x = static_cast<std::uint32_t>((plan.units + row_threads - 1) / row_threads);
    } else {
        const std::int64_t block_units = block_threads * plan.apart;
        config.grid.x = static_cast<std::uint32_t>((plan.units + block_units - 1) / block_units);
    }
    engine::count_launch();
    stream->launch(kernel, config, parameters.bytes());
}

}  // namespace lanewise
