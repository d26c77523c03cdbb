// Interning, spelling and unification of kernel types.
#include "frontend/python/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace lanewise::python {

namespace {

struct Hash {
    std::size_t operator()(const Type* t) const {
        std::size_t h = static_cast<std::size_t>(t->kind) | static_cast<std::size_t>(t->dtype) << 8 |
                        static_cast<std::size_t>(t->ndim) << 16 | static_cast<std::size_t>(t->layout) << 24 |
                        static_cast<std::size_t>(t->read_only) << 26 | static_cast<std::size_t>(t->space) << 27;
        auto mix = [&h](std::size_t v) { h = (h ^ v) * 0x9E3779B97F4A7C15ull + (h >> 29); };
        for (TypePtr item : t->items) mix(reinterpret_cast<std::uintptr_t>(item));
        if (!t->builtin.empty()) mix(std::hash<std::string>{}(t->builtin));
        mix(reinterpret_cast<std::uintptr_t>(t->function));
        return h;
    }
};

struct Equal {
    bool operator()(const Type* a, const Type* b) const {
        return a->kind == b->kind && a->dtype == b->dtype && a->ndim == b->ndim && a->layout == b->layout &&
               a->read_only == b->read_only && a->space == b->space && a->items == b->items &&
               a->builtin == b->builtin && a->function == b->function;
    }
};

class Interner {
public:
    TypePtr intern(Type&& type) {
        std::lock_guard lock(mutex_);
        if (auto found = types_.find(&type); found != types_.end()) return *found;
        return *types_.insert(new Type(std::move(type))).first;
    }

private:
    std::mutex mutex_;
    std::unordered_set<const Type*, Hash, Equal> types_;
};

/// Types live as long as the process: a pointer to one never dangles.
Interner& interner() {
    static Interner& instance = *new Interner;
    return instance;
}

std::vector<TypePtr> make_scalar_types() {
    std::vector<TypePtr> types;
    for (int i = 0; i < dtype_count; ++i) {
        Type type;
        type.kind = Type::Kind::Scalar;
        type.dtype = static_cast<DType>(i);
        types.push_back(intern(std::move(type)));
    }
    return types;
}

std::string join(const std::vector<TypePtr>& items) {
    std::string text;
    for (TypePtr item : items) text += (text.empty() ? "" : ", ") + to_string(item);
    return text;
}

bool all_equal(const std::vector<TypePtr>& items) {
    return std::all_of(items.begin(), items.end(), [&](TypePtr item) { return item == items.front(); });
}

/// The float type that holds every value of an integer type, as NumPy has it.
DType float_holding(DType integer) {
    if (is_bool(integer) || size_of(integer) == 1) return DType::Float16;
    return size_of(integer) == 2 ? DType::Float32 : DType::Float64;
}

DType promote_integers(DType a, DType b) {
    if (is_bool(a)) return b;
    if (is_bool(b)) return a;
    if (is_signed(a) == is_signed(b)) return size_of(a) >= size_of(b) ? a : b;
    const DType s = is_signed(a) ? a : b, u = is_signed(a) ? b : a;
    if (size_of(s) > size_of(u)) return s;
    switch (size_of(u)) {
        case 1:
            return DType::Int16;
        case 2:
            return DType::Int32;
        case 4:
            return DType::Int64;
        default:
            return DType::Float64;
    }
}

DType promote_floats(DType a, DType b) {
    if (a == b) return a;
    if (size_of(a) == 2 && size_of(b) == 2) return DType::Float32;  // float16 with bfloat16
    return size_of(a) > size_of(b) ? a : b;
}

DType real_type(DType complex) {
    return complex == DType::Complex64 ? DType::Float32 : DType::Float64;
}

/// NumPy's promotion; bfloat16 behaves as float16 does but for its own mantissa.
DType promote(DType a, DType b) {
    if (a == b) return a;
    if (is_complex(a) || is_complex(b)) {
        const DType real = promote(is_complex(a) ? real_type(a) : a, is_complex(b) ? real_type(b) : b);
        return real == DType::Float64 ? DType::Complex128 : DType::Complex64;
    }
    if (!is_float(a) && !is_float(b)) return promote_integers(a, b);
    if (is_float(a) && is_float(b)) return promote_floats(a, b);
    const DType f = is_float(a) ? a : b, i = is_float(a) ? b : a;
    const DType needed = float_holding(i);
    return f == DType::BFloat16 && needed == DType::Float16 ? f : promote_floats(f, needed);
}

void append_parts(TypePtr type, std::vector<ir::Type>& parts) {
    const ir::Type i64 = ir::Type::scalar(DType::Int64);
    switch (type->kind) {
        case Type::Kind::Scalar:
            if (is_complex(type->dtype))
                parts.insert(parts.end(), 2, ir::Type::scalar(real_type(type->dtype)));
            else
                parts.push_back(ir::Type::scalar(type->dtype));
            return;
        case Type::Kind::Array:
            parts.push_back(ir::Type::pointer(type->space));
            parts.insert(parts.end(), 2 * static_cast<std::size_t>(type->ndim), i64);
            return;
        case Type::Kind::Range:
            parts.insert(parts.end(), 3, ir::Type::scalar(type->dtype));
            return;
        case Type::Kind::Tuple:
        case Type::Kind::Slice:
        case Type::Kind::Zip:
        case Type::Kind::Closure:
        case Type::Kind::Method:
        case Type::Kind::Enumerate:
            for (TypePtr item : type->items) append_parts(item, parts);
            if (type->is(Type::Kind::Enumerate)) parts.push_back(i64);
            return;
        case Type::Kind::None:
        case Type::Kind::Dim3:
        case Type::Kind::DType:
        case Type::Kind::String:
        case Type::Kind::Builtin:
        case Type::Kind::Function:
        case Type::Kind::Ellipsis:
        case Type::Kind::Module:
            return;
    }
}

void append_parameters(TypePtr type, std::vector<ir::Type>& parameters) {
    if (type->is_array()) {
        append_parts(type, parameters);
        if (type->layout != Layout::A) parameters.resize(parameters.size() - type->ndim);
    } else if (type->is_tuple()) {
        for (TypePtr item : type->items) append_parameters(item, parameters);
    } else {
        append_parts(type, parameters);
    }
}

}  // namespace

