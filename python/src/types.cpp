// Bindings of kernel types and signatures.
#include <fmt/format.h>

#include "bindings.h"
#include "numpy.h"
#include "type_object.h"

namespace lanewise::bindings {
namespace {

/// Types are interned and never freed: the pointer is the whole state.
struct TypeObject {
    python::TypePtr type;
};

const char* kind_name(python::TypePtr type) {
    using Kind = python::Type::Kind;
    switch (type->kind) {
        case Kind::None:
            return "none";
        case Kind::Scalar:
            return "scalar";
        case Kind::Array:
            return "array";
        case Kind::Tuple:
            return "tuple";
        case Kind::DType:
            return "dtype";
        case Kind::String:
            return "string";
        case Kind::Slice:
            return "slice";
        case Kind::Range:
            return "range";
        case Kind::Function:
        case Kind::Closure:
            return "function";
        case Kind::Module:
            return "module";
        default:
            return "other";
    }
}

const char* layout_name(python::TypePtr type) {
    if (!type->is_array()) return "";
    return type->layout == python::Layout::C ? "C" : type->layout == python::Layout::F ? "F" : "A";
}

python::Layout parse_layout(const std::string& text) {
    if (text == "C") return python::Layout::C;
    if (text == "F") return python::Layout::F;
    if (text == "A") return python::Layout::A;
    throw Error(ErrorKind::Value, fmt::format("layout '{}': expected 'C', 'F' or 'A'", text));
}

python::TypePtr parse_one(const std::string& text) {
    python::DeclaredSignature signature = python::parse_signature("void(" + text + ")");
    if (signature.arguments.size() != 1)
        throw Error(ErrorKind::Type, fmt::format("'{}' names {} types, not one", text, signature.arguments.size()));
    return signature.arguments[0];
}

}  // namespace

python::TypePtr find_type(nb::handle object) {
    if (nb::isinstance<TypeObject>(object)) return nb::inst_ptr<TypeObject>(object)->type;
    nb::object inner = nb::getattr(object, "__lanewise_type__", nb::none());
    return nb::isinstance<TypeObject>(inner) ? nb::inst_ptr<TypeObject>(inner)->type : nullptr;
}

python::TypePtr require_type(nb::handle object) {
    if (python::TypePtr type = find_type(object)) return type;
    if (nb::isinstance<nb::str>(object)) return parse_one(nb::cast<std::string>(object));
    if (object.is_none()) return python::none_type();
    if (is_numpy_dtype(object) || scalar_class_dtype(object.ptr())) return python::scalar_type(require_dtype(object));
    throw Error(ErrorKind::Type,
                fmt::format("expected a kernel type, got {}", nb::cast<std::string>(nb::repr(object))));
}

nb::object make_type(python::TypePtr type) {
    return nb::cast(TypeObject{type});
}

std::vector<python::TypePtr> argument_types(nb::handle types, python::TypePtr* result) {
    if (nb::isinstance<nb::str>(types)) {
        python::DeclaredSignature signature = python::parse_signature(nb::cast<std::string>(types));
        if (result) *result = signature.result;
        return signature.arguments;
    }
    std::vector<python::TypePtr> list;
    for (nb::handle type : nb::tuple(nb::borrow(types))) list.push_back(require_type(type));
    return list;
}

void bind_types(nb::module_& m) {
    nb::class_<TypeObject>(m, "Type", nb::is_final())
        .def_prop_ro("kind", [](const TypeObject& t) { return kind_name(t.type); })
        .def_prop_ro("dtype",
                     [](const TypeObject& t) {
                         bool has = t.type->is_scalar() || t.type->is_array() || t.type->is(python::Type::Kind::DType);
                         return std::string(has ? name(t.type->dtype) : std::string_view());
                     })
        .def_prop_ro("ndim", [](const TypeObject& t) { return t.type->is_array() ? int(t.type->ndim) : 0; })
        .def_prop_ro("layout", [](const TypeObject& t) { return layout_name(t.type); })
        .def_prop_ro("read_only", [](const TypeObject& t) { return t.type->is_array() && t.type->read_only; })
        .def_prop_ro("items",
                     [](const TypeObject& t) {
                         nb::list items;
                         for (python::TypePtr item : t.type->items) items.append(make_type(item));
                         return nb::tuple(items);
                     })
        .def_static("none", [] { return TypeObject{python::none_type()}; })
        .def_static(
            "scalar", [](nb::handle dtype) { return TypeObject{python::scalar_type(require_dtype(dtype))}; },
            nb::arg("dtype"))
        .def_static(
            "array",
            [](nb::handle dtype, int ndim, const std::string& layout, bool read_only) {
                if (ndim < 0 || ndim > 64)
                    throw Error(ErrorKind::Value, fmt::format("ndim {} is not within 0 and 64", ndim));
                return TypeObject{python::array_type(require_dtype(dtype), ndim, parse_layout(layout), read_only)};
            },
            nb::arg("dtype"), nb::arg("ndim"), nb::arg("layout") = "C", nb::arg("read_only") = false)
        .def_static(
            "tuple", [](nb::handle items) { return TypeObject{python::tuple_type(argument_types(items))}; },
            nb::arg("items"))
        .def_static(
            "parse", [](const std::string& text) { return TypeObject{parse_one(text)}; }, nb::arg("text"))
        .def("__eq__",
             [](const TypeObject& a, nb::handle b) { return nb::isinstance<TypeObject>(b) && a.type == find_type(b); })
        .def("__hash__", [](const TypeObject& t) { return std::hash<python::TypePtr>()(t.type) >> 4; })
        .def("__reduce__",
             [](nb::handle self) {
                 return nb::make_tuple(self.type().attr("parse"), nb::make_tuple(python::to_string(find_type(self))));
             })
        .def("__str__", [](const TypeObject& t) { return python::to_string(t.type); })
        .def("__repr__", [](const TypeObject& t) { return python::to_string(t.type); });
    m.def(
        "parse_signature",
        [](const std::string& text) {
            python::DeclaredSignature signature = python::parse_signature(text);
            nb::list arguments;
            for (python::TypePtr type : signature.arguments) arguments.append(make_type(type));
            return nb::make_tuple(signature.result ? make_type(signature.result) : nb::none(), nb::tuple(arguments));
        },
        nb::arg("text"));
}

}  // namespace lanewise::bindings
