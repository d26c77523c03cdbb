// ast objects to the syntax tree. A free name, with the attributes that follow it, becomes the captured value it has
// now.
#include "syntax.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "array_object.h"
#include "kernel_object.h"
#include "numpy.h"
#include "source.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

using syntax::BinaryOp;
using syntax::Captured;
using syntax::CapturedPtr;
using syntax::CompareOp;
using syntax::Expr;
using syntax::ExprPtr;
using syntax::Stmt;
using syntax::StmtPtr;
using syntax::UnaryOp;

std::string text(nb::handle object) {
    return nb::cast<std::string>(object);
}

std::uint64_t next_function_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

BinaryOp binary_op(nb::handle node) {
    static const std::unordered_map<std::string_view, BinaryOp> table = {
        {"Add", BinaryOp::Add},        {"Sub", BinaryOp::Sub},           {"Mult", BinaryOp::Mul},
        {"Div", BinaryOp::TrueDiv},    {"FloorDiv", BinaryOp::FloorDiv}, {"Mod", BinaryOp::Mod},
        {"Pow", BinaryOp::Pow},        {"LShift", BinaryOp::LShift},     {"RShift", BinaryOp::RShift},
        {"BitAnd", BinaryOp::BitAnd},  {"BitOr", BinaryOp::BitOr},       {"BitXor", BinaryOp::BitXor},
        {"MatMult", BinaryOp::MatMul},
    };
    return table.at(class_name(node));
}

UnaryOp unary_op(nb::handle node) {
    static const std::unordered_map<std::string_view, UnaryOp> table = {
        {"USub", UnaryOp::Neg}, {"UAdd", UnaryOp::Pos}, {"Invert", UnaryOp::Invert}, {"Not", UnaryOp::Not}};
    return table.at(class_name(node));
}

CompareOp compare_op(nb::handle node) {
    static const std::unordered_map<std::string_view, CompareOp> table = {
        {"Eq", CompareOp::Eq}, {"NotEq", CompareOp::Ne},   {"Lt", CompareOp::Lt}, {"LtE", CompareOp::Le},
        {"Gt", CompareOp::Gt}, {"GtE", CompareOp::Ge},     {"Is", CompareOp::Is}, {"IsNot", CompareOp::IsNot},
        {"In", CompareOp::In}, {"NotIn", CompareOp::NotIn}};
    return table.at(class_name(node));
}

/// The names a function body binds, as CPython's symbol table finds them: nested functions and lambdas bind their own.
class BoundNames {
public:
    explicit BoundNames(nb::handle function_node) {
        parameters(function_node.attr("args"));
        nb::object body = function_node.attr("body");
        if (nb::isinstance<nb::list>(body))
            for (nb::handle statement : nb::list(body)) visit(statement);
        else
            visit(body);
        for (const std::string& name : outer_) names_.erase(name);
    }
    bool contains(const std::string& name) const { return names_.count(name) != 0; }
    /// Declared `global` or `nonlocal`.
    const std::set<std::string>& outer() const { return outer_; }

private:
    void parameters(nb::handle arguments) {
        for (const char* group : {"posonlyargs", "args", "kwonlyargs"})
            for (nb::handle argument : nb::list(arguments.attr(group))) names_.insert(text(argument.attr("arg")));
        for (const char* rest : {"vararg", "kwarg"})
            if (nb::object argument = arguments.attr(rest); !argument.is_none())
                names_.insert(text(argument.attr("arg")));
    }

