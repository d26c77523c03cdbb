// The text form of the IR.
#include "build.h"

namespace lanewise::test {
namespace {

TEST(Printer, WritesOneLineAValue) {
    Kernel k;
    Value* n = k.parameter(i64);
    Value* p = k.parameter(Type::pointer(Space::Global));
    k.function->parameters[1].read_only = true;
    k.function->parameters[1].align = 16;
    Value* i = k.b.cast(k.b.intrinsic(ir::Intrinsic::TidX), DType::Int64);
    Block* body = k.b.new_block("body");
    Block* end = k.b.new_block("");
    k.b.cond_branch(k.b.lt(i, n), body, end);
    k.b.set_block(body);
    k.b.set_location({12, 4, 12, 9});
    Value* x = k.b.load(f32, k.b.pointer_add(p, i, 4), 0, CacheHint::Cg);
    k.b.print("x\n%f", {x, k.b.constant_float(DType::Float64, 2), k.b.boolean(true)});
    k.b.branch(end);
    k.b.set_block(end);
    k.b.ret();
    EXPECT_EQ(print(*k.function), R"(kernel k(%0: i64 p0, %1: ptr.global p1 readonly align 16) {
b0.entry:
  %2: i32 = tid.x
  %3: i64 = cast %2
  %4: bool = lt %3, %0
  cond_branch %4 ? b1.body : b2
b1.body:
  %5: ptr.global = pointer_add %1, %3 * 4  ; 12:4
  %6: f32 = load.cg %5  ; 12:4
  print "x\n%f", %6, 2.0, true  ; 12:4
  branch b2  ; 12:4
b2:
  return  ; 12:4
}
)");
}

TEST(Printer, WritesGlobalsAndLoops) {
    Kernel k;
    Global* tile = k.module.new_global("tile", Space::Shared, 256, 16);
    Block* entry = k.b.block();
    Block* loop = k.b.new_block("loop");
    Block* end = k.b.new_block("end");
    k.b.branch(loop);
    k.b.set_block(loop);
    Value* i = k.b.phi(i32);
    Builder::add_incoming(i, k.b.i32(0), entry);
    Value* next = k.b.add(i, k.b.i32(1));
    Builder::add_incoming(i, next, loop);
    k.b.store(k.b.global_address(tile), i);
    k.b.atomic(AtomicOp::Add, k.b.dynamic_shared(), i);
    k.b.cond_branch(k.b.lt(next, k.b.i32(10)), loop, end);
    k.b.set_block(end);
    k.module.raise_sites.push_back({});
    k.b.raise(0, {k.b.i64(-3)});
    EXPECT_EQ(print(k.module), R"(global @tile ptr.shared bytes 256 align 16

kernel k() {
b0.entry:
  branch b1.loop
b1.loop:
  %0: i32 = phi 0 from b0.entry, %1 from b1.loop
  %1: i32 = add %0, 1
  store @tile, %0
  %2: i32 = atomic.add dynamic_shared, %0
  %3: bool = lt %1, 10
  cond_branch %3 ? b1.loop : b2.end
b2.end:
  raise site 0 with -3
}
)");
}

}  // namespace
}  // namespace lanewise::test
