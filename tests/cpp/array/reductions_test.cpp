// Reductions and scans: shapes that take every kind of kernel, special values, types, refusals.
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "array/engine.h"
#include "lazy.h"

namespace lanewise::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

ReduceOptions over(Dims axes) {
    ReduceOptions options;
    options.axes = std::move(axes);
    return options;
}

/// Runs the test as planned for the cpu device and for CUDA devices.
class Reductions : public ::testing::TestWithParam<DeviceKind> {
    engine::PlanFor plan_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Plans, Reductions, ::testing::Values(DeviceKind::Cpu, DeviceKind::Cuda),
                         [](const auto& kind) { return kind.param == DeviceKind::Cpu ? "Cpu" : "Cuda"; });

TEST_P(Reductions, SumsOfEveryShapeOfWork) {
    std::mt19937 random(1);
    // Rows, short rows, columns, few columns, single results, three axes.
    const Dims shapes[] = {{3, 100000},  {70000, 3},    {5000, 40},    {40, 5000}, {100003},
                           {7, 300, 11}, {200, 2, 300}, {30, 40, 700}, {1, 1}};
    for (const Dims& shape : shapes) {
        SCOPED_TRACE(to_string(shape));
        std::vector<std::int32_t> elements(static_cast<std::size_t>(element_count(shape, 4)));
        for (auto& e : elements) e = static_cast<std::int32_t>(random() % 1000) - 500;
        const Array x = array(elements, shape);
        for (int mask = 0; mask < 1 << shape.size(); ++mask) {
            Dims axes;
            std::int64_t results = 1;
            for (int d = 0; d < shape.size(); ++d)
                if (mask >> d & 1)
                    axes.push_back(d);
                else
                    results *= shape[d];
            std::vector<std::int64_t> sums(static_cast<std::size_t>(results), 0), places(sums.size(), 0);
            std::vector<std::int32_t> largest(sums.size(), std::numeric_limits<std::int32_t>::min());
            std::vector<std::int64_t> seen(sums.size(), 0);
            for (std::size_t i = 0; i < elements.size(); ++i) {
                std::size_t rest = i, result = 0, step = 1;
                for (int d = shape.size() - 1; d >= 0; --d) {
                    const auto extent = static_cast<std::size_t>(shape[d]);
                    if (!(mask >> d & 1)) {
                        result += rest % extent * step;
                        step *= extent;
                    }
                    rest /= extent;
                }
                sums[result] += elements[i];
                if (elements[i] > largest[result]) {
                    largest[result] = elements[i];
                    places[result] = seen[result];
                }
                ++seen[result];
            }
            ASSERT_EQ(values<std::int64_t>(sum(x, over(axes))), sums) << to_string(axes);
            ASSERT_EQ(values<std::int32_t>(max(x, over(axes))), largest) << to_string(axes);
            ASSERT_EQ(values<std::int64_t>(argmax(x, over(axes))), places) << to_string(axes);
        }
    }
}

TEST_P(Reductions, ScansOfEveryShapeOfWork) {
    std::mt19937 random(2);
    const Dims shapes[] = {{200000}, {3, 70000}, {70000, 3}, {2000, 40}, {5, 300, 7}, {33}};
    for (const Dims& shape : shapes)
        for (int axis = 0; axis < shape.size(); ++axis) {
            SCOPED_TRACE(to_string(shape) + " along " + std::to_string(axis));
            std::vector<std::int64_t> elements(static_cast<std::size_t>(element_count(shape, 8)));
            for (auto& e : elements) e = static_cast<std::int64_t>(random() % 1000) - 500;
            std::size_t step = 1;
            for (int d = axis + 1; d < shape.size(); ++d) step *= static_cast<std::size_t>(shape[d]);
            std::vector<std::int64_t> wanted = elements;
            for (std::size_t i = 0; i < wanted.size(); ++i)
                if (i / step % static_cast<std::size_t>(shape[axis]) > 0) wanted[i] += wanted[i - step];
            ASSERT_EQ(values<std::int64_t>(cumsum(array(elements, shape), axis)), wanted);
        }
}

