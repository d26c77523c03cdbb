// Launches of reductions, and the passes over partial results.
#include "array/reduction.h"

#include "array/engine.h"
#include "array/launcher.h"
#include "array/reduce_plan.h"

namespace lanewise {
namespace {

void pack_axes(ParameterPack& parameters, const Axes& axes, bool narrow) {
    for (std::int64_t extent : axes.shape) {
        parameters.add(extent);
        if (narrow) parameters.add_word(division_word(extent));
    }
}
void pack_strides(ParameterPack& parameters, const Axes& axes, std::size_t operand, Innermost innermost) {
    for (int d = 0; d < axes.shape.size(); ++d)
        if (d + 1 < axes.shape.size() || innermost == Innermost::Strided) parameters.add(axes.strides[operand][d]);
}

/// Reduces what the parts of a split reduction gave.
void join_parts(const ReduceSpec& spec, const ReducePlan& plan, const Access& target, DType type,
                const std::shared_ptr<Buffer>& values, const std::shared_ptr<Buffer>& indices,
                const std::shared_ptr<Stream>& stream) {
    Program program;
    program.shape = plan.kept.shape;
    program.shape.push_back(plan.splits);
    auto leaf = [&](const std::shared_ptr<Buffer>& buffer, DType dtype) {
        Access access;
        access.dtype = dtype;
        access.address = static_cast<std::byte*>(buffer->data());
        access.buffer = buffer;
        access.strides = contiguous_strides(plan.kept.shape, size_of(dtype), Order::C);
        access.strides.push_back(plan.kept.size() * size_of(dtype));
        program.code.push_back({ElementOp::Load, dtype, dtype, {static_cast<ValueId>(program.leaves.size()), 0, 0}});
        program.leaves.push_back(std::move(access));
    };
    leaf(values, type);
    ReduceSpec joined = spec;
    joined.type = type;
    joined.value = 0;
    if (spec.op == Reduction::CountNonzero) joined.op = Reduction::Sum;
    if (spec.has_index()) {
        leaf(indices, DType::Int64);
        joined.index = 1;
    }
    Access out = target;
    out.strides = plan.kept.strides[0];
    out.strides.push_back(0);
    launch_reduction(program, joined, std::uint64_t(1) << plan.kept.shape.size(), out, stream);
}

}  // namespace

void launch_reduction(Program& program, const ReduceSpec& spec, std::uint64_t axes, const Access& target,
                      const std::shared_ptr<Stream>& stream) {
    Device& device = stream->device();
    ReducePlan plan = plan_reduction(program, spec, axes, target, device);
    Access out = target;
    out.address += plan.kept.offsets[0];

    std::vector<std::uint32_t> key;
    key.push_back(0x80000000u | std::uint32_t(spec.op) | std::uint32_t(spec.type) << 8 |
                  std::uint32_t(target.dtype) << 16 | std::uint32_t(plan.lanes) << 24 |
                  std::uint32_t(plan.in_step) << 25 | std::uint32_t(plan.narrow) << 26 |
                  std::uint32_t(plan.partial) << 27 | std::uint32_t(plan.by_line) << 28 |
                  std::uint32_t(plan.own_rows) << 29 | std::uint32_t(plan.rising) << 30);
    key.push_back(std::uint32_t(spec.value) | std::uint32_t(spec.index) << 16);
    key.push_back(std::uint32_t(plan.width) | std::uint32_t(plan.rows) << 16);
    key.push_back(std::uint32_t(plan.unroll) | std::uint32_t(plan.kept.shape.size()) << 8 |
                  std::uint32_t(plan.reduced.shape.size()) << 16);
    for (Innermost innermost : plan.innermost) key.push_back(std::uint32_t(innermost));
    program.append_key(key);
    Kernel& kernel = KernelTable::instance().find_or_build(
        device, key, [&] { return reduce_module(program, spec, plan, target.dtype); });

    const std::int64_t results = plan.kept.size();
    const DType type = spec.op == Reduction::CountNonzero ? DType::Int64 : accumulator(spec.type);
    std::shared_ptr<Buffer> values, indices;
    ParameterPack parameters;
    if (plan.partial) {
        const auto parts = static_cast<std::size_t>(results * plan.splits);
        values = Buffer::create(stream, parts * static_cast<std::size_t>(size_of(type)));
        parameters.add(values->data());
        if (spec.has_index()) {
            indices = Buffer::create(stream, parts * 8);
            parameters.add(indices->data());
        }
    } else {
        parameters.add(out.address);
    }
    for (const Access& leaf : program.leaves) {
        if (leaf.buffer) leaf.buffer->used_on(stream);
        leaf.is_iota ? parameters.add(leaf.start) : parameters.add(leaf.address);
    }
    target.buffer->used_on(stream);
    parameters.add(results);
    parameters.add(plan.steps);
    parameters.add(plan.chunk);
    pack_axes(parameters, plan.kept, plan.narrow);
    pack_axes(parameters, plan.reduced, plan.narrow);
    for (std::size_t k = 0; k <= program.leaves.size(); ++k)
        pack_strides(parameters, plan.kept, k, !plan.lanes && k > 0 ? plan.innermost[k - 1] : Innermost::Strided);
    for (std::size_t i = 0; i < program.leaves.size(); ++i)
        pack_strides(parameters, plan.reduced, i, plan.lanes ? plan.innermost[i] : Innermost::Strided);
    for (std::uint64_t word : program.scalars) parameters.add_word(word);
    each_indexed_axis(program, [&](const IndexedAxis& axis) {
        parameters.add(axis.stride);
        parameters.add(axis.extent);
    });
    LaunchConfig config;
    config.block.x = static_cast<std::uint32_t>(plan.width);
    config.block.y = static_cast<std::uint32_t>(plan.lanes ? plan.rows : 1);
    config.grid.x = static_cast<std::uint32_t>(plan.blocks());
    config.grid.y = static_cast<std::uint32_t>(plan.splits);
    engine::count_launch();
    stream->launch(kernel, config, parameters.bytes());
    if (plan.partial) join_parts(spec, plan, out, type, values, indices, stream);
}

void realise_reduction(Node& node, const std::shared_ptr<Buffer>& buffer) {
    GroupBuilder group(node.full_shape, node.stream);
    ReduceSpec spec;
    spec.op = node.reduction;
    spec.type = node.type;
    spec.value = group.input(node.inputs[0], node.type);
    Access target;
    target.dtype = node.dtype;
    target.address = static_cast<std::byte*>(buffer->data());
    target.buffer = buffer;
    target.strides = Dims(node.full_shape.size());
    Input positions;
    positions.kind = Input::Kind::Iota;
    positions.dtype = DType::Int64;
    positions.strides = Dims(node.full_shape.size());
    std::int64_t step = 1, out_step = size_of(node.dtype);
    for (int d = node.full_shape.size() - 1; d >= 0; --d) {
        if (node.axes >> d & 1) {
            positions.strides[d] = step;
            step *= node.full_shape[d];
        } else {
            target.strides[d] = out_step;
            out_step *= node.full_shape[d];
        }
    }
    if (spec.has_index()) spec.index = group.input(positions, DType::Int64);
    launch_reduction(group.program(), spec, node.axes, target, node.stream);
}

}  // namespace lanewise
