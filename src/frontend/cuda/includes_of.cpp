// includes_of: the include directives of one text, without preprocessing it.
#include <cctype>
#include <string_view>

#include "frontend/cuda/include_scan.h"

namespace lanewise::cuda_cpp {

namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// The text without backslash-newline pairs; the newlines removed are counted behind the next newline that is left, so
/// that later lines keep their numbers.
std::string join_continued_lines(const std::string& text, std::vector<int>& extra_lines) {
    std::string joined;
    joined.reserve(text.size());
    int removed = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\') {
            std::size_t end = i + 1;
            while (end < text.size() && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r')) ++end;
            if (end < text.size() && text[end] == '\n') {
                ++removed;
                i = end;
                continue;
            }
        }
        joined += text[i];
        if (text[i] == '\n') {
            extra_lines.push_back(removed);
            removed = 0;
        }
    }
    return joined;
}

class Scanner {
public:
    explicit Scanner(const std::string& text) {
        if (text.find("\\\n") == std::string::npos && text.find("\\\r") == std::string::npos &&
            text.find("\\ ") == std::string::npos && text.find("\\\t") == std::string::npos) {
            text_ = text;
        } else {
            joined_ = join_continued_lines(text, extra_lines_);
            text_ = joined_;
        }
    }

    std::vector<Include> scan() {
        while (at_ < text_.size()) step();
        return std::move(found_);
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void newline() {
        line_ += 1 + (newlines_ < extra_lines_.size() ? extra_lines_[newlines_] : 0);
        ++newlines_;
        ++at_;
        line_start_ = true;
    }

    void step() {
        char c = peek();
        if (c == '\n') return newline();
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++at_;
            return;
        }
        if (skip_comment()) return;
        bool first = line_start_;
        line_start_ = false;
        if (first && (c == '#' || (c == '%' && peek(1) == ':'))) {
            at_ += c == '#' ? 1 : 2;
            return directive();
        }
        if (c == '"' || c == '\'') return literal(c);
        if (is_word(c)) return word();
        ++at_;
    }

    bool skip_comment() {
        if (peek() != '/') return false;
        if (peek(1) == '/') {
            at_ = std::min(text_.find('\n', at_), text_.size());
            return true;
        }
        if (peek(1) != '*') return false;
        std::size_t end = text_.find("*/", at_ + 2);
        end = end == std::string_view::npos ? text_.size() : end + 2;
        bool at_line_start = line_start_;
        while (at_ < end)
            if (text_[at_] == '\n')
                newline();
            else
                ++at_;
        line_start_ = line_start_ || at_line_start;
        return true;
    }

    void blanks() {
        while (peek() == ' ' || peek() == '\t' || (peek() == '/' && peek(1) == '*'))
            if (!skip_comment()) ++at_;
    }

    std::string_view take_word() {
        std::size_t begin = at_;
        while (is_word(peek())) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    void directive() {
        blanks();
        std::string_view name = take_word();
        if (name != "include" && name != "include_next" && name != "import") return;
        blanks();
        header(name == "include_next");
    }

    /// What stands behind #include or in the parentheses of __has_include.
    void header(bool next) {
        Include include;
        include.next = next;
        include.line = line_;
        char open = peek();
        std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
        std::size_t end = std::string_view::npos;
        if (open == '"' || open == '<') end = text_.find(open == '<' ? '>' : '"', at_ + 1);
        if (end < line_end) {
            include.quoted = open == '"';
            include.name = text_.substr(at_ + 1, end - at_ - 1);
            at_ = end + 1;
        } else {
            include.computed = true;
            include.name = text_.substr(at_, line_end - at_);
            while (!include.name.empty() && std::isspace(static_cast<unsigned char>(include.name.back())))
                include.name.pop_back();
            at_ = line_end;
        }
        found_.push_back(std::move(include));
    }

    void literal(char quote) {
        for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
            // A quote without its partner: text that a condition leaves out, such as an apostrophe in prose.
            if (text_[at_] == '\n') return;
            if (text_[at_] == '\\') ++at_;
        }
        ++at_;
    }

    void raw_string() {
        std::size_t open = text_.find('(', at_);
        if (open == std::string_view::npos) return;
        std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        std::size_t end = text_.find(close, open);
        end = end == std::string_view::npos ? text_.size() : end + close.size();
        while (at_ < end)
            if (text_[at_] == '\n')
                newline();
            else
                ++at_;
        line_start_ = false;
    }

    void word() {
        std::size_t begin = at_;
        const bool is_number = std::isdigit(static_cast<unsigned char>(peek())) != 0;
        // 1'000'000 is one number.
        while (is_word(peek()) || (is_number && peek() == '\'' && is_word(peek(1)))) ++at_;
        std::string_view name = text_.substr(begin, at_ - begin);
        if (peek() == '"' && (name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R"))
            return raw_string();
        if (name != "__has_include" && name != "__has_include_next") return;
        blanks();
        if (peek() != '(') return;
        ++at_;
        blanks();
        header(name == "__has_include_next");
    }

    std::string joined_;
    std::string_view text_;
    std::vector<int> extra_lines_;
    std::size_t newlines_ = 0;
    std::size_t at_ = 0;
    int line_ = 1;
    bool line_start_ = true;
    std::vector<Include> found_;
};

}  // namespace

std::vector<Include> includes_of(const std::string& text) {
    // Every directive of interest has this in it, unless a continued line cuts it in two.
    if (text.find("include") == std::string::npos && text.find("import") == std::string::npos &&
        text.find('\\') == std::string::npos)
        return {};
    return Scanner(text).scan();
}

}  // namespace lanewise::cuda_cpp
