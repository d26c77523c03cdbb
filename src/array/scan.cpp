// Running sums and products along an axis.
//
// A line is cut into chunks where there are too few lines to fill the device. Then three launches: the total of each
// chunk, the running totals, and the scan of each chunk from the total before it.
//
// Serial: a thread walks along a chunk; its neighbours have the neighbouring lines. Tiles (on CUDA, where the line is
// contiguous in memory): the threads of a block scan four elements each, then their totals in shared memory.
#include <fmt/format.h>

#include <algorithm>

#include "array/launcher.h"
#include "array/operands.h"
#include "array/reduction.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;

constexpr int tile_threads = 256, tile_items = 4;

struct ScanPlan {
    bool tiles = false;
    bool in_step = false;
    bool totals = false;   ///< only the chunk's total is stored
    bool offsets = false;  ///< chunks start from running totals
    std::int64_t lines = 1, length = 0, chunk = 0, chunks = 1;
    Dims line_shape;
    std::vector<Dims> line_strides;  ///< of the target, then of the leaves
    std::vector<std::int64_t> steps;
};

class ScanWriter {
public:
    ScanWriter(const Program& program, const ReduceSpec& spec, const ScanPlan& plan, DType target)
        : program_(program),
          spec_(spec),
          plan_(plan),
          target_(target),
          type_(accumulator(spec.type)),
          code_(program, spec.op == Reduction::Sum ? "cumsum" : "cumprod"),
          b_(code_.b()) {}

    std::unique_ptr<ir::Module> write() {
        out_ = code_.pointer_parameter("out", false, true);
        V before = plan_.offsets ? code_.pointer_parameter("totals", true, true) : nullptr;
        code_.leaf_parameters(true);
        lines_ = code_.integer_parameter("lines");
        length_ = code_.integer_parameter("length");
        chunk_ = code_.integer_parameter("chunk");
        std::vector<V> extents;
        for (int d = 0; d < plan_.line_shape.size(); ++d)
            extents.push_back(code_.integer_parameter(fmt::format("extent{}", d)));
        std::vector<std::vector<V>> strides;
        for (std::size_t k = 0; k <= program_.leaves.size(); ++k) {
            steps_.push_back(code_.integer_parameter(fmt::format("step{}", k)));
            strides.emplace_back();
            for (int d = 0; d < plan_.line_shape.size(); ++d)
                strides.back().push_back(code_.integer_parameter(fmt::format("stride{}_{}", k, d)));
        }
        code_.scalar_parameters();
        done_ = b_.new_block("done");

        line_ = plan_.tiles ? code_.as_i64(ir::Intrinsic::CtaidX) : code_.global_index();
        chunk_number_ = code_.as_i64(ir::Intrinsic::CtaidY);
        if (!plan_.tiles) {
            ir::Block* body = b_.new_block("body");
            b_.cond_branch(b_.lt(line_, lines_), body, done_);
            b_.set_block(body);
        }
        bases_.assign(program_.leaves.size() + 1, b_.i64(0));
        V rest = line_;
        for (int d = plan_.line_shape.size() - 1; d >= 0; --d) {
            V position = rest;
            if (d > 0) {
                V quotient = b_.scalar(S::Div, rest, extents[static_cast<std::size_t>(d)]);
                position = b_.sub(rest, b_.mul(quotient, extents[static_cast<std::size_t>(d)]));
                rest = quotient;
            }
            for (std::size_t k = 0; k < bases_.size(); ++k)
                bases_[k] = b_.add(bases_[k], b_.mul(position, strides[k][static_cast<std::size_t>(d)]));
        }
        first_ = b_.mul(chunk_number_, chunk_);
        end_ = b_.scalar(S::Min, b_.add(first_, chunk_), length_);
        Number start = reduce_identity(b_, spec_).value;
        if (before) start = total_before(before, start);
        const Number total = plan_.tiles ? tiles(start) : serial(start);
        if (plan_.totals) {
            ir::Block* finish = b_.new_block("finish");
            if (plan_.tiles)
                b_.cond_branch(b_.eq(tid(), b_.i64(0)), finish, done_);
            else
                b_.branch(finish);
            b_.set_block(finish);
            V place = b_.add(b_.mul(chunk_number_, lines_), line_);
            code_.store(type_, b_.pointer_add(out_, place, size_of(type_)), total);
        }
        b_.branch(done_);
        b_.set_block(done_);
        b_.ret();
        return code_.finish();
    }

private:
    V tid() { return code_.as_i64(ir::Intrinsic::TidX); }
    Number combine(const Number& x, const Number& y) { return reduce_combine(b_, spec_, {x}, {y}).value; }
    Number phi(const Number& initial, ir::Block* from) {
        Number result{b_.phi(initial.re->type), initial.im ? b_.phi(initial.im->type) : nullptr};
        incoming(result, initial, from);
        return result;
    }
    static void incoming(const Number& phi, const Number& value, ir::Block* from) {
        ir::Builder::add_incoming(phi.re, value.re, from);
        if (phi.im) ir::Builder::add_incoming(phi.im, value.im, from);
    }

