// Device functions, recursion, nested functions and lambdas, raises and asserts, and what functions refuse.
#include <gtest/gtest.h>

#include <thread>

#include "lowered_kernel.h"

namespace lanewise::testing {
namespace {

using namespace lanewise::tree;
using Ints = HostArray<std::int64_t>;
using python::Layout;
using python::scalar_type;

const auto vector = [](DType dtype) { return python::array_type(dtype, 1, Layout::C); };

class Functions : public ::testing::Test {
protected:
    void SetUp() override { Lines::restart(); }
};

std::shared_ptr<Function> twice() {
    return define("twice", {"x"}, body(give(mul(var("x"), num(2)))));
}

TEST_F(Functions, AreLoweredOncePerArgumentTypes) {
    const FunctionPtr f = twice();
    const auto k = define("k", {"out", "a"},
                          body(assign(sub(var("out"), num(0)), call(f, exprs(var("a")))),
                               assign(sub(var("out"), num(1)), call(f, exprs(num(5)))),
                               assign(sub(var("out"), num(2)), call(f, exprs(real(1.5))))));
    Ints out(std::vector<std::int64_t>(3));
    Arguments arguments;
    arguments.array(out).integer(4);
    const auto lowered = lower(*k, arguments.types);
    EXPECT_EQ(lowered.module->functions.size(), 3u);  // the kernel, twice(int64), twice(float64)
    run_thread(*lowered.module->functions[0], arguments.bits);
    EXPECT_EQ(out.data, (std::vector<std::int64_t>{8, 10, 3}));
}

TEST_F(Functions, ReturnTypesUnify) {
    const FunctionPtr f = define("f", {"n"}, body(when(lt(var("n"), num(0)), body(give(real(0.5)))), give(var("n"))));
    EXPECT_EQ(result_of(*f, {scalar_type(DType::Int64)}), "float64");
    EXPECT_EQ(result_of(*define("g", {"n"}, body(pass())), {scalar_type(DType::Int64)}), "none");
    EXPECT_EQ(result_of(*define("h", {"n"}, body(give(tup(var("n"), num(1))))), {scalar_type(DType::Float32)}),
              "Tuple(float32, int64)");
    const std::string message = refusal(*define("f", {"n"}, body(when(lt(var("n"), num(0)), body(give(num(1)))))),
                                        {scalar_type(DType::Int64)}, {}, false);
    EXPECT_NE(message.find("function 'f' returns int64"), std::string::npos) << message;
    EXPECT_NE(message.find("falls off"), std::string::npos) << message;
}

TEST_F(Functions, TakeAndReturnArraysTuplesAndNone) {
    const FunctionPtr swap = define("swap", {"p"}, body(give(tup(sub(var("p"), num(1)), sub(var("p"), num(0))))));
    const FunctionPtr tail = define("tail", {"x"}, body(give(sub(var("x"), slice(num(1), nullptr)))));
    const FunctionPtr store = define("store", {"x", "v"}, body(assign(sub(var("x"), num(0)), var("v"))));
    const auto k =
        define("k", {"x"},
               body(assign(tup(var("a"), var("b")), call(swap, exprs(tup(num(1), num(2))))),
                    run(call(store, exprs(call(tail, exprs(var("x"))), add(mul(var("a"), num(10)), var("b")))))));
    Ints x({0, 0, 0});
    launch(*k, Arguments().array(x));
    EXPECT_EQ(x.data, (std::vector<std::int64_t>{0, 21, 0}));
}

TEST_F(Functions, BindKeywordsDefaultsAndVarargs) {
    auto f =
        define("f", {"a", "b", "c"}, body(give(add(mul(var("a"), num(100)), add(mul(var("b"), num(10)), var("c"))))));
    f->parameters[2].default_value = captured_int(7);
    auto total =
        define("total", {"first", "rest"},
               body(assign("s", var("first")),
                    loop_for(var("v"), var("rest"), body(augment(var("s"), BinaryOp::Add, var("v")))), give(var("s"))));
    total->has_varargs = true;
    const FunctionPtr g = f, t = total;
    const auto k = define("k", {"out"},
                          body(assign(sub(var("out"), num(0)), keyword(call(g, exprs(num(1))), "b", num(2))),
                               assign(sub(var("out"), num(1)), call(g, exprs(starred(tup(num(3), num(4))), num(5)))),
                               assign(sub(var("out"), num(2)), call(t, exprs(num(1), num(2), num(3)))),
                               assign(sub(var("out"), num(3)), call(t, exprs(num(1))))));
    Ints out(std::vector<std::int64_t>(4));
    launch(*k, Arguments().array(out));
    EXPECT_EQ(out.data, (std::vector<std::int64_t>{127, 345, 6, 1}));

    auto refused = [&](ExprPtr call) { return refusal(*define("k", {}, body(run(std::move(call)))), {}); };
    EXPECT_NE(refused(call(g, exprs(num(1)))).find("f(a, b, c=...): the argument 'b' is missing"), std::string::npos);
    EXPECT_NE(refused(call(g, exprs(num(1), num(2), num(3), num(4)))).find("takes 3 arguments, 4 were given"),
              std::string::npos);
    EXPECT_NE(refused(keyword(call(g, exprs(num(1))), "a", num(2))).find("got two values for 'a'"), std::string::npos);
    EXPECT_NE(refused(keyword(call(g, exprs(num(1))), "z", num(2))).find("has no parameter 'z'"), std::string::npos);
}

/// def f(n): `statements`, with itself callable.
std::shared_ptr<Function> recursive(const std::function<std::vector<StmtPtr>(const FunctionPtr&)>& statements) {
    auto f = define("f", {"n"}, {});
    // The tree refers to the function without owning it, as a global does.
    f->body = statements(FunctionPtr(FunctionPtr(), f.get()));
    return f;
}

TEST_F(Functions, RecursionIsTypedFromThePathsThatEnd) {
    const auto last_base = recursive([](const FunctionPtr& f) {
        return body(when(cmp(var("n"), CompareOp::Gt, num(1)),
                         body(give(mul(var("n"), call(f, exprs(subtract(var("n"), num(1)))))))),
                    give(num(1)));
    });
    const auto float_base = recursive([](const FunctionPtr& f) {
        return body(when(cmp(var("n"), CompareOp::Le, num(1)), body(give(real(1.0)))),
                    give(mul(var("n"), call(f, exprs(subtract(var("n"), num(1)))))));
    });
    const FunctionPtr a = last_base, b = float_base;
    const auto k = define("k", {"out", "n"},
                          body(assign(sub(var("out"), num(0)), call(a, exprs(var("n")))),
                               assign(sub(var("out"), num(1)), call(b, exprs(var("n"))))));
    Ints out({0, 0});
    launch(*k, Arguments().array(out).integer(5));
    EXPECT_EQ(out.data, (std::vector<std::int64_t>{120, 120}));
    EXPECT_EQ(result_of(*float_base, {scalar_type(DType::Int64)}), "float64");
    // int32 - int64 is int64: the second specialisation is the one that recurses.
    EXPECT_EQ(result_of(*last_base, {scalar_type(DType::Int32)}), "int64");
}

TEST_F(Functions, RecursionInsideExpressionsIsTyped) {
    const auto chosen = recursive([](const FunctionPtr& f) {
        return body(give(choose(num(1), cmp(var("n"), CompareOp::Le, num(1)),
                                mul(var("n"), call(f, exprs(subtract(var("n"), num(1))))))));
    });
    const auto guarded = recursive([](const FunctionPtr& f) {
        return body(give(both(var("n"), add(num(2), call(f, exprs(subtract(var("n"), num(1))))))));
    });
    const FunctionPtr a = chosen, b = guarded;
    const auto k = define("k", {"out", "n"},
                          body(assign(sub(var("out"), num(0)), call(a, exprs(var("n")))),
                               assign(sub(var("out"), num(1)), call(b, exprs(var("n"))))));
    Ints out({0, 0});
    launch(*k, Arguments().array(out).integer(5));
    EXPECT_EQ(out.data, (std::vector<std::int64_t>{120, 10}));
}

TEST_F(Functions, RecursionWithoutAnEndIsRefused) {
    const auto f = recursive([](const FunctionPtr& f) { return body(give(add(call(f, exprs(var("n"))), num(1)))); });
    EXPECT_NE(refusal(*f, {scalar_type(DType::Int64)}, {}, false)
                  .find("needs a return that does not depend on a call of itself"),
              std::string::npos);
    const auto growing = recursive([](const FunctionPtr& f) {
        return body(when(eq(call("builtins.len", var("n")), num(-1)), body(give(num(1)))),
                    give(call(f, exprs(add(var("n"), tup(num(1)))))));
    });
    const FunctionPtr g = growing;
    EXPECT_NE(refusal(*define("k", {}, body(run(call(g, exprs(tup(num(1))))))), {}).find("argument types change"),
              std::string::npos);
}

TEST_F(Functions, MutualRecursionIsRefused) {
    auto even = define("even", {"n"}, {}), odd = define("odd", {"n"}, {});
    const FunctionPtr even_ref(FunctionPtr(), even.get()), odd_ref(FunctionPtr(), odd.get());
    even->body =
        body(when(eq(var("n"), num(0)), body(give(num(1)))), give(call(odd_ref, exprs(subtract(var("n"), num(1))))));
    odd->body =
        body(when(eq(var("n"), num(0)), body(give(num(0)))), give(call(even_ref, exprs(subtract(var("n"), num(1))))));
    EXPECT_NE(refusal(*even, {scalar_type(DType::Int64)}, {}, false)
                  .find("'even' and 'odd' call each other: mutual recursion is not supported"),
              std::string::npos);
}

TEST_F(Functions, NestedFunctionsSeeTheVariablesOfTheirCaller) {
    const FunctionPtr scaled =
        define("k.<locals>.scaled", {"v"},
               body(when(lt(var("v"), num(0)), body(give(num(0)))), give(mul(var("v"), var("factor")))), {"factor"});
    const FunctionPtr plus =
        define("<lambda>", {"v"}, body(give(add(call(var("scaled"), var("v")), num(1)))), {"scaled"});
    const auto k = define(
        "k", {"out"},
        body(assign("factor", num(3)), nested(scaled), assign(sub(var("out"), num(0)), call(var("scaled"), num(5))),
             assign("factor", num(4)),  // Python looks the variable up when the function is called
             assign(sub(var("out"), num(1)), call(var("scaled"), num(5))), assign("g", lambda(plus)),
             assign(sub(var("out"), num(2)), call(var("g"), num(5))),
             assign(sub(var("out"), num(3)), call(var("g"), num(-5))),
             loop_for(var("factor"), call("builtins.range", num(3)),
                      body(augment(sub(var("out"), num(4)), BinaryOp::Add, call(var("scaled"), num(10)))))));
    Ints out(std::vector<std::int64_t>(5));
    launch(*k, Arguments().array(out));
    EXPECT_EQ(out.data, (std::vector<std::int64_t>{15, 20, 21, 1, 30}));
}

TEST_F(Functions, NestedFunctionsPassAsArguments) {
    const FunctionPtr apply = define("apply", {"f", "x"}, body(give(add(call(var("f"), var("x")), num(1)))));
    const FunctionPtr scale = define("<lambda>", {"v"}, body(give(mul(var("v"), var("factor")))), {"factor"});
    const FunctionPtr doubled = twice();
    const auto k = define("k", {"out", "factor"},
                          body(assign(sub(var("out"), num(0)), call(apply, exprs(lambda(scale), num(10)))),
                               assign(sub(var("out"), num(1)),
                                      call(apply, exprs(global("twice", captured_function(doubled)), num(10))))));
    Ints out({0, 0});
    launch(*k, Arguments().array(out).integer(7));
    EXPECT_EQ(out.data, (std::vector<std::int64_t>{71, 21}));
}

TEST_F(Functions, NestedFunctionsKeepConstants) {
    // The captured tuple index and shared shape must be known when the body is lowered.
    const FunctionPtr pick = define("pick", {}, body(give(sub(var("t"), var("which")))), {"t", "which"});
    const auto k = define("k", {"out"},
                          body(assign("t", tup(real(1.5), num(8))), assign("which", num(1)), nested(pick),
                               assign(sub(var("out"), num(0)), call(var("pick")))));
    Ints out({0});
    launch(*k, Arguments().array(out));
    EXPECT_EQ(out.data[0], 8);
}

TEST_F(Functions, NestedFunctionsRefuseWhatTheyCannot) {
    const FunctionPtr loop = define("loop", {}, body(give(call(var("loop")))), {"loop"});
    EXPECT_NE(refusal(*define("k", {}, body(nested(loop), run(call(var("loop"))))), {})
                  .find("calls itself: make it a device function"),
              std::string::npos);
    const FunctionPtr early = define("early", {}, body(give(var("later"))), {"later"});
    EXPECT_NE(refusal(*define("k", {}, body(nested(early), run(call(var("early"))), assign("later", num(1)))), {})
                  .find("uses 'later', which has no value yet"),
              std::string::npos);
}

TEST_F(Functions, KernelsReturnNothing) {
    const std::string message = refusal(*define("k", {"n"}, body(give(var("n")))), {scalar_type(DType::Int64)});
    EXPECT_NE(message.find("No conversion from int64 to none: kernel 'k' returns a value, but a CUDA kernel must have "
                           "void return type"),
              std::string::npos)
        << message;
    EXPECT_EQ(refusal(*define("k", {}, body(give(none()))), {}), "");
}

TEST_F(Functions, RaisesAndAssertsActInDebugOnly) {
    const auto raising = [](std::int64_t) {
        return define("k", {"out", "n"},
                      body(asserting(lt(var("n"), num(10)), text("too big")),
                           when(eq(var("n"), num(5)),
                                body(throwing(call(
                                    global("ValueError", captured_text(Captured::Kind::Builtin, "builtins.ValueError")),
                                    text("five"), num(5))))),
                           assign(sub(var("out"), num(0)), var("n"))));
    };
    const auto k = raising(0);
    python::Options debug;
    debug.debug = true;
    for (const auto [n, site, python_class, message] :
         {std::tuple{3, false, "", ""}, {5, true, "ValueError", "five, 5"}, {11, true, "AssertionError", "too big"}}) {
        Ints out({-1});
        Arguments arguments;
        arguments.array(out).integer(n);
        const auto lowered = lower(*k, arguments.types, debug);
        const Outcome outcome = run_thread(*lowered.module->functions[0], arguments.bits);
        ASSERT_EQ(outcome.raised.has_value(), site) << n;
        EXPECT_EQ(out.data[0], site ? -1 : n);
        if (site) EXPECT_EQ(lowered.module->raise_sites[*outcome.raised].python_class, python_class);
        if (site) EXPECT_EQ(lowered.module->raise_sites[*outcome.raised].message, message);
        // Without debug the raising thread stops, and asserts are no tests at all.
        out.data[0] = -1;
        EXPECT_FALSE(launch(*k, arguments).raised);
        EXPECT_EQ(out.data[0], n == 5 ? -1 : n);
    }
}

TEST_F(Functions, RaiseInADeviceFunction) {
    const FunctionPtr f =
        define("f", {"n"},
               body(when(eq(var("n"), num(0)),
                         body(throwing(global("ZeroDivisionError",
                                              captured_text(Captured::Kind::Builtin, "builtins.ZeroDivisionError"))))),
                    give(bin(BinaryOp::FloorDiv, num(12), var("n")))));
    const auto k = define("k", {"out", "n"}, body(assign(sub(var("out"), num(0)), call(f, exprs(var("n"))))));
    python::Options debug;
    debug.debug = true;
    Ints out({-1});
    EXPECT_TRUE(launch(*k, Arguments().array(out).integer(0), debug).raised);
    EXPECT_EQ(out.data[0], -1);
    launch(*k, Arguments().array(out).integer(4), debug);
    EXPECT_EQ(out.data[0], 3);
}

TEST_F(Functions, ErrorsInsideNameTheCall) {
    const FunctionPtr f = define("f", {"x"}, body(give(attr(var("x"), "nothing"))));
    const std::string message =
        refusal(*define("k", {"n"}, body(run(call(f, exprs(var("n")))))), {scalar_type(DType::Int32)});
    EXPECT_NE(message.find("has no attribute 'nothing'"), std::string::npos) << message;
    EXPECT_NE(message.find("in device function f(int32), called at\n  kernel.py:"), std::string::npos) << message;
}

TEST_F(Functions, LocalArraysDoNotLeaveTheirFunction) {
    const FunctionPtr f = define("f", {}, body(give(call("cuda.local.array", num(4), dtype(DType::Float32)))));
    EXPECT_NE(refusal(*define("k", {}, body(run(call(f, {})))), {})
                  .find("returns a local array, whose memory ends with the call"),
              std::string::npos);
}

TEST_F(Functions, ArraysOfSeveralSpacesMerge) {
    const auto k = define(
        "k", {"x", "out", "n"},
        body(assign("t", call("cuda.local.array", num(2), dtype(DType::Int64))), assign(sub(var("t"), num(0)), num(7)),
             when(lt(var("n"), num(0)), body(assign("a", var("x"))), body(assign("a", var("t")))),
             assign("b", var("x")),
             loop_for(var("i"), call("builtins.range", var("n")),
                      body(assign(tup(var("a"), var("b")), tup(var("b"), var("a"))))),
             assign(sub(var("out"), num(0)), sub(var("a"), num(0)))));
    for (const auto [n, expected] : {std::pair{-1, 5}, {0, 7}, {1, 5}, {2, 7}}) {
        Ints x({5, 6}), out({0});
        launch(*k, Arguments().array(x).array(out).integer(n));
        EXPECT_EQ(out.data[0], expected) << n;
    }
}

TEST_F(Functions, LowerInSeveralThreadsAtOnce) {
    const FunctionPtr f = twice();
    auto sum = augment(sub(var("x"), num(0)), BinaryOp::Add, call(f, exprs(var("v"))));
    const auto k = define("k", {"x"}, body(loop_for(var("v"), var("x"), body(std::move(sum)))));
    std::vector<std::string> texts(4);
    std::vector<std::thread> threads;
    for (std::string& text : texts)
        threads.emplace_back([&text, &k] {
            for (int round = 0; round < 20; ++round)
                text = ir::print(*lower(*k, {python::array_type(DType::Int64, 1, Layout::A)}).module);
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::string& text : texts) EXPECT_EQ(text, texts[0]);
}

TEST_F(Functions, DtypesConvert) {
    const auto f = [](ExprPtr value) { return define("f", {"x", "a"}, body(give(std::move(value)))); };
    const std::vector<python::TypePtr> types = {scalar_type(DType::Float64), vector(DType::Float32)};
    EXPECT_EQ(result_of(*f(call(dtype(DType::Int8), var("x"))), types), "int8");
    EXPECT_EQ(result_of(*f(call(attr(attr(var("a"), "dtype"), "type"), var("x"))), types), "float32");
    EXPECT_EQ(result_of(*f(call(dtype(DType::Float32))), types), "float32");
    EXPECT_NE(refusal(*f(call(dtype(DType::Float32), var("a"))), types, {}, false)
                  .find("float32(x) converts numbers, not array(float32, 1d, C)"),
              std::string::npos);
}

TEST_F(Functions, UnsupportedPythonSaysWhatToWriteInstead) {
    auto refused = [](StmtPtr s) { return refusal(*define("k", {}, body(std::move(s))), {}); };
    EXPECT_NE(refused(run(unsupported("ListComp"))).find("kernels have no list comprehensions: use a for loop"),
              std::string::npos);
    EXPECT_NE(refused(unsupported_statement("Try")).find("kernels have no try/except"), std::string::npos);
    EXPECT_NE(refused(unsupported_statement("With")).find("kernels have no with statements"), std::string::npos);
    EXPECT_NE(refused(run(unsupported("JoinedStr"))).find("kernels have no f-strings"), std::string::npos);
    EXPECT_NE(refused(unsupported_statement("Nonlocal")).find("return the new value"), std::string::npos);
    EXPECT_NE(refused(run(call("math.sinn", real(1))))
                  .find("'math.sinn' is not supported in kernels; did you mean 'math.sin'?"),
              std::string::npos);
    EXPECT_NE(refused(run(call("builtins.reversed", num(1))))
                  .find("'reversed' is not supported in kernels; loop over range(n - 1, -1, -1)"),
              std::string::npos);
    EXPECT_NE(
        refused(loop_for(var("i"), num(3), body(pass()))).find("cannot iterate over int64: loops go over range(...)"),
        std::string::npos);
    EXPECT_NE(refused(run(call(num(3)))).find("int64 cannot be called"), std::string::npos);
    EXPECT_NE(refused(run(global("thing", captured_text(Captured::Kind::Other, "object of type Thing"))))
                  .find("a kernel cannot use object of type Thing"),
              std::string::npos);
    EXPECT_NE(refused(stop()).find("stand inside loops only"), std::string::npos);
}

TEST_F(Functions, ErrorsPointAtTheSource) {
    const std::string message = refusal(*define("k", {}, body(run(attr(num(3), "shape")))), {});
    EXPECT_NE(message.find("\n  kernel.py:1:5\n        source of line 1\n        ^"), std::string::npos) << message;
}

TEST_F(Functions, TypingErrorsGiveTheArgumentTypes) {
    const std::string message = refusal(*define("k", {"x", "n"}, body(run(attr(var("x"), "nothing")))),
                                        {vector(DType::Float32), scalar_type(DType::Int64)});
    EXPECT_TRUE(message.ends_with("\nin kernel k(array(float32, 1d, C), int64)")) << message;
}

TEST_F(Functions, TypedSourceListsTheAssignedTypes) {
    const auto k = define("k", {"x"}, body(assign("a", sub(var("x"), num(0))), assign("b", add(var("a"), num(1)))));
    EXPECT_EQ(
        lower(*k, {vector(DType::Float32)}).typed_source,
        "    # a :: float32\n    source of line 1\n    # b :: float64\n    source of line 2\n    source of line 3\n");
}

}  // namespace
}  // namespace lanewise::testing
