// ir::Module, Function, Block and Value: a typed kernel body in SSA form. Every value carries a source location.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "ir/op.h"
#include "ir/type.h"
#include "lanewise/error.h"
#include "lanewise/image.h"

namespace lanewise::ir {

struct Block;
struct Function;
struct Global;

/// One instruction, parameter or constant. Which fields beyond `operands` mean anything is said at the Op.
struct Value {
    Op op = Op::Constant;
    Type type;
    Location at;
    Block* block = nullptr;  ///< null for parameters, constants, global and dynamic_shared: they belong to no block
    std::vector<Value*> operands;

    std::uint64_t bits = 0;
    std::int64_t index = 0;
    std::uint32_t align = 0;  ///< 0: natural
    ScalarOp scalar{};
    ir::Intrinsic intrinsic{};
    AtomicOp atomic{};
    CacheHint hint = CacheHint::None;
    bool has_memory_effect = false;
    bool no_wrap = false;  ///< Scalar Add of integers: known to stay within the type
    Global* global = nullptr;
    Function* callee = nullptr;
    std::string symbol;              ///< External
    std::string text;                ///< Print
    std::vector<Type> result_types;  ///< Call, External, Intrinsic with several results (then type is void)
    std::vector<Block*> incoming;    ///< Phi
    Block* targets[2] = {nullptr, nullptr};
    std::uint32_t id = 0;  ///< numbering for printing and hashing; valid after Function::number()
};

struct Block {
    Function* function = nullptr;
    std::string label;
    std::vector<Value*> values;  ///< phis first, the terminator last
    std::uint32_t id = 0;
    Value* terminator() const { return values.empty() || !is_terminator(values.back()->op) ? nullptr : values.back(); }
};

struct Parameter {
    std::string name;
    Type type;
    bool no_alias = false;
    bool read_only = false;   ///< pointers: nothing is stored through it while the kernel runs
    std::uint32_t align = 0;  ///< pointers: known alignment of the pointee, 0 unknown
};

struct Function {
    std::string name;  ///< symbol: letters, digits, '_', '$'
    std::string display_name;
    bool is_kernel = false;
    bool always_inline = false;
    bool recursive = false;  ///< takes part in a call cycle
    std::vector<Parameter> parameters;
    std::vector<Type> results;  ///< empty for kernels
    std::vector<Value*> parameter_values;
    std::vector<Block*> blocks;  ///< blocks[0] is the entry and has no predecessors
    Location at;
    std::uint32_t file = 0;  ///< index into Module::files

    Value* new_value();  ///< owned by the function
    Value* add_parameter(Parameter parameter);
    Block* new_block(std::string label);  ///< appended to `blocks`
    void number();                        ///< assigns Value::id and Block::id in order
    Function() = default;
    Function(const Function&) = delete;
    Function& operator=(const Function&) = delete;

private:
    std::deque<Value> value_storage_;
    std::deque<Block> block_storage_;
};

/// A variable at module level: constant data, static shared memory of the block, or device memory.
struct Global {
    std::string name;
    Space space = Space::Constant;  ///< Constant, Shared or Global
    std::uint64_t bytes = 0;
    std::uint32_t align = 16;
    std::vector<std::uint8_t> data;  ///< initial contents; empty: zero, or unspecified for Shared
};

struct Module {
    std::string name;
    std::vector<std::unique_ptr<Function>> functions;
    std::vector<std::unique_ptr<Global>> globals;
    std::vector<RaiseSite> raise_sites;
    std::vector<SourceFile> files;

    Function* new_function(std::string name);
    Global* new_global(std::string name, Space space, std::uint64_t bytes, std::uint32_t align);
};

/// Text form, stable: the printer of tests and LANEWISE_DUMP=ir.
std::string print(const Module& module);
std::string print(const Function& function);

/// Throws Error(Internal) naming the function, the value and the rule it breaks.
void verify(const Module& module);

/// 128-bit content hash over everything that decides generated code (locations and files only if `with_locations`).
std::string content_hash(const Module& module, bool with_locations);

}  // namespace lanewise::ir
