// Errors, warnings, run-time raises, and operands made from constants and captured values.
#include "frontend/python/emitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/python/builtins.h"

namespace lanewise::python {

using syntax::Captured;

namespace {

/// CUDA has 64 KiB of constant memory a module; what exceeds this share of it is read-only global memory.
constexpr std::uint64_t constant_space_limit = 48 * 1024;

Type::Kind fieldless_kind(Captured::Kind kind) {
    return kind == Captured::Kind::String ? Type::Kind::String : Type::Kind::None;
}

TypePtr named_type(Type::Kind kind, const std::string& builtin) {
    Type type;
    type.kind = kind;
    type.builtin = builtin;
    return intern(std::move(type));
}

bool is_dim3(std::string_view name) {
    return name == "cuda.threadIdx" || name == "cuda.blockIdx" || name == "cuda.blockDim" || name == "cuda.gridDim";
}

Layout layout_of(const Captured& array) {
    const std::int64_t item = size_of(array.dtype);
    auto contiguous = [&](bool c_order) {
        std::int64_t expected = item;
        const std::size_t ndim = array.shape.size();
        for (std::size_t k = 0; k < ndim; ++k) {
            const std::size_t axis = c_order ? ndim - 1 - k : k;
            if (array.shape[axis] != 1 && array.strides[axis] != expected) return false;
            expected *= array.shape[axis];
        }
        return true;
    };
    if (contiguous(true)) return Layout::C;
    return contiguous(false) ? Layout::F : Layout::A;
}

std::vector<std::int64_t> contiguous_strides(const std::vector<std::int64_t>& shape, std::int64_t item, bool c_order) {
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t stride = item;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        const std::size_t axis = c_order ? shape.size() - 1 - k : k;
        strides[axis] = stride;
        stride *= shape[axis];
    }
    return strides;
}

Operand array_operand(Emitter& e, const syntax::CapturedPtr& value, TypePtr type, ir::Value* pointer,
                      const std::vector<std::int64_t>& strides) {
    Operand operand;
    operand.type = type;
    operand.constant = value;
    if (e.dry()) return operand;
    operand.parts.push_back(pointer);
    for (std::int64_t extent : value->shape) operand.parts.push_back(e.builder().i64(extent));
    for (std::int64_t stride : strides) operand.parts.push_back(e.builder().i64(stride));
    return operand;
}

}  // namespace

void Emitter::fail(ErrorKind kind, const std::string& message, Location at) const {
    throw located_error(kind, message, file_, at);
}

void Emitter::warn(const std::string& message) {
    if (dry()) return;
    const std::pair position(file_, std::uint64_t{at_.line} << 32 | at_.column);
    if (std::find(warned_positions_.begin(), warned_positions_.end(), position) != warned_positions_.end()) return;
    warned_positions_.push_back(position);
    warnings_.push_back(with_source(message, file_, at_));
}

std::uint32_t Emitter::file_index(const SourceFile* file) {
    auto [found, added] = file_indices_.try_emplace(file, static_cast<std::uint32_t>(module_.files.size()));
    if (added) module_.files.push_back(file ? *file : SourceFile{});
    return found->second;
}

void Emitter::raise_if(ir::Value* condition, const std::string& python_class, const std::string& message,
                       const std::vector<ir::Value*>& values) {
    if (dry()) return;
    const auto known = ir::constant_integer(condition);
    if (known && *known == 0) return;
    const auto site = static_cast<std::uint32_t>(module_.raise_sites.size());
    module_.raise_sites.push_back(RaiseSite{python_class, message, at_, file_index(file_)});
    ir::Block* raising = builder_->new_block("raise");
    ir::Block* passing = builder_->new_block("pass");
    builder_->cond_branch(condition, raising, passing);
    builder_->set_block(raising);
    builder_->raise(site, values);
    builder_->set_block(passing);
}

Operand Emitter::scalar(DType dtype, ir::Value* value) const {
    Operand operand;
    operand.type = scalar_type(dtype);
    if (value) operand.parts.push_back(value);
    return operand;
}

Operand Emitter::integer(std::int64_t value, DType dtype) {
    auto constant = std::make_shared<Captured>();
    constant->kind = is_bool(dtype) ? Captured::Kind::Bool : Captured::Kind::Int;
    constant->integer = value;
    constant->is_uint64 = dtype == DType::UInt64 && value < 0;
    Operand operand = scalar(dtype, dry() ? nullptr : builder_->constant(dtype, value));
    operand.constant = std::move(constant);
    return operand;
}

Operand Emitter::none() const {
    static const syntax::CapturedPtr value = std::make_shared<Captured>();
    Operand operand;
    operand.type = none_type();
    operand.constant = value;
    return operand;
}

Operand Emitter::tuple(const std::vector<Operand>& items) const {
    Operand operand;
    std::vector<TypePtr> types;
    types.reserve(items.size());
    bool constant = true, literal = !items.empty();
    for (const Operand& item : items) {
        types.push_back(item.type);
        operand.parts.insert(operand.parts.end(), item.parts.begin(), item.parts.end());
        constant &= item.constant != nullptr;
        literal &= item.is_literal;
    }
    operand.type = tuple_type(std::move(types));
    operand.is_literal = literal;
    if (constant) {
        auto value = std::make_shared<Captured>();
        value->kind = Captured::Kind::Tuple;
        for (const Operand& item : items) value->items.push_back(item.constant);
        operand.constant = std::move(value);
    }
    return operand;
}

