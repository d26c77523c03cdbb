#include "backend/cpu/target/ptx_rows.h"

namespace lanewise::cpu::ptx {
namespace {

namespace I = llvm::Intrinsic;
using llvm::IRBuilder;
using llvm::Value;

Type double_width(Type type) {
    return type.with(type.kind, type.bits * 2);
}

Value* widen(Code& code, Value* value, Type type) {
    llvm::Type* wide = code.llvm_type(double_width(type));
    return type.is_signed() ? code.builder().CreateSExt(value, wide) : code.builder().CreateZExt(value, wide);
}

Value* widen_unsigned(Code& code, Value* value, Type type) {
    return code.builder().CreateZExt(value, code.llvm_type(double_width(type)));
}

/// a + b + carry, or a - b - borrow; the carry goes to the condition code register if the instruction says .cc.
Value* with_carry(Code& code, Type type, Value* a, Value* b, bool subtracts, bool takes_carry) {
    IRBuilder<>& builder = code.builder();
    const I::ID id = subtracts ? I::usub_with_overflow : I::uadd_with_overflow;
    Value* first = builder.CreateBinaryIntrinsic(id, a, b);
    Value* sum = builder.CreateExtractValue(first, 0);
    Value* carry = builder.CreateExtractValue(first, 1);
    if (takes_carry) {
        Value* second = builder.CreateBinaryIntrinsic(id, sum, builder.CreateZExt(code.carry(), code.llvm_type(type)));
        sum = builder.CreateExtractValue(second, 0);
        carry = builder.CreateOr(carry, builder.CreateExtractValue(second, 1));
    }
    if (code.has("cc")) code.set_carry(carry);
    return sum;
}

void add_or_subtract(Code& code, bool subtracts, bool takes_carry) {
    const Type type = code.type();
    IRBuilder<>& builder = code.builder();
    Value* a = code.in(1, type);
    Value* b = code.in(2, type);
    Value* result = nullptr;
    if (code.has("cc") || takes_carry)
        result = with_carry(code, type, a, b, subtracts, takes_carry);
    else if (code.has("sat"))
        result = builder.CreateBinaryIntrinsic(subtracts ? I::ssub_sat : I::sadd_sat, a, b);
    else
        result = subtracts ? builder.CreateSub(a, b) : builder.CreateAdd(a, b);
    code.out(0, type, result);
}

/// The half of a product that .lo or .hi names.
Value* product_half(Code& code, Type type, Value* a, Value* b) {
    IRBuilder<>& builder = code.builder();
    if (!code.has("hi")) return builder.CreateMul(a, b);
    Value* product = builder.CreateMul(widen(code, a, type), widen(code, b, type));
    return builder.CreateTrunc(builder.CreateLShr(product, type.bits), code.llvm_type(type));
}

void multiply(Code& code) {
    const Type type = code.type();
    if (type.is_float()) return multiply_float(code);
    Value* a = code.in(1, type);
    Value* b = code.in(2, type);
    if (code.has("wide")) {
        code.out(0, double_width(type), code.builder().CreateMul(widen(code, a, type), widen(code, b, type)));
    } else {
        code.out(0, type, product_half(code, type, a, b));
    }
}

void multiply_add(Code& code, bool takes_carry) {
    const Type type = code.type();
    if (type.is_float()) return multiply_add_float(code);
    IRBuilder<>& builder = code.builder();
    Value* a = code.in(1, type);
    Value* b = code.in(2, type);
    if (code.has("wide")) {
        Value* product = builder.CreateMul(widen(code, a, type), widen(code, b, type));
        code.out(0, double_width(type), builder.CreateAdd(product, code.in(3, double_width(type))));
        return;
    }
    Value* product = product_half(code, type, a, b);
    Value* c = code.in(3, type);
    Value* sum = code.has("cc") || takes_carry ? with_carry(code, type, product, c, false, takes_carry)
                 : code.has("sat")             ? builder.CreateBinaryIntrinsic(I::sadd_sat, product, c)
                                               : builder.CreateAdd(product, c);
    code.out(0, type, sum);
}

/// The low or high 32 bits of the 48-bit product of 24-bit numbers.
Value* product_of_24(Code& code) {
    IRBuilder<>& builder = code.builder();
    const Type type = code.type();
    const auto low = [&](unsigned i) {
        Value* value = widen_unsigned(code, code.in(i, type), type);
        value = builder.CreateShl(value, 40);
        return type.is_signed() ? builder.CreateAShr(value, 40) : builder.CreateLShr(value, 40);
    };
    Value* product = builder.CreateMul(low(1), low(2));
    return builder.CreateTrunc(code.has("hi") ? builder.CreateLShr(product, 16) : product, code.llvm_type(type));
}

void multiply_24(Code& code) {
    code.out(0, code.type(), product_of_24(code));
}

void multiply_add_24(Code& code) {
    IRBuilder<>& builder = code.builder();
    Value* product = product_of_24(code);
    Value* c = code.in(3, code.type());
    code.out(0, code.type(),
             code.has("sat") ? builder.CreateBinaryIntrinsic(I::sadd_sat, product, c) : builder.CreateAdd(product, c));
}

/// By 0 devices give all ones. The most negative number by -1 wraps.
void divide_integers(Code& code, bool remainder) {
    const Type type = code.type();
    IRBuilder<>& builder = code.builder();
    Value* a = code.in(1, type);
    Value* b = code.in(2, type);
    llvm::Type* llvm_type = code.llvm_type(type);
    Value* one = llvm::ConstantInt::get(llvm_type, 1);
    Value* ones = llvm::Constant::getAllOnesValue(llvm_type);
    Value* is_zero = builder.CreateIsNull(b);
    Value* unsafe = is_zero;
    Value* is_minus_one = nullptr;
    if (type.is_signed()) {
        is_minus_one = builder.CreateICmpEQ(b, ones);
        unsafe = builder.CreateOr(unsafe, is_minus_one);
    }
    Value* divisor = builder.CreateSelect(unsafe, one, b);
    Value* result = nullptr;
    if (remainder) {
        result = type.is_signed() ? builder.CreateSRem(a, divisor) : builder.CreateURem(a, divisor);
        result = builder.CreateSelect(is_zero, ones, result);
    } else {
        result = type.is_signed() ? builder.CreateSDiv(a, divisor) : builder.CreateUDiv(a, divisor);
        if (is_minus_one) result = builder.CreateSelect(is_minus_one, builder.CreateNeg(a), result);
        result = builder.CreateSelect(is_zero, ones, result);
    }
    code.out(0, type, result);
}

void divide(Code& code) {
    if (code.type().is_float()) return divide_float(code);
    divide_integers(code, false);
}

void extremum(Code& code, bool is_max) {
    const Type type = code.type();
    if (type.is_float()) return extremum_float(code, is_max);
    const I::ID id = type.is_signed() ? (is_max ? I::smax : I::smin) : (is_max ? I::umax : I::umin);
    Value* result = code.builder().CreateBinaryIntrinsic(id, code.in(1, type), code.in(2, type));
    if (code.has("relu")) {
        Value* zero = llvm::Constant::getNullValue(code.llvm_type(type));
        result = code.builder().CreateBinaryIntrinsic(I::smax, result, zero);
    }
    code.out(0, type, result);
}

void absolute(Code& code) {
    const Type type = code.type();
    if (type.is_float()) {
        code.out(0, type, code.builder().CreateUnaryIntrinsic(I::fabs, float_in(code, 1, type)));
        return;
    }
    code.out(0, type, code.builder().CreateBinaryIntrinsic(I::abs, code.in(1, type), code.builder().getFalse()));
}

void negate(Code& code) {
    const Type type = code.type();
    if (type.is_float())
        code.out(0, type, code.builder().CreateFNeg(float_in(code, 1, type)));
    else
        code.out(0, type, code.builder().CreateNeg(code.in(1, type)));
}

void sum_of_differences(Code& code) {
    const Type type = code.type();
    IRBuilder<>& builder = code.builder();
    Value* a = code.in(1, type);
    Value* b = code.in(2, type);
    Value* less = type.is_signed() ? builder.CreateICmpSLT(a, b) : builder.CreateICmpULT(a, b);
    Value* difference = builder.CreateSelect(less, builder.CreateSub(b, a), builder.CreateSub(a, b));
    code.out(0, type, builder.CreateAdd(difference, code.in(3, type)));
}

/// c + the products of bytes of b and of parts of a that are `bits` wide; part k of a meets byte `first` + k of b.
void dot_product(Code& code, unsigned bits, unsigned first) {
    IRBuilder<>& builder = code.builder();
    const Type a_type = code.type(0), b_type = code.type(1);
    const auto part = [&](Value* from, Type type, unsigned part_bits, unsigned number) {
        Value* piece = builder.CreateTrunc(builder.CreateLShr(from, number * part_bits), builder.getIntNTy(part_bits));
        return type.is_signed() ? builder.CreateSExt(piece, builder.getInt32Ty())
                                : builder.CreateZExt(piece, builder.getInt32Ty());
    };
    Value* a = code.in(1, a_type);
    Value* b = code.in(2, b_type);
    Value* sum = code.in(3, b32);
    for (unsigned k = 0; k < 32 / bits; ++k) {
        Value* product = builder.CreateMul(part(a, a_type, bits, k), part(b, b_type, 8, first + k));
        sum = builder.CreateAdd(sum, product);
    }
    code.out(0, b32, sum);
}

constexpr Row rows[] = {
    {"add", [](Code& code) { code.type().is_float() ? add_float(code) : add_or_subtract(code, false, false); }},
    {"sub", [](Code& code) { code.type().is_float() ? subtract_float(code) : add_or_subtract(code, true, false); }},
    {"addc", [](Code& code) { add_or_subtract(code, false, true); }},
    {"subc", [](Code& code) { add_or_subtract(code, true, true); }},
    {"mul", multiply},
    {"mad", [](Code& code) { multiply_add(code, false); }},
    {"madc", [](Code& code) { multiply_add(code, true); }},
    {"fma", [](Code& code) { multiply_add(code, false); }},
    {"mul24", multiply_24},
    {"mad24", multiply_add_24},
    {"div", divide},
    {"rem", [](Code& code) { divide_integers(code, true); }},
    {"min", [](Code& code) { extremum(code, false); }},
    {"max", [](Code& code) { extremum(code, true); }},
    {"abs", absolute},
    {"neg", negate},
    {"sad", sum_of_differences},
    {"dp4a", [](Code& code) { dot_product(code, 8, 0); }},
    {"dp2a", [](Code& code) { dot_product(code, 16, code.has("hi") ? 2 : 0); }},
};

}  // namespace

llvm::ArrayRef<Row> arithmetic_rows() {
    return rows;
}

}  // namespace lanewise::cpu::ptx
