// The code of generated kernels: PTX with 16-byte accesses, index arithmetic, structure shared between calls.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "array/engine.h"
#include "array/launcher.h"
#include "array/program.h"
#include "jit/build.h"
#include "lanewise/ufunc_methods.h"
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

TEST(Kernels, NumbersFillContiguousMemoryOfEveryDtypeWithoutAKernel) {
    const engine::PlanFor plan(DeviceKind::Cuda);
    for (int t = 0; t < dtype_count; ++t) {
        const DType type = static_cast<DType>(t);
        SCOPED_TRACE(name(type));
        for (const Scalar& value : {Scalar(0), Scalar(1), Scalar(is_unsigned(type) ? 1 : -1)}) {
            const std::uint64_t kernels = engine_statistics().kernels;
            const Array whole = full({7, 9}, value, type, stream());
            evaluate(whole);
            const auto bits = value.bits(type);
            // Those of 8 bytes that do not repeat take a kernel, and so do complex numbers of unlike parts.
            const bool repeats =
                is_complex(type) ? bits[0] == bits[1] : size_of(type) < 8 || bits[0] >> 32 == (bits[0] & 0xffffffff);
            if (repeats) EXPECT_EQ(engine_statistics().kernels, kernels);
            std::vector<std::uint8_t> expected;
            const int part = size_of(real_of(type));
            for (std::int64_t i = 0; i < whole.size(); ++i)
                for (int k = 0; k < (is_complex(type) ? 2 : 1); ++k)
                    expected.insert(expected.end(), reinterpret_cast<const std::uint8_t*>(&bits[k]),
                                    reinterpret_cast<const std::uint8_t*>(&bits[k]) + part);
            EXPECT_EQ(bytes(whole), expected);
        }
    }
}

TEST(Kernels, NumbersFillOnlyWhatAViewShows) {
    const engine::PlanFor plan(DeviceKind::Cuda);
    const Array x = full({6, 8}, 5, DType::Int16, stream());
    Index rows, columns;
    rows.kind = columns.kind = Index::Kind::Slice;
    rows.start = 2;
    rows.stop = 4;
    columns.step = 3;
    assign(x.index({&rows, 1}), Scalar(1));
    const Index both[] = {rows, columns};
    assign(x.index(both), Scalar(2));
    std::vector<std::int16_t> expected(48, 5);
    for (int row = 2; row < 4; ++row)
        for (int column = 0; column < 8; ++column) expected[row * 8 + column] = column % 3 == 0 ? 2 : 1;
    EXPECT_EQ(values<std::int16_t>(x), expected);
}

/// What ptxas says to the text, or nothing; nothing too where there is no ptxas.
std::string ptxas_complaint(const std::string& text) {
    static const bool found = std::system("command -v ptxas >/dev/null 2>&1 || test -x /usr/local/cuda/bin/ptxas") == 0;
    if (!found) return "";
    const auto folder = std::filesystem::temp_directory_path() / ("lanewise-ptx-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "kernel.ptx") << text;
    const std::string command = "PATH=$PATH:/usr/local/cuda/bin ptxas -O1 -arch=sm_90a -o /dev/null " +
                                (folder / "kernel.ptx").string() + " > " + (folder / "log").string() + " 2>&1";
    const bool accepted = std::system(command.c_str()) == 0;
    std::stringstream log;
    log << std::ifstream(folder / "log").rdbuf();
    std::filesystem::remove_all(folder);
    return accepted ? "" : log.str() + text;
}

TEST(Kernels, OfEveryKindAssembleForCuda) {
    // Run here as planned for CUDA, and each module compiled for a GPU beside that.
    const engine::PlanFor plan(DeviceKind::Cuda);
    int modules = 0;
    std::string complaints;
    KernelTable::instance().watch([&](const ir::Module& module) {
        CompileOptions options;
        options.contract = false;
        const std::string text = jit::compile_with_text(module, DeviceKind::Cuda, "sm_90a", options).assembly;
        complaints += ptxas_complaint(text);
        ++modules;
    });
    for (DType type : {DType::Int8, DType::Float16, DType::Complex128}) {
        SCOPED_TRACE(name(type));
        const Array x = full({300, 500}, 1, type, stream()), line = full({200000}, 1, type, stream());
        evaluate(x);
        evaluate(line);
        ReduceOptions columns, rows;
        columns.axes = Dims{0};
        rows.axes = Dims{1};
        for (Reduction reduction : {Reduction::Sum, Reduction::Max, Reduction::ArgMin, Reduction::CountNonzero})
            for (const ReduceOptions& options : {ReduceOptions(), columns, rows})
                evaluate(reduce(reduction, x, options));
        evaluate(add(sum(line), 1));
        cumsum(line, 0);
        cumsum(x, 0);
        cumsum(x, 1);
        nonzero(line);
        compress(greater(real(line), 0), line, 0);
        concatenate(std::vector<Array>(5, x), 1);
        evaluate(take(x, arange(0, 50, 1, std::nullopt, stream()), 0));
        matmul(x, x.transpose());
        evaluate(add(x, reshape(x, {500, 300}).transpose()));
        evaluate(take(line, arange(0, 50, 1, std::nullopt, stream()), 0));
        Index item;
        item.kind = Index::Kind::Slice;
        item.step = 3;
        evaluate(add(x.index({&item, 1}), broadcast_to(sum(x, columns), {100, 500})));
    }
    const AdvancedIndex places(remainder(arange(0, 100000, 1, std::nullopt, stream()), 50));
    for (DType type : {DType::Int64, DType::Float32})
        apply_at(Ufunc::Add, full({50}, 0, type, stream()), {&places, 1}, Operand(1));
    KernelTable::instance().watch(nullptr);
    EXPECT_GT(modules, 80);
    EXPECT_EQ(complaints, "");
}

TEST(Kernels, ScansReachAllRunsOfWholeTilesFromOneAddress) {
    // An address for each run would take registers from the blocks that are to be under way.
    const engine::PlanFor plan(DeviceKind::Cuda);
    const Array x = full({1 << 22}, 1, DType::Float32, stream());
    evaluate(x);
    std::string text;
    KernelTable::instance().watch([&](const ir::Module& module) {
        CompileOptions options;
        options.contract = false;
        text += jit::compile_with_text(module, DeviceKind::Cuda, "sm_90a", options).assembly;
    });
    cumsum(x, 0);
    KernelTable::instance().watch(nullptr);
    for (const char* access :
         {R"(ld\.global\.nc\.v4\.f32\s+\{[^}]*\}, \[(%rd\d+)\+\d+\])", R"(st\.global\.v4\.f32\s+\[(%rd\d+)\+\d+\])"}) {
        SCOPED_TRACE(access);
        const std::regex pattern(access);
        std::map<std::string, int> accesses;
        for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
            ++accesses[(*match)[1]];
        int most = 0;
        for (const auto& [address, count] : accesses) most = std::max(most, count);
        // Eight runs, of which the first is where the address is.
        EXPECT_GE(most, 7);
    }
}

TEST(Kernels, CompileForCudaWhateverTheyCompute) {
    // Every function in every type it has, as PTX.
    for (int u = 0; u <= static_cast<int>(Ufunc::RadToDeg); ++u) {
        const auto ufunc = static_cast<Ufunc>(u);
        for (DType type :
             {DType::Bool, DType::Int8, DType::UInt64, DType::BFloat16, DType::Float32, DType::Complex64}) {
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
