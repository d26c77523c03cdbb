// When operations are computed, and together with which others.
#include "lazy.h"

#include <cmath>
#include <cstring>
#include <numeric>

#include "array/engine.h"

namespace lanewise::testing {
namespace {

std::vector<float> counting(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.f);
    return values;
}

TEST(Lazy, AnExpressionIsOneKernel) {
    const Array x = array(counting(1000));
    const auto before = launches();
    const Array y = add(multiply(x, 2.0), x);
    EXPECT_TRUE(y.is_pending());
    EXPECT_EQ(launches(), before);
    const std::vector<float> got = values<float>(y);
    EXPECT_EQ(launches(), before + 1);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], 3.f * static_cast<float>(i));
}

TEST(Lazy, ScalarValuesShareAKernel) {
    const Array x = array(counting(100));
    values<float>(multiply(x, 3.0));
    const auto kernels = engine_statistics().kernels;
    EXPECT_EQ(values<float>(multiply(x, 5.0))[7], 35.f);
    EXPECT_EQ(engine_statistics().kernels, kernels);
}

TEST(Lazy, DeadResultsAreNeverComputed) {
    const Array x = array(counting(100));
    const auto before = engine_statistics();
    {
        const Array unused = sqrt(x);
    }
    EXPECT_EQ(engine_statistics().pending, before.pending);
    EXPECT_EQ(launches(), before.launches);
}

TEST(Lazy, ResultsThatShareInputsAreStoredByOneKernel) {
    const Array x = array(counting(100));
    const Array a = add(x, 1.0), b = multiply(x, 2.0);
    const auto before = launches();
    EXPECT_EQ(values<float>(a)[10], 11.f);
    EXPECT_FALSE(b.is_pending());
    EXPECT_EQ(values<float>(b)[10], 20.f);
    EXPECT_EQ(launches(), before + 1);
}

TEST(Lazy, IntermediateVariablesAreStoredOnlyTheSecondTime) {
    const Array x = array(counting(100));
    const Array a = add(x, 1.0);
    EXPECT_EQ(values<float>(multiply(a, 2.0))[10], 22.f);
    EXPECT_TRUE(a.is_pending());
    EXPECT_EQ(values<float>(multiply(a, 3.0))[10], 33.f);
    EXPECT_FALSE(a.is_pending());
    EXPECT_EQ(values<float>(a)[10], 11.f);
}

TEST(Lazy, InPlaceUseOfAValueMadeOfTheTarget) {
    const Array x = array(counting(10));
    const Array t = multiply(x, 2.0), u = add(t, 1.0);
    assign(x, add(x, u));
    EXPECT_EQ(values<float>(x)[3], 10.f);
    EXPECT_EQ(values<float>(t)[3], 6.f);
    EXPECT_EQ(values<float>(u)[3], 7.f);
}

TEST(Lazy, WritesComeAfterPendingReads) {
    const Array x = array(counting(10));
    const Array y = add(x, 1.0);
    assign(x, 100.0);
    EXPECT_EQ(values<float>(y)[3], 4.f);
    EXPECT_EQ(values<float>(x)[3], 100.f);
}

TEST(Lazy, WritesThroughBuffersComeAfterPendingReads) {
    const Array x = array(counting(10));
    const Array y = add(x, 1.0);
    const float value = 7;
    x.fill(&value, stream());
    EXPECT_EQ(values<float>(y)[3], 4.f);
}

TEST(Lazy, InPlaceOnAPendingValueStaysPending) {
    const Array x = array(counting(10));
    const Array y = multiply(x, 2.0);
    const Array before = add(y, 0.5);
    const auto launched = launches();
    UfuncOptions options;
    options.out = y;
    add(y, 1.0, options);
    EXPECT_EQ(launches(), launched);
    EXPECT_EQ(values<float>(y)[3], 7.f);
    EXPECT_EQ(values<float>(before)[3], 6.5f);
}

TEST(Lazy, ViewsOfPendingValuesSeeLaterWrites) {
    const Array x = array(counting(10));
    const Array y = multiply(x, 2.0);
    Index item{Index::Kind::Slice, 0, 2, 8, 2};
    const Array view = y.index({&item, 1});
    assign(y, 5.0);
    EXPECT_EQ(values<float>(view), (std::vector<float>{5, 5, 5}));
    assign(view, -1.0);
    EXPECT_EQ(values<float>(y)[4], -1.f);
    EXPECT_EQ(values<float>(y)[5], 5.f);
}

