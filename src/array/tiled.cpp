#include "array/tiled.h"

#include <fmt/format.h>

#include "array/engine.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;

constexpr int block_threads = 256;
/// GPUs turn elements of at most so many bytes in larger tiles, so that a thread has enough loads under way.
constexpr int most_large_tile_item = 4, large_edge = 64;
constexpr std::int64_t least_extent = 16;
constexpr std::int64_t shared_bytes = 40 << 10;
constexpr std::int64_t most_blocks = std::int64_t(1) << 30;

/// One more column than a tile has, so that a column's elements lie in different banks.
std::int64_t pitch_of(const TilePlan& plan) {
    return plan.edge + 1;
}

std::int64_t tiles_of(std::int64_t extent, int edge) {
    return (extent + edge - 1) / edge;
}

/// Axes beside the two of the tiles.
std::vector<int> outer_axes(const Axes& axes, const TilePlan& plan) {
    std::vector<int> outer;
    for (int d = 0; d + 1 < axes.shape.size(); ++d)
        if (d != plan.across) outer.push_back(d);
    return outer;
}

std::int64_t block_count(const Axes& axes, const TilePlan& plan) {
    std::int64_t blocks = tiles_of(axes.shape.back(), plan.edge) * tiles_of(axes.shape[plan.across], plan.edge);
    for (int d : outer_axes(axes, plan)) blocks *= axes.shape[d];
    return blocks;
}

/// A stride that is part of the code: along the axis that neighbouring threads walk.
std::optional<std::int64_t> known_stride(const Program& program, const Axes& axes, const TilePlan& plan, std::size_t k,
                                         int axis) {
    const std::size_t stores = program.stores.size();
    const bool turned = k >= stores && plan.turned[k - stores];
    if (axis != (turned ? plan.across : axes.shape.size() - 1)) return std::nullopt;
    const std::int64_t stride = axes.strides[k][axis];
    const Access& access = k < stores ? program.stores[k].target : program.leaves[k - stores];
    return stride == 0 || stride == access.item() ? std::optional(stride) : std::nullopt;
}

/// An element of which some operands are loaded already.
class TilePlace final : public KernelCode::Place {
public:
    TilePlace(KernelCode& code, std::vector<V> offsets, std::vector<Number> turned)
        : code_(code), offsets_(std::move(offsets)), turned_(std::move(turned)) {}
    V address(std::uint16_t leaf) override { return code_.b().pointer_add(code_.leaf_base(leaf), offsets_[leaf], 1); }
    V number(std::uint16_t leaf) override { return code_.b().add(code_.leaf_base(leaf), offsets_[leaf]); }
    Number load(std::uint16_t leaf) override {
        return turned_[leaf].re ? turned_[leaf] : code_.load(code_.program().leaves[leaf].dtype, address(leaf));
    }

private:
    KernelCode& code_;
    std::vector<V> offsets_;
    std::vector<Number> turned_;
};

class TileWriter {
public:
    TileWriter(const Program& program, const Axes& axes, const TilePlan& plan)
        : program_(program), axes_(axes), plan_(plan), code_(program, "tiled"), b_(code_.b()) {}

