// If, loops and returns: the values they compute, checked by running the lowered code.
#include <gtest/gtest.h>

#include "lowered_kernel.h"

namespace lanewise::testing {
namespace {

using namespace lanewise::tree;
using Ints = HostArray<std::int64_t>;
using python::scalar_type;

/// out[0] = value of `result` after `statements`; parameters out and n.
std::int64_t computed(std::vector<StmtPtr> statements, std::int64_t n = 0) {
    statements.push_back(assign(sub(var("out"), num(0)), var("r")));
    const auto f = define("k", {"out", "n"}, std::move(statements));
    Ints out(std::vector<std::int64_t>{-77});
    launch(*f, Arguments().array(out).integer(n));
    return out.data[0];
}

class ControlFlow : public ::testing::Test {
protected:
    void SetUp() override { Lines::restart(); }
};

TEST_F(ControlFlow, IfMergesVariables) {
    for (std::int64_t n : {1, 5})
        EXPECT_EQ(computed(body(when(lt(var("n"), num(3)), body(assign("r", num(10))),
                                     body(assign("r", add(var("n"), num(1)))))),
                           n),
                  n < 3 ? 10 : 6);
}

TEST_F(ControlFlow, WhileCountsWithBreakContinueAndElse) {
    auto make = [](std::int64_t limit) {
        return body(assign("r", num(0)), assign("i", num(0)),
                    loop_while(lt(var("i"), num(10)),
                               body(assign("i", add(var("i"), num(1))),
                                    when(eq(bin(BinaryOp::Mod, var("i"), num(2)), num(0)), body(next())),
                                    when(cmp(var("i"), CompareOp::Gt, num(limit)), body(stop())),
                                    assign("r", add(var("r"), var("i")))),
                               body(assign("r", add(var("r"), num(1000))))));
    };
    EXPECT_EQ(computed(make(100)), 1 + 3 + 5 + 7 + 9 + 1000);
    EXPECT_EQ(computed(make(6)), 1 + 3 + 5);
}

struct RangeCase {
    std::int64_t start, stop, step;
};

/// The numbers Python's range gives, folded so that order matters.
std::int64_t expected_range(RangeCase c) {
    std::int64_t r = 7;
    if (c.step > 0)
        for (std::int64_t i = c.start; i < c.stop; i += c.step) r = r * 31 + i;
    else if (c.step < 0)
        for (std::int64_t i = c.start; i > c.stop; i += c.step) r = r * 31 + i;
    return r;
}

TEST_F(ControlFlow, RangeFollowsPythonForEverySignOfTheStep) {
    for (const RangeCase c : {RangeCase{0, 5, 1},
                              {5, 0, 1},
                              {5, 0, -1},
                              {0, 5, -1},
                              {2, 11, 3},
                              {2, 12, 3},
                              {10, -3, -4},
                              {-3, 10, -4},
                              {3, 3, 1},
                              {3, 3, 5},
                              {0, 5, 0},
                              {-5, 5, 7}}) {
        // The step as a constant, then as a value known at run time.
        for (const bool constant : {true, false}) {
            if (constant && c.step == 0) continue;
            ExprPtr step = constant ? num(c.step) : var("n");
            EXPECT_EQ(
                computed(body(assign("r", num(7)),
                              loop_for(var("i"), call("builtins.range", num(c.start), num(c.stop), std::move(step)),
                                       body(assign("r", add(mul(var("r"), num(31)), var("i")))))),
                         c.step),
                expected_range(c))
                << c.start << ":" << c.stop << ":" << c.step << " constant " << constant;
        }
    }
}

TEST_F(ControlFlow, RangeNearTheEndOfItsTypeDoesNotWrapAround) {
    const auto f = define("k", {"out", "a", "b", "s"},
                          body(assign("r", num(0)),
                               loop_for(var("i"), call("builtins.range", var("a"), var("b"), var("s")),
                                        body(assign("r", add(var("r"), num(1))))),
                               assign(sub(var("out"), num(0)), var("r"))));
    Ints out(std::vector<std::int64_t>{-1});
    launch(*f, Arguments()
                   .array(out)
                   .integer(0, DType::Int32)
                   .integer(2147483647, DType::Int32)
                   .integer(1 << 30, DType::Int32));
    EXPECT_EQ(out.data[0], 2);
    launch(*f, Arguments().array(out).integer(0).integer(INT64_MAX).integer(std::int64_t{1} << 62));
    EXPECT_EQ(out.data[0], 2);
    launch(*f, Arguments().array(out).integer(0).integer(INT64_MIN).integer(-(std::int64_t{1} << 62)));
    EXPECT_EQ(out.data[0], 2);
}

TEST_F(ControlFlow, LoopVariableKeepsItsLastValueAndMayBeReassigned) {
    EXPECT_EQ(computed(body(assign("r", num(0)),
                            loop_for(var("i"), call("builtins.range", num(4)),
                                     body(assign("r", add(var("r"), var("i"))), assign("i", num(100)))),
                            assign("r", add(mul(var("r"), num(1000)), var("i"))))),
              6100);
}

TEST_F(ControlFlow, ForElseRunsUnlessBroken) {
    auto make = [](std::int64_t wanted) {
        return body(loop_for(var("i"), call("builtins.range", num(5)),
                             body(when(eq(var("i"), num(wanted)), body(assign("r", num(1)), stop()))),
                             body(assign("r", num(2)))));
    };
    EXPECT_EQ(computed(make(3)), 1);
    EXPECT_EQ(computed(make(9)), 2);
}

TEST_F(ControlFlow, EarlyReturnLeavesNestedLoops) {
    const auto f =
        define("k", {"out", "n"},
               body(loop_for(var("i"), call("builtins.range", num(10)),
                             body(loop_for(var("j"), call("builtins.range", num(10)),
                                           body(when(eq(add(mul(var("i"), num(10)), var("j")), var("n")),
                                                     body(assign(sub(var("out"), num(0)), var("i")),
                                                          assign(sub(var("out"), num(1)), var("j")), leave())))))),
                    assign(sub(var("out"), num(0)), num(-1))));
    Ints out(std::vector<std::int64_t>{0, 0});
    launch(*f, Arguments().array(out).integer(47));
    EXPECT_EQ(out.data, (std::vector<std::int64_t>{4, 7}));
    launch(*f, Arguments().array(out).integer(200));
    EXPECT_EQ(out.data[0], -1);
}

TEST_F(ControlFlow, AccumulatorTakesTheTypeOfTheLoop) {
    // acc starts as an integer and becomes float64 in the loop.
    const auto f = define("k", {"x"},
                          body(assign("acc", num(0)),
                               loop_for(var("i"), call("builtins.range", attr(var("x"), "size")),
                                        body(augment(var("acc"), BinaryOp::Add, sub(var("x"), var("i"))))),
                               give(var("acc"))));
    EXPECT_EQ(result_of(*f, {python::array_type(DType::Float32, 1, python::Layout::C)}), "float64");
    EXPECT_EQ(result_of(*f, {python::array_type(DType::Int32, 1, python::Layout::C)}), "int64");
}

TEST_F(ControlFlow, WeakLiteralsKeepAnAccumulatorInFloat32) {
    const auto f = define(
        "k", {"x"},
        body(assign("acc", real(0)), loop_for(var("v"), var("x"), body(augment(var("acc"), BinaryOp::Add, var("v")))),
             give(var("acc"))));
    python::Options weak;
    weak.weak_literals = true;
    const auto vector = python::array_type(DType::Float32, 1, python::Layout::C);
    EXPECT_EQ(result_of(*f, {vector}, weak), "float32");
    EXPECT_EQ(result_of(*f, {vector}), "float64");
}

TEST_F(ControlFlow, TypesSettleThroughSeveralRounds) {
    // c takes b's type one iteration later, which took a's: three rounds.
    const auto f = define("k", {"n"},
                          body(assign("a", num(0)), assign("b", num(0)), assign("c", num(0)),
                               loop_for(var("i"), call("builtins.range", var("n")),
                                        body(assign("c", var("b")), assign("b", var("a")), assign("a", real(1.5)))),
                               give(var("c"))));
    EXPECT_EQ(result_of(*f, {scalar_type(DType::Int64)}), "float64");
}

TEST_F(ControlFlow, LoopsOverArraysTuplesEnumerateAndZip) {
    const auto f = define(
        "k", {"out", "x", "y"},
        body(assign("r", num(0)), loop_for(var("v"), var("x"), body(assign("r", add(var("r"), var("v"))))),
             assign(sub(var("out"), num(0)), var("r")), assign("r", num(0)),
             loop_for(tup(var("i"), var("v")), call("builtins.enumerate", var("x"), num(10)),
                      body(assign("r", add(var("r"), mul(var("i"), var("v")))))),
             assign(sub(var("out"), num(1)), var("r")), assign("r", num(0)),
             loop_for(tup(var("a"), var("b")), call("builtins.zip", var("x"), var("y")),
                      body(assign("r", add(var("r"), mul(var("a"), var("b")))))),
             assign(sub(var("out"), num(2)), var("r")), assign("r", num(0)),
             loop_for(var("v"), tup(num(3), num(5), num(9)), body(assign("r", add(mul(var("r"), num(10)), var("v"))))),
             assign(sub(var("out"), num(3)), var("r")), assign("r", num(0)),
             loop_for(tup(var("a"), var("b")),
                      call("builtins.zip", var("x"), call("builtins.range", num(10), num(0), num(-3))),
                      body(assign("r", add(var("r"), mul(var("a"), var("b")))))),
             assign(sub(var("out"), num(4)), var("r"))));
    Ints out(std::vector<std::int64_t>(5)), x({2, 3, 4}), y({10, 100});
    launch(*f, Arguments().array(out).array(x).array(y));
    EXPECT_EQ(out.data,
              (std::vector<std::int64_t>{9, 10 * 2 + 11 * 3 + 12 * 4, 20 + 300, 359, 2 * 10 + 3 * 7 + 4 * 4}));
}

TEST_F(ControlFlow, RowsOfAMatrixAreViews) {
    const auto f =
        define("k", {"m"}, body(loop_for(var("row"), var("m"), body(assign(sub(var("row"), num(1)), num(5))))));
    Ints m({1, 2, 3, 4, 5, 6}, {3, 2});
    launch(*f, Arguments().array(m));
    EXPECT_EQ(m.data, (std::vector<std::int64_t>{1, 5, 3, 5, 5, 5}));
}

TEST_F(ControlFlow, TuplesOfSeveralTypesUnrollWithBreakContinueAndElse) {
    auto make = [](std::int64_t limit) {
        return body(assign("r", num(0)),
                    loop_for(var("v"), tup(num(1), real(2.5), num(4), real(8)),
                             body(when(eq(var("v"), num(4)), body(next())),
                                  when(cmp(var("v"), CompareOp::Gt, num(limit)), body(stop())),
                                  assign("r", add(var("r"), call("builtins.int", mul(var("v"), num(2)))))),
                             body(assign("r", add(var("r"), num(100))))));
    };
    EXPECT_EQ(computed(make(100)), 2 + 5 + 16 + 100);
    EXPECT_EQ(computed(make(2)), 2);
}

TEST_F(ControlFlow, LiteralUnrollGivesConstants) {
    // The unrolled variable indexes a tuple of several types, which only constants may.
    EXPECT_EQ(computed(body(assign("t", tup(num(7), real(2.0))), assign("r", num(0)),
                            loop_for(var("i"), call("numba.literal_unroll", tup(num(0), num(1))),
                                     body(assign("r", add(var("r"), call("builtins.int", sub(var("t"), var("i"))))))))),
              9);
}

TEST_F(ControlFlow, ShortCircuitDoesNotEvaluateTheRest) {
    // x[n] is read only when n < size; bounds checks would raise otherwise.
    const auto f = define(
        "k", {"out", "x", "n"},
        body(assign(sub(var("out"), num(0)),
                    choose(num(1), both(lt(var("n"), attr(var("x"), "size")), eq(sub(var("x"), var("n")), num(4))),
                           num(0))),
             when(either(cmp(var("n"), CompareOp::Ge, attr(var("x"), "size")), eq(sub(var("x"), var("n")), num(4))),
                  body(assign(sub(var("out"), num(1)), num(1))))));
    python::Options checked;
    checked.bounds_check = true;
    for (std::int64_t n : {0, 1, 2}) {
        Ints out({9, 0}), x({3, 4});
        const Outcome outcome = launch(*f, Arguments().array(out).array(x).integer(n), checked);
        EXPECT_FALSE(outcome.raised) << n;
        EXPECT_EQ(out.data, (std::vector<std::int64_t>{n == 1, n >= 1})) << n;
    }
}

TEST_F(ControlFlow, LogicalOperatorsGiveAnOperand) {
    EXPECT_EQ(computed(body(assign("r", either(var("n"), num(5)))), 0), 5);
    EXPECT_EQ(computed(body(assign("r", either(var("n"), num(5)))), 3), 3);
    EXPECT_EQ(computed(body(assign("r", both(var("n"), num(5)))), 0), 0);
    EXPECT_EQ(computed(body(assign("r", both(var("n"), bin(BinaryOp::FloorDiv, num(50), var("n"))))), 5), 10);
}

TEST_F(ControlFlow, ChainedComparisonEvaluatesTheMiddleOnce) {
    const auto f = define("k", {"out", "x", "n"},
                          body(assign(sub(var("out"), num(1)),
                                      chain(num(0), CompareOp::Lt, call("cuda.atomic.add", var("out"), num(0), num(1)),
                                            CompareOp::Lt, num(5)))));
    for (std::int64_t start : {0, 3, 7}) {
        Ints out({start, 9}), x({0});
        launch(*f, Arguments().array(out).array(x).integer(0));
        EXPECT_EQ(out.data, (std::vector<std::int64_t>{start + 1, start == 3}));
    }
}

TEST_F(ControlFlow, PrunedBranchesAreNotTyped) {
    // `y is None` is known from the type; y[0] would not type.
    const auto f = define("k", {"out", "y"},
                          body(when(cmp(var("y"), CompareOp::Is, none()), body(assign(sub(var("out"), num(0)), num(1))),
                                    body(assign(sub(var("out"), num(0)), sub(var("y"), num(0)))))));
    Ints out({0}), y({42});
    Arguments without;
    without.array(out);
    without.types.push_back(python::none_type());
    launch(*f, without);
    EXPECT_EQ(out.data[0], 1);
    launch(*f, Arguments().array(out).array(y));
    EXPECT_EQ(out.data[0], 42);
}

TEST_F(ControlFlow, NdimDecidesABranch) {
    const auto f = define("k", {"x"},
                          body(when(eq(attr(var("x"), "ndim"), num(1)), body(assign(sub(var("x"), num(0)), num(1))),
                                    body(assign(sub(var("x"), tup(num(0), num(0))), num(2))))));
    Ints vector({0}), matrix({0}, {1, 1});
    launch(*f, Arguments().array(vector));
    launch(*f, Arguments().array(matrix));
    EXPECT_EQ(vector.data[0] * 10 + matrix.data[0], 12);
}

TEST_F(ControlFlow, VariablesOfUnrelatedTypesMayMergeWhenUnused) {
    EXPECT_EQ(
        computed(body(when(lt(var("n"), num(3)), body(assign("t", num(1))), body(assign("t", tup(num(1), num(2))))),
                      assign("r", num(5)))),
        5);
}

TEST_F(ControlFlow, MergingUnrelatedTypesNamesBothLines) {
    StmtPtr first = assign("t", num(1)), second = assign("t", tup(num(1), num(2)));
    StmtPtr choice = when(lt(var("n"), num(3)), body(std::move(first)), body(std::move(second)));
    StmtPtr use = assign("u", var("t"));
    const auto f = define("k", {"n"}, body(std::move(choice), std::move(use)));
    const std::string message = refusal(*f, {scalar_type(DType::Int64)});
    EXPECT_NE(message.find(
                  "Cannot unify int64 and UniTuple(int64 x 2) for 't', defined at kernel.py (1), and at kernel.py (2)"),
              std::string::npos)
        << message;
}

TEST_F(ControlFlow, ConditionallyDefinedVariablesMayBeUsed) {
    EXPECT_EQ(computed(body(when(lt(var("n"), num(3)), body(assign("r", num(4))))), 0), 4);
    // Used in the loop before the statement that defines it, behind a condition.
    EXPECT_EQ(computed(body(assign("r", num(0)), loop_for(var("i"), call("builtins.range", num(4)),
                                                          body(when(cmp(var("i"), CompareOp::Gt, num(0)),
                                                                    body(assign("r", add(var("r"), var("before"))))),
                                                               assign("before", mul(var("i"), num(10))))))),
              0 + 10 + 20);
}

TEST_F(ControlFlow, UndefinedVariablesAreRefused) {
    EXPECT_NE(refusal(*define("k", {}, body(assign("a", var("b")), assign("b", num(1)))), {})
                  .find("'b' is used before it has a value"),
              std::string::npos);
    EXPECT_NE(refusal(*define("k", {}, body(assign("a", num(1)), del("a"), assign("b", var("a")))), {})
                  .find("'a' is used before it has a value"),
              std::string::npos);
    EXPECT_NE(refusal(*define("k", {}, body(loop_while(var("go"), body(assign("go", boolean(false)))))), {})
                  .find("'go' is used before"),
              std::string::npos);
    EXPECT_NE(refusal(*define("k", {}, body(run(var("nowhere")))), {}).find("name 'nowhere' is not defined"),
              std::string::npos);
}

TEST_F(ControlFlow, InfiniteLoopWithBreakAndCodeAfterReturn) {
    EXPECT_EQ(
        computed(body(assign("r", num(0)), loop_while(boolean(true), body(augment(var("r"), BinaryOp::Add, num(3)),
                                                                          when(cmp(var("r"), CompareOp::Gt, num(10)),
                                                                               body(stop(), assign("r", num(-1)))))))),
        12);
}

}  // namespace
}  // namespace lanewise::testing
