// Scalar operations, casts and atomics executed by the host's code: equal to constant folding, CPython's // and %, and
// the NaN rules of atomics.
#include <dlfcn.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include "backend/cpu/abi.h"
#include "compile.h"
#include "ir/fold.h"
#include "passes/pipeline.h"

namespace lanewise::test {
namespace {

using namespace ir;

/// A module compiled for the host and loaded; runs one block of a kernel at a time.
class HostProgram {
public:
    explicit HostProgram(ir::Module& module, const CompileOptions& options = {.opt_level = 1}) {
        passes::run_pipeline(module);
        image_ = lanewise_compiler()->compile(module, DeviceKind::Cpu,
                                              "x86_64:+avx2,+fma,+f16c,+bmi,+bmi2,+popcnt,+lzcnt", options);
        const std::string path = testing::TempDir() + "lanewise_host_" + std::to_string(getpid()) + ".so";
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(image_.bytes.data()),
                   static_cast<std::streamsize>(image_.bytes.size()));
        handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle_) ADD_FAILURE() << dlerror();
        std::filesystem::remove(path);
    }
    ~HostProgram() {
        if (handle_) dlclose(handle_);
    }

    /// One block of `threads`; `parameters` all eight bytes wide.
    void run(const std::string& name, std::uint32_t threads, std::vector<const void*> parameters) {
        const EntryPoint* entry = nullptr;
        for (const EntryPoint& candidate : image_.entries)
            if (candidate.name == name) entry = &candidate;
        ASSERT_NE(entry, nullptr) << name;
        auto function = reinterpret_cast<cpu::KernelFunction>(dlsym(handle_, name.c_str()));
        ASSERT_NE(function, nullptr) << name;
        cpu::Services services{};
        ErrorSlot error{};
        cpu::Launch launch{.grid = {1, 1, 1},
                           .block = {threads, 1, 1},
                           .parameters = parameters.data(),
                           .error = &error,
                           .services = &services};
        const std::size_t slots = (threads + 31) / 32 * 32;
        std::vector<std::max_align_t> shared(entry->static_shared_bytes / sizeof(std::max_align_t) + 16);
        std::vector<std::max_align_t> context(entry->context_bytes_per_thread * slots / sizeof(std::max_align_t) + 16);
        auto aligned = [](std::vector<std::max_align_t>& memory) {
            return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 63) / 64 * 64);
        };
        function(&launch, 0, 1, aligned(shared), aligned(context));
    }

private:
    Image image_;
    void* handle_ = nullptr;
};

constexpr DType scalar_types[] = {DType::Bool,     DType::Int8,    DType::Int16,  DType::Int32,  DType::Int64,
                                  DType::UInt8,    DType::UInt16,  DType::UInt32, DType::UInt64, DType::Float16,
                                  DType::BFloat16, DType::Float32, DType::Float64};
constexpr ScalarOp all_scalar_ops[] = {
#define LANEWISE_SCALAR(Id, ...) ScalarOp::Id,
#include "lanewise/tables/scalar.def"
#undef LANEWISE_SCALAR
};

/// Bit patterns worth trying, as the type holds them.
std::vector<std::uint64_t> interesting(DType type) {
    std::vector<std::uint64_t> patterns;
    if (is_float(type)) {
        const double inf = std::numeric_limits<double>::infinity();
        for (double value : {0.0, -0.0,  0.5,     1.0, -1.0, 1.5,  2.5,   -2.5, 3.0,  -7.25,
                             0.1, 255.5, 65504.0, 1e9, -3e9, 1e19, 3e-39, inf,  -inf, std::nan("")})
            patterns.push_back(encode_float(type, value));
    } else if (is_bool(type)) {
        patterns = {0, 1};
    } else {
        for (std::int64_t value : {0ll,
                                   1ll,
                                   2ll,
                                   3ll,
                                   7ll,
                                   12ll,
                                   31ll,
                                   32ll,
                                   63ll,
                                   64ll,
                                   127ll,
                                   128ll,
                                   255ll,
                                   0x7fffll,
                                   -1ll,
                                   -2ll,
                                   -7ll,
                                   -128ll,
                                   0x7fffffffll,
                                   -0x80000000ll,
                                   std::numeric_limits<long long>::min(),
                                   std::numeric_limits<long long>::max()})
            patterns.push_back(encode_integer(type, value));
    }
    return patterns;
}

/// Eight bytes an element, so that all types share one layout.
std::string show(DType type, std::uint64_t bits) {
    return is_float(type) ? std::to_string(decode_float(type, bits)) : std::to_string(decode_integer(type, bits));
}

bool same(DType type, std::uint64_t a, std::uint64_t b) {
    if (!is_float(type)) return a == b;
    const double x = decode_float(type, a), y = decode_float(type, b);
    return a == b || (std::isnan(x) && std::isnan(y));
}

