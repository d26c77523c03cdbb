// The CUDA functions of kernels: their types as Numba has them, the intrinsics they become, what they refuse.
#include <gtest/gtest.h>

#include "frontend/python/scalar_constants.h"
#include "frontend/python/scalar_rules.h"
#include "kernel_expression.h"

namespace lanewise::testing {

using python::Emitter;
using python::Operand;
using ::testing::IsSubstring;

namespace {

std::string ir_of(const std::vector<DType>& parameters, const Body& body) {
    // The result is returned item by item; arrays are not, so their tests end in a scalar.
    return Expression(parameters, body).text();
}

Operand number(Emitter& e, std::int64_t value) {
    return literal(e, value);
}

Operand shared_array(Emitter& e, const Operand& shape, DType of) {
    return call(e, "cuda.shared.array", {shape, dtype(e, of)});
}

std::string array_refusal(DType of, const std::string& name, std::size_t values) {
    return refusal({}, [=](Emitter& e, const auto&) {
        std::vector<Operand> arguments = {shared_array(e, number(e, 4), of), number(e, 0)};
        for (std::size_t i = 0; i < values; ++i) arguments.push_back(number(e, 1));
        return call(e, name, arguments);
    });
}

}  // namespace

TEST(CudaGrid, IsInt64OfInt32Indices) {
    const auto grid = [](const std::string& name, std::int64_t ndim) {
        return python::to_string(
            type_of({}, [=](Emitter& e, const auto&) { return call(e, name, {number(e, ndim)}); }));
    };
    EXPECT_EQ(grid("cuda.grid", 1), "int64");
    EXPECT_EQ(grid("cuda.grid", 2), "UniTuple(int64 x 2)");
    EXPECT_EQ(grid("cuda.gridsize", 3), "UniTuple(int64 x 3)");
    const std::string ir = ir_of({}, [](Emitter& e, const auto&) { return call(e, "cuda.grid", {number(e, 1)}); });
    EXPECT_PRED_FORMAT2(IsSubstring, "ctaid.x", ir);
    EXPECT_PRED_FORMAT2(IsSubstring, "i64 = mul", ir);
}

TEST(CudaGrid, RefusesOtherDimensions) {
    EXPECT_PRED_FORMAT2(IsSubstring, "`ndim` must be 1, 2 or 3, not 4",
                        refusal({}, [](Emitter& e, const auto&) { return call(e, "cuda.grid", {number(e, 4)}); }));
    EXPECT_PRED_FORMAT2(IsSubstring, "must be a compile-time integer", refusal({DType::Int64}, function("cuda.grid")));
    EXPECT_PRED_FORMAT2(IsSubstring, "needs `ndim`", refusal({}, function("cuda.grid")));
}

TEST(CudaValues, AreInt32) {
    ir::Module module;
    const python::Options options;
    Emitter e(module, options);
    for (const char* name : {"cuda.threadIdx.x", "cuda.gridDim.z", "cuda.laneid", "cuda.warpsize"}) {
        python::Call c{e, name, name, {}, {}, {}, {}};
        const python::Handler handler = python::find_builtin_value(name);
        ASSERT_NE(handler, nullptr) << name;
        EXPECT_EQ(python::to_string(handler(c).type), "int32") << name;
    }
    python::Call c{e, "cuda.warpsize", "cuda.warpsize", {}, {}, {}, {}};
    EXPECT_EQ(python::constant_integer(python::find_builtin_value("cuda.warpsize")(c)), 32);
}

TEST(CudaBarriers, GiveWhatNumbaGives) {
    EXPECT_EQ(type_name("cuda.syncthreads", {}), "none");
    EXPECT_EQ(type_name("cuda.syncthreads_count", {DType::Bool}), "int32");
    EXPECT_EQ(type_name("cuda.syncthreads_and", {DType::Int64}), "int32");
    EXPECT_EQ(type_name("cuda.syncwarp", {}), "none");
    EXPECT_EQ(type_name("cuda.threadfence_system", {}), "none");
    EXPECT_PRED_FORMAT2(IsSubstring, "barrier.count", ir_of({DType::Int32}, function("cuda.syncthreads_count")));
    EXPECT_PRED_FORMAT2(IsSubstring, "takes no arguments", refusal({DType::Int32}, function("cuda.syncthreads")));
}

TEST(CudaWarp, ExchangesKeepTheValueType) {
    for (DType dtype : {DType::Int32, DType::Int64, DType::UInt32, DType::UInt64, DType::Float32, DType::Float64}) {
        EXPECT_EQ(type_name("cuda.shfl_down_sync", {DType::Int64, dtype, DType::Int64}), name(dtype));
    }
    EXPECT_EQ(type_name("cuda.shfl_sync", {DType::Int64, DType::Bool, DType::Int64}), "int32");
    EXPECT_EQ(type_name("cuda.ballot_sync", {DType::Int64, DType::Bool}), "int32");
    EXPECT_EQ(type_name("cuda.all_sync", {DType::Int64, DType::Int32}), "bool");
    EXPECT_EQ(type_name("cuda.match_any_sync", {DType::Int64, DType::Float32}), "int32");
    EXPECT_EQ(type_name("cuda.match_all_sync", {DType::Int64, DType::Int64}), "Tuple(int32, bool)");
    EXPECT_EQ(type_name("cuda.activemask", {}), "uint32");
    EXPECT_EQ(type_name("cuda.lanemask_lt", {}), "uint32");
    EXPECT_PRED_FORMAT2(IsSubstring, "takes an integer",
                        refusal({DType::Float32, DType::Int32, DType::Int32}, function("cuda.shfl_sync")));
    EXPECT_PRED_FORMAT2(IsSubstring, "needs `delta`",
                        refusal({DType::Int32, DType::Int32}, function("cuda.shfl_up_sync")));
}

TEST(CudaBits, KeepTheOperandsType) {
    EXPECT_EQ(type_name("cuda.popc", {DType::UInt64}), "uint64");
    EXPECT_EQ(type_name("cuda.clz", {DType::Int32}), "int32");
    EXPECT_EQ(type_name("cuda.brev", {DType::UInt32}), "uint32");
    EXPECT_EQ(type_name("cuda.ffs", {DType::Int64}), "uint32");
    EXPECT_EQ(type_name("cuda.selp", {DType::Bool, DType::Int32, DType::Float32}), "float64");
    EXPECT_EQ(type_name("cuda.fma", {DType::Float32, DType::Float32, DType::Float32}), "float32");
    EXPECT_EQ(type_name("cuda.fma", {DType::Float32, DType::Float64, DType::Float32}), "float64");
    const auto of = [](const std::string& name, DType dtype, std::uint64_t bits) {
        return Expression({dtype}, function(name))({bits})[0];
    };
    EXPECT_EQ(of("cuda.ffs", DType::Int32, 0), 0u);
    EXPECT_EQ(of("cuda.ffs", DType::Int64, std::uint64_t{1} << 40), 41u);
    EXPECT_EQ(of("cuda.clz", DType::Int32, 0), 32u);
    EXPECT_EQ(of("cuda.popc", DType::Int64, ~std::uint64_t{0}), 64u);
    EXPECT_EQ(of("cuda.brev", DType::UInt32, 1), 0x80000000u);
}

TEST(SharedArrays, TakeConstantShapes) {
    const auto type = [](const Body& shape) {
        return type_of({}, [&](Emitter& e, const auto& x) { return shared_array(e, shape(e, x), DType::Float32); });
    };
    const python::TypePtr vector = type([](Emitter& e, const auto&) { return number(e, 64); });
    EXPECT_EQ(python::to_string(vector), "array(float32, 1d, C)");
    EXPECT_EQ(vector->space, ir::Space::Shared);
    EXPECT_EQ(type([](Emitter& e, const auto&) { return e.tuple({number(e, 4), number(e, 8)}); })->ndim, 2);
    EXPECT_EQ(type([](Emitter& e, const auto&) {
                  return python::binary(e, syntax::BinaryOp::Mul, number(e, 16), number(e, 2));
              })->ndim,
              1);
    const python::TypePtr named = type_of({}, [](Emitter& e, const auto&) {
        return call(e, "cuda.local.array", {}, {{"dtype", text(e, "i4")}, {"shape", number(e, 3)}});
    });
    EXPECT_EQ(named->dtype, DType::Int32);
    EXPECT_EQ(named->space, ir::Space::Local);
}

TEST(SharedArrays, AreOneVariableACallAndDynamicOnesShareTheLaunchs) {
    const Body two = [](Emitter& e, const auto&) {
        const Operand a = shared_array(e, number(e, 64), DType::Float32);
        const Operand b = shared_array(e, number(e, 64), DType::Float32);
        e.builder().store(a.parts[0], e.builder().constant_float(DType::Float32, 1));
        e.builder().store(b.parts[0], e.builder().constant_float(DType::Float32, 2));
        return e.none();
    };
    const std::string ir = ir_of({}, two);
    EXPECT_PRED_FORMAT2(IsSubstring, "f$shared0", ir);
    EXPECT_PRED_FORMAT2(IsSubstring, "f$shared1", ir);
    const Body length = [](Emitter& e, const auto&) {
        return call(e, "builtins.len", {shared_array(e, number(e, 0), DType::Float64)});
    };
    EXPECT_PRED_FORMAT2(IsSubstring, "dynamic_smem_size", ir_of({}, length));
}

TEST(SharedArrays, SayWhatWouldWork) {
    const auto shaped = [](const std::string& name) {
        return [name](Emitter& e, const std::vector<Operand>& x) {
            return call(e, name, {x[0], dtype(e, DType::Float32)});
        };
    };
    const std::string shared = refusal({DType::Int64}, shaped("cuda.shared.array"));
    EXPECT_PRED_FORMAT2(IsSubstring, "`shape` must be known at compile time", shared);
    EXPECT_PRED_FORMAT2(IsSubstring, "kernel[grid, block, stream, bytes]", shared);
    EXPECT_PRED_FORMAT2(IsSubstring, "declare the largest size needed",
                        refusal({DType::Int64}, shaped("cuda.local.array")));
    EXPECT_PRED_FORMAT2(IsSubstring, "must be an integer", refusal({DType::Float32}, shaped("cuda.shared.array")));
    const auto of = [](const std::string& name, const Body& shape, const Body& dtype_of) {
        return refusal({}, [=](Emitter& e, const auto& x) { return call(e, name, {shape(e, x), dtype_of(e, x)}); });
    };
    const Body float32 = [](Emitter& e, const auto&) { return dtype(e, DType::Float32); };
    const Body zero = [](Emitter& e, const auto&) { return number(e, 0); };
    EXPECT_PRED_FORMAT2(IsSubstring, "must not be negative",
                        of("cuda.shared.array", [](Emitter& e, const auto&) { return number(e, -1); }, float32));
    EXPECT_PRED_FORMAT2(IsSubstring, "at least one element", of("cuda.local.array", zero, float32));
    EXPECT_PRED_FORMAT2(IsSubstring, "only a shape of one 0",
                        of(
                            "cuda.shared.array",
                            [](Emitter& e, const auto&) { return e.tuple({number(e, 0), number(e, 2)}); }, float32));
    EXPECT_PRED_FORMAT2(IsSubstring, "larger than 2 GiB",
                        of("cuda.local.array", [](Emitter& e, const auto&) { return number(e, 1 << 30); }, float32));
    EXPECT_PRED_FORMAT2(IsSubstring, "must be a dtype", of("cuda.shared.array", zero, zero));
    EXPECT_PRED_FORMAT2(IsSubstring, "names no dtype",
                        of("cuda.shared.array", zero, [](Emitter& e, const auto&) { return text(e, "f5"); }));
    EXPECT_PRED_FORMAT2(
        IsSubstring, "float16 values are not supported",
        of("cuda.shared.array", zero, [](Emitter& e, const auto&) { return dtype(e, DType::Float16); }));
    EXPECT_PRED_FORMAT2(IsSubstring, "power of two, a multiple of 8", refusal({}, [](Emitter& e, const auto&) {
                            return call(e, "cuda.shared.array",
                                        {number(e, 8), dtype(e, DType::Float32), number(e, 24)});
                        }));
    EXPECT_PRED_FORMAT2(IsSubstring, "takes a NumPy array that is a global",
                        refusal({DType::Int32}, function("cuda.const.array_like")));
}

TEST(Atomics, GiveTheOldElement) {
    const auto type = [](DType of, const std::string& name) {
        return python::to_string(type_of({}, [=](Emitter& e, const auto&) {
            return call(e, name, {shared_array(e, number(e, 4), of), number(e, 0), number(e, 1)});
        }));
    };
    EXPECT_EQ(type(DType::Float32, "cuda.atomic.add"), "float32");
    EXPECT_EQ(type(DType::UInt64, "cuda.atomic.inc"), "uint64");
    EXPECT_EQ(type(DType::Int32, "cuda.atomic.exch"), "int32");
    EXPECT_EQ(type(DType::Float64, "cuda.atomic.nanmax"), "float64");
    const std::string ir = ir_of({DType::Float64}, [](Emitter& e, const auto& x) {
        const Operand array = shared_array(e, e.tuple({number(e, 4), number(e, 4)}), DType::Int32);
        return call(e, "cuda.atomic.max", {array, e.tuple({number(e, 1), number(e, -1)}), x[0]});
    });
    EXPECT_PRED_FORMAT2(IsSubstring, "i32 = cast", ir);
    EXPECT_PRED_FORMAT2(IsSubstring, "atomic.max", ir);
    EXPECT_EQ(python::to_string(
                  type_of({},
                          [](Emitter& e, const auto&) {
                              const Operand array = shared_array(e, number(e, 4), DType::Int64);
                              call(e, "cuda.atomic.cas", {array, number(e, 2), number(e, 0), number(e, 1)});
                              return call(e, "cuda.atomic.compare_and_swap", {array, number(e, 0), number(e, 1)});
                          })),
              "int64");
}

TEST(Atomics, RefuseOtherElements) {
    EXPECT_PRED_FORMAT2(IsSubstring, "int32, uint32, int64, uint64, float32 and float64",
                        array_refusal(DType::Int8, "cuda.atomic.add", 1));
    EXPECT_PRED_FORMAT2(IsSubstring, "int32, uint32, int64 and uint64",
                        array_refusal(DType::Float32, "cuda.atomic.and_", 1));
    EXPECT_PRED_FORMAT2(IsSubstring, "uint32 and uint64", array_refusal(DType::Int32, "cuda.atomic.inc", 1));
    EXPECT_PRED_FORMAT2(IsSubstring, "int32, uint32, int64 and uint64",
                        array_refusal(DType::Float32, "cuda.atomic.cas", 2));
    EXPECT_PRED_FORMAT2(IsSubstring, "needs `val`", array_refusal(DType::Int32, "cuda.atomic.add", 0));
    EXPECT_PRED_FORMAT2(IsSubstring, "takes an array",
                        refusal({DType::Int32, DType::Int32, DType::Int32}, function("cuda.atomic.add")));
    EXPECT_PRED_FORMAT2(IsSubstring, "is read-only", refusal({}, [](Emitter& e, const auto&) {
                            Operand array;
                            array.type = python::array_type(DType::Int32, 1, python::Layout::C, true);
                            return call(e, "cuda.atomic.add", {array, number(e, 0), number(e, 1)});
                        }));
}

TEST(CacheHints, AreLoadsAndStoresWithTheirOperator) {
    const std::string load = ir_of({}, [](Emitter& e, const auto&) {
        return call(e, "cuda.ldcg", {shared_array(e, number(e, 4), DType::Float32), number(e, 1)});
    });
    EXPECT_PRED_FORMAT2(IsSubstring, "load", load);
    EXPECT_PRED_FORMAT2(IsSubstring, "cg", load);
    EXPECT_EQ(python::to_string(type_of({},
                                        [](Emitter& e, const auto&) {
                                            return call(e, "cuda.stwt",
                                                        {shared_array(e, number(e, 4), DType::Float32), number(e, 1),
                                                         number(e, 2)});
                                        })),
              "none");
}

TEST(Print, FormatsAsNumbasKernelsDo) {
    const std::string ir =
        ir_of({DType::Int32, DType::Float32, DType::UInt8, DType::Bool}, [](Emitter& e, const auto& x) {
            return call(e, "builtins.print", {text(e, "50%"), x[0], e.tuple({x[1], x[2]}), e.tuple({x[3]}), e.none()});
        });
    EXPECT_PRED_FORMAT2(IsSubstring, "50%% %lld (%f, %llu) (%s,) None\\n", ir);
    const std::string joined = ir_of({DType::Int64}, [](Emitter& e, const auto& x) {
        return call(e, "builtins.print", {x[0], x[0]}, {{"sep", text(e, "-")}, {"end", text(e, "")}});
    });
    EXPECT_PRED_FORMAT2(IsSubstring, "\"%lld-%lld\"", joined);
}

TEST(Print, RefusesWhatItCannotShow) {
    EXPECT_PRED_FORMAT2(IsSubstring, "cannot be printed in a kernel", refusal({}, [](Emitter& e, const auto&) {
                            return call(e, "builtins.print", {shared_array(e, number(e, 4), DType::Float32)});
                        }));
    EXPECT_PRED_FORMAT2(IsSubstring, "takes no keyword `file`", refusal({}, [](Emitter& e, const auto&) {
                            return call(e, "builtins.print", {}, {{"file", e.none()}});
                        }));
    EXPECT_THROW(
        ir_of({DType::Int32},
              [](Emitter& e, const auto& x) { return call(e, "builtins.print", std::vector<Operand>(33, x[0])); }),
        Error);
}

TEST(ArrayMethods, MakeViews) {
    const auto made = [](const std::string& name, std::vector<std::int64_t> arguments) {
        return python::to_string(type_of({}, [=](Emitter& e, const auto&) {
            std::vector<Operand> all = {shared_array(e, e.tuple({number(e, 4), number(e, 6)}), DType::Float32)};
            for (std::int64_t argument : arguments) all.push_back(number(e, argument));
            return call(e, name, all);
        }));
    };
    EXPECT_EQ(made("array.reshape", {24}), "array(float32, 1d, C)");
    EXPECT_EQ(made("array.reshape", {2, -1, 3}), "array(float32, 3d, C)");
    EXPECT_EQ(made("array.ravel", {}), "array(float32, 1d, C)");
    EXPECT_EQ(made("array.transpose", {}), "array(float32, 2d, F)");
    EXPECT_EQ(made("array.item", {1, 2}), "float32");
    EXPECT_EQ(python::to_string(type_of({},
                                        [](Emitter& e, const auto&) {
                                            return call(e, "array.view",
                                                        {shared_array(e, number(e, 4), DType::Float32),
                                                         dtype(e, DType::Int16)});
                                        })),
              "array(int16, 1d, C)");
}

TEST(ArrayMethods, RefuseCopies) {
    const auto on_fortran = [](const std::string& name, std::vector<std::int64_t> arguments) {
        return refusal({}, [=](Emitter& e, const auto&) {
            Operand array;
            array.type = python::array_type(DType::Float32, 2, python::Layout::F);
            std::vector<Operand> all = {array};
            for (std::int64_t argument : arguments) all.push_back(number(e, argument));
            return call(e, name, all);
        });
    };
    EXPECT_PRED_FORMAT2(IsSubstring, "must be C-contiguous", on_fortran("array.reshape", {6}));
    EXPECT_PRED_FORMAT2(IsSubstring, "must be C-contiguous", on_fortran("array.ravel", {}));
    EXPECT_PRED_FORMAT2(IsSubstring, "ravel() gives a view", on_fortran("array.flatten", {}));
    EXPECT_PRED_FORMAT2(IsSubstring, "takes 2 indices", on_fortran("array.item", {1}));
    EXPECT_PRED_FORMAT2(IsSubstring, "one may be -1", refusal({}, [](Emitter& e, const auto&) {
                            return call(e, "array.reshape",
                                        {shared_array(e, number(e, 4), DType::Float32), number(e, -1), number(e, -1)});
                        }));
}

}  // namespace lanewise::testing
