#include "array/kernel_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "array/division.h"
#include "passes/pipeline.h"

namespace lanewise {

using V = ir::Value*;
using S = ir::ScalarOp;

namespace {

std::string kernel_name(const Program& program, const std::string& what) {
    constexpr int most_named = 4;
    std::string name = "lanewise";
    if (!what.empty()) name += "_" + what;
    int named = 0;
    for (const Instruction& in : program.code) {
        const std::string_view operation = name_of(in.op);
        if (operation.empty()) continue;
        if (++named > most_named) return name + "_etc";
        name += "_" + std::string(operation);
    }
    return named == 0 && what.empty() ? "lanewise_copy" : name;
}

/// Values among an instruction's arguments, but for those of gathers.
std::size_t operand_count(const Instruction& in) {
    switch (in.op) {
        case ElementOp::Load:
        case ElementOp::Parameter:
        case ElementOp::Gather:
            return 0;
        case ElementOp::Where:
            return 3;
        case ElementOp::Ldexp:
        case ElementOp::MakeComplex:
            return 2;
        default:
            return in.op < ElementOp::Ldexp ? static_cast<std::size_t>(info(static_cast<Ufunc>(in.op)).inputs) : 1;
    }
}

}  // namespace

KernelCode::KernelCode(const Program& program, const std::string& what)
    : program_(program),
      module_(std::make_unique<ir::Module>()),
      function_(module_->new_function(kernel_name(program, what))),
      builder_(*module_, *function_) {
    module_->name = function_->name;
    function_->display_name = function_->name;
    function_->is_kernel = true;
}

V KernelCode::pointer_parameter(const std::string& name, bool read_only, bool no_alias) {
    ir::Parameter parameter;
    parameter.name = name;
    parameter.type = ir::Type::pointer(ir::Space::Global);
    parameter.no_alias = no_alias;
    parameter.read_only = read_only;
    return function_->add_parameter(std::move(parameter));
}

V KernelCode::integer_parameter(const std::string& name) {
    ir::Parameter parameter;
    parameter.name = name;
    parameter.type = ir::Type::scalar(DType::Int64);
    return function_->add_parameter(std::move(parameter));
}

void KernelCode::leaf_parameters(bool no_alias) {
    for (std::size_t i = 0; i < program_.leaves.size(); ++i)
        leaves_.push_back(program_.leaves[i].is_iota ? integer_parameter(fmt::format("start{}", i))
                                                     : pointer_parameter(fmt::format("in{}", i), no_alias, no_alias));
}

void KernelCode::scalar_parameters() {
    for (std::size_t i = 0; i < program_.scalars.size(); ++i)
        words_.push_back(integer_parameter(fmt::format("scalar{}", i)));
    each_indexed_axis(program_, [&](const IndexedAxis&) {
        gather_words_.push_back(integer_parameter(fmt::format("indexed_stride{}", gather_words_.size())));
        gather_words_.push_back(integer_parameter(fmt::format("indexed_extent{}", gather_words_.size())));
    });
    if (!builder_.block()) builder_.set_block(builder_.new_block("entry"));
    auto decode = [&](V word, DType type) -> V {
        if (is_bool(type)) return builder_.scalar(S::Ne, word, builder_.i64(0));
        if (!is_float(type)) return builder_.cast(word, type);
        return builder_.bitcast(builder_.cast(word, *dtype_from_kind('u', size_of(type))), ir::Type::scalar(type));
    };
    scalars_.resize(program_.code.size());
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
        const Instruction& in = program_.code[i];
        if (in.op != ElementOp::Parameter) continue;
        const DType part = real_of(in.type);
        scalars_[i].re = decode(words_[in.args[0]], part);
        if (is_complex(in.type)) scalars_[i].im = decode(words_[in.args[0] + 1u], part);
    }
}

Number KernelCode::compute(const Instruction& in, const std::vector<Number>& values) {
    if (in.op == ElementOp::Cast) return lower_cast(builder_, values[in.args[0]], in.type, in.result);
    Number args[3];
    const std::size_t count = operand_count(in);
    for (std::size_t k = 0; k < count; ++k) args[k] = values[in.args[k]];
    if (is_integer_division(in.op, in.type)) {
        const Instruction& divisor = program_.code[in.args[1]];
        if (divisor.op == ElementOp::Parameter && divisor.args[1] == divisor_parameter) {
            const std::size_t word = divisor.args[0] + std::size_t(1);
            return {divide_by_parameter(builder_, in.op, args[0].re, args[1].re, {words_[word], words_[word + 1]})};
        }
    }
    return lower(builder_, in.op, in.type, in.result, std::span(args, count));
}

