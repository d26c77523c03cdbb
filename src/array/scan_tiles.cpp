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
/// Whose loads a thread of a whole block has under way.
constexpr int bytes_loaded_together = 64;

/// Element number `lane` of the run that begins `distance` elements after a place whose offsets are given. A constant
/// distance becomes part of the instructions that load, so that runs share the registers of one address.
class RunPlace final : public KernelCode::Place {
public:
    using V = ir::Value*;
    RunPlace(KernelCode& code, const std::vector<V>& offsets, const std::vector<V>& steps, const ScanPlan& plan,
             V distance, int lane)
        : code_(code), offsets_(offsets), steps_(steps), plan_(plan), distance_(distance), lane_(lane) {}

    V address(std::uint16_t leaf) override {
        ir::Builder& b = code_.b();
        V first = b.pointer_add(code_.leaf_base(leaf), offsets_[leaf], 1);
        if (plan_.innermost[leaf] == Innermost::Same) return first;
        if (plan_.innermost[leaf] == Innermost::Strided)
            return b.pointer_add(first, b.mul(index(), steps_[leaf + 1u]), 1);
        const auto item = code_.program().leaves[leaf].item();
        return b.pointer_add(b.pointer_add(first, distance_, item), b.i64(lane_), item);
    }
    V number(std::uint16_t leaf) override {
        ir::Builder& b = code_.b();
        return b.add(b.add(code_.leaf_base(leaf), offsets_[leaf]), b.mul(steps_[leaf + 1u], index()));
    }
    Number load(std::uint16_t leaf) override {
        const DType dtype = code_.program().leaves[leaf].dtype;
        const bool first_of_run = plan_.vector > 1 && lane_ == 0 && plan_.innermost[leaf] == Innermost::Unit;
        return code_.load(dtype, address(leaf),
                          first_of_run ? static_cast<std::uint32_t>(std::min(16, plan_.vector * size_of(dtype))) : 0);
    }

private:
    V index() { return code_.b().add(distance_, code_.b().i64(lane_)); }