DType result_type(ScalarOp op, DType type) {
    const char result = info(op).result;
    return result == 'b' ? DType::Bool : result == 'i' ? DType::Int32 : type;
}

TEST(HostExecution, ScalarOperationsEqualConstantFolding) {
    struct Case {
        std::string name;
        ScalarOp op;
        DType type;
    };
    std::vector<Case> cases;
    ir::Module module;
    for (ScalarOp op : all_scalar_ops) {
        const ScalarInfo& row = info(op);
        if (row.is_math() || row.operands.size() > 2) continue;
        for (DType type : scalar_types) {
            if (row.kinds.find(kind(type)) == std::string_view::npos) continue;
            cases.push_back({std::string(row.name) + "_" + std::string(name(type)), op, type});
            add_kernel(module, cases.back().name, {global_pointer, global_pointer, global_pointer},
                       [&](Builder& b, std::vector<Value*> p) {
                           Value* i = b.cast(b.intrinsic(ir::Intrinsic::TidX), DType::Int64);
                           std::vector<Value*> operands;
                           for (std::size_t k = 0; k < row.operands.size(); ++k)
                               operands.push_back(b.load(Type::scalar(type), b.pointer_add(p[1 + k], i, 8)));
                           b.store(b.pointer_add(p[0], i, 8), b.scalar(op, operands));
                       });
        }
    }
    HostProgram program(module);
    for (const Case& tested : cases) {
        const std::vector<std::uint64_t> patterns = interesting(tested.type);
        std::vector<std::uint64_t> a, b;
        const bool binary = info(tested.op).operands.size() == 2;
        for (std::uint64_t x : patterns)
            for (std::uint64_t y : patterns) {
                const std::uint64_t operands[] = {x, y};
                // What folding refuses (undefined division, zeros of both signs) is not defined here either.
                if (!fold_scalar(tested.op, tested.type, std::span(operands, binary ? 2 : 1))) continue;
                a.push_back(x);
                b.push_back(y);
            }
        if (a.empty()) continue;
        std::vector<std::uint64_t> out(a.size(), 0);
        program.run(tested.name, static_cast<std::uint32_t>(a.size()), {out.data(), a.data(), b.data()});
        const DType type = result_type(tested.op, tested.type);
        for (std::size_t i = 0; i < a.size(); ++i) {
            const std::uint64_t operands[] = {a[i], b[i]};
            const std::uint64_t expected = *fold_scalar(tested.op, tested.type, std::span(operands, binary ? 2 : 1));
            ASSERT_TRUE(same(type, out[i], expected))
                << tested.name << "(" << show(tested.type, a[i]) << ", " << show(tested.type, b[i]) << ") is "
                << show(type, out[i]) << ", expected " << show(type, expected);
        }
    }
}

TEST(HostExecution, CastsEqualConstantFolding) {
    ir::Module module;
    auto symbol = [](DType from, DType to) { return std::string(name(from)) + "_to_" + std::string(name(to)); };
    for (DType from : scalar_types)
        for (DType to : scalar_types)
            add_kernel(module, symbol(from, to), {global_pointer, global_pointer},
                       [&](Builder& b, std::vector<Value*> p) {
                           Value* i = b.cast(b.intrinsic(ir::Intrinsic::TidX), DType::Int64);
                           b.store(b.pointer_add(p[0], i, 8),
                                   b.cast(b.load(Type::scalar(from), b.pointer_add(p[1], i, 8)), to));
                       });
    HostProgram program(module);
    for (DType from : scalar_types)
        for (DType to : scalar_types) {
            std::vector<std::uint64_t> in = interesting(from), out(in.size(), 0);
            program.run(symbol(from, to), static_cast<std::uint32_t>(in.size()), {out.data(), in.data()});
            for (std::size_t i = 0; i < in.size(); ++i) {
                const auto expected = from == to ? std::optional(in[i]) : fold_cast(from, in[i], to);
                if (!expected) continue;
                EXPECT_TRUE(same(to, out[i], *expected)) << symbol(from, to) << "(" << show(from, in[i]) << ") is "
                                                         << show(to, out[i]) << ", expected " << show(to, *expected);
            }
        }
}

std::pair<double, double> python_divmod(double x, double y) {
    if (y == 0) return {x / y, std::nan("")};
    double remainder = std::fmod(x, y);
    double quotient = (x - remainder) / y;
    if (remainder != 0) {
        if ((y < 0) != (remainder < 0)) {
            remainder += y;
            quotient -= 1;
        }
    } else {
        remainder = std::copysign(0.0, y);
    }
    double floored;
    if (quotient != 0) {
        floored = std::floor(quotient);
        if (quotient - floored > 0.5) floored += 1;
    } else {
        floored = std::copysign(0.0, x / y);
    }
    return {floored, remainder};
}

