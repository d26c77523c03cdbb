// Indexing by arrays, and what rearranges elements.
#include <numeric>

#include "array/engine.h"
#include "lazy.h"

namespace lanewise::testing {
namespace {

using Int = std::int64_t;

Array counting(const Dims& shape) {
    std::vector<Int> values(static_cast<std::size_t>(element_count(shape, 8)));
    std::iota(values.begin(), values.end(), 0);
    return array(values, shape);
}

Index at(Int value) {
    Index item;
    item.value = value;
    return item;
}
Index all() {
    Index item;
    item.kind = Index::Kind::Slice;
    return item;
}
Index special(Index::Kind kind) {
    Index item;
    item.kind = kind;
    return item;
}
Array get(const Array& x, std::vector<AdvancedIndex> items) {
    return get_items(x, items);
}
void set(const Array& x, std::vector<AdvancedIndex> items, const Operand& value) {
    set_items(x, items, value);
}

TEST(Take, AlongAxesWithNegativeIndices) {
    const Array x = counting({3, 4});
    const Array rows = take(x, array(std::vector<Int>{2, 0, -1}), 0);
    EXPECT_EQ(values<Int>(rows), (std::vector<Int>{8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11}));
    const Array columns = take(x, array(std::vector<std::int8_t>{1, -2}, {2, 1}), 1);
    EXPECT_EQ(columns.shape(), (Dims{3, 2, 1}));
    EXPECT_EQ(values<Int>(columns), (std::vector<Int>{1, 2, 5, 6, 9, 10}));
    EXPECT_EQ(values<Int>(take(x, array(std::vector<Int>{5, -1}), std::nullopt)), (std::vector<Int>{5, 11}));
}

TEST(Take, ModesOutsideTheAxis) {
    const Array x = counting({4});
    const Array indices = array(std::vector<Int>{-5, 4, 9, -1});
    EXPECT_EQ(values<Int>(take(x, indices, 0, IndexMode::Wrap)), (std::vector<Int>{3, 0, 1, 3}));
    EXPECT_EQ(values<Int>(take(x, indices, 0, IndexMode::Clip)), (std::vector<Int>{0, 3, 3, 0}));
}

TEST(Take, OutOfBoundsIsAnIndexErrorOfTheStream) {
    const Array x = counting({4});
    const Array y = take(x, array(std::vector<Int>{1, 4}), 0);
    try {
        evaluate(y);
        stream()->synchronize();
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::KernelRaised);
        EXPECT_EQ(error.python_class, "IndexError");
        EXPECT_NE(std::string(error.what()).find("index 4 is out of bounds for axis 0 with size 4"), std::string::npos)
            << error.what();
    }
}

TEST(Take, RefusesFloatsAndEmptyAxes) {
    EXPECT_EQ(kind_of([] { take(counting({4}), array(std::vector<float>{1}), 0); }), ErrorKind::Index);
    EXPECT_EQ(kind_of([] { take(full({0}, 1, DType::Int64, stream()), array(std::vector<Int>{0}), 0); }),
              ErrorKind::Index);
    EXPECT_EQ(kind_of([] { take(counting({4}), array(std::vector<Int>{0}), 1); }), ErrorKind::Value);
}

TEST(Take, IndicesAndSourcesMayBePending) {
    const Array x = multiply(counting({5}), 10), i = add(array(std::vector<Int>{0, 1, 2}), 2);
    EXPECT_EQ(values<Int>(add(take(x, i, 0), 1)), (std::vector<Int>{21, 31, 41}));
}

TEST(AdvancedIndex, PlacesTheAxesOfIndicesAsNumPy) {
    const Array x = counting({2, 3, 4});
    const Array i = array(std::vector<Int>{1, 0}), j = array(std::vector<Int>{2, 0});
    EXPECT_EQ(get(x, {i}).shape(), (Dims{2, 3, 4}));
    EXPECT_EQ(get(x, {all(), i}).shape(), (Dims{2, 2, 4}));
    EXPECT_EQ(values<Int>(get(x, {i, j})), (std::vector<Int>{20, 21, 22, 23, 0, 1, 2, 3}));
    // Separated by a slice, they come first.
    const Array apart = get(x, {i, all(), j});
    EXPECT_EQ(apart.shape(), (Dims{2, 3}));
    EXPECT_EQ(values<Int>(apart), (std::vector<Int>{14, 18, 22, 0, 4, 8}));
    // An integer counts as an index array.
    EXPECT_EQ(get(x, {at(0), all(), j}).shape(), (Dims{2, 3}));
    EXPECT_EQ(get(x, {all(), at(1), j}).shape(), (Dims{2, 2}));
    EXPECT_EQ(get(x, {special(Index::Kind::Ellipsis), j}).shape(), (Dims{2, 3, 2}));
    EXPECT_EQ(get(x, {special(Index::Kind::NewAxis), i, all(), at(-1)}).shape(), (Dims{2, 1, 3}));
    // Indices broadcast.
    EXPECT_EQ(get(x, {expand_dims(i, Dims{1}), j}).shape(), (Dims{2, 2, 4}));
}

TEST(AdvancedIndex, MasksOfOneAndSeveralAxes) {
    const Array x = counting({2, 3});
    const Array mask = array(std::vector<bool>{true, false, true, false, false, true}, {2, 3});
    EXPECT_EQ(values<Int>(get(x, {mask})), (std::vector<Int>{0, 2, 5}));
    EXPECT_EQ(values<Int>(get(x, {greater(x, 3)})), (std::vector<Int>{4, 5}));
    const Array rows = get(x, {array(std::vector<bool>{false, true})});
    EXPECT_EQ(rows.shape(), (Dims{1, 3}));
    EXPECT_EQ(values<Int>(get(x, {all(), array(std::vector<bool>{true, false, true})})),
              (std::vector<Int>{0, 2, 3, 5}));
    EXPECT_EQ(get(x, {less(x, 0)}).shape(), (Dims{0}));
    EXPECT_EQ(kind_of([&] { get(x, {array(std::vector<bool>{true})}); }), ErrorKind::Index);
}

TEST(AdvancedIndex, Assignment) {
    const Array x = counting({2, 3});
    set(x, {array(std::vector<Int>{1}), array(std::vector<Int>{0, 2})}, array(std::vector<Int>{-1, -2}));
    EXPECT_EQ(values<Int>(x), (std::vector<Int>{0, 1, 2, -1, 4, -2}));
    set(x, {less(x, 0)}, 7);
    EXPECT_EQ(values<Int>(x), (std::vector<Int>{0, 1, 2, 7, 4, 7}));
    set(x, {equal(x, 7)}, array(std::vector<float>{1.5, 2.5}));
    EXPECT_EQ(values<Int>(x), (std::vector<Int>{0, 1, 2, 1, 4, 2}));
    set(x, {all(), array(std::vector<Int>{0})}, 9);
    EXPECT_EQ(values<Int>(x), (std::vector<Int>{9, 1, 2, 9, 4, 2}));
    EXPECT_EQ(kind_of([&] { set(x.as_read_only(), {array(std::vector<Int>{0})}, 9); }), ErrorKind::Value);
}

TEST(AdvancedIndex, AssignmentReadsItsSourceFirst) {
    const Array x = counting({4});
    const Array reversed = array(std::vector<Int>{3, 2, 1, 0});
    set(x, {reversed}, x);
    EXPECT_EQ(values<Int>(x), (std::vector<Int>{3, 2, 1, 0}));
}

TEST(Put, RepeatsValuesAndTakesStridedTargets) {
    const Array x = counting({2, 3});
    put(x.transpose(), array(std::vector<Int>{0, 1, 5}), array(std::vector<Int>{-1, -2}));
    EXPECT_EQ(values<Int>(x), (std::vector<Int>{-1, 1, 2, -2, 4, -1}));
}

TEST(Nonzero, GivesCoordinates) {
    const auto found = nonzero(array(std::vector<float>{0, 1, 0, 2, 3, 0}, {2, 3}));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(values<Int>(found[0]), (std::vector<Int>{0, 1, 1}));
    EXPECT_EQ(values<Int>(found[1]), (std::vector<Int>{1, 0, 1}));
    std::vector<float> many(100000);
    std::vector<Int> places;
    for (std::size_t i = 0; i < many.size(); ++i)
        if (i % 7 == 3 || i % 1000 < 2) {
            many[i] = 1;
            places.push_back(static_cast<Int>(i));
        }
    EXPECT_EQ(values<Int>(nonzero(array(many))[0]), places);
}

TEST(Move, JoinsRepeatsAndRolls) {
    const Array x = counting({2, 2});
    const Array pair[] = {x, multiply(x, 10.0)};
    const Array joined = concatenate(pair, 1);
    EXPECT_EQ(joined.dtype(), DType::Float64);
    EXPECT_EQ(values<double>(joined), (std::vector<double>{0, 1, 0, 10, 2, 3, 20, 30}));
    EXPECT_EQ(stack(pair, 0).shape(), (Dims{2, 2, 2}));
    EXPECT_EQ(values<Int>(repeat(x, 2, 1)), (std::vector<Int>{0, 0, 1, 1, 2, 2, 3, 3}));
    EXPECT_EQ(values<Int>(tile(x, {2, 1})), (std::vector<Int>{0, 1, 2, 3, 0, 1, 2, 3}));
    EXPECT_EQ(values<Int>(roll(counting({5}), {2}, Dims{0})), (std::vector<Int>{3, 4, 0, 1, 2}));
    EXPECT_EQ(values<Int>(roll(x, {-1}, std::nullopt)), (std::vector<Int>{1, 2, 3, 0}));
    EXPECT_EQ(values<Int>(flip(x, Dims{1})), (std::vector<Int>{1, 0, 3, 2}));
    EXPECT_EQ(kind_of([&] { concatenate(std::vector<Array>{x, counting({3, 3})}, 0); }), ErrorKind::Value);
}

TEST(Move, PadsByEveryMode) {
    const Array x = counting({3});
    auto padded = [&](PadMode mode) { return values<Int>(pad(x, {2}, {3}, mode, -1)); };
    EXPECT_EQ(padded(PadMode::Constant), (std::vector<Int>{-1, -1, 0, 1, 2, -1, -1, -1}));
    EXPECT_EQ(padded(PadMode::Edge), (std::vector<Int>{0, 0, 0, 1, 2, 2, 2, 2}));
    EXPECT_EQ(padded(PadMode::Reflect), (std::vector<Int>{2, 1, 0, 1, 2, 1, 0, 1}));
    EXPECT_EQ(padded(PadMode::Symmetric), (std::vector<Int>{1, 0, 0, 1, 2, 2, 1, 0}));
    EXPECT_EQ(padded(PadMode::Wrap), (std::vector<Int>{1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(Move, TransposedCopiesOfEverySize) {
    for (DeviceKind kind : {DeviceKind::Cpu, DeviceKind::Cuda}) {
        const engine::PlanFor plan(kind);
        for (const Dims& shape : {Dims{65, 130}, Dims{3, 40, 70}, Dims{40, 3, 70}, Dims{33, 1000}}) {
            const Array x = counting(shape);
            const Array turned = x.transpose();
            std::vector<Int> wanted;
            Dims index(shape.size());
            for (Int i = 0; i < x.size(); ++i) {
                Int rest = i, place = 0;
                for (int d = shape.size() - 1; d >= 0; --d) {
                    index[d] = rest % turned.shape()[d];
                    rest /= turned.shape()[d];
                }
                for (int d = 0; d < shape.size(); ++d) place = place * shape[d] + index[shape.size() - 1 - d];
                wanted.push_back(place);
            }
            EXPECT_EQ(values<Int>(turned.copy(Order::C, stream())), wanted) << to_string(shape);
            const Array like = counting(turned.shape());
            for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] += static_cast<Int>(i);
            EXPECT_EQ(values<Int>(add(turned, like)), wanted) << to_string(shape);
            const Array single = astype(x, DType::UInt8);
            EXPECT_EQ(bytes(single.transpose().copy(Order::C, stream())), bytes(astype(turned, DType::UInt8)));
        }
    }
}

TEST(Create, RangesAndDiagonals) {
    EXPECT_EQ(values<Int>(arange(2, 11, 3, std::nullopt, stream())), (std::vector<Int>{2, 5, 8}));
    EXPECT_EQ(values<Int>(arange(5, 0, -2, std::nullopt, stream())), (std::vector<Int>{5, 3, 1}));
    EXPECT_EQ(arange(5, 0, 1, std::nullopt, stream()).size(), 0);
    EXPECT_EQ(values<double>(arange(0.0, 1.0, 0.25, std::nullopt, stream())), (std::vector<double>{0, .25, .5, .75}));
    EXPECT_EQ(values<double>(linspace(0, 1, 5, true, DType::Float64, stream())),
              (std::vector<double>{0, .25, .5, .75, 1}));
    EXPECT_EQ(values<double>(linspace(0, 1, 4, false, DType::Float64, stream())),
              (std::vector<double>{0, .25, .5, .75}));
    EXPECT_EQ(values<Int>(eye(2, 3, 1, DType::Int64, stream())), (std::vector<Int>{0, 1, 0, 0, 0, 1}));
    EXPECT_EQ(values<Int>(tri(3, 2, -1, DType::Int64, stream())), (std::vector<Int>{0, 0, 1, 0, 1, 1}));
    EXPECT_EQ(values<Int>(positions({2, 2}, 0, stream())), (std::vector<Int>{0, 0, 1, 1}));
    EXPECT_EQ(kind_of([] { arange(0, 1, 0, std::nullopt, stream()); }), ErrorKind::Value);
}

TEST(Create, RangesTakeNoMemoryInsideExpressions) {
    const Array x = counting({1000});
    const auto before = launches();
    EXPECT_EQ(values<Int>(sum(multiply(x, arange(0, 1000, 1, std::nullopt, stream()))))[0], 332833500);
    EXPECT_LE(launches(), before + 2);
}

}  // namespace
}  // namespace lanewise::testing
