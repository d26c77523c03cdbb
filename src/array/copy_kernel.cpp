// Strided device copies: elementwise programs of one operand.
#include "array/copy_kernel.h"

#include <algorithm>

#include "array/engine.h"
#include "array/launcher.h"
#include "array/program.h"

namespace lanewise {
namespace {

/// So few rows are copied one by one rather than by a kernel that may have to be compiled.
constexpr std::int64_t most_single_rows = 8;

/// Elements of sizes other than 1, 2, 4, 8 and 16, and those that do not lie at multiples of their size, are rows of
/// smaller ones.
CopyPlan with_small_items(const CopyPlan& plan, const void* target, const void* source) {
    std::int64_t item = plan.item_bytes;
    std::int64_t bits = item | static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(target)) |
                        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(source));
    for (const Dims* strides : {&plan.target_strides, &plan.source_strides})
        for (std::int64_t stride : *strides) bits |= stride;
    std::int64_t small = std::min<std::int64_t>(bits & -bits, 16);
    if (item == small || (item == 16 && small == 8)) return plan;
    small = std::min<std::int64_t>(small, 8);
    CopyPlan split = plan;
    split.item_bytes = small;
    split.shape.push_back(item / small);
    split.target_strides.push_back(small);
    split.source_strides.push_back(small);
    return split;
}

void launch(const CopyPlan& plan, std::byte* target, const std::byte* source, const std::shared_ptr<Stream>& stream) {
    const DType dtype =
        plan.item_bytes == 16 ? DType::Complex128 : *dtype_from_kind('u', static_cast<int>(plan.item_bytes));
    Program program;
    program.shape = plan.shape;
    program.code.push_back({ElementOp::Load, dtype, dtype, {0, 0, 0}});
    auto access = [&](std::byte* first, const Dims& strides) {
        Access result;
        result.dtype = dtype;
        result.address = first;
        result.strides = strides;
        return result;
    };
    program.leaves.push_back(access(const_cast<std::byte*>(source), plan.source_strides));
    program.stores.push_back({0, access(target, plan.target_strides)});
    const engine::Exclusive lock;
    launch_elementwise(program, stream);
}

}  // namespace

void run_on_device(const CopyPlan& given, void* first_target, const void* first_source,
                   const std::shared_ptr<Stream>& stream) {
    std::int64_t count = given.elements();
    if (count == 0) return;
    auto* target = static_cast<std::byte*>(first_target) + given.target_offset;
    const auto* source = static_cast<const std::byte*>(first_source) + given.source_offset;
    if (given.is_one_run()) {
        stream->copy_on_device(target, source, static_cast<std::size_t>(count * given.item_bytes));
        return;
    }
    if (given.shape.size() == 2 && given.has_runs() && given.shape[0] <= most_single_rows) {
        for (std::int64_t row = 0; row < given.shape[0]; ++row)
            stream->copy_on_device(target + row * given.target_strides[0], source + row * given.source_strides[0],
                                   static_cast<std::size_t>(given.shape[1] * given.item_bytes));
        return;
    }
    launch(with_small_items(given, target, source), target, source, stream);
}

}  // namespace lanewise
