// Kernels of elementwise programs.
//
// On CUDA a thread computes a run of elements whose operands are loaded and stored 16 bytes at a time where they are
// contiguous and aligned. On the cpu device a thread computes one element: the loop over threads vectorises.
#include <fmt/format.h>

#include <algorithm>

#include "array/axes.h"
#include "array/control.h"
#include "array/engine.h"
#include "array/kernel_code.h"
#include "array/launcher.h"
#include "array/tiled.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;

constexpr std::int64_t block_threads = 256;
/// Up to here index arithmetic is 32 bits wide.
constexpr std::int64_t narrow_limit = (std::int64_t(1) << 31) - 1;
/// Rows at least this long are walked one by one on the cpu device.
constexpr std::int64_t long_row = 48;
/// Rows up to this length are a thread's there.
constexpr std::int64_t most_whole_row = 8;
/// What a thread walks along there, of a row that indices move as a whole.
constexpr std::int64_t row_piece = 2048;
constexpr std::int64_t row_threads = 32;
constexpr std::int64_t most_grid_y = 0xffff;

enum class Path : std::uint8_t {
    Flat,     ///< one axis, all operands contiguous or the same for all elements
    Divided,  ///< several axes: positions by division
    Rows,     ///< the innermost axis along the threads, the others along the blocks
    Pieces,   ///< cpu: a thread walks along a piece of the innermost axis, all of whose elements have the same indices
};

struct Plan {
    Path path{};
    Axes axes;
    int vector = 1;           ///< elements a thread, next to each other along the innermost axis
    bool whole_rows = false;  ///< Divided, cpu: the innermost axis is short, and a thread computes all of it
    bool narrow = true;
    bool no_alias = true;
    std::vector<Innermost> innermost;  ///< of the stores, then of the leaves
    std::vector<bool> common;          ///< values that neighbouring elements share; empty: they are not looked for
    std::int64_t units = 0;  ///< threads with work (Flat: whole vectors and single elements are counted apart)
};

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

/// An element whose operands are loaded already.
class LoadedPlace final : public KernelCode::Place {
public:
    LoadedPlace(std::vector<V> addresses, const std::vector<Number>& loaded, std::vector<std::uint32_t> alignments)
        : addresses_(std::move(addresses)), loaded_(loaded), alignments_(std::move(alignments)) {}
    V address(std::uint16_t leaf) override { return addresses_[leaf]; }
    V number(std::uint16_t leaf) override { return addresses_[leaf]; }
    Number load(std::uint16_t leaf) override { return loaded_[leaf]; }
    std::uint32_t alignment(std::uint16_t leaf) override { return alignments_[leaf]; }

private:
    std::vector<V> addresses_;
    const std::vector<Number>& loaded_;
    std::vector<std::uint32_t> alignments_;
};

class Writer {
public:
    Writer(const Program& program, const Plan& plan)
        : program_(program), plan_(plan), code_(program, ""), b_(code_.b()) {}

    std::unique_ptr<ir::Module> write() {
        for (std::size_t i = 0; i < program_.stores.size(); ++i)
            stores_.push_back(code_.pointer_parameter(fmt::format("out{}", i), false, plan_.no_alias));
        code_.leaf_parameters(plan_.no_alias);
        V count = code_.integer_parameter("count");
        const int ndim = plan_.axes.shape.size();
        for (int d = 0; d < ndim && plan_.path != Path::Flat; ++d) {
            extents_.push_back(code_.integer_parameter(fmt::format("extent{}", d)));
            if (plan_.path == Path::Divided && plan_.narrow)
                words_.push_back(code_.integer_parameter(fmt::format("division{}", d)));
        }
        for (std::size_t k = 0; k < plan_.innermost.size(); ++k) {
            strides_.emplace_back();
            for (int d = 0; d < ndim; ++d) {
                const bool known = d + 1 == ndim && plan_.innermost[k] != Innermost::Strided;
                strides_.back().push_back(known ? b_.i64(plan_.innermost[k] == Innermost::Same ? 0 : access(k).item())
                                                : code_.integer_parameter(fmt::format("stride{}_{}", k, d)));
            }
        }
        code_.scalar_parameters();
        done_ = b_.new_block("done");
        if (plan_.path == Path::Flat)
            flat(count);
        else if (plan_.path == Path::Divided)
            divided(count);
        else if (plan_.path == Path::Rows)
            rows(count);
        else
            pieces(count);
        b_.set_block(done_);
        b_.ret();
        return code_.finish();
    }

private:
    const Access& access(std::size_t k) const {
        const std::size_t stores = program_.stores.size();
        return k < stores ? program_.stores[k].target : program_.leaves[k - stores];
    }

    KernelCode::Common common(const std::vector<V>& offsets) {
        if (plan_.common.empty()) return {};
        const auto stores = static_cast<std::ptrdiff_t>(program_.stores.size());
        OffsetPlace place(code_, std::vector<V>(offsets.begin() + stores, offsets.end()));
        return code_.common(place, plan_.common);
    }

