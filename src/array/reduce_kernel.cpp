// The kernels of reductions.
#include <fmt/format.h>

#include "array/reduce_plan.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;

class ReduceWriter {
public:
    ReduceWriter(const Program& program, const ReduceSpec& spec, const ReducePlan& plan, DType target)
        : program_(program),
          spec_(spec),
          plan_(plan),
          target_(target),
          code_(program, std::string(name(spec.op))),
          b_(code_.b()) {}

    std::unique_ptr<ir::Module> write() {
        V out = code_.pointer_parameter("out", false, true);
        V out_index = plan_.partial && spec_.has_index() ? code_.pointer_parameter("out_index", false, true) : nullptr;
        code_.leaf_parameters(true);
        results_ = code_.integer_parameter("results");
        steps_ = code_.integer_parameter("steps");
        chunk_ = code_.integer_parameter("chunk");
        std::vector<V> kept_extents = extents(plan_.kept, "kept");
        std::vector<V> reduced_extents = extents(plan_.reduced, "reduced");
        // Of the target, then of the leaves.
        std::vector<std::vector<V>> kept_strides, reduced_strides;
        for (std::size_t k = 0; k <= program_.leaves.size(); ++k)
            kept_strides.push_back(strides(plan_.kept, k,
                                           !plan_.lanes && k > 0 ? plan_.innermost[k - 1] : Innermost::Strided,
                                           k > 0 ? program_.leaves[k - 1].item() : 0));
        for (std::size_t i = 0; i < program_.leaves.size(); ++i)
            reduced_strides.push_back(strides(plan_.reduced, i, plan_.lanes ? plan_.innermost[i] : Innermost::Strided,
                                              program_.leaves[i].item()));
        code_.scalar_parameters();

        V tid = code_.as_i64(ir::Intrinsic::TidX);
        V split = code_.as_i64(ir::Intrinsic::CtaidY);
        ir::Block* done = b_.new_block("done");
        const int kept_axes = plan_.kept.shape.size();
        V result, has_result;
        std::vector<V> offsets;
        if (plan_.lanes) {
            result = code_.as_i64(ir::Intrinsic::CtaidX);
            if (plan_.rows > 1) result = b_.add(b_.mul(result, b_.i64(plan_.rows)), code_.as_i64(ir::Intrinsic::TidY));
            has_result = b_.lt(result, results_);
            // All threads of a block meet, so those without a result walk over the first.
            V safe = plan_.rows > 1 ? b_.select(has_result, result, b_.i64(0)) : result;
            offsets = positions(kept_extents, safe, kept_strides, kept_axes);
        } else if (plan_.own_rows) {
            V row_extent = kept_extents[static_cast<std::size_t>(kept_axes - 1) * words()];
            V row_blocks = b_.scalar(S::Div, b_.add(row_extent, b_.i64(plan_.width - 1)), b_.i64(plan_.width));
            V block = code_.as_i64(ir::Intrinsic::CtaidX);
            V row = b_.scalar(S::Div, block, row_blocks);
            V column = b_.add(b_.mul(b_.sub(block, b_.mul(row, row_blocks)), b_.i64(plan_.width)), tid);
            has_result = b_.lt(column, row_extent);
            enter(has_result, done);
            result = b_.add(b_.mul(row, row_extent), column);
            offsets = positions(kept_extents, row, kept_strides, kept_axes - 1);
            V row_start = b_.mul(b_.sub(block, b_.mul(row, row_blocks)), b_.i64(plan_.width));
            for (std::size_t k = 0; k < offsets.size(); ++k)
                offsets[k] = b_.add(offsets[k], b_.mul(row_start, kept_strides[k].back()));
            // The thread's own place in the row is added at each access: what is the same for the block stays so.
            for (std::size_t k = 1; k < offsets.size(); ++k) own_strides_.push_back(kept_strides[k].back());
            offsets[0] = b_.add(offsets[0], b_.mul(tid, kept_strides[0].back()));
        } else {
            result = code_.global_index();
            has_result = b_.lt(result, results_);
            enter(has_result, done);
            offsets = positions(kept_extents, result, kept_strides, kept_axes);
        }
        V out_offset = offsets[0];
        offsets.erase(offsets.begin());
        reduced_extents_ = std::move(reduced_extents);
        reduced_strides_ = std::move(reduced_strides);
        ReduceState state = walk(offsets, tid, split);
        if (plan_.lanes) state = join(state, tid);

        ir::Block* finish = b_.new_block("finish");
        if (plan_.lanes) {
            V writes = b_.eq(tid, b_.i64(0));
            if (plan_.rows > 1) writes = b_.scalar(S::BitAnd, writes, has_result);
            b_.cond_branch(writes, finish, done);
        } else {
            b_.branch(finish);
        }
        b_.set_block(finish);
        const DType type = state_type();
        if (plan_.partial) {
            V place = b_.add(b_.mul(split, results_), result);
            code_.store(type, b_.pointer_add(out, place, size_of(type)), state.value);
            if (out_index) code_.store(DType::Int64, b_.pointer_add(out_index, place, 8), {state.index});
        } else {
            const Number value = spec_.has_index() ? Number{state.index} : lower_cast(b_, state.value, type, target_);
            code_.store(target_, b_.pointer_add(out, out_offset, 1), value);
        }
        b_.branch(done);
        b_.set_block(done);
        b_.ret();
        return code_.finish();
    }

private:
    DType state_type() const { return spec_.op == Reduction::CountNonzero ? DType::Int64 : accumulator(spec_.type); }

