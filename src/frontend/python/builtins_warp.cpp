// Exchanges and votes among the threads of a warp.
#include <fmt/format.h>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"

namespace lanewise::python {

using ir::Intrinsic;
using ir::Value;

namespace {

Value* mask(const Call& c) {
    return argument_as(c, 0, DType::UInt32);
}

Operand call_syncwarp(Call& c) {
    c.bind({"mask"}, 0);
    if (given(c, 0)) integer_argument(c, 0);
    if (c.e.dry()) return c.e.none();
    ir::Builder& b = c.e.builder();
    b.intrinsic(Intrinsic::SyncWarp, {given(c, 0) ? mask(c) : b.constant(DType::UInt32, -1)});
    return c.e.none();
}

/// What a warp can exchange: 32 and 64 bits; narrower integers go as int32.
DType exchange_dtype(const Operand& value) {
    const DType dtype = value.type->dtype;
    return bits(dtype) >= 32 ? dtype : DType::Int32;
}

template <Intrinsic which>
Operand call_shuffle(Call& c) {
    c.bind({"mask", "value",
            which == Intrinsic::ShuffleIndex ? "src_lane"
            : which == Intrinsic::ShuffleXor ? "lane_mask"
                                             : "delta"},
           3);
    integer_argument(c, 0);
    integer_argument(c, 2);
    const DType dtype = exchange_dtype(scalar_argument(c, 1));
    return emit_scalar(c.e, dtype, [&](ir::Builder& b) {
        return b.intrinsic(which, {mask(c), argument_as(c, 1, dtype), argument_as(c, 2, DType::Int32), b.i32(32)});
    });
}

template <Intrinsic which, DType result>
Operand call_vote(Call& c) {
    c.bind({"mask", "predicate"}, 2);
    integer_argument(c, 0);
    const Operand predicate = truth(c.e, scalar_argument(c, 1));
    return emit_scalar(
        c.e, result, [&](ir::Builder& b) { return b.cast(b.intrinsic(which, {mask(c), predicate.value()}), result); });
}

Operand call_match_any(Call& c) {
    c.bind({"mask", "value"}, 2);
    integer_argument(c, 0);
    const DType dtype = exchange_dtype(scalar_argument(c, 1));
    return emit_scalar(c.e, DType::Int32, [&](ir::Builder& b) {
        return b.cast(b.intrinsic(Intrinsic::MatchAny, {mask(c), argument_as(c, 1, dtype)}), DType::Int32);
    });
}

/// (mask, predicate)
Operand call_match_all(Call& c) {
    c.bind({"mask", "value"}, 2);
    integer_argument(c, 0);
    const DType dtype = exchange_dtype(scalar_argument(c, 1));
    Value *matched = nullptr, *predicate = nullptr;
    if (!c.e.dry()) {
        ir::Builder& b = c.e.builder();
        Value* both = b.intrinsic(Intrinsic::MatchAll, {mask(c), argument_as(c, 1, dtype)});
        matched = b.cast(b.result(both, 0), DType::Int32);
        predicate = b.result(both, 1);
    }
    return c.e.tuple({c.e.scalar(DType::Int32, matched), c.e.scalar(DType::Bool, predicate)});
}

template <Intrinsic which>
Operand call_mask(Call& c) {
    c.bind({}, 0);
    return emit_scalar(c.e, DType::UInt32, [](ir::Builder& b) { return b.intrinsic(which); });
}

constexpr Builtin table[] = {
    {"cuda.syncwarp", call_syncwarp},
    {"cuda.shfl_sync", call_shuffle<Intrinsic::ShuffleIndex>},
    {"cuda.shfl_up_sync", call_shuffle<Intrinsic::ShuffleUp>},
    {"cuda.shfl_down_sync", call_shuffle<Intrinsic::ShuffleDown>},
    {"cuda.shfl_xor_sync", call_shuffle<Intrinsic::ShuffleXor>},
    {"cuda.all_sync", call_vote<Intrinsic::VoteAll, DType::Bool>},
    {"cuda.any_sync", call_vote<Intrinsic::VoteAny, DType::Bool>},
    {"cuda.eq_sync", call_vote<Intrinsic::VoteEqual, DType::Bool>},
    {"cuda.ballot_sync", call_vote<Intrinsic::Ballot, DType::Int32>},
    {"cuda.match_any_sync", call_match_any},
    {"cuda.match_all_sync", call_match_all},
    {"cuda.activemask", call_mask<Intrinsic::ActiveMask>},
    {"cuda.lanemask_lt", call_mask<Intrinsic::LaneMaskLt>},
};

}  // namespace

std::span<const Builtin> warp_builtins() {
    return table;
}

}  // namespace lanewise::python
