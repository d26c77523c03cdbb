// Scans in one pass: threads side by side share a tile of a line, and tiles publish their totals for each other.
//
// A thread has `rounds` runs of neighbouring elements; the runs of a round lie side by side along the warp, so that all
// accesses are whole. Shuffles scan the totals of a round's runs, then the rounds follow each other, then the warps.
// Threads of whole blocks keep their elements in shared memory, each its own: registers for a few loads at a time let
// more blocks, and with them more bytes, be under way.
#include "array/scan_code.h"
#include "array/scan_totals.h"

namespace lanewise {
namespace {

using S = ir::ScalarOp;
using I = ir::Intrinsic;

constexpr int warp = 32;
/// Rounds whose loads a thread of a whole block has under way.
constexpr int loaded_together = 4;

/// Element number `lane` of a run whose first element's offsets are given.
class RunPlace final : public KernelCode::Place {
public:
    using V = ir::Value*;
    RunPlace(KernelCode& code, const std::vector<V>& offsets, const std::vector<V>& steps, const ScanPlan& plan,
             int lane)
        : code_(code), offsets_(offsets), steps_(steps), plan_(plan), lane_(lane) {}

    V address(std::uint16_t leaf) override {
        ir::Builder& b = code_.b();
        V first = b.pointer_add(code_.leaf_base(leaf), offsets_[leaf], 1);
        if (plan_.innermost[leaf] == Innermost::Same) return first;
        return b.pointer_add(first, b.i64(lane_), code_.program().leaves[leaf].item());
    }
    V number(std::uint16_t leaf) override {
        ir::Builder& b = code_.b();
        return b.add(b.add(code_.leaf_base(leaf), offsets_[leaf]), b.mul(steps_[leaf + 1u], b.i64(lane_)));
    }
    Number load(std::uint16_t leaf) override {
        const DType dtype = code_.program().leaves[leaf].dtype;
        const bool first_of_run = plan_.vector > 1 && lane_ == 0 && plan_.innermost[leaf] == Innermost::Unit;
        return code_.load(dtype, address(leaf),
                          first_of_run ? static_cast<std::uint32_t>(std::min(16, plan_.vector * size_of(dtype))) : 0);
    }

private:
    KernelCode& code_;
    const std::vector<V>& offsets_;
    const std::vector<V>& steps_;
    const ScanPlan& plan_;
    int lane_;
};

class TileScanWriter final : public ScanCode {
public:
    TileScanWriter(const Program& program, const ReduceSpec& spec, const ScanPlan& plan, DType target)
        : ScanCode(program, spec, plan, target) {}

    std::unique_ptr<ir::Module> write() {
        out_ = code_.pointer_parameter("out", false, true);
        if (plan_.levels > 0) totals_.emplace(*this, plan_.levels);
        code_.leaf_parameters(true);
        lines_ = code_.integer_parameter("lines");
        length_ = code_.integer_parameter("length");
        if (totals_) totals_->parameters();
        line_parameters();
        thread_ = tid();
        lane_ = b_.scalar(S::BitAnd, thread_, b_.i64(width() - 1));
        place_tile();

        if (plan_.is_held()) {
            hold();
        } else {
            runs_ = load();
        }
        std::vector<Number> before;  // each round's run, within the warp
        const Number total = scan_rounds(before);
        const Number base = plan_.is_held() ? join_warps(total) : identity();
        store(base, before);
        b_.ret();
        return code_.finish();
    }

private:
    int width() const { return std::min(plan_.lanes, warp); }
    int rows() const { return plan_.block_threads() / plan_.lanes; }
    using Run = std::vector<Number>;

