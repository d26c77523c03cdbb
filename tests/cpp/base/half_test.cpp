#include "base/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace lanewise {
namespace {

TEST(Half, EveryValueComesBack) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        double value = double_from_half(static_cast<std::uint16_t>(bits));
        if (std::isnan(value))
            EXPECT_TRUE(std::isnan(double_from_half(half_from_double(value))));
        else
            EXPECT_EQ(half_from_double(value), bits);
    }
}

TEST(Half, IsAsTheStandardSays) {
    EXPECT_EQ(double_from_half(0x3c00), 1.0);
    EXPECT_EQ(double_from_half(0x7bff), 65504.0);
    EXPECT_EQ(double_from_half(0x0400), std::ldexp(1.0, -14));
    EXPECT_EQ(double_from_half(0x0001), std::ldexp(1.0, -24));
    EXPECT_EQ(half_from_double(-2.0), 0xc000);
    EXPECT_EQ(half_from_double(-0.0), 0x8000);
    EXPECT_EQ(half_from_double(std::numeric_limits<double>::infinity()), 0x7c00);
}

TEST(Half, RoundsToNearestWithTiesToEven) {
    EXPECT_EQ(half_from_double(1 + std::ldexp(1.0, -11)), 0x3c00);
    EXPECT_EQ(half_from_double(1 + 3 * std::ldexp(1.0, -11)), 0x3c02);
    EXPECT_EQ(half_from_double(std::nextafter(1 + std::ldexp(1.0, -11), 2)), 0x3c01);
    EXPECT_EQ(half_from_double(65519.999), 0x7bff);
    EXPECT_EQ(half_from_double(65520), 0x7c00);
    EXPECT_EQ(half_from_double(1e300), 0x7c00);
    EXPECT_EQ(half_from_double(std::ldexp(1.0, -25)), 0);
    EXPECT_EQ(half_from_double(std::nextafter(std::ldexp(1.0, -25), 1)), 1);
}

TEST(BFloat16, IsTheUpperHalfOfAFloat) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        float expected = std::bit_cast<float>(bits << 16);
        double value = double_from_bfloat16(static_cast<std::uint16_t>(bits));
        if (std::isnan(expected)) {
            EXPECT_TRUE(std::isnan(value));
            EXPECT_TRUE(std::isnan(double_from_bfloat16(bfloat16_from_double(value))));
        } else {
            EXPECT_EQ(value, expected);
            EXPECT_EQ(bfloat16_from_double(value), bits);
        }
    }
}

TEST(BFloat16, RoundsToNearestWithTiesToEven) {
    EXPECT_EQ(bfloat16_from_double(1 + std::ldexp(1.0, -8)), 0x3f80);
    EXPECT_EQ(bfloat16_from_double(1 + 3 * std::ldexp(1.0, -8)), 0x3f82);
    EXPECT_EQ(bfloat16_from_double(1e300), 0x7f80);
    EXPECT_EQ(bfloat16_from_double(-1e-300), 0x8000);
}

}  // namespace
}  // namespace lanewise
