// Constructor arguments of RawKernel and RawModule.
#include <fmt/format.h>

#include "bindings.h"
#include "raw_kernel.h"

namespace lanewise::bindings {
namespace {

constexpr std::pair<const char*, cuda_cpp::Backend> backends[] = {
    {"auto", cuda_cpp::Backend::Auto},
    {"nvrtc", cuda_cpp::Backend::Nvrtc},
    {"clang", cuda_cpp::Backend::Clang},
    {"nvcc", cuda_cpp::Backend::Nvcc},
};

std::vector<std::string> read_texts(const char* call, const char* what, nb::handle texts) {
    std::vector<std::string> result;
    if (texts.is_none()) return result;
    if (PyUnicode_Check(texts.ptr()) || PyBytes_Check(texts.ptr()))
        throw Error(ErrorKind::Type, fmt::format("{}: {} is a tuple of strings; for one string write ({},)", call, what,
                                                 nb::cast<std::string>(nb::repr(texts))));
    nb::object items = nb::steal(PySequence_Tuple(texts.ptr()));
    if (!items.is_valid()) {
        PyErr_Clear();
        throw Error(ErrorKind::Type,
                    fmt::format("{}: {} is a tuple of strings, not a {}", call, what, Py_TYPE(texts.ptr())->tp_name));
    }
    for (nb::handle item : items) {
        if (!PyUnicode_Check(item.ptr()))
            throw Error(ErrorKind::Type,
                        fmt::format("{}: {} is a tuple of strings; it has {} of type {}", call, what,
                                    nb::cast<std::string>(nb::repr(item)), Py_TYPE(item.ptr())->tp_name));
        result.push_back(nb::cast<std::string>(item));
    }
    return result;
}

cuda_cpp::Backend read_backend(const char* call, nb::handle backend) {
    std::string text = PyUnicode_Check(backend.ptr()) ? nb::cast<std::string>(backend) : std::string();
    for (auto [name, value] : backends)
        if (text == name) return value;
    throw Error(ErrorKind::Value, fmt::format("{}: backend {}: there are 'auto', 'nvrtc', 'clang' and 'nvcc'", call,
                                              nb::cast<std::string>(nb::repr(backend))));
}

}  // namespace

const char* backend_name(cuda_cpp::Backend backend) {
    for (auto [name, value] : backends)
        if (backend == value) return name;
    return "";
}

std::string read_code(const char* call, nb::handle code) {
    if (!PyUnicode_Check(code.ptr()))
        throw Error(ErrorKind::Type,
                    fmt::format("{}: the code is CUDA C++ text, a str, not a {}", call, Py_TYPE(code.ptr())->tp_name));
    std::string text = nb::cast<std::string>(code);
    // A byte order mark begins files of some editors; what stands in front of the text later would make it an error.
    if (constexpr std::string_view mark = "\xef\xbb\xbf"; text.starts_with(mark)) text.erase(0, mark.size());
    return text;
}

RawOptions read_raw_options(const char* call, nb::handle options, nb::handle backend, nb::handle name_expressions,
                            bool jitify) {
    if (jitify)
        throw Error(ErrorKind::NotImplemented,
                    fmt::format("{}: jitify=True is not supported; the compilers find the CUDA and C++ headers that "
                                "they have without it",
                                call));
    return {read_texts(call, "options", options), read_backend(call, backend),
            read_texts(call, "name_expressions", name_expressions)};
}

nb::tuple to_tuple(const std::vector<std::string>& texts) {
    nb::list list;
    for (const std::string& text : texts) list.append(text);
    return nb::tuple(list);
}

}  // namespace lanewise::bindings
