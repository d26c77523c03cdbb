#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>
#include <random>

#include "harness.h"
#include "ptx_cases.h"

namespace lanewise::cpu::testing {
namespace {

constexpr int inputs_of_a_row = 4;
constexpr int rows = 1024;

struct Letter {
    unsigned bits;
    const char* type;
};

Letter letter(char which) {
    static const std::map<char, Letter> known = {
        {'h', {16, "i16"}}, {'r', {32, "i32"}}, {'l', {64, "i64"}}, {'f', {32, "float"}}, {'d', {64, "double"}}};
    return known.at(which);
}

/// A kernel (in, out): thread i runs the instruction on in[4 i ...] and puts the result's bits into out[i].
std::string kernel(const PtxCase& of, std::size_t number) {
    const std::string operands = of.operands;
    std::string body = fmt::format(
        "define ptx_kernel void @case{}(ptr %in, ptr %out) {{\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "  %row = mul i32 %t, {}\n",
        number, inputs_of_a_row);
    std::string constraints = fmt::format("={}", operands[0]), arguments;
    for (std::size_t k = 1; k < operands.size(); ++k) {
        const Letter of_input = letter(operands[k]);
        body += fmt::format(
            "  %i{0} = add i32 %row, {1}\n"
            "  %p{0} = getelementptr i64, ptr %in, i32 %i{0}\n"
            "  %w{0} = load i64, ptr %p{0}\n"
            "  %n{0} = {2} i64 %w{0} to i{3}\n"
            "  %v{0} = bitcast i{3} %n{0} to {4}\n",
            k, k - 1, of_input.bits == 64 ? "bitcast" : "trunc", of_input.bits, of_input.type);
        constraints += fmt::format(",{}", operands[k]);
        arguments += fmt::format("{}{} %v{}", k > 1 ? ", " : "", of_input.type, k);
    }
    const Letter of_result = letter(operands[0]);
    body += fmt::format(
        "  %r = call {0} asm \"{1}\", \"{2}\"({3})\n"
        "  %b = bitcast {0} %r to i{4}\n"
        "  %x = {5} i{4} %b to i64\n"
        "  %q = getelementptr i64, ptr %out, i32 %t\n"
        "  store i64 %x, ptr %q\n  ret void\n}}\n",
        of_result.type, of.text, constraints, arguments, of_result.bits, of_result.bits == 64 ? "bitcast" : "zext");
    return body;
}

std::vector<Bits> inputs() {
    std::mt19937_64 random(12345);
    const auto single = [](float value) { return Bits(std::bit_cast<std::uint32_t>(value)); };
    const auto wide = [](double value) { return std::bit_cast<Bits>(value); };
    const std::vector<Bits> edges = {
        0,
        1,
        2,
        7,
        8,
        15,
        16,
        31,
        32,
        33,
        63,
        64,
        65,
        255,
        256,
        0x7f,
        0x80,
        0x7fff,
        0x8000,
        0xffff,
        0x7fffffff,
        0x80000000,
        0xffffffff,
        0x7fffffffffffffff,
        0x8000000000000000,
        ~Bits(0),
        single(0.0f),
        single(-0.0f),
        single(1.0f),
        single(-1.5f),
        single(2.5f),
        single(0.3f),
        single(INFINITY),
        single(-INFINITY),
        single(NAN),
        single(1e-40f),
        single(-1e-40f),
        single(3e9f),
        single(-3e9f),
        single(1e20f),
        single(3.4e38f),
        wide(1.0),
        wide(-1.5),
        wide(3.5),
        wide(INFINITY),
        wide(NAN),
        wide(1e-310),
        wide(-3e9),
        wide(1e19),
        wide(1.0 / 3),
    };
    std::vector<Bits> values(rows * inputs_of_a_row);
    for (Bits& value : values) {
        switch (random() % 4) {
            case 0:
                value = edges[random() % edges.size()];
                break;
            case 1:
                value = random() % 70;
                break;
            case 2:  // a float of moderate size, whose high half is one of a double
                value = Bits(std::bit_cast<std::uint32_t>(float(random() % 20000) / 64.0f - 150.0f)) |
                        (std::bit_cast<Bits>(double(random() % 20000) / 64.0 - 150.0) >> 32 << 32);
                break;
            default:
                value = random();
        }
    }
    return values;
}

bool is_nan(Bits bits, char which) {
    if (which == 'f') return std::isnan(std::bit_cast<float>(std::uint32_t(bits)));
    return which == 'd' && std::isnan(std::bit_cast<double>(bits));
}

double as_double(Bits bits, char which) {
    return which == 'f' ? double(std::bit_cast<float>(std::uint32_t(bits))) : std::bit_cast<double>(bits);
}

bool agree(Bits got, Bits wanted, const PtxCase& of) {
    const char which = of.operands[0];
    if (got == wanted || (is_nan(got, which) && is_nan(wanted, which))) return true;
    if (of.tolerance == 0 || is_nan(got, which) || is_nan(wanted, which)) return false;
    const double a = as_double(got, which), b = as_double(wanted, which);
    return std::abs(a - b) <= of.tolerance * std::max(std::abs(b), 1e-38);
}

}  // namespace

void check(const std::vector<PtxCase>& cases) {
    std::string module = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
    for (std::size_t i = 0; i < cases.size(); ++i) module += kernel(cases[i], i);
    Program program(module);
    const std::vector<Bits> in = inputs();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        std::vector<Bits> out(rows, 0x5a5a5a5a5a5a5a5a);
        program.launch(fmt::format("case{}", i), {1}, {rows}, 0, in.data(), out.data());
        const auto mask = [&](std::size_t operand, Bits bits) {
            if (operand >= std::strlen(cases[i].operands)) return bits;
            const unsigned width = letter(cases[i].operands[operand]).bits;
            return width == 64 ? bits : bits & ((Bits(1) << width) - 1);
        };
        for (int row = 0; row < rows; ++row) {
            const Bits* own = &in[std::size_t(row) * inputs_of_a_row];
            const Bits a = mask(1, own[0]), b = mask(2, own[1]), c = mask(3, own[2]), d = mask(4, own[3]);
            const Bits wanted = mask(0, cases[i].expected(a, b, c, d));
            if (agree(out[std::size_t(row)], wanted, cases[i])) continue;
            ADD_FAILURE() << cases[i].text
                          << fmt::format("\n  of {:#x}, {:#x}, {:#x}, {:#x}: {:#x} instead of {:#x}", a, b, c, d,
                                         out[std::size_t(row)], wanted);
            break;
        }
    }
}

}  // namespace lanewise::cpu::testing