TEST(Lazy, OverlappingAssignmentIsAsIfCopiedFirst) {
    const Array x = array(counting(10));
    Index tail{Index::Kind::Slice, 0, 1, std::nullopt, std::nullopt};
    Index head{Index::Kind::Slice, 0, std::nullopt, 9, std::nullopt};
    assign(x.index({&tail, 1}), x.index({&head, 1}));
    EXPECT_EQ(values<float>(x), (std::vector<float>{0, 0, 1, 2, 3, 4, 5, 6, 7, 8}));
    assign(x, flip(x));
    EXPECT_EQ(values<float>(x), (std::vector<float>{8, 7, 6, 5, 4, 3, 2, 1, 0, 0}));
}

TEST(Lazy, TransposedExpressionsAreReadInPlace) {
    const Array x = array(counting(6), {2, 3});
    const Array y = add(x, 1.0).transpose();
    const auto before = launches();
    EXPECT_EQ(values<float>(multiply(y, array(counting(6), {3, 2}))), (std::vector<float>{0, 4, 4, 15, 12, 30}));
    EXPECT_EQ(launches(), before + 1);
}

TEST(Lazy, ReshapedExpressionsAreReadInPlace) {
    const Array x = array(counting(24), {2, 3, 4}), y = array(counting(12), {3, 4});
    const auto before = launches();
    EXPECT_EQ(values<float>(sum(add(x, x).reshape({-1})))[0], 552.f);
    EXPECT_EQ(launches(), before + 1);
    const Array z = add(multiply(add(x, 1.0), 2.0), x).reshape({4, 6});
    EXPECT_EQ(values<float>(add(z, array(counting(6))))[7], 3.f * 7 + 2 + 1);
    // A broadcast that does not follow the new shape is computed first.
    EXPECT_EQ(values<float>(add(x, y).reshape({4, 6}))[12], 12.f);
}

TEST(Lazy, ShortRowsOfEveryLayout) {
    for (std::int64_t row : {2, 3, 8, 9}) {
        const Array x = array(counting(static_cast<std::size_t>(500 * row)), {500, row});
        const Array line = array(counting(static_cast<std::size_t>(row)));
        const Array turned = array(counting(static_cast<std::size_t>(500 * row)), {row, 500}).transpose();
        const std::vector<float> sums = values<float>(add(add(x, line), turned));
        for (std::int64_t i = 0; i < 500; ++i)
            for (std::int64_t j = 0; j < row; ++j)
                ASSERT_EQ(sums[static_cast<std::size_t>(i * row + j)],
                          static_cast<float>(i * row + j + j + j * 500 + i));
    }
}

TEST(Lazy, EagerScopesComputeAtOnce) {
    const Array x = array(counting(10));
    const Eager eager;
    EXPECT_FALSE(add(x, 1.0).is_pending());
}

TEST(Lazy, LongChainsAreComputedOnTheWay) {
    Array y = array(counting(10));
    for (int i = 0; i < 1000; ++i) y = add(y, 1.0);
    EXPECT_EQ(values<float>(y)[2], 1002.f);
}

TEST(Lazy, ManyRecordedOperationsAreComputed) {
    const Array x = array(counting(10));
    std::vector<Array> kept;
    for (int i = 0; i < 3000; ++i) kept.push_back(add(x, static_cast<double>(i)));
    EXPECT_LT(engine_statistics().pending, 1500u);
    EXPECT_EQ(values<float>(kept[0])[1], 1.f);
    EXPECT_EQ(values<float>(kept[2999])[1], 3000.f);
}

TEST(Lazy, SharedMemoryIsReadAtOnce) {
    const Array x = array(counting(10));
    x.share();
    EXPECT_FALSE(add(x, 1.0).is_pending());
}

