// The thread's place in the launch, barriers, fences, and bit and arithmetic functions of numba.cuda.
#include <fmt/format.h>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"

namespace lanewise::python {

using ir::Intrinsic;
using ir::ScalarOp;
using ir::Value;

namespace {

struct Axis {
    Intrinsic thread, block, block_size, grid_size;
};
constexpr Axis axes[] = {
    {Intrinsic::TidX, Intrinsic::CtaidX, Intrinsic::NtidX, Intrinsic::NctaidX},
    {Intrinsic::TidY, Intrinsic::CtaidY, Intrinsic::NtidY, Intrinsic::NctaidY},
    {Intrinsic::TidZ, Intrinsic::CtaidZ, Intrinsic::NtidZ, Intrinsic::NctaidZ},
};

/// One int64 an axis, a tuple when there are several.
template <typename Emit>
Operand per_axis(Call& c, Emit emit) {
    c.bind({"ndim"}, 1);
    const std::int64_t ndim = c.constant_int(0, "ndim");
    if (ndim < 1 || ndim > 3) c.fail(fmt::format("`ndim` must be 1, 2 or 3, not {}", ndim));
    std::vector<Operand> items;
    for (std::int64_t i = 0; i < ndim; ++i) {
        items.push_back(emit_scalar(c.e, DType::Int64, [&](ir::Builder& b) { return emit(b, axes[i]); }));
    }
    return ndim == 1 ? items[0] : c.e.tuple(items);
}

Value* wide(ir::Builder& b, Intrinsic which) {
    return b.cast(b.intrinsic(which), DType::Int64);
}

Operand call_grid(Call& c) {
    return per_axis(c, [](ir::Builder& b, const Axis& axis) {
        return b.add(b.mul(wide(b, axis.block), wide(b, axis.block_size)), wide(b, axis.thread));
    });
}

Operand call_gridsize(Call& c) {
    return per_axis(
        c, [](ir::Builder& b, const Axis& axis) { return b.mul(wide(b, axis.block_size), wide(b, axis.grid_size)); });
}

template <Intrinsic which, DType dtype = DType::Int32>
Operand value_of(Call& c) {
    return emit_scalar(c.e, dtype, [](ir::Builder& b) { return b.intrinsic(which); });
}

Operand dim3_value(Call& c) {
    Type type;
    type.kind = Type::Kind::Dim3;
    type.builtin = std::string(c.name);
    Operand result;
    result.type = intern(type);
    return result;
}

/// Every device has warps of 32, so that cuda.warpsize can be a shape.
Operand warp_size(Call& c) {
    return c.e.integer(32, DType::Int32);
}

template <Intrinsic which>
Operand call_effect(Call& c) {
    c.bind({}, 0);
    if (!c.e.dry()) c.e.builder().intrinsic(which);
    return c.e.none();
}

/// Barriers that reduce a predicate: the result is an int32.
template <Intrinsic which>
Operand call_barrier_reduction(Call& c) {
    c.bind({"predicate"}, 1);
    scalar_argument(c, 0);
    const Operand predicate = truth(c.e, c.args[0]);
    return emit_scalar(c.e, DType::Int32,
                       [&](ir::Builder& b) { return b.cast(b.intrinsic(which, {predicate.value()}), DType::Int32); });
}

Operand call_nanosleep(Call& c) {
    c.bind({"ns"}, 1);
    integer_argument(c, 0);
    if (!c.e.dry()) c.e.builder().intrinsic(Intrinsic::NanoSleep, {argument_as(c, 0, DType::UInt32)});
    return c.e.none();
}

template <Intrinsic which>
Operand call_clock(Call& c) {
    c.bind({}, 0);
    return value_of<which, DType::Int64>(c);
}

/// bool counts as an int32; other integers keep their type.
DType bit_dtype(const Operand& x) {
    return x.type->is_bool() ? DType::Int32 : x.type->dtype;
}

template <ScalarOp op>
Operand call_bits(Call& c) {
    c.bind({"x"}, 1);
    const DType dtype = bit_dtype(integer_argument(c, 0));
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) { return b.scalar(op, argument_as(c, 0, dtype)); });
}

/// Reverses 32 or 64 bits, as an unsigned integer.
Operand call_brev(Call& c) {
    c.bind({"x"}, 1);
    const DType dtype = bits(integer_argument(c, 0).type->dtype) == 64 ? DType::UInt64 : DType::UInt32;
    return emit_scalar(c.e, dtype,
                       [&](ir::Builder& b) { return b.scalar(ScalarOp::BitReverse, argument_as(c, 0, dtype)); });
}

/// One more than the position of the lowest set bit; 0 where no bit is set.
Operand call_ffs(Call& c) {
    c.bind({"x"}, 1);
    const DType dtype = bit_dtype(integer_argument(c, 0));
    return emit_scalar(c.e, DType::UInt32, [&](ir::Builder& b) {
        Value* x = argument_as(c, 0, dtype);
        Value* position = b.cast(b.scalar(ScalarOp::Ctz, x), DType::UInt32);
        Value* none = b.constant(DType::UInt32, 0);
        return b.select(b.eq(x, b.constant(dtype, 0)), none, b.add(position, b.constant(DType::UInt32, 1)));
    });
}

