#include "backend/cpu/target/ptx_rows.h"
#include "backend/cpu/target/rounding.h"

namespace lanewise::cpu::ptx {
namespace {

namespace I = llvm::Intrinsic;
using llvm::CmpInst;
using llvm::IRBuilder;
using llvm::Value;

struct Comparison {
    CmpInst::Predicate is_signed, is_unsigned, is_float;
};

/// The comparison the second part of the opcode names. Of an integer comparison that has no unordered form, and of a
/// float comparison that has no "lower or same" form, the predicate is BAD.
Comparison comparison(const Code& code, llvm::StringRef name) {
    constexpr auto bad_integer = CmpInst::BAD_ICMP_PREDICATE;
    constexpr auto bad_float = CmpInst::BAD_FCMP_PREDICATE;
    static const llvm::StringMap<Comparison> known = {
        {"eq", {CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_OEQ}},
        {"ne", {CmpInst::ICMP_NE, CmpInst::ICMP_NE, CmpInst::FCMP_ONE}},
        {"lt", {CmpInst::ICMP_SLT, CmpInst::ICMP_ULT, CmpInst::FCMP_OLT}},
        {"le", {CmpInst::ICMP_SLE, CmpInst::ICMP_ULE, CmpInst::FCMP_OLE}},
        {"gt", {CmpInst::ICMP_SGT, CmpInst::ICMP_UGT, CmpInst::FCMP_OGT}},
        {"ge", {CmpInst::ICMP_SGE, CmpInst::ICMP_UGE, CmpInst::FCMP_OGE}},
        {"lo", {bad_integer, CmpInst::ICMP_ULT, bad_float}},
        {"ls", {bad_integer, CmpInst::ICMP_ULE, bad_float}},
        {"hi", {bad_integer, CmpInst::ICMP_UGT, bad_float}},
        {"hs", {bad_integer, CmpInst::ICMP_UGE, bad_float}},
        {"equ", {bad_integer, bad_integer, CmpInst::FCMP_UEQ}},
        {"neu", {bad_integer, bad_integer, CmpInst::FCMP_UNE}},
        {"ltu", {bad_integer, bad_integer, CmpInst::FCMP_ULT}},
        {"leu", {bad_integer, bad_integer, CmpInst::FCMP_ULE}},
        {"gtu", {bad_integer, bad_integer, CmpInst::FCMP_UGT}},
        {"geu", {bad_integer, bad_integer, CmpInst::FCMP_UGE}},
        {"num", {bad_integer, bad_integer, CmpInst::FCMP_ORD}},
        {"nan", {bad_integer, bad_integer, CmpInst::FCMP_UNO}},
    };
    const auto found = known.find(name);
    if (found == known.end()) code.refuse("there is no comparison ." + name.str());
    return found->second;
}

/// i1, or a vector of it.
Value* compare(Code& code, Type type, llvm::StringRef name) {
    const Comparison of = comparison(code, name);
    const CmpInst::Predicate predicate = type.is_float()    ? of.is_float
                                         : type.is_signed() ? of.is_signed
                                                            : of.is_unsigned;
    if (predicate == CmpInst::BAD_FCMP_PREDICATE || predicate == CmpInst::BAD_ICMP_PREDICATE) {
        code.refuse("the comparison ." + name.str() + " does not go with its type");
    }
    const bool compares_floats = type.is_float();
    Value* a = compares_floats ? float_in(code, 1, type) : code.in(1, type);
    Value* b = compares_floats ? float_in(code, 2, type) : code.in(2, type);
    return code.builder().CreateCmp(predicate, a, b);
}

/// A comparison joined with the predicate that follows its operands, if the opcode says how.
Value* joined(Code& code, Value* compared) {
    IRBuilder<>& builder = code.builder();
    const llvm::StringRef how = code.one_of({"and", "or", "xor"});
    if (how.empty()) return compared;
    Value* other = code.predicate(3);
    if (how == "and") return builder.CreateAnd(compared, other);
    return how == "or" ? builder.CreateOr(compared, other) : builder.CreateXor(compared, other);
}

llvm::StringRef comparison_name(const Code& code) {
    return code.part(1);
}

void set_predicate(Code& code) {
    const Type type = code.type();
    Value* compared = compare(code, type, comparison_name(code));
    const Operand& destination = code.operand(0);
    if (type.lanes == 2) {
        if (destination.kind != Operand::Kind::Pair) code.refuse("two predicates are needed");
        for (unsigned i = 0; i < 2; ++i) {
            Value* lane = code.builder().CreateExtractElement(compared, std::uint64_t{i});
            code.write(destination.parts[i], predicate_type, joined(code, lane));
        }
        return;
    }
    if (destination.kind != Operand::Kind::Pair) {
        code.out(0, predicate_type, joined(code, compared));
        return;
    }
    code.write(destination.parts[0], predicate_type, joined(code, compared));
    code.write(destination.parts[1], predicate_type, joined(code, code.builder().CreateNot(compared)));
}

/// All ones or 0; 1.0 or 0.0 in a float.
void set_value(Code& code) {
    const Type to = code.type(0);
    Value* compared = joined(code, compare(code, code.type(1), comparison_name(code)));
    llvm::Type* type = code.llvm_type(to);
    code.out(0, to,
             to.is_float() ? code.builder().CreateUIToFP(compared, type) : code.builder().CreateSExt(compared, type));
}

void select(Code& code) {
    const Type type = code.type();
    code.out(0, type, code.builder().CreateSelect(code.predicate(3), code.in(1, type), code.in(2, type)));
}

void select_by_sign(Code& code) {
    const Type type = code.type(0), by = code.type(1);
    Value* zero = llvm::Constant::getNullValue(code.llvm_type(by));
    Value* first = by.is_float() ? code.builder().CreateFCmpOGE(float_in(code, 3, by), zero)
                                 : code.builder().CreateICmpSGE(code.in(3, by), zero);
    code.out(0, type, code.builder().CreateSelect(first, code.in(1, type), code.in(2, type)));
}

void move(Code& code) {
    code.out(0, code.type(), code.in(1, code.type()));
}

// Conversions.

bool rounds_to_integer(const Code& code) {
    return !code.one_of({"rni", "rzi", "rmi", "rpi"}).empty();
}

Value* to_integral(Code& code, Value* value) {
    const I::ID id = code.has("rzi") ? I::trunc : code.has("rmi") ? I::floor : code.has("rpi") ? I::ceil : I::roundeven;
    return code.builder().CreateUnaryIntrinsic(id, value);
}

Value* between_integers(Code& code, Value* value, Type from, Type to) {
    IRBuilder<>& builder = code.builder();
    if (code.has("sat")) {
        // In a width that holds both ranges.
        llvm::Type* wide = builder.getIntNTy(std::max(from.bits, to.bits) + 2);
        value = from.is_signed() ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
        const unsigned bits = wide->getIntegerBitWidth();
        const llvm::APInt low =
            to.is_signed() ? llvm::APInt::getSignedMinValue(to.bits).sext(bits) : llvm::APInt(bits, 0);
        const llvm::APInt high = to.is_signed() ? llvm::APInt::getSignedMaxValue(to.bits).sext(bits)
                                                : llvm::APInt::getMaxValue(to.bits).zext(bits);
        value = builder.CreateBinaryIntrinsic(I::smax, value, llvm::ConstantInt::get(wide, low));
        value = builder.CreateBinaryIntrinsic(I::smin, value, llvm::ConstantInt::get(wide, high));
    }
    return from.is_signed() ? builder.CreateSExtOrTrunc(value, code.llvm_type(to))
                            : builder.CreateZExtOrTrunc(value, code.llvm_type(to));
}

/// Out of range saturates. NaN gives 0, or the highest bit alone if a 64-bit type takes part.
Value* to_integer(Code& code, Value* value, Type from, Type to) {
    IRBuilder<>& builder = code.builder();
    llvm::Type* type = code.llvm_type(to);
    Value* result = builder.CreateIntrinsic(to.is_signed() ? I::fptosi_sat : I::fptoui_sat, {type, value->getType()},
                                            {to_integral(code, value)});
    if (from.bits < 64 && to.bits < 64) return result;
    Value* indefinite = llvm::ConstantInt::get(type, llvm::APInt::getSignMask(to.bits));
    return builder.CreateSelect(builder.CreateFCmpUNO(value, value), indefinite, result);
}

Value* from_integer(Code& code, Value* value, Type from, Type to) {
    IRBuilder<>& builder = code.builder();
    llvm::Type* type = code.llvm_type(to);
    if (code.rounding() != 'n' && to.bits >= 32) {
        return rounded(builder, from.is_signed() ? RoundedOp::FromSigned : RoundedOp::FromUnsigned, code.rounding(),
                       type, {value});
    }
    return from.is_signed() ? builder.CreateSIToFP(value, type) : builder.CreateUIToFP(value, type);
}

Value* between_floats(Code& code, Value* value, Type from, Type to) {
    IRBuilder<>& builder = code.builder();
    llvm::Type* type = code.llvm_type(to);
    if (rounds_to_integer(code)) value = to_integral(code, value);
    if (value->getType() == type) return value;
    if (to.bits == 16 && code.has("rz")) return narrow_towards_zero(builder, value, type);
    if (code.rounding() != 'n' && to.bits < from.bits) {
        if (to.bits < 32) code.refuse("16-bit floats are rounded to nearest or towards zero only");
        return rounded(builder, RoundedOp::Truncate, code.rounding(), type, {value});
    }
    // The two 16-bit formats meet in float.
    if (from.bits == to.bits) value = builder.CreateFPExt(value, builder.getFloatTy());
    return builder.CreateFPCast(value, type);
}

Value* converted(Code& code, unsigned i, Type from, Type to) {
    Value* value = from.is_float() ? float_in(code, i, from) : code.in(i, from);
    if (!from.is_float()) {
        value = to.is_float() ? from_integer(code, value, from, to) : between_integers(code, value, from, to);
    } else {
        value = to.is_float() ? between_floats(code, value, from, to) : to_integer(code, value, from, to);
    }
    return to.is_float() ? finish(code, value) : value;
}

void convert(Code& code) {
    if (code.has("tf32")) {
        if (!code.has("rna")) code.refuse("only cvt.rna.tf32.f32 is supported");
        code.out(0, b32, to_tf32(code.builder(), code.in(1, {'f', 32})));
        return;
    }
    const Type to = code.type(0), from = code.type(1);
    if (to.lanes == 1) {
        code.out(0, to, converted(code, 1, from, to));
        return;
    }
    // Two numbers into one register, the first operand above.
    if (to.lanes != 2 || from.lanes != 1 || code.operand_count() != 3) code.refuse("this conversion is not supported");
    const Type part{to.kind, to.bits};
    Value* pair = llvm::PoisonValue::get(code.llvm_type(to));
    for (unsigned lane = 0; lane < 2; ++lane) {
        pair = code.builder().CreateInsertElement(pair, converted(code, 2 - lane, from, part), std::uint64_t{lane});
    }
    code.out(0, to, pair);
}

constexpr Row rows[] = {
    {"setp", set_predicate},  {"set", set_value}, {"selp", select},
    {"slct", select_by_sign}, {"mov", move},      {"cvt", convert},
};

}  // namespace

llvm::ArrayRef<Row> choice_rows() {
    return rows;
}

}  // namespace lanewise::cpu::ptx
