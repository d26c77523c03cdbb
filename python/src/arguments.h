// Python objects as kernel arguments: classified by exact type, written straight into a launch's signature and buffer.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "array_arguments.h"
#include "jit/arguments.h"

namespace lanewise::bindings {

/// Reads arguments into an ArgumentWriter. Device arrays and scalars touch neither the heap nor Python code.
class ArgumentReader {
public:
    /// For a launch on `*stream`, a stream of `device`; for the types only (no copies, arrays of any device) when it is
    /// null.
    ArgumentReader(jit::ArgumentWriter& writer, Device& device, const std::shared_ptr<Stream>* stream)
        : writer_(writer), arrays_(device, stream) {}

    /// Error(Type, Value, Overflow) without the argument's name.
    void read(PyObject* object);

    /// Null when the launch needs nothing besides.
    LaunchExtras* extras() const { return arrays_.extras(); }

private:
    void read_array(const Array& array);
    void read_int(PyObject* object);
    void read_tuple(PyObject* tuple);
    void read_host_array(nanobind::handle ndarray, bool copy_in, bool copy_out);
    void read_other(PyObject* object);
    void write(const Array& array);
    void write(const ForeignArray& array);

    jit::ArgumentWriter& writer_;
    ArrayArguments arrays_;
    int depth_ = 0;
};

}  // namespace lanewise::bindings