    /// The run of `count` elements whose accesses start at these byte offsets.
    void run(const std::vector<V>& offsets, int count) {
        run(offsets, count, count > 1 ? common(offsets) : KernelCode::Common());
    }
    void run(const std::vector<V>& offsets, int count, const KernelCode::Common& common) {
        const std::size_t stores = program_.stores.size(), leaves = program_.leaves.size();
        std::vector<V> bases;
        for (std::size_t k = 0; k < stores + leaves; ++k) {
            V base = k < stores ? stores_[k] : code_.leaf_base(static_cast<std::uint16_t>(k - stores));
            bases.push_back(access(k).is_iota ? b_.add(base, offsets[k]) : b_.pointer_add(base, offsets[k], 1));
        }
        auto at = [&](std::size_t k, int lane) -> V {
            if (lane == 0 || plan_.innermost[k] == Innermost::Same) return bases[k];
            if (access(k).is_iota)
                return b_.add(bases[k], plan_.innermost[k] == Innermost::Unit
                                            ? b_.i64(lane)
                                            : b_.mul(strides_[k].back(), b_.i64(lane)));
            if (plan_.innermost[k] == Innermost::Strided)
                return b_.pointer_add(bases[k], b_.mul(strides_[k].back(), b_.i64(lane)), 1);
            return b_.pointer_add(bases[k], b_.i64(lane), access(k).item());
        };
        auto align = [&](std::size_t k, int lane) -> std::uint32_t {
            if (count == 1 || lane != 0 || plan_.whole_rows || plan_.innermost[k] != Innermost::Unit) return 0;
            return static_cast<std::uint32_t>(std::min<std::int64_t>(16, count * access(k).item()));
        };
        std::vector<bool> is_read(leaves, false);
        for (const Instruction& i : program_.code)
            if (i.op == ElementOp::Load) is_read[i.args[0]] = !program_.leaves[i.args[0]].is_iota;
        std::vector<std::vector<Number>> loaded(static_cast<std::size_t>(count), std::vector<Number>(leaves));
        for (std::size_t i = 0; i < leaves; ++i)
            for (int lane = 0; is_read[i] && lane < count; ++lane)
                loaded[static_cast<std::size_t>(lane)][i] =
                    lane > 0 && plan_.innermost[stores + i] == Innermost::Same
                        ? loaded[0][i]
                        : code_.load(program_.leaves[i].dtype, at(stores + i, lane), align(stores + i, lane));
        std::vector<std::vector<Number>> values;
        for (int lane = 0; lane < count; ++lane) {
            std::vector<V> places;
            std::vector<std::uint32_t> alignments;
            for (std::size_t i = 0; i < leaves; ++i) {
                places.push_back(at(stores + i, lane));
                alignments.push_back(align(stores + i, lane));
            }
            LoadedPlace place(std::move(places), loaded[static_cast<std::size_t>(lane)], std::move(alignments));
            values.push_back(code_.element(place, common));
        }
        for (std::size_t k = 0; k < stores; ++k)
            for (int lane = 0; lane < count; ++lane) {
                const Store& store = program_.stores[k];
                const std::vector<Number>& computed = values[static_cast<std::size_t>(lane)];
                V address = at(k, lane);
                if (!store.indices.empty()) address = code_.scatter_address(k, address, computed, common);
                if (store.update)
                    b_.atomic(*store.update, address, computed[store.value].re);
                else
                    code_.store(store.target.dtype, address, computed[store.value], align(k, lane));
            }
    }

    std::vector<V> offsets_of(V index) {
        std::vector<V> offsets;
        for (std::size_t k = 0; k < plan_.innermost.size(); ++k)
            offsets.push_back(plan_.axes.shape.empty() ? b_.i64(0) : b_.mul(index, strides_[k].back()));
        return offsets;
    }

    void flat(V count) {
        V thread = code_.global_index();
        if (plan_.vector == 1) {
            ir::Block* body = b_.new_block("body");
            b_.cond_branch(b_.lt(thread, count), body, done_);
            b_.set_block(body);
            run(offsets_of(thread), 1);
            b_.branch(done_);
            return;
        }
        V start = b_.mul(thread, b_.i64(plan_.vector));
        ir::Block* whole = b_.new_block("whole");
        ir::Block* rest = b_.new_block("rest");
        ir::Block* single = b_.new_block("single");
        b_.cond_branch(b_.scalar(S::Le, b_.add(start, b_.i64(plan_.vector)), count), whole, rest);
        b_.set_block(whole);
        run(offsets_of(start), plan_.vector);
        b_.branch(done_);
        // The elements after the last whole run.
        b_.set_block(rest);
        V index = b_.phi(ir::Type::scalar(DType::Int64));
        ir::Builder::add_incoming(index, start, whole_entry());
        b_.cond_branch(b_.lt(index, count), single, done_);
        b_.set_block(single);
        run(offsets_of(index), 1);
        V next = b_.add(index, b_.i64(1));
        ir::Builder::add_incoming(index, next, b_.block());
        b_.branch(rest);
    }
    ir::Block* whole_entry() { return code_.b().function().blocks.front(); }

