#include <gtest/gtest.h>

#include "lanewise/raw.h"

namespace lanewise {
namespace {

Parameter parameter(const std::string& type, const std::string& name, ParameterKind kind, DType dtype = DType::Int8) {
    return {.name = name, .type = type, .kind = kind, .dtype = dtype, .pointee_known = false, .read_only = false};
}

EntryPoint entry_with(std::vector<std::pair<Parameter, std::uint32_t>> parameters) {
    EntryPoint entry;
    for (auto& [item, size] : parameters) {
        entry.parameter_offsets.push_back(entry.parameter_bytes);
        entry.parameter_sizes.push_back(size);
        entry.parameter_bytes += size;
        entry.parameters.push_back(item);
    }
    return entry;
}

TEST(RawParameters, KnowTheElementsOfVectorTypes) {
    struct Case {
        const char* type;
        std::uint32_t size;
        DType dtype;
        int lanes;
    };
    for (const Case& c : {Case{"float4", 16, DType::Float32, 4}, Case{"const double3", 24, DType::Float64, 3},
                          Case{"uchar1", 1, DType::UInt8, 1}, Case{"struct longlong2", 16, DType::Int64, 2},
                          Case{"cuComplex", 8, DType::Float32, 2}, Case{"cuDoubleComplex", 16, DType::Float64, 2},
                          Case{"thrust::complex<float>", 8, DType::Float32, 2},
                          Case{"cuda::std::complex<double>", 16, DType::Float64, 2}}) {
        RawParameters parameters = parameters_of(entry_with({{parameter(c.type, "v", ParameterKind::Struct), c.size}}));
        EXPECT_EQ(parameters.items[0].lanes, c.lanes) << c.type;
        EXPECT_EQ(parameters.items[0].dtype, c.dtype) << c.type;
    }
}

TEST(RawParameters, ClassesOfOtherSizesAreNoVectors) {
    for (auto [type, size] : {std::pair("float4", 20u), {"Particle", 16u}, {"float", 4u}, {"float5", 20u}, {"", 4u}})
        EXPECT_EQ(parameters_of(entry_with({{parameter(type, "v", ParameterKind::Struct), size}})).items[0].lanes, 0);
}

TEST(RawParameters, HaveTheTextOfADeclaration) {
    RawParameters parameters =
        parameters_of(entry_with({{parameter("const float *", "x", ParameterKind::Pointer), 8},
                                  {parameter("int", "n", ParameterKind::Scalar, DType::Int32), 4},
                                  {parameter("double", "", ParameterKind::Scalar, DType::Float64), 8}}));
    EXPECT_EQ(to_string(parameters), "const float *x, int n, double");
    EXPECT_EQ(describe(parameters, 1), "parameter 2 'n' (int)");
    EXPECT_EQ(describe(parameters, 2), "parameter 3 (double)");
    EXPECT_EQ(describe(parameters, 3), "parameter 4");
}

TEST(RawParameters, AreOpaqueWhereOnlySizesAreKnown) {
    EntryPoint entry;
    entry.parameter_offsets = {0, 8};
    entry.parameter_sizes = {4, 8};
    entry.parameter_bytes = 16;
    RawParameters parameters = parameters_of(entry);
    EXPECT_EQ(to_string(parameters), "4 bytes, 8 bytes");
    EXPECT_EQ(describe(parameters, 1), "parameter 2 (8 bytes)");
    EXPECT_EQ(parameters.items[1].offset, 8u);
    EXPECT_EQ(parameters.items[1].kind, ParameterKind::Opaque);
    EXPECT_EQ(parameters.bytes, 16u);
}

}  // namespace
}  // namespace lanewise