Operand call_selp(Call& c) {
    c.bind({"c", "a", "b"}, 3);
    const Operand condition = truth(c.e, scalar_argument(c, 0));
    scalar_argument(c, 1);
    scalar_argument(c, 2);
    const DType dtype = unify_or_fail(c.e, c.args[1].type, c.args[2].type, c.spelling)->dtype;
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        return b.select(condition.value(), argument_as(c, 1, dtype), argument_as(c, 2, dtype));
    });
}

Operand call_fma(Call& c) {
    c.bind({"a", "b", "c"}, 3);
    bool single = true;
    for (std::size_t i = 0; i < 3; ++i) {
        const Operand& x = scalar_argument(c, i);
        single = single && (x.type->dtype == DType::Float32 || (c.e.options().weak_literals && is_weak_literal(x)));
    }
    const DType dtype = single ? DType::Float32 : DType::Float64;
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        return b.scalar(ScalarOp::Fma, {argument_as(c, 0, dtype), argument_as(c, 1, dtype), argument_as(c, 2, dtype)});
    });
}

Operand call_cbrt(Call& c) {
    c.bind({"x"}, 1);
    const DType dtype = scalar_argument(c, 0).type->dtype == DType::Float32 ? DType::Float32 : DType::Float64;
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) { return b.scalar(ScalarOp::Cbrt, argument_as(c, 0, dtype)); });
}

/// cooperative_groups.this_grid(): an object whose one method is sync().
Operand call_this_grid(Call& c) {
    c.bind({}, 0);
    Type type;
    type.kind = Type::Kind::Builtin;
    type.builtin = "cuda.cg.GridGroup";
    Operand result;
    result.type = intern(type);
    return result;
}

/// Numba's grid.sync() gives an int32.
Operand call_grid_sync(Call& c) {
    c.args.clear();
    c.bind({}, 0);
    if (!c.e.dry()) c.e.builder().intrinsic(Intrinsic::GridBarrier);
    return c.e.integer(1, DType::Int32);
}

constexpr Builtin table[] = {
    {"cuda.grid", call_grid},
    {"cuda.gridsize", call_gridsize},
    {"cuda.syncthreads", call_effect<Intrinsic::Barrier>},
    {"cuda.syncthreads_count", call_barrier_reduction<Intrinsic::BarrierCount>},
    {"cuda.syncthreads_and", call_barrier_reduction<Intrinsic::BarrierAnd>},
    {"cuda.syncthreads_or", call_barrier_reduction<Intrinsic::BarrierOr>},
    {"cuda.threadfence", call_effect<Intrinsic::FenceDevice>},
    {"cuda.threadfence_block", call_effect<Intrinsic::FenceBlock>},
    {"cuda.threadfence_system", call_effect<Intrinsic::FenceSystem>},
    {"cuda.breakpoint", call_effect<Intrinsic::Breakpoint>},
    {"cuda.nanosleep", call_nanosleep},
    {"cuda.clock64", call_clock<Intrinsic::Clock64>},
    {"cuda.globaltimer", call_clock<Intrinsic::GlobalTimer>},
    {"cuda.popc", call_bits<ScalarOp::PopCount>},
    {"cuda.clz", call_bits<ScalarOp::Clz>},
    {"cuda.brev", call_brev},
    {"cuda.ffs", call_ffs},
    {"cuda.selp", call_selp},
    {"cuda.fma", call_fma},
    {"cuda.cbrt", call_cbrt},
    {"cuda.cg.this_grid", call_this_grid},
    {"cuda.cg.GridGroup.sync", call_grid_sync},
};

constexpr Builtin values[] = {
    {"cuda.threadIdx", dim3_value},
    {"cuda.threadIdx.x", value_of<Intrinsic::TidX>},
    {"cuda.threadIdx.y", value_of<Intrinsic::TidY>},
    {"cuda.threadIdx.z", value_of<Intrinsic::TidZ>},
    {"cuda.blockIdx", dim3_value},
    {"cuda.blockIdx.x", value_of<Intrinsic::CtaidX>},
    {"cuda.blockIdx.y", value_of<Intrinsic::CtaidY>},
    {"cuda.blockIdx.z", value_of<Intrinsic::CtaidZ>},
    {"cuda.blockDim", dim3_value},
    {"cuda.blockDim.x", value_of<Intrinsic::NtidX>},
    {"cuda.blockDim.y", value_of<Intrinsic::NtidY>},
    {"cuda.blockDim.z", value_of<Intrinsic::NtidZ>},
    {"cuda.gridDim", dim3_value},
    {"cuda.gridDim.x", value_of<Intrinsic::NctaidX>},
    {"cuda.gridDim.y", value_of<Intrinsic::NctaidY>},
    {"cuda.gridDim.z", value_of<Intrinsic::NctaidZ>},
    {"cuda.laneid", value_of<Intrinsic::LaneId>},
    {"cuda.warpsize", warp_size},
};

}  // namespace

std::span<const Builtin> cuda_builtins() {
    return table;
}
std::span<const Builtin> cuda_builtin_values() {
    return values;
}

}  // namespace lanewise::python
