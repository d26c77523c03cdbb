// Text form of the IR: one line a value; constants and addresses of globals stand where they are used.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <unordered_map>

#include "ir/fold.h"
#include "ir/function.h"

namespace lanewise::ir {

namespace {

constexpr std::string_view hint_names[] = {"", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "volatile"};

class Printer {
public:
    explicit Printer(std::string& out) : out_(out) {}

    void global(const Global& global) {
        write("global @{} {} bytes {} align {}{}\n", global.name, to_string(Type::pointer(global.space)), global.bytes,
              global.align, global.data.empty() ? "" : " initialised");
    }

    void function(const Function& function) {
        number(function);
        write("{}{}{} {}(", function.recursive ? "recursive " : "", function.always_inline ? "inline " : "",
              function.is_kernel ? "kernel" : "function", function.name);
        for (std::size_t i = 0; i < function.parameters.size(); ++i) {
            const Parameter& parameter = function.parameters[i];
            write("{}%{}: {} {}{}{}", i ? ", " : "", id(function.parameter_values[i]), to_string(parameter.type),
                  parameter.name, parameter.no_alias ? " noalias" : "", parameter.read_only ? " readonly" : "");
            if (parameter.align) write(" align {}", parameter.align);
        }
        write(")");
        for (std::size_t i = 0; i < function.results.size(); ++i)
            write("{}{}", i ? ", " : " -> ", to_string(function.results[i]));
        write(" {{\n");
        for (const Block* block : function.blocks) {
            write("{}:\n", label(block));
            for (const Value* value : block->values) line(*value);
        }
        write("}}\n");
    }

private:
    template <class... Args>
    void write(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }

    void number(const Function& function) {
        ids_.clear();
        blocks_.clear();
        for (const Value* parameter : function.parameter_values) ids_.emplace(parameter, ids_.size());
        for (const Block* block : function.blocks) {
            blocks_.emplace(block, blocks_.size());
            for (const Value* value : block->values)
                if (!value->type.is_void() || !value->result_types.empty()) ids_.emplace(value, ids_.size());
        }
    }

    std::string id(const Value* value) const {
        auto found = ids_.find(value);
        return found == ids_.end() ? "?" : fmt::format("{}", found->second);
    }

    std::string label(const Block* block) const {
        if (!block) return "?";
        auto found = blocks_.find(block);
        return fmt::format("b{}{}{}", found == blocks_.end() ? "?" : fmt::format("{}", found->second),
                           block->label.empty() ? "" : ".", block->label);
    }

    static std::string constant(const Value& value) {
        if (value.type.is_pointer()) return value.bits ? fmt::format("{:#x}", value.bits) : "null";
        const DType type = value.type.dtype;
        if (is_bool(type)) return value.bits ? "true" : "false";
        if (!is_float(type)) {
            if (type == DType::UInt64) return fmt::format("{}", value.bits);
            return fmt::format("{}", decode_integer(type, value.bits));
        }
        const double number = decode_float(type, value.bits);
        if (std::isnan(number)) return fmt::format("nan({:#x})", value.bits);
        std::string text =
            type == DType::Float64 ? fmt::format("{}", number) : fmt::format("{}", static_cast<float>(number));
        return text.find_first_of(".einf") == std::string::npos ? text + ".0" : text;
    }

    std::string operand(const Value* value) const {
        if (!value) return "?";
        switch (value->op) {
            case Op::Constant:
                return constant(*value);
            case Op::GlobalAddress:
                return fmt::format("@{}", value->global ? value->global->name : "?");
            case Op::DynamicShared:
                return "dynamic_shared";
            default:
                return "%" + id(value);
        }
    }

    void operands(const Value& value, const char* separator = " ") {
        for (std::size_t i = 0; i < value.operands.size(); ++i)
            write("{}{}", i ? ", " : separator, operand(value.operands[i]));
    }

    void access(const Value& value) {
        if (value.hint != CacheHint::None) write(".{}", hint_names[static_cast<int>(value.hint)]);
    }

    void line(const Value& value) {
        write("  ");
        if (!value.result_types.empty()) {
            write("%{}: (", id(&value));
            for (std::size_t i = 0; i < value.result_types.size(); ++i)
                write("{}{}", i ? ", " : "", to_string(value.result_types[i]));
            write(") = ");
        } else if (!value.type.is_void()) {
            write("%{}: {} = ", id(&value), to_string(value.type));
        }
        body(value);
        if (value.at) write("  ; {}:{}", value.at.line, value.at.column);
        write("\n");
    }

    void body(const Value& value) {
        switch (value.op) {
            case Op::Scalar:
                write("{}{}", info(value.scalar).name, value.no_wrap ? " no_wrap" : "");
                return operands(value);
            case Op::Intrinsic:
                write("{}", info(value.intrinsic).name);
                return operands(value);
            case Op::Atomic:
                write("atomic.{}", name(value.atomic));
                return operands(value);
            case Op::LocalArray:
                return write("local {} bytes align {}", value.index, value.align);
            case Op::Phi:
                write("phi");
                for (std::size_t i = 0; i < value.operands.size(); ++i)
                    write("{}{} from {}", i ? ", " : " ", operand(value.operands[i]),
                          i < value.incoming.size() ? label(value.incoming[i]) : "?");
                return;
            case Op::PointerAdd:
                write("pointer_add");
                operands(value);
                return write(" * {}", value.index);
            case Op::Load:
            case Op::Store:
                write("{}", name(value.op));
                access(value);
                operands(value);
                if (value.align) write(" align {}", value.align);
                return;
            case Op::Call:
                write("call {}", value.callee ? value.callee->name : "?");
                return operands(value);
            case Op::External:
                write("external{} {}", value.has_memory_effect ? ".memory" : "", value.symbol);
                return operands(value);
            case Op::Result:
                write("result {} of", value.index);
                return operands(value);
            case Op::Print:
                write("print \"");
                for (char c : value.text) {
                    if (c == '\n')
                        write("\\n");
                    else if (c == '"' || c == '\\')
                        write("\\{}", c);
                    else
                        write("{}", c);
                }
                write("\"");
                return operands(value, ", ");
            case Op::Branch:
                return write("branch {}", label(value.targets[0]));
            case Op::CondBranch:
                return write("cond_branch {} ? {} : {}", value.operands.empty() ? "?" : operand(value.operands[0]),
                             label(value.targets[0]), label(value.targets[1]));
            case Op::Raise:
                write("raise site {}", value.index);
                return operands(value, " with ");
            default:
                write("{}", name(value.op));
                return operands(value);
        }
    }

    std::string& out_;
    std::unordered_map<const Value*, std::size_t> ids_;
    std::unordered_map<const Block*, std::size_t> blocks_;
};

}  // namespace

std::string print(const Function& function) {
    std::string text;
    Printer(text).function(function);
    return text;
}

std::string print(const Module& module) {
    std::string text;
    Printer printer(text);
    for (const auto& global : module.globals) printer.global(*global);
    for (const auto& function : module.functions) {
        if (!text.empty()) text += '\n';
        printer.function(*function);
    }
    return text;
}

}  // namespace lanewise::ir
