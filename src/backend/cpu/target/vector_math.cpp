#include "backend/cpu/target/vector_math.h"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include <deque>
#include <string>
#include <vector>

namespace lanewise::cpu {
namespace {

struct VectorFunction {
    const char* name;  ///< of the double form
    unsigned operands;
    bool is_intrinsic;        ///< LLVM has an intrinsic of that name, too
    bool is_precise = false;  ///< the double form's error is below 1 ulp
};

constexpr VectorFunction functions[] = {
    {"acos", 1, false},  {"acosh", 1, false},    {"asin", 1, false}, {"asinh", 1, false}, {"atan", 1, false},
    {"atan2", 2, false}, {"atanh", 1, false},    {"cbrt", 1, false}, {"cos", 1, true},    {"cosh", 1, false},
    {"erf", 1, false},   {"erfc", 1, false},     {"exp", 1, true},   {"exp10", 1, false}, {"exp2", 1, true},
    {"expm1", 1, false}, {"hypot", 2, false},    {"log", 1, true},   {"log10", 1, true},  {"log1p", 1, false},
    {"log2", 1, true},   {"pow", 2, true, true}, {"sin", 1, true},   {"sinh", 1, false},  {"tan", 1, false},
    {"tanh", 1, false},
};

/// The mappings for registers of `width` bits, whose letter in the vector ABI is `isa`.
class Mappings {
public:
    Mappings(char isa, unsigned width, bool is_float, bool only_precise = false) {
        for (const VectorFunction& function : functions)
            if (function.is_precise || !only_precise) add(function, isa, width / (is_float ? 32 : 64), is_float);
    }
    const std::vector<llvm::VecDesc>& all() const { return all_; }

private:
    void add(const VectorFunction& function, char isa, unsigned lanes, bool is_float) {
        const std::string scalar = std::string(function.name) + (is_float ? "f" : "");
        const std::string shape = "N" + std::to_string(lanes) + (function.operands == 1 ? "v" : "vv");
        const llvm::StringRef vector = keep(std::string("_ZGV") + isa + shape + "_" + scalar);
        const llvm::StringRef prefix = keep("_ZGV_LLVM_" + shape);
        const auto count = llvm::ElementCount::getFixed(lanes);
        all_.emplace_back(keep(scalar), vector, count, false, prefix);
        if (!function.is_intrinsic) return;
        const std::string intrinsic = std::string("llvm.") + function.name + (is_float ? ".f32" : ".f64");
        all_.emplace_back(keep(intrinsic), vector, count, false, prefix);
    }

    /// Mappings only refer to their names.
    llvm::StringRef keep(std::string name) { return names_.emplace_back(std::move(name)); }

    std::deque<std::string> names_;
    std::vector<llvm::VecDesc> all_;
};

}  // namespace

void add_vector_math(llvm::TargetLibraryInfoImpl& libraries, const llvm::TargetMachine& machine, bool with_doubles) {
    if (machine.getTargetTriple().getArch() != llvm::Triple::x86_64) return;
    struct Registers {
        Registers(char isa, unsigned width)
            : floats(isa, width, true), doubles(isa, width, false), precise_doubles(isa, width, false, true) {}
        Mappings floats, doubles, precise_doubles;
    };
    static const Registers sse('b', 128), avx2('d', 256), avx512('e', 512);
    auto add = [&](const Registers& registers) {
        libraries.addVectorizableFunctions(registers.floats.all());
        libraries.addVectorizableFunctions((with_doubles ? registers.doubles : registers.precise_doubles).all());
    };
    const llvm::MCSubtargetInfo& features = *machine.getMCSubtargetInfo();
    add(sse);
    if (features.checkFeatures("+avx2")) add(avx2);
    if (features.checkFeatures("+avx512f") && features.checkFeatures("+avx512dq")) add(avx512);
}

}  // namespace lanewise::cpu
