// What kernels of scans have in common: parameters, where lines lie, values that are passed between threads.
#pragma once

#include <string>
#include <vector>

#include "array/control.h"
#include "array/scan.h"

namespace lanewise {

class ScanCode {
protected:
    friend class TileTotals;
    using V = ir::Value*;
    ScanCode(const Program& program, const ReduceSpec& spec, const ScanPlan& plan, DType target);

    /// Extents of the lines' axes; steps and strides of the target and of the leaves; scalars.
    void line_parameters();
    /// Where the elements of a line start: offsets of the target, then of the leaves.
    std::vector<V> bases_of(V line);

    V tid() { return code_.as_i64(ir::Intrinsic::TidX); }
    Number identity() { return reduce_identity(b_, spec_).value; }
    Number combine(const Number& x, const Number& y) { return reduce_combine(b_, spec_, {x}, {y}).value; }
    /// A value of another lane among `width` neighbours.
    Number exchange(ir::Intrinsic which, const Number& value, V operand, int width);
    /// The accumulated value of an element.
    Number lift(KernelCode::Place& place);

    const Program& program_;
    const ReduceSpec& spec_;
    const ScanPlan& plan_;
    const DType target_, type_;  ///< stored, accumulated
    KernelCode code_;
    ir::Builder& b_;
    Control control_;
    V out_ = nullptr, lines_ = nullptr, length_ = nullptr;
    std::vector<V> steps_;

private:
    std::vector<V> extents_;
    std::vector<std::vector<V>> strides_;
};

std::unique_ptr<ir::Module> serial_scan_module(const Program& program, const ReduceSpec& spec, const ScanPlan& plan,
                                               DType target);
std::unique_ptr<ir::Module> tile_scan_module(const Program& program, const ReduceSpec& spec, const ScanPlan& plan,
                                             DType target);

}  // namespace lanewise
