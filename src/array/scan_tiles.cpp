// Scans in one pass: threads side by side share a tile of a line, and tiles publish their totals for each other.
//
// A thread holds `rounds` runs of neighbouring elements; the runs of a round lie side by side along the warp, so that
// all accesses are whole. Shuffles scan the runs of a round, then the rounds follow each other, then the warps.
//
// A tile needs the total of all tiles before it. Totals are published by levels: each tile its own, the last tile of 32
// (scan_radix_bits) theirs, the last of 32 of those, and so on. The sum before a tile is made of at most 31 totals of
// each level, which the lanes of a warp read at once: no tile waits for a chain of others, and the order of additions
// depends on the shape only. Tiles take their numbers in the order in which they start, so that they wait only for
// tiles that run already.
//
// A total is published as words of 64 bits, each 32 bits of the value beside a mark that says it is there: a word is
// written and read as one, so no fence is needed.
#include <fmt/format.h>

#include "array/scan_code.h"

namespace lanewise {
namespace {

using S = ir::ScalarOp;
using I = ir::Intrinsic;

constexpr int warp = 32, warps = scan_block_threads / warp;

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

class TileScanWriter final : ScanCode {
public:
    TileScanWriter(const Program& program, const ReduceSpec& spec, const ScanPlan& plan, DType target)
        : ScanCode(program, spec, plan, target) {}

    std::unique_ptr<ir::Module> write() {
        out_ = code_.pointer_parameter("out", false, true);
        words_ = plan_.levels > 0 ? code_.pointer_parameter("words", false, false) : nullptr;
        code_.leaf_parameters(true);
        lines_ = code_.integer_parameter("lines");
        length_ = code_.integer_parameter("length");
        if (plan_.levels > 0) {
            tiles_ = code_.integer_parameter("tiles");
            line_words_ = code_.integer_parameter("line_words");
            plane_ = code_.integer_parameter("plane");
            for (int level = 0; level < plan_.levels; ++level)
                level_starts_.push_back(code_.integer_parameter(fmt::format("level{}", level)));
        }
        line_parameters();
        thread_ = tid();
        lane_ = b_.scalar(S::BitAnd, thread_, b_.i64(width() - 1));
        place_tile();

        std::vector<Number> values = load();
        std::vector<Number> before;  // of each round, of the values of the tile before it
        const Number total = scan_rounds(values, before);
        const Number base = plan_.lanes > warp ? join_warps(total) : identity();
        for (std::size_t r = 0; r < before.size(); ++r) before[r] = combine(base, before[r]);
        store(values, before);
        b_.ret();
        return code_.finish();
    }

private:
    int width() const { return std::min(plan_.lanes, warp); }
    int rows() const { return scan_block_threads / plan_.lanes; }
    std::size_t at(int round, int k) const { return static_cast<std::size_t>(round * plan_.vector + k); }

