// Finding the source text of a Python function: linecache, the block of lines from its first line, and CPython's
// parser.
#include "source.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

/// Follows the bracket, string and continuation state of Python source from line to line.
class LineScanner {
public:
    bool at_logical_start() const { return depth_ == 0 && quote_ == 0 && !continued_; }

    void feed(std::string_view line) {
        continued_ = false;
        std::size_t i = 0;
        while (i < line.size()) {
            char c = line[i];
            if (quote_) {
                if (c == '\\') {
                    i += 2;
                } else if (triple_ ? line.substr(i, 3) == std::string(3, quote_) : c == quote_) {
                    i += triple_ ? 3 : 1;
                    quote_ = 0;
                } else {
                    ++i;
                }
                continue;
            }
            if (c == '#') break;
            if (c == '"' || c == '\'') {
                quote_ = c;
                triple_ = line.substr(i, 3) == std::string(3, c);
                i += triple_ ? 3 : 1;
                continue;
            }
            if (c == '(' || c == '[' || c == '{') ++depth_;
            if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
            if (c == '\\' && (i + 1 == line.size() || line[i + 1] == '\n' || line[i + 1] == '\r')) continued_ = true;
            ++i;
        }
        // A one-line string runs on only over an escaped line end.
        if (quote_ && !triple_ && (line.size() < 2 || line[line.find_last_not_of("\r\n")] != '\\')) quote_ = 0;
    }

private:
    int depth_ = 0;
    char quote_ = 0;
    bool triple_ = false;
    bool continued_ = false;
};

/// Width of the leading white space; none for a blank or comment line.
std::optional<std::size_t> indentation(std::string_view line) {
    std::size_t width = 0;
    for (char c : line) {
        if (c == ' ') {
            ++width;
        } else if (c == '\t') {
            width = (width / 8 + 1) * 8;
        } else if (c == '\f') {
            width = 0;
        } else if (c == '\n' || c == '\r' || c == '#') {
            return std::nullopt;
        } else {
            return width;
        }
    }
    return std::nullopt;
}

class FileLines {
public:
    explicit FileLines(nb::object lines) : lines_(std::move(lines)) {}
    std::size_t size() const { return static_cast<std::size_t>(PyList_GET_SIZE(lines_.ptr())); }
    std::string_view operator[](std::size_t index) const {
        Py_ssize_t bytes = 0;
        const char* text = PyUnicode_AsUTF8AndSize(PyList_GET_ITEM(lines_.ptr(), Py_ssize_t(index)), &bytes);
        if (!text) throw nb::python_error();
        return {text, static_cast<std::size_t>(bytes)};
    }
    std::string join(std::size_t first, std::size_t count) const {
        std::string text;
        for (std::size_t i = first; i < first + count; ++i) text += (*this)[i];
        return text;
    }

private:
    nb::object lines_;
};

/// Number of lines of the `def` whose first decorator (or itself) is at `first`.
std::size_t block_length(const FileLines& lines, std::size_t first) {
    LineScanner scanner;
    std::optional<std::size_t> def_indent;
    std::size_t last = first;
    for (std::size_t i = first; i < lines.size(); ++i) {
        std::string_view line = lines[i];
        if (scanner.at_logical_start()) {
            std::optional<std::size_t> indent = indentation(line);
            if (!indent) continue;
            if (def_indent && *indent <= *def_indent) break;
            if (!def_indent && line[line.find_first_not_of(" \t\f")] != '@') def_indent = indent;
        }
        scanner.feed(line);
        last = i;
    }
    return last - first + 1;
}

/// The ast.Module of `text`, or none (no Python error set) when it does not parse.
nb::object try_parse(const std::string& text, nb::handle file_name) {
    PyCompilerFlags flags;
    flags.cf_flags = PyCF_ONLY_AST;
    flags.cf_feature_version = PY_MINOR_VERSION;
    PyObject* tree = Py_CompileStringObject(text.c_str(), file_name.ptr(), Py_file_input, &flags, -1);
    if (!tree) {
        if (!PyErr_ExceptionMatches(PyExc_SyntaxError) && !PyErr_ExceptionMatches(PyExc_ValueError))
            throw nb::python_error();
        PyErr_Clear();
    }
    return nb::steal(tree);
}

SourceFilePtr make_file(const std::string& path, const FileLines& lines, std::size_t first, std::size_t count) {
    auto file = std::make_shared<SourceFile>();
    file->path = path;
    file->first_line = static_cast<std::uint32_t>(first + 1);
    for (std::size_t i = first; i < first + count; ++i) {
        std::string_view line = lines[i];
        while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
        file->lines.emplace_back(line);
    }
    return file;
}

nb::object lines_of(nb::handle function, nb::handle file_name) {
    nb::object lines = nb::module_::import_("linecache").attr("getlines")(file_name, function.attr("__globals__"));
    if (PyList_GET_SIZE(lines.ptr()) > 0) return lines;
    // `python -c CODE` keeps CODE in sys.orig_argv.
    if (nb::cast<std::string>(file_name) == "<string>") {
        nb::object main = nb::module_::import_("sys").attr("modules").attr("get")("__main__");
        if (!main.is_none() && main.attr("__dict__").is(function.attr("__globals__"))) {
            nb::list argv(nb::module_::import_("sys").attr("orig_argv"));
            for (std::size_t i = 1; i + 1 < argv.size(); ++i) {
                std::string option = nb::cast<std::string>(argv[i]);
                if (option.size() >= 2 && option[0] == '-' && option[1] != '-' && option.back() == 'c')
                    return argv[i + 1].attr("splitlines")(true);
                if (option.empty() || option[0] != '-') break;
            }
        }
    }
    return lines;
}

