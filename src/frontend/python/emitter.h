// Emitter: where lowering stands: the IR builder (none in a dry run), the options, the source position, and how errors
// and warnings are made. Everything that types or emits takes one.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontend/python/operand.h"
#include "ir/builder.h"

namespace lanewise::python {

struct Options {
    bool weak_literals = false;  ///< Python literals do not widen float32
    bool debug = false;          ///< asserts and raises take effect; integer division by zero raises ZeroDivisionError
    bool bounds_check = false;   ///< indexing raises IndexError
    bool warn_float64 = true;
};

class Emitter {
public:
    Emitter(ir::Module& module, const Options& options) : module_(module), options_(options) {}

    const Options& options() const { return options_; }
    ir::Module& module() { return module_; }
    bool dry() const { return builder_ == nullptr; }
    /// Only when not dry().
    ir::Builder& builder() { return *builder_; }
    void set_builder(ir::Builder* builder) { builder_ = builder; }

    void set_position(const SourceFile* file, Location at) {
        file_ = file;
        at_ = at;
        if (builder_) builder_->set_location(at);
    }
    const SourceFile* file() const { return file_; }
    Location location() const { return at_; }

    /// Errors at the current position (or at `at`).
    [[noreturn]] void fail(ErrorKind kind, const std::string& message) const { fail(kind, message, at_); }
    [[noreturn]] void fail(ErrorKind kind, const std::string& message, Location at) const;
    /// A warning with source line and caret; once per position; only kept when not dry.
    void warn(const std::string& message);
    const std::vector<std::string>& warnings() const { return warnings_; }

    /// When `condition` (bool) is true at run time the kernel raises: class, text with {0}.. for `values` (int64).
    /// No-op in a dry run. Continues in a fresh block.
    void raise_if(ir::Value* condition, const std::string& python_class, const std::string& message,
                  const std::vector<ir::Value*>& values);

    /// Operands.
    Operand scalar(DType dtype, ir::Value* value) const;              ///< value null in a dry run
    Operand integer(std::int64_t value, DType dtype = DType::Int64);  ///< a compile-time constant
    Operand none() const;
    Operand tuple(const std::vector<Operand>& items) const;  ///< keeps constants when all items have one
    Operand item(const Operand& tuple, std::size_t index) const;
    /// From a captured value; Error(Typing) for what kernels cannot use.
    Operand captured(const syntax::CapturedPtr& value);

    /// Integers known not to be negative (extents, loop counters): their use as an index needs no wrapping.
    void note_never_negative(const ir::Value* value) { never_negative_.insert(value); }
    bool noted_never_negative(const ir::Value* value) const { return never_negative_.contains(value); }

    /// The place of a source file in module().files; adds it on first use.
    std::uint32_t file_index(const SourceFile* file);

private:
    Operand captured_array(const syntax::CapturedPtr& value);
    Operand captured_device_array(const syntax::CapturedPtr& value);

    ir::Module& module_;
    const Options& options_;
    ir::Builder* builder_ = nullptr;
    const SourceFile* file_ = nullptr;
    Location at_;
    std::vector<std::string> warnings_;
    std::vector<std::pair<const SourceFile*, std::uint64_t>> warned_positions_;
    std::unordered_set<const ir::Value*> never_negative_;
    std::unordered_map<const SourceFile*, std::uint32_t> file_indices_;
    struct ArrayGlobal {
        ir::Space space = ir::Space::Global;
        ir::Global* global = nullptr;
    };
    std::unordered_map<const syntax::Captured*, ArrayGlobal> array_globals_;
    std::uint64_t constant_bytes_ = 0;
};

}  // namespace lanewise::python