    /// Finds the block's line and tile, and where this thread's part of it begins.
    void place_tile() {
        V number = plan_.levels > 0 ? take_number() : code_.as_i64(I::CtaidX);
        V line = number;
        tile_ = b_.i64(0);
        if (plan_.levels > 0) {
            line = b_.scalar(S::Div, number, tiles_);
            tile_ = b_.sub(number, b_.mul(line, tiles_));
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
        if (plan_.lanes > warp) {
            V part = b_.scalar(S::Shr, thread_, b_.i64(5));
            first_ = b_.add(first_, b_.mul(part, b_.i64(std::int64_t(warp) * plan_.vector * plan_.rounds)));
        }
        V end = b_.mul(b_.add(tile_, b_.i64(1)), b_.i64(plan_.tile_elements()));
        whole_ = b_.scalar(S::Le, end, length_);
    }

    V take_number() {
        V slot = b_.global_address(b_.module().new_global("number", ir::Space::Shared, 8, 8));
        control_.when(b_.eq(thread_, b_.i64(0)),
                      [&] { b_.store(slot, b_.atomic(ir::AtomicOp::Add, words_, b_.i64(1))); });
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

    /// The elements of the thread. Beyond the end of the line another element is read and the identity taken.
    std::vector<Number> load() {
        std::vector<Number> values(static_cast<std::size_t>(plan_.rounds * plan_.vector));
        if (plan_.exact) {
            V last = b_.sub(length_, b_.i64(plan_.vector));
            for (int r = 0; r < plan_.rounds; ++r) {
                V run = run_start(r);
                V inside = b_.scalar(S::Le, run, last);
                V read = b_.scalar(S::Min, run, last);
                for (int k = 0; k < plan_.vector; ++k)
                    values[at(r, k)] = control_.choose(inside, element(read, k), identity());
            }
            return values;
        }
        ir::Block* plain = b_.new_block("plain");
        ir::Block* edge = b_.new_block("edge");
        ir::Block* loaded = b_.new_block("loaded");
        b_.cond_branch(whole_, plain, edge);
        b_.set_block(plain);
        for (int r = 0; r < plan_.rounds; ++r) {
            V run = run_start(r);
            for (int k = 0; k < plan_.vector; ++k) values[at(r, k)] = element(run, k);
        }
        plain = b_.block();
        b_.branch(loaded);
        b_.set_block(edge);
        std::vector<Number> others(values.size());
        V last = b_.sub(length_, b_.i64(1));
        for (int r = 0; r < plan_.rounds; ++r) {
            V run = run_start(r);
            for (int k = 0; k < plan_.vector; ++k) {
                V index = b_.add(run, b_.i64(k));
                others[at(r, k)] =
                    control_.choose(b_.scalar(S::Le, index, last), single(b_.scalar(S::Min, index, last)), identity());
            }
        }
        edge = b_.block();
        b_.branch(loaded);
        b_.set_block(loaded);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const Number joined = control_.phi(values[i], plain);
            Control::incoming(joined, others[i], edge);
            values[i] = joined;
        }
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

    /// Scans each run, from the start of its round; the total of all rounds, and of those before each.
    Number scan_rounds(std::vector<Number>& values, std::vector<Number>& before) {
        std::vector<Number> totals;
        for (int r = 0; r < plan_.rounds; ++r) {
            for (int k = 1; k < plan_.vector; ++k) values[at(r, k)] = combine(values[at(r, k - 1)], values[at(r, k)]);
            Number sum = values[at(r, plan_.vector - 1)];
            for (int distance = 1; distance < width(); distance *= 2) {
                const Number other = exchange(I::ShuffleUp, sum, b_.i32(distance));
                sum = control_.choose(b_.scalar(S::Ge, lane_, b_.i64(distance)), combine(other, sum), sum);
            }
            const Number left =
                control_.choose(b_.eq(lane_, b_.i64(0)), identity(), exchange(I::ShuffleUp, sum, b_.i32(1)));
            for (int k = 0; k < plan_.vector; ++k) values[at(r, k)] = combine(left, values[at(r, k)]);
            totals.push_back(exchange(I::ShuffleIndex, sum, b_.i32(width() - 1)));
        }
        Number carry = totals[0];
        before.push_back(identity());
        for (int r = 1; r < plan_.rounds; ++r) {
            before.push_back(carry);
            carry = combine(carry, totals[static_cast<std::size_t>(r)]);
        }
        return carry;
    }

    /// A value of another lane of the part of the warp.
    Number exchange(I which, const Number& value, V operand) {
        auto part = [&](V x) {
            const DType own = x->type.dtype;
            const bool small = is_bool(own) || size_of(own) < 4;
            V wide = small ? b_.cast(x, DType::Int32) : x;
            V got = b_.intrinsic(which, {b_.constant(DType::UInt32, -1), wide, operand, b_.i32(width())});
            return small ? b_.cast(got, own) : got;
        };
        return {part(value.re), value.im ? part(value.im) : nullptr};
    }

    /// The values before this warp's: of the block's other warps, and of all tiles before this one.
    Number join_warps(const Number& own) {
        const auto size = static_cast<std::uint64_t>(size_of(type_));
        V shared = b_.global_address(b_.module().new_global("totals", ir::Space::Shared, (warps + 1) * size, 16));
        auto slot = [&](V number) { return b_.pointer_add(shared, number, static_cast<std::int64_t>(size)); };
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
            const Number tiles = total_before(all);
            control_.when(b_.eq(lane_, b_.i64(0)), [&] { code_.store(type_, slot(b_.i64(warps)), tiles); });
        });
        b_.intrinsic(I::Barrier);
        return combine(code_.load(type_, slot(b_.i64(warps))), before);
    }