    void visit(nb::handle node) {
        std::string_view kind = class_name(node);
        if (kind == "Name") {
            if (class_name(node.attr("ctx")) != "Load") names_.insert(text(node.attr("id")));
            return;
        }
        if (kind == "Global" || kind == "Nonlocal") {
            for (nb::handle name : nb::list(node.attr("names"))) outer_.insert(text(name));
            return;
        }
        if (kind == "FunctionDef" || kind == "AsyncFunctionDef" || kind == "ClassDef") {
            names_.insert(text(node.attr("name")));
            return;
        }
        if (kind == "Lambda" || kind == "ListComp" || kind == "SetComp" || kind == "DictComp" || kind == "GeneratorExp")
            return;
        if (kind == "alias") {
            nb::object name = node.attr("asname").is_none() ? node.attr("name") : node.attr("asname");
            std::string whole = text(name);
            names_.insert(whole.substr(0, whole.find('.')));
            return;
        }
        if (kind == "ExceptHandler" && !node.attr("name").is_none()) names_.insert(text(node.attr("name")));
        for (nb::handle field : nb::tuple(node.attr("_fields"))) {
            nb::object value = nb::getattr(node, field, nb::none());
            if (nb::isinstance<nb::list>(value)) {
                for (nb::handle item : nb::list(value))
                    if (nb::hasattr(item, "_fields")) visit(item);
            } else if (nb::hasattr(value, "_fields")) {
                visit(value);
            }
        }
    }

    std::set<std::string> names_;
    std::set<std::string> outer_;
};

/// Where the names that are bound nowhere in the source come from: the closure, the globals, the builtins.
class Environment {
public:
    explicit Environment(nb::handle function) : globals_(function.attr("__globals__")) {
        nb::object cells = function.attr("__closure__");
        if (!cells.is_none()) {
            nb::tuple names(function.attr("__code__").attr("co_freevars"));
            for (std::size_t i = 0; i < names.size(); ++i) cells_.emplace(text(names[i]), nb::borrow(cells[i]));
        }
        builtins_ = nb::module_::import_("builtins").attr("__dict__");
    }

    /// Invalid when there is no such name.
    nb::object find(const std::string& name) const {
        if (auto cell = cells_.find(name); cell != cells_.end())
            return nb::getattr(cell->second, "cell_contents", nb::object());
        for (const nb::object& scope : {globals_, builtins_})
            if (PyObject* value = PyDict_GetItemString(scope.ptr(), name.c_str())) return nb::borrow(value);
        return nb::object();
    }

private:
    nb::object globals_, builtins_;
    std::unordered_map<std::string, nb::object> cells_;
};

/// Converts one function; nested functions get a converter of their own with this one as `outer_`.
class FunctionConverter {
public:
    FunctionConverter(Conversion& conversion, const Environment& environment, SourceFilePtr file,
                      std::int64_t line_offset, nb::handle node, const FunctionConverter* outer)
        : conversion_(conversion),
          environment_(environment),
          file_(std::move(file)),
          line_offset_(line_offset),
          node_(node),
          outer_(outer),
          bound_(node) {}

    /// Parameters, body and free variables of the node. `defaults` and `keyword_defaults`: of a live function, or none.
    void fill(syntax::Function& function, nb::handle defaults, nb::handle keyword_defaults) {
        function.file = file_;
        function.at = location(node_);
        function.id = next_function_id();
        if (class_name(node_) == "AsyncFunctionDef") fail(node_, "kernels and device functions cannot be async");
        fill_parameters(function, defaults, keyword_defaults);
        if (class_name(node_) == "Lambda") {
            auto result = std::make_unique<Stmt>();
            result->kind = Stmt::Kind::Return;
            result->at = location(node_.attr("body"));
            result->value = expr(node_.attr("body"));
            function.body.push_back(std::move(result));
        } else {
            function.body = statements(node_.attr("body"), true);
        }
        function.free_variables.assign(free_.begin(), free_.end());
    }

private:
    [[noreturn]] void fail(nb::handle node, const std::string& problem,
                           ErrorKind kind = ErrorKind::UnsupportedSyntax) const {
        throw located_error(kind, problem, file_.get(), location(node));
    }

    Location location(nb::handle node) const {
        Location at;
        if (!nb::hasattr(node, "lineno")) return at;
        at.line = static_cast<std::uint32_t>(nb::cast<std::int64_t>(node.attr("lineno")) + line_offset_);
        at.column = nb::cast<std::uint32_t>(node.attr("col_offset"));
        at.end_line = static_cast<std::uint32_t>(nb::cast<std::int64_t>(node.attr("end_lineno")) + line_offset_);
        at.end_column = nb::cast<std::uint32_t>(node.attr("end_col_offset"));
        return at;
    }

