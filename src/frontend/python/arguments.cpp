// Matching the arguments of a call to a function's parameters.
#include <fmt/format.h>

#include "frontend/python/program.h"

namespace lanewise::python {

namespace {

std::string signature_of(const syntax::Function& function) {
    std::string text;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const auto& parameter = function.parameters[i];
        const bool packs = function.has_varargs && i + 1 == function.parameters.size();
        text += fmt::format("{}{}{}{}", i ? ", " : "", packs ? "*" : "", parameter.name,
                            parameter.default_value ? "=..." : "");
    }
    return fmt::format("{}({})", local_name(function), text);
}

}  // namespace

std::vector<Operand> bind_arguments(Emitter& e, const syntax::Function& function, std::vector<Operand> positional,
                                    std::vector<std::pair<std::string, Operand>> keywords) {
    const std::size_t named = function.parameters.size() - function.has_varargs;
    auto fail = [&](const std::string& problem) {
        e.fail(ErrorKind::Typing, fmt::format("{}: {}", signature_of(function), problem));
    };
    if (positional.size() > named && !function.has_varargs)
        fail(fmt::format("takes {} argument{}, {} were given", named, named == 1 ? "" : "s", positional.size()));
    std::vector<Operand> bound(named);
    for (std::size_t i = 0; i < named && i < positional.size(); ++i) bound[i] = positional[i];
    for (auto& [name, value] : keywords) {
        std::size_t at = 0;
        while (at < named && function.parameters[at].name != name) ++at;
        if (at == named) fail(fmt::format("has no parameter '{}'", name));
        if (bound[at].type) fail(fmt::format("got two values for '{}'", name));
        bound[at] = std::move(value);
    }
    for (std::size_t i = 0; i < named; ++i) {
        if (bound[i].type) continue;
        const auto& parameter = function.parameters[i];
        if (!parameter.default_value) fail(fmt::format("the argument '{}' is missing", parameter.name));
        bound[i] = e.captured(parameter.default_value);
    }
    if (function.has_varargs) {
        std::vector<Operand> rest;
        for (std::size_t i = named; i < positional.size(); ++i) rest.push_back(positional[i]);
        bound.push_back(e.tuple(rest));
    }
    return bound;
}

}  // namespace lanewise::python