    /// Finds the block's line and tile, and where this thread's part of it begins.
    void place_tile() {
        V number = plan_.levels > 0 ? take_number() : code_.as_i64(I::CtaidX);
        V line = number;
        tile_ = b_.i64(0);
        if (plan_.levels > 0) {
            line = b_.scalar(S::Div, number, totals_->tiles());
            tile_ = b_.sub(number, b_.mul(line, totals_->tiles()));
        }
        if (rows() > 1) {
            line = b_.add(b_.mul(number, b_.i64(rows())), b_.scalar(S::Div, thread_, b_.i64(plan_.lanes)));
            has_line_ = b_.lt(line, lines_);
            // Threads without a line take part in the shuffles.
            line = b_.select(has_line_, line, b_.i64(0));
        }
        line_ = line;
        bases_ = bases_of(line);
        first_ = b_.add(b_.mul(tile_, b_.i64(plan_.tile_elements())), b_.mul(lane_, b_.i64(plan_.vector)));
        if (plan_.is_held()) {
            V part = b_.scalar(S::Shr, thread_, b_.i64(5));
            first_ = b_.add(first_, b_.mul(part, b_.i64(std::int64_t(warp) * plan_.vector * plan_.rounds)));
        }
        V end = b_.mul(b_.add(tile_, b_.i64(1)), b_.i64(plan_.tile_elements()));
        whole_ = b_.scalar(S::Le, end, length_);
    }

    V take_number() {
        V slot = b_.global_address(b_.module().new_global("number", ir::Space::Shared, 8, 8));
        control_.when(b_.eq(thread_, b_.i64(0)),
                      [&] { b_.store(slot, b_.atomic(ir::AtomicOp::Add, totals_->counter(), b_.i64(1))); });
        b_.intrinsic(I::Barrier);
        return b_.load(ir::Type::scalar(DType::Int64), slot);
    }

    V run_start(int round) { return b_.add(first_, b_.i64(std::int64_t(round) * width() * plan_.vector)); }

    Number element(V run, int k) {
        std::vector<V> offsets;
        for (std::size_t i = 0; i < program_.leaves.size(); ++i) {
            V step = plan_.innermost[i] == Innermost::Strided
                         ? steps_[i + 1]
                         : b_.i64(plan_.innermost[i] == Innermost::Same ? 0 : program_.leaves[i].item());
            offsets.push_back(b_.add(bases_[i + 1], b_.mul(run, step)));
        }
        RunPlace place(code_, offsets, steps_, plan_, k);
        return lift(place);
    }

    /// A run that lies within the line, or, `at_edge`, may not: then other elements are read and identities taken.
    Run load_run(V run, bool at_edge) {
        Run values;
        if (!at_edge) {
            for (int k = 0; k < plan_.vector; ++k) values.push_back(element(run, k));
            return values;
        }
        if (plan_.exact) {
            V last = b_.sub(length_, b_.i64(plan_.vector));
            V inside = b_.scalar(S::Le, run, last), read = b_.scalar(S::Min, run, last);
            for (int k = 0; k < plan_.vector; ++k)
                values.push_back(control_.choose(inside, element(read, k), identity()));
            return values;
        }
        V last = b_.sub(length_, b_.i64(1));
        for (int k = 0; k < plan_.vector; ++k) {
            V index = b_.add(run, b_.i64(k));
            values.push_back(
                control_.choose(b_.scalar(S::Le, index, last), single(b_.scalar(S::Min, index, last)), identity()));
        }
        return values;
    }

    /// The runs of the thread, in registers.
    std::vector<Run> load() {
        std::vector<Run> runs;
        if (plan_.exact) {
            for (int r = 0; r < plan_.rounds; ++r) runs.push_back(load_run(run_start(r), true));
            return runs;
        }
        ir::Block* plain = b_.new_block("plain");
        ir::Block* edge = b_.new_block("edge");
        ir::Block* loaded = b_.new_block("loaded");
        b_.cond_branch(whole_, plain, edge);
        b_.set_block(plain);
        for (int r = 0; r < plan_.rounds; ++r) runs.push_back(load_run(run_start(r), false));
        plain = b_.block();
        b_.branch(loaded);
        b_.set_block(edge);
        std::vector<Run> others;
        for (int r = 0; r < plan_.rounds; ++r) others.push_back(load_run(run_start(r), true));
        edge = b_.block();
        b_.branch(loaded);
        b_.set_block(loaded);
        for (std::size_t r = 0; r < runs.size(); ++r)
            for (std::size_t k = 0; k < runs[r].size(); ++k) {
                const Number joined = control_.phi(runs[r][k], plain);
                Control::incoming(joined, others[r][k], edge);
                runs[r][k] = joined;
            }
        return runs;
    }