    /// A captured value; errors of its own get the position of `node`.
    CapturedPtr capture(nb::handle node, nb::handle object) const {
        try {
            return conversion_.captured(object);
        } catch (const Error& error) {
            if (std::strchr(error.what(), '\n')) throw;
            throw located_error(error.kind(), error.what(), file_.get(), location(node));
        }
    }

    void fill_parameters(syntax::Function& function, nb::handle defaults, nb::handle keyword_defaults) {
        nb::handle arguments = node_.attr("args");
        if (nb::object rest = arguments.attr("kwarg"); !rest.is_none())
            fail(rest, fmt::format("kernels and device functions cannot take **{}", text(rest.attr("arg"))));
        for (const char* group : {"posonlyargs", "args"})
            for (nb::handle argument : nb::list(arguments.attr(group)))
                function.parameters.push_back({text(argument.attr("arg")), location(argument), nullptr});
        std::size_t positional = function.parameters.size();
        nb::list keyword_only(arguments.attr("kwonlyargs"));
        if (nb::object rest = arguments.attr("vararg"); !rest.is_none()) {
            if (keyword_only.size())
                fail(keyword_only[0], "kernels and device functions cannot have keyword-only parameters after *args");
            function.parameters.push_back({text(rest.attr("arg")), location(rest), nullptr});
            function.has_varargs = true;
        }
        // Defaults of a live function are values; those of a nested one are expressions and must be constant.
        nb::list default_nodes(arguments.attr("defaults"));
        std::size_t first = positional - default_nodes.size();
        for (std::size_t i = 0; i < default_nodes.size(); ++i)
            function.parameters[first + i].default_value =
                defaults.is_none() ? constant_default(default_nodes[i]) : capture(default_nodes[i], defaults[i]);
        nb::list keyword_nodes(arguments.attr("kw_defaults"));
        for (std::size_t i = 0; i < keyword_only.size(); ++i) {
            std::string name = text(keyword_only[i].attr("arg"));
            CapturedPtr value;
            if (!keyword_nodes[i].is_none())
                value = keyword_defaults.is_none() ? constant_default(keyword_nodes[i])
                                                   : capture(keyword_nodes[i], keyword_defaults[name.c_str()]);
            function.parameters.push_back({name, location(keyword_only[i]), std::move(value)});
        }
    }

    CapturedPtr constant_default(nb::handle node) {
        ExprPtr value = expr(node);
        if (value->kind != Expr::Kind::Literal && value->kind != Expr::Kind::Captured)
            fail(node, "the default of a nested function's parameter must be a literal or a global");
        return value->captured;
    }

    std::vector<StmtPtr> statements(nb::handle list, bool function_body = false) {
        std::vector<StmtPtr> result;
        for (nb::handle node : nb::list(list)) {
            bool docstring = function_body && result.empty() && class_name(node) == "Expr" &&
                             class_name(node.attr("value")) == "Constant" &&
                             nb::isinstance<nb::str>(node.attr("value").attr("value"));
            function_body = function_body && docstring;
            if (!docstring) result.push_back(statement(node));
        }
        return result;
    }

