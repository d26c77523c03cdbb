// The kernels of compactions.
#include "array/compact.h"
#include "array/control.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;
using I = ir::Intrinsic;

constexpr std::int64_t group_words = compact_group / compact_word;
static_assert(group_words == 32, "a lane of a warp for a word");
/// Instructions for the elements whose loads are under way together.
constexpr std::size_t most_code = 128;

class CompactCode {
protected:
    CompactCode(const Program& program, ValueId value, const CompactPlan& plan, const char* name)
        : program_(program), value_(value), plan_(plan), code_(program, name), b_(code_.b()), control_(b_) {}

    /// What follows the pointers of results.
    void parameters() {
        code_.leaf_parameters(true);
        size_ = code_.integer_parameter("size");
        for (std::size_t i = 0; i < program_.leaves.size(); ++i)
            steps_.push_back(plan_.innermost[i] == Innermost::Strided
                                 ? code_.integer_parameter("step" + std::to_string(i))
                                 : b_.i64(plan_.innermost[i] == Innermost::Same ? 0 : program_.leaves[i].item()));
        code_.scalar_parameters();
    }

    /// The value of element `index + k`; runs of plan.vector elements start at multiples of it.
    Number element(V index, int k = 0, bool in_run = false) {
        struct RunPlace final : KernelCode::Place {
            CompactCode& own;
            V index;
            int k;
            bool in_run;
            RunPlace(CompactCode& own, V index, int k, bool in_run) : own(own), index(index), k(k), in_run(in_run) {}
            V address(std::uint16_t leaf) override {
                V first = own.b_.pointer_add(own.code_.leaf_base(leaf), own.b_.mul(index, own.steps_[leaf]), 1);
                return k == 0 ? first : own.b_.pointer_add(first, own.b_.mul(own.steps_[leaf], own.b_.i64(k)), 1);
            }
            V number(std::uint16_t leaf) override {
                return own.b_.add(own.code_.leaf_base(leaf),
                                  own.b_.mul(own.b_.add(index, own.b_.i64(k)), own.steps_[leaf]));
            }
            Number load(std::uint16_t leaf) override {
                const DType dtype = own.program_.leaves[leaf].dtype;
                const bool aligned = in_run && k == 0 && own.plan_.innermost[leaf] == Innermost::Unit;
                return own.code_.load(
                    dtype, address(leaf),
                    aligned ? static_cast<std::uint32_t>(std::min(16, own.plan_.vector * size_of(dtype))) : 0);
            }
        } place(*this, index, k, in_run);
        return code_.element(place)[value_];
    }

    V word(std::int64_t bits) { return b_.constant(DType::UInt32, bits); }
    V all_lanes() { return word(-1); }
    V shuffle(I which, V value, V operand) { return b_.intrinsic(which, {all_lanes(), value, operand, b_.i32(32)}); }
    V popcount(V bits) { return b_.scalar(S::PopCount, bits); }
    /// Rounds of a loop over elements that are written out.
    int written_out(int most) const {
        int count = most;
        while (count > 1 && static_cast<std::size_t>(count) * program_.code.size() > most_code) count /= 2;
        return count;
    }

    const Program& program_;
    const ValueId value_;
    const CompactPlan& plan_;
    KernelCode code_;
    ir::Builder& b_;
    Control control_;
    V size_ = nullptr;
    std::vector<V> steps_;
};

class MarkWriter final : CompactCode {
public:
    MarkWriter(const Program& program, ValueId value, const CompactPlan& plan)
        : CompactCode(program, value, plan, "mark") {}