    /// Words of parameters for the extent of an axis.
    std::size_t words() const { return plan_.narrow ? 2 : 1; }
    void enter(V condition, ir::Block* otherwise) {
        ir::Block* body = b_.new_block("body");
        b_.cond_branch(condition, body, otherwise);
        b_.set_block(body);
    }

    std::vector<V> extents(const Axes& axes, const char* name) {
        std::vector<V> result;
        for (int d = 0; d < axes.shape.size(); ++d) {
            result.push_back(code_.integer_parameter(fmt::format("{}_extent{}", name, d)));
            if (plan_.narrow) result.push_back(code_.integer_parameter(fmt::format("{}_division{}", name, d)));
        }
        return result;
    }
    std::vector<V> strides(const Axes& axes, std::size_t operand, Innermost innermost, std::int64_t item) {
        std::vector<V> result;
        for (int d = 0; d < axes.shape.size(); ++d) {
            const bool known = d + 1 == axes.shape.size() && innermost != Innermost::Strided;
            result.push_back(known ? b_.i64(innermost == Innermost::Same ? 0 : item)
                                   : code_.integer_parameter(fmt::format("stride{}_{}", operand, d)));
        }
        return result;
    }

    /// Offsets of all operands at number `index` of the first `ndim` axes.
    std::vector<V> positions(const std::vector<V>& extent_values, V index,
                             const std::vector<std::vector<V>>& stride_values, int ndim) {
        std::vector<V> offsets(stride_values.size(), b_.i64(0));
        if (ndim == 1) {
            for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] = b_.mul(index, stride_values[k][0]);
            return offsets;
        }
        const DType type = plan_.narrow ? DType::UInt32 : DType::UInt64;
        V rest = b_.cast(index, type);
        for (int d = ndim - 1; d >= 0; --d) {
            V position = rest;
            if (d > 0) {
                const std::size_t at = static_cast<std::size_t>(d) * words();
                V extent = b_.cast(extent_values[at], type);
                V quotient =
                    plan_.narrow ? divide_by_word(b_, rest, extent_values[at + 1]) : b_.scalar(S::Div, rest, extent);
                position = b_.sub(rest, b_.mul(quotient, extent));
                rest = quotient;
            }
            position = b_.cast(position, DType::Int64);
            for (std::size_t k = 0; k < offsets.size(); ++k)
                offsets[k] = b_.add(offsets[k], b_.mul(position, stride_values[k][static_cast<std::size_t>(d)]));
        }
        return offsets;
    }

    ReduceState element(const std::vector<V>& base, V index) {
        std::vector<V> offsets;
        if (plan_.by_line)
            for (const std::vector<V>& strides : reduced_strides_) offsets.push_back(b_.mul(index, strides.back()));
        else
            offsets = positions(reduced_extents_, index, reduced_strides_, plan_.reduced.shape.size());
        V own = own_strides_.empty() ? nullptr : code_.as_i64(ir::Intrinsic::TidX);
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            offsets[i] = b_.add(base[i], offsets[i]);
            if (own) offsets[i] = b_.add(offsets[i], b_.mul(own, own_strides_[i]));
        }
        OffsetPlace place(code_, std::move(offsets));
        const std::vector<Number> values = code_.element(place);
        return reduce_lift(b_, spec_, values[spec_.value], spec_.has_index() ? values[spec_.index].re : nullptr);
    }

    /// Phis of a state.
    ReduceState phis(const ReduceState& initial, ir::Block* from) {
        auto phi = [&](V value) -> V {
            if (!value) return nullptr;
            V node = b_.phi(value->type);
            ir::Builder::add_incoming(node, value, from);
            return node;
        };
        return {{phi(initial.value.re), phi(initial.value.im)}, phi(initial.index)};
    }
    static void add_incoming(const ReduceState& phis, const ReduceState& values, ir::Block* from) {
        ir::Builder::add_incoming(phis.value.re, values.value.re, from);
        if (phis.value.im) ir::Builder::add_incoming(phis.value.im, values.value.im, from);
        if (phis.index) ir::Builder::add_incoming(phis.index, values.index, from);
    }

    /// for (counter = 0; counter < count; ++counter) state = body(counter, state), for a count that is the same for all
    /// threads of the block.
    template <class Body>
    ReduceState loop(V count, const ReduceState& initial, Body&& body) {
        ir::Block* before = b_.block();
        ir::Block* head = b_.new_block("head");
        ir::Block* round = b_.new_block("round");
        ir::Block* after = b_.new_block("after");
        b_.branch(head);
        b_.set_block(head);
        V counter = b_.phi(ir::Type::scalar(DType::Int64));
        ir::Builder::add_incoming(counter, b_.i64(0), before);
        const ReduceState state = phis(initial, before);
        b_.cond_branch(b_.lt(counter, count), round, after);
        b_.set_block(round);
        const ReduceState next = body(counter, state);
        if (plan_.in_step) b_.intrinsic(ir::Intrinsic::Barrier);
        V advanced = b_.add(counter, b_.i64(1));
        advanced->no_wrap = advanced->op == ir::Op::Scalar;
        ir::Builder::add_incoming(counter, advanced, b_.block());
        add_incoming(state, next, b_.block());
        b_.branch(head);
        b_.set_block(after);
        return state;
    }

    /// What this thread sees of its part of the elements.
    ReduceState walk(const std::vector<V>& base, V lane, V split) {
        V first = b_.mul(split, chunk_);
        V end = b_.scalar(S::Min, b_.add(first, chunk_), steps_);
        const ReduceState initial = reduce_identity(b_, spec_);
        if (!plan_.by_line) return line(base, lane, first, end, initial);
        const int outer = plan_.reduced.shape.size() - 1;
        return loop(b_.sub(end, first), initial, [&](V counter, const ReduceState& so_far) {
            std::vector<V> start = positions(reduced_extents_, b_.add(first, counter), reduced_strides_, outer);
            for (std::size_t i = 0; i < start.size(); ++i) start[i] = b_.add(base[i], start[i]);
            return line(start, lane, b_.i64(0), reduced_extents_[static_cast<std::size_t>(outer) * words()], so_far);
        });
    }

    /// argmin, argmax: the value that wins in whole rounds and the first round that has it; then that round's position.
    template <class StartOf>
    ReduceState search(const std::vector<V>& base, V rounds, std::int64_t step, StartOf&& start_of,
                       const ReduceState& so_far) {
        const DType number = plan_.narrow ? DType::Int32 : DType::Int64;
        const ReduceState initial{reduce_identity(b_, spec_).value, b_.constant(number, 0)};
        const ReduceState found = loop(rounds, initial, [&](V counter, const ReduceState& best) {
            V start = start_of(counter);
            std::vector<Number> seen;
            for (int u = 0; u < plan_.unroll; ++u) seen.push_back(element(base, b_.add(start, b_.i64(u * step))).value);
            for (std::size_t half = seen.size() / 2; half > 0; half /= 2)
                for (std::size_t u = 0; u < half; ++u) seen[u] = reduce_extreme(b_, spec_, seen[u], seen[u + half]);
            V better = reduce_beats(b_, spec_, seen[0], best.value);
            return ReduceState{{b_.select(better, seen[0].re, best.value.re),
                                seen[0].im ? b_.select(better, seen[0].im, best.value.im) : nullptr},
                               b_.select(better, b_.cast(counter, number), best.index)};
        });
        ir::Block* before = b_.block();
        ir::Block* again = b_.new_block("again");
        ir::Block* after = b_.new_block("searched");
        b_.cond_branch(b_.lt(b_.i64(0), rounds), again, after);
        b_.set_block(again);
        V start = start_of(b_.cast(found.index, DType::Int64));
        V index = nullptr;
        for (int u = plan_.unroll; u-- > 0;) {
            const ReduceState seen = element(base, b_.add(start, b_.i64(u * step)));
            index = index ? b_.select(reduce_ties(b_, spec_, seen.value, found.value), seen.index, index) : seen.index;
        }
        const ReduceState joined = reduce_combine(b_, spec_, so_far, {found.value, index});
        ir::Block* last = b_.block();
        b_.branch(after);
        b_.set_block(after);
        const ReduceState result = phis(so_far, before);
        add_incoming(result, joined, last);
        return result;
    }

    /// The elements from `first` to `end`, after `state`.
    ReduceState line(const std::vector<V>& base, V lane, V first, V end, ReduceState state) {
        V count = b_.sub(end, first);
        const std::int64_t width = plan_.lanes ? plan_.width : 1;
        const std::int64_t round = width * plan_.unroll;
        V rounds = b_.scalar(S::Div, count, b_.i64(round));
        auto start_of = [&](V number) {
            V start = b_.add(first, b_.mul(number, b_.i64(round)));
            return plan_.lanes ? b_.add(start, lane) : start;
        };
        if (plan_.rising)
            state = search(base, rounds, width, start_of, state);
        else
            state = loop(rounds, state, [&](V counter, const ReduceState& so_far) {
                V start = start_of(counter);
                std::vector<ReduceState> seen;
                for (int u = 0; u < plan_.unroll; ++u) seen.push_back(element(base, b_.add(start, b_.i64(u * width))));
                for (std::size_t half = seen.size() / 2; half > 0; half /= 2)
                    for (std::size_t u = 0; u < half; ++u) seen[u] = reduce_combine(b_, spec_, seen[u], seen[u + half]);
                return reduce_combine(b_, spec_, so_far, seen[0]);
            });
        // What is left of a whole round.
        V done = b_.mul(rounds, b_.i64(round));
        V rest = b_.sub(count, done);
        V steps = width == 1 ? rest : b_.scalar(S::Div, b_.add(rest, b_.i64(width - 1)), b_.i64(width));
        return loop(steps, state, [&](V counter, const ReduceState& so_far) {
            V index = b_.add(first, b_.add(done, b_.mul(counter, b_.i64(width))));
            if (!plan_.lanes) return reduce_combine(b_, spec_, so_far, element(base, index));
            index = b_.add(index, lane);
            ir::Block* before = b_.block();
            ir::Block* inside = b_.new_block("inside");
            ir::Block* after = b_.new_block("next");
            b_.cond_branch(b_.lt(index, end), inside, after);
            b_.set_block(inside);
            const ReduceState next = reduce_combine(b_, spec_, so_far, element(base, index));
            ir::Block* last = b_.block();
            b_.branch(after);
            b_.set_block(after);
            const ReduceState joined = phis(so_far, before);
            add_incoming(joined, next, last);
            return joined;
        });
    }

    /// The states of a row of threads, joined in thread 0 of the row.
    ReduceState join(ReduceState state, V tid) {
        const DType type = state_type();
        const int threads = plan_.width * plan_.rows;
        auto shared = [&](const char* name, DType dtype) {
            return b_.global_address(b_.module().new_global(
                name, ir::Space::Shared,
                static_cast<std::uint64_t>(threads) * static_cast<std::uint64_t>(size_of(dtype)), 16));
        };
        V values = shared("values", type);
        V indices = spec_.has_index() ? shared("indices", DType::Int64) : nullptr;
        V own = tid;
        if (plan_.rows > 1) own = b_.add(b_.mul(code_.as_i64(ir::Intrinsic::TidY), b_.i64(plan_.width)), tid);
        auto put = [&](const ReduceState& s) {
            code_.store(type, b_.pointer_add(values, own, size_of(type)), s.value);
            if (indices) code_.store(DType::Int64, b_.pointer_add(indices, own, 8), {s.index});
        };
        put(state);
        b_.intrinsic(ir::Intrinsic::Barrier);
        for (int half = plan_.width / 2; half > 0; half /= 2) {
            ir::Block* joins = b_.new_block("joins");
            ir::Block* after = b_.new_block("joined");
            b_.cond_branch(b_.lt(tid, b_.i64(half)), joins, after);
            b_.set_block(joins);
            auto get = [&](V place) -> ReduceState {
                return {code_.load(type, b_.pointer_add(values, place, size_of(type))),
                        indices ? code_.load(DType::Int64, b_.pointer_add(indices, place, 8)).re : nullptr};
            };
            put(reduce_combine(b_, spec_, get(own), get(b_.add(own, b_.i64(half)))));
            b_.branch(after);
            b_.set_block(after);
            b_.intrinsic(ir::Intrinsic::Barrier);
        }
        return {code_.load(type, b_.pointer_add(values, own, size_of(type))),
                indices ? code_.load(DType::Int64, b_.pointer_add(indices, own, 8)).re : nullptr};
    }

    const Program& program_;
    const ReduceSpec& spec_;
    const ReducePlan& plan_;
    const DType target_;
    KernelCode code_;
    ir::Builder& b_;
    V results_ = nullptr, steps_ = nullptr, chunk_ = nullptr;
    std::vector<V> reduced_extents_, own_strides_;
    std::vector<std::vector<V>> reduced_strides_;
};

}  // namespace

std::unique_ptr<ir::Module> reduce_module(const Program& program, const ReduceSpec& spec, const ReducePlan& plan,
                                          DType target) {
    return ReduceWriter(program, spec, plan, target).write();
}

}  // namespace lanewise