    Number total_before(V totals, const Number& identity) {
        ir::Block* entry = b_.block();
        ir::Block* reads = b_.new_block("reads");
        ir::Block* go = b_.new_block("go");
        b_.cond_branch(b_.lt(b_.i64(0), chunk_number_), reads, go);
        b_.set_block(reads);
        V place = b_.add(b_.mul(b_.sub(chunk_number_, b_.i64(1)), lines_), line_);
        const Number read = code_.load(type_, b_.pointer_add(totals, place, size_of(type_)));
        b_.branch(go);
        b_.set_block(go);
        const Number start = phi(identity, entry);
        incoming(start, read, reads);
        return start;
    }

    Number element(V index) {
        std::vector<V> offsets;
        for (std::size_t i = 0; i < program_.leaves.size(); ++i)
            offsets.push_back(b_.add(bases_[i + 1], b_.mul(index, steps_[i + 1])));
        OffsetPlace place(code_, std::move(offsets));
        return reduce_lift(b_, spec_, code_.element(place)[spec_.value], nullptr).value;
    }
    void put(V index, const Number& value) {
        V address = b_.pointer_add(out_, b_.add(bases_[0], b_.mul(index, steps_[0])), 1);
        code_.store(target_, address, lower_cast(b_, value, type_, target_));
    }

    /// for (index = first; index < end; index += step) state = body(index, state)
    template <class Body>
    Number loop(const Number& initial, std::int64_t step, bool barrier, Body&& body) {
        ir::Block* before = b_.block();
        ir::Block* head = b_.new_block("head");
        ir::Block* round = b_.new_block("round");
        ir::Block* after = b_.new_block("after");
        b_.branch(head);
        b_.set_block(head);
        V index = b_.phi(ir::Type::scalar(DType::Int64));
        ir::Builder::add_incoming(index, first_, before);
        const Number state = phi(initial, before);
        b_.cond_branch(b_.lt(index, end_), round, after);
        b_.set_block(round);
        const Number next = body(index, state);
        if (barrier) b_.intrinsic(ir::Intrinsic::Barrier);
        V advanced = b_.add(index, b_.i64(step));
        ir::Builder::add_incoming(index, advanced, b_.block());
        incoming(state, next, b_.block());
        b_.branch(head);
        b_.set_block(after);
        return state;
    }

    Number serial(const Number& start) {
        return loop(start, 1, plan_.in_step, [&](V index, const Number& so_far) {
            const Number next = combine(so_far, element(index));
            if (!plan_.totals) put(index, next);
            return next;
        });
    }