    /// Publishes the tile's total, and those of the groups that it is the last of; the total of all tiles before it.
    /// Called by one warp.
    Number total_before(const Number& total) {
        V line_start = b_.add(b_.i64(1), b_.mul(line_, line_words_));
        const auto levels = static_cast<std::size_t>(plan_.levels);
        std::vector<V> digits, wanted, places;
        V rest = tile_;
        for (std::size_t level = 0; level < levels; ++level) {
            V group = b_.scalar(S::Shr, rest, b_.i64(scan_radix_bits));
            digits.push_back(b_.scalar(S::BitAnd, rest, b_.i64(warp - 1)));
            wanted.push_back(b_.lt(lane_, digits.back()));
            V start = b_.add(line_start, level_starts_[level]);
            places.push_back(b_.add(start, b_.add(b_.scalar(S::Shl, group, b_.i64(scan_radix_bits)), lane_)));
            if (level == 0) publish(b_.eq(lane_, b_.i64(0)), b_.add(start, tile_), total);
            rest = group;
        }
        // All levels are read at once: most totals are there.
        std::vector<std::vector<V>> first_read;
        for (std::size_t level = 0; level < levels; ++level) first_read.push_back(read(wanted[level], places[level]));
        Number before = identity(), group_total = total;
        V is_last = b_.eq(lane_, b_.i64(0));
        rest = tile_;
        for (std::size_t level = 0; level < levels; ++level) {
            Number sum = control_.choose(wanted[level], from_words(wait(places[level], first_read[level])), identity());
            for (int distance = 1; distance < warp; distance *= 2)
                sum = combine(sum, exchange(I::ShuffleXor, sum, b_.i32(distance)));
            before = combine(sum, before);
            if (level + 1 == levels) break;
            group_total = combine(sum, group_total);
            is_last = b_.scalar(S::BitAnd, is_last, b_.eq(digits[level], b_.i64(warp - 1)));
            rest = b_.scalar(S::Shr, rest, b_.i64(scan_radix_bits));
            publish(is_last, b_.add(b_.add(line_start, level_starts_[level + 1]), rest), group_total);
        }
        return before;
    }

    // Words of totals.

    std::vector<V> to_words(const Number& value) {
        std::vector<V> words;
        for (V part : {value.re, value.im}) {
            if (!part) continue;
            const DType own = part->type.dtype;
            if (size_of(own) < 8) {
                V bits = is_float(own) ? b_.bitcast(part, ir::Type::scalar(DType::UInt32)) : part;
                words.push_back(b_.cast(b_.cast(bits, DType::UInt32), DType::UInt64));
                continue;
            }
            V bits = b_.bitcast(part, ir::Type::scalar(DType::UInt64));
            words.push_back(b_.scalar(S::BitAnd, bits, b_.constant(DType::UInt64, 0xffffffff)));
            words.push_back(b_.scalar(S::Shr, bits, b_.constant(DType::UInt64, 32)));
        }
        return words;
    }

    Number from_words(const std::vector<V>& words) {
        const DType own = real_of(type_);
        std::size_t next = 0;
        auto part = [&]() -> V {
            V low = b_.cast(words[next++], DType::UInt32);
            if (is_bool(own)) return b_.scalar(S::Ne, low, b_.constant(DType::UInt32, 0));
            if (size_of(own) < 4) return b_.cast(low, own);
            if (size_of(own) == 4) return b_.bitcast(low, ir::Type::scalar(own));
            V high = b_.scalar(S::Shl, words[next++], b_.constant(DType::UInt64, 32));
            return b_.bitcast(b_.scalar(S::BitOr, high, b_.cast(low, DType::UInt64)), ir::Type::scalar(own));
        };
        V re = part();
        return {re, is_complex(type_) ? part() : nullptr};
    }

    std::size_t word_count() const { return static_cast<std::size_t>(std::max(size_of(type_), 4) / 4); }
    V word_address(V place, std::size_t word) {
        return b_.pointer_add(words_, b_.add(place, b_.mul(plane_, b_.i64(static_cast<std::int64_t>(word)))), 8);
    }
    V read_word(V place, std::size_t word) {
        return b_.load(ir::Type::scalar(DType::UInt64), word_address(place, word), 0, ir::CacheHint::Volatile);
    }

    void publish(V condition, V place, const Number& value) {
        control_.when(condition, [&] {
            const std::vector<V> words = to_words(value);
            for (std::size_t i = 0; i < words.size(); ++i)
                b_.store(word_address(place, i),
                         b_.scalar(S::BitOr, words[i], b_.constant(DType::UInt64, std::int64_t(1) << 32)), 0,
                         ir::CacheHint::Volatile);
        });
    }

