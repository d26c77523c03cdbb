#include "backend/cuda/cpp_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "lanewise/error.h"

namespace lanewise::cuda {

namespace {

/// "FILE(LINE): error: ...", "FILE(LINE): warning #177-D: ...", "FILE(LINE): catastrophic error: ...",
/// "ptxas error   : ...", "ptxas fatal   : ...", "nvcc fatal   : ...", "Command-line error: ...". False for other
/// lines.
bool starts_message(const std::string& line, CppMessage& message) {
    auto begins = [&](const char* word, std::size_t at) {
        return line.compare(at, std::string(word).size(), word) == 0;
    };
    message = {};
    message.text = line;
    std::size_t close = line.find("): ");
    if (close != std::string::npos) {
        std::size_t open = line.rfind('(', close);
        if (open != std::string::npos && open > 0 && close > open + 1 &&
            std::all_of(line.begin() + long(open) + 1, line.begin() + long(close),
                        [](unsigned char c) { return std::isdigit(c); })) {
            std::size_t rest = close + 3;
            message.error =
                begins("error", rest) || begins("catastrophic error", rest) || begins("internal error", rest);
            if (!message.error && !begins("warning", rest)) return false;
            message.file = line.substr(0, open);
            message.line = std::stoi(line.substr(open + 1, std::min<std::size_t>(close - open - 1, 9)));
            return true;
        }
    }
    for (const char* tool : {"ptxas ", "nvcc ", "nvrtc: ", "nvlink ", "cicc ", "cudafe++ ", "Command-line "})
        if (begins(tool, 0)) {
            std::size_t error = std::min(line.find("error"), line.find("fatal"));
            message.error = error != std::string::npos;
            return message.error || line.find("warning") != std::string::npos;
        }
    return false;
}

/// Compilers before CUDA 12 tell the line by its number only.
void add_source_line(CppMessage& message, const cuda_cpp::Source& source) {
    if (message.file != source.file || message.line < 1 || message.text.find('\n') != std::string::npos) return;
    std::istringstream lines(source.text);
    std::string line;
    for (int i = 0; i < message.line; ++i)
        if (!std::getline(lines, line)) return;
    message.text += "\n  " + line;
}

}  // namespace

std::vector<CppMessage> messages_of(const std::string& log) {
    std::vector<CppMessage> messages;
    std::istringstream lines(log);
    bool open = false;
    CppMessage next;
    for (std::string line; std::getline(lines, line);) {
        if (starts_message(line, next)) {
            messages.push_back(next);
            open = true;
        } else if (line.empty()) {
            open = false;
        } else if (open) {
            messages.back().text += "\n" + line;
        }
    }
    return messages;
}

void fail_cpp(const std::string& compiler, const cuda_cpp::Source& source, const std::string& log,
              const std::string& hint) {
    std::vector<CppMessage> messages = messages_of(log);
    std::erase_if(messages, [](const CppMessage& message) { return !message.error; });
    std::string text = fmt::format("{} cannot compile {}:\n", compiler, source.file);
    if (messages.empty()) {
        text += log.empty() ? "it gives no reason" : log;
    } else {
        add_source_line(messages.front(), source);
        text += messages.front().text;
        if (messages.size() > 1)
            text += fmt::format("\n({} more error{} in the log)", messages.size() - 1, messages.size() > 2 ? "s" : "");
    }
    while (text.ends_with('\n')) text.pop_back();
    if (!hint.empty()) text += "\n" + hint;
    Error error(ErrorKind::Compile, text);
    error.log = log;
    throw error;
}

void take_warnings(Image& image, const std::string& log) {
    for (CppMessage& message : messages_of(log))
        if (!message.error) image.warnings.push_back(std::move(message.text));
}

}  // namespace lanewise::cuda
