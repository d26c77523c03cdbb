// The code of generated kernels: PTX with 16-byte accesses, index arithmetic, structure shared between calls.
#include "array/engine.h"
#include "array/launcher.h"
#include "array/program.h"
#include "jit/build.h"
#include "lazy.h"

namespace lanewise::testing {
namespace {

/// The program of out = op(a, b) for memory of these shapes and strides; addresses are only looked at for alignment.
Program binary_program(ElementOp op, DType type, const Dims& shape, const Dims& a, const Dims& b,
                       std::uintptr_t address = 0x1000) {
    Program program;
    program.shape = shape;
    auto access = [&](const Dims& strides) {
        Access result;
        result.dtype = type;
        result.address = reinterpret_cast<std::byte*>(address);
        result.strides = strides;
        return result;
    };
    program.leaves = {access(a), access(b)};
    program.leaves[1].address += 0x100000;
    program.code.push_back({ElementOp::Load, type, type, {0, 0, 0}});
    program.code.push_back({ElementOp::Load, type, type, {1, 0, 0}});
    program.code.push_back({op, type, type, {0, 1, 0}});
    program.stores.push_back({2, access(contiguous_strides(shape, size_of(type), Order::C))});
    return program;
}

std::string ptx(Program program) {
    const auto module = elementwise_module(program, DeviceKind::Cuda);
    CompileOptions options;
    options.contract = false;
    return jit::compile_with_text(*module, DeviceKind::Cuda, "sm_90a", options).assembly;
}

int occurrences(const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST(Kernels, ContiguousOperandsMoveSixteenBytesAtATime) {
    const Dims shape{1 << 20};
    struct {
        DType type;
        const char* load;
        const char* store;
    } cases[] = {{DType::Float32, "ld.global.nc.v4.f32", "st.global.v4.f32"},
                 {DType::Float64, "ld.global.nc.v2.f64", "st.global.v2.f64"},
                 {DType::Int32, "ld.global.nc.v4.u32", "st.global.v4.u32"},
                 {DType::Complex64, "ld.global.nc.v4.f32", "st.global.v4.f32"}};
    for (const auto& c : cases) {
        SCOPED_TRACE(name(c.type));
        const Dims strides{size_of(c.type)};
        const std::string text = ptx(binary_program(ElementOp::Add, c.type, shape, strides, strides));
        EXPECT_GE(occurrences(text, c.load), 2) << text;
        EXPECT_GE(occurrences(text, c.store), 1) << text;
    }
}

TEST(Kernels, NarrowTypesMoveWordsOfSeveralElements) {
    struct {
        DType type;
        const char* store;
    } cases[] = {{DType::Float16, "st.global.v4"}, {DType::Int16, "st.global.v4"}, {DType::UInt8, "st.global.u32"}};
    for (const auto& c : cases) {
        SCOPED_TRACE(name(c.type));
        const Dims strides{size_of(c.type)};
        const std::string text = ptx(binary_program(ElementOp::Add, c.type, {1 << 20}, strides, strides));
        EXPECT_GE(occurrences(text, "ld.global.nc.v4"), 2) << text;
        EXPECT_GE(occurrences(text, c.store), 1) << text;
    }
}

TEST(Kernels, UnalignedOperandsAreMovedOneByOne) {
    const std::string text = ptx(binary_program(ElementOp::Add, DType::Float32, {1 << 20}, {4}, {4}, 0x1004));
    EXPECT_EQ(occurrences(text, ".v4"), 0) << text;
}

TEST(Kernels, BroadcastRowsKeepVectors) {
    const std::string text = ptx(binary_program(ElementOp::Add, DType::Float32, {1000, 1024}, {4096, 4}, {0, 4}));
    EXPECT_GE(occurrences(text, "ld.global.nc.v4.f32"), 2) << text;
    // Positions come from multiplications.
    EXPECT_EQ(occurrences(text, "div."), 0) << text;
    EXPECT_EQ(occurrences(text, "rem."), 0) << text;
}

TEST(Kernels, TransposedOperandsGoThroughSharedMemory) {
    const std::string text = ptx(binary_program(ElementOp::Add, DType::Float32, {1024, 1024}, {4096, 4}, {4, 4096}));
    EXPECT_GE(occurrences(text, ".shared"), 2) << text;
    EXPECT_GE(occurrences(text, "bar.sync"), 1) << text;
}

TEST(Kernels, AliasingOperandsAreNotAssumedApart) {
    Program program = binary_program(ElementOp::Add, DType::Float32, {1 << 20}, {4}, {4});
    const Array memory = Array::empty({4}, DType::Float32, stream());
    program.leaves[0].buffer = program.stores[0].target.buffer = memory.buffer();
    const std::string text = ptx(program);
    EXPECT_EQ(occurrences(text, "ld.global.nc"), 0) << text;
    EXPECT_GE(occurrences(text, "ld.global.v4.f32"), 2) << text;
}

TEST(Kernels, LayoutsOfOneClassShareAKernel) {
    const Array x = full({300}, 1, DType::Float32, stream()), y = full({50, 60}, 1, DType::Float32, stream());
    evaluate(x);
    evaluate(y);
    evaluate(exp2(x));
    const auto kernels = engine_statistics().kernels;
    evaluate(exp2(y));
    evaluate(exp2(reshape(x, {30, 10}).transpose()));
    EXPECT_EQ(engine_statistics().kernels, kernels);
}

TEST(Kernels, CompileForCudaWhateverTheyCompute) {
    // Every function in every type it has, as PTX.
    for (int u = 0; u <= static_cast<int>(Ufunc::RadToDeg); ++u) {
        const auto ufunc = static_cast<Ufunc>(u);
        for (DType type : {DType::Bool, DType::Int8, DType::UInt32, DType::Int64, DType::Float16, DType::BFloat16,
                           DType::Float32, DType::Float64, DType::Complex64}) {
            std::pair<DType, DType> types;
            try {
                types = resolve(ufunc, {&type, 1});
            } catch (const Error&) {
                continue;
            }
            Program program =
                binary_program(element_op(ufunc), types.first, {64}, {size_of(types.first)}, {size_of(types.first)});
            program.code[2].result = program.stores[0].target.dtype = types.second;
            program.stores[0].target.strides = {size_of(types.second)};
            EXPECT_NO_THROW(ptx(program)) << info(ufunc).name << " of " << name(type);
        }
    }
}

}  // namespace
}  // namespace lanewise::testing