TypePtr intern(Type type) {
    return interner().intern(std::move(type));
}

TypePtr none_type() {
    static const TypePtr type = intern(Type{});
    return type;
}

TypePtr scalar_type(DType dtype) {
    static const std::vector<TypePtr> types = make_scalar_types();
    return types[static_cast<std::size_t>(dtype)];
}

TypePtr array_type(DType dtype, int ndim, Layout layout, bool read_only, ir::Space space) {
    Type type;
    type.kind = Type::Kind::Array;
    type.dtype = dtype;
    type.ndim = static_cast<std::uint8_t>(ndim);
    // Both orders are one for vectors; Numba calls it C.
    type.layout = ndim <= 1 && layout == Layout::F ? Layout::C : layout;
    type.read_only = read_only;
    type.space = space;
    return intern(std::move(type));
}

TypePtr tuple_type(std::vector<TypePtr> items) {
    Type type;
    type.kind = Type::Kind::Tuple;
    type.items = std::move(items);
    return intern(std::move(type));
}

std::string to_string(TypePtr type) {
    switch (type->kind) {
        case Type::Kind::None:
            return "none";
        case Type::Kind::Scalar:
            return std::string(name(type->dtype));
        case Type::Kind::Array:
            return fmt::format("{}array({}, {}d, {})", type->read_only ? "readonly " : "", name(type->dtype),
                               type->ndim, "CFA"[static_cast<int>(type->layout)]);
        case Type::Kind::Tuple:
            if (!type->items.empty() && all_equal(type->items))
                return fmt::format("UniTuple({} x {})", to_string(type->items[0]), type->items.size());
            return fmt::format("Tuple({})", join(type->items));
        case Type::Kind::Dim3:
            return "Dim3";
        case Type::Kind::DType:
            return fmt::format("class({})", name(type->dtype));
        case Type::Kind::String:
            return "unicode_type";
        case Type::Kind::Slice:
            return fmt::format("slice({})", join(type->items));
        case Type::Kind::Range:
            return fmt::format("range_state_{}", name(type->dtype));
        case Type::Kind::Enumerate:
            return fmt::format("enumerate({})", join(type->items));
        case Type::Kind::Zip:
            return fmt::format("zip({})", join(type->items));
        case Type::Kind::Builtin:
            return fmt::format("Function({})", type->builtin);
        case Type::Kind::Function:
        case Type::Kind::Closure:
            return fmt::format("Function({})", type->function->name);
        case Type::Kind::Method:
            return fmt::format("BoundFunction({} of {})", type->builtin.substr(type->builtin.rfind('.') + 1),
                               to_string(type->items.at(0)));
        case Type::Kind::Ellipsis:
            return "ellipsis";
        case Type::Kind::Module:
            return fmt::format("Module({})", type->builtin);
    }
    return "?";
}

TypePtr unify(TypePtr a, TypePtr b) {
    if (a == b) return a;
    if (a->kind != b->kind) return nullptr;
    switch (a->kind) {
        case Type::Kind::Scalar:
            return scalar_type(promote(a->dtype, b->dtype));
        case Type::Kind::Array:
            if (a->dtype != b->dtype || a->ndim != b->ndim) return nullptr;
            return array_type(a->dtype, a->ndim, a->layout == b->layout ? a->layout : Layout::A,
                              a->read_only || b->read_only, a->space == b->space ? a->space : ir::Space::Generic);
        case Type::Kind::Tuple: {
            if (a->items.size() != b->items.size()) return nullptr;
            std::vector<TypePtr> items;
            for (std::size_t i = 0; i < a->items.size(); ++i) {
                TypePtr item = unify(a->items[i], b->items[i]);
                if (!item) return nullptr;
                items.push_back(item);
            }
            return tuple_type(std::move(items));
        }
        default:
            return nullptr;
    }
}

std::vector<ir::Type> parts_of(TypePtr type) {
    std::vector<ir::Type> parts;
    append_parts(type, parts);
    return parts;
}

std::vector<ir::Type> parameters_of(TypePtr type) {
    std::vector<ir::Type> parameters;
    append_parameters(type, parameters);
    return parameters;
}

}  // namespace lanewise::python