    StmtPtr statement(nb::handle node) {
        auto s = std::make_unique<Stmt>();
        s->at = location(node);
        std::string_view kind = class_name(node);
        auto optional = [&](const char* field) {
            nb::object value = node.attr(field);
            return value.is_none() ? nullptr : expr(value);
        };
        if (kind == "Assign") {
            s->kind = Stmt::Kind::Assign;
            s->value = expr(node.attr("value"));
            for (nb::handle target : nb::list(node.attr("targets"))) s->targets.push_back(this->target(target));
        } else if (kind == "AugAssign") {
            s->kind = Stmt::Kind::AugAssign;
            s->binary = binary_op(node.attr("op"));
            s->targets.push_back(target(node.attr("target")));
            s->value = expr(node.attr("value"));
        } else if (kind == "AnnAssign") {
            if (!node.attr("value").is_none()) {
                s->kind = Stmt::Kind::Assign;
                s->value = expr(node.attr("value"));
                s->targets.push_back(target(node.attr("target")));
            }
        } else if (kind == "Expr") {
            s->kind = Stmt::Kind::Expr;
            s->value = expr(node.attr("value"));
        } else if (kind == "If" || kind == "While") {
            s->kind = kind == "If" ? Stmt::Kind::If : Stmt::Kind::While;
            s->test = expr(node.attr("test"));
            s->body = statements(node.attr("body"));
            s->orelse = statements(node.attr("orelse"));
        } else if (kind == "For") {
            s->kind = Stmt::Kind::For;
            s->targets.push_back(target(node.attr("target")));
            s->value = expr(node.attr("iter"));
            s->body = statements(node.attr("body"));
            s->orelse = statements(node.attr("orelse"));
        } else if (kind == "Return") {
            s->kind = Stmt::Kind::Return;
            s->value = optional("value");
        } else if (kind == "Break") {
            s->kind = Stmt::Kind::Break;
        } else if (kind == "Continue") {
            s->kind = Stmt::Kind::Continue;
        } else if (kind == "Pass" || kind == "Global" || kind == "Nonlocal") {
            s->kind = Stmt::Kind::Pass;
        } else if (kind == "Assert") {
            s->kind = Stmt::Kind::Assert;
            s->test = expr(node.attr("test"));
            s->value = optional("msg");
        } else if (kind == "Raise") {
            s->kind = Stmt::Kind::Raise;
            s->value = optional("exc");
        } else if (kind == "Delete") {
            s->kind = Stmt::Kind::Del;
            for (nb::handle target : nb::list(node.attr("targets"))) s->targets.push_back(this->target(target));
        } else if (kind == "FunctionDef") {
            s->kind = Stmt::Kind::FunctionDef;
            s->text = text(node.attr("name"));
            s->function = nested(node, s->text);
        } else {
            s->kind = Stmt::Kind::Unsupported;
            s->text = kind;
        }
        return s;
    }

    /// Where a value is assigned. Kernels cannot rebind names of the outside.
    ExprPtr target(nb::handle node) {
        if (class_name(node) == "Name") {
            std::string name = text(node.attr("id"));
            if (bound_.outer().count(name))
                fail(node,
                     fmt::format("'{}' is declared global or nonlocal; kernels cannot assign to such names", name));
        }
        return expr(node);
    }

    syntax::FunctionPtr nested(nb::handle node, const std::string& name) {
        if (class_name(node) == "FunctionDef" && nb::list(node.attr("decorator_list")).size())
            fail(nb::list(node.attr("decorator_list"))[0], "a function defined inside a kernel cannot have decorators");
        auto function = std::make_shared<syntax::Function>();
        function->name = name;
        function->is_device = true;
        FunctionConverter inner(conversion_, environment_, file_, line_offset_, node, this);
        inner.fill(*function, nb::none(), nb::none());
        // What the inner function takes from further out, this one must have.
        for (const std::string& free : function->free_variables)
            if (!bound_.contains(free)) free_.insert(free);
        return function;
    }

    bool is_local(const std::string& name) {
        if (bound_.contains(name)) return true;
        if (bound_.outer().count(name) && !is_nonlocal(name)) return false;
        for (const FunctionConverter* scope = outer_; scope; scope = scope->outer_)
            if (scope->bound_.contains(name)) {
                free_.insert(name);
                return true;
            }
        return false;
    }

    /// `nonlocal` names are those an enclosing function of the same source binds; `global` ones are none.
    bool is_nonlocal(const std::string& name) const {
        for (const FunctionConverter* scope = outer_; scope; scope = scope->outer_)
            if (scope->bound_.contains(name)) return true;
        return false;
    }

