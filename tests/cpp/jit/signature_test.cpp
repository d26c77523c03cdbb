// Argument codes, the packed parameter buffer, and conversion to declared signatures.
#include "jit/signature.h"

#include <gtest/gtest.h>

#include <complex>
#include <cstring>

#include "jit/arguments.h"
#include "jit/repacking.h"

namespace lanewise::jit {
namespace {

using python::Layout;

template <class T>
T at(std::span<const std::byte> bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

TEST(Signature, TypesSurviveTheWayThroughCodes) {
    std::vector<python::TypePtr> types = {
        python::scalar_type(DType::Float32),
        python::array_type(DType::Int8, 3, Layout::A, true),
        python::none_type(),
        python::tuple_type({python::scalar_type(DType::Bool), python::tuple_type({}),
                            python::array_type(DType::Float64, 0, Layout::C)}),
    };
    EXPECT_EQ(types_of(codes_of(types)), types);
}

TEST(Signature, CodesDifferWhereTypesDo) {
    EXPECT_NE(array_code(DType::Float32, 1, Layout::C, false), array_code(DType::Float32, 1, Layout::A, false));
    EXPECT_NE(array_code(DType::Float32, 1, Layout::C, false), array_code(DType::Float32, 1, Layout::C, true));
    EXPECT_NE(array_code(DType::Float32, 1, Layout::C, false), array_code(DType::Float32, 2, Layout::C, false));
    EXPECT_NE(scalar_code(DType::Int64), scalar_code(DType::UInt64));
    EXPECT_NE(scalar_code(DType::Bool), none_code());
}

TEST(Signature, RefusesTypesThatAreNoArguments) {
    python::TypePtr shared = python::array_type(DType::Float32, 1, Layout::C, false, ir::Space::Shared);
    EXPECT_THROW(codes_of(std::vector{shared}), Error);
    EXPECT_THROW(types_of(std::vector<Code>{tuple_code(2), none_code()}), Error);
}

TEST(ArgumentWriter, PacksAtNaturalAlignment) {
    ArgumentWriter writer(nullptr);
    writer.scalar(DType::Bool, true);
    writer.scalar(DType::Float64, 2.5);
    writer.scalar(DType::Int8, std::int8_t(-3));
    writer.scalar(DType::Float32, 1.5f);
    std::span<const std::byte> bytes = writer.parameters();
    ASSERT_EQ(bytes.size(), 24u);
    EXPECT_EQ(at<bool>(bytes, 0), true);
    EXPECT_EQ(at<double>(bytes, 8), 2.5);
    EXPECT_EQ(at<std::int8_t>(bytes, 16), -3);
    EXPECT_EQ(at<float>(bytes, 20), 1.5f);
    for (std::size_t gap : {1, 7, 17, 19}) EXPECT_EQ(bytes[gap], std::byte{0});
}

TEST(ArgumentWriter, ArraysPassPointerExtentsAndOnlyForLayoutAStrides) {
    int memory = 0;
    std::int64_t shape[] = {3, 4}, strides[] = {64, 8};
    ArgumentWriter contiguous(nullptr), strided(nullptr);
    contiguous.array(DType::Float32, 2, Layout::C, false, &memory, shape, strides);
    strided.array(DType::Float32, 2, Layout::A, false, &memory, shape, strides);
    ASSERT_EQ(contiguous.parameters().size(), 24u);
    ASSERT_EQ(strided.parameters().size(), 40u);
    EXPECT_EQ(at<int*>(strided.parameters(), 0), &memory);
    EXPECT_EQ(at<std::int64_t>(strided.parameters(), 8), 3);
    EXPECT_EQ(at<std::int64_t>(strided.parameters(), 16), 4);
    EXPECT_EQ(at<std::int64_t>(strided.parameters(), 24), 64);
    EXPECT_EQ(at<std::int64_t>(strided.parameters(), 32), 8);
}

TEST(ArgumentWriter, FollowsParametersOf) {
    std::int64_t shape[] = {2}, strides[] = {16};
    ArgumentWriter writer(nullptr);
    writer.scalar(DType::Int16, std::int16_t(1));
    writer.tuple(3);
    writer.scalar(DType::Int32, 2);
    writer.none();
    writer.array(DType::Float64, 1, Layout::A, true, nullptr, shape, strides);
    std::size_t end = 0;
    for (python::TypePtr type : types_of(writer.codes()))
        for (ir::Type part : python::parameters_of(type)) {
            std::size_t size = static_cast<std::size_t>(part.bytes());
            end = (end + size - 1) / size * size + size;
        }
    EXPECT_EQ(writer.parameters().size(), end);
}

TEST(ArgumentWriter, GrowsBeyondItsInlineRoom) {
    int device = 0;
    ArgumentWriter writer(&device);
    for (int i = 0; i < 1000; ++i) writer.scalar(DType::Int64, std::int64_t(i));
    ASSERT_EQ(writer.codes().size(), 1000u);
    ASSERT_EQ(writer.parameters().size(), 8000u);
    EXPECT_EQ(at<std::int64_t>(writer.parameters(), 8 * 999), 999);
    EXPECT_EQ(writer.hash(), hash_of(&device, writer.codes()));
}

std::optional<Repacking> plan(Code from, Code to) {
    return Repacking::plan(std::span(&from, 1), std::span(&to, 1));
}

template <class To, class From>
To repack(DType from, From value, DType to) {
    ArgumentWriter writer(nullptr);
    writer.scalar(from, value);
    Code target = scalar_code(to);
    std::optional<Repacking> plan = Repacking::plan(writer.codes(), std::span(&target, 1));
    if (!plan) throw std::logic_error("no plan");
    alignas(8) std::byte out[16];
    plan->apply(writer.parameters().data(), out);
    return at<To>(out, 0);
}

TEST(Repacking, ConvertsScalarsToWiderKinds) {
    EXPECT_EQ((repack<float>(DType::Float64, 2.5, DType::Float32)), 2.5f);
    EXPECT_EQ((repack<double>(DType::Int64, std::int64_t(-7), DType::Float64)), -7.0);
    EXPECT_EQ((repack<std::int32_t>(DType::Int64, std::int64_t(41), DType::Int32)), 41);
    EXPECT_EQ((repack<std::uint8_t>(DType::Int64, std::int64_t(257), DType::UInt8)), 1);
    EXPECT_EQ((repack<std::int64_t>(DType::Bool, true, DType::Int64)), 1);
    EXPECT_EQ((repack<std::complex<float>>(DType::Float64, 1.5, DType::Complex64)), std::complex<float>(1.5f, 0));
}

TEST(Repacking, RefusesNarrowerKinds) {
    EXPECT_FALSE(plan(scalar_code(DType::Float64), scalar_code(DType::Int64)));
    EXPECT_FALSE(plan(scalar_code(DType::Int64), scalar_code(DType::Bool)));
    EXPECT_FALSE(plan(scalar_code(DType::Complex64), scalar_code(DType::Float64)));
    EXPECT_FALSE(plan(scalar_code(DType::Float64), scalar_code(DType::Float16)));
    EXPECT_FALSE(plan(none_code(), scalar_code(DType::Float64)));
}

TEST(Repacking, GivesContiguousArraysTheStridesOfLayoutA) {
    std::int64_t shape[] = {3, 5};
    for (Layout layout : {Layout::C, Layout::F}) {
        ArgumentWriter writer(nullptr);
        writer.array(DType::Float32, 2, layout, false, &shape, shape, nullptr);
        Code target = array_code(DType::Float32, 2, Layout::A, false);
        std::optional<Repacking> plan = Repacking::plan(writer.codes(), std::span(&target, 1));
        ASSERT_TRUE(plan);
        ASSERT_EQ(plan->bytes(), 40u);
        alignas(8) std::byte out[40];
        plan->apply(writer.parameters().data(), out);
        EXPECT_EQ(at<void*>(out, 0), &shape);
        EXPECT_EQ(at<std::int64_t>(out, 16), 5);
        EXPECT_EQ(at<std::int64_t>(out, 24), layout == Layout::C ? 20 : 4);
        EXPECT_EQ(at<std::int64_t>(out, 32), layout == Layout::C ? 4 : 12);
    }
}

TEST(Repacking, RefusesArraysThatAreSomethingElse) {
    Code c = array_code(DType::Float32, 2, Layout::C, false);
    EXPECT_FALSE(plan(array_code(DType::Float32, 2, Layout::A, false), c));
    EXPECT_FALSE(plan(array_code(DType::Float32, 2, Layout::F, false), c));
    EXPECT_FALSE(plan(array_code(DType::Float64, 2, Layout::C, false), c));
    EXPECT_FALSE(plan(array_code(DType::Float32, 1, Layout::C, false), c));
    EXPECT_FALSE(plan(array_code(DType::Float32, 2, Layout::C, true), c));
    EXPECT_TRUE(plan(c, array_code(DType::Float32, 2, Layout::C, true)));
}

TEST(Repacking, PrefersTheClosestDeclaration) {
    Code given = scalar_code(DType::Int64);
    int to_int32 = plan(given, scalar_code(DType::Int32))->cost(),
        to_float = plan(given, scalar_code(DType::Float64))->cost();
    EXPECT_EQ(plan(given, given)->cost(), 0);
    EXPECT_LT(to_float, to_int32);
}

}  // namespace
}  // namespace lanewise::jit
