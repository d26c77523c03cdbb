// Matrix products against loops on the host.
#include <random>

#include "lazy.h"

namespace lanewise::testing {
namespace {

template <class T>
std::vector<T> random_values(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(static_cast<int>(random() % 19) - 9);
    return values;
}

template <class T>
std::vector<T> product(const std::vector<T>& a, const std::vector<T>& b, std::size_t m, std::size_t n, std::size_t k) {
    std::vector<T> c(m * n, T(0));
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t l = 0; l < k; ++l)
            for (std::size_t j = 0; j < n; ++j)
                c[i * n + j] = static_cast<T>(c[i * n + j] + a[i * k + l] * b[l * n + j]);
    return c;
}

template <class T>
void expect_product(std::int64_t m, std::int64_t n, std::int64_t k) {
    SCOPED_TRACE(std::to_string(m) + " " + std::to_string(n) + " " + std::to_string(k));
    const auto a = random_values<T>(static_cast<std::size_t>(m * k), 1),
               b = random_values<T>(static_cast<std::size_t>(k * n), 2);
    const auto wanted =
        product(a, b, static_cast<std::size_t>(m), static_cast<std::size_t>(n), static_cast<std::size_t>(k));
    EXPECT_EQ(values<T>(matmul(array(a, {m, k}), array(b, {k, n}))), wanted);
    // The same by transposed views.
    const Array a_turned = array(a, {m, k}).transpose().copy(Order::C, stream()).transpose();
    const Array b_turned = array(b, {k, n}).transpose().copy(Order::C, stream()).transpose();
    EXPECT_EQ(values<T>(matmul(a_turned, b_turned)), wanted);
}

TEST(Matmul, AllTypesAndEdges) {
    for (std::int64_t m : {1, 5, 64, 70})
        for (std::int64_t k : {1, 16, 33}) {
            expect_product<float>(m, 67, k);
            expect_product<std::int32_t>(m, 3, k);
        }
    expect_product<double>(33, 65, 100);
    expect_product<std::int8_t>(17, 5, 40);
    expect_product<std::uint64_t>(65, 64, 17);
    expect_product<std::complex<float>>(20, 30, 40);
    expect_product<std::complex<double>>(9, 70, 12);
}

TEST(Matmul, HalfPrecisionAccumulatesInSingle) {
    const Array a = full({2, 4096}, 1, DType::Float16, stream());
    const Array c = matmul(a, full({4096, 3}, 1, DType::Float16, stream()));
    EXPECT_EQ(c.dtype(), DType::Float16);
    EXPECT_EQ(values<float>(astype(c, DType::Float32)), std::vector<float>(6, 4096.f));
}

TEST(Matmul, BatchesBroadcastAndVectorsLoseTheirAxis) {
    const auto values_a = random_values<double>(2 * 3 * 4, 3), values_b = random_values<double>(4 * 5, 4);
    const Array a = array(values_a, {2, 3, 4}), b = array(values_b, {4, 5});
    const Array c = matmul(a, b);
    EXPECT_EQ(c.shape(), (Dims{2, 3, 5}));
    EXPECT_EQ(values<double>(c), product(values_a, values_b, 6, 5, 4));
    const Array many = matmul(a, expand_dims(b, Dims{0}).broadcast_to({2, 4, 5}));
    EXPECT_EQ(values<double>(many), values<double>(c));
    EXPECT_EQ(matmul(a, array(std::vector<double>{1, 2, 3, 4})).shape(), (Dims{2, 3}));
    EXPECT_EQ(values<double>(matmul(array(std::vector<double>{1, 2}), array(std::vector<double>{3, 4})))[0], 11);
    EXPECT_EQ(dot(a, array(random_values<double>(2 * 4 * 5, 5), {2, 4, 5})).shape(), (Dims{2, 3, 2, 5}));
}

TEST(Matmul, PendingOperandsAndEmptyMatrices) {
    const Array a = add(full({2, 2}, 1, DType::Float32, stream()), 1.0);
    EXPECT_EQ(values<float>(matmul(a, a)), std::vector<float>(4, 8.f));
    EXPECT_EQ(
        values<float>(matmul(full({2, 0}, 1, DType::Float32, stream()), full({0, 2}, 1, DType::Float32, stream()))),
        std::vector<float>(4, 0.f));
    EXPECT_EQ(matmul(full({0, 2}, 1, DType::Float32, stream()), a).shape(), (Dims{0, 2}));
}

TEST(Matmul, RefusesShapesThatDoNotFit) {
    const Array a = full({2, 3}, 1, DType::Float32, stream());
    EXPECT_EQ(kind_of([&] { matmul(a, a); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] { matmul(a, full({}, 1, DType::Float32, stream())); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([&] {
                  matmul(full({2, 2, 3}, 1, DType::Float32, stream()), full({3, 3, 2}, 1, DType::Float32, stream()));
              }),
              ErrorKind::Value);
}

}  // namespace
}  // namespace lanewise::testing