    /// The Python object a free name with attributes stands for; invalid when `node` is anything else, or when its last
    /// attribute belongs to the kernel language (`array.shape`, `threadIdx.x`).
    nb::object resolve(nb::handle node, std::string& spelling) {
        std::string_view kind = class_name(node);
        if (kind == "Name") {
            spelling = text(node.attr("id"));
            if (is_local(spelling)) return nb::object();
            nb::object value = environment_.find(spelling);
            if (!value.is_valid()) fail(node, fmt::format("name '{}' is not defined", spelling), ErrorKind::Typing);
            return value;
        }
        if (kind != "Attribute") return nb::object();
        nb::object base = resolve(node.attr("value"), spelling);
        if (!base.is_valid()) return nb::object();
        std::string name = text(node.attr("attr"));
        nb::object value = follow(node, base, spelling, name);
        spelling += "." + name;
        return value;
    }

    nb::object follow(nb::handle node, nb::handle base, const std::string& spelling, const std::string& name) const {
        if (!PyModule_Check(base.ptr()) && !PyType_Check(base.ptr())) {
            if (!builtin_marker(base).empty()) {
                nb::object value = nb::getattr(base, name.c_str(), nb::none());
                return builtin_marker(value).empty() ? nb::object() : value;
            }
            if (has_kernel_attributes(base, name)) return nb::object();
        }
        nb::object value = nb::getattr(base, name.c_str(), nb::object());
        if (!value.is_valid())
            fail(node,
                 fmt::format("{} has no attribute '{}'",
                             PyModule_Check(base.ptr())
                                 ? fmt::format("module '{}'", spelling)
                                 : fmt::format("'{}' (a {})", spelling, Py_TYPE(base.ptr())->tp_name),
                             name),
                 ErrorKind::Typing);
        return value;
    }

    /// Values whose attributes the kernel language types itself.
    static bool has_kernel_attributes(nb::handle base, const std::string& name) {
        PyObject* raw = base.ptr();
        if (PyTuple_Check(raw)) return !nb::hasattr(base, "_fields") || !nb::hasattr(base, name.c_str());
        return base.is_none() || PyLong_Check(raw) || PyFloat_Check(raw) || PyComplex_Check(raw) ||
               PyUnicode_Check(raw) || scalar_class_dtype(Py_TYPE(raw)) || is_ndarray(base) || find_array(base) ||
               is_numpy_dtype(base) || nb::hasattr(base, "__cuda_array_interface__");
    }

    ExprPtr expr(nb::handle node) {
        auto e = std::make_unique<Expr>();
        e->at = location(node);
        std::string_view kind = class_name(node);
        if (kind == "Name" || kind == "Attribute") return name_or_attribute(node, std::move(e));
        auto items = [&](const char* field) {
            for (nb::handle item : nb::list(node.attr(field))) e->items.push_back(expr(item));
        };
        auto optional = [&](const char* field) {
            nb::object value = node.attr(field);
            return value.is_none() ? nullptr : expr(value);
        };
        if (kind == "Constant") {
            e->kind = Expr::Kind::Literal;
            e->captured = literal(node);
        } else if (kind == "Subscript") {
            e->kind = Expr::Kind::Subscript;
            e->a = expr(node.attr("value"));
            e->b = expr(node.attr("slice"));
        } else if (kind == "Slice") {
            e->kind = Expr::Kind::Slice;
            e->a = optional("lower");
            e->b = optional("upper");
            e->c = optional("step");
        } else if (kind == "Tuple" || kind == "List") {
            e->kind = kind == "Tuple" ? Expr::Kind::Tuple : Expr::Kind::List;
            items("elts");
        } else if (kind == "BinOp") {
            e->kind = Expr::Kind::Binary;
            e->binary = binary_op(node.attr("op"));
            e->a = expr(node.attr("left"));
            e->b = expr(node.attr("right"));
        } else if (kind == "UnaryOp") {
            e->kind = Expr::Kind::Unary;
            e->unary = unary_op(node.attr("op"));
            e->a = expr(node.attr("operand"));
        } else if (kind == "BoolOp") {
            e->kind = class_name(node.attr("op")) == "And" ? Expr::Kind::BoolAnd : Expr::Kind::BoolOr;
            items("values");
        } else if (kind == "Compare") {
            e->kind = Expr::Kind::Compare;
            e->a = expr(node.attr("left"));
            for (nb::handle op : nb::list(node.attr("ops"))) e->compares.push_back(compare_op(op));
            items("comparators");
        } else if (kind == "IfExp") {
            e->kind = Expr::Kind::IfExp;
            e->a = expr(node.attr("body"));
            e->b = expr(node.attr("test"));
            e->c = expr(node.attr("orelse"));
        } else if (kind == "Call") {
            e->kind = Expr::Kind::Call;
            e->a = expr(node.attr("func"));
            items("args");
            for (nb::handle keyword : nb::list(node.attr("keywords")))
                e->keywords.push_back({keyword.attr("arg").is_none() ? "" : text(keyword.attr("arg")),
                                       expr(keyword.attr("value")), location(keyword)});
        } else if (kind == "Starred") {
            e->kind = Expr::Kind::Starred;
            e->a = expr(node.attr("value"));
        } else if (kind == "Lambda") {
            e->kind = Expr::Kind::Lambda;
            e->function = nested(node, "<lambda>");
        } else {
            e->kind = Expr::Kind::Unsupported;
            e->text = kind;
        }
        return e;
    }

