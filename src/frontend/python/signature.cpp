// Numba's signature strings, read by recursive descent.
#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "frontend/python/types.h"

namespace lanewise::python {

namespace {

/// Numba's and NumPy's names of scalars beside the dtypes' own.
std::optional<DType> scalar_named(std::string_view name) {
    static const std::unordered_map<std::string_view, DType> aliases = {
        {"boolean", DType::Bool},   {"bool_", DType::Bool},
        {"b1", DType::Bool},        {"i1", DType::Int8},
        {"i2", DType::Int16},       {"i4", DType::Int32},
        {"i8", DType::Int64},       {"u1", DType::UInt8},
        {"u2", DType::UInt16},      {"u4", DType::UInt32},
        {"u8", DType::UInt64},      {"f2", DType::Float16},
        {"f4", DType::Float32},     {"f8", DType::Float64},
        {"c8", DType::Complex64},   {"c16", DType::Complex128},
        {"byte", DType::UInt8},     {"uchar", DType::UInt8},
        {"char", DType::Int8},      {"short", DType::Int16},
        {"ushort", DType::UInt16},  {"intc", DType::Int32},
        {"uintc", DType::UInt32},   {"int_", DType::Int64},
        {"uint", DType::UInt64},    {"int", DType::Int64},
        {"intp", DType::Int64},     {"uintp", DType::UInt64},
        {"ssize_t", DType::Int64},  {"size_t", DType::UInt64},
        {"long_", DType::Int64},    {"ulong", DType::UInt64},
        {"longlong", DType::Int64}, {"ulonglong", DType::UInt64},
        {"float_", DType::Float32}, {"float", DType::Float64},
        {"double", DType::Float64}, {"half", DType::Float16},
        {"single", DType::Float32}, {"complex", DType::Complex128},
    };
    if (auto dtype = dtype_from_name(name)) return dtype;
    if (auto found = aliases.find(name); found != aliases.end()) return found->second;
    return std::nullopt;
}

class Parser {
public:
    explicit Parser(const std::string& text) : text_(text) {}

