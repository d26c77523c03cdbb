#include "ir/function.h"

namespace lanewise::ir {

Value* Function::new_value() {
    return &value_storage_.emplace_back();
}

Value* Function::add_parameter(Parameter parameter) {
    Value* value = new_value();
    value->op = Op::Parameter;
    value->type = parameter.type;
    value->index = static_cast<std::int64_t>(parameters.size());
    value->at = at;
    parameters.push_back(std::move(parameter));
    parameter_values.push_back(value);
    return value;
}

Block* Function::new_block(std::string label) {
    Block& block = block_storage_.emplace_back();
    block.function = this;
    block.label = std::move(label);
    blocks.push_back(&block);
    return &block;
}

void Function::number() {
    std::uint32_t next = 0;
    for (Value* parameter : parameter_values) parameter->id = next++;
    std::uint32_t next_block = 0;
    for (Block* block : blocks) {
        block->id = next_block++;
        for (Value* value : block->values) value->id = next++;
    }
}

Function* Module::new_function(std::string name) {
    Function* function = functions.emplace_back(std::make_unique<Function>()).get();
    function->name = std::move(name);
    return function;
}

Global* Module::new_global(std::string name, Space space, std::uint64_t bytes, std::uint32_t align) {
    Global* global = globals.emplace_back(std::make_unique<Global>()).get();
    global->name = std::move(name);
    global->space = space;
    global->bytes = bytes;
    global->align = align;
    return global;
}

}  // namespace lanewise::ir