    ExprPtr name_or_attribute(nb::handle node, ExprPtr e) {
        nb::object value = resolve(node, e->text);
        if (value.is_valid()) {
            e->kind = Expr::Kind::Captured;
            e->captured = capture(node, value);
        } else if (class_name(node) == "Name") {
            e->kind = Expr::Kind::Name;
            e->text = text(node.attr("id"));
        } else {
            e->kind = Expr::Kind::Attribute;
            e->text = text(node.attr("attr"));
            e->a = expr(node.attr("value"));
        }
        return e;
    }

    CapturedPtr literal(nb::handle node) const {
        nb::object value = node.attr("value");
        if (value.ptr() == Py_Ellipsis) {
            Captured ellipsis;
            ellipsis.kind = Captured::Kind::Builtin;
            ellipsis.text = "builtins.Ellipsis";
            return std::make_shared<const Captured>(std::move(ellipsis));
        }
        return capture(node, value);
    }

    Conversion& conversion_;
    const Environment& environment_;
    SourceFilePtr file_;
    std::int64_t line_offset_;
    nb::handle node_;
    const FunctionConverter* outer_;
    BoundNames bound_;
    std::set<std::string> free_;
};

}  // namespace

syntax::FunctionPtr Conversion::function(nb::handle callable) {
    nb::object function = python_function(callable);
    if (!function.is_valid())
        throw Error(ErrorKind::Type, fmt::format("expected a Python function, got an object of type {}",
                                                 Py_TYPE(callable.ptr())->tp_name));
    auto [entry, fresh] = functions_.try_emplace(function.ptr());
    if (!fresh) {
        syntax::FunctionPtr known = entry->second.function;
        // A function that is still being converted contains this reference: owning it would be a cycle.
        return entry->second.is_complete ? known : syntax::FunctionPtr(syntax::FunctionPtr(), known.get());
    }
    auto result = std::make_shared<syntax::Function>();
    entry->second.function = result;
    result->name = text(function.attr("__qualname__"));
    result->is_device = is_device_function(callable);
    result->force_inline = wants_inlining(callable);
    if (result->is_device && nb::hasattr(callable, "__lanewise_signatures__"))
        for (nb::handle signature : callable.attr("__lanewise_signatures__"))
            result->signatures.push_back(text(signature));
    ParsedSource source = parse_source(function);
    Environment environment(function);
    FunctionConverter converter(*this, environment, source.file, source.line_offset, source.node, nullptr);
    nb::object defaults = function.attr("__defaults__"), keyword_defaults = function.attr("__kwdefaults__");
    converter.fill(*result, defaults, keyword_defaults);
    functions_.at(function.ptr()).is_complete = true;
    return result;
}

}  // namespace lanewise::bindings
