#include "array/scan_totals.h"

#include <fmt/format.h>

namespace lanewise {
namespace {

using S = ir::ScalarOp;
using I = ir::Intrinsic;

constexpr int warp = 1 << scan_radix_bits;

}  // namespace

TileTotals::TileTotals(ScanCode& scan, int levels)
    : scan_(scan),
      b_(scan.b_),
      control_(scan.control_),
      levels_(levels),
      words_(scan.code_.pointer_parameter("words", false, false)) {}

void TileTotals::parameters() {
    KernelCode& code = scan_.code_;
    tiles_ = code.integer_parameter("tiles");
    line_words_ = code.integer_parameter("line_words");
    for (int level = 0; level < levels_; ++level)
        level_starts_.push_back(code.integer_parameter(fmt::format("level{}", level)));
}

Number TileTotals::before(V line, V tile, V lane, const Number& total) {
    V line_start = b_.add(b_.i64(1), b_.mul(line, line_words_));
    const auto levels = static_cast<std::size_t>(levels_);
    std::vector<V> digits, wanted, places;
    V rest = tile;
    for (std::size_t level = 0; level < levels; ++level) {
        V group = b_.scalar(S::Shr, rest, b_.i64(scan_radix_bits));
        digits.push_back(b_.scalar(S::BitAnd, rest, b_.i64(warp - 1)));
        wanted.push_back(b_.lt(lane, digits.back()));
        V start = b_.add(line_start, level_starts_[level]);
        places.push_back(b_.add(start, b_.add(b_.scalar(S::Shl, group, b_.i64(scan_radix_bits)), lane)));
        if (level == 0) publish(b_.eq(lane, b_.i64(0)), b_.add(start, tile), total);
        rest = group;
    }
    // All levels are read at once: most totals are there.
    std::vector<std::vector<V>> first_read;
    for (std::size_t level = 0; level < levels; ++level) first_read.push_back(read(wanted[level], places[level]));
    Number before = scan_.identity(), group_total = total;
    V is_last = b_.eq(lane, b_.i64(0));
    rest = tile;
    for (std::size_t level = 0; level < levels; ++level) {
        Number sum =
            control_.choose(wanted[level], from_words(wait(places[level], first_read[level])), scan_.identity());
        for (int distance = 1; distance < warp; distance *= 2)
            sum = scan_.combine(sum, scan_.exchange(I::ShuffleXor, sum, b_.i32(distance), warp));
        before = scan_.combine(sum, before);
        if (level + 1 == levels) break;
        group_total = scan_.combine(sum, group_total);
        is_last = b_.scalar(S::BitAnd, is_last, b_.eq(digits[level], b_.i64(warp - 1)));
        rest = b_.scalar(S::Shr, rest, b_.i64(scan_radix_bits));
        publish(is_last, b_.add(b_.add(line_start, level_starts_[level + 1]), rest), group_total);
    }
    return before;
}

std::vector<ir::Value*> TileTotals::to_words(const Number& value) {
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

Number TileTotals::from_words(const std::vector<V>& words) {
    const DType own = real_of(scan_.type_);
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
    return {re, is_complex(scan_.type_) ? part() : nullptr};
}

std::size_t TileTotals::word_count() const {
    return static_cast<std::size_t>(std::max(size_of(scan_.type_), 4) / 4);
}
ir::Value* TileTotals::word_address(V place, std::size_t word) {
    V first = b_.pointer_add(words_, place, 8 * static_cast<std::int64_t>(word_count()));
    return b_.pointer_add(first, b_.i64(static_cast<std::int64_t>(word)), 8);
}
ir::Value* TileTotals::read_word(V place, std::size_t word) {
    return b_.load(ir::Type::scalar(DType::UInt64), word_address(place, word), 0, ir::CacheHint::Volatile);
}

void TileTotals::publish(V condition, V place, const Number& value) {
    control_.when(condition, [&] {
        const std::vector<V> words = to_words(value);
        for (std::size_t i = 0; i < words.size(); ++i)
            b_.store(word_address(place, i),
                     b_.scalar(S::BitOr, words[i], b_.constant(DType::UInt64, std::int64_t(1) << 32)), 0,
                     ir::CacheHint::Volatile);
    });
}

std::vector<ir::Value*> TileTotals::read(V condition, V place) {
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

std::vector<ir::Value*> TileTotals::wait(V place, const std::vector<V>& first_read) {
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

}  // namespace lanewise
