// A small notation for emitting arithmetic: formulas over values of LLVM IR, written as in C.
#pragma once

#include "codegen/llvm.h"

namespace lanewise::cpu {

/// A value with the builder that continues it. Mixed with double constants of its own type. No fast-math flag is set:
/// the formulas rely on IEEE arithmetic.
class Formula {
public:
    Formula(llvm::IRBuilder<>& builder, llvm::Value* value) : builder_(&builder), value_(value) {}

    operator llvm::Value*() const { return value_; }
    llvm::Value* operator->() const { return value_; }
    llvm::Type* type() const { return value_->getType(); }

    Formula constant(double value) const { return with(llvm::ConstantFP::get(type(), value)); }
    Formula with(llvm::Value* value) const { return {*builder_, value}; }

    /// For what the notation lacks.
    template <typename Action>
    void build(Action action) const {
        action(*builder_);
    }

    Formula operator-() const { return with(builder_->CreateFNeg(value_)); }
    friend Formula operator+(Formula a, Formula b) { return a.with(a.builder_->CreateFAdd(a, b)); }
    friend Formula operator-(Formula a, Formula b) { return a.with(a.builder_->CreateFSub(a, b)); }
    friend Formula operator*(Formula a, Formula b) { return a.with(a.builder_->CreateFMul(a, b)); }
    friend Formula operator/(Formula a, Formula b) { return a.with(a.builder_->CreateFDiv(a, b)); }
    friend Formula operator+(Formula a, double b) { return a + a.constant(b); }
    friend Formula operator-(Formula a, double b) { return a - a.constant(b); }
    friend Formula operator*(Formula a, double b) { return a * a.constant(b); }
    friend Formula operator/(Formula a, double b) { return a / a.constant(b); }
    friend Formula operator-(double a, Formula b) { return b.constant(a) - b; }
    friend Formula operator/(double a, Formula b) { return b.constant(a) / b; }

    // Ordered comparisons: false with a NaN.
    llvm::Value* operator<(Formula b) const { return builder_->CreateFCmpOLT(value_, b); }
    llvm::Value* operator<(double b) const { return *this < constant(b); }
    llvm::Value* operator>(double b) const { return builder_->CreateFCmpOGT(value_, constant(b)); }
    llvm::Value* operator==(double b) const { return builder_->CreateFCmpOEQ(value_, constant(b)); }
    llvm::Value* is_nan() const { return builder_->CreateFCmpUNO(value_, value_); }

    Formula unary(llvm::Intrinsic::ID id) const { return with(builder_->CreateUnaryIntrinsic(id, value_)); }
    Formula binary(llvm::Intrinsic::ID id, Formula b) const {
        return with(builder_->CreateBinaryIntrinsic(id, value_, b));
    }
    /// value * b + c, rounded once.
    Formula times_plus(Formula b, Formula c) const {
        return with(builder_->CreateIntrinsic(llvm::Intrinsic::fma, {type()}, {value_, b, c}));
    }
    Formula select(llvm::Value* condition, Formula otherwise) const {
        return with(builder_->CreateSelect(condition, value_, otherwise));
    }

    Formula abs() const { return unary(llvm::Intrinsic::fabs); }
    Formula sqrt() const { return unary(llvm::Intrinsic::sqrt); }
    Formula exp() const { return unary(llvm::Intrinsic::exp); }
    Formula log() const { return unary(llvm::Intrinsic::log); }
    Formula sin() const { return unary(llvm::Intrinsic::sin); }
    Formula cos() const { return unary(llvm::Intrinsic::cos); }
    Formula rint() const { return unary(llvm::Intrinsic::rint); }

    /// coefficients[0] + value * (coefficients[1] + ...), by Horner's rule.
    Formula polynomial(std::initializer_list<double> coefficients) const {
        const double* next = coefficients.end();
        Formula sum = constant(*--next);
        while (next != coefficients.begin()) sum = sum * *this + *--next;
        return sum;
    }

private:
    llvm::IRBuilder<>* builder_;
    llvm::Value* value_;
};

}  // namespace lanewise::cpu
