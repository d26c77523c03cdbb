// Every row of the tables gives PTX that ptxas accepts, on a current and on an older architecture.
#include "compile.h"

namespace lanewise::test {
namespace {

using namespace ir;

constexpr DType scalar_types[] = {DType::Bool,     DType::Int8,    DType::Int16,  DType::Int32,  DType::Int64,
                                  DType::UInt8,    DType::UInt16,  DType::UInt32, DType::UInt64, DType::Float16,
                                  DType::BFloat16, DType::Float32, DType::Float64};
constexpr ScalarOp all_scalar_ops[] = {
#define LANEWISE_SCALAR(Id, ...) ScalarOp::Id,
#include "lanewise/tables/scalar.def"
#undef LANEWISE_SCALAR
};
constexpr ir::Intrinsic all_intrinsics[] = {
#define LANEWISE_INTRINSIC(Id, ...) ir::Intrinsic::Id,
#include "lanewise/tables/intrinsics.def"
#undef LANEWISE_INTRINSIC
};
constexpr DType exchanged_types[] = {DType::Int32,  DType::UInt32,  DType::Int64,
                                     DType::UInt64, DType::Float32, DType::Float64};

/// A kernel that stores op(loads) for every dtype the row accepts.
void add_scalar_kernels(ir::Module& module, ScalarOp op, bool with_bfloat = true) {
    const ScalarInfo& row = info(op);
    for (DType type : scalar_types) {
        if (row.kinds.find(kind(type)) == std::string_view::npos) continue;
        if (type == DType::BFloat16 && !with_bfloat) continue;
        add_kernel(module, std::string(row.name) + "_" + std::string(name(type)), {global_pointer, global_pointer},
                   [&](Builder& b, std::vector<Value*> p) {
                       std::vector<Value*> operands;
                       for (char letter : row.operands) {
                           const DType wanted = letter == 'i' ? DType::Int32 : letter == 'b' ? DType::Bool : type;
                           Value* at = b.pointer_add(p[1], b.i64(operands.size()), 8);
                           operands.push_back(b.load(Type::scalar(wanted), at));
                       }
                       b.store(p[0], b.scalar(op, operands));
                   });
    }
}

class Architecture : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, Architecture, testing::Values("sm_90a", "sm_80", "sm_75"));

TEST_P(Architecture, AssemblesEveryScalarOperation) {
    ir::Module module;
    for (ScalarOp op : all_scalar_ops) add_scalar_kernels(module, op);
    EXPECT_EQ(ptxas_complaint(compile_cuda(module, {}, GetParam()).ptx, GetParam()), "");
}

TEST_P(Architecture, AssemblesEveryScalarOperationUnderFastmath) {
    CompileOptions options;
    options.fastmath = true;
    for (bool bfloat : {false, true}) {
        ir::Module module;
        for (ScalarOp op : all_scalar_ops) add_scalar_kernels(module, op, bfloat);
        EXPECT_EQ(ptxas_complaint(compile_cuda(module, options, GetParam()).ptx, GetParam()), "");
    }
}

TEST_P(Architecture, AssemblesEveryCast) {
    ir::Module module;
    for (DType from : scalar_types)
        for (DType to : scalar_types)
            add_kernel(module, std::string(name(from)) + "_to_" + std::string(name(to)),
                       {global_pointer, global_pointer}, [&](Builder& b, std::vector<Value*> p) {
                           b.store(p[0], b.cast(b.load(Type::scalar(from), p[1]), to));
                       });
    EXPECT_EQ(ptxas_complaint(compile_cuda(module, {}, GetParam()).ptx, GetParam()), "");
}

TEST_P(Architecture, AssemblesEveryIntrinsic) {
    ir::Module module;
    for (ir::Intrinsic which : all_intrinsics) {
        const IntrinsicInfo& row = info(which);
        const bool generic = row.operands.find('T') != std::string_view::npos;
        for (DType type : exchanged_types) {
            if (!generic && type != DType::Int32) continue;
            std::string symbol = "k_" + std::string(row.name) + "_" + std::string(name(type));
            for (char& c : symbol)
                if (c == '.') c = '_';
            add_kernel(module, symbol, {global_pointer, global_pointer}, [&](Builder& b, std::vector<Value*> p) {
                std::vector<Value*> operands;
                for (char letter : row.operands) {
                    const DType wanted = letter == 'T'   ? type
                                         : letter == 'b' ? DType::Bool
                                         : letter == 'i' ? DType::Int32
                                         : letter == 'u' ? DType::UInt32
                                                         : DType::Int64;
                    operands.push_back(b.load(Type::scalar(wanted), b.pointer_add(p[1], b.i64(operands.size()), 8)));
                }
                Value* value = b.intrinsic(which, operands);
                for (std::size_t i = 0; i < row.results.size(); ++i)
                    b.store(b.pointer_add(p[0], b.i64(i), 8), b.result(value, i));
            });
        }
    }
    EXPECT_EQ(ptxas_complaint(compile_cuda(module, {}, GetParam()).ptx, GetParam()), "");
}

TEST_P(Architecture, AssemblesEveryAtomic) {
    ir::Module module;
    for (Space space : {Space::Global, Space::Shared, Space::Generic})
        for (int op = 0; op <= static_cast<int>(AtomicOp::Decrement); ++op)
            for (DType type : exchanged_types) {
                const AtomicOp which = static_cast<AtomicOp>(op);
                const bool bitwise = which == AtomicOp::And || which == AtomicOp::Or || which == AtomicOp::Xor;
                const bool wrapping = which == AtomicOp::Increment || which == AtomicOp::Decrement;
                if ((bitwise && is_float(type)) || (wrapping && !is_unsigned(type))) continue;
                const std::string symbol = std::string(name(which)) + "_" + std::string(name(type)) + "_" +
                                           std::to_string(static_cast<int>(space));
                add_kernel(module, symbol, {global_pointer, Type::pointer(space), Type::scalar(type)},
                           [&](Builder& b, std::vector<Value*> p) { b.store(p[0], b.atomic(which, p[1], p[2])); });
                if (which == AtomicOp::Add)
                    add_kernel(module, "cas_" + symbol, {global_pointer, Type::pointer(space), Type::scalar(type)},
                               [&](Builder& b, std::vector<Value*> p) {
                                   b.store(p[0], b.compare_swap(p[1], p[2], b.constant_bits(p[2]->type, 1)));
                               });
            }
    EXPECT_EQ(ptxas_complaint(compile_cuda(module, {}, GetParam()).ptx, GetParam()), "");
}

TEST_P(Architecture, AssemblesEveryCacheHint) {
    ir::Module module;
    for (DType type : scalar_types)
        for (CacheHint hint :
             {CacheHint::Ca, CacheHint::Cg, CacheHint::Cs, CacheHint::Lu, CacheHint::Cv, CacheHint::Volatile})
            add_kernel(module, "load_" + std::string(name(type)) + std::to_string(static_cast<int>(hint)),
                       {global_pointer, global_pointer}, [&](Builder& b, std::vector<Value*> p) {
                           b.store(p[0], b.load(Type::scalar(type), p[1], 0, hint));
                       });
    for (DType type : scalar_types)
        for (CacheHint hint : {CacheHint::Cg, CacheHint::Cs, CacheHint::Wb, CacheHint::Wt, CacheHint::Volatile})
            add_kernel(module, "store_" + std::string(name(type)) + std::to_string(static_cast<int>(hint)),
                       {global_pointer, global_pointer}, [&](Builder& b, std::vector<Value*> p) {
                           b.store(p[0], b.load(Type::scalar(type), p[1]), 0, hint);
                       });
    EXPECT_EQ(ptxas_complaint(compile_cuda(module, {}, GetParam()).ptx, GetParam()), "");
}

TEST_P(Architecture, AssemblesBoolAndNarrowParameters) {
    ir::Module module;
    for (DType type : scalar_types)
        add_kernel(module, "parameter_" + std::string(name(type)), {global_pointer, Type::scalar(type)},
                   [&](Builder& b, std::vector<Value*> p) { b.store(p[0], p[1]); });
    EXPECT_EQ(ptxas_complaint(compile_cuda(module, {}, GetParam()).ptx, GetParam()), "");
}

}  // namespace
}  // namespace lanewise::test