TEST_P(Reductions, ProducersAreFusedIn) {
    const Array x = array(std::vector<float>(5000, 2.f));
    const auto before = launches();
    EXPECT_EQ(values<float>(sum(multiply(add(x, 1.0), x)))[0], 30000.f);
    EXPECT_LE(launches(), before + 2);
}

TEST_P(Reductions, NaNRules) {
    const Array x = array(std::vector<double>{3, nan, 1, nan, 5});
    EXPECT_TRUE(std::isnan(values<double>(max(x))[0]));
    EXPECT_TRUE(std::isnan(values<double>(min(x))[0]));
    EXPECT_EQ(values<std::int64_t>(argmax(x))[0], 1);
    EXPECT_EQ(values<std::int64_t>(argmin(x))[0], 1);
    EXPECT_EQ(values<double>(nanmax(x))[0], 5);
    EXPECT_EQ(values<double>(nanmin(x))[0], 1);
    EXPECT_EQ(values<std::int64_t>(nanargmax(x))[0], 4);
    EXPECT_EQ(values<std::int64_t>(nanargmin(x))[0], 2);
    EXPECT_EQ(values<double>(nansum(x))[0], 9);
    EXPECT_EQ(values<double>(nanprod(x))[0], 15);
    EXPECT_EQ(values<double>(nanmean(x))[0], 3);
    EXPECT_DOUBLE_EQ(values<double>(nanvar(x))[0], 8.0 / 3);
    EXPECT_TRUE(std::isnan(values<double>(nanmax(array(std::vector<double>{nan, nan})))[0]));
}

TEST_P(Reductions, ExtremaOfInfinitiesAreFound) {
    EXPECT_EQ(values<std::int64_t>(argmax(array(std::vector<double>{-infinity})))[0], 0);
    EXPECT_EQ(values<std::int64_t>(argmin(array(std::vector<double>{infinity, infinity})))[0], 0);
    EXPECT_EQ(values<std::int64_t>(argmax(array(std::vector<std::int8_t>{-128, -128})))[0], 0);
    EXPECT_EQ(values<bool>(max(array(std::vector<bool>{false, false})))[0], false);
}

TEST_P(Reductions, TypesOfSums) {
    EXPECT_EQ(sum(full({3}, 100, DType::Int8, stream())).dtype(), DType::Int64);
    EXPECT_EQ(sum(full({3}, 100, DType::UInt16, stream())).dtype(), DType::UInt64);
    EXPECT_EQ(sum(full({3}, 1, DType::Bool, stream())).dtype(), DType::Int64);
    EXPECT_EQ(sum(full({3}, 1, DType::Float16, stream())).dtype(), DType::Float16);
    EXPECT_EQ(mean(full({3}, 1, DType::Int32, stream())).dtype(), DType::Float64);
    EXPECT_EQ(mean(full({3}, 1, DType::Float16, stream())).dtype(), DType::Float16);
    EXPECT_EQ(var(full({3}, 1, DType::Complex64, stream())).dtype(), DType::Float32);
    EXPECT_EQ(values<std::int64_t>(sum(full({300}, 100, DType::Int8, stream())))[0], 30000);
    ReduceOptions narrow;
    narrow.dtype = DType::Int8;
    EXPECT_EQ(values<std::int8_t>(sum(full({3}, 100, DType::Int8, stream()), narrow))[0], 44);
}

TEST_P(Reductions, HalfPrecisionAccumulatesInSingle) {
    // One by one in float16 the sum would stop at 2048.
    const Array x = full({5000}, 1, DType::Float16, stream());
    EXPECT_EQ(values<float>(astype(sum(x), DType::Float32))[0], 5000.f);
    EXPECT_EQ(values<float>(astype(mean(full({100000}, 3, DType::BFloat16, stream())), DType::Float32))[0], 3.f);
}

