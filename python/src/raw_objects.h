// What packing asks of Python objects besides their numbers.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>

#include "argument_classes.h"
#include "lanewise/raw.h"

namespace lanewise::bindings {

inline std::string class_name(nanobind::handle object) {
    return Py_TYPE(object.ptr())->tp_name;
}

inline bool is_array_class(ArgumentClass kind) {
    return kind == ArgumentClass::Array || kind == ArgumentClass::HostArray || kind == ArgumentClass::HostArgument ||
           kind == ArgumentClass::Exchange || kind == ArgumentClass::Interface || kind == ArgumentClass::Dlpack;
}

/// What an object with the buffer protocol holds, as long as this lives.
class ObjectBytes {
public:
    explicit ObjectBytes(nanobind::handle object);
    ObjectBytes(const ObjectBytes&) = delete;
    ObjectBytes& operator=(const ObjectBytes&) = delete;
    ~ObjectBytes() { PyBuffer_Release(&view_); }

    const void* data() const { return view_.buf; }
    std::size_t size() const { return static_cast<std::size_t>(view_.len); }

private:
    Py_buffer view_{};
};

/// Writes the bytes of `object`; Error(Type) with both sizes when they are not `parameter`'s.
void store_bytes(const RawParameter& parameter, nanobind::handle object, std::byte* at);

}  // namespace lanewise::bindings