    Number tiles(const Number& start) {
        ir::Global* global = b_.module().new_global(
            "totals", ir::Space::Shared, std::uint64_t(tile_threads) * static_cast<std::uint64_t>(size_of(type_)), 16);
        V shared = b_.global_address(global);
        V thread = tid();
        auto at = [&](V place) { return b_.pointer_add(shared, place, size_of(type_)); };
        const Number identity = reduce_identity(b_, spec_).value;
        auto guarded = [&](V condition, const Number& otherwise, auto&& make) {
            ir::Block* before = b_.block();
            ir::Block* inside = b_.new_block("inside");
            ir::Block* after = b_.new_block("next");
            b_.cond_branch(condition, inside, after);
            b_.set_block(inside);
            const Number made = make();
            ir::Block* last = b_.block();
            b_.branch(after);
            b_.set_block(after);
            const Number result = phi(otherwise, before);
            incoming(result, made, last);
            return result;
        };
        return loop(start, tile_threads * tile_items, true, [&](V index, const Number& carry) {
            V own = b_.add(index, b_.mul(thread, b_.i64(tile_items)));
            Number local[tile_items];
            for (int i = 0; i < tile_items; ++i) {
                V place = b_.add(own, b_.i64(i));
                const Number x = guarded(b_.lt(place, end_), identity, [&] { return element(place); });
                local[i] = i == 0 ? x : combine(local[i - 1], x);
            }
            Number sum = local[tile_items - 1];
            code_.store(type_, at(thread), sum);
            b_.intrinsic(ir::Intrinsic::Barrier);
            for (int distance = 1; distance < tile_threads; distance *= 2) {
                sum = guarded(b_.scalar(S::Ge, thread, b_.i64(distance)), sum,
                              [&] { return combine(code_.load(type_, at(b_.sub(thread, b_.i64(distance)))), sum); });
                b_.intrinsic(ir::Intrinsic::Barrier);
                code_.store(type_, at(thread), sum);
                b_.intrinsic(ir::Intrinsic::Barrier);
            }
            const Number before = guarded(b_.lt(b_.i64(0), thread), carry, [&] {
                return combine(carry, code_.load(type_, at(b_.sub(thread, b_.i64(1)))));
            });
            if (!plan_.totals)
                for (int i = 0; i < tile_items; ++i) {
                    V place = b_.add(own, b_.i64(i));
                    guarded(b_.lt(place, end_), identity, [&] {
                        put(place, combine(before, local[i]));
                        return identity;
                    });
                }
            return combine(carry, code_.load(type_, at(b_.i64(tile_threads - 1))));
        });
    }

    const Program& program_;
    const ReduceSpec& spec_;
    const ScanPlan& plan_;
    const DType target_, type_;
    KernelCode code_;
    ir::Builder& b_;
    V out_ = nullptr, lines_ = nullptr, length_ = nullptr, chunk_ = nullptr;
    V line_ = nullptr, chunk_number_ = nullptr, first_ = nullptr, end_ = nullptr;
    std::vector<V> steps_, bases_;
    ir::Block* done_ = nullptr;
};

void launch(const Program& program, const ReduceSpec& spec, const ScanPlan& plan, const Access& target,
            const std::shared_ptr<Buffer>& totals, const std::shared_ptr<Stream>& stream) {
    std::vector<std::uint32_t> key;
    key.push_back(0xc0000000u | std::uint32_t(spec.op) | std::uint32_t(spec.type) << 8 |
                  std::uint32_t(target.dtype) << 16 | std::uint32_t(plan.tiles) << 24 |
                  std::uint32_t(plan.in_step) << 25 | std::uint32_t(plan.totals) << 26 |
                  std::uint32_t(plan.offsets) << 27);
    key.push_back(std::uint32_t(spec.value) | std::uint32_t(plan.line_shape.size()) << 16);
    program.append_key(key);
    Kernel& kernel = KernelTable::instance().find_or_build(
        stream->device(), key, [&] { return ScanWriter(program, spec, plan, target.dtype).write(); });
    ParameterPack parameters;
    parameters.add(target.address);
    target.buffer->used_on(stream);
    if (plan.offsets) parameters.add(totals->data());
    for (const Access& leaf : program.leaves) {
        if (leaf.buffer) leaf.buffer->used_on(stream);
        leaf.is_iota ? parameters.add(leaf.start) : parameters.add(leaf.address);
    }
    parameters.add(plan.lines);
    parameters.add(plan.length);
    parameters.add(plan.chunk);
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
    LaunchConfig config;
    config.block.x = plan.tiles ? tile_threads : plan.in_step ? 512 : 64;
    config.grid.x =
        static_cast<std::uint32_t>(plan.tiles ? plan.lines : (plan.lines + config.block.x - 1) / config.block.x);
    config.grid.y = static_cast<std::uint32_t>(plan.chunks);
    engine::count_launch();
    stream->launch(kernel, config, parameters.bytes());
}

