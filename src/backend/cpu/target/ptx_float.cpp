#include <llvm/ADT/APFloat.h>

#include "backend/cpu/target/ptx_rows.h"
#include "backend/cpu/target/rounding.h"

namespace lanewise::cpu::ptx {
namespace {

namespace I = llvm::Intrinsic;
using llvm::IRBuilder;
using llvm::Value;

/// `operation` with the instruction's rounding.
Value* compute(Code& code, RoundedOp operation, Type type, llvm::ArrayRef<Value*> operands) {
    IRBuilder<>& builder = code.builder();
    if (code.rounding() != 'n' && (type.lanes != 1 || type.bits < 32))
        code.refuse("16-bit floats are rounded to nearest only");
    return rounded(builder, operation, code.rounding(), operands.front()->getType(), operands);
}

void binary(Code& code, RoundedOp operation) {
    const Type type = code.type();
    code.out(0, type, finish(code, compute(code, operation, type, {float_in(code, 1, type), float_in(code, 2, type)})));
}

void unary(Code& code, I::ID id) {
    const Type type = code.type();
    code.out(0, type, finish(code, code.builder().CreateUnaryIntrinsic(id, float_in(code, 1, type))));
}

void square_root(Code& code) {
    const Type type = code.type();
    code.out(0, type, finish(code, compute(code, RoundedOp::Sqrt, type, {float_in(code, 1, type)})));
}

void reciprocal(Code& code) {
    const Type type = code.type();
    Value* one = llvm::ConstantFP::get(code.llvm_type(type), 1);
    code.out(0, type, finish(code, compute(code, RoundedOp::Div, type, {one, float_in(code, 1, type)})));
}

void reciprocal_square_root(Code& code) {
    const Type type = code.type();
    const Formula x(code.builder(), float_in(code, 1, type));
    code.out(0, type, finish(code, 1.0 / x.sqrt()));
}

void hyperbolic_tangent(Code& code) {
    // (1 - e) / (1 + e) with e = exp(-2 |x|), and x itself near 0, where that would cancel.
    const Type type = code.type();
    const Formula x(code.builder(), float_in(code, 1, type));
    const Formula magnitude = x.abs();
    const Formula e = (magnitude * -2.0).exp();
    const Formula square = x * x;
    const Formula small = magnitude * (1.0 - square * (1.0 / 3.0) + square * square * (2.0 / 15.0));
    const Formula value = small.select(magnitude < 0.04, (1.0 - e) / (e + 1.0));
    code.out(0, type, finish(code, value.binary(I::copysign, x)));
}

void copy_sign(Code& code) {
    const Type type = code.type();
    code.out(0, type, code.builder().CreateBinaryIntrinsic(I::copysign, code.in(2, type), code.in(1, type)));
}

void test_property(Code& code) {
    const Type type = code.type();
    const llvm::StringRef property = code.one_of({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
    const llvm::FPClassTest test = property == "finite"       ? llvm::fcFinite
                                   : property == "infinite"   ? llvm::fcInf
                                   : property == "number"     ? ~llvm::fcNan
                                   : property == "notanumber" ? llvm::fcNan
                                   : property == "normal"     ? llvm::fcNormal
                                                              : llvm::fcSubnormal;
    code.out(0, predicate_type, code.builder().createIsFPClass(code.in(1, type), test & llvm::fcAllFlags));
}

constexpr Row rows[] = {
    {"sqrt", square_root},
    {"rcp", reciprocal},
    {"rsqrt", reciprocal_square_root},
    {"sin", [](Code& code) { unary(code, I::sin); }},
    {"cos", [](Code& code) { unary(code, I::cos); }},
    {"ex2", [](Code& code) { unary(code, I::exp2); }},
    {"lg2", [](Code& code) { unary(code, I::log2); }},
    {"tanh", hyperbolic_tangent},
    {"copysign", copy_sign},
    {"testp", test_property},
};

}  // namespace

Value* flush(Code& code, Value* value) {
    if (!code.has("ftz")) return value;
    const Formula x(code.builder(), value);
    llvm::Type* element = value->getType()->getScalarType();
    const auto least = llvm::APFloat::getSmallestNormalized(element->getFltSemantics());
    const Formula zero = x.constant(0).binary(I::copysign, x);
    Value* is_small = code.builder().CreateFCmpOLT(x.abs(), llvm::ConstantFP::get(value->getType(), least));
    return zero.select(is_small, x);
}

Value* finish(Code& code, Value* value) {
    Formula x(code.builder(), value);
    if (code.has("relu")) x = x.binary(I::maxnum, x.constant(0));
    if (code.has("sat")) x = x.binary(I::maxnum, x.constant(0)).binary(I::minnum, x.constant(1));
    return flush(code, x);
}

Value* float_in(Code& code, unsigned i, Type type) {
    return flush(code, code.in(i, type));
}

void add_float(Code& code) {
    binary(code, RoundedOp::Add);
}

void subtract_float(Code& code) {
    binary(code, RoundedOp::Sub);
}

void multiply_float(Code& code) {
    binary(code, RoundedOp::Mul);
}

void divide_float(Code& code) {
    binary(code, RoundedOp::Div);
}

void multiply_add_float(Code& code) {
    const Type type = code.type();
    Value* operands[] = {float_in(code, 1, type), float_in(code, 2, type), float_in(code, 3, type)};
    code.out(0, type, finish(code, compute(code, RoundedOp::Fma, type, operands)));
}

/// A NaN loses, or wins with .NaN; -0 is less than +0.
void extremum_float(Code& code, bool is_max) {
    const Type type = code.type();
    IRBuilder<>& builder = code.builder();
    const Formula first(builder, float_in(code, 1, type)), second(builder, float_in(code, 2, type));
    const bool by_magnitude = code.has("xorsign");
    const Formula a = by_magnitude ? first.abs() : first, b = by_magnitude ? second.abs() : second;
    const I::ID id = is_max ? I::maxnum : I::minnum;
    llvm::Type* bits = code.llvm_type(type.with('b', type.bits));
    Value* a_bits = builder.CreateBitCast(a, bits);
    Value* b_bits = builder.CreateBitCast(b, bits);
    Value* of_equal = is_max ? builder.CreateAnd(a_bits, b_bits) : builder.CreateOr(a_bits, b_bits);
    Formula value = a.binary(id, b);
    value = a.with(builder.CreateBitCast(of_equal, a.type())).select(builder.CreateFCmpOEQ(a, b), value);
    if (code.has("NaN")) {
        value = a.with(llvm::ConstantFP::getNaN(a.type())).select(builder.CreateFCmpUNO(a, b), value);
    }
    if (by_magnitude) {
        Value* signs = builder.CreateXor(builder.CreateBitCast(first, bits), builder.CreateBitCast(second, bits));
        value = value.binary(I::copysign, value.with(builder.CreateBitCast(signs, value.type())));
    }
    code.out(0, type, finish(code, value));
}

llvm::ArrayRef<Row> float_rows() {
    return rows;
}

}  // namespace lanewise::cpu::ptx