    std::unique_ptr<ir::Module> write() {
        bits_ = code_.pointer_parameter("bits", false, true);
        counts_ = code_.pointer_parameter("counts", false, true);
        parameters();
        plan_.cuda ? by_warps() : by_threads();
        b_.ret();
        return code_.finish();
    }

private:
    void by_warps() {
        V group = b_.scalar(S::Shr, code_.global_index(), b_.i64(5));
        V lane = b_.scalar(S::BitAnd, b_.cast(code_.as_i64(I::TidX), DType::UInt32), word(31));
        V first = b_.mul(group, b_.i64(compact_group));
        V some = b_.lt(first, size_);
        control_.when(some, [&] {
            V whole = b_.scalar(S::Le, b_.add(first, b_.i64(compact_group)), size_);
            std::vector<V> mine =
                control_.guarded(whole, {word(0)}, [&] { return std::vector<V>{whole_group(first, lane)}; });
            mine =
                control_.guarded(b_.logical_not(whole), mine, [&] { return std::vector<V>{last_group(first, lane)}; });
            V place = b_.add(b_.mul(group, b_.i64(group_words)), b_.cast(lane, DType::Int64));
            b_.store(b_.pointer_add(bits_, place, 4), mine[0]);
            V count = popcount(mine[0]);
            for (int distance = 1; distance < 32; distance *= 2)
                count = b_.add(count, shuffle(I::ShuffleXor, count, b_.i32(distance)));
            control_.when(b_.eq(lane, word(0)),
                          [&] { b_.store(b_.pointer_add(counts_, group, 8), b_.cast(count, DType::Int64)); });
        });
    }

    /// The lane's word of a group that ends within the mask.
    V whole_group(V first, V lane) {
        const int vector = plan_.vector, runs = static_cast<int>(compact_group) / 32 / vector;
        const int together = std::min(runs, std::max(1, written_out(32) / vector));
        V own = b_.add(first, b_.mul(b_.cast(lane, DType::Int64), b_.i64(vector)));
        return control_.count(b_.i64(0), b_.i64(runs), together, {word(0)}, [&](V run, const std::vector<V>& state) {
            V start = b_.add(own, b_.mul(run, b_.i64(std::int64_t(32) * vector)));
            std::vector<V> marks;
            for (int r = 0; r < together; ++r) {
                V at = b_.add(start, b_.i64(std::int64_t(r) * 32 * vector));
                V mark = nullptr;
                for (int k = 0; k < vector; ++k) {
                    V bit = element(at, k, true).re;
                    if (vector > 1) bit = b_.scalar(S::Shl, b_.cast(bit, DType::UInt32), word(k));
                    mark = k == 0 ? bit : b_.scalar(S::BitOr, mark, bit);
                }
                marks.push_back(mark);
            }
            V mine = state[0];
            for (int r = 0; r < together; ++r) {
                // The words of this round, and the lanes that they are for.
                const int words = vector, lanes_of_word = 32 / words;
                V gathered = marks[static_cast<std::size_t>(r)];
                if (vector == 1) {
                    gathered = b_.intrinsic(I::Ballot, {all_lanes(), gathered});
                } else {
                    V place = b_.mul(b_.scalar(S::BitAnd, lane, word(lanes_of_word - 1)), word(vector));
                    gathered = b_.scalar(S::Shl, gathered, place);
                    for (int distance = 1; distance < lanes_of_word; distance *= 2)
                        gathered = b_.scalar(S::BitOr, gathered, shuffle(I::ShuffleXor, gathered, b_.i32(distance)));
                    V source = b_.mul(b_.scalar(S::BitAnd, lane, word(words - 1)), word(lanes_of_word));
                    gathered = shuffle(I::ShuffleIndex, gathered, b_.cast(source, DType::Int32));
                }
                V round = b_.cast(b_.add(run, b_.i64(r)), DType::UInt32);
                V is_mine = b_.eq(b_.scalar(S::Div, lane, word(words)), round);
                mine = b_.select(is_mine, gathered, mine);
            }
            return std::vector<V>{mine};
        })[0];
    }

    /// Beyond the end of the mask the last element is read and not counted.
    V last_group(V first, V lane) {
        V own = b_.add(first, b_.cast(lane, DType::Int64)), last = b_.sub(size_, b_.i64(1));
        return control_.count(b_.i64(0), b_.i64(group_words), 1, {word(0)}, [&](V run, const std::vector<V>& state) {
            V at = b_.add(own, b_.mul(run, b_.i64(32)));
            V bit = b_.scalar(S::BitAnd, element(b_.scalar(S::Min, at, last)).re, b_.scalar(S::Le, at, last));
            V gathered = b_.intrinsic(I::Ballot, {all_lanes(), bit});
            return std::vector<V>{b_.select(b_.eq(lane, b_.cast(run, DType::UInt32)), gathered, state[0])};
        })[0];
    }

