#include "jit/raw_names.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

namespace lanewise::jit {
namespace {

constexpr std::size_t most_names_shown = 20;

/// Without spaces: "scale<float, 3>" and "scale<float,3>" are one name.
std::string squeezed(const std::string& name) {
    std::string text;
    std::copy_if(name.begin(), name.end(), std::back_inserter(text), [](char c) { return c != ' '; });
    return text;
}

/// `text` without what follows its parameter list's opening parenthesis, and without a result type in front.
std::string without_arguments(const std::string& text) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i];
        if (c == '<') ++depth;
        if (c == '>') --depth;
        if (depth) continue;
        // "(anonymous namespace)::f(int)": a parenthesis that opens a name is no parameter list.
        if (c == '(' && i > begin && text[i - 1] != ':') return text.substr(begin, i - begin);
        if (c == '(') {
            while (i < text.size() && text[i] != ')') ++i;
        } else if (c == ' ') {
            begin = i + 1;
        }
    }
    return text;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

/// How users can ask for each kernel.
std::vector<std::string> kernel_names(const Image& image) {
    std::vector<std::string> names;
    for (const EntryPoint& entry : image.entries) {
        auto named = std::find_if(image.names.begin(), image.names.end(),
                                  [&](const auto& pair) { return pair.second == entry.name; });
        names.push_back(named != image.names.end() ? named->first : plain_name(entry.name));
    }
    return names;
}

}  // namespace

std::string plain_name(const std::string& symbol) {
    if (!symbol.starts_with("_Z")) return symbol;
    int status = 0;
    std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                std::free);
    return status == 0 && text ? without_arguments(text.get()) : symbol;
}

std::optional<std::string> find_kernel_symbol(const Image& image, const std::string& name) {
    std::string wanted = squeezed(name);
    for (const auto& [expression, symbol] : image.names)
        if (squeezed(expression) == wanted) return symbol;
    for (const EntryPoint& entry : image.entries)
        if (entry.name == name) return entry.name;
    std::vector<std::string> found;
    for (const EntryPoint& entry : image.entries)
        if (squeezed(entry.display_name) == wanted || squeezed(plain_name(entry.name)) == wanted)
            found.push_back(entry.name);
    if (found.size() == 1) return found.front();
    if (found.size() > 1)
        throw Error(ErrorKind::Value,
                    fmt::format("'{}' is the name of {} kernels of the module; ask for one by its symbol: {}", name,
                                found.size(), fmt::join(found, ", ")));
    return std::nullopt;
}

void fail_missing_kernel(const Image& image, const std::string& name) {
    std::vector<std::string> names = kernel_names(image);
    std::string text = fmt::format("there is no kernel '{}' in the module", name);
    if (names.empty()) throw Error(ErrorKind::Value, text + "; it has no kernels (__global__ functions)");
    const std::string& nearest = *std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
        return edit_distance(a, name) < edit_distance(b, name);
    });
    if (edit_distance(nearest, name) <= std::max<std::size_t>(2, name.size() / 3))
        text += fmt::format("; did you mean '{}'?", nearest);
    else
        text += ".";
    std::size_t shown = std::min(names.size(), most_names_shown);
    text += fmt::format(" It has: {}{}", fmt::join(names.begin(), names.begin() + std::ptrdiff_t(shown), ", "),
                        shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "");
    if (name.find('<') != std::string::npos)
        text += ". An instance of a template exists when name_expressions asks for it";
    throw Error(ErrorKind::Value, text);
}

std::string variable_symbol(const Image& image, const std::string& name) {
    std::string wanted = squeezed(name);
    for (const auto& [expression, symbol] : image.names)
        if (squeezed(expression) == wanted || squeezed(expression) == "&" + wanted) return symbol;
    return name;
}

}  // namespace lanewise::jit
