// Type rules against tests/data/numpy_types.txt, which scripts/record_numpy_types.py has recorded from NumPy.
#include "lanewise/promotion.h"

#include <fstream>
#include <sstream>

#include "lazy.h"

namespace lanewise::testing {
namespace {

constexpr std::string_view letters = "?bhilBHILefdFD";

DType of_letter(char letter) {
    for (int i = 0; i < dtype_count; ++i)
        if (dtype_table[i].numpy_char == letter) return static_cast<DType>(i);
    throw std::runtime_error(std::string("no dtype for ") + letter);
}

/// The lines that begin with `rule`, as words after it.
std::vector<std::vector<std::string>> records(const std::string& rule) {
    std::ifstream file(LANEWISE_TESTS_FOLDER "/data/numpy_types.txt");
    std::vector<std::vector<std::string>> found;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word != rule) continue;
        found.emplace_back();
        while (words >> word) found.back().push_back(word);
    }
    EXPECT_FALSE(found.empty()) << rule;
    return found;
}

TEST(Promotion, CommonTypesAreNumPys) {
    for (const auto& r : records("promote"))
        EXPECT_EQ(promote(of_letter(r[0][0]), of_letter(r[1][0])), of_letter(r[2][0])) << r[0] << r[1];
}

TEST(Promotion, CastingRulesAreNumPys) {
    constexpr Casting rules[] = {Casting::No, Casting::Equiv, Casting::Safe, Casting::SameKind, Casting::Unsafe};
    for (const auto& r : records("cast"))
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_EQ(can_cast(of_letter(r[0][0]), of_letter(r[1][0]), rules[i]), r[2 + i] == "1")
                << r[0] << r[1] << " rule " << i;
}

TEST(Promotion, PythonNumbersAreWeak) {
    const std::string kinds = "bifc";
    for (const auto& r : records("weak"))
        EXPECT_EQ(promote(of_letter(r[0][0]), static_cast<WeakKind>(kinds.find(r[1]))), of_letter(r[2][0]))
            << r[0] << " " << r[1];
    constexpr WeakKind weak[] = {WeakKind::Int, WeakKind::Float};
    EXPECT_EQ(result_type({}, weak), DType::Float64);
}

TEST(Promotion, BFloat16MeetsOtherTypesAsMlDtypesHasIt) {
    EXPECT_EQ(promote(DType::BFloat16, DType::Int8), DType::BFloat16);
    EXPECT_EQ(promote(DType::BFloat16, DType::Float16), DType::Float32);
    EXPECT_EQ(promote(DType::BFloat16, DType::Int16), DType::Float32);
    EXPECT_EQ(promote(DType::BFloat16, DType::Float32), DType::Float32);
    EXPECT_EQ(promote(DType::BFloat16, DType::Complex64), DType::Complex64);
    EXPECT_EQ(promote(DType::BFloat16, WeakKind::Float), DType::BFloat16);
}

/// dtype of the recorded result of a ufunc, or none when NumPy refuses.
std::optional<DType> result_of(Ufunc ufunc, std::span<const Operand> operands) {
    try {
        return lanewise::apply(ufunc, operands).dtype();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Type) << error.what();
        return std::nullopt;
    }
}

TEST(Promotion, UfuncsGiveNumPysTypes) {
    int compared = 0;
    std::vector<Array> made;
    for (char letter : letters) made.push_back(full({1}, 1, of_letter(letter), stream()));
    const std::vector<Operand> arrays(made.begin(), made.end());
    auto expect = [&](const std::string& name, std::span<const Operand> operands, const std::string& wanted) {
        // The results of functions with two are functions of their own.
        std::string first = name == "frexp" ? "frexp_fraction" : name == "modf" ? "modf_fraction" : name;
        if (name == "divmod") first = "floor_divide";
        const std::optional<Ufunc> ufunc = ufunc_from_name(first == "degrees"   ? "rad2deg"
                                                           : first == "radians" ? "deg2rad"
                                                                                : first);
        std::optional<DType> got;
        if (name == "ldexp") {
            try {
                got = ldexp(operands[0], operands[1]).dtype();
            } catch (const Error&) {
            }
        } else {
            ASSERT_TRUE(ufunc) << name;
            got = result_of(*ufunc, operands);
        }
        ++compared;
        const std::string types = operands.size() == 1
                                      ? std::string(lanewise::name(operands[0].array()->dtype()))
                                      : std::string(lanewise::name(operands[0].array()->dtype())) + ", " +
                                            std::string(lanewise::name(operands[1].array()->dtype()));
        if (wanted == "-")
            EXPECT_FALSE(got) << name << " of " << types << " gave " << (got ? lanewise::name(*got) : "");
        else
            EXPECT_EQ(got ? lanewise::name(*got) : "an error", lanewise::name(of_letter(wanted[0])))
                << name << " of " << types;
    };
    for (const auto& r : records("ufunc")) {
        if (r.size() == 1 + letters.size()) {
            for (std::size_t i = 0; i < letters.size(); ++i) expect(r[0], std::span(&arrays[i], 1), r[1 + i]);
        } else {
            const Operand& a = arrays[letters.find(r[1][0])];
            for (std::size_t i = 0; i < letters.size(); ++i) {
                const Operand pair[] = {a, arrays[i]};
                expect(r[0], pair, r[2 + i]);
            }
        }
    }
    EXPECT_GT(compared, 8000);
}

TEST(Promotion, PythonIntegersOutOfRangeAreRefused) {
    const Array x = full({3}, 1, DType::Int8, stream());
    EXPECT_EQ(kind_of([&] { add(x, 300); }), ErrorKind::Overflow);
    EXPECT_EQ(kind_of([&] { multiply(full({3}, 1, DType::UInt8, stream()), -1); }), ErrorKind::Overflow);
    EXPECT_EQ(values<bool>(less(x, 300)), (std::vector<bool>{true, true, true}));
    EXPECT_EQ(values<bool>(equal(-300, x)), (std::vector<bool>{false, false, false}));
    EXPECT_EQ(values<bool>(greater(-300, x)), (std::vector<bool>{false, false, false}));
}

TEST(Promotion, NegativeIntegerPowersOfIntegersAreRefused) {
    EXPECT_EQ(kind_of([&] { power(full({3}, 2, DType::Int32, stream()), -1); }), ErrorKind::Value);
}

}  // namespace
}  // namespace lanewise::testing
