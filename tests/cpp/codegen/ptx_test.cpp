// What the PTX of small kernels looks like where it matters for speed or meaning.
#include "compile.h"

namespace lanewise::test {
namespace {

using namespace ir;

const Type i32 = Type::scalar(DType::Int32), i64 = Type::scalar(DType::Int64), f32 = Type::scalar(DType::Float32),
           f64 = Type::scalar(DType::Float64);

Value* thread_index(Builder& b) {
    auto wide = [&](ir::Intrinsic which) { return b.cast(b.intrinsic(which), DType::Int64); };
    return b.add(b.mul(wide(ir::Intrinsic::CtaidX), wide(ir::Intrinsic::NtidX)), wide(ir::Intrinsic::TidX));
}

/// y[i] = a * x[i] + y[i], with Numba's wrap of negative indices.
void saxpy(Builder& b, const std::vector<Value*>& p) {
    Value* i = thread_index(b);
    Value* wrapped = b.select(b.lt(i, b.i64(0)), b.add(i, p[0]), i);
    Value* at = b.pointer_add(p[3], wrapped, 4);
    b.store(at, b.add(b.mul(p[1], b.load(f32, b.pointer_add(p[2], wrapped, 4))), b.load(f32, at)));
}
const std::vector<Type> saxpy_parameters{i64, f32, global_pointer, global_pointer};

Texts compile_saxpy(const CompileOptions& options = {}, const std::string& target = "sm_90a") {
    ir::Module module;
    add_kernel(module, "saxpy", saxpy_parameters, saxpy);
    return compile_cuda(module, options, target);
}

TEST(Ptx, ThreadIndicesAreKnownNotToBeNegative) {
    const std::string ptx = compile_saxpy().ptx;
    EXPECT_TRUE(contains(ptx, "mul.wide.u32")) << ptx;
    EXPECT_FALSE(contains(ptx, "selp")) << "the wrap of negative indices is still there\n" << ptx;
}

TEST(Ptx, ContractionIsAnOption) {
    EXPECT_TRUE(contains(compile_saxpy().ptx, "fma.rn.f32"));
    CompileOptions strict;
    strict.contract = false;
    const std::string ptx = compile_saxpy(strict).ptx;
    EXPECT_FALSE(contains(ptx, "fma")) << ptx;
    EXPECT_TRUE(contains(ptx, "mul.rn.f32") && contains(ptx, "add.rn.f32")) << ptx;
}

std::string compile_math(const CompileOptions& options) {
    ir::Module module;
    add_kernel(module, "k", {global_pointer, f32, f32}, [](Builder& b, std::vector<Value*> p) {
        Value* quotient = b.scalar(ScalarOp::Div, p[1], p[2]);
        b.store(p[0], b.scalar(ScalarOp::Sqrt, b.scalar(ScalarOp::Sin, quotient)));
    });
    return compile_cuda(module, options).ptx;
}

TEST(Ptx, DivisionAndSquareRootRoundCorrectlyUnlessFastmath) {
    const std::string precise = compile_math({});
    EXPECT_TRUE(contains(precise, "div.rn.f32") && contains(precise, "sqrt.rn.f32")) << precise;
    EXPECT_FALSE(contains(precise, ".ftz")) << precise;
    CompileOptions options;
    options.fastmath = true;
    const std::string fast = compile_math(options);
    EXPECT_TRUE(contains(fast, "div.approx.ftz.f32") && contains(fast, "sin.approx.ftz.f32")) << fast;
    EXPECT_FALSE(contains(fast, "sqrt.rn")) << fast;
}

TEST(Ptx, ReadOnlyParametersLoadThroughTheTextureCache) {
    ir::Module module;
    Function* kernel = add_kernel(module, "saxpy", saxpy_parameters, saxpy);
    kernel->parameters[2].read_only = kernel->parameters[2].no_alias = true;
    const std::string ptx = compile_cuda(module).ptx;
    EXPECT_EQ(count(ptx, "ld.global.nc.f32"), 1) << ptx;
    EXPECT_EQ(count(ptx, "ld.global.f32"), 1) << ptx;
}

TEST(Ptx, AlignedNeighboursAreLoadedTogether) {
    ir::Module module;
    Function* kernel = add_kernel(module, "k", {global_pointer, global_pointer}, [](Builder& b, std::vector<Value*> p) {
        Value* first = b.mul(thread_index(b), b.i64(4));
        for (int lane = 0; lane < 4; ++lane) {
            Value* i = b.add(first, b.i64(lane));
            Value* x = b.load(f32, b.pointer_add(p[1], i, 4));
            b.store(b.pointer_add(p[0], i, 4), b.add(x, x));
        }
    });
    for (ir::Parameter& parameter : kernel->parameters) {
        parameter.align = 16;
        parameter.no_alias = true;
    }
    const std::string ptx = compile_cuda(module).ptx;
    EXPECT_TRUE(contains(ptx, "v4.f32")) << ptx;
    EXPECT_TRUE(contains(ptx, "st.global.v4.f32")) << ptx;
}

TEST(Ptx, LaunchBoundsAreStated) {
    CompileOptions options;
    options.max_threads_per_block = 128;
    options.min_blocks_per_multiprocessor = 4;
    options.max_registers = 40;
    options.max_cluster_blocks = 8;
    const std::string ptx = compile_saxpy(options).ptx;
    EXPECT_TRUE(contains(ptx, ".maxntid 128")) << ptx;
    EXPECT_TRUE(contains(ptx, ".minnctapersm 4")) << ptx;
    EXPECT_TRUE(contains(ptx, ".maxnreg 40")) << ptx;
    EXPECT_TRUE(contains(ptx, ".maxclusterrank 8")) << ptx;
}

TEST(Ptx, ArchitecturesNewerThanLlvmGetTheNewestItKnows) {
    EXPECT_TRUE(contains(compile_saxpy({}, "sm_90a").ptx, ".target sm_90a"));
    EXPECT_TRUE(contains(compile_saxpy({}, "sm_90").ptx, ".target sm_90\n"));
    EXPECT_TRUE(contains(compile_saxpy({}, "sm_100a").ptx, ".target sm_90\n"));
    EXPECT_TRUE(contains(compile_saxpy({}, "sm_120").ptx, ".target sm_90\n"));
    EXPECT_TRUE(contains(compile_saxpy({}, "sm_88").ptx, ".target sm_87\n"));
    EXPECT_EQ(compile_saxpy({}, "sm_100a").image.target, "sm_100a");
}

TEST(Ptx, UnknownTargetsAreRefused) {
    for (const char* target : {"", "sm_", "sm_35", "compute_80", "sm_90x", "sm_80a "}) {
        try {
            compile_saxpy({}, target);
            ADD_FAILURE() << target;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Value);
            EXPECT_TRUE(contains(error.what(), "is no CUDA target")) << error.what();
        }
    }
}

TEST(Ptx, FloatToIntegerConversionsAreTheDevicesOwn) {
    auto compile = [](Type from, DType to) {
        ir::Module module;
        add_kernel(module, "k", {global_pointer, from},
                   [&](Builder& b, std::vector<Value*> p) { b.store(p[0], b.cast(p[1], to)); });
        return compile_cuda(module).ptx;
    };
    const std::string single = compile(f32, DType::Int32);
    EXPECT_TRUE(contains(single, "cvt.rzi.s32.f32")) << single;
    EXPECT_FALSE(contains(single, "setp") || contains(single, "selp") || contains(single, "min")) << single;
    // From float64 the device gives the lowest number for NaN; 0 takes a test.
    const std::string wide = compile(f64, DType::UInt32);
    EXPECT_TRUE(contains(wide, "cvt.rzi.u32.f64") && contains(wide, "setp.num.f64") && contains(wide, "selp")) << wide;
    EXPECT_TRUE(contains(compile(f32, DType::Int64), "selp"));
}

TEST(Ptx, WideShufflesExchangeTwoWords) {
    ir::Module module;
    add_kernel(module, "k", {global_pointer, f64, f32}, [](Builder& b, std::vector<Value*> p) {
        Value* mask = b.constant(DType::UInt32, 0xffffffff);
        b.store(p[0], b.intrinsic(ir::Intrinsic::ShuffleDown, {mask, p[1], b.i32(4), b.i32(32)}));
        b.store(b.pointer_add(p[0], b.i64(1), 8),
                b.intrinsic(ir::Intrinsic::ShuffleXor, {mask, p[2], b.i32(1), b.i32(8)}));
        b.store(b.pointer_add(p[0], b.i64(2), 8),
                b.intrinsic(ir::Intrinsic::ShuffleUp, {mask, p[2], b.i32(1), b.i32(16)}));
    });
    const std::string ptx = compile_cuda(module).ptx;
    EXPECT_EQ(count(ptx, "shfl.sync.down.b32"), 2) << ptx;
    // Sub-warps of 8: segment mask 24 in bits 8 to 12, and lane 31 as the bound.
    EXPECT_TRUE(contains(ptx, "1, 6175, -1;")) << ptx;
    // Upwards the bound is lane 0 of the segment.
    EXPECT_TRUE(contains(ptx, "1, 4096, -1;")) << ptx;
}

TEST(Ptx, AtomicsAreNativeWhereTheDeviceHasThem) {
    ir::Module module;
    add_kernel(module, "k", {global_pointer, f32, f64, i32, Type::scalar(DType::UInt32)},
               [](Builder& b, std::vector<Value*> p) {
                   b.atomic(AtomicOp::Add, p[0], p[1]);
                   b.atomic(AtomicOp::Sub, p[0], p[2]);
                   b.atomic(AtomicOp::Max, p[0], p[3]);
                   b.atomic(AtomicOp::Increment, p[0], p[4]);
                   b.atomic(AtomicOp::Exchange, p[0], p[1]);
               });
    const std::string ptx = compile_cuda(module).ptx;
    for (const char* instruction : {"atom.global.add.f32", "atom.global.add.f64", "neg.f64", "atom.global.max.s32",
                                    "atom.global.inc.u32", "atom.global.exch.b32"})
        EXPECT_TRUE(contains(ptx, instruction)) << instruction << "\n" << ptx;
    EXPECT_FALSE(contains(ptx, "cas")) << ptx;
}

TEST(Ptx, SharedAndDynamicSharedMemoryAreReported) {
    ir::Module module;
    Global* tile = module.new_global("tile", Space::Shared, 1000, 16);
    Global* other = module.new_global("other", Space::Shared, 8, 8);
    add_kernel(module, "a", {global_pointer}, [&](Builder& b, std::vector<Value*> p) {
        b.store(b.global_address(tile), b.i32(1));
        b.intrinsic(ir::Intrinsic::Barrier);
        b.store(p[0], b.load(i32, b.pointer_add(b.global_address(tile), b.cast(b.load(i32, p[0]), DType::Int64), 4)));
        b.store(b.global_address(other), b.i32(1));
    });
    add_kernel(module, "b", {global_pointer}, [&](Builder& b, std::vector<Value*> p) {
        Value* at = b.pointer_add(b.dynamic_shared(), b.cast(b.intrinsic(ir::Intrinsic::TidX), DType::Int64), 4);
        b.store(at, b.i32(1));
        b.intrinsic(ir::Intrinsic::Barrier);
        b.store(p[0], b.load(i32, b.dynamic_shared()));
    });
    const Texts texts = compile_cuda(module);
    ASSERT_EQ(texts.image.entries.size(), 2u);
    EXPECT_EQ(texts.image.entries[0].static_shared_bytes, 1008u);
    EXPECT_FALSE(texts.image.entries[0].uses_dynamic_shared);
    EXPECT_EQ(texts.image.entries[1].static_shared_bytes, 0u);
    EXPECT_TRUE(texts.image.entries[1].uses_dynamic_shared);
    EXPECT_TRUE(contains(texts.ptx, ".shared .align 16 .b8 tile[1000]")) << texts.ptx;
    EXPECT_TRUE(contains(texts.ptx, ".extern .shared .align 16 .b8 __lanewise_dynamic_shared[]")) << texts.ptx;
}

TEST(Ptx, EntriesListParametersAtNaturalAlignment) {
    ir::Module module;
    Function* kernel = add_kernel(
        module, "k",
        {Type::scalar(DType::Bool), f32, Type::scalar(DType::Int8), f64, Type::scalar(DType::Float16), global_pointer},
        [](Builder& b, std::vector<Value*> p) { b.store(p[5], p[0]); });
    kernel->display_name = "module.kernel";
    const Image image = compile_cuda(module).image;
    ASSERT_EQ(image.entries.size(), 1u);
    const EntryPoint& entry = image.entries[0];
    EXPECT_EQ(entry.name, "k");
    EXPECT_EQ(entry.display_name, "module.kernel");
    EXPECT_EQ(entry.parameter_offsets, (std::vector<std::uint32_t>{0, 4, 8, 16, 24, 32}));
    EXPECT_EQ(entry.parameter_sizes, (std::vector<std::uint32_t>{1, 4, 1, 8, 2, 8}));
    EXPECT_EQ(entry.parameter_bytes, 40u);
    EXPECT_EQ(image.format, ImageFormat::Ptx);
    EXPECT_EQ(image.bytes.back(), 0);
}

TEST(Ptx, RaisingFillsTheErrorSlotAndEndsTheThread) {
    ir::Module module;
    module.raise_sites.resize(3);
    module.raise_sites[2] = {.python_class = "IndexError", .message = "index {0}", .at = {4, 2, 4, 8}};
    module.files.push_back({.path = "/a/b.py"});
    Function* check = module.new_function("check");
    Value* x = check->add_parameter({.name = "x", .type = i64});
    Builder b(module, *check);
    Block* entry = b.new_block("entry");
    Block* bad = b.new_block("bad");
    Block* good = b.new_block("good");
    b.set_block(entry);
    b.cond_branch(b.lt(x, b.i64(0)), bad, good);
    b.set_block(bad);
    b.raise(2, {x, b.i64(7)});
    b.set_block(good);
    b.ret();
    add_kernel(module, "raises", {i64}, [&](Builder& k, std::vector<Value*> p) { k.call(check, {p[0]}); });
    add_kernel(module, "silent", {global_pointer}, [&](Builder& k, std::vector<Value*> p) { k.store(p[0], k.i32(1)); });
    const Texts texts = compile_cuda(module);
    ASSERT_EQ(texts.image.entries.size(), 2u);
    EXPECT_TRUE(texts.image.entries[0].can_raise);
    EXPECT_FALSE(texts.image.entries[1].can_raise);
    ASSERT_EQ(texts.image.raise_sites.size(), 3u);
    EXPECT_EQ(texts.image.raise_sites[2].message, "index {0}");
    EXPECT_EQ(texts.image.files[0].path, "/a/b.py");
    EXPECT_TRUE(contains(texts.ptx, ".visible .global .align 8 .b8 __lanewise_error[80]")) << texts.ptx;
    EXPECT_TRUE(contains(texts.ptx, "atom.global.cas.b32") && contains(texts.ptx, "exit;")) << texts.ptx;
    EXPECT_FALSE(contains(texts.ptx, ".local")) << "the values went through memory\n" << texts.ptx;
    EXPECT_EQ(ptxas_complaint(texts.ptx), "");
}

TEST(Ptx, PrintPacksItsArguments) {
    ir::Module module;
    add_kernel(module, "k", {i32, f32, i64}, [](Builder& b, std::vector<Value*> p) {
        b.print("%d %f %lld %s\n", {p[0], p[1], p[2], b.string_constant("text")});
    });
    const Texts texts = compile_cuda(module);
    EXPECT_TRUE(contains(texts.ptx, "vprintf")) << texts.ptx;
    EXPECT_TRUE(contains(texts.ptx, "cvt.f64.f32")) << texts.ptx;
    EXPECT_TRUE(contains(texts.ptx, "[32]")) << "the packed arguments are not int, double, long long and pointer\n"
                                             << texts.ptx;
    EXPECT_EQ(ptxas_complaint(texts.ptx), "");
}

TEST(Ptx, LineTablesNameTheSource) {
    ir::Module module;
    module.files.push_back({.path = "/some/folder/kernel.py"});
    Function* kernel = add_kernel(module, "k", {global_pointer, f32}, [](Builder& b, std::vector<Value*> p) {
        b.set_location({17, 4, 17, 9});
        b.store(p[0], b.mul(p[1], p[1]));
        b.set_location({18, 4, 18, 9});
    });
    kernel->at = {15, 0, 15, 1};
    CompileOptions options;
    options.line_info = true;
    const std::string ptx = compile_cuda(module, options).ptx;
    EXPECT_TRUE(contains(ptx, "kernel.py")) << ptx;
    EXPECT_TRUE(contains(ptx, ".loc\t1 17 5")) << ptx;
    EXPECT_EQ(ptxas_complaint(ptx), "");
    EXPECT_FALSE(contains(compile_saxpy().ptx, ".loc"));
}

TEST(Ptx, DebugCodeCarriesDwarfAndIsNotOptimised) {
    ir::Module module;
    module.files.push_back({.path = "/some/folder/kernel.py"});
    Function* kernel = add_kernel(module, "saxpy", saxpy_parameters, saxpy);
    kernel->at = {15, 0, 15, 1};
    CompileOptions options;
    options.debug = true;
    const std::string ptx = compile_cuda(module, options).ptx;
    EXPECT_TRUE(contains(ptx, ".section\t.debug_info")) << ptx;
    EXPECT_EQ(ptxas_complaint(ptx), "");
}

TEST(Ptx, DeviceFunctionsReturnSeveralResults) {
    ir::Module module;
    Function* pair = module.new_function("pair");
    pair->results = {i32, f32};
    Value* x = pair->add_parameter({.name = "x", .type = i32});
    Builder b(module, *pair);
    b.set_block(b.new_block("entry"));
    b.ret({b.add(x, b.i32(1)), b.cast(x, DType::Float32)});
    add_kernel(module, "k", {global_pointer, i32}, [&](Builder& k, std::vector<Value*> p) {
        Value* call = k.call(pair, {p[1]});
        k.store(p[0], k.result(call, 0));
        k.store(k.pointer_add(p[0], k.i64(1), 4), k.result(call, 1));
    });
    const std::string ptx = compile_cuda(module).ptx;
    EXPECT_FALSE(contains(ptx, "call")) << "not inlined\n" << ptx;
    EXPECT_TRUE(contains(ptx, "cvt.rn.f32.s32")) << ptx;
}

TEST(Ptx, RecursiveFunctionsStayFunctions) {
    ir::Module module;
    Function* factorial = module.new_function("factorial");
    factorial->recursive = true;
    factorial->results = {i64};
    Value* n = factorial->add_parameter({.name = "n", .type = i64});
    Builder b(module, *factorial);
    Block* entry = b.new_block("entry");
    Block* one = b.new_block("one");
    Block* more = b.new_block("more");
    b.set_block(entry);
    Value* rest = b.scalar(ScalarOp::FloorDiv, n, b.i64(3));
    b.cond_branch(b.lt(n, b.i64(2)), one, more);
    b.set_block(one);
    b.ret({b.i64(1)});
    b.set_block(more);
    // Twice, so that it cannot become a loop.
    Value* left = b.call(factorial, {rest});
    Value* right = b.call(factorial, {b.sub(n, rest)});
    b.ret({b.mul(left, b.scalar(ScalarOp::BitXor, right, n))});
    add_kernel(module, "k", {global_pointer, i64},
               [&](Builder& k, std::vector<Value*> p) { k.store(p[0], k.call(factorial, {p[1]})); });
    const std::string ptx = compile_cuda(module).ptx;
    EXPECT_TRUE(contains(ptx, ".func")) << ptx;
    EXPECT_EQ(ptxas_complaint(ptx), "");
}

TEST(Ptx, BoolArraysTakeAnyNonZeroByteForTrue) {
    ir::Module module;
    add_kernel(module, "k", {global_pointer, global_pointer}, [](Builder& b, std::vector<Value*> p) {
        b.store(p[0], b.cast(b.load(Type::scalar(DType::Bool), p[1]), DType::Int32));
    });
    const std::string ptx = compile_cuda(module).ptx;
    EXPECT_TRUE(contains(ptx, "setp.ne.s16")) << ptx;
}

TEST(Ptx, ConstantArraysBeyondConstantMemoryAreRefused) {
    ir::Module module;
    module.name = "big";
    Global* table = module.new_global("table", Space::Constant, 65 * 1024, 16);
    add_kernel(module, "k", {global_pointer},
               [&](Builder& b, std::vector<Value*> p) { b.store(p[0], b.load(i32, b.global_address(table))); });
    try {
        compile_cuda(module);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_TRUE(contains(error.what(), "66560 bytes") && contains(error.what(), "65536")) << error.what();
    }
}

TEST(Ptx, ConstantArraysKeepTheirBytes) {
    ir::Module module;
    Global* table = module.new_global("table", Space::Constant, 8, 4);
    table->data = {1, 0, 0, 0, 2, 0, 0, 0};
    add_kernel(module, "k", {global_pointer, i64}, [&](Builder& b, std::vector<Value*> p) {
        b.store(p[0], b.load(i32, b.pointer_add(b.global_address(table), p[1], 4)));
    });
    const std::string ptx = compile_cuda(module).ptx;
    EXPECT_TRUE(contains(ptx, ".const .align 4 .b8 table[8] = {1, 0, 0, 0, 2")) << ptx;
    EXPECT_TRUE(contains(ptx, "ld.const.u32")) << ptx;
}

TEST(Ptx, MoreStaticSharedMemoryThanThereIsIsRefused) {
    ir::Module module;
    Global* tile = module.new_global("tile", Space::Shared, 49153, 4);
    add_kernel(module, "k", {global_pointer},
               [&](Builder& b, std::vector<Value*>) { b.store(b.global_address(tile), b.i32(1)); });
    try {
        compile_cuda(module);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_TRUE(contains(error.what(), "'k' declares 49153 bytes") && contains(error.what(), "49152"))
            << error.what();
    }
}

TEST(Ptx, ManyParametersFitOrAreRefused) {
    auto compile = [](std::size_t parameters, const std::string& target) {
        ir::Module module;
        add_kernel(module, "k", std::vector<Type>(parameters, global_pointer),
                   [](Builder& b, std::vector<Value*> p) { b.store(p.back(), b.i32(1)); });
        return compile_cuda(module, {}, target).ptx;
    };
    EXPECT_EQ(ptxas_complaint(compile(512, "sm_75"), "sm_75"), "");
    EXPECT_EQ(ptxas_complaint(compile(513, "sm_75"), "sm_75"), "");
    EXPECT_EQ(ptxas_complaint(compile(4095, "sm_90a")), "");
    EXPECT_THROW(compile(4096, "sm_90a"), Error);
    EXPECT_THROW(compile(513, "sm_60"), Error);
}

TEST(Ptx, ChainsOfFunctionsThatCallTwiceDoNotExplode) {
    ir::Module module;
    Function* inner = nullptr;
    for (int depth = 0; depth < 40; ++depth) {
        Function* function = module.new_function("f" + std::to_string(depth));
        function->results = {f32};
        Value* x = function->add_parameter({.name = "x", .type = f32});
        Builder b(module, *function);
        b.set_block(b.new_block("entry"));
        Value* y = b.mul(x, b.constant_float(DType::Float32, 1.5 + depth));
        if (inner) y = b.add(b.call(inner, {y}), b.call(inner, {b.add(y, x)}));
        b.ret({y});
        inner = function;
    }
    add_kernel(module, "k", {global_pointer, f32},
               [&](Builder& b, std::vector<Value*> p) { b.store(p[0], b.call(inner, {p[1]})); });
    const std::string ptx = compile_cuda(module).ptx;
    EXPECT_LT(ptx.size(), 2000000u);
    EXPECT_EQ(ptxas_complaint(ptx), "");
}

TEST(Ptx, GridBarriersMakeALaunchCooperative) {
    ir::Module module;
    add_kernel(module, "k", {global_pointer}, [](Builder& b, std::vector<Value*> p) {
        b.store(p[0], b.i32(1));
        b.intrinsic(ir::Intrinsic::GridBarrier);
        b.store(p[0], b.i32(2));
    });
    const Texts texts = compile_cuda(module);
    EXPECT_TRUE(texts.image.entries[0].cooperative);
    EXPECT_TRUE(contains(texts.ptx, "%envreg1")) << texts.ptx;
    EXPECT_EQ(ptxas_complaint(texts.ptx), "");
}

TEST(Ptx, MissingLibdeviceIsExplained) {
    const char* old = std::getenv("LANEWISE_LIBDEVICE");
    const std::string saved = old ? old : "";
    setenv("LANEWISE_LIBDEVICE", "/dev/null", 1);
    ir::Module module;
    add_kernel(module, "k", {global_pointer, f32},
               [](Builder& b, std::vector<Value*> p) { b.store(p[0], b.scalar(ScalarOp::Exp, p[1])); });
    // /dev/null is no regular file; an empty file is one, and no bitcode.
    const std::string empty = testing::TempDir() + "empty_libdevice.bc";
    fclose(fopen(empty.c_str(), "w"));
    setenv("LANEWISE_LIBDEVICE", empty.c_str(), 1);
    try {
        compile_cuda(module);
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_TRUE(contains(error.what(), empty)) << error.what();
    }
    if (old)
        setenv("LANEWISE_LIBDEVICE", saved.c_str(), 1);
    else
        unsetenv("LANEWISE_LIBDEVICE");
}

TEST(Ptx, UnknownLibdeviceFunctionsAreRefusedByName) {
    ir::Module module;
    add_kernel(module, "k", {global_pointer, f32}, [](Builder& b, std::vector<Value*> p) {
        b.store(p[0], b.external("__nv_no_such_function", {f32}, {p[1]}));
    });
    try {
        compile_cuda(module);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_TRUE(contains(error.what(), "__nv_no_such_function")) << error.what();
    }
}

TEST(Ptx, ExternalFunctionsWithPointerResultsNeedNoMemory) {
    ir::Module module;
    add_kernel(module, "k", {global_pointer, f32}, [](Builder& b, std::vector<Value*> p) {
        Value* sine = b.local_array(4, 4);
        Value* cosine = b.local_array(4, 4);
        b.external("__nv_fast_sincosf", {}, {p[1], sine, cosine}, true);
        b.store(p[0], b.add(b.load(f32, sine), b.load(f32, cosine)));
    });
    const std::string ptx = compile_cuda(module).ptx;
    EXPECT_TRUE(contains(ptx, "sin.approx") && contains(ptx, "cos.approx")) << ptx;
    EXPECT_FALSE(contains(ptx, ".local")) << ptx;
}

}  // namespace
}  // namespace lanewise::test
