// The LLVM modules that both devices' code generators start from.
#include "codegen/emit.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "compile.h"
#include "passes/pipeline.h"

namespace lanewise::test {
namespace {

using namespace ir;

constexpr ir::Intrinsic all_intrinsics[] = {
#define LANEWISE_INTRINSIC(Id, ...) ir::Intrinsic::Id,
#include "lanewise/tables/intrinsics.def"
#undef LANEWISE_INTRINSIC
};

std::string emitted(ir::Module& module, DeviceKind kind, const CompileOptions& options = {}) {
    passes::run_pipeline(module);
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> llvm_module = codegen::emit(module, kind, options, context);
    std::string text;
    llvm::raw_string_ostream stream(text);
    EXPECT_FALSE(llvm::verifyModule(*llvm_module, &stream)) << text;
    llvm_module->print(stream, nullptr);
    return text;
}

TEST(Emit, HostModulesHoldNoAssemblyButRegisterReads) {
    ir::Module module;
    add_kernel(module, "k", {global_pointer}, [](Builder& b, std::vector<Value*> p) {
        for (ir::Intrinsic which : all_intrinsics) {
            std::vector<Value*> operands;
            for (char letter : info(which).operands)
                operands.push_back(b.constant(letter == 'b'   ? DType::Bool
                                              : letter == 'u' ? DType::UInt32
                                                              : DType::Int32,
                                              1));
            Value* value = b.intrinsic(which, operands);
            if (!value->type.is_void()) b.store(p[0], value);
        }
        for (CacheHint hint : {CacheHint::Ca, CacheHint::Cg, CacheHint::Cs, CacheHint::Lu, CacheHint::Cv})
            b.store(p[0], b.load(Type::scalar(DType::Float32), p[0], 0, hint), 0, CacheHint::Wt);
    });
    const std::string text = emitted(module, DeviceKind::Cpu);
    EXPECT_EQ(count(text, " asm "), 1) << text;
    EXPECT_TRUE(contains(text, "asm \"mov.u32 $0, %dynamic_smem_size;\", \"=r\"()")) << text;
}

TEST(Emit, KernelsAreMarkedBothWays) {
    ir::Module module;
    add_kernel(module, "k", {global_pointer}, [](Builder&, std::vector<Value*>) {});
    for (DeviceKind kind : {DeviceKind::Cpu, DeviceKind::Cuda}) {
        const std::string text = emitted(module, kind);
        EXPECT_TRUE(contains(text, "define ptx_kernel void @k(ptr addrspace(1) %p0)")) << text;
        EXPECT_TRUE(contains(text, "!{ptr @k, !\"kernel\", i32 1}")) << text;
        EXPECT_TRUE(contains(text, "target triple = \"nvptx64-nvidia-cuda\"")) << text;
    }
}

TEST(Emit, ScalarsAreMonomorphicInstructions) {
    ir::Module module;
    const Type u8 = Type::scalar(DType::UInt8), i16 = Type::scalar(DType::Int16), f64 = Type::scalar(DType::Float64);
    add_kernel(module, "k", {global_pointer, u8, i16, f64}, [](Builder& b, std::vector<Value*> p) {
        b.store(p[0], b.scalar(ScalarOp::Div, p[1], p[1]));
        b.store(p[0], b.scalar(ScalarOp::Shr, p[2], b.constant(DType::Int16, 3)));
        b.store(p[0], b.scalar(ScalarOp::Shl, p[2], p[2]));
        b.store(p[0], b.cast(p[3], DType::Int8));
        b.store(p[0], b.cast(p[1], DType::Float32));
        b.store(p[0], b.scalar(ScalarOp::Ne, p[3], p[3]));
        b.store(p[0], b.scalar(ScalarOp::Tan, p[3]));
    });
    const std::string text = emitted(module, DeviceKind::Cpu);
    for (const char* part :
         {"udiv i8 %p1, %p1", "ashr i16 %p2, 3", "icmp ult i16 %p2, 16", "llvm.fptosi.sat.i16.f64",
          "uitofp i8 %p1 to float", "fcmp une double %p3, %p3", "call contract double @__nv_tan(double %p3)"})
        EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
    EXPECT_FALSE(contains(text, "nsw") || contains(text, "nuw")) << "integers wrap\n" << text;
}

TEST(Emit, FastFlagsSpareComparisons) {
    ir::Module module;
    const Type f32 = Type::scalar(DType::Float32);
    add_kernel(module, "k", {global_pointer, f32, f32}, [](Builder& b, std::vector<Value*> p) {
        Value* sum = b.add(p[1], p[2]);
        b.store(p[0], b.scalar(ScalarOp::IsNan, sum));
        b.store(p[0], sum);
    });
    CompileOptions options;
    options.fastmath = true;
    const std::string text = emitted(module, DeviceKind::Cuda, options);
    EXPECT_TRUE(contains(text, "fadd fast float")) << text;
    EXPECT_TRUE(contains(text, "fcmp uno float")) << text;
}

TEST(Emit, LocalMemoryIsGenericAndShared) {
    ir::Module module;
    Global* tile = module.new_global("tile", Space::Shared, 64, 16);
    add_kernel(module, "k", {global_pointer}, [&](Builder& b, std::vector<Value*> p) {
        Value* local = b.local_array(32, 8);
        b.store(local, b.i32(1));
        b.store(b.global_address(tile), b.load(Type::scalar(DType::Int32), local));
        b.store(b.dynamic_shared(), b.i32(2));
    });
    const std::string text = emitted(module, DeviceKind::Cpu);
    EXPECT_TRUE(contains(text, "alloca [32 x i8], align 8")) << text;
    EXPECT_TRUE(contains(text, "@tile = internal addrspace(3) global [64 x i8] undef, align 16")) << text;
    EXPECT_TRUE(contains(text, "@__lanewise_dynamic_shared = external addrspace(3) global [0 x i8], align 16")) << text;
}

TEST(Emit, AtomicExtremaLeaveNanRulesToTheComparison) {
    ir::Module module;
    const Type f32 = Type::scalar(DType::Float32);
    add_kernel(module, "k", {global_pointer, f32}, [](Builder& b, std::vector<Value*> p) {
        b.atomic(AtomicOp::Min, p[0], p[1]);
        b.atomic(AtomicOp::NanMax, p[0], p[1]);
    });
    const std::string text = emitted(module, DeviceKind::Cpu);
    // A stored NaN stays; a NaN operand never stores.
    EXPECT_TRUE(contains(text, "fcmp olt float %p1")) << text;
    // A stored NaN is replaced, unless by another.
    EXPECT_TRUE(contains(text, "fcmp ugt float %p1") && contains(text, "fcmp ord float %p1, %p1")) << text;
}

TEST(Emit, ErrorsPointAtTheSourceLine) {
    ir::Module module;
    module.files.push_back({.path = "/a/kernel.py", .lines = {"def k(p, x):", "    p[0] = f(x)"}, .first_line = 10});
    const Type f32 = Type::scalar(DType::Float32), f64 = Type::scalar(DType::Float64);
    Function* kernel = add_kernel(module, "k", {global_pointer, f32, f64}, [&](Builder& b, std::vector<Value*> p) {
        b.external("__nv_thing", {f32}, {p[1]}, true);
        b.set_location({11, 11, 11, 15});
        b.external("__nv_thing", {f64}, {p[2]}, true);
    });
    kernel->display_name = "k";
    try {
        emitted(module, DeviceKind::Cuda);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        const std::string text = error.what();
        EXPECT_TRUE(contains(text, "k: '__nv_thing' is used with two different signatures")) << text;
        EXPECT_TRUE(contains(text, "/a/kernel.py:11:12") && contains(text, "           ^^^^")) << text;
    }
}

}  // namespace
}  // namespace lanewise::test
