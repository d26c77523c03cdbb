#include "lanewise/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanewise {

std::string with_source(const std::string& message, const SourceFile* file, Location at) {
    if (!file || file->path.empty()) return message;
    if (!at) return fmt::format("{}\n  in {}", message, file->path);
    std::string text = fmt::format("{}\n  {}:{}:{}", message, file->path, at.line, at.column + 1);
    if (at.line < file->first_line || at.line - file->first_line >= file->lines.size()) return text;
    const std::string& line = file->lines[at.line - file->first_line];
    std::size_t end = at.end_line == at.line ? at.end_column : line.size();
    end = std::clamp<std::size_t>(end, at.column + 1, std::max<std::size_t>(line.size(), at.column + 1));
    // Columns are bytes; the caret line has one character for each of the source line's, and repeats its tabs.
    std::string caret;
    for (std::size_t i = 0; i < end; ++i) {
        bool continues_character = i < line.size() && (static_cast<unsigned char>(line[i]) & 0xc0) == 0x80;
        if (continues_character) continue;
        caret += i >= at.column ? '^' : i < line.size() && line[i] == '\t' ? '\t' : ' ';
    }
    return fmt::format("{}\n    {}\n    {}", text, line, caret);
}

Error located_error(ErrorKind kind, const std::string& message, const SourceFile* file, Location at) {
    return Error(kind, with_source(message, file, at));
}

}  // namespace lanewise