[[noreturn]] void fail_without_source(nb::handle function, const std::string& path) {
    throw Error(
        ErrorKind::UnsupportedSyntax,
        fmt::format("cannot compile '{}': its source text was not found ('{}'); kernels are compiled from source, so "
                    "define the function in a file or in a notebook cell, or register its text in linecache.cache",
                    nb::cast<std::string>(function.attr("__qualname__")), path));
}

/// The lambda of `code` among those of the whole file that start on its line.
nb::object find_lambda(nb::handle function, nb::handle tree, std::size_t line) {
    nb::handle code = function.attr("__code__");
    std::vector<nb::object> candidates;
    for (nb::handle node : nb::module_::import_("ast").attr("walk")(tree))
        if (class_name(node) == "Lambda" && nb::cast<std::size_t>(node.attr("lineno")) == line)
            candidates.push_back(nb::borrow(node));
    if (candidates.size() > 1 && nb::hasattr(code, "co_positions")) {
        // Instructions of the lambda lie inside its node; the tightest such node is it.
        std::optional<std::pair<std::size_t, std::size_t>> position;
        for (nb::handle entry : code.attr("co_positions")()) {
            if (entry[nb::int_(0)].is_none() || entry[nb::int_(2)].is_none()) continue;
            std::pair<std::size_t, std::size_t> at{nb::cast<std::size_t>(entry[nb::int_(0)]),
                                                   nb::cast<std::size_t>(entry[nb::int_(2)])};
            if (at.second > 0 || at.first > line) position = std::max(position.value_or(at), at);
        }
        if (position) {
            auto contains = [&](nb::handle node) {
                auto edge = [&](const char* l, const char* c) {
                    return std::pair{nb::cast<std::size_t>(node.attr(l)), nb::cast<std::size_t>(node.attr(c))};
                };
                return edge("lineno", "col_offset") <= *position && *position < edge("end_lineno", "end_col_offset");
            };
            std::vector<nb::object> inside;
            for (const nb::object& node : candidates)
                if (contains(node)) inside.push_back(node);
            auto start = [](const nb::object& node) { return nb::cast<std::size_t>(node.attr("col_offset")); };
            if (!inside.empty())
                return *std::max_element(inside.begin(), inside.end(),
                                         [&](const nb::object& a, const nb::object& b) { return start(a) < start(b); });
        }
    }
    if (candidates.size() > 1)
        throw Error(ErrorKind::UnsupportedSyntax,
                    fmt::format("cannot compile a lambda: line {} has {} of them; give each a line of its own", line,
                                candidates.size()));
    return candidates.empty() ? nb::object() : candidates[0];
}

/// The def of the whole file that starts (with its decorators) at `line`.
nb::object find_def(nb::handle tree, std::size_t line) {
    for (nb::handle node : nb::module_::import_("ast").attr("walk")(tree)) {
        std::string_view kind = class_name(node);
        if (kind != "FunctionDef" && kind != "AsyncFunctionDef") continue;
        nb::list decorators(node.attr("decorator_list"));
        nb::object first = decorators.size() ? nb::object(decorators[0]) : nb::borrow(node);
        if (nb::cast<std::size_t>(first.attr("lineno")) == line) return nb::borrow(node);
    }
    return nb::object();
}

}  // namespace

std::string_view class_name(nb::handle node) {
    std::string_view name = Py_TYPE(node.ptr())->tp_name;
    return name.substr(name.rfind('.') + 1);
}

ParsedSource parse_source(nb::handle function) {
    nb::object code = function.attr("__code__");
    nb::object file_name = code.attr("co_filename");
    std::string path = nb::cast<std::string>(file_name);
    FileLines lines(lines_of(function, file_name));
    std::size_t line = nb::cast<std::size_t>(code.attr("co_firstlineno"));
    if (line == 0 || line > lines.size()) fail_without_source(function, path);
    std::size_t first = line - 1;

    if (nb::cast<std::string>(code.attr("co_name")) != "<lambda>") {
        std::size_t count = block_length(lines, first);
        bool nested = lines[first].find_first_not_of(" \t\f") != 0;
        // An indented block is parsed below an `if`, which keeps its columns.
        nb::object tree = try_parse((nested ? "if 1:\n" : "") + lines.join(first, count), file_name);
        if (tree.is_valid()) {
            nb::object node = tree.attr("body")[nb::int_(0)];
            if (nested) node = node.attr("body")[nb::int_(0)];
            if (class_name(node) == "FunctionDef" || class_name(node) == "AsyncFunctionDef")
                return {make_file(path, lines, first, count), node,
                        static_cast<std::int64_t>(first) - (nested ? 1 : 0)};
        }
    }
    nb::object tree = try_parse(lines.join(0, lines.size()), file_name);
    if (!tree.is_valid()) fail_without_source(function, path);
    bool lambda = nb::cast<std::string>(code.attr("co_name")) == "<lambda>";
    nb::object node = lambda ? find_lambda(function, tree, line) : find_def(tree, line);
    if (!node.is_valid()) fail_without_source(function, path);
    std::size_t end = nb::cast<std::size_t>(node.attr("end_lineno"));
    return {make_file(path, lines, first, end - first), node, 0};
}

}  // namespace lanewise::bindings
