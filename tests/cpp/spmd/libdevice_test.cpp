// The device math library on the host: every function exists, and values agree with higher precision.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "backend/cpu/target/link.h"
#include "harness.h"

namespace lanewise::cpu::testing {
namespace {

const char* ir_type(char type) {
    switch (type) {
        case 'i':
            return "i32";
        case 'l':
            return "i64";
        case 'h':
            return "i16";
        case 'f':
            return "float";
        case 'd':
            return "double";
        case 'p':
            return "ptr";
        default:
            return "void";
    }
}

/// A kernel `k` that applies `name` (types: result, then arguments) to element tid of its argument arrays.
std::string kernel_for(const std::string& name, const std::string& types) {
    std::string parameters = "ptr %out", loads, arguments, declared;
    for (std::size_t i = 1; i < types.size(); ++i) {
        const char* type = ir_type(types[i]);
        parameters += fmt::format(", ptr %a{}", i);
        if (types[i] == 'p') {
            loads += fmt::format("  %v{0} = getelementptr i64, ptr %a{0}, i32 %t\n", i);
        } else {
            loads +=
                fmt::format("  %p{0} = getelementptr {1}, ptr %a{0}, i32 %t\n  %v{0} = load {1}, ptr %p{0}\n", i, type);
        }
        arguments += fmt::format("{}{} %v{}", i > 1 ? ", " : "", type, i);
        declared += fmt::format("{}{}", i > 1 ? ", " : "", type);
    }
    const char* result = ir_type(types[0]);
    std::string body = types[0] == 'v' ? fmt::format("  call void @{}({})\n", name, arguments)
                                       : fmt::format(
                                             "  %r = call {0} @{1}({2})\n  %q = getelementptr {0}, ptr %out, i32 %t\n"
                                             "  store {0} %r, ptr %q\n",
                                             result, name, arguments);
    return fmt::format(
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare {} @{}({})\ndefine ptx_kernel void @k({}) {{\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n{}{}  ret void\n}}\n",
        result, name, declared, parameters, loads, body);
}

template <typename Result, typename... Arguments>
std::vector<Result> apply(const std::string& name, const std::string& types,
                          const std::vector<Arguments>&... arguments) {
    Program program(kernel_for(name, types));
    const std::size_t count = std::get<0>(std::tie(arguments...)).size();
    std::vector<Result> out(count);
    program.launch("k", {1}, {static_cast<std::uint32_t>(count)}, 0, out.data(), arguments.data()...);
    return out;
}

/// Distance in units of the last place of the exact value's neighbourhood.
template <typename T>
double ulps(T got, long double exact) {
    if (std::isnan(exact)) return std::isnan(got) ? 0 : 1e30;
    if (std::isinf(exact) || std::abs(exact) > std::numeric_limits<T>::max()) {
        return std::isinf(got) && std::signbit(got) == std::signbit(exact) ? 0 : 1e30;
    }
    const T rounded = static_cast<T>(exact);
    if (got == rounded) return 0;
    const T size = std::max(std::abs(rounded), std::numeric_limits<T>::min());
    const long double unit = std::nextafter(size, std::numeric_limits<T>::infinity()) - size;
    return static_cast<double>(std::abs(static_cast<long double>(got) - exact) / unit);
}

TEST(Libdevice, EveryFunctionIsKnown) {
    std::string ir;
    int number = 0;
    const auto add = [&](const std::string& name, const std::string& types) {
        std::string kernel = kernel_for(name, types);
        const std::string declaration = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
        kernel.erase(0, declaration.size());
        kernel.replace(kernel.find("@k("), 3, fmt::format("@k{}(", number++));
        ir += kernel;
    };
#define LANEWISE_LIBDEVICE(name, types) add(name, types);
#include "libdevice.def"
#undef LANEWISE_LIBDEVICE
    CompileOptions quick;
    quick.opt_level = 1;
    const Program program("declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n" + ir, quick);
    EXPECT_EQ(program.image().entries.size(), 349u);
}

TEST(Libdevice, UnknownFunctionsAreNamed) {
    try {
        Program program(kernel_for("__nv_nothing", "dd"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_NE(std::string(error.what()).find("__nv_nothing"), std::string::npos) << error.what();
    }
}

struct UnaryCase {
    const char* name;
    std::function<long double(long double)> exact;
    double low, high;
    double tolerance;  ///< ulps of the double form; single precision may be vectorised, with up to 4
};

void PrintTo(const UnaryCase& test, std::ostream* stream) {
    *stream << test.name;
}

class LibdeviceUnary : public ::testing::TestWithParam<UnaryCase> {};

TEST_P(LibdeviceUnary, AgreesWithHigherPrecision) {
    const UnaryCase& test = GetParam();
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> distribution(test.low, test.high);
    std::vector<double> doubles(512);
    std::vector<float> floats(512);
    for (double& x : doubles) x = distribution(random);
    for (float& x : floats) x = static_cast<float>(distribution(random));
    const std::string name = std::string("__nv_") + test.name;
    const auto wide = apply<double>(name, "dd", doubles);
    const auto narrow = apply<float>(name + "f", "ff", floats);
    for (std::size_t i = 0; i < doubles.size(); ++i) {
        EXPECT_LE(ulps(wide[i], test.exact(doubles[i])), test.tolerance) << test.name << '(' << doubles[i] << ')';
        EXPECT_LE(ulps(narrow[i], test.exact(floats[i])), std::max(test.tolerance, 4.0))
            << test.name << "f(" << floats[i] << ')';
    }
}

/// The inverse by bisection in long double.
long double inverse(long double (*function)(long double), long double y, long double low, long double high) {
    const bool rising = function(high) > function(low);
    for (int i = 0; i < 200; ++i) {
        const long double middle = (low + high) / 2;
        ((function(middle) < y) == rising ? low : high) = middle;
    }
    return (low + high) / 2;
}

long double cyl_bessel_i(int order, long double x) {
    long double term = order == 0 ? 1 : x / 2, sum = term;
    for (int k = 1; k < 400; ++k) sum += term *= x * x / 4 / k / (k + order);
    return sum;
}

const long double pi = 3.14159265358979323846264338327950288L;

INSTANTIATE_TEST_SUITE_P(
    Functions, LibdeviceUnary,
    ::testing::Values(
        UnaryCase{"sin", [](long double x) { return std::sin(x); }, -100, 100, 1.5},
        UnaryCase{"exp", [](long double x) { return std::exp(x); }, -50, 50, 1.5},
        UnaryCase{"log", [](long double x) { return std::log(x); }, 0, 100, 1.5},
        UnaryCase{"tanh", [](long double x) { return std::tanh(x); }, -5, 5, 3},
        UnaryCase{"cbrt", [](long double x) { return std::cbrt(x); }, -50, 50, 4},
        UnaryCase{"exp10", [](long double x) { return std::pow(10.0L, x); }, -30, 30, 2},
        UnaryCase{"rsqrt", [](long double x) { return 1 / std::sqrt(x); }, 0, 1000, 1.5},
        UnaryCase{"rcbrt", [](long double x) { return 1 / std::cbrt(x); }, 0.1, 1000, 5},
        UnaryCase{"sinpi", [](long double x) { return std::sin(pi * std::remainder(x, 2.0L)); }, -10, 10, 2},
        UnaryCase{"cospi", [](long double x) { return std::cos(pi * std::remainder(x, 2.0L)); }, -10, 10, 2},
        UnaryCase{"erfcx", [](long double x) { return std::exp(x * x) * std::erfc(x); }, -5, 50, 6},
        UnaryCase{"erfinv", [](long double y) { return inverse(std::erf, y, -10, 10); }, -0.999, 0.999, 3},
        UnaryCase{"erfcinv", [](long double y) { return inverse(std::erfc, y, -10, 100); }, 1e-4, 1.999, 3},
        UnaryCase{"normcdf", [](long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }, -20, 5, 4},
        UnaryCase{"normcdfinv", [](long double p) { return -std::sqrt(2.0L) * inverse(std::erfc, 2 * p, -10, 100); },
                  1e-4, 0.999, 4},
        UnaryCase{"cyl_bessel_i0", [](long double x) { return cyl_bessel_i(0, x); }, -60, 60, 10},
        UnaryCase{"cyl_bessel_i1", [](long double x) { return cyl_bessel_i(1, x); }, -60, 60, 10},
        UnaryCase{"lgamma", [](long double x) { return std::lgamma(x); }, 3, 100, 3},
        UnaryCase{"j0", [](long double x) { return static_cast<long double>(j0l(x)); }, 0, 1.5, 3}));

TEST(Libdevice, InverseErrorFunctionsAtTheirEnds) {
    const double inf = std::numeric_limits<double>::infinity();
    const auto inverse_of_erf =
        apply<double>("__nv_erfinv", "dd", std::vector{1.0, -1.0, 1.5, 0.0, -0.0, 1e-300, 1 - 1e-16});
    EXPECT_EQ(inverse_of_erf[0], inf);
    EXPECT_EQ(inverse_of_erf[1], -inf);
    EXPECT_TRUE(std::isnan(inverse_of_erf[2]));
    EXPECT_EQ(inverse_of_erf[3], 0);
    EXPECT_TRUE(std::signbit(inverse_of_erf[4]));
    EXPECT_LE(ulps(inverse_of_erf[5], 1e-300L * std::sqrt(pi) / 2), 1.5);
    EXPECT_NEAR(inverse_of_erf[6], 5.8635847487551676, 1e-3);
    const auto inverse_of_erfc =
        apply<double>("__nv_erfcinv", "dd", std::vector{0.0, 2.0, -1.0, 3.0, 1e-300, 1e-10, 1.0, 4e-6, 1e-6});
    EXPECT_EQ(inverse_of_erfc[0], inf);
    EXPECT_EQ(inverse_of_erfc[1], -inf);
    EXPECT_TRUE(std::isnan(inverse_of_erfc[2]));
    EXPECT_TRUE(std::isnan(inverse_of_erfc[3]));
    for (const auto& [index, y] : {std::pair{4, 1e-300}, {5, 1e-10}, {7, 4e-6}, {8, 1e-6}}) {
        EXPECT_LE(ulps(inverse_of_erfc[index], inverse(std::erfc, y, 0, 100)), 3) << y;
    }
    EXPECT_EQ(inverse_of_erfc[6], 0);
}

TEST(Libdevice, ZerosOfTheCircleFunctionsAreExact) {
    const std::vector<double> x = {0.0, -0.0, 1.0, -1.0, 2.5, 1e15, 0.5, -1.5};
    const auto sine = apply<double>("__nv_sinpi", "dd", x);
    const auto cosine = apply<double>("__nv_cospi", "dd", x);
    const double sines[] = {0, -0.0, 0, -0.0, 1, 0, 1, 1};
    const double cosines[] = {1, 1, -1, -1, 0, 1, 0, 0};
    for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_EQ(sine[i], sines[i]) << x[i];
        EXPECT_EQ(std::signbit(sine[i]), std::signbit(sines[i])) << x[i];
        EXPECT_EQ(cosine[i], cosines[i]) << x[i];
        EXPECT_FALSE(std::signbit(cosine[i]) && cosine[i] == 0) << x[i];
    }
}

TEST(Libdevice, RoundedArithmeticBracketsTheExactValue) {
    const std::vector<double> a = {1.0, 1.0, -1.0, 1e308, 1e-320, 1.0}, b = {3.0, 1e-20, 3.0, 1e308, 3.0, 1.0};
    struct Case {
        const char* name;
        long double (*exact)(long double, long double);
    };
    for (const Case& test : {Case{"dadd", [](long double x, long double y) { return x + y; }},
                             Case{"dsub", [](long double x, long double y) { return x - y; }},
                             Case{"dmul", [](long double x, long double y) { return x * y; }},
                             Case{"ddiv", [](long double x, long double y) { return x / y; }}}) {
        const std::string name = std::string("__nv_") + test.name;
        const auto up = apply<double>(name + "_ru", "ddd", a, b);
        const auto down = apply<double>(name + "_rd", "ddd", a, b);
        const auto zero = apply<double>(name + "_rz", "ddd", a, b);
        const auto nearest = apply<double>(name + "_rn", "ddd", a, b);
        for (std::size_t i = 0; i < a.size(); ++i) {
            const long double exact = test.exact(a[i], b[i]);
            EXPECT_GE(up[i], exact) << test.name << i;
            EXPECT_LE(down[i], exact) << test.name << i;
            EXPECT_EQ(zero[i], exact < 0 ? up[i] : down[i]) << test.name << i;
            EXPECT_TRUE(nearest[i] == up[i] || nearest[i] == down[i]) << test.name << i;
            if (up[i] != down[i]) EXPECT_EQ(std::nextafter(down[i], up[i]), up[i]) << test.name << i;
        }
    }
    const auto zero = apply<double>("__nv_dadd_rd", "ddd", std::vector{1.0}, std::vector{-1.0});
    EXPECT_TRUE(std::signbit(zero[0]));
    const auto third = apply<float>("__nv_frcp_ru", "ff", std::vector{3.0f});
    EXPECT_EQ(third[0], std::nextafter(1.0f / 3.0f, 0.0f) < 1.0 / 3 && 1.0f / 3.0f > 1.0 / 3
                            ? 1.0f / 3.0f
                            : std::nextafter(1.0f / 3.0f, 1.0f));
    const auto root = apply<float>("__nv_fsqrt_rd", "ff", std::vector{2.0f});
    EXPECT_LE(double(root[0]) * root[0], 2.0);
    const auto fused =
        apply<double>("__nv_fma_rz", "dddd", std::vector{1 + 0x1p-52}, std::vector{1 + 0x1p-52}, std::vector{-1.0});
    EXPECT_EQ(fused[0], 0x1p-51 + 0x1p-104);
}

TEST(Libdevice, ConversionsRoundAsNamedAndSaturate) {
    const double inf = std::numeric_limits<double>::infinity();
    const std::vector<double> x = {1.5, -1.5, 2.5, 1e300, -inf, std::nan(""), -0.5};
    const int big = std::numeric_limits<int>::max(), small = std::numeric_limits<int>::min();
    EXPECT_EQ(apply<int>("__nv_double2int_rn", "id", x), (std::vector{2, -2, 2, big, small, 0, 0}));
    EXPECT_EQ(apply<int>("__nv_double2int_rz", "id", x), (std::vector{1, -1, 2, big, small, 0, 0}));
    EXPECT_EQ(apply<int>("__nv_double2int_ru", "id", x), (std::vector{2, -1, 3, big, small, 0, 0}));
    EXPECT_EQ(apply<int>("__nv_double2int_rd", "id", x), (std::vector{1, -2, 2, big, small, 0, -1}));
    EXPECT_EQ(apply<unsigned>("__nv_double2uint_rz", "id", x), (std::vector{1u, 0u, 2u, ~0u, 0u, 0u, 0u}));
    EXPECT_EQ(apply<std::int64_t>("__nv_float2ll_rn", "lf", std::vector{2.5f, -1e30f}),
              (std::vector<std::int64_t>{2, std::numeric_limits<std::int64_t>::min()}));
    EXPECT_EQ(apply<float>("__nv_int2float_rz", "fi", std::vector{16777219, -16777219}),
              (std::vector{16777218.0f, -16777218.0f}));
    EXPECT_EQ(apply<float>("__nv_ll2float_ru", "fl", std::vector<std::int64_t>{(1ll << 40) + 1}),
              (std::vector{std::nextafter(0x1p40f, 0x1p41f)}));
    EXPECT_EQ(apply<float>("__nv_double2float_rd", "fd", std::vector{1 + 0x1p-40, -1 - 0x1p-40, 1e300}),
              (std::vector{1.0f, std::nextafter(-1.0f, -2.0f), std::numeric_limits<float>::max()}));
    EXPECT_EQ(apply<std::uint16_t>("__nv_float2half_rn", "hf", std::vector{1.0f, 65520.0f, 1e-8f, 0.1f}),
              (std::vector<std::uint16_t>{0x3c00, 0x7c00, 0, 0x2e66}));
    EXPECT_EQ(apply<float>("__nv_half2float", "fh", std::vector<std::uint16_t>{0x3c00, 0xfc00, 1}),
              (std::vector{1.0f, -std::numeric_limits<float>::infinity(), 0x1p-24f}));
}

TEST(Libdevice, IntegerFunctions) {
    const std::vector<int> a = {5, -7, std::numeric_limits<int>::min(), 0x00ffffff, 0}, b = {3, 4, -1, 2, 0};
    EXPECT_EQ(apply<int>("__nv_abs", "ii", a), (std::vector{5, 7, std::numeric_limits<int>::min(), 0xffffff, 0}));
    EXPECT_EQ(apply<int>("__nv_hadd", "iii", a, b), (std::vector{4, -2, -1073741825, 0x800000, 0}));
    EXPECT_EQ(apply<int>("__nv_rhadd", "iii", a, b), (std::vector{4, -1, -1073741824, 0x800001, 0}));
    EXPECT_EQ(apply<int>("__nv_mul24", "iii", a, b), (std::vector{15, -28, 0, -2, 0}));
    EXPECT_EQ(apply<int>("__nv_mulhi", "iii", a, b), (std::vector{0, -1, 0, 0, 0}));
    EXPECT_EQ(apply<int>("__nv_sad", "iiii", a, b, b), (std::vector{5, 15, 2147483646, 0xffffff, 0}));
    EXPECT_EQ(apply<int>("__nv_ffs", "ii", a), (std::vector{1, 1, 32, 1, 0}));
    EXPECT_EQ(apply<int>("__nv_clz", "ii", a), (std::vector{29, 0, 0, 8, 32}));
    EXPECT_EQ(apply<int>("__nv_popcll", "il", std::vector<std::int64_t>{-1, 0}), (std::vector{64, 0}));
    EXPECT_EQ(apply<int>("__nv_brev", "ii", std::vector{1}), (std::vector{std::numeric_limits<int>::min()}));
    EXPECT_EQ(apply<std::int64_t>("__nv_mul64hi", "lll", std::vector<std::int64_t>{-1, 1ll << 62},
                                  std::vector<std::int64_t>{5, 8}),
              (std::vector<std::int64_t>{-1, 2}));
    EXPECT_EQ(apply<unsigned>("__nv_byte_perm", "iiii", std::vector{0x33221100}, std::vector{0x77665544},
                              std::vector{0x7531}),
              (std::vector{0x77553311u}));
}

TEST(Libdevice, LoopsOverThreadsCallVectorForms) {
    const Program program(kernel_for("__nv_expf", "ff"));
    if (!has_libmvec() || host_target().find("+avx2") == std::string::npos) GTEST_SKIP() << "no vector math here";
    const std::string lanes = host_target().find("+avx512vbmi2") == std::string::npos ? "dN8" : "eN16";
    EXPECT_NE(program.image().llvm_ir.find("@_ZGV" + lanes + "v_expf"), std::string::npos);
    const Program pow(kernel_for("__nv_pow", "ddd"));
    EXPECT_NE(pow.image().llvm_ir.find("vv_pow("), std::string::npos);
}

TEST(Libdevice, DoublesHaveVectorFormsOfTheirOwn) {
    if (host_target().find("+avx2") == std::string::npos || host_target().find("+fma") == std::string::npos)
        GTEST_SKIP() << "no fused multiplication and addition here";
    const std::string lanes = host_target().find("+avx512vbmi2") == std::string::npos ? "4" : "8";
    const Program program(kernel_for("__nv_exp", "dd"));
    EXPECT_EQ(program.image().llvm_ir.find("@_ZGV"), std::string::npos);
    EXPECT_NE(program.image().llvm_ir.find("@llvm.fma.v" + lanes + "f64"), std::string::npos);
    EXPECT_NE(program.image().llvm_ir.find("lanewise.exp." + lanes + ".special"), std::string::npos);
}

TEST(Libdevice, NumbersOutsideAFormulasRangeGetTheLibrarysValues) {
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
    // Among the lanes of a vector, one after the other.
    std::vector<double> x(64, 0.5);
    const std::vector<double> special = {infinity, -infinity, 709.7, -745.1, 1e300, -0.0, 5e-324, nan};
    for (std::size_t i = 0; i < special.size(); ++i) x[9 * i % 64] = special[i];
    const std::vector<double> exp = apply<double>("__nv_exp", "dd", x), sin = apply<double>("__nv_sin", "dd", x);
    for (std::size_t i = 0; i < x.size(); ++i) {
        SCOPED_TRACE(x[i]);
        if (std::isnan(x[i])) {
            EXPECT_TRUE(std::isnan(exp[i]));
            EXPECT_TRUE(std::isnan(sin[i]));
            continue;
        }
        EXPECT_DOUBLE_EQ(exp[i], std::exp(x[i]));
        if (std::isinf(x[i])) {
            EXPECT_TRUE(std::isnan(sin[i]));
            continue;
        }
        EXPECT_DOUBLE_EQ(sin[i], std::sin(x[i]));
        EXPECT_EQ(std::signbit(sin[i]), std::signbit(std::sin(x[i])));
    }
}

TEST(Libdevice, ResultsThroughPointers) {
    std::vector<std::int64_t> place(2);
    const std::vector<double> x = {10.5, -0.75};
    const auto fraction = apply<double>("__nv_modf", "ddp", x, place);
    EXPECT_EQ(fraction, (std::vector{0.5, -0.75}));
    EXPECT_EQ(std::bit_cast<double>(place[0]), 10.0);
    const auto mantissa = apply<double>("__nv_frexp", "ddp", x, place);
    EXPECT_EQ(mantissa, (std::vector{0.65625, -0.75}));
    EXPECT_EQ(static_cast<int>(place[0]), 4);
    EXPECT_EQ(static_cast<int>(place[1]), 0);
}

TEST(Libdevice, PowersNormsAndPredicates) {
    const auto power = apply<double>("__nv_powi", "ddi", std::vector{1.5, 2.0, 0.0, 3.0}, std::vector{7, -3, 0, -1});
    EXPECT_EQ(power, (std::vector{17.0859375, 0.125, 1.0, 1.0 / 3}));
    const auto length = apply<double>("__nv_norm3d", "dddd", std::vector{1e200, 3.0}, std::vector{1e200, 4.0},
                                      std::vector{1e200, 12.0});
    EXPECT_NEAR(length[0] / 1e200, std::sqrt(3.0), 1e-14);
    EXPECT_EQ(length[1], 13.0);
    const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
    const std::vector<float> x = {nan, inf, -0.0f, 1.0f};
    EXPECT_EQ(apply<int>("__nv_isnanf", "if", x), (std::vector{1, 0, 0, 0}));
    EXPECT_EQ(apply<int>("__nv_isinff", "if", x), (std::vector{0, 1, 0, 0}));
    EXPECT_EQ(apply<int>("__nv_finitef", "if", x), (std::vector{0, 0, 1, 1}));
    EXPECT_EQ(apply<int>("__nv_signbitf", "if", std::vector{-0.0f, 0.0f}), (std::vector{1, 0}));
    EXPECT_EQ(apply<float>("__nv_saturatef", "ff", std::vector{nan, -1.0f, 0.25f, 9.0f}),
              (std::vector{0.0f, 0.0f, 0.25f, 1.0f}));
    EXPECT_EQ(apply<float>("__nv_fmaxf", "fff", std::vector{nan, 1.0f}, std::vector{2.0f, nan}),
              (std::vector{2.0f, 1.0f}));
    EXPECT_EQ(apply<double>("__nv_fdim", "ddd", std::vector{5.0, 3.0}, std::vector{3.0, 5.0}), (std::vector{2.0, 0.0}));
}

}  // namespace
}  // namespace lanewise::cpu::testing
