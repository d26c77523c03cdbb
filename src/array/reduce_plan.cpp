#include "array/reduce_plan.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "array/engine.h"

namespace lanewise {
namespace {

constexpr std::int64_t narrow_limit = (std::int64_t(1) << 31) - 4096;
constexpr int lanes_block = 256;
/// Rows of results shorter than this do not get blocks of their own.
constexpr std::int64_t least_own_row = 32;
/// Lines of several reduced axes shorter than this are not walked one by one.
constexpr std::int64_t least_line = 128;
/// Fewer elements share the kernels of longer rows: compiling others would take longer than they save.
constexpr std::int64_t least_tuned = 1 << 16;

/// The leaf that decides the order of axes: the one with most elements, and most bytes of each.
std::size_t main_leaf(const Program& program) {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < program.leaves.size(); ++i) {
        const Access& leaf = program.leaves[i];
        double bytes = leaf.is_iota ? 0 : size_of(leaf.dtype);
        for (int d = 0; d < program.shape.size(); ++d)
            if (leaf.strides[d] != 0) bytes *= static_cast<double>(program.shape[d]);
        if (bytes > most) {
            most = bytes;
            best = i;
        }
    }
    return best;
}

void take_axes(Program& program, std::uint64_t axes, const Access& target, ReducePlan& plan) {
    Dims kept_shape, reduced_shape;
    std::vector<Dims> kept(program.leaves.size() + 1), reduced(program.leaves.size());
    for (int d = 0; d < program.shape.size(); ++d) {
        const bool is_reduced = axes >> d & 1;
        (is_reduced ? reduced_shape : kept_shape).push_back(program.shape[d]);
        if (!is_reduced) kept[0].push_back(target.strides[d]);
        for (std::size_t i = 0; i < program.leaves.size(); ++i)
            (is_reduced ? reduced[i] : kept[i + 1]).push_back(program.leaves[i].strides[d]);
    }
    auto pointers = [](const std::vector<Dims>& dims) {
        std::vector<const Dims*> result;
        for (const Dims& d : dims) result.push_back(&d);
        return result;
    };
    const std::size_t main = main_leaf(program);
    plan.kept = collapse(kept_shape, pointers(kept), program.leaves.empty() ? 0 : main + 1);
    plan.reduced = collapse(reduced_shape, pointers(reduced), main);
    for (std::size_t i = 0; i < program.leaves.size(); ++i) {
        Access& leaf = program.leaves[i];
        const std::int64_t offset = plan.kept.offsets[i + 1] + plan.reduced.offsets[i];
        if (leaf.is_iota)
            leaf.start += offset;
        else
            leaf.address += offset;
    }
}

std::int64_t inner_step(const Axes& axes, std::size_t operand) {
    return axes.shape.empty() ? 0 : axes.strides[operand].back();
}

}  // namespace

std::int64_t ReducePlan::blocks() const {
    const std::int64_t results = kept.size();
    if (lanes) return (results + rows - 1) / rows;
    if (!own_rows) return (results + width - 1) / width;
    return results / kept.shape.back() * ((kept.shape.back() + width - 1) / width);
}