    DeclaredSignature signature() {
        DeclaredSignature declared;
        skip_space();
        if (peek() == '(') {
            declared.arguments = parenthesised();
            // "(float32, float32)" declares arguments only; so does the tuple of one that ends in a comma.
            expect_end();
            return declared;
        }
        TypePtr first = type();
        if (at_end()) fail("expected '(' and the argument types, as in \"void(float32[:], int64)\"");
        declared.result = first;
        declared.arguments = parenthesised();
        expect_end();
        return declared;
    }

private:
    [[noreturn]] void fail(const std::string& problem) const {
        throw Error(ErrorKind::Type, fmt::format("signature \"{}\": {} at position {}\n    {}\n    {}^", text_, problem,
                                                 at_ + 1, text_, std::string(at_, ' ')));
    }
    void skip_space() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    }
    char peek() {
        skip_space();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool at_end() { return peek() == '\0'; }
    void expect_end() {
        if (!at_end()) fail("unexpected text");
    }
    bool accept(std::string_view token) {
        skip_space();
        if (std::string_view(text_).substr(at_, token.size()) != token) return false;
        at_ += token.size();
        return true;
    }
    void expect(std::string_view token) {
        if (!accept(token)) fail(fmt::format("expected '{}'", token));
    }
    std::string word() {
        skip_space();
        const std::size_t start = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
        return text_.substr(start, at_ - start);
    }
    std::int64_t number() {
        skip_space();
        const std::size_t start = at_;
        const std::string digits = word();
        if (digits.empty() || digits.size() > 4 || !std::isdigit(static_cast<unsigned char>(digits[0]))) {
            at_ = start;
            fail("expected a small number");
        }
        // "1d", as array types are printed.
        if (digits.back() != 'd' && !std::isdigit(static_cast<unsigned char>(digits.back()))) {
            at_ = start;
            fail("expected a number");
        }
        return std::stol(digits);
    }

    std::vector<TypePtr> parenthesised() {
        expect("(");
        return list_until(")");
    }
    std::vector<TypePtr> list_until(std::string_view close) {
        std::vector<TypePtr> types;
        while (!accept(close)) {
            types.push_back(type());
            if (!accept(",")) {
                expect(close);
                break;
            }
        }
        return types;
    }

    TypePtr type() {
        TypePtr result = base_type();
        while (peek() == '[') result = subscripted(result);
        return result;
    }

    TypePtr base_type() {
        skip_space();
        const std::size_t start = at_;
        std::string name = word();
        while (accept(".")) name = word();  // "types.float32", "numba.types.float32"
        if (name == "readonly" && peek() == 'a') {
            name = word();
            return array_of(name, true);
        }
        if (name == "void" || name == "none" || name == "None") return none_type();
        if (name == "UniTuple") {
            expect("(");
            TypePtr item = type();
            if (!accept("x")) expect(",");
            const std::int64_t count = number();
            expect(")");
            return tuple_type(std::vector<TypePtr>(static_cast<std::size_t>(count), item));
        }
        if (name == "Tuple") {
            expect("(");
            if (accept("(")) {
                auto items = list_until(")");
                expect(")");
                return tuple_type(std::move(items));
            }
            if (accept("[")) {
                auto items = list_until("]");
                expect(")");
                return tuple_type(std::move(items));
            }
            return tuple_type(list_until(")"));
        }
        if (name == "Array" || name == "array") return array_of(name, false);
        if (auto dtype = scalar_named(name)) return scalar_type(*dtype);
        at_ = start;
        fail(name.empty() ? "expected a type" : fmt::format("unknown type '{}'", name));
    }

    /// The rest of "Array(float32, 1, 'C', readonly=True)" or "array(float32, 1d, C)".
    TypePtr array_of(const std::string& name, bool read_only) {
        if (name != "Array" && name != "array") fail("expected 'array'");
        expect("(");
        TypePtr element = type();
        if (!element->is_scalar()) fail(fmt::format("arrays of {} are not supported", to_string(element)));
        expect(",");
        const std::int64_t ndim = number();
        expect(",");
        const bool quoted = accept("'") || accept("\"");
        const std::string layout = word();
        if (quoted && !accept("'")) expect("\"");
        if (accept(",")) {
            const std::string option = word();
            if (option == "readonly" || option == "mutable") {
                expect("=");
                const bool value = accept("True");
                if (!value) expect("False");
                read_only = value == (option == "readonly");
            } else {
                fail("expected readonly= or mutable=");
            }
        }
        expect(")");
        if (layout != "C" && layout != "F" && layout != "A") fail("the layout is 'C', 'F' or 'A'");
        return array_type(element->dtype, static_cast<int>(ndim),
                          layout == "C"   ? Layout::C
                          : layout == "F" ? Layout::F
                                          : Layout::A,
                          read_only);
    }

    /// "[:, ::1]": a dimension each; "::1" marks the contiguous one, the last (C) or the first (F).
    TypePtr subscripted(TypePtr element) {
        const std::size_t start = at_;
        expect("[");
        if (!element->is_scalar()) {
            at_ = start;
            fail(fmt::format("arrays of {} are not supported", to_string(element)));
        }
        std::vector<bool> contiguous;
        do {
            if (accept("::")) {
                expect("1");
                contiguous.push_back(true);
            } else {
                expect(":");
                contiguous.push_back(false);
            }
        } while (accept(","));
        expect("]");
        int marks = 0;
        for (bool mark : contiguous) marks += mark;
        Layout layout = Layout::A;
        if (marks == 1 && contiguous.back())
            layout = Layout::C;
        else if (marks == 1 && contiguous.front())
            layout = Layout::F;
        else if (marks > 0) {
            at_ = start;
            fail("'::1' may stand once, in the last dimension (C order) or the first (F order)");
        }
        return array_type(element->dtype, static_cast<int>(contiguous.size()), layout);
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

}  // namespace

DeclaredSignature parse_signature(const std::string& text) {
    return Parser(text).signature();
}

}  // namespace lanewise::python
