// Scans, compactions, gathers of rows and joins: lengths about the edges of tiles, types, layouts, against plain loops.
#include <complex>
#include <cstring>
#include <random>

#include "array/engine.h"
#include "lanewise/ufunc_methods.h"
#include "lazy.h"

namespace lanewise::testing {
namespace {

/// Runs the test as planned for the cpu device and for CUDA devices.
class Movement : public ::testing::TestWithParam<DeviceKind> {
    engine::PlanFor plan_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Plans, Movement, ::testing::Values(DeviceKind::Cpu, DeviceKind::Cuda),
                         [](const auto& kind) { return kind.param == DeviceKind::Cpu ? "Cpu" : "Cuda"; });

Index slice(std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
            std::optional<std::int64_t> step = {}) {
    Index item;
    item.kind = Index::Kind::Slice;
    item.start = start;
    item.stop = stop;
    item.step = step;
    return item;
}
Array part(const Array& x, std::vector<Index> items) {
    return x.index(items);
}

/// Small whole numbers, whose sums are exact in every type.
template <class T>
std::vector<T> numbers(std::int64_t count, unsigned seed, int low = -1, int high = 1) {
    std::mt19937 random(seed);
    std::vector<T> result;
    for (std::int64_t i = 0; i < count; ++i)
        result.push_back(static_cast<T>(static_cast<int>(random() % static_cast<unsigned>(high - low + 1)) + low));
    return result;
}

template <class T>
void expect_running_sums(const Array& x, int axis, const std::vector<T>& elements, const Dims& shape) {
    std::size_t step = 1;
    for (int d = axis + 1; d < shape.size(); ++d) step *= static_cast<std::size_t>(shape[d]);
    std::vector<T> wanted = elements;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        if (i / step % static_cast<std::size_t>(shape[axis]) > 0)
            wanted[i] = static_cast<T>(wanted[i] + wanted[i - step]);
    ASSERT_TRUE(values<T>(cumsum(x, axis, dtype_of<T>())) == wanted);
}

template <class T>
void scan_lines(std::initializer_list<Dims> shapes) {
    unsigned seed = 1;
    for (const Dims& shape : shapes) {
        SCOPED_TRACE(std::string(name(dtype_of<T>())) + " " + to_string(shape));
        const std::vector<T> elements = numbers<T>(element_count(shape, sizeof(T)), seed++);
        expect_running_sums<T>(array(elements, shape), shape.size() - 1, elements, shape);
    }
}

TEST_P(Movement, ScansOfLinesOfEveryLength) {
    // Parts of a warp, warps, blocks, several tiles, groups of tiles.
    scan_lines<float>({{5, 7}, {300, 9}, {11, 132}, {1025}, {3, 1028}, {8191}, {8192}, {8193}, {3, 20001}, {270000}});
    scan_lines<double>({{3, 10}, {4097}, {2, 140000}});
    scan_lines<std::int64_t>({{70, 33}});
    scan_lines<std::int8_t>({{9, 48}, {140000}});
    scan_lines<std::uint16_t>({{1001}});
}

TEST_P(Movement, ScansOfThreeLevelsOfTiles) {
    // Tiles of lines that do not begin where vectors lie are smallest.
    const std::int64_t length = (std::int64_t(1) << 21) + 3000;
    std::vector<float> elements = numbers<float>(length + 1, 3);
    const Array x = part(array(elements), {slice(1, std::nullopt)});
    elements.erase(elements.begin());
    expect_running_sums<float>(x, 0, elements, {length});
}

TEST_P(Movement, ScansOfComplexNumbersAndHalves) {
    auto scan = [](auto zero) {
        using Complex = decltype(zero);
        std::vector<Complex> elements;
        for (const auto x : numbers<typename Complex::value_type>(10001, 5)) elements.emplace_back(x, 2 * x + 1);
        expect_running_sums<Complex>(array(elements), 0, elements, {10001});
    };
    scan(std::complex<float>());
    scan(std::complex<double>());
    const Array halves = astype(array(numbers<float>(3000, 6)), DType::Float16);
    const Array sums = astype(cumsum(halves, 0), DType::Float32);
    EXPECT_EQ(values<float>(sums), values<float>(cumsum(astype(halves, DType::Float32), 0)));
}

TEST_P(Movement, ScansOfViewsBroadcastsAndExpressions) {
    const std::vector<float> elements = numbers<float>(30000, 7);
    const Array x = array(elements);
    auto serial = [](std::vector<float> wanted) {
        for (std::size_t i = 1; i < wanted.size(); ++i) wanted[i] += wanted[i - 1];
        return wanted;
    };
    const std::vector<float> reversed(elements.rbegin(), elements.rend());
    EXPECT_EQ(values<float>(cumsum(flip(x), 0)), serial(reversed));
    std::vector<float> odd, shifted(elements.begin() + 1, elements.end()), scaled;
    for (std::size_t i = 1; i < elements.size(); i += 2) odd.push_back(elements[i]);
    for (const float e : elements) scaled.push_back(2 * e + 1);
    EXPECT_EQ(values<float>(cumsum(part(x, {slice(1, std::nullopt, 2)}), 0)), serial(odd));
    // Not where vectors lie.
    EXPECT_EQ(values<float>(cumsum(part(x, {slice(1, std::nullopt)}), 0)), serial(shifted));
    EXPECT_EQ(values<float>(cumsum(add(multiply(x, 2), 1), 0)), serial(scaled));
    const Array ones = full({1}, 1, DType::Float32, stream()).broadcast_to({2, 5000});
    EXPECT_EQ(values<float>(cumsum(ones, 1))[9999], 5000.f);
    EXPECT_EQ(cumsum(part(x, {slice(0, 0)}), 0).size(), 0);
}

TEST_P(Movement, RunningExtremesAndLogic) {
    for (const std::int64_t length : {std::int64_t(37), std::int64_t(20000)}) {
        const std::vector<float> elements = numbers<float>(length, 8, -1000000, 1000000);
        std::vector<float> least = elements, most = elements;
        for (std::size_t i = 1; i < elements.size(); ++i) {
            least[i] = std::min(least[i], least[i - 1]);
            most[i] = std::max(most[i], most[i - 1]);
        }
        const Array x = array(elements);
        EXPECT_EQ(values<float>(accumulate(Ufunc::Minimum, x, 0)), least);
        EXPECT_EQ(values<float>(accumulate(Ufunc::Maximum, x, 0)), most);
        EXPECT_EQ(values<bool>(accumulate(Ufunc::LogicalAnd, greater(x, -999000), 0)),
                  values<bool>(greater(accumulate(Ufunc::Minimum, x, 0), -999000)));
    }
}

TEST_P(Movement, CompactionsOfEveryLength) {
    for (const std::int64_t length : {1, 31, 32, 33, 1023, 1024, 1025, 2048, 40000})
        for (const int percent : {0, 1, 50, 99, 100}) {
            SCOPED_TRACE(std::to_string(length) + " elements, " + std::to_string(percent) + " %");
            const std::vector<int> chance = numbers<int>(length, 9, 0, 99);
            const std::vector<float> elements = numbers<float>(length, 10, -1000, 1000);
            std::vector<bool> mask;
            std::vector<float> wanted;
            std::vector<std::int64_t> places;
            for (std::size_t i = 0; i < elements.size(); ++i) {
                mask.push_back(chance[i] < percent);
                if (!mask.back()) continue;
                wanted.push_back(elements[i]);
                places.push_back(static_cast<std::int64_t>(i));
            }
            const AdvancedIndex item(array(mask));
            ASSERT_EQ(values<float>(get_items(array(elements), {&item, 1})), wanted);
            ASSERT_EQ(values<std::int64_t>(nonzero(array(mask))[0]), places);
        }
}

TEST_P(Movement, CompactionsOfEveryTypeAndOfViews) {
    const std::vector<int> given = numbers<int>(5000, 11, -20, 20);
    const Array x = array(given);
    std::vector<int> wanted;
    for (const int e : given)
        if (e > 3) wanted.push_back(e);
    for (const DType type :
         {DType::Int8, DType::Float16, DType::Int32, DType::Float64, DType::Complex64, DType::Complex128}) {
        SCOPED_TRACE(name(type));
        const Array typed = astype(x, type);
        evaluate(typed);
        const AdvancedIndex item(greater(x, 3));
        const Array chosen = get_items(typed, {&item, 1});
        EXPECT_EQ(chosen.dtype(), type);
        EXPECT_EQ(values<int>(astype(real(chosen), DType::Int32)), wanted);
    }
    // Masks and values that begin elsewhere, step, run backwards, are computed.
    const Array views[] = {part(x, {slice(1, 4001)}),
                           part(x, {slice(0, std::nullopt, 3)}),
                           part(x, {slice(std::nullopt, std::nullopt, -1)}),
                           multiply(x, 3),
                           x.reshape({50, 100}).transpose(),
                           x.reshape({10, 20, 25})};
    for (const Array& view : views)
        for (const bool pending : {false, true}) {
            SCOPED_TRACE(to_string(view.shape()) + " by " + to_string(view.strides()));
            const Array mask = less(view, -5);
            if (!pending) evaluate(mask);
            std::vector<int> expected;
            for (const int e : values<int>(view))
                if (e < -5) expected.push_back(e);
            const AdvancedIndex item(mask);
            EXPECT_EQ(values<int>(get_items(view, {&item, 1})), expected);
        }
}

TEST_P(Movement, CompressTakesShortMasksAndAxes) {
    const Array x = array(numbers<int>(12, 12, 0, 1000)).reshape({3, 4});
    const std::vector<int> all = values<int>(x);
    const Array mask = array(std::vector<bool>{true, false, true});
    EXPECT_EQ(values<int>(compress(mask, x, std::nullopt)), (std::vector<int>{all[0], all[2]}));
    EXPECT_EQ(values<int>(compress(mask, x, 0)),
              (std::vector<int>{all[0], all[1], all[2], all[3], all[8], all[9], all[10], all[11]}));
    EXPECT_EQ(values<int>(compress(mask, x, 1)), (std::vector<int>{all[0], all[2], all[4], all[6], all[8], all[10]}));
    EXPECT_EQ(values<int>(compress(mask, part(x, {slice(0, 3), Index()}), 0)), (std::vector<int>{all[0], all[8]}));
    EXPECT_EQ(kind_of([&] { compress(mask, part(x, {Index()}), 1); }), ErrorKind::Value);
}

TEST_P(Movement, RowsAreGatheredAndScatteredWhole) {
    // Rows of a few elements, of whole vectors, of more than a thread's piece; indices of every mode.
    for (const std::int64_t width : {1, 3, 4, 8, 33, 64, 5000})
        for (const IndexMode mode : {IndexMode::Raise, IndexMode::Wrap, IndexMode::Clip}) {
            SCOPED_TRACE(std::to_string(width));
            const std::vector<float> elements = numbers<float>(7 * width, 13, -1000, 1000);
            const std::vector<std::int32_t> rows{6, 0, -1, 3, 3, 5};
            auto row_of = [&](std::int32_t row) {
                if (row < 0) row = mode == IndexMode::Clip ? 0 : row + 7;
                return static_cast<std::size_t>(row);
            };
            const Array x = array(elements, {7, width});
            std::vector<float> wanted, changed = elements;
            for (const std::int32_t row : rows)
                for (std::int64_t k = 0; k < width; ++k)
                    wanted.push_back(
                        elements[row_of(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(k)]);
            ASSERT_EQ(values<float>(take(x, array(rows), 0, mode)), wanted);
            std::vector<float> doubled;
            for (const float value : wanted) doubled.push_back(2 * value + 1);
            ASSERT_EQ(values<float>(add(multiply(take(x, array(rows), 0, mode), 2), 1)), doubled);
            if (mode != IndexMode::Raise) continue;
            const std::vector<float> given = numbers<float>(2 * width, 14);
            const AdvancedIndex item(array(std::vector<std::int64_t>{4, -6}));
            set_items(x, {&item, 1}, array(given, {2, width}));
            for (std::size_t k = 0; k < static_cast<std::size_t>(width); ++k) {
                changed[4 * static_cast<std::size_t>(width) + k] = given[k];
                changed[static_cast<std::size_t>(width) + k] = given[static_cast<std::size_t>(width) + k];
            }
            ASSERT_EQ(values<float>(x), changed);
        }
}

TEST_P(Movement, RowsOutOfBoundsAreReported) {
    const Array x = full({5, 100}, 1, DType::Float32, stream());
    for (const std::int64_t row : {5, -6}) {
        auto read = [&] {
            evaluate(take(x, array(std::vector<std::int64_t>{0, row}), 0));
            stream()->synchronize();
        };
        EXPECT_EQ(kind_of(read), ErrorKind::KernelRaised);
    }
}

TEST_P(Movement, JoinsOfManyPartsTakeOneLaunch) {
    for (const int count : {5, 40})
        for (int axis = 0; axis < 3; ++axis) {
            std::vector<Array> parts;
            Dims shape{4, 3, 5};
            shape[axis] = 0;
            for (int p = 0; p < count; ++p) {
                Dims own = shape;
                own[axis] = p % 4;  // some without elements
                parts.push_back(
                    array(numbers<std::int16_t>(element_count(own, 2), static_cast<unsigned>(p), -99, 99), own));
                shape[axis] += own[axis];
            }
            const auto before = launches();
            const Array joined = concatenate(parts, axis);
            EXPECT_EQ(launches(), before + 1);
            std::int64_t at = 0;
            for (const Array& one : parts) {
                std::vector<Index> items(static_cast<std::size_t>(axis), slice(std::nullopt, std::nullopt));
                items.push_back(slice(at, at + one.shape()[axis]));
                ASSERT_EQ(values<std::int16_t>(part(joined, items)), values<std::int16_t>(one));
                at += one.shape()[axis];
            }
            EXPECT_EQ(at, joined.shape()[axis]);
        }
}

TEST_P(Movement, JoinsOfViewsTypesAndExpressions) {
    const std::vector<int> elements = numbers<int>(60, 15, -50, 50);
    const Array x = array(elements, {6, 10});
    const Array parts[] = {x,       x.transpose().reshape({10, 6}).transpose(), multiply(x, 2), astype(x, DType::Int8),
                           flip(x), part(x, {slice(0, 6), slice(0, 0)})};
    std::vector<int> wanted;
    for (std::int64_t row = 0; row < 6; ++row)
        for (const Array& one : parts)
            for (const int e : values<int>(astype(part(one, {slice(row, row + 1)}), DType::Int32))) wanted.push_back(e);
    EXPECT_EQ(values<int>(concatenate(parts, 1)), wanted);
    // Two large arrays element by element.
    const std::vector<float> many = numbers<float>(100000, 16);
    const Array y = array(many), pair[] = {y, y};
    const std::vector<float> both = values<float>(stack(pair, 1));
    for (std::size_t i = 0; i < many.size(); ++i) ASSERT_TRUE(both[2 * i] == many[i] && both[2 * i + 1] == many[i]);
}

TEST_P(Movement, RepeatsByCounts) {
    const Array x = array(std::vector<int>{10, 20, 30, 40});
    auto counts = [](std::vector<std::int64_t> given) { return array(given); };
    EXPECT_EQ(values<int>(repeat(x, counts({0, 3, 0, 1}), 0)), (std::vector<int>{20, 20, 20, 40}));
    EXPECT_EQ(values<int>(repeat(x, counts({1, 0, 0, 0}), 0)), (std::vector<int>{10}));
    EXPECT_EQ(values<int>(repeat(x, counts({2}), std::nullopt)), (std::vector<int>{10, 10, 20, 20, 30, 30, 40, 40}));
    EXPECT_EQ(repeat(x, counts({0, 0, 0, 0}), 0).size(), 0);
    const Array m = x.reshape({2, 2});
    EXPECT_EQ(values<int>(repeat(m, counts({2, 1}), 0)), (std::vector<int>{10, 20, 10, 20, 30, 40}));
    EXPECT_EQ(values<int>(repeat(m, counts({0, 2}), 1)), (std::vector<int>{20, 20, 40, 40}));
    EXPECT_EQ(values<int>(repeat(m, counts({1, 0, 2, 0}), std::nullopt)), (std::vector<int>{10, 30, 30}));
    EXPECT_EQ(kind_of([&] { repeat(x, counts({1, 2}), 0); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { repeat(x, counts({1, -1, 0, 0}), 0); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { repeat(x, astype(counts({1, 1, 1, 1}), DType::Float32), 0); }), ErrorKind::Type);
    EXPECT_EQ(kind_of([&] { repeat(x, counts({1, 1, 1, 1}).reshape({2, 2}), 0); }), ErrorKind::Value);
}

TEST_P(Movement, AdditionsToFewElementsAreAllMade) {
    const std::int64_t count = 50003;
    const std::vector<int> places = numbers<int>(count, 17, -5, 94);
    auto expect = [&](auto zero, DType type, bool one) {
        using T = decltype(zero);
        SCOPED_TRACE(name(type));
        std::vector<T> wanted(100, T(3));
        const std::vector<T> given = numbers<T>(count, 18, -4, 4);
        for (std::size_t i = 0; i < places.size(); ++i)
            wanted[static_cast<std::size_t>(places[i] < 0 ? places[i] + 100 : places[i])] += one ? T(2) : given[i];
        const Array sums = full({100}, 3, type, stream());
        const AdvancedIndex item(array(places));
        if (one)
            apply_at(Ufunc::Add, sums, {&item, 1}, Operand(2));
        else
            apply_at(Ufunc::Add, sums, {&item, 1}, Operand(array(given)));
        EXPECT_EQ(values<T>(sums), wanted);
    };
    for (const bool one : {true, false}) {
        expect(std::int32_t(), DType::Int32, one);
        expect(std::int64_t(), DType::Int64, one);
        expect(float(), DType::Float32, one);
        expect(double(), DType::Float64, one);
    }
}

TEST_P(Movement, AScatterReadsWhatItWritesFirst) {
    const std::int64_t count = 3000;
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < count; ++i) places.push_back((i * 7 + 1) % count);
    const Array x = array(places);
    const AdvancedIndex item(x);
    set_items(x, {&item, 1}, add(x, 1));
    std::vector<std::int64_t> wanted(places.size());
    for (const std::int64_t place : places) wanted[static_cast<std::size_t>(place)] = place + 1;
    EXPECT_EQ(values<std::int64_t>(x), wanted);
}

TEST_P(Movement, LargeUnalignedCopiesMoveEveryElement) {
    const std::int64_t count = (std::int64_t(1) << 20) + 1029;
    std::vector<float> elements;
    for (std::int64_t i = 0; i < count; ++i) elements.push_back(static_cast<float>(i));
    const Array x = array(elements);
    EXPECT_EQ(values<float>(flip(x).copy(Order::C, stream())), std::vector<float>(elements.rbegin(), elements.rend()));
    EXPECT_EQ(values<float>(part(x, {slice(1, std::nullopt)}).copy(Order::C, stream())),
              std::vector<float>(elements.begin() + 1, elements.end()));
    const std::vector<float> inner = values<float>(
        part(part(x, {slice(0, 1026 * 1023)}).reshape({1026, 1023}), {slice(1, std::nullopt), slice(0, 1022)}));
    ASSERT_EQ(inner.size(), 1025u * 1022);
    for (std::size_t i = 0; i < inner.size(); ++i) ASSERT_EQ(inner[i], elements[(i / 1022 + 1) * 1023 + i % 1022]);
}

TEST_P(Movement, RollsAndPadsAlongSeveralAxes) {
    const std::int64_t rows = 130, columns = 150;
    const std::vector<int> elements = numbers<int>(rows * columns, 19, -1000, 1000);
    const Array x = array(elements, {rows, columns});
    auto at = [&](std::int64_t row, std::int64_t column) {
        return elements[static_cast<std::size_t>(row * columns + column)];
    };
    auto expect = [&](const Array& result, std::int64_t height, std::int64_t width, auto&& wanted) {
        const std::vector<int> got = values<int>(result);
        ASSERT_EQ(result.shape(), (Dims{height, width}));
        for (std::int64_t r = 0; r < height; ++r)
            for (std::int64_t c = 0; c < width; ++c)
                ASSERT_EQ(got[static_cast<std::size_t>(r * width + c)], wanted(r, c)) << r << ", " << c;
    };
    expect(roll(x, {7, -11}, Dims{0, 1}), rows, columns,
           [&](std::int64_t r, std::int64_t c) { return at((r - 7 + rows) % rows, (c + 11) % columns); });
    expect(roll(x, {7, 8}, Dims{1, 1}), rows, columns,
           [&](std::int64_t r, std::int64_t c) { return at(r, (c - 15 + columns) % columns); });
    expect(pad(x, {2, 3}, {4, 0}, PadMode::Constant, 5), rows + 6, columns + 3,
           [&](std::int64_t r, std::int64_t c) { return r < 2 || r >= rows + 2 || c < 3 ? 5 : at(r - 2, c - 3); });
    expect(pad(x, {2, 3}, {4, 1}, PadMode::Reflect), rows + 6, columns + 4, [&](std::int64_t r, std::int64_t c) {
        auto mirrored = [](std::int64_t place, std::int64_t extent) {
            return place < 0 ? -place : place >= extent ? 2 * extent - 2 - place : place;
        };
        return at(mirrored(r - 2, rows), mirrored(c - 3, columns));
    });
}

}  // namespace
}  // namespace lanewise::testing
