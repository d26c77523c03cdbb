#include "frontend/cuda/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "frontend/cuda/option_table.h"
#include "lanewise/error.h"

namespace lanewise::cuda_cpp {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            std::size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, diagonal + 1, replaced});
        }
    }
    return row.back();
}

/// Takes the value of given[at] from the next string where the form allows it.
void complete(FoundOption& found, std::span<const std::string> given, std::size_t& at) {
    const bool next = at + 1 < given.size();
    switch (found.row->form) {
        case Form::Flag:
            return;
        case Form::Boolean:
            if (!found.has_value && next && (given[at + 1] == "true" || given[at + 1] == "false"))
                found.value = given[++at];
            return;
        case Form::Value:
        case Form::Joined:
            if (!found.has_value && next) {
                found.value = given[++at];
                found.has_value = true;
            }
            if (found.value.empty())
                throw Error(ErrorKind::Value, fmt::format("CUDA C++ option '{}' needs a value, as in '{}=...'",
                                                          given[at], long_name(*found.row)));
            return;
    }
}

void apply(Options& options, const FoundOption& found, const std::string& as_given) {
    const OptionRow& row = *found.row;
    if (row.form == Form::Flag && found.has_value && found.value != "true")
        throw Error(ErrorKind::Value,
                    fmt::format("CUDA C++ option '{}': {} takes no value; give each option as a string of its own",
                                as_given, long_name(row)));
    if (row.use == Use::Refused)
        throw Error(ErrorKind::Value, fmt::format("CUDA C++ option '{}' {}", as_given, row.reason));
    if (row.effect) try {
            row.effect(options, found.value);
        } catch (const Error& error) {
            throw Error(ErrorKind::Value, fmt::format("CUDA C++ option '{}': {}", as_given, error.what()));
        }
    if (row.use == Use::Both || row.use == Use::Nvrtc || row.use == Use::Nvcc)
        options.other.push_back(long_name(row) + (found.value.empty() ? "" : "=" + found.value));
    if (row.use == Use::Ignored) options.ignored.push_back(fmt::format("{}: {}", as_given, row.reason));
}

/// What NVRTC and nvcc spell alike. `value` turns an option's value into the compiler's form.
template <class MakeValue>
std::vector<std::string> common_arguments(const Options& options, Use own, MakeValue value) {
    std::vector<std::string> arguments;
    auto add = [&](std::string text) { arguments.push_back(std::move(text)); };
    for (const std::string& define : options.defines) add("--define-macro=" + value(define));
    for (const std::string& undefine : options.undefines) add("--undefine-macro=" + value(undefine));
    for (const std::string& folder : options.include_folders) add("--include-path=" + value(folder));
    for (const std::string& file : options.forced_includes) add("--pre-include=" + value(file));
    add(fmt::format("--std=c++{}", options.standard));
    if (options.fast_math) add("--use_fast_math");
    auto boolean = [&](const char* name, bool is, bool implied) {
        if (is != implied) add(fmt::format("--{}={}", name, is));
    };
    boolean("ftz", options.flush_denormals, options.fast_math);
    boolean("prec-div", options.precise_divide, !options.fast_math);
    boolean("prec-sqrt", options.precise_sqrt, !options.fast_math);
    boolean("fmad", options.contract, true);
    if (options.max_registers > 0) add(fmt::format("--maxrregcount={}", options.max_registers));
    if (options.line_info) add("--generate-line-info");
    if (options.debug) add("--device-debug");
    if (options.relocatable) add("--relocatable-device-code=true");
    if (!options.warnings) add("--disable-warnings");
    for (const std::string& other : options.other) {
        FoundOption found = find_option(other);
        if (found.row->use == Use::Parsed || found.row->use == Use::Both || found.row->use == own) add(other);
    }
    for (const std::string& unknown : options.unknown) add(unknown);
    return arguments;
}

}  // namespace

Options parse_options(std::span<const std::string> given) {
    Options options;
    for (std::size_t at = 0; at < given.size(); ++at) {
        FoundOption found = find_option(given[at]);
        if (!found.row) {
            options.unknown.push_back(given[at]);
            continue;
        }
        std::size_t first = at;
        complete(found, given, at);
        apply(options, found, at == first ? given[first] : given[first] + " " + given[at]);
    }
    return options;
}

std::string nearest_option(const std::string& given) {
    std::string_view body = std::string_view(given).substr(std::min(given.find_first_not_of('-'), given.size()));
    body = body.substr(0, body.find_first_of("= \t"));
    std::string_view best;
    std::size_t best_distance = body.size() / 2 + 1;
    for (const OptionRow& row : option_table())
        for (std::string_view rest = row.names; !rest.empty();) {
            std::size_t end = std::min(rest.find(' '), rest.size());
            std::string_view name = rest.substr(0, end);
            if (std::size_t distance = edit_distance(body, name); name.size() > 1 && distance < best_distance) {
                best = name;
                best_distance = distance;
            }
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    return best.empty() ? "" : fmt::format("--{}", best);
}

void refuse_unknown(const Options& options, const std::string& compiler) {
    if (options.unknown.empty()) return;
    const std::string& option = options.unknown.front();
    if (!option.starts_with('-'))
        throw Error(ErrorKind::Value, fmt::format("'{}' is no option of a CUDA C++ compiler: options begin with '-', "
                                                  "and a value stands with its option",
                                                  option));
    std::string nearest = nearest_option(option);
    throw Error(ErrorKind::Value, fmt::format("{} has no option '{}'{}", compiler, option,
                                              nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

std::vector<std::string> nvrtc_arguments(const Options& options) {
    std::vector<std::string> arguments =
        common_arguments(options, Use::Nvrtc, [](const std::string& value) { return value; });
    if (options.default_device) arguments.push_back("--device-as-default-execution-space");
    return arguments;
}

std::vector<std::string> nvcc_arguments(const Options& options) {
    if (options.default_device)
        throw Error(ErrorKind::Value,
                    "nvcc has no option '--device-as-default-execution-space'; the backends nvrtc and clang have it");
    return common_arguments(options, Use::Nvcc, [](const std::string& value) {
        // nvcc takes lists with commas between.
        std::string escaped;
        for (char c : value) escaped += c == ',' ? std::string("\\,") : std::string(1, c);
        return escaped;
    });
}

int capability_of(const std::string& architecture) {
    std::string_view digits = architecture;
    for (std::string_view prefix : {"sm_", "compute_", "lto_"})
        if (digits.starts_with(prefix)) {
            digits.remove_prefix(prefix.size());
            break;
        }
    if (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) digits.remove_suffix(1);
    int number = 0;
    auto [rest, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (problem != std::errc() || rest != digits.data() + digits.size() || number < 10 || number > 999) return 0;
    return number;
}

std::string architecture_for(const Options& options, int capability) {
    const std::string* best = nullptr;
    for (const std::string& architecture : options.architectures)
        if (int wanted = capability_of(architecture); wanted <= capability && (!best || wanted >= capability_of(*best)))
            best = &architecture;
    if (best) return *best;
    if (options.architectures.empty()) return "";
    throw Error(ErrorKind::Value,
                fmt::format("the options ask for code for {}, which a GPU of compute capability {}.{} does not run; "
                            "leave the architecture out to compile for the device at hand",
                            fmt::join(options.architectures, ", "), capability / 10, capability % 10));
}

}  // namespace lanewise::cuda_cpp