TEST_P(Reductions, MomentsOfLargeArrays) {
    std::vector<float> elements(100000);
    double total = 0, squares = 0;
    std::mt19937 random(3);
    for (auto& e : elements) {
        e = static_cast<float>(random() % 10000) / 100.f;
        total += e;
    }
    const double center = total / 1e5;
    for (float e : elements) squares += (e - center) * (e - center);
    const Array x = array(elements);
    EXPECT_NEAR(values<float>(mean(x))[0], center, 1e-4);
    EXPECT_NEAR(values<float>(var(x))[0], squares / 1e5, 0.1);
    EXPECT_NEAR(values<float>(stddev(x, {}, 1))[0], std::sqrt(squares / (1e5 - 1)), 1e-3);
}

TEST_P(Reductions, AnyAllAndCounts) {
    const Array x = array(std::vector<std::int32_t>{0, 3, 0, 0, 0, 0}, {2, 3});
    EXPECT_EQ(values<bool>(any(x, over({1}))), (std::vector<bool>{true, false}));
    EXPECT_EQ(values<bool>(all(x, over({0}))), (std::vector<bool>{false, false, false}));
    EXPECT_EQ(values<std::int64_t>(count_nonzero(x))[0], 1);
    EXPECT_EQ(values<bool>(all(array(std::vector<float>{}))), (std::vector<bool>{true}));
}

TEST_P(Reductions, EmptyAxes) {
    const Array x = full({0, 3}, 1, DType::Float64, stream());
    EXPECT_EQ(values<double>(sum(x, over({0}))), (std::vector<double>{0, 0, 0}));
    EXPECT_EQ(values<double>(prod(x, over({0}))), (std::vector<double>{1, 1, 1}));
    EXPECT_EQ(sum(x, over({1})).size(), 0);
    EXPECT_EQ(kind_of([&] { max(x, over({0})); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { argmin(x, over({0})); }), ErrorKind::Value);
    EXPECT_EQ(max(x, over({1})).size(), 0);
}

TEST_P(Reductions, RefuseWrongAxes) {
    const Array x = full({2, 3}, 1, DType::Float64, stream());
    EXPECT_EQ(kind_of([&] { sum(x, over({2})); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { sum(x, over({1, -1})); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { cumsum(x, 2); }), ErrorKind::Value);
}

TEST_P(Reductions, ComplexNumbers) {
    using C = std::complex<double>;
    const Array x = array(std::vector<C>{{1, 2}, {3, -1}, {3, 4}, {-2, 0}});
    EXPECT_EQ(values<C>(sum(x))[0], C(5, 5));
    EXPECT_EQ(values<C>(prod(x))[0], C(1, 2) * C(3, -1) * C(3, 4) * C(-2, 0));
    EXPECT_EQ(values<C>(max(x))[0], C(3, 4));
    EXPECT_EQ(values<std::int64_t>(argmin(x))[0], 3);
    EXPECT_EQ(values<C>(cumsum(x, 0))[2], C(7, 5));
}

TEST_P(Reductions, RepeatExactly) {
    std::vector<float> elements(300000);
    std::mt19937 random(4);
    for (auto& e : elements) e = static_cast<float>(random()) * 1e-6f;
    const Array x = array(elements);
    const auto first = bytes(sum(x));
    for (int i = 0; i < 5; ++i) EXPECT_EQ(bytes(sum(x)), first);
}

TEST_P(Reductions, IntoOut) {
    const Array x = array(std::vector<float>{1, 2, 3, 4}, {2, 2});
    const Array out = full({2}, 0, DType::Float64, stream());
    ReduceOptions options = over({0});
    options.out = out;
    sum(x, options);
    EXPECT_EQ(values<double>(out), (std::vector<double>{4, 6}));
}

TEST_P(Reductions, RunningProductsAndTypes) {
    EXPECT_EQ(values<std::int64_t>(cumprod(array(std::vector<std::int8_t>{1, 2, 3, 100}), 0)),
              (std::vector<std::int64_t>{1, 2, 6, 600}));
    EXPECT_EQ(values<double>(cumsum(array(std::vector<double>{1, nan, 3}), 0))[0], 1);
    EXPECT_EQ(cumsum(array(std::vector<float>{1, 2, 3, 4}, {2, 2}), std::nullopt).shape(), (Dims{4}));
}

}  // namespace
}  // namespace lanewise::testing
