// ir::Builder: types of results, identities, and a refusal for every misuse.
#include "build.h"

namespace lanewise::test {
namespace {

TEST(Builder, ComparisonsGiveBool) {
    Kernel k;
    Value* x = k.parameter(f32);
    EXPECT_EQ(k.b.lt(x, k.b.constant_float(DType::Float32, 1))->type, boolean);
    EXPECT_EQ(k.b.scalar(ScalarOp::FrexpExponent, x)->type, i32);
}

TEST(Builder, DropsIdentityOperations) {
    Kernel k;
    Value* x = k.parameter(i64);
    Value* y = k.parameter(f64);
    EXPECT_EQ(k.b.add(x, k.b.i64(0)), x);
    EXPECT_EQ(k.b.add(k.b.i64(0), x), x);
    EXPECT_EQ(k.b.sub(x, k.b.i64(0)), x);
    EXPECT_EQ(k.b.mul(k.b.i64(1), x), x);
    EXPECT_EQ(constant_integer(k.b.mul(x, k.b.i64(0))), 0);
    EXPECT_EQ(constant_integer(k.b.sub(x, x)), 0);
    EXPECT_EQ(k.b.scalar(ScalarOp::FloorDiv, x, k.b.i64(1)), x);
    EXPECT_EQ(constant_integer(k.b.scalar(ScalarOp::Mod, x, k.b.i64(1))), 0);
    EXPECT_EQ(k.b.scalar(ScalarOp::BitAnd, x, k.b.i64(-1)), x);
    EXPECT_EQ(k.b.scalar(ScalarOp::Shl, x, k.b.i64(0)), x);
    EXPECT_EQ(constant_integer(k.b.eq(x, x)), 1);
    EXPECT_EQ(k.b.mul(y, k.b.constant_float(DType::Float64, 1.0)), y);
    EXPECT_EQ(k.b.logical_not(k.b.logical_not(k.b.eq(x, k.b.i64(2))))->op, Op::Scalar);
    EXPECT_EQ(k.b.select(k.b.eq(x, k.b.i64(3)), x, x), x);
    EXPECT_EQ(k.b.cast(x, DType::Int64), x);
    EXPECT_EQ(k.b.pointer_add(k.parameter(Type::pointer(Space::Global)), k.b.i64(0), 8)->op, Op::Parameter);
}

TEST(Builder, KeepsFloatOperationsThatAreNoIdentities) {
    Kernel k;
    Value* x = k.parameter(f64);
    // -0.0 + 0.0 is 0.0, NaN * 0 is NaN, and NaN == NaN is false.
    EXPECT_EQ(k.b.add(x, k.b.constant_float(DType::Float64, 0.0))->op, Op::Scalar);
    EXPECT_EQ(k.b.add(x, k.b.constant_float(DType::Float64, -0.0)), x);
    EXPECT_EQ(k.b.sub(x, k.b.constant_float(DType::Float64, 0.0)), x);
    EXPECT_EQ(k.b.sub(x, k.b.constant_float(DType::Float64, -0.0))->op, Op::Scalar);
    EXPECT_EQ(k.b.mul(x, k.b.constant_float(DType::Float64, 0.0))->op, Op::Scalar);
    EXPECT_EQ(k.b.eq(x, x)->op, Op::Scalar);
    EXPECT_EQ(k.b.sub(x, x)->op, Op::Scalar);
}

TEST(Builder, WideningAndNarrowingAnIntegerIsTheInteger) {
    Kernel k;
    Value* x = k.parameter(i32);
    EXPECT_EQ(k.b.cast(k.b.cast(x, DType::Int64), DType::Int32), x);
    Value* y = k.parameter(i64);
    EXPECT_NE(k.b.cast(k.b.cast(y, DType::Int32), DType::Int64), y);
}

TEST(Builder, LocalArraysGoToTheEntryBlock) {
    Kernel k;
    Block* next = k.b.new_block("next");
    k.b.branch(next);
    k.b.set_block(next);
    Value* array = k.b.local_array(64, 8);
    k.b.ret();
    EXPECT_EQ(array->block, k.function->blocks[0]);
    EXPECT_EQ(k.function->blocks[0]->values.front(), array);
    verify(k.module);
}

TEST(Builder, PhisStandBeforeOtherValues) {
    Kernel k;
    Block* next = k.b.new_block("next");
    Value* x = k.parameter(i64);
    Block* entry = k.b.block();
    k.b.branch(next);
    k.b.set_block(next);
    k.b.add(x, k.b.i64(1));
    Value* phi = k.b.phi(i64);
    Builder::add_incoming(phi, x, entry);
    k.b.ret();
    EXPECT_EQ(next->values.front(), phi);
    verify(k.module);
}

TEST(Builder, ResultOfOneResultIsTheCallItself) {
    Kernel k;
    Value* mask = k.b.constant(DType::UInt32, 0xffffffff);
    Value* any = k.b.intrinsic(ir::Intrinsic::MatchAny, {mask, k.parameter(i32)});
    EXPECT_EQ(k.b.result(any, 0), any);
    Value* all = k.b.intrinsic(ir::Intrinsic::MatchAll, {mask, k.parameter(i32)});
    EXPECT_EQ(k.b.result(all, 1)->type, boolean);
    EXPECT_EQ(k.b.result(all, 0)->type, Type::scalar(DType::UInt32));
}

TEST(Builder, EqualStringsAreOneGlobal) {
    Kernel k;
    Value* a = k.b.string_constant("text");
    EXPECT_EQ(k.b.string_constant("text")->global, a->global);
    EXPECT_NE(k.b.string_constant("other")->global, a->global);
    EXPECT_EQ(a->global->data, (std::vector<std::uint8_t>{'t', 'e', 'x', 't', 0}));
}

TEST(Builder, RefusesOperandsOfDifferentTypes) {
    Kernel k;
    k.b.set_location({7, 2, 7, 9});
    const std::string text = refusal([&] { k.b.add(k.parameter(i32), k.parameter(i64)); });
    EXPECT_TRUE(contains(text, "add")) << text;
    EXPECT_TRUE(contains(text, "operand 1 is i64, expected i32")) << text;
    EXPECT_TRUE(contains(text, "line 7")) << text;
    EXPECT_TRUE(contains(text, "function 'k'")) << text;
}

TEST(Builder, RefusesKindsTheRowDoesNotTake) {
    Kernel k;
    Value* x = k.parameter(f32);
    EXPECT_TRUE(contains(refusal([&] { k.b.scalar(ScalarOp::BitAnd, x, x); }), "does not take f32"));
    EXPECT_TRUE(contains(refusal([&] { k.b.scalar(ScalarOp::Sin, k.parameter(i32)); }), "does not take i32"));
    EXPECT_TRUE(contains(refusal([&] { k.b.scalar(ScalarOp::Sin, x, x); }), "takes 1 operands, got 2"));
}

TEST(Builder, RefusesBadMemoryOperations) {
    Kernel k;
    Value* x = k.parameter(i64);
    Value* p = k.parameter(Type::pointer(Space::Global));
    refusal([&] { k.b.load(i32, x); });
    refusal([&] { k.b.load(Type::void_type(), p); });
    refusal([&] { k.b.store(x, x); });
    refusal([&] { k.b.pointer_add(p, k.parameter(i32), 4); });
    refusal([&] { k.b.pointer_add(x, x, 4); });
    refusal([&] { k.b.local_array(8, 3); });
    refusal([&] { k.b.bitcast(p, f64); });
    refusal([&] { k.b.bitcast(p, Type::pointer(Space::Shared)); });
    refusal([&] { k.b.cast(p, DType::Int64); });
}

TEST(Builder, RefusesAtomicsOfTheWrongType) {
    Kernel k;
    Value* p = k.parameter(Type::pointer(Space::Global));
    EXPECT_TRUE(contains(refusal([&] { k.b.atomic(AtomicOp::And, p, k.parameter(f32)); }), "and does not take f32"));
    refusal([&] { k.b.atomic(AtomicOp::Increment, p, k.parameter(i32)); });
    refusal([&] { k.b.atomic(AtomicOp::Add, p, k.parameter(Type::scalar(DType::Int16))); });
    refusal([&] { k.b.compare_swap(p, k.parameter(i32), k.parameter(i64)); });
}

TEST(Builder, RefusesWrongIntrinsicOperands) {
    Kernel k;
    Value* mask = k.b.constant(DType::UInt32, 1);
    refusal([&] { k.b.intrinsic(ir::Intrinsic::TidX, {mask}); });
    refusal([&] { k.b.intrinsic(ir::Intrinsic::Ballot, {mask, mask}); });
    refusal([&] {
        k.b.intrinsic(ir::Intrinsic::ShuffleUp,
                      {mask, k.parameter(Type::scalar(DType::Int8)), k.b.i32(1), k.b.i32(32)});
    });
}

TEST(Builder, RefusesWrongCalls) {
    Kernel k;
    Function* callee = k.module.new_function("f");
    callee->add_parameter({.name = "x", .type = i32});
    refusal([&] { k.b.call(callee, {}); });
    refusal([&] { k.b.call(callee, {k.parameter(f32)}); });
    refusal([&] { k.b.call(k.function, {}); });
}

TEST(Builder, RefusesToGoOnAfterATerminator) {
    Kernel k;
    k.b.ret();
    EXPECT_TRUE(contains(refusal([&] { k.b.unreachable(); }), "already has its terminator"));
}

TEST(Builder, RefusesWrongTerminators) {
    Kernel k;
    refusal([&] { k.b.ret({k.b.i32(1)}); });
    refusal([&] { k.b.cond_branch(k.parameter(i32), nullptr, nullptr); });
    refusal([&] { k.b.raise(0, {}); });
    k.module.raise_sites.push_back({});
    refusal([&] { k.b.raise(0, std::vector<Value*>(7, k.b.i64(0))); });
    refusal([&] { k.b.raise(0, {k.b.i32(0)}); });
}

TEST(Builder, RefusesPhiOperandsOfAnotherType) {
    Kernel k;
    Value* phi = k.b.phi(i64);
    refusal([&] { Builder::add_incoming(phi, k.b.i32(0), k.b.block()); });
}

}  // namespace
}  // namespace lanewise::test
