// Elementwise functions: types, broadcasting, and the node.
#include <fmt/format.h>

#include <algorithm>

#include "array/operands.h"

namespace lanewise {
namespace {

Dims broadcast_shapes(const char* call, std::span<const Dims> shapes) {
    int ndim = 0;
    for (const Dims& shape : shapes) ndim = std::max(ndim, shape.size());
    Dims result(ndim, 1);
    for (const Dims& shape : shapes)
        for (int i = 0; i < shape.size(); ++i) {
            std::int64_t& extent = result[ndim - shape.size() + i];
            if (extent == 1) extent = shape[i];
            if (shape[i] == 1 || shape[i] == extent) continue;
            std::string text;
            for (const Dims& s : shapes) text += (text.empty() ? "" : " ") + to_string(s);
            throw Error(ErrorKind::Value,
                        fmt::format("{}: operands could not be broadcast together with shapes {}", call, text));
        }
    return result;
}

bool is_signed_and_uint64(DType a, DType b) {
    return (is_signed(a) && b == DType::UInt64) || (is_signed(b) && a == DType::UInt64);
}
bool is_comparison(Ufunc ufunc) {
    return ufunc >= Ufunc::Equal && ufunc <= Ufunc::GreaterEqual;
}

/// A Python integer outside the range of the integer array it is compared with: the answer is known.
std::optional<bool> known_comparison(Ufunc ufunc, const Operand& a, const Operand& b) {
    const Operand& number = a.scalar() ? a : b;
    const Operand& other = a.scalar() ? b : a;
    if (!number.scalar() || !other.array() || number.scalar()->dtype() || number.scalar()->kind() != WeakKind::Int ||
        !is_integer(other.array()->dtype()) || number.scalar()->fits(other.array()->dtype()))
        return std::nullopt;
    const bool number_is_larger = number.scalar()->integer() > 0;
    const bool first_is_larger = number_is_larger == (&number == &a);
    switch (ufunc) {
        case Ufunc::Equal:
            return false;
        case Ufunc::NotEqual:
            return true;
        case Ufunc::Less:
        case Ufunc::LessEqual:
            return !first_is_larger;
        default:
            return first_is_larger;
    }
}

/// Exact comparison of a signed with an unsigned 64-bit integer, by way of the sign.
Array compare_mixed(Ufunc ufunc, const Operand& a, const Operand& b) {
    auto dtype_of = [](const Operand& x) { return x.array() ? x.array()->dtype() : *x.scalar()->dtype(); };
    const bool signed_first = is_signed(dtype_of(a));
    const Operand& s = signed_first ? a : b;
    const Array s_wide = s.array()
                             ? astype(*s.array(), DType::Int64, Casting::Safe, false)
                             : full({}, *s.scalar(), DType::Int64, stream_of(b.array() ? *b.array() : *a.array()));
    const Array negative = less(s_wide, Scalar(0));
    const Array magnitude = astype(s_wide, DType::UInt64);
    const Array plain =
        signed_first ? apply(ufunc, {{Operand(magnitude), b}}) : apply(ufunc, {{a, Operand(magnitude)}});
    bool if_negative = ufunc == Ufunc::NotEqual;
    if (ufunc == Ufunc::Less || ufunc == Ufunc::LessEqual) if_negative = signed_first;
    if (ufunc == Ufunc::Greater || ufunc == Ufunc::GreaterEqual) if_negative = !signed_first;
    return if_negative ? logical_or(negative, plain) : logical_and(logical_not(negative), plain);
}

/// NumPy's fast exponents: x ** 2 is a multiplication.
std::optional<Array> power_by_scalar(const Array& x, const Scalar& exponent, const UfuncOptions& options) {
    if (exponent.dtype() || exponent.kind() == WeakKind::Complex || options.dtype) return std::nullopt;
    const DType type = promote(x.dtype(), exponent.kind());
    const double e = exponent.real();
    if (is_integer(type) || is_bool(type)) {
        if (exponent.integer() < 0)
            throw Error(ErrorKind::Value,
                        "power: integers to negative integer powers are not allowed; cast to a float");
        if (e == 2 && !is_bool(x.dtype()) && x.dtype() == type) return square(x, options);
        return std::nullopt;
    }
    const Array base = astype(x, type, Casting::Unsafe, false);
    if (e == 2) return square(base, options);
    if (e == 1) return positive(base, options);
    if (e == 0.5) return sqrt(base, options);
    if (e == -1) return reciprocal(base, options);
    return std::nullopt;
}

}  // namespace

Input scalar_input(const Scalar& scalar, DType dtype, int ndim) {
    Input in;
    in.dtype = dtype;
    in.strides = Dims(ndim);
    const auto bits = scalar.bits(dtype);
    in.bits[0] = bits[0];
    in.bits[1] = bits[1];
    return in;
}

Input operand_input(const Operand& operand, const Dims& shape, DType wanted) {
    if (operand.array()) return ArrayAccess::input(*operand.array(), shape);
    const Scalar& scalar = *operand.scalar();
    return scalar_input(scalar, scalar.dtype() ? *scalar.dtype() : wanted, shape.size());
}

const std::shared_ptr<Stream>& stream_of(const Array& x) {
    return current_stream(x.device());
}

Dims broadcast_dims(const char* call, const Dims& a, const Dims& b) {
    const Dims shapes[] = {a, b};
    return broadcast_shapes(call, shapes);
}

Dims broadcast_shape(const char* call, std::span<const Operand> operands) {
    const Array* first = nullptr;
    bool same = true;
    for (const Operand& operand : operands) {
        if (!operand.array()) continue;
        same = same && (!first || operand.array()->shape() == first->shape());
        if (!first) first = operand.array();
    }
    if (!first) return {};
    if (same) return first->shape();
    std::vector<Dims> shapes;
    for (const Operand& operand : operands)
        if (operand.array()) shapes.push_back(operand.array()->shape());
    return broadcast_shapes(call, shapes);
}

std::vector<DType> operand_dtypes(std::span<const Operand> operands) {
    std::vector<DType> strong;
    std::vector<WeakKind> weak;
    for (const Operand& operand : operands) {
        if (operand.array())
            strong.push_back(operand.array()->dtype());
        else if (operand.scalar()->dtype())
            strong.push_back(*operand.scalar()->dtype());
        else
            weak.push_back(operand.scalar()->kind());
    }
    // Python numbers count where they are of a higher kind than the arrays.
    const DType common = result_type(strong, weak);
    if (strong.empty() || (!weak.empty() && common != result_type(strong))) strong = {common};
    return strong;
}

DType common_dtype(std::span<const Operand> operands) {
    return result_type(operand_dtypes(operands));
}

const std::shared_ptr<Stream>& operand_stream(std::span<const Operand> operands, const std::shared_ptr<Stream>& given) {
    Device* device = given ? &given->device() : nullptr;
    for (const Operand& operand : operands) {
        const Array* array = operand.array();
        if (!array) continue;
        if (!device) {
            device = &array->device();
        } else if (&array->device() != device) {
            if (given)
                throw Error(ErrorKind::Value, fmt::format("an operation on arrays of {} cannot run on a stream of {}",
                                                          array->device().name(), device->name()));
            throw Error(ErrorKind::Value, fmt::format("arrays of {} and of {} in one operation; copy one of them first",
                                                      device->name(), array->device().name()));
        }
    }
    if (given) return given;
    return current_stream(device ? *device : current_device());
}

/// GPUs fault on elements at addresses that are no multiple of their size.
static void require_alignment(const Array& array) {
    std::int64_t bits = array.offset();
    for (int i = 0; i < array.ndim(); ++i)
        if (array.shape()[i] > 1) bits |= array.strides()[i];
    const std::int64_t part = size_of(real_of(array.dtype()));
    if (bits % part == 0 || engine::planned_kind(array.device()) != DeviceKind::Cuda) return;
    throw Error(
        ErrorKind::Value,
        fmt::format("elements of {} at offset {} with strides {} do not lie at multiples of {} bytes, which GPUs "
                    "cannot read; copy() the array first",
                    name(array.dtype()), array.offset(), to_string(array.strides()), part));
}

/// target[...] = the value of a node of the same shape and dtype that is not recorded yet.
static void put_value(const Array& target, const NodePtr& node) {
    require_alignment(target);
    if (const auto& storage = ArrayAccess::storage(target)) {
        // A pending value that is overwritten as a whole becomes another value.
        const NodePtr before = storage->node();
        if (!before->is_done() && before->shape == target.shape() && before->strides == target.strides() &&
            target.offset() == 0 && before->dtype == target.dtype()) {
            node->strides = before->strides;
            const Array recorded = engine::record(node);
            if (storage->replace(before, node)) return;
            return engine::write(target, engine::make_node(ElementOp::Copy, node->dtype, node->dtype, node->shape,
                                                           node->stream, {ArrayAccess::input(recorded, node->shape)}));
        }
    }
    engine::write(target, node);
}

Array finish_operation(const NodePtr& node, const UfuncOptions& options, const char* call) {
    if (!options.out) {
        if (!options.where) return engine::record(node);
        Array result = Array::empty(node->shape, node->dtype, node->stream);
        UfuncOptions with_out = options;
        with_out.out = result;
        return finish_operation(node, with_out, call);
    }
    const Array& out = *options.out;
    ArrayAccess::require_writable(out, call);
    if (!can_cast(node->dtype, out.dtype(), options.casting))
        throw Error(ErrorKind::Type,
                    fmt::format("{}: cannot cast the result from {} to the {} of out with casting rule "
                                "'{}'",
                                call, name(node->dtype), name(out.dtype()),
                                options.casting == Casting::SameKind ? "same_kind" : "safe"));
    if (!(out.shape() == node->shape))
        throw Error(ErrorKind::Value, fmt::format("{}: out has shape {}, the result {}", call, to_string(out.shape()),
                                                  to_string(node->shape)));
    if (options.where) {
        // In the type of out, which keeps its other elements as they are.
        assign(out, where(*options.where, astype(engine::record(node), out.dtype(), Casting::Unsafe, false), out));
    } else if (node->dtype == out.dtype()) {
        put_value(out, node);
    } else {
        // The value itself is nobody's: it is not stored.
        Input value = ArrayAccess::input(engine::record(node), node->shape);
        put_value(out, engine::make_node(ElementOp::Copy, out.dtype(), out.dtype(), node->shape, node->stream,
                                         {std::move(value)}));
    }
    return out;
}

/// What the operands broadcast to, or the shape of `out` where that broadcasts to it.
static Dims result_shape(std::span<const Operand> operands, const UfuncOptions& options, const char* call) {
    const Dims shape = broadcast_shape(call, operands);
    if (!options.out) return shape;
    const Dims& wide = options.out->shape();
    const int added = wide.size() - shape.size();
    bool fits = added >= 0;
    for (int i = 0; fits && i < shape.size(); ++i) fits = shape[i] == 1 || shape[i] == wide[added + i];
    return fits ? wide : shape;
}

/// The value of a function that is made of others.
static Array deliver(const Array& value, const UfuncOptions& options, const char* call) {
    if (!options.out && !options.where) return value;
    return record_op(ElementOp::Copy, value.dtype(), value.dtype(), {{Operand(value)}}, call, options);
}

Array apply(Ufunc ufunc, std::span<const Operand> operands, const UfuncOptions& options) {
    const UfuncInfo& row = info(ufunc);
    const char* call = row.name.data();
    if (ufunc == Ufunc::Power && operands[0].array() && operands[1].scalar())
        if (auto result = power_by_scalar(*operands[0].array(), *operands[1].scalar(), options)) return *result;
    if (is_comparison(ufunc) && !options.dtype) {
        if (auto known = known_comparison(ufunc, operands[0], operands[1])) {
            const Array& array = operands[0].array() ? *operands[0].array() : *operands[1].array();
            return deliver(full(array.shape(), *known, DType::Bool, stream_of(array)), options, call);
        }
        auto strong = [](const Operand& x) {
            return x.array() ? std::optional(x.array()->dtype()) : x.scalar()->dtype();
        };
        const auto a = strong(operands[0]), b = strong(operands[1]);
        if (a && b && is_signed_and_uint64(*a, *b) && (operands[0].array() || operands[1].array()))
            return deliver(compare_mixed(ufunc, operands[0], operands[1]), options, call);
    }
    const std::shared_ptr<Stream> stream = operand_stream(operands, options.stream);
    const Dims shape = result_shape(operands, options, call);
    const auto [loop, result] =
        resolve(ufunc, options.dtype ? std::vector<DType>{*options.dtype} : operand_dtypes(operands));
    std::vector<Input> inputs;
    inputs.reserve(operands.size());
    for (const Operand& operand : operands) inputs.push_back(operand_input(operand, shape, loop));
    return finish_operation(engine::make_node(element_op(ufunc), loop, result, shape, stream, std::move(inputs)),
                            options, call);
}

Array into(const Array& value, const std::optional<Array>& out) {
    if (!out) return value;
    if (out->shape() != value.shape())
        throw Error(ErrorKind::Value, fmt::format("out has shape {}, the result has {}", to_string(out->shape()),
                                                  to_string(value.shape())));
    assign(*out, value, Casting::SameKind);
    return *out;
}

Array record_op(ElementOp op, DType type, DType dtype, std::span<const Operand> operands, const char* call,
                const UfuncOptions& options) {
    const std::shared_ptr<Stream> stream = operand_stream(operands, options.stream);
    const Dims shape = result_shape(operands, options, call);
    std::vector<Input> inputs;
    for (std::size_t k = 0; k < operands.size(); ++k)
        inputs.push_back(operand_input(operands[k], shape, argument_type(op, type, static_cast<int>(k))));
    return finish_operation(engine::make_node(op, type, dtype, shape, stream, std::move(inputs)), options, call);
}

Array astype(const Array& x, DType dtype, Casting casting, bool copy) {
    if (!can_cast(x.dtype(), dtype, casting))
        throw Error(ErrorKind::Type, fmt::format("astype: cannot cast from {} to {} by the given casting rule",
                                                 name(x.dtype()), name(dtype)));
    if (x.dtype() == dtype && !copy) return x;
    const Operand operands[] = {x};
    // To a real type the imaginary part is dropped.
    if (is_complex(x.dtype()) && !is_complex(dtype) && !is_bool(dtype)) return astype(real(x), dtype, casting, copy);
    return record_op(ElementOp::Copy, dtype, dtype, operands, "astype", {});
}

void assign(const Array& target, const Operand& value, Casting casting) {
    ArrayAccess::require_writable(target, "assignment");
    const DType dtype = target.dtype();
    const std::shared_ptr<Stream> stream = stream_of(target);
    Input source;
    if (const Array* array = value.array()) {
        if (!can_cast(array->dtype(), dtype, casting))
            throw Error(ErrorKind::Type,
                        fmt::format("assignment: cannot cast from {} to {}", name(array->dtype()), name(dtype)));
        Array fitting = *array;
        // Leading axes of extent 1 may be too many.
        while (fitting.ndim() > target.ndim() && fitting.shape()[0] == 1) fitting = fitting.squeeze(Dims{0});
        if (fitting.ndim() > target.ndim() ||
            !(broadcast_shapes("assignment", {{fitting.shape(), target.shape()}}) == target.shape()))
            throw Error(ErrorKind::Value, fmt::format("could not broadcast an array of shape {} into shape {}",
                                                      to_string(array->shape()), to_string(target.shape())));
        if (&fitting.device() != &target.device())
            return target.copy_from(astype(fitting, dtype, casting, false), stream);
        if (is_complex(fitting.dtype()) && !is_complex(dtype) && !is_bool(dtype)) fitting = real(fitting);
        source = ArrayAccess::input(fitting, target.shape());
    } else {
        source = operand_input(value, target.shape(), dtype);
    }
    put_value(target, engine::make_node(ElementOp::Copy, dtype, dtype, target.shape(), stream, {std::move(source)}));
}

Array ArrayAccess::of(NodePtr node) {
    const Dims shape = node->shape, strides = node->strides;
    const DType dtype = node->dtype;
    return Array(nullptr, 0, shape, strides, dtype, false, std::make_shared<Storage>(std::move(node)));
}

Input ArrayAccess::input(const Array& array, const Dims& shape) {
    require_alignment(array);
    Input in;
    in.dtype = array.dtype();
    in.offset = array.offset();
    if (array.shape() == shape) {
        in.strides = array.strides();
    } else {
        in.strides = Dims(shape.size());
        const int added = shape.size() - array.ndim();
        for (int i = 0; i < array.ndim(); ++i)
            in.strides[added + i] = array.shape()[i] == shape[added + i] ? array.strides()[i] : 0;
    }
    // Strides of axes without steps say nothing; 0 lets axes merge.
    for (int i = 0; i < shape.size(); ++i)
        if (shape[i] == 1 && !(array.shape() == shape)) in.strides[i] = 0;
    if (!array.storage_) {
        in.kind = Input::Kind::Memory;
        in.buffer = array.buffer_;
        return in;
    }
    in.node = array.storage_->node();
    in.kind = Input::Kind::Node;
    if (in.node->is_done()) {
        in.kind = Input::Kind::Memory;
        in.buffer = in.node->buffer;
        in.node = nullptr;
    }
    return in;
}

}  // namespace lanewise
