#include "backend/cpu/target/mbarrier.h"
#include "backend/cpu/target/ptx_rows.h"
#include "backend/cpu/target/shared_window.h"

namespace lanewise::cpu::ptx {
namespace {

namespace I = llvm::Intrinsic;
using llvm::AtomicOrdering;
using llvm::IRBuilder;
using llvm::Value;

llvm::Align element_alignment(Type type) {
    return llvm::Align(std::max(1u, type.all_bits() / 8));
}

AtomicOrdering order_of(const Code& code) {
    if (code.has("acq_rel")) return AtomicOrdering::AcquireRelease;
    if (code.has("acquire")) return AtomicOrdering::Acquire;
    return code.has("release") ? AtomicOrdering::Release : AtomicOrdering::Monotonic;
}

bool is_strong(const Code& code) {
    return !code.one_of({"relaxed", "acquire", "release", "mmio"}).empty();
}

unsigned vector_size(const Code& code) {
    return code.has("v8") ? 8 : code.has("v4") ? 4 : code.has("v2") ? 2 : 1;
}

/// A loaded or stored element is its bits.
void for_each_element(Code& code, unsigned operand, unsigned address,
                      llvm::function_ref<void(const Operand&, Type, Value*)> action) {
    const Type type = code.type();
    const unsigned count = vector_size(code);
    Value* base = code.address(address);
    const Operand& registers = code.operand(operand);
    if (count == 1) return action(registers, type, base);
    if (registers.kind != Operand::Kind::Vector || registers.parts.size() != count) {
        code.refuse("its vector has another number of elements than its opcode says");
    }
    for (unsigned i = 0; i < count; ++i) {
        action(registers.parts[i], type, code.builder().CreateConstInBoundsGEP1_64(code.llvm_type(type), base, i));
    }
}

void load(Code& code) {
    for_each_element(code, 0, 1, [&](const Operand& to, Type type, Value* address) {
        llvm::LoadInst* value = code.builder().CreateAlignedLoad(code.builder().getIntNTy(type.all_bits()), address,
                                                                 element_alignment(type), code.has("volatile"));
        if (is_strong(code)) value->setAtomic(order_of(code));
        code.write(to, type, value);
    });
}

void store(Code& code) {
    for_each_element(code, 1, 0, [&](const Operand& from, Type type, Value* address) {
        const Type bits{'b', type.all_bits()};
        llvm::StoreInst* stored = code.builder().CreateAlignedStore(code.read(from, bits), address,
                                                                    element_alignment(type), code.has("volatile"));
        if (is_strong(code)) stored->setAtomic(order_of(code));
    });
}

llvm::AtomicRMWInst::BinOp atomic_operation(const Code& code, Type type) {
    using Op = llvm::AtomicRMWInst::BinOp;
    struct Named {
        llvm::StringLiteral name;
        Op of_unsigned, of_signed, of_float;
    };
    static constexpr Named operations[] = {
        {"add", Op::Add, Op::Add, Op::FAdd},
        {"min", Op::UMin, Op::Min, Op::FMin},
        {"max", Op::UMax, Op::Max, Op::FMax},
        {"and", Op::And, Op::And, Op::BAD_BINOP},
        {"or", Op::Or, Op::Or, Op::BAD_BINOP},
        {"xor", Op::Xor, Op::Xor, Op::BAD_BINOP},
        {"exch", Op::Xchg, Op::Xchg, Op::Xchg},
        {"inc", Op::UIncWrap, Op::BAD_BINOP, Op::BAD_BINOP},
        {"dec", Op::UDecWrap, Op::BAD_BINOP, Op::BAD_BINOP},
    };
    for (const Named& operation : operations) {
        if (!code.has(operation.name)) continue;
        const Op found = type.is_float()    ? operation.of_float
                         : type.is_signed() ? operation.of_signed
                                            : operation.of_unsigned;
        if (found != Op::BAD_BINOP) return found;
    }
    code.refuse("there is no such atomic operation");
}

/// Vectors of 16-bit floats are updated one element after the other, which PTX allows.
Value* update(Code& code, Type type, Value* address, Value* value) {
    IRBuilder<>& builder = code.builder();
    const auto operation = atomic_operation(code, type);
    if (type.lanes == 1) {
        return builder.CreateAtomicRMW(operation, address, value, element_alignment(type), order_of(code));
    }
    Value* before = llvm::PoisonValue::get(value->getType());
    const Type element{type.kind, type.bits};
    for (unsigned i = 0; i < type.lanes; ++i) {
        Value* place = builder.CreateConstInBoundsGEP1_64(code.llvm_type(element), address, i);
        Value* old = builder.CreateAtomicRMW(operation, place, builder.CreateExtractElement(value, std::uint64_t{i}),
                                             element_alignment(element), order_of(code));
        before = builder.CreateInsertElement(before, old, std::uint64_t{i});
    }
    return before;
}

void atomic(Code& code) {
    const Type type = code.type();
    if (vector_size(code) != 1) code.refuse("its vector forms are not supported");
    Value* address = code.address(1);
    if (!code.has("cas")) {
        code.out(0, type, update(code, type, address, code.in(2, type)));
        return;
    }
    const AtomicOrdering order = order_of(code);
    Value* pair =
        code.builder().CreateAtomicCmpXchg(address, code.in(2, type), code.in(3, type), element_alignment(type), order,
                                           llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order));
    code.out(0, type, code.builder().CreateExtractValue(pair, 0));
}

void reduction(Code& code) {
    if (vector_size(code) != 1) code.refuse("its vector forms are not supported");
    if (code.has("async")) code.refuse("its asynchronous form is not supported");
    update(code, code.type(), code.address(0), code.in(1, code.type()));
}

void convert_address(Code& code) {
    Value* address = code.in(1, b64);
    IRBuilder<>& builder = code.builder();
    if (code.in_shared_space()) {
        Value* base = builder.CreatePtrToInt(shared_base(builder), builder.getInt64Ty());
        address = code.has("to") ? builder.CreateSub(address, base) : builder.CreateAdd(address, base);
    }
    code.out(0, b64, address);
}

void is_in_space(Code& code) {
    const I::ID id = code.in_shared_space() ? I::nvvm_isspacep_shared
                     : code.has("global")   ? I::nvvm_isspacep_global
                     : code.has("local")    ? I::nvvm_isspacep_local
                     : code.has("const")    ? I::nvvm_isspacep_const
                                            : I::not_intrinsic;
    if (id == I::not_intrinsic) code.refuse("the state space is not supported");
    IRBuilder<>& builder = code.builder();
    Value* pointer = builder.CreateIntToPtr(code.in(1, b64), builder.getPtrTy());
    code.out(0, predicate_type, builder.CreateIntrinsic(id, {}, {pointer}));
}

/// A generic pointer from an Address operand, whatever space the modifiers name.
Value* pointer_in(Code& code, unsigned i, bool shared) {
    const Operand& where = code.operand(i);
    if (where.kind != Operand::Kind::Address) code.refuse("an address in brackets is missing");
    IRBuilder<>& builder = code.builder();
    Value* number = builder.CreateAdd(code.read(where.parts.front(), b64),
                                      builder.getInt64(static_cast<std::uint64_t>(where.offset)));
    return shared ? from_shared_address(builder, number) : builder.CreateIntToPtr(number, builder.getPtrTy());
}

/// Of bytes in a row, between global and shared memory, reported to an mbarrier or as part of a group.
void copy_bulk(Code& code) {
    if (code.has("tensor") || code.has("reduce")) code.refuse("copies by tensor maps and reductions are not supported");
    IRBuilder<>& builder = code.builder();
    const bool reports = code.has("mbarrier::complete_tx::bytes");
    const llvm::StringRef to = code.part(3);
    const bool to_shared = to.starts_with("shared");
    Value* bytes = code.in(2, b32);
    Value* wide = builder.CreateZExt(bytes, builder.getInt64Ty());
    copy_at_once(builder, pointer_in(code, 0, to_shared), pointer_in(code, 1, code.part(4).starts_with("shared")), wide,
                 llvm::Align(16));
    if (reports) Mbarrier(builder, pointer_in(code, 3, true)).complete(bytes);
}

/// What is done when it is issued needs no waiting for: groups and their waits are nothing.
void copy_asynchronously(Code& code) {
    if (!code.one_of({"commit_group", "wait_group", "wait_all"}).empty()) return;
    IRBuilder<>& builder = code.builder();
    if (code.part(1) == "reduce") code.refuse("copies that reduce are not supported");
    if (code.has("bulk")) return copy_bulk(code);
    if (code.has("mbarrier")) {
        // An arrival that is not counted in advance adds itself to what the phase waits for.
        if (code.has("noinc")) Mbarrier(builder, code.address(0)).arrive(builder.getInt32(1), false);
        return;
    }
    const std::uint64_t bytes = code.constant(2);
    Value* target = pointer_in(code, 0, true);
    Value* source = pointer_in(code, 1, false);
    const llvm::Align align(4);
    if (code.operand_count() == 3 || code.has("L2::cache_hint")) {
        builder.CreateMemCpy(target, align, source, align, bytes);
        return;
    }
    // The rest is filled with zeros; the size may be given as a predicate that ignores the source.
    Value* wanted = builder.getInt64(bytes);
    Value* size = nullptr;
    if (code.is_predicate(3)) {
        size = builder.CreateSelect(code.predicate(3), builder.getInt64(0), wanted);
    } else {
        size = builder.CreateZExt(code.in(3, b32), builder.getInt64Ty());
        size = builder.CreateBinaryIntrinsic(I::umin, size, wanted);
    }
    builder.CreateMemSet(target, builder.getInt8(0), bytes, align);
    builder.CreateMemCpy(target, align, source, align, size);
}

void ignore(Code&) {}

void policy(Code& code) {
    code.out(0, b64, code.builder().getInt64(0));
}

constexpr Row rows[] = {
    {"ld", load},
    {"ldu", load},
    {"st", store},
    {"atom", atomic},
    {"red", reduction},
    {"cvta", convert_address},
    {"isspacep", is_in_space},
    {"cp", copy_asynchronously},
    {"prefetch", ignore},
    {"prefetchu", ignore},
    {"applypriority", ignore},
    {"discard", ignore},
    {"createpolicy", policy},
    {"mapa", [](Code& code) { code.out(0, b64, code.in(1, b64)); }},
    {"getctarank", [](Code& code) { code.out(0, b32, code.builder().getInt32(0)); }},
};

}  // namespace

llvm::ArrayRef<Row> memory_rows() {
    return rows;
}

}  // namespace lanewise::cpu::ptx
