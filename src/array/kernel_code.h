// The parts that all generated array kernels have: parameters, the code of one element, index arithmetic.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "array/lower.h"
#include "array/program.h"
#include "ir/builder.h"
#include "lanewise/device.h"

namespace lanewise {

/// How an operand is addressed along the innermost axis: known to the code, unlike the other strides.
enum class Innermost : std::uint8_t { Same, Unit, Strided };

/// One kernel being written. All parameters are 8 bytes: pointers and int64.
class KernelCode {
public:
    /// The kernel is named after `what` and the program's operations, as profilers show it.
    KernelCode(const Program& program, const std::string& what);

    ir::Builder& b() { return builder_; }
    const Program& program() const { return program_; }

    ir::Value* pointer_parameter(const std::string& name, bool read_only, bool no_alias);
    ir::Value* integer_parameter(const std::string& name);
    /// Pointers of memory leaves and starts of iotas.
    void leaf_parameters(bool no_alias);
    /// Scalars, and strides and extents of gathers: the last parameters.
    void scalar_parameters();

    /// Where an element of a leaf lies.
    class Place {
    public:
        virtual ~Place() = default;
        virtual ir::Value* address(std::uint16_t leaf) = 0;
        /// The number an iota gives.
        virtual ir::Value* number(std::uint16_t leaf) = 0;
        virtual Number load(std::uint16_t leaf) = 0;
        /// Of the address of a gathered element, where it is more than the element's own; else 0.
        virtual std::uint32_t alignment(std::uint16_t) { return 0; }
    };
    /// What neighbouring elements have in common, computed once for them: values (null elsewhere), and by how much
    /// indices move the elements of gathers and scatters, in the order of each_indexed_axis.
    struct Common {
        std::vector<Number> values;
        std::vector<ir::Value*> offsets;
    };
    /// `same` says of which values it is true.
    Common common(Place& place, const std::vector<bool>& same);
    /// The values of all instructions for one element.
    std::vector<Number> element(Place& place, const Common& common = {});

    Number load(DType dtype, ir::Value* address, std::uint32_t align = 0);
    void store(DType dtype, ir::Value* address, const Number& value, std::uint32_t align = 0);
    /// By how much the indices of store number `store`, a scatter, move the element.
    ir::Value* scatter_offset(std::size_t store, const std::vector<Number>& values, const Common& common = {});
    /// Where store number `store`, a scatter, puts the element whose address without its indices is given.
    ir::Value* scatter_address(std::size_t store, ir::Value* address, const std::vector<Number>& values,
                               const Common& common = {});
    ir::Value* leaf_base(std::uint16_t leaf) const { return leaves_[leaf]; }

    /// ctaid.x * ntid.x + tid.x as int64.
    ir::Value* global_index();
    ir::Value* as_i64(ir::Intrinsic which);

    std::unique_ptr<ir::Module> finish();

private:
    /// By how much indices move an element. `indices` are value numbers; the words from `parameter` on are their
    /// strides and extents.
    ir::Value* indexed_offset(const GatherMode& gather, std::size_t parameter, std::span<const ValueId> indices,
                              const std::vector<Number>& values);
    Number compute(const Instruction& in, const std::vector<Number>& values);

    const Program& program_;
    std::unique_ptr<ir::Module> module_;
    ir::Function* function_;
    ir::Builder builder_;
    std::vector<ir::Value*> leaves_;
    std::vector<Number> scalars_;           ///< by instruction
    std::vector<ir::Value*> words_;         ///< of the scalars
    std::vector<ir::Value*> gather_words_;  ///< stride, extent of each indexed axis
};

/// An element of each leaf by its offset from the leaf's base: in bytes in memory, in numbers of an iota.
class OffsetPlace final : public KernelCode::Place {
public:
    OffsetPlace(KernelCode& code, std::vector<ir::Value*> offsets) : code_(code), offsets_(std::move(offsets)) {}
    ir::Value* address(std::uint16_t leaf) override {
        return code_.b().pointer_add(code_.leaf_base(leaf), offsets_[leaf], 1);
    }
    ir::Value* number(std::uint16_t leaf) override { return code_.b().add(code_.leaf_base(leaf), offsets_[leaf]); }
    Number load(std::uint16_t leaf) override { return code_.load(code_.program().leaves[leaf].dtype, address(leaf)); }

private:
    KernelCode& code_;
    std::vector<ir::Value*> offsets_;
};

/// Calls `action` for the strides and extents of gathers and scatters, in the order of their parameters.
template <class Action>
void each_indexed_axis(const Program& program, Action&& action) {
    for (const GatherMode& gather : program.gathers)
        for (const IndexedAxis& axis : gather.axes) action(axis);
    for (const Store& store : program.stores)
        for (const IndexedAxis& axis : store.scatter.axes) action(axis);
}

/// The values that neighbouring elements have in common where leaves lie so along the axis of the neighbours.
std::vector<bool> common_values(const Program& program, std::span<const Innermost> leaves);
/// All indices of gathers and scatters are among them.
bool has_common_indices(const Program& program, const std::vector<bool>& common);

/// Division of numbers below 2**31 by a number that is a parameter: the word holds multiplier and shift.
std::uint64_t division_word(std::int64_t divisor);
/// u32 quotient.
ir::Value* divide_by_word(ir::Builder& b, ir::Value* u32_dividend, ir::Value* word);

}  // namespace lanewise
