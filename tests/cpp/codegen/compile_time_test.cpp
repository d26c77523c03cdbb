// Prints how long small kernels take from IR to PTX; asserts nothing about it.
#include <chrono>

#include "compile.h"
#include "passes/pipeline.h"

namespace lanewise::test {
namespace {

using namespace ir;

Value* global_index(Builder& b, Intrinsic block, Intrinsic size, Intrinsic thread) {
    Value* start = b.mul(b.cast(b.intrinsic(block), DType::Int64), b.cast(b.intrinsic(size), DType::Int64));
    return b.add(start, b.cast(b.intrinsic(thread), DType::Int64));
}

void saxpy(Builder& b, const std::vector<Value*>& p) {
    // p: n, a, x, y
    Value* i = global_index(b, Intrinsic::CtaidX, Intrinsic::NtidX, Intrinsic::TidX);
    Block* body = b.new_block("body");
    Block* end = b.new_block("end");
    b.cond_branch(b.lt(i, p[0]), body, end);
    b.set_block(body);
    Value* wrapped = b.select(b.lt(i, b.i64(0)), b.add(i, p[0]), i);
    Value* x = b.load(Type::scalar(DType::Float32), b.pointer_add(p[2], wrapped, 4));
    Value* at = b.pointer_add(p[3], wrapped, 4);
    Value* y = b.load(Type::scalar(DType::Float32), at);
    b.store(at, b.add(b.mul(p[1], x), y));
    b.branch(end);
    b.set_block(end);
    b.ret();
}

void matmul(Builder& b, const std::vector<Value*>& p, ir::Module& module) {
    // p: n, A, B, C; tiles of 16 x 16 in shared memory.
    Global* tile_a = module.new_global("tile_a", Space::Shared, 1024, 16);
    Global* tile_b = module.new_global("tile_b", Space::Shared, 1024, 16);
    auto f32 = Type::scalar(DType::Float32);
    Value* tx = b.cast(b.intrinsic(Intrinsic::TidX), DType::Int64);
    Value* ty = b.cast(b.intrinsic(Intrinsic::TidY), DType::Int64);
    Value* row = global_index(b, Intrinsic::CtaidY, Intrinsic::NtidY, Intrinsic::TidY);
    Value* column = global_index(b, Intrinsic::CtaidX, Intrinsic::NtidX, Intrinsic::TidX);
    Value* slot = b.add(b.mul(ty, b.i64(16)), tx);
    Value* tiles = b.scalar(ScalarOp::FloorDiv, p[0], b.i64(16));
    Block* entry = b.block();
    Block* outer = b.new_block("outer");
    Block* load = b.new_block("load");
    Block* inner = b.new_block("inner");
    Block* step = b.new_block("step");
    Block* next = b.new_block("next");
    Block* end = b.new_block("end");
    b.branch(outer);
    b.set_block(outer);
    Value* t = b.phi(Type::scalar(DType::Int64));
    Value* sum = b.phi(f32);
    Builder::add_incoming(t, b.i64(0), entry);
    Builder::add_incoming(sum, b.constant_float(DType::Float32, 0), entry);
    b.cond_branch(b.lt(t, tiles), load, end);
    b.set_block(load);
    Value* k0 = b.mul(t, b.i64(16));
    Value* a = b.load(f32, b.pointer_add(p[1], b.add(b.mul(row, p[0]), b.add(k0, tx)), 4));
    Value* c = b.load(f32, b.pointer_add(p[2], b.add(b.mul(b.add(k0, ty), p[0]), column), 4));
    b.store(b.pointer_add(b.global_address(tile_a), slot, 4), a);
    b.store(b.pointer_add(b.global_address(tile_b), slot, 4), c);
    b.intrinsic(Intrinsic::Barrier);
    b.branch(inner);
    b.set_block(inner);
    Value* k = b.phi(Type::scalar(DType::Int64));
    Value* partial = b.phi(f32);
    Builder::add_incoming(k, b.i64(0), load);
    Builder::add_incoming(partial, sum, load);
    b.cond_branch(b.lt(k, b.i64(16)), step, next);
    b.set_block(step);
    Value* left = b.load(f32, b.pointer_add(b.global_address(tile_a), b.add(b.mul(ty, b.i64(16)), k), 4));
    Value* right = b.load(f32, b.pointer_add(b.global_address(tile_b), b.add(b.mul(k, b.i64(16)), tx), 4));
    Builder::add_incoming(partial, b.add(partial, b.mul(left, right)), step);
    Builder::add_incoming(k, b.add(k, b.i64(1)), step);
    b.branch(inner);
    b.set_block(next);
    b.intrinsic(Intrinsic::Barrier);
    Builder::add_incoming(t, b.add(t, b.i64(1)), next);
    Builder::add_incoming(sum, partial, next);
    b.branch(outer);
    b.set_block(end);
    b.store(b.pointer_add(p[3], b.add(b.mul(row, p[0]), column), 4), sum);
    b.ret();
}

void measure(const char* name, const std::function<void(ir::Module&)>& build) {
    double best_passes = 1e9, best_compile = 1e9;
    std::string ptx;
    for (int round = 0; round < 10; ++round) {
        ir::Module module;
        build(module);
        using clock = std::chrono::steady_clock;
        auto t0 = clock::now();
        passes::run_pipeline(module);
        auto t1 = clock::now();
        Image image = lanewise_compiler()->compile(module, DeviceKind::Cuda, "sm_90a", {});
        auto t2 = clock::now();
        auto ms = [](auto d) { return std::chrono::duration<double, std::milli>(d).count(); };
        best_passes = std::min(best_passes, ms(t1 - t0));
        best_compile = std::min(best_compile, ms(t2 - t1));
        ptx.assign(image.bytes.begin(), image.bytes.end() - 1);
    }
    std::printf("%s: passes %.3f ms, IR to PTX %.2f ms\n", name, best_passes, best_compile);
    EXPECT_EQ(ptxas_complaint(ptx), "");
    if (std::getenv("LANEWISE_SHOW")) std::puts(ptx.c_str());
}

const Type i64 = Type::scalar(DType::Int64), f32 = Type::scalar(DType::Float32);

TEST(CompileTime, SaxpyIsReported) {
    measure("saxpy",
            [](ir::Module& module) { add_kernel(module, "saxpy", {i64, f32, global_pointer, global_pointer}, saxpy); });
}

TEST(CompileTime, MatrixProductIsReported) {
    measure("matmul", [](ir::Module& module) {
        add_kernel(module, "matmul", {i64, global_pointer, global_pointer, global_pointer},
                   [&](Builder& b, std::vector<Value*> p) { matmul(b, p, module); });
    });
}

TEST(CompileTime, MathIsReported) {
    measure("sin + pow (libdevice)", [](ir::Module& module) {
        add_kernel(module, "math", {global_pointer, f32}, [](Builder& b, std::vector<Value*> p) {
            b.store(p[0], b.scalar(ScalarOp::Pow, b.scalar(ScalarOp::Sin, p[1]), p[1]));
        });
    });
}

}  // namespace
}  // namespace lanewise::test