TEST(HostExecution, FloatFloorDivisionAndModuloAreCpythons) {
    ir::Module module;
    add_kernel(module, "k", {global_pointer, global_pointer, global_pointer}, [](Builder& b, std::vector<Value*> p) {
        Value* i = b.cast(b.intrinsic(ir::Intrinsic::TidX), DType::Int64);
        const Type f64 = Type::scalar(DType::Float64);
        Value* x = b.load(f64, b.pointer_add(p[1], i, 8));
        Value* y = b.load(f64, b.pointer_add(p[2], i, 8));
        Value* at = b.pointer_add(p[0], i, 16);
        b.store(at, b.scalar(ScalarOp::FloorDiv, x, y));
        b.store(b.pointer_add(at, b.i64(1), 8), b.scalar(ScalarOp::Mod, x, y));
    });
    HostProgram program(module);
    std::vector<double> x, y;
    for (std::uint64_t a : interesting(DType::Float64))
        for (std::uint64_t b : interesting(DType::Float64)) {
            x.push_back(decode_float(DType::Float64, a));
            y.push_back(decode_float(DType::Float64, b));
        }
    std::vector<double> out(2 * x.size());
    program.run("k", static_cast<std::uint32_t>(x.size()), {out.data(), x.data(), y.data()});
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto [quotient, remainder] = python_divmod(x[i], y[i]);
        auto equal = [](double a, double b) {
            return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
        };
        EXPECT_TRUE(equal(out[2 * i], quotient)) << x[i] << " // " << y[i] << " is " << out[2 * i];
        EXPECT_TRUE(equal(out[2 * i + 1], remainder)) << x[i] << " % " << y[i] << " is " << out[2 * i + 1];
    }
}

TEST(HostExecution, AtomicExtremaFollowTheNanRules) {
    ir::Module module;
    const std::pair<AtomicOp, const char*> ops[] = {
        {AtomicOp::Min, "min"}, {AtomicOp::Max, "max"}, {AtomicOp::NanMin, "nanmin"}, {AtomicOp::NanMax, "nanmax"}};
    for (auto [op, symbol] : ops)
        add_kernel(module, symbol, {global_pointer, global_pointer, global_pointer},
                   [&, op = op](Builder& b, std::vector<Value*> p) {
                       const Type f64 = Type::scalar(DType::Float64);
                       b.store(p[0], b.atomic(op, p[1], b.load(f64, p[2])));
                   });
    HostProgram program(module);
    const double nan = std::nan("");
    struct Case {
        const char* symbol;
        double stored, operand, after;
    };
    for (const Case& c :
         {Case{"min", 2, 1, 1}, Case{"min", 1, 2, 1}, Case{"min", nan, 1, nan}, Case{"min", 1, nan, 1},
          Case{"max", 1, 2, 2}, Case{"max", nan, 2, nan}, Case{"max", 2, nan, 2}, Case{"nanmin", nan, 1, 1},
          Case{"nanmin", 1, nan, 1}, Case{"nanmin", 2, 1, 1}, Case{"nanmax", nan, 1, 1}, Case{"nanmax", 1, nan, 1},
          Case{"nanmax", 1, 2, 2}, Case{"nanmin", nan, nan, nan}}) {
        double old = 0, stored = c.stored, operand = c.operand;
        program.run(c.symbol, 1, {&old, &stored, &operand});
        auto equal = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
        EXPECT_TRUE(equal(old, c.stored)) << c.symbol << " " << c.stored << " " << c.operand << " gave " << old;
        EXPECT_TRUE(equal(stored, c.after)) << c.symbol << " " << c.stored << " " << c.operand << " left " << stored;
    }
}

TEST(HostExecution, AtomicWrappingFollowsCuda) {
    ir::Module module;
    add_kernel(module, "inc", {global_pointer, global_pointer}, [](Builder& b, std::vector<Value*> p) {
        b.atomic(AtomicOp::Increment, p[0], b.load(Type::scalar(DType::UInt32), p[1]));
    });
    add_kernel(module, "dec", {global_pointer, global_pointer}, [](Builder& b, std::vector<Value*> p) {
        b.atomic(AtomicOp::Decrement, p[0], b.load(Type::scalar(DType::UInt32), p[1]));
    });
    HostProgram program(module);
    auto after = [&](const char* symbol, std::uint32_t stored, std::uint32_t operand) {
        program.run(symbol, 1, {&stored, &operand});
        return stored;
    };
    EXPECT_EQ(after("inc", 3, 5), 4u);
    EXPECT_EQ(after("inc", 5, 5), 0u);
    EXPECT_EQ(after("inc", 9, 5), 0u);
    EXPECT_EQ(after("dec", 3, 5), 2u);
    EXPECT_EQ(after("dec", 0, 5), 5u);
    EXPECT_EQ(after("dec", 9, 5), 5u);
}

}  // namespace
}  // namespace lanewise::test