ReducePlan plan_reduction(Program& program, const ReduceSpec& spec, std::uint64_t axes, const Access& target,
                          Device& device) {
    ReducePlan plan;
    take_axes(program, axes, target, plan);
    const bool cuda = engine::planned_kind(device) == DeviceKind::Cuda;
    const std::int64_t results = plan.kept.size(), elements = plan.reduced.size();
    const std::size_t main = main_leaf(program);
    // Neighbouring threads walk along the axis whose elements are nearer to each other.
    const std::int64_t reduced_step = program.leaves.empty() ? 0 : std::abs(inner_step(plan.reduced, main));
    const std::int64_t kept_step = program.leaves.empty() ? 0 : std::abs(inner_step(plan.kept, main + 1));
    const bool along_reduced = reduced_step != 0 && (kept_step == 0 || reduced_step < kept_step);
    const bool along_kept = kept_step != 0 && !along_reduced;
    const std::int64_t short_row = cuda ? 24 : 64;
    plan.lanes = along_reduced ? elements >= short_row : !along_kept && elements >= 256 && results < 4096;
    int item = 8;
    for (const Access& leaf : program.leaves)
        if (!leaf.is_iota) item = std::min(item, size_of(leaf.dtype));
    plan.unroll = std::clamp(32 / item, 4, 8);
    plan.narrow = elements <= narrow_limit && results <= narrow_limit;
    const std::int64_t processors = device.attribute(DeviceAttribute::MultiprocessorCount);
    const std::int64_t wanted_blocks = processors * (cuda ? 16 : 4);
    plan.steps = elements;
    std::int64_t least = 64, round = plan.unroll;
    if (plan.lanes) {
        const bool short_rows = cuda && elements <= 2048 && results >= 64;
        plan.width = short_rows ? 32 : lanes_block;
        plan.in_step = !cuda;
        // Of several axes, a round must not be longer than a line.
        const std::int64_t line = plan.reduced.shape.size() >= 2 ? plan.reduced.shape.back() : 0;
        plan.by_line = line >= least_line;
        if (plan.by_line)
            plan.width = std::min(
                plan.width,
                std::max(32, static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(line / plan.unroll)))));
        if (!cuda && !plan.by_line && results * elements >= least_tuned) {
            // Rounds no longer than the elements; argmin and argmax look at one round twice.
            const std::int64_t rounds = spec.has_index() ? 8 : 1;
            while (plan.width > 32 && rounds * plan.width * plan.unroll > elements) plan.width /= 2;
            while (plan.unroll > 1 && plan.width * plan.unroll > elements) plan.unroll /= 2;
        }
        plan.rows = cuda ? lanes_block / plan.width : 1;
        round = std::int64_t(plan.width) * plan.unroll;
        least = 4 * round;
    } else {
        if (results * elements >= least_tuned)
            while (plan.unroll > 1 && plan.unroll > elements) plan.unroll /= 2;
        round = plan.unroll;
        plan.in_step = !cuda && along_kept && elements >= 4;
        plan.own_rows = plan.kept.shape.size() >= 2 && plan.kept.shape.back() >= least_own_row;
        const std::int64_t row = plan.own_rows ? plan.kept.shape.back() : results;
        const std::int64_t widest = plan.in_step ? 1024 : cuda && results < 128 * processors ? 64 : 256;
        plan.width = static_cast<int>(std::min(widest, (row + 31) / 32 * 32));
    }
    const std::int64_t blocks = plan.blocks();
    plan.splits = std::clamp<std::int64_t>(wanted_blocks / blocks, 1, std::max<std::int64_t>(1, elements / least));
    plan.splits = std::min<std::int64_t>(plan.splits, 4096);
    plan.by_line = plan.by_line && elements / plan.reduced.shape.back() >= plan.splits;
    if (plan.by_line) {
        plan.steps = elements / plan.reduced.shape.back();
        round = 1;
    }
    plan.chunk = (plan.steps + plan.splits - 1) / plan.splits;
    // Whole rounds but for the last part.
    if (plan.splits > 1) plan.chunk = (plan.chunk + round - 1) / round * round;
    plan.splits = std::max<std::int64_t>(1, (plan.steps + plan.chunk - 1) / std::max<std::int64_t>(1, plan.chunk));
    plan.partial = plan.splits > 1;
    // On GPUs threads would read single elements of the round they look at again, each from a sector of its own.
    if (spec.has_index() && !cuda) {
        const Instruction& index = program.code[spec.index];
        plan.rising = index.op == ElementOp::Load && program.leaves[index.args[0]].is_iota &&
                      (plan.by_line || plan.reduced.shape.size() == 1) && inner_step(plan.reduced, index.args[0]) > 0;
    }
    const Axes& walked = plan.lanes ? plan.reduced : plan.kept;
    for (std::size_t i = 0; i < program.leaves.size(); ++i) {
        const std::int64_t step = inner_step(walked, plan.lanes ? i : i + 1);
        plan.innermost.push_back(step == 0                          ? Innermost::Same
                                 : step == program.leaves[i].item() ? Innermost::Unit
                                                                    : Innermost::Strided);
    }
    return plan;
}

}  // namespace lanewise
