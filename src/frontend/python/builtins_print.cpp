// print: one printf of the whole line, so that lines of different threads do not mix.
#include <fmt/format.h>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"

namespace lanewise::python {

using ir::Value;

namespace {

/// CUDA's vprintf takes at most this many values.
constexpr std::size_t most_values = 32;

struct Line {
    std::string format;
    std::vector<Value*> values;
};

void append_text(Line& line, std::string_view text) {
    for (char ch : text) {
        if (ch == '%') line.format += '%';
        line.format += ch;
    }
}

void append_scalar(Emitter& e, Line& line, const Operand& a) {
    require_kernel_scalar(e, a.type->dtype);
    const DType dtype = a.type->dtype;
    line.format += is_bool(dtype) ? "%s" : is_float(dtype) ? "%f" : is_unsigned(dtype) ? "%llu" : "%lld";
    if (e.dry()) return;
    ir::Builder& b = e.builder();
    if (is_bool(dtype)) {
        line.values.push_back(b.select(a.value(), b.string_constant("True"), b.string_constant("False")));
    } else {
        line.values.push_back(b.cast(a.value(), is_float(dtype)      ? DType::Float64
                                                : is_unsigned(dtype) ? DType::UInt64
                                                                     : DType::Int64));
    }
}

void append(Call& c, Line& line, const Operand& a, std::size_t argument) {
    switch (a.type->kind) {
        case Type::Kind::Scalar:
            return append_scalar(c.e, line, a);
        case Type::Kind::None:
            return append_text(line, "None");
        case Type::Kind::String:
            if (const std::string* text = constant_text(a)) return append_text(line, *text);
            break;
        case Type::Kind::Tuple:
            line.format += '(';
            for (std::size_t i = 0; i < a.type->items.size(); ++i) {
                if (i > 0) line.format += ", ";
                append(c, line, c.e.item(a, i), argument);
            }
            line.format += a.type->items.size() == 1 ? ",)" : ")";
            return;
        case Type::Kind::Dim3:
            line.format += '(';
            for (const char* axis : {".x", ".y", ".z"}) {
                if (axis[1] != 'x') line.format += ", ";
                Call value{c.e, c.name, c.spelling, c.at, {}, {}, {}};
                append_scalar(c.e, line, find_builtin_value(a.type->builtin + axis)(value));
            }
            line.format += ')';
            return;
        default:
            break;
    }
    c.fail_argument(argument, "cannot be printed in a kernel; numbers, strings, None and tuples of them can");
}

std::string text_keyword(Call& c, const Operand& value, std::string_view keyword) {
    if (const std::string* text = constant_text(value)) return *text;
    if (value.type->is(Type::Kind::None)) return keyword == "sep" ? " " : "\n";
    c.fail(fmt::format("`{}` must be a literal string", keyword));
}

Operand call_print(Call& c) {
    std::string separator = " ", end = "\n";
    for (const auto& [keyword, value] : c.keywords) {
        if (keyword != "sep" && keyword != "end") c.fail(fmt::format("takes no keyword `{}` in kernels", keyword));
        (keyword == "sep" ? separator : end) = text_keyword(c, value, keyword);
    }
    Line line;
    for (std::size_t i = 0; i < c.args.size(); ++i) {
        if (i > 0) append_text(line, separator);
        append(c, line, c.args[i], i);
    }
    append_text(line, end);
    if (line.values.size() > most_values) {
        c.fail(
            fmt::format("has {} values; a kernel's print takes at most {}: split it", line.values.size(), most_values));
    }
    if (!c.e.dry()) c.e.builder().print(line.format, line.values);
    return c.e.none();
}

constexpr Builtin table[] = {{"builtins.print", call_print}};

}  // namespace

std::span<const Builtin> print_builtins() {
    return table;
}

}  // namespace lanewise::python
