// Values of elementwise operations against tests/data/numpy_values.gz, which scripts/record_numpy_values.py has
// recorded from NumPy.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "ir/fold.h"
#include "lazy.h"

namespace lanewise::testing {
namespace {

DType of_letter(char letter) {
    for (int i = 0; i < dtype_count; ++i)
        if (dtype_table[i].numpy_char == letter) return static_cast<DType>(i);
    throw std::runtime_error(std::string("no dtype for ") + letter);
}

struct Result {
    std::string name;
    DType dtype;
    std::vector<std::uint8_t> bytes;
};
struct Group {
    std::vector<DType> dtypes;
    std::int64_t count = 0;
    std::vector<std::vector<std::uint8_t>> inputs;
    std::vector<Result> results;
};

class Reader {
public:
    Reader() {
        FILE* pipe = ::popen("gzip -dc " LANEWISE_TESTS_FOLDER "/data/numpy_values.gz", "r");
        std::uint8_t block[65536];
        while (std::size_t read = std::fread(block, 1, sizeof(block), pipe))
            data_.insert(data_.end(), block, block + read);
        ::pclose(pipe);
    }
    bool at_end() const { return at_ >= data_.size(); }
    Group group() {
        Group group;
        const int inputs = number<std::uint8_t>();
        for (int i = 0; i < inputs; ++i) group.dtypes.push_back(of_letter(static_cast<char>(number<std::uint8_t>())));
        group.count = number<std::uint32_t>();
        for (DType dtype : group.dtypes) group.inputs.push_back(take(group.count * size_of(dtype)));
        const int results = number<std::uint16_t>();
        for (int i = 0; i < results; ++i) {
            Result result;
            const auto name = take(number<std::uint8_t>());
            result.name.assign(name.begin(), name.end());
            result.dtype = of_letter(static_cast<char>(number<std::uint8_t>()));
            result.bytes = take(group.count * size_of(result.dtype));
            group.results.push_back(std::move(result));
        }
        return group;
    }

private:
    template <class T>
    T number() {
        T value;
        std::memcpy(&value, &data_.at(at_), sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    std::vector<std::uint8_t> take(std::int64_t count) {
        std::vector<std::uint8_t> part(data_.begin() + static_cast<std::ptrdiff_t>(at_),
                                       data_.begin() + static_cast<std::ptrdiff_t>(at_) + count);
        at_ += static_cast<std::size_t>(count);
        return part;
    }
    std::vector<std::uint8_t> data_;
    std::size_t at_ = 0;
};

/// How far a result may be from NumPy's, in units in the last place; complex numbers: of the larger part.
double tolerance(const std::string& name, DType type) {
    static const std::map<std::string, double> inexact = {{"power", 8},
                                                          {"float_power", 8},
                                                          {"cbrt", 3},
                                                          {"exp", 4},
                                                          {"exp2", 4},
                                                          {"expm1", 4},
                                                          {"log", 4},
                                                          {"log2", 4},
                                                          {"log10", 4},
                                                          {"log1p", 4},
                                                          {"logaddexp", 4},
                                                          {"logaddexp2", 4},
                                                          {"sin", 4},
                                                          {"cos", 4},
                                                          {"tan", 4},
                                                          {"arcsin", 4},
                                                          {"arccos", 4},
                                                          {"arctan", 4},
                                                          {"arctan2", 4},
                                                          {"hypot", 2},
                                                          {"sinh", 4},
                                                          {"cosh", 4},
                                                          {"tanh", 4},
                                                          {"arcsinh", 4},
                                                          {"arccosh", 4},
                                                          {"arctanh", 4},
                                                          {"deg2rad", 1},
                                                          {"rad2deg", 1},
                                                          {"radians", 1},
                                                          {"degrees", 1},
                                                          // Equal zeros may differ in sign.
                                                          {"maximum", .1},
                                                          {"minimum", .1},
                                                          {"fmax", .1},
                                                          {"fmin", .1},
                                                          {"nextafter", .1}};
    auto found = inexact.find(name);
    if (found == inexact.end()) return is_complex(type) ? 4 : 0;
    const double ulps = found->second;
    // NumPy loses the logarithm of a modulus near 1.
    if (is_complex(type) && name == "log1p") return 2000;
    // Large exponents multiply the error of a logarithm.
    if (is_complex(type) && name == "power") return 1000;
    if (is_complex(type)) return std::max(4 * ulps, 4.0);
    return size_of(type) == 2 ? std::min(ulps, 1.0) : ulps;
}

double part_at(const std::vector<std::uint8_t>& bytes, DType type, std::int64_t index) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + index * size_of(type), static_cast<std::size_t>(size_of(type)));
    if (is_float(type)) return ir::decode_float(type, bits);
    if (is_unsigned(type) || is_bool(type)) return static_cast<double>(bits);
    return static_cast<double>(ir::decode_integer(type, bits));
}

bool agree(double got, double wanted, double ulps, double unit) {
    if (std::isnan(wanted)) return std::isnan(got);
    if (got == wanted) return ulps > 0 || std::signbit(got) == std::signbit(wanted);
    if (std::isinf(wanted) || std::isnan(got)) return false;
    return std::abs(got - wanted) <= ulps * unit;
}

double unit_of(double value, DType type) {
    const int digits = type == DType::Float16 ? 10 : type == DType::Float32 ? 23 : 52;
    const double least = type == DType::Float16 ? 0x1p-24 : type == DType::Float32 ? 0x1p-149 : 0x1p-1074;
    if (value == 0 || !std::isfinite(value)) return least;
    return std::max(std::ldexp(1.0, std::ilogb(value) - digits), least);
}

std::string spell(const std::vector<std::uint8_t>& bytes, DType type, std::int64_t i) {
    const DType part = real_of(type);
    if (!is_complex(type)) return std::to_string(part_at(bytes, part, i));
    return std::to_string(part_at(bytes, part, 2 * i)) + "+" + std::to_string(part_at(bytes, part, 2 * i + 1)) + "j";
}

void compare(const Group& group, const Result& wanted, const std::vector<std::uint8_t>& got) {
    const DType part = real_of(wanted.dtype);
    const int parts = is_complex(wanted.dtype) ? 2 : 1;
    const double ulps = tolerance(wanted.name, is_complex(group.dtypes[0]) ? DType::Complex128 : wanted.dtype);
    int failures = 0;
    for (std::int64_t i = 0; i < group.count && failures < 3; ++i) {
        bool equal = true;
        if (is_integer(part) || is_bool(part)) {
            equal = std::memcmp(got.data() + i * size_of(part), wanted.bytes.data() + i * size_of(part),
                                static_cast<std::size_t>(size_of(part))) == 0;
        } else {
            double largest = 0;
            for (int p = 0; p < parts; ++p) {
                const double value = std::abs(part_at(wanted.bytes, part, parts * i + p));
                if (std::isfinite(value)) largest = std::max(largest, value);
            }
            for (int p = 0; p < parts; ++p)
                equal &= agree(part_at(got, part, parts * i + p), part_at(wanted.bytes, part, parts * i + p), ulps,
                               unit_of(largest, part));
        }
        if (equal) continue;
        ++failures;
        std::string inputs;
        for (std::size_t k = 0; k < group.inputs.size(); ++k)
            inputs +=
                (k ? ", " : "") + std::string(name(group.dtypes[k])) + " " + spell(group.inputs[k], group.dtypes[k], i);
        ADD_FAILURE() << wanted.name << "(" << inputs << ") gave " << spell(got, wanted.dtype, i) << ", NumPy "
                      << spell(wanted.bytes, wanted.dtype, i);
    }
}

TEST(NumPyValues, UfuncsAndCastsOfAllTypesAndPairs) {
    Reader reader;
    int compared = 0;
    while (!reader.at_end()) {
        const Group group = reader.group();
        std::vector<Array> arrays;
        for (std::size_t k = 0; k < group.inputs.size(); ++k) {
            const DType dtype = group.dtypes[k];
            arrays.push_back(Array::from_host(
                {const_cast<std::uint8_t*>(group.inputs[k].data()), dtype, Dims{group.count}, Dims{size_of(dtype)}},
                stream()));
        }
        const std::vector<Operand> inputs(arrays.begin(), arrays.end());
        std::vector<Array> results;
        for (const Result& wanted : group.results) {
            if (wanted.name == "astype") {
                results.push_back(astype(*inputs[0].array(), wanted.dtype));
                continue;
            }
            const auto ufunc = ufunc_from_name(wanted.name == "degrees"   ? "rad2deg"
                                               : wanted.name == "radians" ? "deg2rad"
                                                                          : wanted.name);
            ASSERT_TRUE(ufunc) << wanted.name;
            results.push_back(lanewise::apply(*ufunc, inputs));
        }
        for (std::size_t i = 0; i < results.size(); ++i) {
            ASSERT_EQ(results[i].dtype(), group.results[i].dtype) << group.results[i].name;
            compare(group, group.results[i], bytes(results[i]));
            ++compared;
        }
    }
    EXPECT_GT(compared, 3000);
}

}  // namespace
}  // namespace lanewise::testing