ScanPlan make_plan(const Program& program, int axis, const Access& target, Device& device) {
    ScanPlan plan;
    const bool cuda = engine::planned_kind(device) == DeviceKind::Cuda;
    plan.length = program.shape[axis];
    auto line = [&](const Access& access) {
        Dims strides;
        for (int d = 0; d < program.shape.size(); ++d)
            if (d != axis) strides.push_back(access.strides[d]);
        plan.line_strides.push_back(std::move(strides));
        plan.steps.push_back(access.strides[axis]);
    };
    line(target);
    for (const Access& leaf : program.leaves) line(leaf);
    for (int d = 0; d < program.shape.size(); ++d)
        if (d != axis) {
            plan.line_shape.push_back(program.shape[d]);
            plan.lines *= program.shape[d];
        }
    const bool contiguous = plan.steps[0] == size_of(target.dtype);
    plan.tiles = cuda && contiguous && plan.length >= 64;
    plan.in_step = !cuda && !contiguous && plan.lines >= 16;
    const std::int64_t processors = device.attribute(DeviceAttribute::MultiprocessorCount);
    const std::int64_t wanted = plan.tiles        ? processors * 8
                                : cuda            ? processors * 2048
                                : processors >= 4 ? processors
                                                  : 1;
    const std::int64_t own = plan.tiles ? plan.lines : cuda ? plan.lines : (plan.lines + 511) / 512;
    const std::int64_t least = plan.tiles ? tile_threads * tile_items * 4 : cuda ? 32 : 16384;
    plan.chunks = std::clamp<std::int64_t>(wanted / std::max<std::int64_t>(own, 1), 1,
                                           std::max<std::int64_t>(1, plan.length / least));
    plan.chunks = std::min<std::int64_t>(plan.chunks, 2048);
    const std::int64_t round = plan.tiles ? tile_threads * tile_items : 1;
    plan.chunk = ((plan.length + plan.chunks - 1) / plan.chunks + round - 1) / round * round;
    plan.chunks = std::max<std::int64_t>(1, (plan.length + plan.chunk - 1) / std::max<std::int64_t>(plan.chunk, 1));
    return plan;
}

void run(const Program& program, const ReduceSpec& spec, int axis, const Access& target,
         const std::shared_ptr<Stream>& stream) {
    ScanPlan plan = make_plan(program, axis, target, stream->device());
    if (plan.chunks == 1) return launch(program, spec, plan, target, nullptr, stream);
    const DType type = accumulator(spec.type);
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

Array scan(const char* call, Reduction op, const Array& given, std::optional<int> axis, std::optional<DType> dtype) {
    const Array x = axis ? given : reshape(given, {-1});
    int at = axis.value_or(0);
    if (at < -x.ndim() || at >= x.ndim())
        throw Error(ErrorKind::Value,
                    fmt::format("{}: axis {} is out of bounds for an array of {} dimensions", call, at, x.ndim()));
    if (at < 0) at += x.ndim();
    const DType own = x.dtype();
    const DType type = dtype                            ? *dtype
                       : is_bool(own) || is_signed(own) ? DType::Int64
                       : is_unsigned(own)               ? DType::UInt64
                                                        : own;
    const std::shared_ptr<Stream> stream = stream_of(x);
    const Array result = Array::empty(x.shape(), type, stream);
    if (x.size() == 0) return result;
    const Input input = ArrayAccess::input(x, x.shape());
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
    run(group.program(), spec, at, target, stream);
    return result;
}

}  // namespace

Array cumsum(const Array& x, std::optional<int> axis, std::optional<DType> dtype) {
    return scan("cumsum", Reduction::Sum, x, axis, dtype);
}
Array cumprod(const Array& x, std::optional<int> axis, std::optional<DType> dtype) {
    return scan("cumprod", Reduction::Prod, x, axis, dtype);
}

}  // namespace lanewise
