// The passes: block simplification and dead code.
#include "build.h"
#include "passes/dead_code.h"
#include "passes/pipeline.h"
#include "passes/simplify_blocks.h"

namespace lanewise::test {
namespace {

TEST(SimplifyBlocks, DropsTheArmThatAConstantConditionExcludes) {
    Kernel k;
    Value* p = k.parameter(Type::pointer(Space::Global));
    Block* entry = k.b.block();
    Block* taken = k.b.new_block("taken");
    Block* excluded = k.b.new_block("excluded");
    Block* join = k.b.new_block("join");
    k.b.cond_branch(k.b.boolean(true), taken, excluded);
    k.b.set_block(taken);
    k.b.branch(join);
    k.b.set_block(excluded);
    k.b.branch(join);
    k.b.set_block(join);
    Value* phi = k.b.phi(i32);
    Builder::add_incoming(phi, k.b.i32(1), taken);
    Builder::add_incoming(phi, k.b.i32(2), excluded);
    k.b.store(p, phi);
    k.b.ret();
    passes::simplify_blocks(*k.function);
    verify(k.module);
    ASSERT_EQ(k.function->blocks.size(), 1u);
    EXPECT_EQ(k.function->blocks[0], entry);
    EXPECT_EQ(constant_integer(entry->values[0]->operands[1]), 1);
}

TEST(SimplifyBlocks, RemovesLoopPhisThatNeverChange) {
    Kernel k;
    Value* n = k.parameter(i32);
    Value* p = k.parameter(Type::pointer(Space::Global));
    Block* entry = k.b.block();
    Block* loop = k.b.new_block("loop");
    Block* end = k.b.new_block("end");
    k.b.branch(loop);
    k.b.set_block(loop);
    Value* i = k.b.phi(i32);
    Value* same = k.b.phi(i32);
    Value* next = k.b.add(i, k.b.i32(1));
    Builder::add_incoming(i, k.b.i32(0), entry);
    Builder::add_incoming(i, next, loop);
    Builder::add_incoming(same, n, entry);
    Builder::add_incoming(same, same, loop);
    k.b.store(p, same);
    k.b.cond_branch(k.b.lt(next, same), loop, end);
    k.b.set_block(end);
    k.b.ret();
    passes::simplify_blocks(*k.function);
    verify(k.module);
    EXPECT_EQ(print(*k.function), R"(kernel k(%0: i32 p0, %1: ptr.global p1) {
b0.entry:
  branch b1.loop
b1.loop:
  %2: i32 = phi 0 from b0.entry, %3 from b1.loop
  %3: i32 = add %2, 1
  store %1, %0
  %4: bool = lt %3, %0
  cond_branch %4 ? b1.loop : b2.end
b2.end:
  return
}
)");
}

TEST(SimplifyBlocks, MergesChainsAndKeepsPhisRight) {
    Kernel k;
    Value* x = k.parameter(i32);
    Value* p = k.parameter(Type::pointer(Space::Global));
    Block* a = k.b.new_block("a");
    Block* b = k.b.new_block("b");
    Block* c = k.b.new_block("c");
    Block* join = k.b.new_block("join");
    k.b.cond_branch(k.b.lt(x, k.b.i32(0)), a, c);
    k.b.set_block(a);
    Value* doubled = k.b.add(x, x);
    k.b.branch(b);
    k.b.set_block(b);
    k.b.branch(join);
    k.b.set_block(c);
    k.b.branch(join);
    k.b.set_block(join);
    Value* phi = k.b.phi(i32);
    Builder::add_incoming(phi, doubled, b);
    Builder::add_incoming(phi, x, c);
    k.b.store(p, phi);
    k.b.ret();
    passes::simplify_blocks(*k.function);
    verify(k.module);
    EXPECT_EQ(k.function->blocks.size(), 4u);
    EXPECT_EQ(phi->incoming[0], a);
}

TEST(DeadCode, KeepsEffectsAndWhatTheyNeed) {
    Kernel k;
    Value* p = k.parameter(Type::pointer(Space::Global));
    Value* unused = k.b.load(i32, p);
    k.b.add(unused, k.b.i32(1));
    k.b.load(i32, p, 0, CacheHint::Volatile);
    k.b.intrinsic(ir::Intrinsic::TidX);
    k.b.intrinsic(ir::Intrinsic::Barrier);
    k.b.store(p, k.b.add(k.b.load(i64, p), k.b.i64(1)));
    k.b.ret();
    passes::remove_dead_code(*k.function);
    verify(k.module);
    EXPECT_EQ(print(*k.function), R"(kernel k(%0: ptr.global p0) {
b0.entry:
  %1: i32 = load.volatile %0
  barrier
  %2: i64 = load %0
  %3: i64 = add %2, 1
  store %0, %3
  return
}
)");
}

TEST(Pipeline, RefusesAMalformedModule) {
    Kernel k;
    refusal([&] { passes::run_pipeline(k.module); });
}

}  // namespace
}  // namespace lanewise::test
