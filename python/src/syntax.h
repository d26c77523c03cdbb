// CPython functions to lanewise::syntax: ast objects become the syntax tree, free names become captured values.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <unordered_map>
#include <vector>

#include "frontend/python/syntax.h"

namespace lanewise::bindings {

/// One conversion: a kernel with every device function it reaches. Needs the GIL.
class Conversion {
public:
    /// A plain function, or an object that stands for one (see python_function). Error(UnsupportedSyntax, Typing) with
    /// the source line. Recursive functions refer to themselves.
    syntax::FunctionPtr function(nanobind::handle callable);
    /// A Python value as a compile-time constant; Kind::Other for what kernels cannot use.
    syntax::CapturedPtr captured(nanobind::handle object);

    /// Device arrays captured by address: they must live as long as the compiled code.
    const std::vector<nanobind::object>& kept_alive() const { return kept_alive_; }

private:
    syntax::CapturedPtr captured_sequence(nanobind::handle tuple);
    syntax::CapturedPtr captured_host_array(nanobind::handle array);
    syntax::CapturedPtr captured_builtin_object(nanobind::handle object);

    struct Converted {
        std::shared_ptr<syntax::Function> function;
        bool is_complete = false;
    };
    std::unordered_map<PyObject*, Converted> functions_;
    std::vector<nanobind::object> kept_alive_;
};

/// The Python function behind `object` when kernels can call it: a function, a DeviceFunction, a KernelFunction, or an
/// object whose attribute `py_func` is a function; else an invalid object.
nanobind::object python_function(nanobind::handle object);

/// The value of the attribute `__lanewise_builtin__` ("cuda.atomic.add"), or "".
std::string builtin_marker(nanobind::handle object);

}  // namespace lanewise::bindings