    std::vector<V> read(V condition, V place) {
        std::vector<V> words;
        ir::Block* before = b_.block();
        ir::Block* reads = b_.new_block("reads");
        ir::Block* after = b_.new_block("after");
        b_.cond_branch(condition, reads, after);
        b_.set_block(reads);
        std::vector<V> got;
        for (std::size_t i = 0; i < word_count(); ++i) got.push_back(read_word(place, i));
        b_.branch(after);
        b_.set_block(after);
        for (V word : got) {
            V joined = b_.phi(word->type);
            ir::Builder::add_incoming(joined, b_.constant(DType::UInt64, std::int64_t(1) << 32), before);
            ir::Builder::add_incoming(joined, word, reads);
            words.push_back(joined);
        }
        return words;
    }

    /// Reads again until all words are there.
    std::vector<V> wait(V place, const std::vector<V>& first_read) {
        ir::Block* before = b_.block();
        ir::Block* head = b_.new_block("waits");
        ir::Block* again = b_.new_block("again");
        ir::Block* there = b_.new_block("there");
        b_.branch(head);
        b_.set_block(head);
        std::vector<V> words;
        for (V word : first_read) {
            words.push_back(b_.phi(word->type));
            ir::Builder::add_incoming(words.back(), word, before);
        }
        V all = words[0];
        for (std::size_t i = 1; i < words.size(); ++i) all = b_.scalar(S::BitAnd, all, words[i]);
        V has_mark = b_.scalar(S::Ge, all, b_.constant(DType::UInt64, std::int64_t(1) << 32));
        b_.cond_branch(has_mark, there, again);
        b_.set_block(again);
        for (std::size_t i = 0; i < words.size(); ++i) ir::Builder::add_incoming(words[i], read_word(place, i), again);
        b_.branch(head);
        b_.set_block(there);
        b_.intrinsic(I::SyncWarp, {b_.constant(DType::UInt32, -1)});
        return words;
    }

    void store(const std::vector<Number>& values, const std::vector<Number>& before) {
        const auto align = static_cast<std::uint32_t>(std::min(16, plan_.vector * size_of(target_)));
        auto put = [&](V run, int r, int k, std::uint32_t aligned) {
            V address =
                b_.pointer_add(b_.pointer_add(out_, b_.add(bases_[0], b_.mul(run, b_.i64(size_of(target_)))), 1),
                               b_.i64(k), size_of(target_));
            const Number value = combine(before[static_cast<std::size_t>(r)], values[at(r, k)]);
            code_.store(target_, address, lower_cast(b_, value, type_, target_), aligned);
        };
        auto put_run = [&](V run, int r) {
            for (int k = 0; k < plan_.vector; ++k) put(run, r, k, plan_.vector > 1 && k == 0 ? align : 0);
        };
        ir::Block* plain = b_.new_block("whole");
        ir::Block* edge = b_.new_block("partial");
        ir::Block* done = b_.new_block("done");
        b_.cond_branch(has_line_ ? b_.scalar(S::BitAnd, has_line_, whole_) : whole_, plain, edge);
        b_.set_block(plain);
        for (int r = 0; r < plan_.rounds; ++r) put_run(run_start(r), r);
        b_.branch(done);
        b_.set_block(edge);
        V end = has_line_ ? b_.select(has_line_, length_, b_.i64(0)) : length_;
        for (int r = 0; r < plan_.rounds; ++r) {
            V run = run_start(r);
            if (plan_.exact) {
                control_.when(b_.lt(run, end), [&] { put_run(run, r); });
                continue;
            }
            for (int k = 0; k < plan_.vector; ++k)
                control_.when(b_.lt(b_.add(run, b_.i64(k)), end), [&] { put(run, r, k, 0); });
        }
        b_.branch(done);
        b_.set_block(done);
    }

    V words_ = nullptr, tiles_ = nullptr, line_words_ = nullptr, plane_ = nullptr;
    std::vector<V> level_starts_;
    V thread_ = nullptr, lane_ = nullptr, tile_ = nullptr, line_ = nullptr, has_line_ = nullptr;
    V first_ = nullptr, whole_ = nullptr;
    std::vector<V> bases_;
};

}  // namespace

std::unique_ptr<ir::Module> tile_scan_module(const Program& program, const ReduceSpec& spec, const ScanPlan& plan,
                                             DType target) {
    return TileScanWriter(program, spec, plan, target).write();
}

}  // namespace lanewise
