// When operations are computed, and together with which others.
#include "lazy.h"

#include <numeric>

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

TEST(Lazy, SharedMemoryIsReadAtOnce) {
    const Array x = array(counting(10));
    x.share();
    EXPECT_FALSE(add(x, 1.0).is_pending());
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