KernelCode::Common KernelCode::common(Place& place, const std::vector<bool>& same) {
    Common result;
    result.values.resize(program_.code.size());
    std::size_t gather = 0, parameter = 0;
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
        const Instruction& in = program_.code[i];
        Number& value = result.values[i];
        if (in.op == ElementOp::Gather) {
            const GatherMode& mode = program_.gathers[gather++];
            const auto indices = std::span(program_.extra).subspan(in.args[1], in.args[2]);
            V offset = indexed_offset(mode, parameter, indices, result.values);
            parameter += mode.axes.size();
            result.offsets.push_back(offset);
            if (same[i]) value = load(in.result, builder_.pointer_add(place.address(in.args[0]), offset, 1));
        } else if (!same[i]) {
            continue;
        } else if (in.op == ElementOp::Load) {
            value = program_.leaves[in.args[0]].is_iota ? Number{place.number(in.args[0])} : place.load(in.args[0]);
        } else {
            value = in.op == ElementOp::Parameter ? scalars_[i] : compute(in, result.values);
        }
    }
    for (const Store& store : program_.stores) {
        if (store.indices.empty()) continue;
        result.offsets.push_back(indexed_offset(store.scatter, parameter, store.indices, result.values));
        parameter += store.scatter.axes.size();
    }
    return result;
}

std::vector<Number> KernelCode::element(Place& place, const Common& common) {
    std::vector<Number> values(program_.code.size());
    std::size_t gather = 0, gather_parameter = 0;
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
        const Instruction& in = program_.code[i];
        const bool known = !common.values.empty() && common.values[i].re;
        if (known) values[i] = common.values[i];
        switch (in.op) {
            case ElementOp::Load:
                if (known) break;
                values[i] =
                    program_.leaves[in.args[0]].is_iota ? Number{place.number(in.args[0])} : place.load(in.args[0]);
                break;
            case ElementOp::Parameter:
                values[i] = scalars_[i];
                break;
            case ElementOp::Gather: {
                const std::size_t number = gather++;
                const GatherMode& mode = program_.gathers[number];
                if (!known) {
                    const auto indices = std::span(program_.extra).subspan(in.args[1], in.args[2]);
                    V offset = common.values.empty() ? indexed_offset(mode, gather_parameter, indices, values)
                                                     : common.offsets[number];
                    V address = builder_.pointer_add(place.address(in.args[0]), offset, 1);
                    values[i] = load(in.result, address, place.alignment(in.args[0]));
                }
                gather_parameter += mode.axes.size();
                break;
            }
            default:
                if (!known) values[i] = compute(in, values);
        }
    }
    return values;
}

V KernelCode::scatter_address(std::size_t store, V address, const std::vector<Number>& values, const Common& common) {
    return builder_.pointer_add(address, scatter_offset(store, values, common), 1);
}

V KernelCode::scatter_offset(std::size_t store, const std::vector<Number>& values, const Common& common) {
    std::size_t parameter = 0, number = program_.gathers.size();
    for (const GatherMode& gather : program_.gathers) parameter += gather.axes.size();
    for (std::size_t i = 0; i < store; ++i) {
        parameter += program_.stores[i].scatter.axes.size();
        number += !program_.stores[i].indices.empty();
    }
    const Store& target = program_.stores[store];
    return common.values.empty() ? indexed_offset(target.scatter, parameter, target.indices, values)
                                 : common.offsets[number];
}

