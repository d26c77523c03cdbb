// Reads the table: gzip for the compression, and a reader of the flat JSON objects that it consists of.
#include "semantics_table.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>

#include "ir/fold.h"

namespace lanewise::testing {

namespace {

/// One line: an object of strings, numbers, null, and arrays of strings and numbers (nested ones are complex: skipped).
class Line {
public:
    explicit Line(const std::string& text) : text_(text) { read_object(); }

    std::string text(const std::string& key) const {
        const auto found = values_.find(key);
        return found == values_.end() || found->second.empty() ? std::string() : found->second[0];
    }
    bool has(const std::string& key) const { return values_.contains(key); }
    std::vector<std::string> list(const std::string& key) const {
        const auto found = values_.find(key);
        return found == values_.end() ? std::vector<std::string>() : found->second;
    }

private:
    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == ',' || text_[at_] == ':')) ++at_;
    }
    std::string read_scalar() {
        skip_space();
        std::string value;
        if (text_[at_] == '"') {
            for (++at_; text_[at_] != '"'; ++at_) {
                if (text_[at_] == '\\') ++at_;
                value += text_[at_];
            }
            ++at_;
            return value;
        }
        while (at_ < text_.size() && std::string_view(",]} ").find(text_[at_]) == std::string_view::npos)
            value += text_[at_++];
        return value;
    }
    void read_object() {
        ++at_;
        for (skip_space(); text_[at_] != '}'; skip_space()) {
            const std::string key = read_scalar();
            skip_space();
            std::vector<std::string>& values = values_[key];
            if (text_[at_] != '[') {
                values.push_back(read_scalar());
                continue;
            }
            int depth = 1;
            ++at_;
            for (skip_space(); depth > 0; skip_space()) {
                if (text_[at_] == '[') {
                    ++depth, ++at_;
                } else if (text_[at_] == ']') {
                    --depth, ++at_;
                } else {
                    values.push_back(read_scalar());
                }
            }
        }
    }

    const std::string& text_;
    std::size_t at_ = 0;
    std::map<std::string, std::vector<std::string>> values_;
};

std::optional<DType> dtype_named(std::string name) {
    if (name == "bool_") name = "bool";
    return dtype_from_name(name);
}

bool is_kernel_scalar(std::optional<DType> dtype) {
    return dtype && !is_complex(*dtype) && *dtype != DType::Float16 && *dtype != DType::BFloat16;
}

std::vector<Record> read_table() {
    const auto path = std::filesystem::path(LANEWISE_TESTS_FOLDER) / "data/numba_semantics.jsonl.gz";
    const std::string command = "gzip -dc '" + path.string() + "'";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    if (!pipe) throw std::runtime_error("cannot run " + command);
    std::vector<Record> records;
    char* buffer = nullptr;
    std::size_t capacity = 0;
    while (getline(&buffer, &capacity, pipe.get()) > 0) {
        const std::string text = buffer;
        const Line line(text);
        Record record;
        record.op = line.text("op");
        record.expression = line.text("expr");
        record.a = dtype_named(line.text("a"));
        if (!is_kernel_scalar(record.a)) continue;
        if (line.text("b") != "null") {
            record.b = dtype_named(line.text("b"));
            if (!is_kernel_scalar(record.b)) continue;
        }
        record.refused = line.has("error");
        if (!record.refused) record.type = dtype_named(line.text("type"));
        record.in_a = line.list("in_a");
        record.in_b = line.list("in_b");
        record.out = line.list("out");
        records.push_back(std::move(record));
    }
    std::free(buffer);
    if (records.size() < 4000) throw std::runtime_error("the table is missing or cut short: " + path.string());
    return records;
}

}  // namespace

const std::vector<Record>& semantics_table() {
    static const std::vector<Record> records = read_table();
    return records;
}

std::uint64_t encode(const std::string& text, DType dtype) {
    if (text == "true" || text == "false") return text == "true";
    if (is_float(dtype)) return ir::encode_float(dtype, std::strtod(text.c_str(), nullptr));
    const bool negative = text.starts_with('-');
    const std::int64_t value = negative ? std::strtoll(text.c_str(), nullptr, 10)
                                        : static_cast<std::int64_t>(std::strtoull(text.c_str(), nullptr, 10));
    return ir::encode_integer(dtype, value);
}

}  // namespace lanewise::testing
