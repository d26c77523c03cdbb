#include "array/compact.h"

#include <algorithm>

#include "array/launcher.h"
#include "array/operands.h"

namespace lanewise {
namespace {

constexpr std::int64_t cuda_block = 256;

enum class Kind : std::uint32_t { Mark, Compact };

CompactPlan plan_compact(const Program& program, Device& device) {
    CompactPlan plan;
    plan.cuda = engine::planned_kind(device) == DeviceKind::Cuda;
    constexpr int vector = 4;
    bool vectorises = program.gathers.empty();
    for (const Access& leaf : program.leaves) {
        const std::int64_t step = leaf.strides[0];
        plan.innermost.push_back(step == 0             ? Innermost::Same
                                 : step == leaf.item() ? Innermost::Unit
                                                       : Innermost::Strided);
        if (leaf.is_iota || step == 0) continue;
        const auto align = static_cast<std::uintptr_t>(std::min(16, vector * size_of(leaf.dtype)));
        vectorises &= step == leaf.item() && reinterpret_cast<std::uintptr_t>(leaf.address) % align == 0;
    }
    if (plan.cuda && vectorises) plan.vector = vector;
    return plan;
}

/// `pointers`: what the kernel has beside the program's leaves.
void launch(Kind kind, const Program& program, ValueId value, std::span<const Array* const> pointers,
            const std::shared_ptr<Stream>& stream) {
    const CompactPlan plan = plan_compact(program, stream->device());
    std::vector<std::uint32_t> key{0xd0000000u | std::uint32_t(kind) | std::uint32_t(plan.cuda) << 4 |
                                   std::uint32_t(plan.vector) << 8 | std::uint32_t(value) << 12};
    for (Innermost innermost : plan.innermost) key.push_back(std::uint32_t(innermost));
    program.append_key(key);
    Kernel& kernel = KernelTable::instance().find_or_build(stream->device(), key, [&] {
        return kind == Kind::Mark ? mark_module(program, value, plan) : compact_module(program, value, plan);
    });
    ParameterPack parameters;
    for (const Array* pointer : pointers) {
        const std::shared_ptr<Buffer>& memory = ArrayAccess::memory(*pointer);
        memory->used_on(stream);
        parameters.add(memory->data());
    }
    for (const Access& leaf : program.leaves) {
        if (leaf.buffer) leaf.buffer->used_on(stream);
        leaf.is_iota ? parameters.add(leaf.start) : parameters.add(leaf.address);
    }
    parameters.add(program.shape[0]);
    for (std::size_t i = 0; i < program.leaves.size(); ++i)
        if (plan.innermost[i] == Innermost::Strided) parameters.add(program.leaves[i].strides[0]);
    for (std::uint64_t word : program.scalars) parameters.add_word(word);
    each_indexed_axis(program, [&](const IndexedAxis& axis) {
        parameters.add(axis.stride);
        parameters.add(axis.extent);
    });
    LaunchConfig config;
    const std::int64_t groups = (program.shape[0] + compact_group - 1) / compact_group;
    // A thread of the cpu device has loops that vectorise, not neighbours.
    config.block.x = plan.cuda ? cuda_block : 1;
    config.grid.x = static_cast<std::uint32_t>(plan.cuda ? (groups * 32 + cuda_block - 1) / cuda_block : groups);
    engine::count_launch();
    stream->launch(kernel, config, parameters.bytes());
}

}  // namespace

Choice::Choice(const Array& given) : stream_(stream_of(given)), size_(given.size()) {
    if (size_ == 0) return;
    const Array mask = reshape(given, {-1});
    const std::int64_t groups = (size_ + compact_group - 1) / compact_group;
    bits_ = Array::empty({groups * (compact_group / compact_word)}, DType::UInt32, stream_);
    const Array counts = Array::empty({groups}, DType::Int64, stream_);
    {
        const Input input = ArrayAccess::input(mask, mask.shape());
        const engine::Exclusive lock;
        GroupBuilder group(mask.shape(), stream_);
        const ValueId value = group.input(input, DType::Bool);
        const Array* pointers[] = {&*bits_, &counts};
        launch(Kind::Mark, group.program(), value, pointers, stream_);
    }
    ends_ = groups > 1 ? cumsum(counts, 0) : counts;
    Index last;
    last.value = groups - 1;
    ends_->index({&last, 1}).copy_to_host({&count_, DType::Int64, {}, {}}, stream_);
}

Array Choice::of(const Array& values) const {
    const Array result = Array::empty({count_}, values.dtype(), stream_);
    if (count_ == 0) return result;
    const Input input = ArrayAccess::input(values, values.shape());
    const engine::Exclusive lock;
    GroupBuilder group(values.shape(), stream_);
    const ValueId value = group.input(input, values.dtype());
    const Array* pointers[] = {&result, &*bits_, &*ends_};
    launch(Kind::Compact, group.program(), value, pointers, stream_);
    return result;
}

Array Choice::positions() const {
    return of(lanewise::positions({size_}, 0, stream_));
}

}  // namespace lanewise