V KernelCode::indexed_offset(const GatherMode& gather, std::size_t parameter, std::span<const ValueId> indices,
                             const std::vector<Number>& values) {
    V offset = builder_.i64(0);
    V zero = builder_.i64(0);
    for (std::size_t k = 0; k < gather.axes.size(); ++k) {
        V stride = gather_words_[2 * (parameter + k)];
        V extent = gather_words_[2 * (parameter + k) + 1];
        V index = values[indices[k]].re;
        switch (gather.mode) {
            case IndexMode::Wrap: {
                // Most indices are in bounds: divide only the others.
                V inside = builder_.scalar(S::BitAnd, builder_.scalar(S::Ge, index, zero), builder_.lt(index, extent));
                ir::Block* before = builder_.block();
                ir::Block* wraps = builder_.new_block("wraps");
                ir::Block* wrapped = builder_.new_block("wrapped");
                builder_.cond_branch(inside, wrapped, wraps);
                builder_.set_block(wraps);
                V rest = builder_.scalar(S::Mod, index, extent);
                builder_.branch(wrapped);
                builder_.set_block(wrapped);
                V chosen = builder_.phi(index->type);
                ir::Builder::add_incoming(chosen, index, before);
                ir::Builder::add_incoming(chosen, rest, wraps);
                index = chosen;
                break;
            }
            case IndexMode::Clip:
                index = builder_.scalar(S::Max, builder_.scalar(S::Min, index, builder_.sub(extent, builder_.i64(1))),
                                        zero);
                break;
            case IndexMode::Raise: {
                V low = builder_.scalar(S::Ge, index, builder_.scalar(S::Neg, extent));
                V inside = builder_.scalar(S::BitAnd, low, builder_.lt(index, extent));
                ir::Block* bad = builder_.new_block("out_of_bounds");
                ir::Block* good = builder_.new_block("in_bounds");
                builder_.cond_branch(inside, good, bad);
                builder_.set_block(bad);
                const auto site = static_cast<std::uint32_t>(module_->raise_sites.size());
                module_->raise_sites.push_back(
                    {"IndexError",
                     fmt::format("index {{0}} is out of bounds for axis {} with size {{1}}", gather.axes[k].axis),
                     {},
                     0});
                builder_.raise(site, {index, extent});
                builder_.set_block(good);
                index = builder_.select(builder_.lt(index, zero), builder_.add(index, extent), index);
                break;
            }
        }
        offset = builder_.add(offset, builder_.mul(index, stride));
    }
    return offset;
}

Number KernelCode::load(DType dtype, V address, std::uint32_t align) {
    const DType part = real_of(dtype);
    const ir::Type type = ir::Type::scalar(part);
    Number value{builder_.load(type, address, align)};
    if (is_complex(dtype))
        value.im = builder_.load(type, builder_.pointer_add(address, builder_.i64(1), size_of(part)));
    return value;
}

void KernelCode::store(DType dtype, V address, const Number& value, std::uint32_t align) {
    builder_.store(address, value.re, align);
    if (is_complex(dtype))
        builder_.store(builder_.pointer_add(address, builder_.i64(1), size_of(real_of(dtype))), value.im);
}

V KernelCode::as_i64(ir::Intrinsic which) {
    return builder_.cast(builder_.intrinsic(which), DType::Int64);
}

V KernelCode::global_index() {
    V start = builder_.mul(as_i64(ir::Intrinsic::CtaidX), as_i64(ir::Intrinsic::NtidX));
    return builder_.add(start, as_i64(ir::Intrinsic::TidX));
}

std::unique_ptr<ir::Module> KernelCode::finish() {
    passes::run_pipeline(*module_);
    return std::move(module_);
}

std::vector<bool> common_values(const Program& program, std::span<const Innermost> leaves) {
    std::vector<bool> common;
    for (const Instruction& in : program.code) {
        bool same = true;
        if (in.op == ElementOp::Load || in.op == ElementOp::Gather) same = leaves[in.args[0]] == Innermost::Same;
        if (in.op == ElementOp::Gather)
            for (ValueId index : std::span(program.extra).subspan(in.args[1], in.args[2])) same = same && common[index];
        for (std::size_t k = 0; k < operand_count(in); ++k) same = same && common[in.args[k]];
        common.push_back(same);
    }
    return common;
}

bool has_common_indices(const Program& program, const std::vector<bool>& common) {
    auto all = [&](std::span<const ValueId> indices) {
        return std::all_of(indices.begin(), indices.end(), [&](ValueId index) { return common[index]; });
    };
    for (const Instruction& in : program.code)
        if (in.op == ElementOp::Gather && !all(std::span(program.extra).subspan(in.args[1], in.args[2]))) return false;
    return std::all_of(program.stores.begin(), program.stores.end(),
                       [&](const Store& store) { return all(store.indices); });
}

std::uint64_t division_word(std::int64_t divisor) {
    // quotient = (mulhi(n, multiplier) + n) >> shift for every n below 2**31.
    const auto d = static_cast<std::uint64_t>(std::max<std::int64_t>(divisor, 1));
    const int shift = d <= 1 ? 0 : std::bit_width(d - 1);
    const std::uint64_t multiplier = ((std::uint64_t(1) << 32) * ((std::uint64_t(1) << shift) - d)) / d + 1;
    return multiplier | std::uint64_t(shift) << 32;
}

V divide_by_word(ir::Builder& b, V dividend, V word) {
    V multiplier = b.cast(word, DType::UInt32);
    V shift = b.cast(b.scalar(S::Shr, b.cast(word, DType::UInt64), b.constant(DType::UInt64, 32)), DType::UInt32);
    V sum = b.add(b.scalar(S::MulHigh, dividend, multiplier), dividend);
    return b.scalar(S::Shr, sum, shift);
}

}  // namespace lanewise