    std::unique_ptr<ir::Module> write() {
        std::vector<V> stores;
        for (std::size_t i = 0; i < program_.stores.size(); ++i)
            stores.push_back(code_.pointer_parameter(fmt::format("out{}", i), false, plan_.no_alias));
        code_.leaf_parameters(plan_.no_alias);
        const int ndim = axes_.shape.size(), inner = ndim - 1;
        std::vector<V> extents;
        for (int d = 0; d < ndim; ++d) extents.push_back(code_.integer_parameter(fmt::format("extent{}", d)));
        const std::size_t operands = stores.size() + program_.leaves.size();
        for (std::size_t k = 0; k < operands; ++k) {
            strides_.emplace_back();
            for (int d = 0; d < ndim; ++d) {
                const auto known = known_stride(program_, axes_, plan_, k, d);
                strides_.back().push_back(known ? b_.i64(*known)
                                                : code_.integer_parameter(fmt::format("stride{}_{}", k, d)));
            }
        }
        code_.scalar_parameters();

        // The block's tile and its place along the other axes.
        auto tiles = [&](V extent) {
            return b_.scalar(S::Div, b_.add(extent, b_.i64(plan_.edge - 1)), b_.i64(plan_.edge));
        };
        V rest = code_.as_i64(ir::Intrinsic::CtaidX);
        auto take = [&](V count) {
            V quotient = b_.scalar(S::Div, rest, count);
            V position = b_.sub(rest, b_.mul(quotient, count));
            rest = quotient;
            return position;
        };
        V inner_start = b_.mul(take(tiles(extents[static_cast<std::size_t>(inner)])), b_.i64(plan_.edge));
        V across_start = b_.mul(take(tiles(extents[static_cast<std::size_t>(plan_.across)])), b_.i64(plan_.edge));
        std::vector<V> base(operands, b_.i64(0));
        const std::vector<int> outer = outer_axes(axes_, plan_);
        for (auto d = outer.rbegin(); d != outer.rend(); ++d) {
            V position = d + 1 == outer.rend() ? rest : take(extents[static_cast<std::size_t>(*d)]);
            for (std::size_t k = 0; k < operands; ++k)
                base[k] = b_.add(base[k], b_.mul(position, strides_[k][static_cast<std::size_t>(*d)]));
        }
        V x = code_.as_i64(ir::Intrinsic::TidX), y = code_.as_i64(ir::Intrinsic::TidY);
        V inner_extent = extents[static_cast<std::size_t>(inner)];
        V across_extent = extents[static_cast<std::size_t>(plan_.across)];
        auto offset = [&](std::size_t k, V inner_at, V across_at) {
            V along = b_.mul(inner_at, strides_[k][static_cast<std::size_t>(inner)]);
            V over = b_.mul(across_at, strides_[k][static_cast<std::size_t>(plan_.across)]);
            return b_.add(base[k], b_.add(along, over));
        };

        // Turned leaves: neighbouring threads read along the other axis.
        std::vector<V> shared(program_.leaves.size(), nullptr);
        for (std::size_t i = 0; i < program_.leaves.size(); ++i) {
            if (!plan_.turned[i]) continue;
            const DType dtype = program_.leaves[i].dtype;
            shared[i] = b_.global_address(
                b_.module().new_global(fmt::format("tile{}", i), ir::Space::Shared,
                                       static_cast<std::uint64_t>(plan_.edge * pitch_of(plan_) * size_of(dtype)), 16));
        }
        // Whole tiles need no look at each element; the answer is the same for the whole block.
        auto ends_inside = [&](V start, V extent) {
            return b_.scalar(S::Le, b_.add(start, b_.i64(plan_.edge)), extent);
        };
        V whole =
            b_.scalar(S::BitAnd, ends_inside(inner_start, inner_extent), ends_inside(across_start, across_extent));
        each_row(
            whole, [&](V line) { return std::pair(b_.add(inner_start, line), b_.add(across_start, x)); }, inner_extent,
            across_extent, y,
            [&](V line, V inner_at, V across_at) {
                for (std::size_t i = 0; i < program_.leaves.size(); ++i) {
                    if (!plan_.turned[i]) continue;
                    const DType dtype = program_.leaves[i].dtype;
                    V from = b_.pointer_add(code_.leaf_base(static_cast<std::uint16_t>(i)),
                                            offset(stores.size() + i, inner_at, across_at), 1);
                    V place = b_.add(b_.mul(line, b_.i64(pitch_of(plan_))), x);
                    code_.store(dtype, b_.pointer_add(shared[i], place, size_of(dtype)), code_.load(dtype, from));
                }
            });
        b_.intrinsic(ir::Intrinsic::Barrier);
        each_row(
            whole, [&](V line) { return std::pair(b_.add(inner_start, x), b_.add(across_start, line)); }, inner_extent,
            across_extent, y,
            [&](V line, V inner_at, V across_at) {
                std::vector<V> offsets;
                std::vector<Number> turned(program_.leaves.size());
                for (std::size_t i = 0; i < program_.leaves.size(); ++i) {
                    offsets.push_back(offset(stores.size() + i, inner_at, across_at));
                    if (!plan_.turned[i]) continue;
                    const DType dtype = program_.leaves[i].dtype;
                    V place = b_.add(b_.mul(x, b_.i64(pitch_of(plan_))), line);
                    turned[i] = code_.load(dtype, b_.pointer_add(shared[i], place, size_of(dtype)));
                }
                TilePlace place(code_, std::move(offsets), std::move(turned));
                const std::vector<Number> values = code_.element(place);
                for (std::size_t k = 0; k < stores.size(); ++k)
                    code_.store(program_.stores[k].target.dtype,
                                b_.pointer_add(stores[k], offset(k, inner_at, across_at), 1),
                                values[program_.stores[k].value]);
            });
        b_.ret();
        return code_.finish();
    }

private:
    /// `body` for the rows of the tile that are this thread's; `places` gives a row's position along both axes.
    template <class Places, class Body>
    void each_row(V whole, Places&& places, V inner_extent, V across_extent, V y, Body&& body) {
        ir::Block* plain = b_.new_block("plain");
        ir::Block* edge = b_.new_block("edge");
        ir::Block* after = b_.new_block("after");
        b_.cond_branch(whole, plain, edge);
        for (const bool guarded : {false, true}) {
            b_.set_block(guarded ? edge : plain);
            for (int row = 0; row < plan_.edge; row += block_threads / plan_.edge) {
                V line = b_.add(y, b_.i64(row));
                const auto [inner_at, across_at] = places(line);
                if (!guarded) {
                    body(line, inner_at, across_at);
                    continue;
                }
                ir::Block* within = b_.new_block("within");
                ir::Block* next = b_.new_block("next");
                b_.cond_branch(b_.scalar(S::BitAnd, b_.lt(inner_at, inner_extent), b_.lt(across_at, across_extent)),
                               within, next);
                b_.set_block(within);
                body(line, inner_at, across_at);
                b_.branch(next);
                b_.set_block(next);
            }
            b_.branch(after);
        }
        b_.set_block(after);
    }