TEST(Lazy, ManyAxesAndOperands) {
    Dims shape;
    for (int d = 0; d < 30; ++d) shape.push_back(d % 3 == 0 ? 2 : 1);
    Array x = full(shape, 1, DType::Int64, stream());
    Array total = x.transpose();
    for (int i = 0; i < 40; ++i) {
        const Array leaf = full(shape, i, DType::Int64, stream());
        evaluate(leaf);
        total = add(total, i % 2 ? leaf.transpose() : flip(leaf).transpose());
    }
    EXPECT_EQ(values<std::int64_t>(total), std::vector<std::int64_t>(1024, 781));
}

TEST(Lazy, AFailedEvaluationLeavesTheValuePending) {
    const Array x = array(counting(1000));
    const Array y = add(broadcast_to(x, {3000, 1000}), 1.0);
    device().pool().trim();
    device().pool().set_limit(1 << 20);
    EXPECT_EQ(kind_of([&] { evaluate(y); }), ErrorKind::OutOfMemory);
    device().pool().set_limit(0);
    EXPECT_TRUE(y.is_pending());
    EXPECT_EQ(values<float>(y)[2999999], 1000.f);
}

TEST(Lazy, UnalignedElementsAreCopiedButNotComputedWithOnGpus) {
    std::vector<std::uint8_t> raw(4 * 6 + 1);
    const std::vector<float> numbers = counting(6);
    std::memcpy(raw.data() + 1, numbers.data(), 24);
    Index item;
    item.kind = Index::Kind::Slice;
    item.start = 1;
    const Array odd = array(raw).index({&item, 1}).view_as(DType::Float32);
    item.start = 0;
    item.step = 2;
    EXPECT_EQ(values<float>(odd.index({&item, 1}).copy(Order::C, stream())), (std::vector<float>{0, 2, 4}));
    const engine::PlanFor plan(DeviceKind::Cuda);
    EXPECT_EQ(kind_of([&] { add(odd, 1.0); }), ErrorKind::Value);
    EXPECT_EQ(values<float>(add(odd.copy(Order::C, stream()), 1.0))[5], 6.f);
}

