#include "backend/cpu/print.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace lanewise::cpu {

namespace {

std::atomic<std::uint64_t> calls{0};

/// Reads values from the packed buffer, each at its natural alignment.
class Arguments {
public:
    explicit Arguments(const void* data) : data_(static_cast<const char*>(data)) {}
    template <class T>
    T next() {
        offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        T value;
        std::memcpy(&value, data_ + offset_, sizeof(T));
        offset_ += sizeof(T);
        ++count_;
        return value;
    }
    int count() const { return count_; }

private:
    const char* data_;
    std::size_t offset_ = 0;
    int count_ = 0;
};

template <class T>
void append(std::string& text, const std::string& conversion, T value) {
    char fixed[128];
    int length = std::snprintf(fixed, sizeof fixed, conversion.c_str(), value);
    if (length < 0) return;
    if (static_cast<std::size_t>(length) < sizeof fixed) {
        text.append(fixed, static_cast<std::size_t>(length));
        return;
    }
    std::size_t start = text.size();
    text.resize(start + static_cast<std::size_t>(length) + 1);
    std::snprintf(text.data() + start, static_cast<std::size_t>(length) + 1, conversion.c_str(), value);
    text.pop_back();
}

/// A conversion taken apart: "%", flags, width, precision, length, letter.
struct Conversion {
    std::string flags_and_width;  ///< from "%" on, '*' replaced by the number
    std::string length;
    char letter = 0;
};

/// `at` is past the '%'. Moves it behind the conversion; false when it is none.
bool parse(const char*& at, Arguments& arguments, Conversion& conversion) {
    const char* p = at;
    std::string& head = conversion.flags_and_width;
    head = "%";
    while (*p && std::strchr("-+ #0", *p)) head += *p++;
    auto number = [&] {
        if (*p == '*') {
            head += std::to_string(arguments.next<std::int32_t>());
            ++p;
        }
        while (*p >= '0' && *p <= '9') head += *p++;
    };
    number();
    if (*p == '.') {
        head += *p++;
        // A negative precision given by an argument counts as none.
        std::size_t dot = head.size() - 1;
        number();
        if (head.size() > dot + 1 && head[dot + 1] == '-') head.erase(dot);
    }
    while (*p && std::strchr("hljztL", *p)) conversion.length += *p++;
    if (!*p || !std::strchr("diouxXcsfFeEgGaAp", *p)) return false;
    conversion.letter = *p++;
    at = p;
    return true;
}

void convert(std::string& text, const Conversion& c, Arguments& arguments) {
    const std::string& head = c.flags_and_width;
    bool wide = !c.length.empty() && std::string_view("ljztL").find(c.length[0]) != std::string_view::npos;
    switch (c.letter) {
        case 'd':
        case 'i':
            if (wide) return append(text, head + "lld", arguments.next<long long>());
            return append(text, head + c.length + "d", arguments.next<int>());
        case 'o':
        case 'u':
        case 'x':
        case 'X':
            if (wide) return append(text, head + "ll" + c.letter, arguments.next<unsigned long long>());
            return append(text, head + c.length + c.letter, arguments.next<unsigned>());
        case 'c':
            return append(text, head + "c", arguments.next<int>() & 0xff);
        case 's': {
            const char* value = arguments.next<const char*>();
            return append(text, head + "s", value ? value : "(null)");
        }
        case 'p':
            return append(text, head + "p", arguments.next<const void*>());
        default:
            return append(text, head + c.letter, arguments.next<double>());
    }
}

}  // namespace

Printed format_packed(const char* format, const void* packed) {
    Printed printed;
    Arguments arguments(packed);
    for (const char* at = format; *at;) {
        if (*at != '%') {
            const char* end = std::strchr(at, '%');
            std::size_t length = end ? static_cast<std::size_t>(end - at) : std::strlen(at);
            printed.text.append(at, length);
            at += length;
            continue;
        }
        if (at[1] == '%') {
            printed.text += '%';
            at += 2;
            continue;
        }
        const char* after = at + 1;
        Conversion conversion;
        if (parse(after, arguments, conversion)) {
            convert(printed.text, conversion, arguments);
            at = after;
        } else {
            printed.text += *at++;
        }
    }
    printed.arguments = arguments.count();
    return printed;
}

std::int32_t kernel_vprintf(const char* format, const void* arguments) noexcept {
    if (!format) return -1;
    Printed printed = format_packed(format, arguments);
    calls.fetch_add(1, std::memory_order_release);
    // One call of fwrite holds the stream's lock for the whole text.
    std::fwrite(printed.text.data(), 1, printed.text.size(), stdout);
    return printed.arguments;
}

std::uint64_t print_count() {
    return calls.load(std::memory_order_acquire);
}

void flush_prints() {
    std::fflush(stdout);
}

}  // namespace lanewise::cpu
