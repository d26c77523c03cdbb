#include "backend/cpu/target/ptx_text.h"

#include <fmt/format.h>
#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/StringExtras.h>

#include <bit>

namespace lanewise::cpu::ptx {
namespace {

bool begins_name(char c) {
    return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%';
}

bool continues_name(char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$';
}

class Parser {
public:
    explicit Parser(llvm::StringRef text) : text_(text) {}

    std::vector<Statement> run() {
        std::vector<Statement> statements;
        for (skip_space(); at_ < text_.size(); skip_space()) {
            if (take(';')) continue;
            if (take('{'))
                statements.emplace_back(Scope::Begin);
            else if (take('}'))
                statements.emplace_back(Scope::End);
            else if (peek() == '.')
                statements.emplace_back(declaration());
            else
                statements.emplace_back(instruction());
        }
        return statements;
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw SyntaxProblem{what, line_}; }

    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void skip_space() {
        while (at_ < text_.size()) {
            if (text_.substr(at_).starts_with("//")) {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else if (text_.substr(at_).starts_with("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                if (end == llvm::StringRef::npos) fail("a comment does not end");
                line_ += static_cast<unsigned>(text_.slice(at_, end).count('\n'));
                at_ = end + 2;
            } else if (llvm::isSpace(text_[at_])) {
                if (text_[at_++] == '\n') ++line_;
            } else {
                return;
            }
        }
    }

    bool take(char c) {
        skip_space();
        if (peek() != c) return false;
        ++at_;
        return true;
    }

    void expect(char c) {
        if (!take(c)) fail(fmt::format("'{}' is missing before '{}'", c, rest()));
    }

    std::string rest() const { return text_.substr(at_).split('\n').first.str(); }

    /// A register, special register or symbol. "$$" stands for "$", "${:uid}" for a number of its own.
    std::string name() {
        skip_space();
        if (!begins_name(peek())) fail(fmt::format("a name is expected at '{}'", rest()));
        std::string result;
        const bool special = peek() == '%';
        do {
            if (peek() == '$' && peek(1) == '$') {
                result += "$$";
                at_ += 2;
            } else if (peek() == '$' && peek(1) == '{') {
                const std::size_t end = text_.find('}', at_);
                if (end == llvm::StringRef::npos) fail("'${' without '}'");
                const llvm::StringRef inner = text_.slice(at_ + 2, end);
                result += inner == ":uid" ? "uid" : "$" + inner.split(':').first.str();
                at_ = end + 1;
            } else {
                result += text_[at_++];
            }
        } while (continues_name(peek()) || (special && result.size() == 1));
        // %tid.x
        while (special && peek() == '.' && llvm::isAlpha(peek(1))) {
            do result += text_[at_++];
            while (continues_name(peek()));
        }
        return result;
    }

    Declaration declaration() {
        Declaration result;
        result.line = line_;
        if (!take_word(".reg")) fail(fmt::format("the directive '{}' is not supported", rest()));
        skip_space();
        if (peek() != '.') fail("a register's type is missing");
        ++at_;
        while (continues_name(peek())) result.type += text_[at_++];
        do {
            std::string base = name();
            if (!take('<')) {
                result.names.push_back(base);
                continue;
            }
            const Operand count = number();
            expect('>');
            if (count.bits > 4096) fail("too many registers");
            for (std::uint64_t i = 0; i < count.bits; ++i) result.names.push_back(base + std::to_string(i));
        } while (take(','));
        expect(';');
        return result;
    }

    bool take_word(llvm::StringRef word) {
        if (!text_.substr(at_).starts_with(word) || continues_name(peek(word.size()))) return false;
        at_ += word.size();
        return true;
    }

    Instruction instruction() {
        Instruction result;
        if (take('@')) {
            result.guard_negated = take('!');
            result.guard = name();
            skip_space();
        }
        result.line = line_;
        const std::size_t begin = at_;
        std::string opcode;
        while (continues_name(peek()) || peek() == '.' || (peek() == ':' && peek(1) == ':')) {
            if (peek() == ':') opcode += text_[at_++];
            opcode += text_[at_++];
        }
        if (opcode.empty()) fail(fmt::format("an instruction is expected at '{}'", rest()));
        if (take(':')) fail(fmt::format("labels ('{}:') and branches are not supported", opcode));
        for (llvm::StringRef part : llvm::split(opcode, '.')) result.opcode.push_back(part.str());
        skip_space();
        if (peek() != ';' && at_ < text_.size() && peek() != '}') {
            do result.operands.push_back(operand());
            while (take(','));
        }
        result.text = text_.slice(begin, at_).trim().str();
        skip_space();
        // The last instruction of a template may lack its semicolon.
        if (at_ < text_.size() && peek() != '}') expect(';');
        return result;
    }

    Operand operand() {
        Operand first = single();
        if (!take('|')) return first;
        Operand pair;
        pair.kind = Operand::Kind::Pair;
        pair.parts = {std::move(first), single()};
        return pair;
    }

    Operand single() {
        Operand result;
        if (take('[')) {
            result.kind = Operand::Kind::Address;
            result.parts.push_back(single());
            while (take('+')) result.offset += static_cast<std::int64_t>(number().bits);
            while (take('-')) result.offset -= static_cast<std::int64_t>(number().bits);
            expect(']');
            return result;
        }
        if (take('{')) {
            result.kind = Operand::Kind::Vector;
            do result.parts.push_back(single());
            while (take(','));
            expect('}');
            return result;
        }
        if (take('!')) {
            result = single();
            result.negated = !result.negated;
            return result;
        }
        skip_space();
        if (llvm::isDigit(peek()) || peek() == '-' || peek() == '.') return number();
        if (peek() == '_' && !continues_name(peek(1))) {
            ++at_;
            return result;
        }
        result.kind = Operand::Kind::Name;
        result.name = name();
        return result;
    }

    Operand number() {
        skip_space();
        Operand result;
        const bool negative = take('-');
        skip_space();
        std::string digits;
        while (llvm::isAlnum(peek()) || peek() == '.' ||
               ((peek() == '+' || peek() == '-') && !digits.empty() && llvm::toLower(digits.back()) == 'e' &&
                !llvm::StringRef(digits).starts_with_insensitive("0x"))) {
            digits += text_[at_++];
        }
        llvm::StringRef text(digits);
        const bool single = text.consume_front("0f") || text.consume_front("0F");
        const bool wide = !single && (text.consume_front("0d") || text.consume_front("0D"));
        if (single || wide) {
            result.kind = Operand::Kind::Float;
            result.float_bits = single ? 32 : 64;
            if (text.getAsInteger(16, result.bits)) fail(fmt::format("'{}' is no number", digits));
            if (negative) result.bits ^= 1ull << (result.float_bits - 1);
            return result;
        }
        const bool hexadecimal = text.starts_with_insensitive("0x");
        if (!hexadecimal && text.find_first_of(".eE") != llvm::StringRef::npos) {
            double value = 0;
            if (text.getAsDouble(value)) fail(fmt::format("'{}' is no number", digits));
            result.kind = Operand::Kind::Float;
            result.float_bits = 64;
            result.bits = std::bit_cast<std::uint64_t>(negative ? -value : value);
            return result;
        }
        text.consume_back("U");
        result.kind = Operand::Kind::Integer;
        if (text.getAsInteger(0, result.bits)) fail(fmt::format("'{}' is no number", digits));
        if (negative) result.bits = 0 - result.bits;
        return result;
    }

    llvm::StringRef text_;
    std::size_t at_ = 0;
    unsigned line_ = 0;
};

}  // namespace

std::vector<Statement> parse(llvm::StringRef text) {
    return Parser(text).run();
}

}  // namespace lanewise::cpu::ptx
