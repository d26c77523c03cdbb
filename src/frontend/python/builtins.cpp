// The registry of builtins and what every call of one shares: binding keywords, compile-time arguments, failing.
#include "frontend/python/builtins.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "frontend/python/builtin_groups.h"
#include "frontend/python/scalar_constants.h"

namespace lanewise::python {

namespace {

using Registry = std::map<std::string_view, Handler>;

const Registry& registry() {
    static const Registry all = [] {
        Registry result;
        for (const auto group :
             {python_builtins(), iteration_builtins(), operator_builtins(), scalar_method_builtins(), print_builtins(),
              math_builtins(), numpy_float_builtins(), numpy_arithmetic_builtins(), libdevice_builtins(),
              cuda_builtins(), warp_builtins(), memory_builtins(), array_builtins(), atomic_builtins()}) {
            for (const Builtin& builtin : group) result.emplace(builtin.name, builtin.handler);
        }
        return result;
    }();
    return all;
}

const Registry& value_registry() {
    static const Registry all = [] {
        Registry result;
        for (const Builtin& builtin : cuda_builtin_values()) result.emplace(builtin.name, builtin.handler);
        return result;
    }();
    return all;
}

Handler find(const Registry& where, std::string_view name) {
    const auto found = where.find(name);
    return found == where.end() ? nullptr : found->second;
}

/// Levenshtein distance.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

std::string signature(const Call& call) {
    std::vector<std::string> parts;
    for (const Operand& a : call.args) {
        if (a.type) parts.push_back(to_string(a.type));
    }
    for (const auto& [name, value] : call.keywords) parts.push_back(fmt::format("{}={}", name, to_string(value.type)));
    return fmt::format("{}({})", call.spelling, fmt::join(parts, ", "));
}

/// NumPy's short codes ("f4", "<i8", "?") beside its names.
std::optional<DType> dtype_from_text(std::string_view text) {
    if (const auto named = dtype_from_name(text)) return named;
    if (text.size() > 1 && (text[0] == '<' || text[0] == '=' || text[0] == '|')) text.remove_prefix(1);
    for (int i = 0; i < dtype_count; ++i) {
        if (text.size() == 1 && dtype_table[i].numpy_char == text[0]) return static_cast<DType>(i);
    }
    if (text.size() == 2 && text[1] >= '1' && text[1] <= '8') return dtype_from_kind(text[0], text[1] - '0');
    if (text == "c16") return DType::Complex128;
    return std::nullopt;
}

}  // namespace

void Call::fail(const std::string& problem) const {
    e.fail(ErrorKind::Typing, fmt::format("{}: {}", signature(*this), problem), at);
}

void Call::fail_argument(std::size_t index, const std::string& problem) const {
    const Location where = index < arg_locations.size() && arg_locations[index] ? arg_locations[index] : at;
    std::string what = fmt::format("argument {}", index + 1);
    if (index < args.size() && args[index].type) {
        if (!args[index].spelling.empty()) what += fmt::format(" `{}`", args[index].spelling);
        what += fmt::format(" ({})", to_string(args[index].type));
    }
    e.fail(ErrorKind::Typing, fmt::format("{}: {}: {}", signature(*this), what, problem), where);
}

void Call::bind(std::initializer_list<const char*> names, std::size_t required) {
    const std::string accepted = fmt::format("{}({})", spelling, fmt::join(names.begin(), names.end(), ", "));
    if (args.size() > names.size()) {
        fail(names.size() == 0 ? "takes no arguments"
                               : fmt::format("takes at most {} arguments: {}", names.size(), accepted));
    }
    const std::size_t positional = args.size();
    args.resize(names.size());
    arg_locations.resize(names.size(), at);
    const auto bound = std::move(keywords);
    keywords.clear();
    for (const auto& [keyword, value] : bound) {
        const auto name = std::find_if(names.begin(), names.end(), [&](const char* n) { return keyword == n; });
        if (name == names.end()) fail(fmt::format("has no parameter `{}`: {}", keyword, accepted));
        const auto index = static_cast<std::size_t>(name - names.begin());
        if (index < positional || args[index].type) fail(fmt::format("has two values for `{}`", keyword));
        args[index] = value;
    }
    for (std::size_t i = 0; i < required; ++i) {
        if (!args[i].type) fail(fmt::format("needs `{}`: {}", names.begin()[i], accepted));
    }
}

std::int64_t Call::constant_int(std::size_t index, const char* parameter) const {
    const Operand& a = args[index];
    if (const auto value = constant_integer(a)) return *value;
    if (a.type && (a.type->is_integer() || a.type->is_bool())) {
        fail_argument(index,
                      fmt::format("`{}` must be a compile-time integer (a literal, a global or a closure variable); "
                                  "this value is known only at run time",
                                  parameter));
    }
    fail_argument(index, fmt::format("`{}` must be an integer", parameter));
}

DType Call::dtype(std::size_t index) const {
    const Operand& a = args[index];
    if (a.type && a.type->is(Type::Kind::DType)) return a.type->dtype;
    if (a.type && a.type->is(Type::Kind::Builtin)) {
        if (a.type->builtin == "builtins.float") return DType::Float64;
        if (a.type->builtin == "builtins.int") return DType::Int64;
        if (a.type->builtin == "builtins.bool") return DType::Bool;
        if (a.type->builtin == "builtins.complex") return DType::Complex128;
    }
    if (const std::string* text = constant_text(a)) {
        if (const auto found = dtype_from_text(*text)) return *found;
        fail_argument(index, fmt::format("\"{}\" names no dtype; for example \"float32\" or \"i4\" does", *text));
    }
    fail_argument(index, "must be a dtype: np.float32, numba.float32 or \"float32\"");
}

Handler find_builtin(std::string_view name) {
    return find(registry(), name);
}

Handler find_builtin_value(std::string_view name) {
    return find(value_registry(), name);
}

std::vector<std::string> builtin_names(std::string_view prefix) {
    std::vector<std::string> names;
    for (const Registry* where : {&registry(), &value_registry()}) {
        for (const auto& [name, handler] : *where) {
            if (name.starts_with(prefix)) names.emplace_back(name);
        }
    }
    return names;
}

std::string closest_builtin(std::string_view name) {
    std::string best;
    std::size_t least = name.size() / 3 + 1;
    const std::string_view module = name.substr(0, name.rfind('.') + 1);
    for (const std::string& candidate : builtin_names(module)) {
        const std::size_t d = distance(name, candidate);
        if (d < least) {
            least = d;
            best = candidate;
        }
    }
    return best;
}

}  // namespace lanewise::python
