#include "backend/cpu/target/ptx_rows.h"
#include "backend/cpu/target/special.h"

namespace lanewise::cpu::ptx {
namespace {

namespace I = llvm::Intrinsic;
using llvm::IRBuilder;
using llvm::Value;

constexpr Type u32{'u', 32};

Value* capped(Code& code, Value* value, unsigned most) {
    return code.builder().CreateBinaryIntrinsic(I::umin, value, llvm::ConstantInt::get(value->getType(), most));
}

/// value << count, 0 once the count reaches the width.
Value* shift_left(Code& code, Value* value, Value* count) {
    IRBuilder<>& builder = code.builder();
    const unsigned bits = value->getType()->getIntegerBitWidth();
    count = builder.CreateZExtOrTrunc(capped(code, count, bits), value->getType());
    Value* fits = builder.CreateICmpULT(count, llvm::ConstantInt::get(value->getType(), bits));
    Value* shifted =
        builder.CreateShl(value, builder.CreateSelect(fits, count, llvm::ConstantInt::get(value->getType(), 0)));
    return builder.CreateSelect(fits, shifted, llvm::Constant::getNullValue(value->getType()));
}

Value* shift_right(Code& code, Value* value, Value* count) {
    IRBuilder<>& builder = code.builder();
    const unsigned bits = value->getType()->getIntegerBitWidth();
    count = builder.CreateZExtOrTrunc(capped(code, count, bits), value->getType());
    Value* fits = builder.CreateICmpULT(count, llvm::ConstantInt::get(value->getType(), bits));
    Value* shifted =
        builder.CreateLShr(value, builder.CreateSelect(fits, count, llvm::ConstantInt::get(value->getType(), 0)));
    return builder.CreateSelect(fits, shifted, llvm::Constant::getNullValue(value->getType()));
}

/// The lowest `count` bits set.
Value* low_mask(Code& code, Type type, Value* count) {
    Value* above = shift_left(code, llvm::Constant::getAllOnesValue(code.llvm_type(type)), count);
    return code.builder().CreateNot(above);
}

template <llvm::Instruction::BinaryOps operation>
void logic(Code& code) {
    const Type type = code.type();
    code.out(0, type, code.builder().CreateBinOp(operation, code.in(1, type), code.in(2, type)));
}

void invert(Code& code) {
    code.out(0, code.type(), code.builder().CreateNot(code.in(1, code.type())));
}

void logical_not(Code& code) {
    Value* zero = code.builder().CreateIsNull(code.in(1, code.type()));
    code.out(0, code.type(), code.builder().CreateZExt(zero, code.llvm_type(code.type())));
}

void shl(Code& code) {
    code.out(0, code.type(), shift_left(code, code.in(1, code.type()), code.in(2, u32)));
}

void shr(Code& code) {
    const Type type = code.type();
    if (!type.is_signed()) {
        code.out(0, type, shift_right(code, code.in(1, type), code.in(2, u32)));
        return;
    }
    IRBuilder<>& builder = code.builder();
    Value* count = builder.CreateZExtOrTrunc(capped(code, code.in(2, u32), type.bits - 1), code.llvm_type(type));
    code.out(0, type, builder.CreateAShr(code.in(1, type), count));
}

/// A funnel shift of b:a.
void shift_pair(Code& code) {
    IRBuilder<>& builder = code.builder();
    Value* low = builder.CreateZExt(code.in(1, b32), builder.getInt64Ty());
    Value* high = builder.CreateZExt(code.in(2, b32), builder.getInt64Ty());
    Value* pair = builder.CreateOr(builder.CreateShl(high, 32), low);
    Value* count = code.in(3, u32);
    count = code.has("wrap") ? builder.CreateAnd(count, 31) : capped(code, count, 32);
    count = builder.CreateZExt(count, builder.getInt64Ty());
    Value* shifted =
        code.has("l") ? builder.CreateLShr(builder.CreateShl(pair, count), 32) : builder.CreateLShr(pair, count);
    code.out(0, b32, builder.CreateTrunc(shifted, builder.getInt32Ty()));
}

/// Bit i of the table is the result where a, b and c have the bits of i.
void logic_of_three(Code& code) {
    if (code.operand_count() != 5) code.refuse("only the form with three inputs and a table is supported");
    IRBuilder<>& builder = code.builder();
    const std::uint64_t table = code.constant(4);
    Value* operands[] = {code.in(1, b32), code.in(2, b32), code.in(3, b32)};
    Value* result = builder.getInt32(0);
    for (unsigned i = 0; i < 8; ++i) {
        if (!(table >> i & 1)) continue;
        Value* minterm = nullptr;
        for (unsigned k = 0; k < 3; ++k) {
            Value* factor = i >> (2 - k) & 1 ? operands[k] : builder.CreateNot(operands[k]);
            minterm = minterm ? builder.CreateAnd(minterm, factor) : factor;
        }
        result = builder.CreateOr(result, minterm);
    }
    code.out(0, b32, result);
}

/// Four selectors of four nibbles each, by the mode: the byte numbers that PTX lists, lowest byte in the lowest nibble.
std::uint64_t permutation_table(llvm::StringRef mode) {
    static const llvm::StringMap<std::uint64_t> tables = {
        {"f4e", 0x6543'5432'4321'3210}, {"b4e", 0x0123'7012'6701'5670}, {"rc8", 0x3333'2222'1111'0000},
        {"ecl", 0x3333'3222'3211'3210}, {"ecr", 0x3210'2210'1110'0000}, {"rc16", 0x3232'1010'3232'1010}};
    return tables.lookup(mode);
}

void permute(Code& code) {
    IRBuilder<>& builder = code.builder();
    Value* selector = code.in(3, b32);
    if (const llvm::StringRef mode = code.one_of({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}); !mode.empty()) {
        Value* shift = builder.CreateShl(builder.CreateZExt(builder.CreateAnd(selector, 3), builder.getInt64Ty()), 4);
        selector = builder.CreateTrunc(builder.CreateLShr(builder.getInt64(permutation_table(mode)), shift),
                                       builder.getInt32Ty());
        selector = builder.CreateAnd(selector, 0xffff);
    }
    code.out(0, b32, permute_bytes(builder, code.in(1, b32), code.in(2, b32), selector));
}

void count_ones(Code& code) {
    Value* count = code.builder().CreateUnaryIntrinsic(I::ctpop, code.in(1, code.type()));
    code.out(0, u32, code.builder().CreateTrunc(count, code.builder().getInt32Ty()));
}

void count_leading_zeros(Code& code) {
    IRBuilder<>& builder = code.builder();
    Value* count = builder.CreateBinaryIntrinsic(I::ctlz, code.in(1, code.type()), builder.getFalse());
    code.out(0, u32, builder.CreateTrunc(count, builder.getInt32Ty()));
}

void reverse_bits(Code& code) {
    code.out(0, code.type(), code.builder().CreateUnaryIntrinsic(I::bitreverse, code.in(1, code.type())));
}

/// The place of the highest bit that is not a sign.
void find_highest(Code& code) {
    IRBuilder<>& builder = code.builder();
    const Type type = code.type();
    Value* value = code.in(1, type);
    if (type.is_signed()) value = builder.CreateXor(value, builder.CreateAShr(value, type.bits - 1));
    Value* zeros =
        builder.CreateTrunc(builder.CreateBinaryIntrinsic(I::ctlz, value, builder.getFalse()), builder.getInt32Ty());
    Value* found = code.has("shiftamt") ? zeros : builder.CreateSub(builder.getInt32(type.bits - 1), zeros);
    code.out(0, u32, builder.CreateSelect(builder.CreateIsNull(value), builder.getInt32(~0u), found));
}

void find_nth(Code& code) {
    code.out(0, b32,
             code.builder().CreateIntrinsic(I::nvvm_fns, {}, {code.in(1, b32), code.in(2, b32), code.in(3, b32)}));
}

Value* low_byte(Code& code, unsigned i) {
    return code.builder().CreateAnd(code.in(i, u32), 0xff);
}

void extract_field(Code& code) {
    IRBuilder<>& builder = code.builder();
    const Type type = code.type();
    Value* value = code.in(1, type);
    Value* position = low_byte(code, 2);
    Value* length = low_byte(code, 3);
    Value* left = builder.CreateBinaryIntrinsic(I::usub_sat, builder.getInt32(type.bits), position);
    Value* mask = low_mask(code, type, builder.CreateBinaryIntrinsic(I::umin, length, left));
    Value* field = builder.CreateAnd(shift_right(code, value, position), mask);
    if (type.is_signed()) {
        Value* last =
            capped(code, builder.CreateSub(builder.CreateAdd(position, length), builder.getInt32(1)), type.bits - 1);
        Value* sign = builder.CreateTrunc(shift_right(code, value, last), builder.getInt1Ty());
        sign = builder.CreateAnd(sign, builder.CreateIsNotNull(length));
        field = builder.CreateOr(
            field, builder.CreateAnd(builder.CreateSExt(sign, code.llvm_type(type)), builder.CreateNot(mask)));
    }
    code.out(0, type, field);
}

void insert_field(Code& code) {
    IRBuilder<>& builder = code.builder();
    const Type type = code.type();
    Value* position = low_byte(code, 3);
    Value* mask = shift_left(code, low_mask(code, type, low_byte(code, 4)), position);
    Value* inserted = builder.CreateAnd(shift_left(code, code.in(1, type), position), mask);
    code.out(0, type, builder.CreateOr(inserted, builder.CreateAnd(code.in(2, type), builder.CreateNot(mask))));
}

void make_mask(Code& code) {
    IRBuilder<>& builder = code.builder();
    Value* start = code.in(1, u32);
    Value* width = code.in(2, u32);
    if (code.has("wrap")) {
        start = builder.CreateAnd(start, 31);
        width = builder.CreateAnd(width, 31);
    }
    code.out(0, b32, shift_left(code, low_mask(code, b32, width), start));
}

void extend_sign(Code& code) {
    IRBuilder<>& builder = code.builder();
    const Type type = code.type();
    Value* value = code.in(1, type);
    Value* width = code.in(2, u32);
    if (code.has("wrap")) width = builder.CreateAnd(width, 31);
    Value* mask = low_mask(code, type, width);
    Value* kept = builder.CreateAnd(value, mask);
    if (type.is_signed()) {
        Value* last = builder.CreateAnd(builder.CreateSub(width, builder.getInt32(1)), 31);
        Value* sign = builder.CreateTrunc(builder.CreateLShr(value, last), builder.getInt1Ty());
        Value* has_sign = builder.CreateICmpULT(builder.CreateSub(width, builder.getInt32(1)), builder.getInt32(31));
        sign = builder.CreateSExt(builder.CreateAnd(sign, has_sign), code.llvm_type(type));
        kept = builder.CreateOr(kept, builder.CreateAnd(sign, builder.CreateNot(mask)));
    }
    code.out(0, type, kept);
}

constexpr Row rows[] = {
    {"and", logic<llvm::Instruction::And>},
    {"or", logic<llvm::Instruction::Or>},
    {"xor", logic<llvm::Instruction::Xor>},
    {"not", invert},
    {"cnot", logical_not},
    {"shl", shl},
    {"shr", shr},
    {"shf", shift_pair},
    {"lop3", logic_of_three},
    {"prmt", permute},
    {"popc", count_ones},
    {"clz", count_leading_zeros},
    {"brev", reverse_bits},
    {"bfind", find_highest},
    {"fns", find_nth},
    {"bfe", extract_field},
    {"bfi", insert_field},
    {"bmsk", make_mask},
    {"szext", extend_sign},
};

}  // namespace

llvm::ArrayRef<Row> bit_rows() {
    return rows;
}

}  // namespace lanewise::cpu::ptx