Operand Emitter::item(const Operand& tuple, std::size_t index) const {
    Operand operand;
    operand.type = tuple.type->items.at(index);
    operand.is_literal = tuple.is_literal;
    if (tuple.constant && index < tuple.constant->items.size()) operand.constant = tuple.constant->items[index];
    if (dry()) return operand;
    std::size_t first = 0;
    for (std::size_t i = 0; i < index; ++i) first += parts_of(tuple.type->items[i]).size();
    const std::size_t count = parts_of(operand.type).size();
    operand.parts.assign(tuple.parts.begin() + first, tuple.parts.begin() + first + count);
    return operand;
}

Operand Emitter::captured(const syntax::CapturedPtr& value) {
    const Captured& c = *value;
    Operand operand;
    switch (c.kind) {
        case Captured::Kind::None:
        case Captured::Kind::String:
            operand.type = named_type(fieldless_kind(c.kind), {});
            break;
        case Captured::Kind::Bool:
            operand = scalar(DType::Bool, dry() ? nullptr : builder_->boolean(c.integer != 0));
            break;
        case Captured::Kind::Int: {
            const DType dtype = c.is_uint64 ? DType::UInt64 : DType::Int64;
            operand = scalar(dtype, dry() ? nullptr : builder_->constant(dtype, c.integer));
            break;
        }
        case Captured::Kind::Float:
            operand = scalar(DType::Float64, dry() ? nullptr : builder_->constant_float(DType::Float64, c.number));
            break;
        case Captured::Kind::NumpyScalar:
            operand.type = scalar_type(c.dtype);
            if (dry()) break;
            if (is_complex(c.dtype)) {
                const DType real = c.dtype == DType::Complex64 ? DType::Float32 : DType::Float64;
                operand.parts = {builder_->constant_float(real, c.number), builder_->constant_float(real, c.imaginary)};
            } else {
                operand.parts = {is_float(c.dtype) ? builder_->constant_float(c.dtype, c.number)
                                                   : builder_->constant(c.dtype, c.integer)};
            }
            break;
        case Captured::Kind::Tuple: {
            std::vector<Operand> items;
            for (const auto& item : c.items) items.push_back(captured(item));
            operand = tuple(items);
            break;
        }
        case Captured::Kind::Builtin: {
            if (Handler handler = find_builtin_value(c.text)) {
                Call call{*this, c.text, c.text, at_, {}, {}, {}};
                return handler(call);
            }
            operand.type = named_type(c.text == "builtins.Ellipsis" ? Type::Kind::Ellipsis
                                      : is_dim3(c.text)             ? Type::Kind::Dim3
                                                                    : Type::Kind::Builtin,
                                      c.text);
            break;
        }
        case Captured::Kind::DType: {
            Type type;
            type.kind = Type::Kind::DType;
            type.dtype = c.dtype;
            operand.type = intern(std::move(type));
            break;
        }
        case Captured::Kind::Array:
            return captured_array(value);
        case Captured::Kind::DeviceArray:
            return captured_device_array(value);
        case Captured::Kind::Function: {
            Type type;
            type.kind = Type::Kind::Function;
            type.function = c.function.get();
            operand.type = intern(std::move(type));
            break;
        }
        case Captured::Kind::Module:
            operand.type = named_type(Type::Kind::Module, c.text);
            break;
        case Captured::Kind::Other:
            fail(
                ErrorKind::Typing,
                fmt::format("a kernel cannot use {} from outside; it can use numbers, strings, tuples of them, arrays, "
                            "dtypes, device functions and modules",
                            c.text));
    }
    operand.constant = value;
    operand.is_literal = operand.type->is_scalar() || operand.type->is_tuple();
    return operand;
}

Operand Emitter::captured_array(const syntax::CapturedPtr& value) {
    const Captured& c = *value;
    const std::uint64_t bytes = std::max<std::uint64_t>(c.bytes.size(), 1);
    // Decided at the first use, dry or not, so that the type is the same ever after.
    auto [entry, added] = array_globals_.try_emplace(value.get());
    ArrayGlobal& place = entry->second;
    if (added && constant_bytes_ + bytes <= constant_space_limit) {
        place.space = ir::Space::Constant;
        constant_bytes_ += bytes;
    }
    const TypePtr type =
        array_type(c.dtype, static_cast<int>(c.shape.size()), c.c_order ? Layout::C : Layout::F, true, place.space);
    if (dry()) return array_operand(*this, value, type, nullptr, {});
    if (!place.global) {
        place.global = module_.new_global(fmt::format("array${}", module_.globals.size()), place.space, bytes, 16);
        place.global->data = c.bytes;
        place.global->data.resize(bytes);
    }
    return array_operand(*this, value, type, builder_->global_address(place.global),
                         contiguous_strides(c.shape, size_of(c.dtype), c.c_order));
}

Operand Emitter::captured_device_array(const syntax::CapturedPtr& value) {
    const Captured& c = *value;
    const TypePtr type = array_type(c.dtype, static_cast<int>(c.shape.size()), layout_of(c));
    if (dry()) return array_operand(*this, value, type, nullptr, {});
    ir::Value* pointer =
        builder_->constant_bits(ir::Type::pointer(ir::Space::Global), static_cast<std::uint64_t>(c.integer));
    return array_operand(*this, value, type, pointer, c.strides);
}

}  // namespace lanewise::python
