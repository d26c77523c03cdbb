// Errors: one exception class; its kind decides the Python class, its location the caret.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace lanewise {

/// A place in a user's source file. Lines start at 1, columns at 0 (as Python's ast counts), 0 lines: unknown.
struct Location {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t end_line = 0;
    std::uint32_t end_column = 0;
    explicit operator bool() const { return line != 0; }
};

/// A source file as the compiler saw it: what error carets and line tables are made from.
struct SourceFile {
    std::string path;
    /// lines[0] is line `first_line` of the file.
    std::vector<std::string> lines;
    std::uint32_t first_line = 1;
};
using SourceFilePtr = std::shared_ptr<const SourceFile>;

enum class ErrorKind : std::uint8_t {
    Internal,           ///< an invariant of ours is broken
    Value,              ///< ValueError
    Type,               ///< TypeError
    Index,              ///< IndexError
    Overflow,           ///< OverflowError
    ZeroDivision,       ///< ZeroDivisionError
    Assertion,          ///< AssertionError
    NotImplemented,     ///< NotImplementedError
    OutOfMemory,        ///< MemoryError on the device
    Driver,             ///< a driver call failed (CudaAPIError in the Numba face)
    DeviceUnavailable,  ///< no such device, no driver (CudaSupportError in the Numba face)
    Typing,             ///< kernel types do not work out (TypingError)
    Lowering,           ///< typed, but cannot be lowered (LoweringError)
    UnsupportedSyntax,  ///< Python that kernels do not have (UnsupportedError)
    Compile,            ///< a CUDA C++ or PTX compiler refused; `log` has its output
    KernelRaised,       ///< a kernel raised a Python exception whose class name is in `python_class`
};

/// what() is the full text shown to a user: problem, values, what would work; source line and caret when a place is
/// known.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
    ErrorKind kind() const { return kind_; }

    /// Driver status code (Driver), else 0.
    int code = 0;
    /// Compiler or linker output (Compile).
    std::string log;
    /// Name of the Python exception class a kernel raised (KernelRaised).
    std::string python_class;

private:
    ErrorKind kind_;
};

/// Builds `message`, then "  file:line:column", the source line and a caret under columns [column, end_column).
/// With an unknown location only the message and, if there is one, the file name are given.
std::string with_source(const std::string& message, const SourceFile* file, Location at);

/// An Error of `kind` whose text is with_source(message, file, at).
Error located_error(ErrorKind kind, const std::string& message, const SourceFile* file, Location at);

}  // namespace lanewise
