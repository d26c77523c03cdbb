// Each rule of ir::verify, broken.
#include "build.h"

namespace lanewise::test {
namespace {

std::string broken(Kernel& k) {
    return refusal([&] { verify(k.module); });
}

TEST(Verifier, AcceptsAWellFormedKernel) {
    Kernel k;
    k.b.ret();
    verify(k.module);
}

TEST(Verifier, RefusesABlockWithoutTerminator) {
    Kernel k;
    EXPECT_TRUE(contains(broken(k), "block 'entry' has no terminator"));
}

TEST(Verifier, RefusesValuesAfterTheTerminator) {
    Kernel k;
    k.b.ret();
    Value* late = k.function->new_value();
    late->op = Op::Return;
    late->block = k.b.block();
    k.b.block()->values.push_back(late);
    EXPECT_TRUE(contains(broken(k), "a terminator before the block's end"));
}

TEST(Verifier, RefusesUsesThatTheDefinitionDoesNotDominate) {
    Kernel k;
    Value* x = k.parameter(i32);
    Block* left = k.b.new_block("left");
    Block* right = k.b.new_block("right");
    k.b.cond_branch(k.b.lt(x, k.b.i32(3)), left, right);
    k.b.set_block(left);
    Value* defined = k.b.add(x, k.b.i32(1));
    k.b.ret();
    k.b.set_block(right);
    k.b.add(defined, x);
    k.b.ret();
    const std::string text = broken(k);
    EXPECT_TRUE(contains(text, "does not dominate it")) << text;
    EXPECT_TRUE(contains(text, "function 'k'") && contains(text, "block 'right'")) << text;
}

TEST(Verifier, RefusesUsesBeforeTheDefinitionInABlock) {
    Kernel k;
    Value* x = k.parameter(i32);
    k.b.add(k.b.add(x, x), x);
    k.b.ret();
    std::swap(k.b.block()->values[0], k.b.block()->values[1]);
    EXPECT_TRUE(contains(broken(k), "comes later in the block"));
}

TEST(Verifier, RefusesPhisThatMissAPredecessor) {
    Kernel k;
    Value* x = k.parameter(i32);
    Block* entry = k.b.block();
    Block* side = k.b.new_block("side");
    Block* join = k.b.new_block("join");
    k.b.cond_branch(k.b.lt(x, k.b.i32(3)), side, join);
    k.b.set_block(side);
    k.b.branch(join);
    k.b.set_block(join);
    Value* phi = k.b.phi(i32);
    Builder::add_incoming(phi, x, entry);
    k.b.ret();
    EXPECT_TRUE(contains(broken(k), "not the block's predecessors"));
    Builder::add_incoming(phi, k.b.i32(0), side);
    verify(k.module);
}

TEST(Verifier, RefusesABranchBackToTheEntry) {
    Kernel k;
    k.b.branch(k.b.block());
    EXPECT_TRUE(contains(broken(k), "the entry block has the predecessor"));
}

TEST(Verifier, RefusesATargetOfAnotherFunction) {
    Kernel k;
    Function* other = k.module.new_function("other");
    Builder b(k.module, *other);
    b.set_block(b.new_block("there"));
    b.ret();
    k.b.branch(other->blocks[0]);
    EXPECT_TRUE(contains(broken(k), "no block of the function"));
}

TEST(Verifier, RefusesOperandsOfTheWrongType) {
    Kernel k;
    Value* x = k.parameter(i32);
    Value* sum = k.b.add(x, x);
    k.b.ret();
    sum->operands[1] = k.parameter(i64);
    EXPECT_TRUE(contains(broken(k), "its operands differ in type"));
}

TEST(Verifier, RefusesLocalMemoryOutsideTheEntry) {
    Kernel k;
    Block* next = k.b.new_block("next");
    k.b.local_array(8, 8);
    k.b.branch(next);
    k.b.set_block(next);
    k.b.ret();
    Value* array = k.function->blocks[0]->values[0];
    k.function->blocks[0]->values.erase(k.function->blocks[0]->values.begin());
    next->values.insert(next->values.begin(), array);
    array->block = next;
    EXPECT_TRUE(contains(broken(k), "belongs into the entry block"));
}

TEST(Verifier, RefusesResultsOfAKernel) {
    Kernel k;
    k.function->results = {i32};
    EXPECT_TRUE(contains(broken(k), "a kernel has no results"));
}

TEST(Verifier, RefusesTwoSymbolsOfOneName) {
    Kernel k;
    k.b.ret();
    k.module.new_global("k", Space::Shared, 4, 4);
    EXPECT_TRUE(contains(broken(k), "two symbols are named 'k'"));
}

TEST(Verifier, RefusesSymbolsThatNoAssemblerTakes) {
    Kernel k;
    k.b.ret();
    k.function->name = "a.b";
    EXPECT_TRUE(contains(broken(k), "its name may hold"));
    k.function->name = "1a";
    EXPECT_TRUE(contains(broken(k), "its name may hold"));
}

TEST(Verifier, RefusesGlobalsWithTooMuchData) {
    Kernel k;
    k.b.ret();
    k.module.new_global("g", Space::Constant, 2, 4)->data = {1, 2, 3};
    EXPECT_TRUE(contains(broken(k), "holds 2 bytes and is initialised with 3"));
}

}  // namespace
}  // namespace lanewise::test