    void by_threads() {
        V group = code_.global_index();
        V first = b_.mul(group, b_.i64(compact_group));
        control_.when(b_.lt(first, size_), [&] {
            auto marks = [&](V start, V end) {
                return control_.count(b_.i64(0), end, 1, {word(0)}, [&](V k, const std::vector<V>& state) {
                    V bit = b_.cast(element(b_.add(start, k)).re, DType::UInt32);
                    return std::vector<V>{
                        b_.scalar(S::BitOr, state[0], b_.scalar(S::Shl, bit, b_.cast(k, DType::UInt32)))};
                });
            };
            std::vector<V> count = control_.count(
                b_.i64(0), b_.i64(group_words), 1, {b_.i64(0)}, [&](V number, const std::vector<V>& state) {
                    V start = b_.add(first, b_.mul(number, b_.i64(compact_word)));
                    V left = b_.sub(size_, start);
                    V whole = b_.scalar(S::Ge, left, b_.i64(compact_word));
                    std::vector<V> bits =
                        control_.guarded(whole, {word(0)}, [&] { return marks(start, b_.i64(compact_word)); });
                    bits = control_.guarded(b_.logical_not(whole), bits, [&] { return marks(start, left); });
                    V place = b_.add(b_.mul(group, b_.i64(group_words)), number);
                    b_.store(b_.pointer_add(bits_, place, 4), bits[0]);
                    return std::vector<V>{b_.add(state[0], b_.cast(popcount(bits[0]), DType::Int64))};
                });
            b_.store(b_.pointer_add(counts_, group, 8), count[0]);
        });
    }

    V bits_ = nullptr, counts_ = nullptr;
};

class CompactWriter final : CompactCode {
public:
    CompactWriter(const Program& program, ValueId value, const CompactPlan& plan)
        : CompactCode(program, value, plan, "compact"), dtype_(program.code[value].result) {}

    std::unique_ptr<ir::Module> write() {
        out_ = code_.pointer_parameter("out", false, true);
        bits_ = code_.pointer_parameter("bits", true, true);
        ends_ = code_.pointer_parameter("ends", true, true);
        parameters();
        plan_.cuda ? by_warps() : by_threads();
        b_.ret();
        return code_.finish();
    }

private:
    /// Where the group's first element goes.
    V start_of(V group) {
        return control_.guarded(b_.lt(b_.i64(0), group), {b_.i64(0)}, [&] {
            V before = b_.sub(group, b_.i64(1));
            return std::vector<V>{b_.load(ir::Type::scalar(DType::Int64), b_.pointer_add(ends_, before, 8))};
        })[0];
    }
    V bits_of(V group, V number) {
        V place = b_.add(b_.mul(group, b_.i64(group_words)), number);
        return b_.load(ir::Type::scalar(DType::UInt32), b_.pointer_add(bits_, place, 4));
    }
    void put(V place, const Number& value) { code_.store(dtype_, b_.pointer_add(out_, place, size_of(dtype_)), value); }

