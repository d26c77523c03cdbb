// Types: spelling, unification by NumPy's promotion, parts, signature strings.
#include "frontend/python/types.h"

#include <gtest/gtest.h>

namespace lanewise::python {
namespace {

TEST(Types, AreSpelledAsNumbaSpellsThem) {
    EXPECT_EQ(to_string(scalar_type(DType::UInt8)), "uint8");
    EXPECT_EQ(to_string(scalar_type(DType::Bool)), "bool");
    EXPECT_EQ(to_string(array_type(DType::Float32, 2, Layout::F)), "array(float32, 2d, F)");
    EXPECT_EQ(to_string(array_type(DType::Int8, 1, Layout::A, true)), "readonly array(int8, 1d, A)");
    EXPECT_EQ(to_string(tuple_type({scalar_type(DType::Int64), scalar_type(DType::Int64)})), "UniTuple(int64 x 2)");
    EXPECT_EQ(to_string(tuple_type({scalar_type(DType::Int64), none_type()})), "Tuple(int64, none)");
    EXPECT_EQ(to_string(tuple_type({})), "Tuple()");
}

TEST(Types, AreInterned) {
    EXPECT_EQ(array_type(DType::Float32, 1, Layout::F), array_type(DType::Float32, 1, Layout::C));
    EXPECT_NE(array_type(DType::Float32, 1, Layout::A), array_type(DType::Float32, 1, Layout::C));
    EXPECT_NE(array_type(DType::Float32, 1, Layout::C, false, ir::Space::Shared),
              array_type(DType::Float32, 1, Layout::C));
}

std::string unified(DType a, DType b) {
    const TypePtr left = unify(scalar_type(a), scalar_type(b)), right = unify(scalar_type(b), scalar_type(a));
    EXPECT_EQ(left, right);
    return to_string(left);
}

TEST(Types, ScalarsUnifyByNumpyPromotion) {
    // numpy.promote_types of each pair.
    EXPECT_EQ(unified(DType::Int32, DType::Float32), "float64");
    EXPECT_EQ(unified(DType::Int16, DType::Float32), "float32");
    EXPECT_EQ(unified(DType::UInt16, DType::Float32), "float32");
    EXPECT_EQ(unified(DType::Int64, DType::UInt64), "float64");
    EXPECT_EQ(unified(DType::Int32, DType::UInt32), "int64");
    EXPECT_EQ(unified(DType::Int8, DType::UInt8), "int16");
    EXPECT_EQ(unified(DType::Int8, DType::UInt16), "int32");
    EXPECT_EQ(unified(DType::Int64, DType::UInt8), "int64");
    EXPECT_EQ(unified(DType::Bool, DType::UInt8), "uint8");
    EXPECT_EQ(unified(DType::Int8, DType::Float16), "float16");
    EXPECT_EQ(unified(DType::Int16, DType::Float16), "float32");
    EXPECT_EQ(unified(DType::Int32, DType::Float16), "float64");
    EXPECT_EQ(unified(DType::Float32, DType::Complex64), "complex64");
    EXPECT_EQ(unified(DType::Int16, DType::Complex64), "complex64");
    EXPECT_EQ(unified(DType::Int32, DType::Complex64), "complex128");
    EXPECT_EQ(unified(DType::Float64, DType::Complex64), "complex128");
    EXPECT_EQ(unified(DType::Float16, DType::BFloat16), "float32");
}

TEST(Types, ArraysAndTuplesUnifyByItems) {
    const TypePtr c = array_type(DType::Float32, 2, Layout::C), f = array_type(DType::Float32, 2, Layout::F);
    EXPECT_EQ(to_string(unify(c, f)), "array(float32, 2d, A)");
    EXPECT_EQ(unify(c, array_type(DType::Float64, 2, Layout::C)), nullptr);
    EXPECT_EQ(unify(c, array_type(DType::Float32, 1, Layout::C)), nullptr);
    EXPECT_EQ(unify(c, array_type(DType::Float32, 2, Layout::C, false, ir::Space::Shared))->space, ir::Space::Generic);
    EXPECT_EQ(unify(none_type(), scalar_type(DType::Int64)), nullptr);
    EXPECT_EQ(to_string(unify(tuple_type({scalar_type(DType::Int64)}), tuple_type({scalar_type(DType::Float32)}))),
              "UniTuple(float64 x 1)");
    EXPECT_EQ(unify(tuple_type({}), tuple_type({none_type()})), nullptr);
}

TEST(Types, PartsAndParameters) {
    EXPECT_EQ(parts_of(array_type(DType::Float32, 2, Layout::C)).size(), 5u);
    EXPECT_EQ(parameters_of(array_type(DType::Float32, 2, Layout::C)).size(), 3u);
    EXPECT_EQ(parameters_of(array_type(DType::Float32, 2, Layout::A)).size(), 5u);
    EXPECT_EQ(parts_of(scalar_type(DType::Complex64)),
              (std::vector{ir::Type::scalar(DType::Float32), ir::Type::scalar(DType::Float32)}));
    EXPECT_TRUE(parts_of(none_type()).empty());
    EXPECT_EQ(parts_of(tuple_type({scalar_type(DType::Int8), none_type(), scalar_type(DType::Bool)})).size(), 2u);
}

std::string arguments(const std::string& text) {
    std::string result;
    for (TypePtr type : parse_signature(text).arguments) result += (result.empty() ? "" : ", ") + to_string(type);
    return result;
}

TEST(Signatures, AreReadAsNumbaWritesThem) {
    EXPECT_EQ(arguments("void(float32[:], int64)"), "array(float32, 1d, A), int64");
    EXPECT_EQ(arguments("void(float32[::1], f8[:, ::1], i4[::1, :], uint8[:, :, :])"),
              "array(float32, 1d, C), array(float64, 2d, C), array(int32, 2d, F), array(uint8, 3d, A)");
    EXPECT_EQ(arguments("(int32, )"), "int32");
    EXPECT_EQ(arguments("none()"), "");
    EXPECT_EQ(arguments("void(UniTuple(int64, 2), Tuple((int64, float32)), Tuple([u1]))"),
              "UniTuple(int64 x 2), Tuple(int64, float32), UniTuple(uint8 x 1)");
    EXPECT_EQ(arguments("void(Array(float32, 2, 'F'), array(int64, 1d, C), readonly array(int8, 1d, A))"),
              "array(float32, 2d, F), array(int64, 1d, C), readonly array(int8, 1d, A)");
    EXPECT_EQ(arguments("void(types.boolean, numba.types.intp, double, c16)"), "bool, int64, float64, complex128");
    EXPECT_EQ(to_string(parse_signature("float32(float32, float32)").result), "float32");
    EXPECT_EQ(to_string(parse_signature("void()").result), "none");
    EXPECT_EQ(parse_signature("(int32,)").result, nullptr);
}

TEST(Signatures, AreReadBackFromTheirSpelling) {
    for (TypePtr type : {array_type(DType::Float32, 2, Layout::F), array_type(DType::Int8, 1, Layout::A, true),
                         tuple_type({scalar_type(DType::Int64), scalar_type(DType::Int64)}),
                         tuple_type({scalar_type(DType::Int64), none_type()})})
        EXPECT_EQ(parse_signature("(" + to_string(type) + ",)").arguments, std::vector<TypePtr>{type});
}

std::string refused(const std::string& text) {
    try {
        parse_signature(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Type);
        return error.what();
    }
    return {};
}

TEST(Signatures, RefusalsGiveThePosition) {
    EXPECT_NE(refused("void(floot32)").find("unknown type 'floot32' at position 6"), std::string::npos);
    EXPECT_NE(refused("void(float32[:)").find("expected ']' at position 15"), std::string::npos);
    EXPECT_NE(refused("float32").find("expected '('"), std::string::npos);
    EXPECT_NE(refused("void(float32[::1, ::1])").find("'::1' may stand once"), std::string::npos);
    EXPECT_NE(refused("void() x").find("unexpected text at position 8"), std::string::npos);
    EXPECT_NE(refused("void(UniTuple(int64, many))").find("expected a small number"), std::string::npos);
}

}  // namespace
}  // namespace lanewise::python