    void divided(V count) {
        V thread = code_.global_index();
        ir::Block* body = b_.new_block("body");
        b_.cond_branch(b_.lt(thread, count), body, done_);
        b_.set_block(body);
        const int ndim = plan_.axes.shape.size();
        const DType index_type = plan_.narrow ? DType::UInt32 : DType::UInt64;
        V index = b_.cast(thread, index_type);
        std::vector<V> offsets(plan_.innermost.size(), b_.i64(0));
        for (int d = ndim - (plan_.whole_rows ? 2 : 1); d >= 0; --d) {
            V position = index;
            if (d > 0) {
                // The innermost extent counts runs.
                V extent = b_.cast(extents_[static_cast<std::size_t>(d)], index_type);
                V quotient = plan_.narrow ? divide_by_word(b_, index, words_[static_cast<std::size_t>(d)])
                                          : b_.scalar(S::Div, index, extent);
                position = b_.sub(index, b_.mul(quotient, extent));
                index = quotient;
            }
            position = b_.cast(position, DType::Int64);
            if (d == ndim - 1 && plan_.vector > 1) position = b_.mul(position, b_.i64(plan_.vector));
            for (std::size_t k = 0; k < offsets.size(); ++k)
                offsets[k] = b_.add(offsets[k], b_.mul(position, strides_[k][static_cast<std::size_t>(d)]));
        }
        run(offsets, plan_.vector);
        b_.branch(done_);
    }

    void rows(V count) {
        V row = b_.add(code_.as_i64(ir::Intrinsic::CtaidY),
                       b_.mul(code_.as_i64(ir::Intrinsic::CtaidZ), code_.as_i64(ir::Intrinsic::NctaidY)));
        V column = code_.global_index();
        ir::Block* inside = b_.new_block("inside");
        ir::Block* body = b_.new_block("body");
        b_.cond_branch(b_.lt(row, count), inside, done_);
        b_.set_block(inside);
        b_.cond_branch(b_.lt(column, extents_.back()), body, done_);
        b_.set_block(body);
        std::vector<V> offsets = row_offsets(row);
        for (std::size_t k = 0; k < offsets.size(); ++k)
            offsets[k] = b_.add(b_.mul(column, strides_[k].back()), offsets[k]);
        run(offsets, 1);
        b_.branch(done_);
    }

    /// Where the row's first element is accessed.
    std::vector<V> row_offsets(V row) {
        std::vector<V> offsets(plan_.innermost.size(), b_.i64(0));
        V index = row;
        for (int d = plan_.axes.shape.size() - 2; d >= 0; --d) {
            V position = index;
            if (d > 0) {
                V extent = extents_[static_cast<std::size_t>(d)];
                V quotient = b_.scalar(S::Div, index, extent);
                position = b_.sub(index, b_.mul(quotient, extent));
                index = quotient;
            }
            for (std::size_t k = 0; k < offsets.size(); ++k)
                offsets[k] = b_.add(offsets[k], b_.mul(position, strides_[k][static_cast<std::size_t>(d)]));
        }
        return offsets;
    }

    void pieces(V count) {
        V thread = code_.global_index();
        ir::Block* body = b_.new_block("body");
        b_.cond_branch(b_.lt(thread, count), body, done_);
        b_.set_block(body);
        V extent = extents_.back();
        V in_row = b_.scalar(S::Div, b_.add(extent, b_.i64(row_piece - 1)), b_.i64(row_piece));
        V row = b_.scalar(S::Div, thread, in_row);
        V first = b_.mul(b_.sub(thread, b_.mul(row, in_row)), b_.i64(row_piece));
        V end = b_.scalar(S::Min, b_.add(first, b_.i64(row_piece)), extent);
        const std::vector<V> starts = row_offsets(row);
        const KernelCode::Common shared = common(starts);
        Control(b_).count(first, end, 1, {}, [&](V column, const std::vector<V>&) {
            std::vector<V> offsets;
            for (std::size_t k = 0; k < starts.size(); ++k)
                offsets.push_back(b_.add(starts[k], b_.mul(column, strides_[k].back())));
            run(offsets, 1, shared);
            return std::vector<V>();
        });
        b_.branch(done_);
    }

    const Program& program_;
    const Plan& plan_;
    KernelCode code_;
    ir::Builder& b_;
    std::vector<V> stores_, extents_, words_;
    std::vector<std::vector<V>> strides_;
    ir::Block* done_ = nullptr;
};

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
    return Writer(program, plan).write();
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
                  std::uint32_t(plan.axes.shape.size()) << 24);
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
    Kernel& kernel = KernelTable::instance().find_or_build(device, key, [&] { return Writer(program, plan).write(); });

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
        config.grid.x = static_cast<std::uint32_t>((plan.units + block_threads - 1) / block_threads);
    }
    engine::count_launch();
    stream->launch(kernel, config, parameters.bytes());
}

}  // namespace lanewise