    void by_warps() {
        V group = b_.scalar(S::Shr, code_.global_index(), b_.i64(5));
        V lane = b_.scalar(S::BitAnd, b_.cast(code_.as_i64(I::TidX), DType::UInt32), word(31));
        V lane64 = b_.cast(lane, DType::Int64);
        V first = b_.mul(group, b_.i64(compact_group));
        control_.when(b_.lt(first, size_), [&] {
            V mine = bits_of(group, lane64), count = popcount(mine), sum = count;
            for (int distance = 1; distance < 32; distance *= 2) {
                V other = shuffle(I::ShuffleUp, sum, b_.i32(distance));
                sum = b_.select(b_.scalar(S::Ge, lane, word(distance)), b_.add(sum, other), sum);
            }
            V before = b_.sub(sum, count), start = start_of(group);
            V below = b_.sub(b_.scalar(S::Shl, word(1), lane), word(1));
            const int together = written_out(4);
            control_.count(b_.i64(0), b_.i64(group_words), together, {}, [&](V number, const std::vector<V>&) {
                std::vector<V> chosen, places;
                std::vector<Number> values;
                for (int r = 0; r < together; ++r) {
                    V at = b_.add(number, b_.i64(r));
                    V source = b_.cast(at, DType::Int32);
                    V bits = shuffle(I::ShuffleIndex, mine, source);
                    V rank =
                        b_.add(shuffle(I::ShuffleIndex, before, source), popcount(b_.scalar(S::BitAnd, bits, below)));
                    places.push_back(b_.add(start, b_.cast(rank, DType::Int64)));
                    chosen.push_back(
                        b_.scalar(S::Ne, b_.scalar(S::BitAnd, b_.scalar(S::Shr, bits, lane), word(1)), word(0)));
                }
                for (int r = 0; r < together; ++r) {
                    V at = b_.add(b_.add(first, lane64), b_.mul(b_.add(number, b_.i64(r)), b_.i64(compact_word)));
                    values.push_back(control_.guarded_number(chosen[static_cast<std::size_t>(r)], nothing(),
                                                             [&] { return element(at); }));
                }
                for (int r = 0; r < together; ++r)
                    control_.when(chosen[static_cast<std::size_t>(r)], [&] {
                        put(places[static_cast<std::size_t>(r)], values[static_cast<std::size_t>(r)]);
                    });
                return std::vector<V>{};
            });
        });
    }

    Number nothing() {
        auto zero = [&](DType part) { return is_float(part) ? b_.constant_float(part, 0) : b_.constant(part, 0); };
        return {zero(real_of(dtype_)), is_complex(dtype_) ? zero(real_of(dtype_)) : nullptr};
    }

    void by_threads() {
        V group = code_.global_index();
        V first = b_.mul(group, b_.i64(compact_group));
        control_.when(b_.lt(first, size_), [&] {
            control_.count(
                b_.i64(0), b_.i64(group_words), 1, {start_of(group)}, [&](V number, const std::vector<V>& state) {
                    V bits = bits_of(group, number);
                    V start = b_.add(first, b_.mul(number, b_.i64(compact_word)));
                    V to = state[0];
                    V all = b_.eq(bits, word(-1));
                    control_.when(all, [&] {
                        control_.count(b_.i64(0), b_.i64(compact_word), 1, {}, [&](V k, const std::vector<V>&) {
                            put(b_.add(to, k), element(b_.add(start, k)));
                            return std::vector<V>{};
                        });
                    });
                    V rest = b_.select(all, word(0), bits);
                    control_.loop(
                        {rest, to}, [&](const std::vector<V>& now) { return b_.scalar(S::Ne, now[0], word(0)); },
                        [&](const std::vector<V>& now) {
                            V k = b_.cast(b_.scalar(S::Ctz, now[0]), DType::Int64);
                            put(now[1], element(b_.add(start, k)));
                            return std::vector<V>{b_.scalar(S::BitAnd, now[0], b_.sub(now[0], word(1))),
                                                  b_.add(now[1], b_.i64(1))};
                        });
                    return std::vector<V>{b_.add(to, b_.cast(popcount(bits), DType::Int64))};
                });
        });
    }

    const DType dtype_;
    V out_ = nullptr, bits_ = nullptr, ends_ = nullptr;
};

}  // namespace

std::unique_ptr<ir::Module> mark_module(const Program& program, ValueId value, const CompactPlan& plan) {
    return MarkWriter(program, value, plan).write();
}
std::unique_ptr<ir::Module> compact_module(const Program& program, ValueId value, const CompactPlan& plan) {
    return CompactWriter(program, value, plan).write();
}

}  // namespace lanewise
