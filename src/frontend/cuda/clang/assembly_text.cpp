#include "frontend/cuda/clang/assembly_text.h"

#include <cctype>
#include <vector>

namespace lanewise::cuda_cpp {

namespace {

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Walks over a C++ text as far as to know what is a comment, a literal and an asm statement.
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    /// Where a percent sign is to be put in.
    std::vector<std::size_t> scan() {
        while (at_ < text_.size()) {
            if (skip_blank() || skip_literal(nullptr)) continue;
            if (!is_word(text_[at_])) {
                ++at_;
                continue;
            }
            const std::string_view found = word();
            if (found == "asm" || found == "__asm__" || found == "__asm") statement();
        }
        return std::move(places_);
    }

private:
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    std::string_view word() {
        const std::size_t begin = at_;
        while (is_word(peek())) ++at_;
        // A literal's prefix belongs to it: R"(...)" is no word and a string.
        if (peek() == '"' && text_[at_ - 1] == 'R') skip_raw();
        return text_.substr(begin, at_ - begin);
    }

    void skip_raw() {
        const std::size_t open = text_.find('(', at_);
        if (open == std::string_view::npos) {
            at_ = text_.size();
            return;
        }
        const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const std::size_t end = text_.find(close, open);
        at_ = end == std::string_view::npos ? text_.size() : end + close.size();
    }

    /// White space and comments.
    bool skip_blank() {
        if (std::isspace(static_cast<unsigned char>(peek())) || (peek() == '\\' && peek(1) == '\n')) {
            ++at_;
            return true;
        }
        if (peek() != '/' || (peek(1) != '/' && peek(1) != '*')) return false;
        const bool line = peek(1) == '/';
        const std::size_t end = text_.find(line ? "\n" : "*/", at_ + 2);
        at_ = end == std::string_view::npos ? text_.size() : end + (line ? 1 : 2);
        return true;
    }

    /// A string or character literal; `registers` gets the places of lone percent signs before letters.
    bool skip_literal(std::vector<std::size_t>* registers) {
        const char quote = peek();
        if (quote != '"' && quote != '\'') return false;
        for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_) {
            if (text_[at_] == '\\') {
                ++at_;
            } else if (text_[at_] == '%' && peek(1) == '%') {
                ++at_;
            } else if (text_[at_] == '%' && std::isalpha(static_cast<unsigned char>(peek(1))) && registers) {
                registers->push_back(at_);
            }
        }
        if (at_ < text_.size()) ++at_;
        return true;
    }

    /// Behind "asm": qualifiers, the parenthesis, the template, and the colon before the operands.
    void statement() {
        while (skip_blank() || is_word(peek()))
            if (is_word(peek())) word();
        if (peek() != '(') return;
        ++at_;
        std::vector<std::size_t> registers;
        while (skip_blank() || skip_literal(&registers)) {
        }
        if (peek() == ':') places_.insert(places_.end(), registers.begin(), registers.end());
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::size_t> places_;
};

}  // namespace

std::string with_escaped_registers(std::string_view text) {
    std::string escaped;
    std::size_t copied = 0;
    for (std::size_t place : Scanner(text).scan()) {
        escaped += text.substr(copied, place - copied);
        escaped += '%';
        copied = place;
    }
    return escaped += text.substr(copied);
}

}  // namespace lanewise::cuda_cpp
