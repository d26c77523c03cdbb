// Helpers of the IR's tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ir/builder.h"

namespace lanewise::test {

using namespace lanewise::ir;

inline constexpr Type i32 = Type::scalar(DType::Int32), i64 = Type::scalar(DType::Int64),
                      f32 = Type::scalar(DType::Float32), f64 = Type::scalar(DType::Float64),
                      boolean = Type::scalar(DType::Bool);

/// One kernel with an entry block to build into.
struct Kernel {
    ir::Module module;
    Function* function;
    Builder b;
    Kernel() : function(make()), b(module, *function) { b.set_block(b.new_block("entry")); }
    Value* parameter(Type type) {
        return function->add_parameter({.name = "p" + std::to_string(function->parameters.size()), .type = type});
    }

private:
    Function* make() {
        Function* made = module.new_function("k");
        made->is_kernel = true;
        return made;
    }
};

/// The text of the Error that `f` throws; fails when it throws none or one of another kind.
template <class F>
std::string refusal(F f, ErrorKind kind = ErrorKind::Internal) {
    try {
        f();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind);
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return "";
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace lanewise::test