TEST(Lazy, ErrorsComeAtTheCall) {
    const Array x = array(counting(6), {2, 3});
    EXPECT_EQ(kind_of([&] { add(x, array(counting(4))); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { bitwise_and(x, 1); }), ErrorKind::Type);
    EXPECT_EQ(kind_of([&] { astype(x, DType::Int32, Casting::Safe); }), ErrorKind::Type);
    EXPECT_EQ(kind_of([&] { assign(x.as_read_only(), 1); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { assign(x, array(counting(2))); }), ErrorKind::Value);
    UfuncOptions out;
    out.out = full({2, 3}, 0, DType::Int32, stream());
    EXPECT_EQ(kind_of([&] { add(x, 1.5, out); }), ErrorKind::Type);
    out.out = full({3, 3}, 0, DType::Float32, stream());
    EXPECT_EQ(kind_of([&] { add(x, 1.5, out); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { full({-1}, 0, DType::Int8, stream()); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { full({std::int64_t(1) << 40, std::int64_t(1) << 40}, 0, DType::Int8, stream()); }),
              ErrorKind::Value);
    EXPECT_EQ(values<float>(add(x, 1.0))[5], 6.f);
}

TEST(Lazy, OutAndWhere) {
    const Array x = array(counting(4));
    UfuncOptions options;
    options.out = full({4}, -1, DType::Float64, stream());
    options.where = array(std::vector<bool>{true, false, true, false});
    add(x, 10.0, options);
    EXPECT_EQ(values<double>(*options.out), (std::vector<double>{10, -1, 12, -1}));
}

TEST(Lazy, ValuesOfAnotherStreamAreWaitedFor) {
    const Array x = array(counting(1000));
    const std::shared_ptr<Stream> other = device().create_stream();
    UfuncOptions elsewhere;
    elsewhere.stream = other;
    const Array y = add(x, 1.0, elsewhere);
    EXPECT_EQ(y.stream(), other);
    EXPECT_EQ(values<float>(add(x, y))[10], 21.f);
    const Array z = multiply(x, 2.0, elsewhere);
    evaluate(*other);
    EXPECT_FALSE(z.is_pending());
}

TEST(Lazy, PartsOfComplexArrays) {
    using C = std::complex<float>;
    const Array z = array(std::vector<C>{{1, 2}, {3, -4}});
    assign(imag(z), 5.0);
    EXPECT_EQ(values<C>(z), (std::vector<C>{{1, 5}, {3, 5}}));
    EXPECT_EQ(values<float>(imag(multiply(z, 2.0))), (std::vector<float>{10, 10}));
    EXPECT_EQ(values<float>(imag(array(counting(2)))), (std::vector<float>{0, 0}));
    EXPECT_EQ(values<C>(make_complex(array(counting(2)), 1.0)), (std::vector<C>{{0, 1}, {1, 1}}));
    EXPECT_FLOAT_EQ(values<float>(angle(z))[0], std::atan2(5.f, 1.f));
}

TEST(Lazy, BFloat16RoundsEachOperationOnce) {
    const Array x = full({3}, 1, DType::BFloat16, stream());
    // 1 + 2**-9 rounds back to 1 in bfloat16, twice.
    const Array y = add(add(x, 0.001953125), 0.001953125);
    EXPECT_EQ(y.dtype(), DType::BFloat16);
    EXPECT_EQ(values<float>(astype(y, DType::Float32))[0], 1.f);
    EXPECT_EQ(values<float>(astype(nextafter(x, 2.0), DType::Float32))[0], 1.0078125f);
}

TEST(Lazy, MoreElementsThan32BitsCount) {
    for (DeviceKind kind : {DeviceKind::Cpu, DeviceKind::Cuda}) {
        const engine::PlanFor plan(kind);
        const std::int64_t count = (std::int64_t(1) << 31) + 77;
        // Made and reduced by one kernel: it takes no memory.
        const Array numbers = arange(0, count, 1, std::nullopt, stream());
        EXPECT_EQ(values<std::int64_t>(max(numbers))[0], count - 1);
    }
}

TEST(Lazy, CompositeFunctions) {
    const Array x = array(std::vector<double>{-1.5, 0, 0.5, 2.5});
    EXPECT_EQ(values<double>(clip(x, -1.0, 1.0)), (std::vector<double>{-1, 0, 0.5, 1}));
    EXPECT_EQ(values<double>(round(x)), (std::vector<double>{-2, 0, 0, 2}));
    EXPECT_NEAR(values<double>(sinc(x))[2], 2 / M_PI, 1e-15);
    EXPECT_EQ(values<double>(sinc(x))[1], 1);
    const auto [quotient, rest] = divmod(x, 1.0);
    EXPECT_EQ(values<double>(quotient), (std::vector<double>{-2, 0, 0, 2}));
    EXPECT_EQ(values<double>(rest), (std::vector<double>{0.5, 0, 0.5, 0.5}));
    const auto [fraction, exponent] = frexp(x);
    EXPECT_EQ(values<double>(fraction), (std::vector<double>{-0.75, 0, 0.5, 0.625}));
    EXPECT_EQ(values<std::int32_t>(exponent), (std::vector<std::int32_t>{1, 0, 0, 2}));
    EXPECT_EQ(values<double>(ldexp(fraction, exponent)), values<double>(x));
    EXPECT_EQ(values<bool>(isclose(x, add(x, 1e-9))), std::vector<bool>(4, true));
    EXPECT_EQ(values<double>(where(greater(x, 0), x, 0)), (std::vector<double>{0, 0, 0.5, 2.5}));
    EXPECT_EQ(values<double>(power(x, 2)), (std::vector<double>{2.25, 0, 0.25, 6.25}));
}

TEST(Reduce, SumsOverAxes) {
    const Array x = array(counting(24), {2, 3, 4});
    EXPECT_EQ(values<float>(sum(x)), (std::vector<float>{276}));
    ReduceOptions options;
    options.axes = Dims{1};
    EXPECT_EQ(values<float>(sum(x, options)), (std::vector<float>{12, 15, 18, 21, 48, 51, 54, 57}));
    options.axes = Dims{0, 2};
    options.keepdims = true;
    const Array kept = sum(x, options);
    EXPECT_EQ(kept.shape(), (Dims{1, 3, 1}));
    EXPECT_EQ(values<float>(kept), (std::vector<float>{60, 92, 124}));
}

}  // namespace
}  // namespace lanewise::testing
