#include "runtime/raise_report.h"

#include <fmt/format.h>

#include <charconv>

#include "runtime/entry_name.h"

namespace lanewise {

std::string fill_placeholders(const std::string& message, std::span<const std::int64_t> values) {
    std::string text;
    for (std::size_t i = 0; i < message.size();) {
        std::size_t close = message[i] == '{' ? message.find('}', i) : std::string::npos;
        std::size_t number = 0;
        if (close != std::string::npos) {
            const char* first = message.data() + i + 1;
            const char* last = message.data() + close;
            auto [rest, problem] = std::from_chars(first, last, number);
            if (problem != std::errc() || rest != last || number >= values.size()) close = std::string::npos;
        }
        if (close == std::string::npos) {
            text += message[i++];
            continue;
        }
        text += fmt::format("{}", values[number]);
        i = close + 1;
    }
    return text;
}

Error raised_error(const Image& image, const EntryPoint& entry, const ErrorSlot& report) {
    std::string where =
        fmt::format("kernel '{}', thread ({}, {}, {}) of block ({}, {}, {})", shown_name(entry), report.thread[0],
                    report.thread[1], report.thread[2], report.block[0], report.block[1], report.block[2]);
    if (report.site >= image.raise_sites.size())
        return Error(ErrorKind::Internal, fmt::format("{} reported raise site {}, but its image has {} sites", where,
                                                      report.site, image.raise_sites.size()));
    const RaiseSite& site = image.raise_sites[report.site];
    std::string message = fill_placeholders(site.message, report.values);
    message += message.empty() ? "raised in " + where : " [" + where + "]";
    const SourceFile* file = site.file < image.files.size() ? &image.files[site.file] : nullptr;
    Error error = located_error(ErrorKind::KernelRaised, message, file, site.at);
    error.python_class = site.python_class;
    return error;
}

}  // namespace lanewise
