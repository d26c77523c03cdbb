// Elements, views and slices of arrays, against NumPy's semantics computed on the host.
#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include "lowered_kernel.h"

namespace lanewise::testing {
namespace {

using namespace lanewise::tree;
using Ints = HostArray<std::int64_t>;
using python::Layout;
using Bound = std::optional<std::int64_t>;

Ints counting(std::vector<std::int64_t> shape) {
    std::int64_t size = 1;
    for (std::int64_t extent : shape) size *= extent;
    std::vector<std::int64_t> values(static_cast<std::size_t>(size));
    std::iota(values.begin(), values.end(), 0);
    return Ints(values, shape);
}

/// The indices Python's a[start:stop:step] visits, by its reference manual.
std::vector<std::int64_t> sliced(std::int64_t n, Bound start, Bound stop, Bound step_given) {
    const std::int64_t step = step_given.value_or(1);
    const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    auto place = [&](Bound given, std::int64_t absent) {
        if (!given) return absent;
        std::int64_t i = *given;
        if (i < 0) i += n;
        return i < low ? low : i > high ? high : i;
    };
    std::vector<std::int64_t> indices;
    const std::int64_t first = place(start, step > 0 ? low : high), last = place(stop, step > 0 ? high : low);
    for (std::int64_t i = first; step > 0 ? i < last : i > last; i += step) indices.push_back(i);
    return indices;
}

class Indexing : public ::testing::Test {
protected:
    void SetUp() override { Lines::restart(); }
};

TEST_F(Indexing, NegativeIndicesWrapOnceForSignedTypes) {
    const auto f = define("k", {"x", "i"}, body(assign(sub(var("x"), var("i")), num(9))));
    for (const DType dtype : {DType::Int8, DType::Int32, DType::Int64}) {
        Ints x({0, 1, 2, 3});
        launch(*f, Arguments().array(x).integer(-1, dtype));
        EXPECT_EQ(x.data, (std::vector<std::int64_t>{0, 1, 2, 9}));
    }
    Ints x({0, 1, 2, 3});
    launch(*f, Arguments().array(x).integer(2, DType::UInt8));
    EXPECT_EQ(x.data, (std::vector<std::int64_t>{0, 1, 9, 3}));
}

TEST_F(Indexing, ThreadIndicesNeedNoWrapping) {
    const auto f = define("k", {"x"},
                          body(assign("i", call("cuda.grid", num(1))), assign(sub(var("x"), var("i")), num(9)),
                               loop_for(var("j"), call("builtins.range", attr(var("x"), "size")),
                                        body(assign(sub(var("x"), var("j")), num(9))))));
    const auto lowered = lower(*f, {python::array_type(DType::Int64, 1, Layout::C)});
    EXPECT_EQ(ir::print(*lowered.module).find("select"), std::string::npos) << ir::print(*lowered.module);
}

TEST_F(Indexing, EveryLayoutFindsItsElements) {
    const auto f =
        define("k", {"x", "i", "j"},
               body(assign(sub(var("x"), tup(var("i"), var("j"))), neg(sub(var("x"), tup(var("i"), var("j")))))));
    for (const Layout layout : {Layout::C, Layout::F, Layout::A}) {
        for (std::int64_t i = 0; i < 3; ++i)
            for (std::int64_t j = 0; j < 4; ++j) {
                Ints x = counting({3, 4});
                x.strides = {-32, 8};  // rows reversed
                std::size_t at = static_cast<std::size_t>(layout == Layout::C   ? i * 4 + j
                                                          : layout == Layout::F ? i + 3 * j
                                                                                : (2 - i) * 4 + j);
                Arguments arguments;
                arguments.array(x, layout).integer(i).integer(j);
                if (layout == Layout::A) arguments.bits[0] += 2 * 32;
                launch(*f, arguments);
                for (std::size_t k = 0; k < 12; ++k)
                    EXPECT_EQ(x.data[k], k == at ? -static_cast<std::int64_t>(k) : static_cast<std::int64_t>(k));
            }
    }
}

TEST_F(Indexing, SlicesFollowPythonForAllBounds) {
    const std::vector<Bound> bounds = {std::nullopt, -9, -3, -1, 0, 1, 2, 4, 9};
    const std::vector<Bound> steps = {std::nullopt, 1, 2, 3, -1, -2, -7};
    auto part = [](Bound bound, bool constant, const char* name) {
        return !bound ? ExprPtr() : constant ? num(*bound) : var(name);
    };
    for (const bool constant : {true, false})
        for (const Bound start : bounds)
            for (const Bound stop : bounds)
                for (const Bound step : steps) {
                    const auto f = define(
                        "k", {"x", "out", "a", "b", "c"},
                        body(assign("v", sub(var("x"), slice(part(start, constant, "a"), part(stop, constant, "b"),
                                                             part(step, constant, "c")))),
                             assign(sub(var("out"), num(0)), attr(var("v"), "size")),
                             loop_for(tup(var("i"), var("e")), call("builtins.enumerate", var("v"), num(1)),
                                      body(assign(sub(var("out"), var("i")), var("e"))))));
                    for (const std::int64_t n : {0, 1, 4}) {
                        Ints x = counting({n}), out(std::vector<std::int64_t>(8, -1));
                        launch(*f, Arguments()
                                       .array(x)
                                       .array(out)
                                       .integer(start.value_or(0))
                                       .integer(stop.value_or(0))
                                       .integer(step.value_or(0)));
                        const auto expected = sliced(n, start, stop, step);
                        std::vector<std::int64_t> wanted(8, -1);
                        wanted[0] = static_cast<std::int64_t>(expected.size());
                        std::copy(expected.begin(), expected.end(), wanted.begin() + 1);
                        EXPECT_EQ(out.data, wanted) << n << " [" << start.value_or(-99) << ":" << stop.value_or(-99)
                                                    << ":" << step.value_or(-99) << "] constant " << constant;
                    }
                }
}

std::string view_type(ExprPtr index, int ndim, Layout layout) {
    const auto f = define("f", {"x", "i"}, body(give(sub(var("x"), std::move(index)))));
    return result_of(*f, {python::array_type(DType::Float32, ndim, layout), python::scalar_type(DType::Int64)});
}
ExprPtr whole() {
    return slice(nullptr, nullptr);
}

TEST_F(Indexing, ViewsKeepTheLayoutTheyCan) {
    EXPECT_EQ(view_type(num(0), 3, Layout::C), "array(float32, 2d, C)");
    EXPECT_EQ(view_type(num(0), 3, Layout::F), "array(float32, 2d, A)");
    EXPECT_EQ(view_type(tup(num(0), num(1)), 3, Layout::C), "array(float32, 1d, C)");
    EXPECT_EQ(view_type(slice(num(1), nullptr), 1, Layout::C), "array(float32, 1d, C)");
    EXPECT_EQ(view_type(slice(nullptr, nullptr, num(2)), 1, Layout::C), "array(float32, 1d, A)");
    EXPECT_EQ(view_type(slice(num(1), num(3)), 2, Layout::C), "array(float32, 2d, C)");
    EXPECT_EQ(view_type(tup(whole(), num(0)), 2, Layout::C), "array(float32, 1d, A)");
    EXPECT_EQ(view_type(tup(whole(), num(0)), 2, Layout::F), "array(float32, 1d, C)");
    EXPECT_EQ(view_type(tup(whole(), slice(num(1), num(2))), 2, Layout::C), "array(float32, 2d, A)");
    EXPECT_EQ(view_type(tup(whole(), slice(num(1), num(2))), 2, Layout::F), "array(float32, 2d, F)");
    EXPECT_EQ(view_type(tup(ellipsis(), num(0)), 3, Layout::F), "array(float32, 2d, F)");
    EXPECT_EQ(view_type(tup(none(), whole()), 1, Layout::C), "array(float32, 2d, C)");
    EXPECT_EQ(view_type(tup(ellipsis(), num(0)), 1, Layout::C), "float32");
    EXPECT_EQ(view_type(tup(ellipsis()), 2, Layout::C), "array(float32, 2d, C)");
}

TEST_F(Indexing, ViewsOfViewsReachTheRightElements) {
    // x[1:, ::-1][:, 1:3][k, 0] of a 4 by 5 array is x[1 + k, 3].
    const auto f =
        define("k", {"x", "out", "k"},
               body(assign("v", sub(var("x"), tup(slice(num(1), nullptr), slice(nullptr, nullptr, num(-1))))),
                    assign("w", sub(var("v"), tup(whole(), slice(num(1), num(3))))),
                    assign(sub(var("out"), num(0)), sub(var("w"), tup(var("k"), num(0)))),
                    assign(sub(var("out"), num(1)), sub(attr(var("w"), "shape"), num(0))),
                    assign(sub(var("out"), num(2)), sub(attr(var("w"), "shape"), num(1))),
                    assign(sub(var("out"), num(3)), sub(attr(attr(var("x"), "T"), "shape"), num(0))),
                    assign(sub(var("out"), num(4)), sub(attr(var("x"), "T"), tup(num(4), num(2))))));
    Ints x = counting({4, 5}), out(std::vector<std::int64_t>(5));
    launch(*f, Arguments().array(x).array(out).integer(2));
    EXPECT_EQ(out.data, (std::vector<std::int64_t>{3 * 5 + 3, 3, 2, 5, 2 * 5 + 4}));
}

TEST_F(Indexing, SliceAssignmentStoresScalarsArraysAndTuples) {
    const auto f = define(
        "k", {"m", "y"},
        body(assign(sub(var("m"), tup(num(0), slice(num(1), num(3)))), num(7)), assign(sub(var("m"), num(1)), var("y")),
             assign(sub(var("m"), tup(slice(num(2), nullptr), whole())), sub(var("y"), tup(none(), whole()))),
             assign(sub(sub(var("m"), num(3)), slice(nullptr, num(2))), tup(num(50), real(60.9)))));
    Ints m(std::vector<std::int64_t>(16, 0), {4, 4}), y({1, 2, 3, 4});
    launch(*f, Arguments().array(m).array(y));
    EXPECT_EQ(m.data, (std::vector<std::int64_t>{0, 7, 7, 0, 1, 2, 3, 4, 1, 2, 3, 4, 50, 60, 3, 4}));
}

TEST_F(Indexing, OverlappingSliceAssignmentReadsBeforeItWrites) {
    const auto up =
        define("k", {"x"}, body(assign(sub(var("x"), slice(num(1), nullptr)), sub(var("x"), slice(nullptr, num(-1))))));
    const auto down =
        define("k", {"x"}, body(assign(sub(var("x"), slice(nullptr, num(-1))), sub(var("x"), slice(num(1), nullptr)))));
    Ints a({1, 2, 3, 4}), b({1, 2, 3, 4});
    launch(*up, Arguments().array(a));
    launch(*down, Arguments().array(b));
    EXPECT_EQ(a.data, (std::vector<std::int64_t>{1, 1, 2, 3}));
    EXPECT_EQ(b.data, (std::vector<std::int64_t>{2, 3, 4, 4}));
}

TEST_F(Indexing, AugmentedAssignmentEvaluatesItsTargetOnce) {
    const auto f =
        define("k", {"n", "x"},
               body(augment(sub(var("x"), call("cuda.atomic.add", var("n"), num(0), num(1))), BinaryOp::Add, num(100)),
                    augment(sub(var("x"), slice(num(1), nullptr)), BinaryOp::Mul, num(2)),
                    augment(var("x"), BinaryOp::Sub, var("x"))));
    Ints n({1}), x({5, 6, 7});
    launch(*f, Arguments().array(n).array(x));
    EXPECT_EQ(n.data[0], 2);
    EXPECT_EQ(x.data, (std::vector<std::int64_t>{0, 0, 0}));
    const auto g = define("k", {"x"}, body(augment(sub(var("x"), slice(num(1), nullptr)), BinaryOp::Mul, num(2))));
    Ints y({5, 6, 7});
    launch(*g, Arguments().array(y));
    EXPECT_EQ(y.data, (std::vector<std::int64_t>{5, 12, 14}));
}

TEST_F(Indexing, BoundsChecksNameArrayIndexAxisAndShape) {
    python::Options checked;
    checked.bounds_check = true;
    const auto f = define("k", {"x", "i", "j"}, body(assign(sub(var("x"), tup(var("i"), var("j"))), num(1))));
    for (const auto [i, j, raises] :
         {std::tuple{0, 0, false}, {2, 3, false}, {-3, -4, false}, {3, 0, true}, {0, 4, true}, {-4, 0, true}}) {
        Ints x = counting({3, 4});
        Arguments arguments;
        arguments.array(x).integer(i).integer(j);
        const python::Lowered lowered = lower(*f, arguments.types, checked);
        const Outcome outcome = run_thread(*lowered.module->functions[0], arguments.bits);
        EXPECT_EQ(outcome.raised.has_value(), raises) << i << " " << j;
        if (!outcome.raised) continue;
        const RaiseSite& site = lowered.module->raise_sites[*outcome.raised];
        EXPECT_EQ(site.python_class, "IndexError");
        const int axis = j == 4 ? 1 : 0;
        EXPECT_EQ(site.message, "index {0} is out of bounds for axis " + std::to_string(axis) +
                                    " with size {1}: array 'x' of shape ({2}, {3})");
        EXPECT_EQ(outcome.raise_values, (std::vector<std::int64_t>{axis ? j : i, axis ? 4 : 3, 3, 4}));
    }
}

TEST_F(Indexing, UncheckedIndexingHasNoRaiseSites) {
    const auto f = define("k", {"x", "i"}, body(assign(sub(var("x"), var("i")), num(1))));
    EXPECT_TRUE(lower(*f, {python::array_type(DType::Int64, 1, Layout::C), python::scalar_type(DType::Int64)})
                    .module->raise_sites.empty());
}

TEST_F(Indexing, TuplesIndexSliceAndConcatenate) {
    const auto f = define(
        "k", {"out", "i"},
        body(assign("t", tup(num(10), num(20), num(30), num(40), num(50), num(60))),
             assign(sub(var("out"), num(0)), sub(var("t"), var("i"))),
             assign(sub(var("out"), num(1)), sub(sub(var("t"), slice(num(4), num(0), num(-2))), num(1))),
             assign(sub(var("out"), num(2)), sub(add(var("t"), tup(num(7))), num(-1))),
             assign(tup(var("a"), tup(var("b"), var("c"))), tup(num(1), tup(num(2), num(3)))),
             assign(sub(var("out"), num(3)), add(mul(var("a"), num(100)), add(mul(var("b"), num(10)), var("c")))),
             assign(sub(var("out"), num(4)), sub(tup(num(5), num(6)), var("i")))));
    Ints out(std::vector<std::int64_t>(5));
    launch(*f, Arguments().array(out).integer(-1));
    EXPECT_EQ(out.data, (std::vector<std::int64_t>{60, 30, 7, 123, 6}));
}

TEST_F(Indexing, CapturedArraysAreReadOnlyConstants) {
    auto table = std::make_shared<Captured>();
    table->kind = Captured::Kind::Array;
    table->dtype = DType::Int32;
    table->shape = {2, 3};
    for (std::int32_t v : {1, 2, 3, 4, 5, 6})
        for (int byte = 0; byte < 4; ++byte) table->bytes.push_back(static_cast<std::uint8_t>(v >> (8 * byte)));
    const auto f = define("k", {"out", "i"},
                          body(assign(sub(var("out"), num(0)), sub(global("TABLE", table), tup(num(1), var("i"))))));
    Ints out({0});
    launch(*f, Arguments().array(out).integer(-1));
    EXPECT_EQ(out.data[0], 6);
    const std::string message =
        refusal(*define("k", {}, body(assign(sub(global("TABLE", table), tup(num(0), num(0))), num(1)))), {});
    EXPECT_NE(message.find("Cannot modify readonly array of type: readonly array(int32, 2d, C) ('TABLE')"),
              std::string::npos)
        << message;
}

TEST_F(Indexing, RefusalsSayWhatWouldWork) {
    const auto vector = python::array_type(DType::Float32, 1, Layout::C);
    auto refused = [&](ExprPtr index) {
        return refusal(*define("k", {"x"}, body(run(sub(var("x"), std::move(index))))), {vector});
    };
    EXPECT_NE(refused(real(1.5)).find(
                  "array 'x' cannot be indexed with float64: an index is an integer, a slice, '...', None, or a tuple "
                  "of them; convert the index with int(x)"),
              std::string::npos);
    EXPECT_NE(refused(tup(num(0), num(1))).find("too many indices: array 'x' has 1 dimension, and the index gives 2"),
              std::string::npos);
    EXPECT_NE(refused(var("x")).find("kernels have no indexing by arrays"), std::string::npos);
    EXPECT_NE(refused(text("field")).find("named fields"), std::string::npos);
    EXPECT_NE(refused(tup(ellipsis(), ellipsis())).find("one ellipsis"), std::string::npos);
    EXPECT_NE(refused(slice(real(1), nullptr)).find("a slice takes integers or None, got float64"), std::string::npos);

    auto refused_body = [&](StmtPtr s) {
        return refusal(*define("k", {"x", "n"}, body(assign("t", tup(num(1), real(2))), std::move(s))),
                       {vector, python::scalar_type(DType::Int64)});
    };
    EXPECT_NE(refused_body(run(sub(var("t"), var("n")))).find("items of several types"), std::string::npos);
    EXPECT_NE(refused_body(run(sub(var("t"), num(2))))
                  .find("tuple index 2 is out of range: Tuple(int64, float64) has 2 items"),
              std::string::npos);
    EXPECT_NE(refused_body(run(sub(var("t"), slice(var("n"), nullptr)))).find("sliced with constants only"),
              std::string::npos);
    EXPECT_NE(refused_body(assign(sub(var("t"), num(0)), num(1))).find("tuples are immutable"), std::string::npos);
    EXPECT_NE(refused_body(run(sub(var("n"), num(0)))).find("int64 cannot be indexed"), std::string::npos);
    EXPECT_NE(refused_body(assign(sub(var("x"), num(0)), var("t")))
                  .find("cannot store Tuple(int64, float64) into an element of array 'x'"),
              std::string::npos);
    EXPECT_NE(refused_body(assign(tup(var("a"), var("b"), var("c")), var("t")))
                  .find("cannot unpack Tuple(int64, float64), which has 2 items, into 3 names"),
              std::string::npos);
    EXPECT_NE(refused_body(assign(tup(var("a"), var("b")), var("x"))).find("only tuples unpack"), std::string::npos);
    EXPECT_NE(refused_body(assign(tup(var("a"), starred(var("b"))), var("t"))).find("starred targets"),
              std::string::npos);
    EXPECT_NE(refused_body(assign(attr(var("x"), "size"), num(1))).find("cannot assign to the attribute 'size'"),
              std::string::npos);
    EXPECT_NE(refused_body(run(attr(var("x"), "sum")))
                  .find("'x', which is array(float32, 1d, C), has no attribute 'sum' in kernels; it has shape"),
              std::string::npos);
}

}  // namespace
}  // namespace lanewise::testing
