// Totals that the tiles of a scan publish for each other.
//
// Totals are published by levels: each tile its own, the last tile of 32 (scan_radix_bits) theirs, the last of 32 of
// those, and so on. The sum before a tile is made of at most 31 totals of each level, which the lanes of a warp read at
// once: no tile waits for a chain of others, and the order of additions depends on the shape only. Tiles take their
// numbers in the order in which they start, so that they wait only for tiles that run already.
//
// A total is published as words of 64 bits, each 32 bits of the value beside a mark that says it is there: a word is
// written and read as one, so no fence is needed. The words of a total lie side by side, so that one address serves
// them all. In the place before the totals of all lines lies the counter of the tiles' numbers.
#pragma once

#include <vector>

#include "array/scan_code.h"

namespace lanewise {

class TileTotals {
public:
    using V = ir::Value*;
    /// Adds the parameter of the words.
    TileTotals(ScanCode& scan, int levels);
    /// Tiles and totals of a line; where the totals of each level start.
    void parameters();

    V tiles() const { return tiles_; }
    V counter() const { return words_; }
    /// Publishes the tile's total, and those of the groups that it is the last of; the total of all tiles of the line
    /// before it. Called by one warp.
    Number before(V line, V tile, V lane, const Number& total);

private:
    std::vector<V> to_words(const Number& value);
    Number from_words(const std::vector<V>& words);
    std::size_t word_count() const;
    V word_address(V place, std::size_t word);
    V read_word(V place, std::size_t word);
    void publish(V condition, V place, const Number& value);
    /// Words that say they are there where the condition does not hold.
    std::vector<V> read(V condition, V place);
    /// Reads again until all words are there.
    std::vector<V> wait(V place, const std::vector<V>& first_read);

    ScanCode& scan_;
    ir::Builder& b_;
    Control& control_;
    const int levels_;
    V words_ = nullptr, tiles_ = nullptr, line_words_ = nullptr;
    std::vector<V> level_starts_;
};

}  // namespace lanewise