    /// The runs of the thread, to shared memory.
    void hold() {
        held_ = b_.dynamic_shared();
        V part = b_.mul(b_.scalar(S::Shr, thread_, b_.i64(5)), b_.i64(std::int64_t(warp) * plan_.rounds));
        own_slot_ = b_.mul(b_.add(part, lane_), b_.i64(plan_.vector));
        const int together = std::min(plan_.rounds, loaded_together);
        auto all = [&](bool at_edge) {
            control_.count(b_.i64(0), b_.i64(plan_.rounds), together, {}, [&](V round, const std::vector<V>&) {
                std::vector<Run> runs;
                std::vector<V> numbers;
                for (int r = 0; r < together; ++r) {
                    numbers.push_back(b_.add(round, b_.i64(r)));
                    V run = b_.add(first_, b_.mul(numbers.back(), b_.i64(std::int64_t(warp) * plan_.vector)));
                    runs.push_back(load_run(run, at_edge));
                }
                for (std::size_t r = 0; r < runs.size(); ++r)
                    for (int k = 0; k < plan_.vector; ++k)
                        code_.store(type_, slot(numbers[r], k), runs[r][static_cast<std::size_t>(k)], slot_align(k));
                return std::vector<V>();
            });
        };
        if (plan_.exact) return all(true);
        control_.when(whole_, [&] { all(false); });
        control_.when(b_.logical_not(whole_), [&] { all(true); });
    }

    V slot(V round, int k) {
        V run = b_.add(own_slot_, b_.mul(round, b_.i64(std::int64_t(warp) * plan_.vector)));
        return b_.pointer_add(b_.pointer_add(held_, run, size_of(type_)), b_.i64(k), size_of(type_));
    }
    std::uint32_t slot_align(int k) const {
        return k == 0 ? static_cast<std::uint32_t>(std::min(16, plan_.vector * size_of(type_))) : 0;
    }

    Run run_of(int round) {
        if (!plan_.is_held()) return runs_[static_cast<std::size_t>(round)];
        Run values;
        for (int k = 0; k < plan_.vector; ++k)
            values.push_back(code_.load(type_, slot(b_.i64(round), k), slot_align(k)));
        return values;
    }

    /// An element that need not lie where vectors do.
    Number single(V index) {
        std::vector<V> offsets;
        for (std::size_t i = 0; i < program_.leaves.size(); ++i)
            offsets.push_back(b_.add(bases_[i + 1], b_.mul(index, steps_[i + 1])));
        OffsetPlace place(code_, std::move(offsets));
        return lift(place);
    }

    /// The total of what the warp, or the part of it, has, and of what comes before each of the thread's runs.
    Number scan_rounds(std::vector<Number>& before) {
        Number carry;
        for (int r = 0; r < plan_.rounds; ++r) {
            const Run run = run_of(r);
            Number sum = run[0];
            for (std::size_t k = 1; k < run.size(); ++k) sum = combine(sum, run[k]);
            for (int distance = 1; distance < width(); distance *= 2) {
                const Number other = exchange(I::ShuffleUp, sum, b_.i32(distance), width());
                sum = control_.choose(b_.scalar(S::Ge, lane_, b_.i64(distance)), combine(other, sum), sum);
            }
            const Number left =
                control_.choose(b_.eq(lane_, b_.i64(0)), identity(), exchange(I::ShuffleUp, sum, b_.i32(1), width()));
            const Number total = exchange(I::ShuffleIndex, sum, b_.i32(width() - 1), width());
            before.push_back(r == 0 ? left : combine(carry, left));
            carry = r == 0 ? total : combine(carry, total);
        }
        return carry;
    }

