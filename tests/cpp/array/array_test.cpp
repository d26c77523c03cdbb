// Arrays on the cpu device: views, what they refuse, and copies against loops over indices.
#include "lanewise/array.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace lanewise {
namespace {

std::shared_ptr<Stream> stream() {
    return cpu_device().default_stream();
}

/// 0, 1, 2, ... in C order.
Array counting(const Dims& shape) {
    std::int64_t count = element_count(shape, 4);
    std::vector<std::int32_t> values(static_cast<std::size_t>(count));
    std::iota(values.begin(), values.end(), 0);
    return Array::from_host({values.data(), DType::Int32, shape, contiguous_strides(shape, 4, Order::C)}, stream());
}

/// Elements in C order.
std::vector<std::int32_t> values(const Array& array) {
    std::vector<std::int32_t> out(static_cast<std::size_t>(array.size()), -1);
    array.copy_to_host({out.data(), DType::Int32, array.shape(), contiguous_strides(array.shape(), 4, Order::C)},
                       stream());
    stream()->synchronize();
    return out;
}

Index at(std::int64_t value) {
    Index item;
    item.value = value;
    return item;
}
Index slice(std::optional<std::int64_t> start, std::optional<std::int64_t> stop,
            std::optional<std::int64_t> step = std::nullopt) {
    return {Index::Kind::Slice, 0, start, stop, step};
}
Index special(Index::Kind kind) {
    Index item;
    item.kind = kind;
    return item;
}
Array take(const Array& array, std::vector<Index> items) {
    return array.index(items);
}

ErrorKind kind_of(auto&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::Internal;
}

TEST(Dims, HoldsManyAndCopiesDeeply) {
    Dims many(20, 3);
    Dims copy = many;
    copy[19] = 4;
    EXPECT_EQ(many[19], 3);
    copy = Dims{1, 2};
    EXPECT_EQ(copy, (Dims{1, 2}));
    for (int i = 0; i < 10; ++i) copy.push_back(i);
    EXPECT_EQ(copy.size(), 12);
    EXPECT_EQ(copy[11], 9);
    EXPECT_EQ(kind_of([] { Dims(65); }), ErrorKind::Value);
    Dims moved = std::move(many);
    EXPECT_EQ(moved[19], 3);
    EXPECT_EQ(many.size(), 0);
}

TEST(Array, ContiguityFollowsNumPy) {
    Array c = Array::empty({3, 4}, DType::Float32, stream());
    EXPECT_TRUE(c.is_c_contiguous());
    EXPECT_FALSE(c.is_f_contiguous());
    EXPECT_TRUE(c.transpose().is_f_contiguous());
    Array line = Array::empty({1, 4}, DType::Float32, stream());
    EXPECT_TRUE(line.is_c_contiguous() && line.is_f_contiguous());
    Array nothing = take(Array::empty({3, 4}, DType::Float32, stream()), {slice(0, 0)});
    EXPECT_TRUE(nothing.is_c_contiguous() && nothing.is_f_contiguous());
    EXPECT_EQ(nothing.data(), nullptr);
    EXPECT_TRUE(Array::empty({}, DType::Int8, stream()).is_c_contiguous());
}

TEST(Array, IndexesAsNumPyDoes) {
    Array a = counting({4, 5});
    EXPECT_EQ(values(take(a, {at(1)})), (std::vector{5, 6, 7, 8, 9}));
    EXPECT_EQ(values(take(a, {at(-1), at(-2)})), (std::vector{18}));
    EXPECT_EQ(values(take(a, {slice(1, 3), at(0)})), (std::vector{5, 10}));
    EXPECT_EQ(values(take(a, {special(Index::Kind::Ellipsis), at(4)})), (std::vector{4, 9, 14, 19}));
    EXPECT_EQ(values(take(a, {at(0), slice(std::nullopt, std::nullopt, -2)})), (std::vector{4, 2, 0}));
    EXPECT_EQ(values(take(a, {at(0), slice(3, 1, -1)})), (std::vector{3, 2}));
    EXPECT_EQ(values(take(a, {at(0), slice(-100, 100)})), (std::vector{0, 1, 2, 3, 4}));
    EXPECT_EQ(values(take(a, {at(0), slice(4, 1)})), (std::vector<std::int32_t>{}));
    EXPECT_EQ(values(take(a, {at(0), slice(std::nullopt, std::nullopt, INT64_MIN)})), (std::vector{4}));
    EXPECT_EQ(take(a, {special(Index::Kind::NewAxis), at(0)}).shape(), (Dims{1, 5}));
}

TEST(Array, RefusesWrongIndices) {
    Array a = counting({4, 5});
    EXPECT_EQ(kind_of([&] { take(a, {at(4)}); }), ErrorKind::Index);
    EXPECT_EQ(kind_of([&] { take(a, {at(0), at(-6)}); }), ErrorKind::Index);
    EXPECT_EQ(kind_of([&] { take(a, {at(0), at(0), at(0)}); }), ErrorKind::Index);
    EXPECT_EQ(kind_of([&] { take(a, {slice(0, 1, 0)}); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { take(a, {special(Index::Kind::Ellipsis), special(Index::Kind::Ellipsis)}); }),
              ErrorKind::Index);
}

TEST(Array, ReshapesWithoutCopies) {
    Array a = counting({4, 6});
    EXPECT_EQ(a.reshape({2, 2, -1}).shape(), (Dims{2, 2, 6}));
    EXPECT_EQ(values(a.reshape({24})), values(a));
    EXPECT_EQ(a.reshape({8, 1, 3}).data(), a.data());
    Array rows = take(a, {slice(0, 4, 2)});
    EXPECT_EQ(values(rows.reshape({2, 2, 3})), values(rows));
    EXPECT_EQ(values(rows.reshape({1, 2, 6, 1})), values(rows));
    Array f = a.transpose();
    EXPECT_EQ(f.reshape({24}, Order::F).shape(), (Dims{24}));
    EXPECT_EQ(counting({1}).reshape({}).ndim(), 0);
    EXPECT_EQ(Array::empty({0, 3}, DType::Int32, stream()).reshape({3, 0, 7}).shape(), (Dims{3, 0, 7}));
}

TEST(Array, RefusesReshapesThatDoNotFitOrCopy) {
    Array a = counting({4, 6});
    EXPECT_EQ(kind_of([&] { a.reshape({5, 5}); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { a.reshape({-1, -1}); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { a.reshape({5, -1}); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { a.transpose().reshape({24}); }), ErrorKind::NotImplemented);
    EXPECT_EQ(kind_of([&] { take(a, {special(Index::Kind::Ellipsis), slice(0, 5)}).reshape({-1}); }),
              ErrorKind::NotImplemented);
}

TEST(Array, OtherViews) {
    Array a = counting({2, 1, 3});
    EXPECT_EQ(a.squeeze().shape(), (Dims{2, 3}));
    EXPECT_EQ(a.squeeze(Dims{-2}).shape(), (Dims{2, 3}));
    EXPECT_EQ(kind_of([&] { a.squeeze(Dims{0}); }), ErrorKind::Value);
    EXPECT_EQ(a.transpose({2, 0, 1}).shape(), (Dims{3, 2, 1}));
    EXPECT_EQ(kind_of([&] { a.transpose({0, 0, 1}); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { a.transpose({0, 1}); }), ErrorKind::Value);
    Array wide = a.broadcast_to({4, 2, 5, 3});
    EXPECT_EQ(wide.strides(), (Dims{0, 12, 0, 4}));
    EXPECT_TRUE(wide.read_only());
    EXPECT_EQ(kind_of([&] { a.broadcast_to({2, 1, 4}); }), ErrorKind::Value);
    EXPECT_EQ(a.view_as(DType::Float32).shape(), (Dims{2, 1, 3}));
    EXPECT_EQ(a.view_as(DType::Int8).shape(), (Dims{2, 1, 12}));
    EXPECT_EQ(counting({2, 4}).view_as(DType::Float64).shape(), (Dims{2, 2}));
    EXPECT_EQ(kind_of([&] { a.view_as(DType::Float64); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { counting({4, 4}).transpose().view_as(DType::Int8); }), ErrorKind::Value);
}

TEST(Array, MustLieWithinItsBuffer) {
    std::shared_ptr<Buffer> buffer = Buffer::create(stream(), 64);
    EXPECT_EQ(Array::over(buffer, 0, {4, 4}, {16, 4}, DType::Int32).size(), 16);
    EXPECT_EQ(Array::over(buffer, 60, {16}, {-4}, DType::Int32).size(), 16);
    EXPECT_EQ(kind_of([&] { Array::over(buffer, 4, {4, 4}, {16, 4}, DType::Int32); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { Array::over(buffer, 0, {2}, {-4}, DType::Int32); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { Array::over(buffer, 0, {2}, {INT64_MAX}, DType::Int32); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { Array::over(buffer, 0, {2}, {4, 4}, DType::Int32); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { Array::empty({-1}, DType::Int32, stream()); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { Array::empty({INT64_MAX, 4}, DType::Int32, stream()); }), ErrorKind::Value);
    EXPECT_EQ(Array::empty({INT64_MAX, 0, INT64_MAX}, DType::Int32, stream()).size(), 0);
}

/// What `view` shows of counting(shape) when its strides are followed by hand.
std::vector<std::int32_t> expected(const Array& view) {
    std::vector<std::int32_t> result;
    std::int64_t base = view.offset() / 4;
    std::vector<std::int64_t> index(static_cast<std::size_t>(view.ndim()), 0);
    for (std::int64_t n = 0; n < view.size(); ++n) {
        std::int64_t position = base, rest = n;
        for (int axis = view.ndim() - 1; axis >= 0; --axis) {
            position += rest % view.shape()[axis] * view.strides()[axis] / 4;
            rest /= view.shape()[axis];
        }
        result.push_back(static_cast<std::int32_t>(position));
    }
    return result;
}

std::vector<Array> awkward_views() {
    Array a = counting({6, 5, 4});
    return {a.transpose(),
            a.transpose({1, 0, 2}),
            take(a, {slice(1, 5, 2), special(Index::Kind::Ellipsis), slice(std::nullopt, std::nullopt, -1)}),
            take(a, {slice(std::nullopt, std::nullopt, -1)}),
            take(a, {at(2), slice(0, 5, 3), slice(1, 3)}),
            take(a, {special(Index::Kind::Ellipsis), at(1)}),
            a.broadcast_to({3, 6, 5, 4}),
            take(a, {slice(0, 0)})};
}

TEST(Array, StridedCopiesMoveEveryElement) {
    for (const Array& view : awkward_views()) {
        EXPECT_EQ(values(view), expected(view)) << to_string(view.shape());
        for (Order order : {Order::C, Order::F, Order::Keep}) {
            Array copy = view.copy(order, stream());
            EXPECT_EQ(values(copy), expected(view)) << to_string(view.shape());
            EXPECT_FALSE(copy.read_only());
            if (order == Order::C) EXPECT_TRUE(copy.is_c_contiguous());
            if (order == Order::F) EXPECT_TRUE(copy.is_f_contiguous());
        }
    }
}

TEST(Array, CopiesIntoStridedTargets) {
    Array target = counting({6, 5, 4});
    Array part = take(target, {slice(0, 6, 2), slice(std::nullopt, std::nullopt, -1)});
    std::vector<std::int32_t> source(static_cast<std::size_t>(part.size()));
    std::iota(source.begin(), source.end(), 1000);
    part.copy_from_host({source.data(), DType::Int32, part.shape(), contiguous_strides(part.shape(), 4, Order::C)},
                        stream());
    EXPECT_EQ(values(part), source);
    EXPECT_EQ(values(take(target, {at(1)})), expected(take(counting({6, 5, 4}), {at(1)})));
}

TEST(Array, BroadcastsSources) {
    Array target = Array::empty({3, 4}, DType::Int32, stream());
    target.copy_from(counting({4}), stream());
    EXPECT_EQ(values(target), (std::vector{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}));
    target.copy_from(counting({3, 1}), stream());
    EXPECT_EQ(values(target), (std::vector{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
    target.copy_from(counting({1, 1, 4}), stream());
    EXPECT_EQ(kind_of([&] { target.copy_from(counting({3}), stream()); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { target.copy_from(Array::empty({4}, DType::Float32, stream()), stream()); }),
              ErrorKind::Type);
    EXPECT_EQ(kind_of([&] { target.as_read_only().copy_from(counting({4}), stream()); }), ErrorKind::Value);
}

TEST(Array, OverlappingCopiesActAsIfTheSourceWereReadFirst) {
    Array a = counting({10});
    take(a, {slice(1, 10)}).copy_from(take(a, {slice(0, 9)}), stream());
    EXPECT_EQ(values(a), (std::vector{0, 0, 1, 2, 3, 4, 5, 6, 7, 8}));
    Array b = counting({6});
    b.copy_from(take(b, {slice(std::nullopt, std::nullopt, -1)}), stream());
    EXPECT_EQ(values(b), (std::vector{5, 4, 3, 2, 1, 0}));
}

TEST(Array, FillsAnyLayoutAndWidth) {
    Array a = counting({4, 6});
    std::int32_t seven = 7;
    take(a, {slice(0, 4, 2), slice(0, 6, 3)}).fill(&seven, stream());
    EXPECT_EQ(values(take(a, {at(0)})), (std::vector{7, 1, 2, 7, 4, 5}));
    EXPECT_EQ(values(take(a, {at(1)})), (std::vector{6, 7, 8, 9, 10, 11}));
    std::complex<double> value(1.5, -2);
    Array wide = Array::empty({1000}, DType::Complex128, stream());
    wide.fill(&value, stream());
    std::vector<std::complex<double>> out(1000);
    wide.copy_to_host({out.data(), DType::Complex128, {1000}, {16}}, stream());
    EXPECT_EQ(out, std::vector<std::complex<double>>(1000, value));
    EXPECT_EQ(kind_of([&] { a.as_read_only().fill(&seven, stream()); }), ErrorKind::Value);
}

TEST(Array, EveryElementSizeIsCopied) {
    for (DType dtype : {DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::Complex128}) {
        std::int64_t item = size_of(dtype);
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(30 * 40 * item)), out(bytes.size());
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 31 + i / 256);
        Dims shape{30, 40};
        Array a = Array::from_host({bytes.data(), dtype, shape, contiguous_strides(shape, item, Order::C)}, stream());
        // There and back: the transpose of the transpose.
        Array back = a.transpose().copy(Order::C, stream()).transpose().copy(Order::C, stream());
        back.copy_to_host({out.data(), dtype, shape, contiguous_strides(shape, item, Order::C)}, stream());
        EXPECT_EQ(out, bytes) << name(dtype);
    }
}

TEST(Array, HostTargetsMustMatch) {
    Array a = counting({4});
    std::vector<std::int32_t> out(4);
    EXPECT_EQ(kind_of([&] { a.copy_to_host({out.data(), DType::Int32, {2, 2}, {8, 4}}, stream()); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { a.copy_to_host({out.data(), DType::Float32, {4}, {4}}, stream()); }), ErrorKind::Type);
    std::vector<std::int32_t> spread(8, -1);
    a.copy_to_host({spread.data(), DType::Int32, {4}, {8}}, stream());
    EXPECT_EQ(spread, (std::vector{0, -1, 1, -1, 2, -1, 3, -1}));
}

}  // namespace
}  // namespace lanewise