    const Program& program_;
    const Axes& axes_;
    const TilePlan& plan_;
    KernelCode code_;
    ir::Builder& b_;
    std::vector<std::vector<V>> strides_;
};

}  // namespace

std::optional<TilePlan> plan_tiles(const Program& program, const Axes& axes, bool no_alias, DeviceKind kind) {
    const int ndim = axes.shape.size();
    if (ndim < 2 || axes.shape.back() < least_extent || !program.gathers.empty()) return std::nullopt;
    const std::size_t stores = program.stores.size();
    for (std::size_t k = 0; k < stores; ++k)
        if (axes.strides[k].back() != program.stores[k].target.item() || !program.stores[k].indices.empty())
            return std::nullopt;
    TilePlan plan;
    plan.across = -1;
    plan.no_alias = no_alias;
    std::int64_t items = 0;
    bool small = true;
    for (std::size_t i = 0; i < program.leaves.size(); ++i) {
        const Access& leaf = program.leaves[i];
        const Dims& strides = axes.strides[stores + i];
        bool turned = false;
        const bool runs = strides.back() == 0 || strides.back() == leaf.item();
        for (int d = 0; !leaf.is_iota && !runs && d + 1 < ndim; ++d) {
            if (strides[d] != leaf.item() || axes.shape[d] < least_extent || (plan.across >= 0 && plan.across != d))
                continue;
            if ((items + leaf.item()) * plan.edge * pitch_of(plan) > shared_bytes) continue;
            items += leaf.item();
            small = small && leaf.item() <= most_large_tile_item;
            plan.across = d;
            turned = true;
        }
        plan.turned.push_back(turned);
    }
    if (plan.across < 0 || block_count(axes, plan) > most_blocks) return std::nullopt;
    TilePlan large = plan;
    large.edge = large_edge;
    if (kind == DeviceKind::Cuda && small && axes.shape.back() >= large_edge && axes.shape[plan.across] >= large_edge &&
        items * large.edge * pitch_of(large) <= shared_bytes)
        return large;
    return plan;
}

std::unique_ptr<ir::Module> tiled_module(const Program& program, const Axes& axes, const TilePlan& plan) {
    return TileWriter(program, axes, plan).write();
}

void launch_tiled(const Program& program, const Axes& axes, const TilePlan& plan,
                  const std::shared_ptr<Stream>& stream) {
    std::vector<std::uint32_t> key{0xe0000000u | std::uint32_t(axes.shape.size()) | std::uint32_t(plan.across) << 8 |
                                   std::uint32_t(plan.no_alias) << 16 | std::uint32_t(plan.edge) << 17};
    std::uint32_t turned = 0;
    for (bool t : plan.turned) turned = turned << 1 | std::uint32_t(t);
    key.push_back(turned);
    // Which of the strides along the innermost axis the code knows.
    for (std::size_t k = 0; k < axes.strides.size(); ++k) {
        const auto known = known_stride(program, axes, plan, k, axes.shape.size() - 1);
        key.push_back(known ? 1 + std::uint32_t(*known != 0) : 0);
    }
    program.append_key(key);
    Kernel& kernel =
        KernelTable::instance().find_or_build(stream->device(), key, [&] { return tiled_module(program, axes, plan); });
    ParameterPack parameters;
    for (const Store& store : program.stores) parameters.add(store.target.address);
    for (const Access& leaf : program.leaves) leaf.is_iota ? parameters.add(leaf.start) : parameters.add(leaf.address);
    for (std::int64_t extent : axes.shape) parameters.add(extent);
    for (std::size_t k = 0; k < axes.strides.size(); ++k)
        for (int d = 0; d < axes.shape.size(); ++d)
            if (!known_stride(program, axes, plan, k, d)) parameters.add(axes.strides[k][d]);
    for (std::uint64_t word : program.scalars) parameters.add_word(word);
    LaunchConfig config;
    config.block = {static_cast<std::uint32_t>(plan.edge), static_cast<std::uint32_t>(block_threads / plan.edge), 1};
    config.grid.x = static_cast<std::uint32_t>(block_count(axes, plan));
    engine::count_launch();
    stream->launch(kernel, config, parameters.bytes());
}

}  // namespace lanewise
