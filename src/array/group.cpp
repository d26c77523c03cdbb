// GroupBuilder: from nodes to the straight code of one kernel.
#include <algorithm>

#include "array/division.h"
#include "array/program.h"
#include "array/reshape.h"

namespace lanewise {
namespace {

/// A node of at most so many operations is computed again where a view of it is read, rather than stored first.
constexpr std::uint32_t most_recomputed = 8;
/// Likewise where it is read several times, by broadcasting.
constexpr std::uint32_t most_recomputed_by_broadcast = 4;
constexpr std::size_t most_instructions = 200;
/// 8-byte kernel parameters that fit on every device.
constexpr std::size_t most_parameter_words = 500;

std::atomic<std::uint64_t> last_epoch{0};

}  // namespace

/// How the iteration space sees a node: its axis d steps along the node's axis axis[d] (-1: none); or, `reshaped`, both
/// have the same elements in C order.
struct GroupBuilder::Map {
    std::vector<int> axis;
    Dims step;
    Dims start;
    bool reshaped = false;
};

DType argument_type(ElementOp op, DType type, int k) {
    switch (op) {
        case ElementOp::Where:
            return k == 0 ? DType::Bool : type;
        case ElementOp::Ldexp:
            return k == 1 ? DType::Int32 : type;
        case ElementOp::MakeComplex:
            return real_of(type);
        case ElementOp::Gather:
            return k == 0 ? type : DType::Int64;
        default:
            return type;
    }
}

void Program::append_key(std::vector<std::uint32_t>& words) const {
    for (const Instruction& i : code) {
        words.push_back(std::uint32_t(i.op) | std::uint32_t(i.type) << 16 | std::uint32_t(i.result) << 24);
        words.push_back(std::uint32_t(i.args[0]) | std::uint32_t(i.args[1]) << 16);
        words.push_back(i.args[2]);
    }
    for (ValueId id : extra) words.push_back(id);
    for (const GatherMode& gather : gathers) {
        words.push_back(std::uint32_t(gather.mode) | 0x100);
        for (const IndexedAxis& axis : gather.axes) words.push_back(std::uint32_t(axis.axis));
    }
    words.push_back(std::uint32_t(leaves.size()) | std::uint32_t(stores.size()) << 8 |
                    std::uint32_t(scalars.size()) << 16);
    for (const Access& access : leaves)
        words.push_back(std::uint32_t(access.dtype) | std::uint32_t(access.is_iota) << 8);
    for (const Store& store : stores) {
        words.push_back(std::uint32_t(store.target.dtype) | std::uint32_t(store.value) << 8);
        if (store.indices.empty()) continue;
        words.push_back(std::uint32_t(store.scatter.mode) | 0x200 |
                        (store.update ? std::uint32_t(*store.update) + 1 : 0) << 16);
        for (ValueId id : store.indices) words.push_back(id);
        for (const IndexedAxis& axis : store.scatter.axes) words.push_back(std::uint32_t(axis.axis));
    }
}

GroupBuilder::GroupBuilder(const Dims& shape, const std::shared_ptr<Stream>& stream)
    : stream_(stream), epoch_(++last_epoch) {
    program_.shape = shape;
    for (std::int64_t extent : shape) size_ *= extent;
}

std::size_t GroupBuilder::max_accesses(int ndim) {
    const std::size_t by_words = most_parameter_words / static_cast<std::size_t>(ndim + 2);
    return std::min<std::size_t>(30, by_words > 4 ? by_words - 3 : 4);
}

bool GroupBuilder::has_room() const {
    return program_.code.size() < most_instructions && program_.scalars.size() < 64 &&
           program_.leaves.size() + visited_.size() < max_accesses(program_.shape.size());
}

ValueId GroupBuilder::append(const Instruction& instruction) {
    if (instruction.op != ElementOp::Parameter && instruction.op != ElementOp::Gather)
        for (std::size_t i = 0; i < program_.code.size(); ++i)
            if (program_.code[i] == instruction) return static_cast<ValueId>(i);
    program_.code.push_back(instruction);
    return static_cast<ValueId>(program_.code.size() - 1);
}

ValueId GroupBuilder::cast(ValueId value, DType to) {
    const DType from = program_.code[value].result;
    if (from == to) return value;
    return append({ElementOp::Cast, from, to, {value, 0, 0}});
}

std::uint16_t GroupBuilder::leaf(Access access) {
    auto& leaves = program_.leaves;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (leaves[i].address == access.address && leaves[i].is_iota == access.is_iota &&
            leaves[i].start == access.start && leaves[i].dtype == access.dtype && leaves[i].strides == access.strides)
            return static_cast<std::uint16_t>(i);
    leaves.push_back(std::move(access));
    return static_cast<std::uint16_t>(leaves.size() - 1);
}

ValueId GroupBuilder::load(DType dtype, const std::shared_ptr<Buffer>& buffer, std::int64_t offset,
                           const Dims& strides) {
    Access access;
    access.dtype = dtype;
    access.address = static_cast<std::byte*>(buffer->data()) + offset;
    access.strides = strides;
    access.buffer = buffer;
    return append({ElementOp::Load, dtype, dtype, {leaf(std::move(access)), 0, 0}});
}

ValueId GroupBuilder::divisor(const Input& input) {
    const auto number = static_cast<ValueId>(program_.scalars.size());
    program_.scalars.push_back(input.bits[0]);
    for (std::uint64_t word : divisor_words(input.dtype, input.bits[0])) program_.scalars.push_back(word);
    return append({ElementOp::Parameter, input.dtype, input.dtype, {number, divisor_parameter, 0}});
}

ValueId GroupBuilder::input(const Input& input, DType wanted) {
    return input_at(input, input.offset, input.strides, wanted);
}

ValueId GroupBuilder::input_at(const Input& input, std::int64_t offset, const Dims& strides, DType wanted) {
    switch (input.kind) {
        case Input::Kind::Scalar: {
            const auto number = static_cast<ValueId>(program_.scalars.size());
            program_.scalars.push_back(input.bits[0]);
            if (is_complex(input.dtype)) program_.scalars.push_back(input.bits[1]);
            return cast(append({ElementOp::Parameter, input.dtype, input.dtype, {number, 0, 0}}), wanted);
        }
        case Input::Kind::Iota: {
            Access access;
            access.is_iota = true;
            access.dtype = DType::Int64;
            access.start = offset;
            access.strides = strides;
            return cast(append({ElementOp::Load, DType::Int64, DType::Int64, {leaf(std::move(access)), 0, 0}}), wanted);
        }
        case Input::Kind::Memory:
            return cast(load(input.dtype, input.buffer, offset, strides), wanted);
        case Input::Kind::Node:
            break;
    }
    const NodePtr& node = input.node;
    // Seen as another dtype, a value has to be in memory.
    if (node->dtype == input.dtype && !node->is_done())
        if (const std::optional<ValueId> value = node_at(node, offset, strides)) return cast(*value, wanted);
    return cast(load(input.dtype, computed(input), offset, strides), wanted);
}

const std::shared_ptr<Buffer>& GroupBuilder::computed(const Input& input) {
    if (input.kind != Input::Kind::Node) return input.buffer;
    Node& node = *input.node;
    realise_locked(node);
    if (std::find(followed_.begin(), followed_.end(), node.stream.get()) == followed_.end()) {
        stream_->follow(*node.stream);
        followed_.push_back(node.stream.get());
    }
    return node.buffer;
}

std::optional<ValueId> GroupBuilder::node_at(const NodePtr& node, std::int64_t offset, const Dims& strides) {
    if (node->kind == Node::Kind::Elementwise && node->stream == stream_ && has_room()) {
        const bool whole = offset == 0 && node->shape == program_.shape && node->strides == strides;
        if (whole) return visit(*node);
        // A reshaped value that nobody else wants is computed here alone.
        const bool single = node->size == size_ && node->storages.load(std::memory_order_relaxed) == 0 &&
                            node->consumers.load(std::memory_order_relaxed) <= 1;
        if (node->op != ElementOp::Gather &&
            (single || (node->weight <= most_recomputed &&
                        (node->size >= size_ || node->weight <= most_recomputed_by_broadcast)))) {
            for (const MappedValue& known : mapped_)
                if (known.node == node.get() && known.offset == offset && known.strides == strides) return known.value;
            if (std::optional<Map> map = decode(*node, offset, strides)) {
                const ValueId value = compute(*node, &*map);
                mapped_.push_back({node.get(), offset, strides, value});
                return value;
            }
        }
    }
    return std::nullopt;
}

GroupBuilder::Visit* GroupBuilder::find(const Node& node) {
    if (node.mark == epoch_) return &visited_[node.visit];
    if (last_epoch.load(std::memory_order_relaxed) == epoch_) return nullptr;
    // Groups formed meanwhile, for what this one reads, have left their marks on nodes of this one.
    for (Visit& visit : visited_)
        if (visit.node == &node) return &visit;
    return nullptr;
}

ValueId GroupBuilder::visit(Node& node) {
    if (Visit* known = find(node)) {
        ++known->uses;
        return known->value;
    }
    const ValueId value = compute(node, nullptr);
    node.mark = epoch_;
    node.visit = visited_.size();
    visited_.push_back({&node, value, 1});
    return value;
}

ValueId GroupBuilder::compute(Node& node, const Map* map) {
    ValueId args[3] = {0, 0, 0};
    auto place = [&](const Input& input, auto&& read) {
        if (!map || input.kind == Input::Kind::Scalar) return read(input.offset, input.strides);
        std::int64_t offset = input.offset;
        if (map->reshaped)
            return read(offset, *reshaped_strides(node.shape, input.strides, program_.shape, 1, Order::C));
        Dims strides(program_.shape.size());
        for (int k = 0; k < map->start.size(); ++k) offset += map->start[k] * input.strides[k];
        for (int d = 0; d < strides.size(); ++d)
            if (map->axis[d] >= 0) strides[d] = input.strides[map->axis[d]] * map->step[d];
        return read(offset, strides);
    };
    if (node.op == ElementOp::Gather) {
        // The gathered array must be in memory.
        const Input& source = node.inputs[0];
        const std::shared_ptr<Buffer> buffer = computed(source);
        std::vector<ValueId> indices;
        for (std::size_t k = 1; k < node.inputs.size(); ++k) indices.push_back(input(node.inputs[k], DType::Int64));
        Access access;
        access.dtype = source.dtype;
        access.address = static_cast<std::byte*>(buffer->data()) + source.offset;
        access.strides = source.strides;
        access.buffer = buffer;
        const auto first = static_cast<ValueId>(program_.extra.size());
        program_.extra.insert(program_.extra.end(), indices.begin(), indices.end());
        program_.gathers.push_back({node.mode, node.indexed});
        return append({ElementOp::Gather,
                       source.dtype,
                       source.dtype,
                       {leaf(std::move(access)), first, static_cast<ValueId>(indices.size())}});
    }
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        const Input& in = node.inputs[k];
        const DType wanted = argument_type(node.op, node.type, static_cast<int>(k));
        if (k == 1 && in.kind == Input::Kind::Scalar && in.dtype == wanted && is_integer_division(node.op, wanted)) {
            args[k] = divisor(in);
            continue;
        }
        args[k] =
            place(in, [&](std::int64_t offset, const Dims& strides) { return input_at(in, offset, strides, wanted); });
    }
    if (node.op == ElementOp::Copy) return cast(args[0], node.dtype);
    return append({node.op, node.type, node.dtype, {args[0], args[1], args[2]}});
}