    KernelCode& code_;
    const std::vector<V>& offsets_;
    const std::vector<V>& steps_;
    const ScanPlan& plan_;
    V distance_;
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
        const Number total = scan_rounds();
        if (plan_.is_held()) {
            store_held(join_warps(total));
        } else {
            store();
        }
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
            const bool one_line = plan_.line_shape.size() == 0;
            line = one_line ? b_.i64(0) : b_.scalar(S::Div, number, totals_->tiles());
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
        rest_ = b_.sub(length_, first_);
    }

    V take_number() {
        V slot = b_.global_address(b_.module().new_global("number", ir::Space::Shared, 8, 8));
        control_.when(b_.eq(thread_, b_.i64(0)),
                      [&] { b_.store(slot, b_.atomic(ir::AtomicOp::Add, totals_->counter(), b_.i64(1))); });
        b_.intrinsic(I::Barrier);
        return b_.load(ir::Type::scalar(DType::Int64), slot);
    }

    /// From the thread's first run to that of a round, in elements: a constant, unlike the run's place in the line,
    /// which would take a register throughout.
    V distance(V round) { return b_.mul(round, b_.i64(std::int64_t(width()) * plan_.vector)); }

    Number element(V start, V distance, int k) {
        std::vector<V> offsets;
        for (std::size_t i = 0; i < program_.leaves.size(); ++i) {
            V step = plan_.innermost[i] == Innermost::Strided
                         ? steps_[i + 1]
                         : b_.i64(plan_.innermost[i] == Innermost::Same ? 0 : program_.leaves[i].item());
            offsets.push_back(b_.add(bases_[i + 1], b_.mul(start, step)));
        }
        RunPlace place(code_, offsets, steps_, plan_, distance, k);
        return lift(place);
    }

    /// A round's run that lies within the line, or, `at_edge`, may not: then other elements are read and identities
    /// taken.
    Run load_run(V round, bool at_edge) {
        Run values;
        if (!at_edge) {
            for (int k = 0; k < plan_.vector; ++k) values.push_back(element(first_, distance(round), k));
            return values;
        }
        V run = distance(round);
        if (plan_.exact) {
            V last = b_.sub(rest_, b_.i64(plan_.vector));
            V inside = b_.scalar(S::Le, run, last), read = b_.scalar(S::Min, run, last);
            for (int k = 0; k < plan_.vector; ++k)
                values.push_back(control_.choose(inside, element(first_, read, k), identity()));
            return values;
        }
        V last = b_.sub(rest_, b_.i64(1));
        for (int k = 0; k < plan_.vector; ++k) {
            V index = b_.add(run, b_.i64(k));
            values.push_back(control_.choose(b_.scalar(S::Le, index, last),
                                             single(b_.add(first_, b_.scalar(S::Min, index, last))), identity()));
        }
        return values;
    }

    /// The runs of the thread, in registers.
    std::vector<Run> load() {
        std::vector<Run> runs;
        if (plan_.exact) {
            for (int r = 0; r < plan_.rounds; ++r) runs.push_back(load_run(b_.i64(r), true));
            return runs;
        }
        ir::Block* plain = b_.new_block("plain");
        ir::Block* edge = b_.new_block("edge");
        ir::Block* loaded = b_.new_block("loaded");
        b_.cond_branch(whole_, plain, edge);
        b_.set_block(plain);
        for (int r = 0; r < plan_.rounds; ++r) runs.push_back(load_run(b_.i64(r), false));
        plain = b_.block();
        b_.branch(loaded);
        b_.set_block(edge);
        std::vector<Run> others;
        for (int r = 0; r < plan_.rounds; ++r) others.push_back(load_run(b_.i64(r), true));
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
        V held = b_.dynamic_shared();
        V part = b_.mul(b_.scalar(S::Shr, thread_, b_.i64(5)), b_.i64(std::int64_t(warp) * plan_.rounds));
        own_ = b_.pointer_add(held, b_.mul(b_.add(part, lane_), b_.i64(plan_.vector)), size_of(type_));
        // The few tiles that end within take a run at a time: they leave the registers to the others.
        control_.when(whole_, [&] { hold(together(), false); });
        control_.when(b_.logical_not(whole_), [&] { hold(1, true); });
    }
    void hold(int together, bool at_edge) {
        control_.count(b_.i64(0), b_.i64(plan_.rounds), together, {}, [&](V round, const std::vector<V>&) {
            std::vector<Run> runs;
            for (int r = 0; r < together; ++r) runs.push_back(load_run(b_.add(round, b_.i64(r)), at_edge));
            for (int r = 0; r < together; ++r) hold_run(b_.add(round, b_.i64(r)), runs[static_cast<std::size_t>(r)]);
            return std::vector<V>();
        });
    }
    /// Rounds whose loads are under way at once.
    int together() const {
        int bytes = 0;
        for (const Access& leaf : program_.leaves)
            if (!leaf.is_iota) bytes += plan_.vector * size_of(leaf.dtype);
        int count = plan_.rounds;
        while (count > 1 && count * bytes > bytes_loaded_together) count /= 2;
        return count;
    }

    V slot(V round, int k) {
        return b_.pointer_add(b_.pointer_add(own_, distance(round), size_of(type_)), b_.i64(k), size_of(type_));
    }
    std::uint32_t slot_align(int k) const {
        return k == 0 ? static_cast<std::uint32_t>(std::min(16, plan_.vector * size_of(type_))) : 0;
    }

    void hold_run(V round, const Run& values) {
        for (int k = 0; k < plan_.vector; ++k)
            code_.store(type_, slot(round, k), values[static_cast<std::size_t>(k)], slot_align(k));
    }
    Run held_run(V round) {
        Run values;
        for (int k = 0; k < plan_.vector; ++k) values.push_back(code_.load(type_, slot(round, k), slot_align(k)));
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

    /// Turns the elements of the warp, or of the part of it, into their running totals. The total of all.
    Number scan_rounds() {
        Number carry;
        for (int r = 0; r < plan_.rounds; ++r) {
            V round = b_.i64(r);
            Run run = plan_.is_held() ? held_run(round) : runs_[static_cast<std::size_t>(r)];
            for (std::size_t k = 1; k < run.size(); ++k) run[k] = combine(run[k - 1], run[k]);
            Number sum = run.back();
            for (int distance = 1; distance < width(); distance *= 2) {
                const Number other = exchange(I::ShuffleUp, sum, b_.i32(distance), width());
                sum = control_.choose(b_.scalar(S::Ge, lane_, b_.i64(distance)), combine(other, sum), sum);
            }
            const Number left =
                control_.choose(b_.eq(lane_, b_.i64(0)), identity(), exchange(I::ShuffleUp, sum, b_.i32(1), width()));
            const Number total = exchange(I::ShuffleIndex, sum, b_.i32(width() - 1), width());
            const Number before = r == 0 ? left : combine(carry, left);
            for (Number& value : run) value = combine(before, value);
            if (plan_.is_held()) {
                hold_run(round, run);
            } else {
                runs_[static_cast<std::size_t>(r)] = run;
            }
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

    void put(V round, int k, const Number& value, bool first_of_run) {
        V first = b_.pointer_add(out_, b_.add(bases_[0], b_.mul(first_, b_.i64(size_of(target_)))), 1);
        V run = b_.pointer_add(first, distance(round), size_of(target_));
        code_.store(target_, b_.pointer_add(run, b_.i64(k), size_of(target_)), lower_cast(b_, value, type_, target_),
                    first_of_run ? static_cast<std::uint32_t>(std::min(16, plan_.vector * size_of(target_))) : 0);
    }
    void put_run(V round, const Run& values) {
        for (int k = 0; k < plan_.vector; ++k)
            put(round, k, values[static_cast<std::size_t>(k)], plan_.vector > 1 && k == 0);
    }
    /// Those of a run's elements that come less than `end` elements after the thread's first.
    void put_part(V round, const Run& values, V end) {
        V run = distance(round);
        if (plan_.exact) return control_.when(b_.lt(run, end), [&] { put_run(round, values); });
        for (int k = 0; k < plan_.vector; ++k)
            control_.when(b_.lt(b_.add(run, b_.i64(k)), end),
                          [&] { put(round, k, values[static_cast<std::size_t>(k)], false); });
    }

    /// The running totals in registers.
    void store() {
        V has_all = has_line_ ? b_.scalar(S::BitAnd, has_line_, whole_) : whole_;
        V end = has_line_ ? b_.select(has_line_, rest_, b_.i64(0)) : rest_;
        for (int r = 0; r < plan_.rounds; ++r) {
            V round = b_.i64(r);
            const Run& values = runs_[static_cast<std::size_t>(r)];
            if (plan_.exact) {
                put_part(round, values, end);
                continue;
            }
            control_.when(has_all, [&] { put_run(round, values); });
            control_.when(b_.logical_not(has_all), [&] { put_part(round, values, end); });
        }
    }

    /// The running totals in shared memory, after those before the warp's.
    void store_held(const Number& base) {
        auto each_round = [&](auto&& put_values) {
            control_.count(b_.i64(0), b_.i64(plan_.rounds), 1, {}, [&](V round, const std::vector<V>&) {
                Run values = held_run(round);
                for (Number& value : values) value = combine(base, value);
                put_values(round, values);
                return std::vector<V>();
            });
        };
        control_.when(whole_, [&] { each_round([&](V round, const Run& values) { put_run(round, values); }); });
        control_.when(b_.logical_not(whole_),
                      [&] { each_round([&](V round, const Run& values) { put_part(round, values, rest_); }); });
    }

    std::optional<TileTotals> totals_;  ///< where lines are more than a tile
    V thread_ = nullptr, lane_ = nullptr, tile_ = nullptr, line_ = nullptr, has_line_ = nullptr;
    V first_ = nullptr, rest_ = nullptr, whole_ = nullptr, own_ = nullptr;
    std::vector<Run> runs_;
    std::vector<V> bases_;
};

}  // namespace

std::unique_ptr<ir::Module> tile_scan_module(const Program& program, const ReduceSpec& spec, const ScanPlan& plan,
                                             DType target) {
    return TileScanWriter(program, spec, plan, target).write();
}

}  // namespace lanewise
