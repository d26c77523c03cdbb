// Content hash of a module: a byte string with everything that decides generated code, hashed by XXH3.
#include "base/hash.h"

#include <cstring>
#include <unordered_map>

#include "ir/function.h"

namespace lanewise::ir {

namespace {

class Serializer {
public:
    explicit Serializer(bool with_locations) : with_locations_(with_locations) {}

    std::string& bytes() { return bytes_; }

    void module(const Module& module) {
        number(module.globals.size());
        for (const auto& global : module.globals) {
            globals_.emplace(global.get(), globals_.size());
            text(global->name);
            number(static_cast<std::uint64_t>(global->space));
            number(global->bytes);
            number(global->align);
            number(global->data.size());
            bytes_.append(reinterpret_cast<const char*>(global->data.data()), global->data.size());
        }
        for (const auto& function : module.functions) functions_.emplace(function.get(), functions_.size());
        number(module.functions.size());
        for (const auto& function : module.functions) this->function(*function);
        number(module.raise_sites.size());
        for (const RaiseSite& site : module.raise_sites) {
            text(site.python_class);
            text(site.message);
            location(site.at);
            if (with_locations_) number(site.file);
        }
        if (!with_locations_) return;
        number(module.files.size());
        for (const SourceFile& file : module.files) {
            text(file.path);
            number(file.first_line);
            number(file.lines.size());
            for (const std::string& line : file.lines) text(line);
        }
    }

private:
    void number(std::uint64_t value) {
        // Variable length, seven bits a byte: most numbers here are small.
        for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
        bytes_.push_back(static_cast<char>(value));
    }
    void text(const std::string& value) {
        number(value.size());
        bytes_ += value;
    }
    void type(Type value) {
        bytes_.push_back(static_cast<char>(value.kind));
        bytes_.push_back(static_cast<char>(value.dtype));
        bytes_.push_back(static_cast<char>(value.space));
    }
    void location(const Location& at) {
        if (!with_locations_) return;
        number(at.line);
        number(at.column);
        number(at.end_line);
        number(at.end_column);
    }

    void function(const Function& function) {
        ids_.clear();
        blocks_.clear();
        for (const Value* parameter : function.parameter_values) ids_.emplace(parameter, ids_.size());
        for (const Block* block : function.blocks) {
            blocks_.emplace(block, blocks_.size());
            for (const Value* value : block->values) ids_.emplace(value, ids_.size());
        }
        text(function.name);
        text(function.display_name);
        number(function.is_kernel | function.always_inline << 1 | function.recursive << 2);
        number(function.parameters.size());
        for (const Parameter& parameter : function.parameters) {
            type(parameter.type);
            number(parameter.no_alias | parameter.read_only << 1);
            number(parameter.align);
        }
        number(function.results.size());
        for (Type result : function.results) type(result);
        location(function.at);
        if (with_locations_) number(function.file);
        number(function.blocks.size());
        for (const Block* block : function.blocks) {
            number(block->values.size());
            for (const Value* value : block->values) this->value(*value);
        }
    }

    void operand(const Value* value) {
        auto found = ids_.find(value);
        if (found != ids_.end()) return number(found->second + 1);
        number(0);
        bytes_.push_back(static_cast<char>(value->op));
        type(value->type);
        number(value->op == Op::GlobalAddress ? globals_.at(value->global) : value->bits);
    }

    void value(const Value& value) {
        bytes_.push_back(static_cast<char>(value.op));
        type(value.type);
        location(value.at);
        switch (value.op) {
            case Op::Scalar:
                number(static_cast<std::uint64_t>(value.scalar));
                number(value.no_wrap);
                break;
            case Op::Intrinsic:
                number(static_cast<std::uint64_t>(value.intrinsic));
                break;
            case Op::Atomic:
                number(static_cast<std::uint64_t>(value.atomic));
                break;
            case Op::Call:
                number(functions_.at(value.callee));
                break;
            case Op::External:
                text(value.symbol);
                number(value.has_memory_effect);
                break;
            case Op::Print:
                text(value.text);
                break;
            case Op::LocalArray:
            case Op::PointerAdd:
            case Op::Result:
            case Op::Raise:
                number(static_cast<std::uint64_t>(value.index));
                break;
            default:
                break;
        }
        if (value.op == Op::Load || value.op == Op::Store || value.op == Op::LocalArray) {
            number(value.align);
            number(static_cast<std::uint64_t>(value.hint));
        }
        number(value.operands.size());
        for (const Value* used : value.operands) operand(used);
        number(value.result_types.size());
        for (Type result : value.result_types) type(result);
        for (const Block* block : value.incoming) number(blocks_.at(block));
        for (const Block* target : value.targets)
            if (target) number(blocks_.at(target) + 1);
    }

    const bool with_locations_;
    std::string bytes_;
    std::unordered_map<const Global*, std::size_t> globals_;
    std::unordered_map<const Function*, std::size_t> functions_;
    std::unordered_map<const Value*, std::size_t> ids_;
    std::unordered_map<const Block*, std::size_t> blocks_;
};

}  // namespace

std::string content_hash(const Module& module, bool with_locations) {
    Serializer serializer(with_locations);
    serializer.module(module);
    return hash128(serializer.bytes());
}

}  // namespace lanewise::ir