bool GroupBuilder::can_reshape(const Node& node) const {
    for (const Input& in : node.inputs) {
        if (in.kind == Input::Kind::Scalar) continue;
        if (!reshaped_strides(node.shape, in.strides, program_.shape, 1, Order::C)) return false;
        if (in.kind != Input::Kind::Node || in.node->is_done()) continue;
        // A view of another value would have to be decoded in turn.
        const bool whole = in.offset == 0 && in.node->shape == node.shape && in.node->strides == in.strides &&
                           in.node->dtype == in.dtype;
        if (!whole || in.node->kind != Node::Kind::Elementwise || in.node->stream != stream_ ||
            in.node->op == ElementOp::Gather || !can_reshape(*in.node))
            return false;
    }
    return true;
}

std::optional<GroupBuilder::Map> GroupBuilder::decode(const Node& node, std::int64_t offset,
                                                      const Dims& strides) const {
    const int ndim = node.shape.size();
    if (offset == 0 && node.size == size_ &&
        strides == contiguous_strides(program_.shape, size_of(node.dtype), Order::C) &&
        node.strides == contiguous_strides(node.shape, size_of(node.dtype), Order::C) && can_reshape(node)) {
        Map map;
        map.reshaped = true;
        return map;
    }
    std::vector<int> order;
    for (int k = 0; k < ndim; ++k)
        if (node.shape[k] > 1) order.push_back(k);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return node.strides[a] > node.strides[b]; });
    Map map{std::vector<int>(static_cast<std::size_t>(program_.shape.size()), -1), Dims(program_.shape.size()),
            Dims(ndim)};
    std::int64_t rest = offset;
    for (int k : order) {
        map.start[k] = rest / node.strides[k];
        rest -= map.start[k] * node.strides[k];
        if (map.start[k] < 0 || map.start[k] >= node.shape[k]) return std::nullopt;
    }
    if (rest != 0) return std::nullopt;
    std::uint64_t taken = 0;
    for (int d = 0; d < program_.shape.size(); ++d) {
        if (strides[d] == 0 || program_.shape[d] == 1) continue;
        const std::int64_t step = strides[d] < 0 ? -strides[d] : strides[d];
        auto found = std::find_if(order.begin(), order.end(), [&](int k) { return node.strides[k] <= step; });
        if (found == order.end() || step % node.strides[*found] != 0 || (taken >> *found & 1)) return std::nullopt;
        const int k = *found;
        taken |= std::uint64_t(1) << k;
        map.axis[static_cast<std::size_t>(d)] = k;
        map.step[d] = strides[d] / node.strides[k];
        const std::int64_t last = map.start[k] + map.step[d] * (program_.shape[d] - 1);
        if (last < 0 || last >= node.shape[k]) return std::nullopt;
    }
    return map;
}

bool GroupBuilder::shares_input(const Node& node) const {
    for (const Input& in : node.inputs) {
        if (in.kind == Input::Kind::Node) {
            if (has_visited(*in.node) && !in.node->is_done()) return true;
            if (!in.node->is_done()) continue;
        }
        const Buffer* buffer = in.kind == Input::Kind::Memory ? in.buffer.get()
                               : in.kind == Input::Kind::Node ? in.node->buffer.get()
                                                              : nullptr;
        for (const Access& leaf : program_.leaves)
            if (buffer && leaf.buffer.get() == buffer) return true;
    }
    return false;
}

}  // namespace lanewise