    /// The values before this warp's: of the block's other warps, and of all tiles before this one.
    Number join_warps(const Number& own) {
        const int warps = plan_.lanes / warp;
        const auto bytes = static_cast<std::uint64_t>((warps + 1) * size_of(type_));
        V shared = b_.global_address(b_.module().new_global("totals", ir::Space::Shared, bytes, 16));
        auto slot = [&](V number) { return b_.pointer_add(shared, number, size_of(type_)); };
        V part = b_.scalar(S::Shr, thread_, b_.i64(5));
        control_.when(b_.eq(lane_, b_.i64(0)), [&] { code_.store(type_, slot(part), own); });
        b_.intrinsic(I::Barrier);
        Number before = identity(), all;
        for (int w = 0; w < warps; ++w) {
            const Number total = code_.load(type_, slot(b_.i64(w)));
            if (w > 0) before = control_.choose(b_.eq(part, b_.i64(w)), all, before);
            all = w == 0 ? total : combine(all, total);
        }
        if (plan_.levels == 0) return before;
        control_.when(b_.eq(part, b_.i64(0)), [&] {
            const Number tiles = totals_->before(line_, tile_, lane_, all);
            control_.when(b_.eq(lane_, b_.i64(0)), [&] { code_.store(type_, slot(b_.i64(warps)), tiles); });
        });
        b_.intrinsic(I::Barrier);
        return combine(code_.load(type_, slot(b_.i64(warps))), before);
    }

    void store(const Number& base, const std::vector<Number>& before) {
        auto put = [&](V run, int k, const Number& value, std::uint32_t align) {
            V first = b_.pointer_add(out_, b_.add(bases_[0], b_.mul(run, b_.i64(size_of(target_)))), 1);
            code_.store(target_, b_.pointer_add(first, b_.i64(k), size_of(target_)),
                        lower_cast(b_, value, type_, target_), align);
        };
        const auto run_align = static_cast<std::uint32_t>(std::min(16, plan_.vector * size_of(target_)));
        auto put_run = [&](V run, const Run& values) {
            for (int k = 0; k < plan_.vector; ++k)
                put(run, k, values[static_cast<std::size_t>(k)], plan_.vector > 1 && k == 0 ? run_align : 0);
        };
        V has_all = has_line_ ? b_.scalar(S::BitAnd, has_line_, whole_) : whole_;
        V end = has_line_ ? b_.select(has_line_, length_, b_.i64(0)) : length_;
        for (int r = 0; r < plan_.rounds; ++r) {
            Run values = run_of(r);
            Number so_far = combine(base, before[static_cast<std::size_t>(r)]);
            for (Number& value : values) value = so_far = combine(so_far, value);
            V run = run_start(r);
            if (plan_.exact) {
                control_.when(b_.lt(run, end), [&] { put_run(run, values); });
                continue;
            }
            control_.when(has_all, [&] { put_run(run, values); });
            control_.when(b_.logical_not(has_all), [&] {
                for (int k = 0; k < plan_.vector; ++k)
                    control_.when(b_.lt(b_.add(run, b_.i64(k)), end),
                                  [&] { put(run, k, values[static_cast<std::size_t>(k)], 0); });
            });
        }
    }

    std::optional<TileTotals> totals_;  ///< where lines are more than a tile
    V thread_ = nullptr, lane_ = nullptr, tile_ = nullptr, line_ = nullptr, has_line_ = nullptr;
    V first_ = nullptr, whole_ = nullptr, held_ = nullptr, own_slot_ = nullptr;
    std::vector<Run> runs_;
    std::vector<V> bases_;
};

}  // namespace

std::unique_ptr<ir::Module> tile_scan_module(const Program& program, const ReduceSpec& spec, const ScanPlan& plan,
                                             DType target) {
    return TileScanWriter(program, spec, plan, target).write();
}

}  // namespace lanewise
