#include "backend/cpu/spmd/sync.h"
#include "backend/cpu/target/mbarrier.h"
#include "backend/cpu/target/ptx_rows.h"

namespace lanewise::cpu::ptx {
namespace {

namespace I = llvm::Intrinsic;
using llvm::IRBuilder;
using llvm::Value;

Value* call(Code& code, I::ID id, llvm::ArrayRef<Value*> arguments) {
    return code.builder().CreateIntrinsic(id, {}, arguments);
}

/// bar and barrier: .sync, .red, .warp.sync.
void barrier(Code& code) {
    IRBuilder<>& builder = code.builder();
    if (code.has("cluster")) {
        if (code.has("wait")) call(code, I::nvvm_barrier_cluster_wait, {});
        return;
    }
    if (code.has("warp")) {
        call(code, I::nvvm_bar_warp_sync, {code.in(0, b32)});
        return;
    }
    if (code.has("arrive")) {
        arrive_at_barrier(builder, code.in(0, b32), code.in(1, b32));
        return;
    }
    if (code.has("red")) {
        const bool counts = code.has("popc");
        const unsigned last = code.operand_count() - 1;
        if (last > 2) code.refuse("it is supported for the whole block only, without a number of threads");
        Value* value = builder.CreateZExt(code.predicate(last), builder.getInt32Ty());
        const I::ID id = counts ? I::nvvm_barrier0_popc : code.has("and") ? I::nvvm_barrier0_and : I::nvvm_barrier0_or;
        Value* result = call(code, id, {value});
        if (counts)
            code.out(0, b32, result);
        else
            code.out(0, predicate_type, builder.CreateIsNotNull(result));
        return;
    }
    if (code.operand_count() == 2) {
        call(code, I::nvvm_barrier_sync_cnt, {code.in(0, b32), code.in(1, b32)});
    } else {
        call(code, I::nvvm_barrier_sync, {code.in(0, b32)});
    }
}

void fence(Code& code) {
    if (code.has("proxy") || code.has("mbarrier_init")) return;
    call(code, code.has("cta") ? I::nvvm_membar_cta : code.has("sys") ? I::nvvm_membar_sys : I::nvvm_membar_gl, {});
}

void write_with_predicate(Code& code, Type type, Value* pair) {
    IRBuilder<>& builder = code.builder();
    const Operand& destination = code.operand(0);
    const bool is_pair = destination.kind == Operand::Kind::Pair;
    code.write(is_pair ? destination.parts[0] : destination, type, builder.CreateExtractValue(pair, 0));
    if (is_pair) code.write(destination.parts[1], predicate_type, builder.CreateExtractValue(pair, 1));
}

void shuffle(Code& code) {
    const bool sync = code.has("sync");
    const I::ID id = code.has("up")     ? (sync ? I::nvvm_shfl_sync_up_i32p : I::nvvm_shfl_up_i32p)
                     : code.has("down") ? (sync ? I::nvvm_shfl_sync_down_i32p : I::nvvm_shfl_down_i32p)
                     : code.has("bfly") ? (sync ? I::nvvm_shfl_sync_bfly_i32p : I::nvvm_shfl_bfly_i32p)
                                        : (sync ? I::nvvm_shfl_sync_idx_i32p : I::nvvm_shfl_idx_i32p);
    llvm::SmallVector<Value*> arguments;
    if (sync) arguments.push_back(code.in(4, b32));
    for (unsigned i = 1; i <= 3; ++i) arguments.push_back(code.in(i, b32));
    write_with_predicate(code, b32, call(code, id, arguments));
}

void vote(Code& code) {
    const bool sync = code.has("sync");
    const I::ID id = code.has("ballot") ? (sync ? I::nvvm_vote_ballot_sync : I::nvvm_vote_ballot)
                     : code.has("all")  ? (sync ? I::nvvm_vote_all_sync : I::nvvm_vote_all)
                     : code.has("any")  ? (sync ? I::nvvm_vote_any_sync : I::nvvm_vote_any)
                                        : (sync ? I::nvvm_vote_uni_sync : I::nvvm_vote_uni);
    llvm::SmallVector<Value*> arguments;
    if (sync) arguments.push_back(code.in(2, b32));
    arguments.push_back(code.predicate(1));
    code.out(0, code.has("ballot") ? b32 : predicate_type, call(code, id, arguments));
}

void match(Code& code) {
    const Type type = code.type();
    const bool wide = type.bits == 64;
    Value* arguments[] = {code.in(2, b32), code.in(1, type)};
    if (code.has("any")) {
        code.out(0, b32, call(code, wide ? I::nvvm_match_any_sync_i64 : I::nvvm_match_any_sync_i32, arguments));
    } else {
        write_with_predicate(code, b32,
                             call(code, wide ? I::nvvm_match_all_sync_i64p : I::nvvm_match_all_sync_i32p, arguments));
    }
}

void reduce_over_warp(Code& code) {
    const Type type = code.type();
    if (type.is_float() || type.bits != 32) code.refuse("it is supported for 32-bit integers only");
    const bool is_signed = type.is_signed();
    const I::ID id = code.has("add")   ? I::nvvm_redux_sync_add
                     : code.has("min") ? (is_signed ? I::nvvm_redux_sync_min : I::nvvm_redux_sync_umin)
                     : code.has("max") ? (is_signed ? I::nvvm_redux_sync_max : I::nvvm_redux_sync_umax)
                     : code.has("and") ? I::nvvm_redux_sync_and
                     : code.has("or")  ? I::nvvm_redux_sync_or
                                       : I::nvvm_redux_sync_xor;
    code.out(0, type, call(code, id, {code.in(1, type), code.in(2, b32)}));
}

/// The lowest of the members leads.
void elect(Code& code) {
    IRBuilder<>& builder = code.builder();
    Value* members = call(code, I::nvvm_vote_ballot_sync, {code.in(1, b32), builder.getTrue()});
    Value* leader = builder.CreateBinaryIntrinsic(I::cttz, members, builder.getFalse());
    Operand lane;
    lane.kind = Operand::Kind::Name;
    lane.name = "%laneid";
    Value* leads = builder.CreateICmpEQ(code.read(lane, b32), leader);
    const Operand& destination = code.operand(0);
    if (destination.kind != Operand::Kind::Pair) code.refuse("a predicate is missing");
    code.write(destination.parts[0], b32, leader);
    code.write(destination.parts[1], predicate_type, leads);
}

/// The count an arrival may state as its last operand.
Value* arrivals(Code& code, unsigned operand) {
    return code.operand_count() > operand ? code.in(operand, b32) : code.builder().getInt32(1);
}

void memory_barrier(Code& code) {
    IRBuilder<>& builder = code.builder();
    if (code.has("inval")) return;
    if (code.has("pending_count")) {
        code.out(0, b32, Mbarrier::pending_count(builder, code.in(1, b64)));
        return;
    }
    const bool has_result =
        code.has("arrive") || code.has("arrive_drop") || code.has("test_wait") || code.has("try_wait");
    const unsigned place = has_result ? 1 : 0;
    Mbarrier barrier(builder, code.address(place));
    if (code.has("init")) {
        barrier.init(code.in(1, b32));
    } else if (code.has("arrive") || code.has("arrive_drop")) {
        const bool expects = code.has("expect_tx");
        if (expects) barrier.expect(code.in(2, b32));
        Value* count = expects ? builder.getInt32(1) : arrivals(code, 2);
        code.out(0, b64, barrier.arrive(count, code.has("arrive_drop")));
    } else if (code.has("expect_tx")) {
        barrier.expect(code.in(1, b32));
    } else if (code.has("complete_tx")) {
        barrier.complete(code.in(1, b32));
    } else if (has_result) {
        code.out(0, predicate_type,
                 code.has("parity") ? barrier.test_parity(code.in(2, b32)) : barrier.test(code.in(2, b64)));
    } else {
        code.refuse("this operation on an mbarrier is not supported");
    }
}

void ignore(Code&) {}

constexpr Row rows[] = {
    {"bar", barrier},
    {"barrier", barrier},
    {"mbarrier", memory_barrier},
    {"membar", fence},
    {"fence", fence},
    {"shfl", shuffle},
    {"vote", vote},
    {"match", match},
    {"redux", reduce_over_warp},
    {"elect", elect},
    {"activemask", [](Code& code) { code.out(0, b32, call(code, I::nvvm_activemask, {})); }},
    {"trap", [](Code& code) { call(code, I::trap, {}); }},
    {"exit", [](Code& code) { call(code, I::nvvm_exit, {}); }},
    {"brkpt", [](Code& code) { call(code, I::debugtrap, {}); }},
    {"nanosleep", [](Code& code) { call(code, I::nvvm_nanosleep, {code.in(0, b32)}); }},
    {"pmevent", ignore},
    {"setmaxnreg", ignore},
    {"griddepcontrol", ignore},
};

}  // namespace

llvm::ArrayRef<Row> thread_rows() {
    return rows;
}

}  // namespace lanewise::cpu::ptx
