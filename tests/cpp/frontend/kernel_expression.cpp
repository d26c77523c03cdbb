// Builds functions from rules.
#include "kernel_expression.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "ir_evaluator.h"
#include "passes/pipeline.h"

namespace lanewise::testing {

using python::Emitter;
using python::Operand;
using syntax::Captured;

namespace {

Operand captured_literal(Emitter& e, Captured captured) {
    Operand operand = e.captured(std::make_shared<const Captured>(std::move(captured)));
    operand.is_literal = true;
    return operand;
}

}  // namespace

python::TypePtr type_of(const std::vector<DType>& parameters, const Body& body, const python::Options& options) {
    ir::Module module;
    Emitter e(module, options);
    std::vector<Operand> arguments;
    for (DType dtype : parameters) arguments.push_back(e.scalar(dtype, nullptr));
    return body(e, arguments).type;
}

Expression::Expression(const std::vector<DType>& parameters, const Body& body, const python::Options& options) {
    module_.name = "test";
    function_ = module_.new_function("f");
    ir::Builder builder(module_, *function_);
    Emitter e(module_, options);
    std::vector<Operand> arguments;
    for (DType dtype : parameters) {
        ir::Parameter parameter;
        parameter.name = std::string(1, static_cast<char>('a' + arguments.size()));
        parameter.type = ir::Type::scalar(dtype);
        arguments.push_back(e.scalar(dtype, function_->add_parameter(parameter)));
    }
    builder.set_block(function_->new_block("entry"));
    e.set_builder(&builder);
    result_ = body(e, arguments);
    const std::vector<ir::Value*>& values = result_.parts;
    for (const ir::Value* value : values) function_->results.push_back(value->type);
    builder.ret(values);
    warnings_ = e.warnings();
    passes::run_pipeline(module_);
}

std::vector<std::uint64_t> Expression::operator()(const std::vector<std::uint64_t>& arguments) const {
    return evaluate(*function_, arguments);
}

std::string Expression::text() const {
    return ir::print(module_);
}

std::vector<std::string> Expression::raises() const {
    std::vector<std::string> classes;
    for (const RaiseSite& site : module_.raise_sites) classes.push_back(site.python_class);
    return classes;
}

Operand call(Emitter& e, const std::string& name, std::vector<Operand> arguments,
             std::vector<std::pair<std::string, Operand>> keywords) {
    const python::Handler handler = python::find_builtin(name);
    if (!handler) throw std::logic_error("no builtin " + name);
    python::Call c{e, name, name, {}, std::move(arguments), {}, std::move(keywords)};
    return handler(c);
}

Operand literal(Emitter& e, std::int64_t value) {
    Captured captured;
    captured.kind = Captured::Kind::Int;
    captured.integer = value;
    return captured_literal(e, captured);
}

Operand literal(Emitter& e, double value) {
    Captured captured;
    captured.kind = Captured::Kind::Float;
    captured.number = value;
    return captured_literal(e, captured);
}

Operand literal(Emitter& e, bool value) {
    Captured captured;
    captured.kind = Captured::Kind::Bool;
    captured.integer = value;
    return captured_literal(e, captured);
}

Operand text(Emitter& e, const std::string& value) {
    Captured captured;
    captured.kind = Captured::Kind::String;
    captured.text = value;
    return captured_literal(e, captured);
}

Operand dtype(Emitter& e, DType value) {
    Captured captured;
    captured.kind = Captured::Kind::DType;
    captured.dtype = value;
    return captured_literal(e, captured);
}

Body function(const std::string& name) {
    return [name](python::Emitter& e, const std::vector<python::Operand>& x) { return call(e, name, x); };
}

std::string type_name(const std::string& name, const std::vector<DType>& parameters) {
    return python::to_string(type_of(parameters, function(name)));
}

std::string refusal(const std::vector<DType>& parameters, const Body& body) {
    try {
        type_of(parameters, body);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Typing);
        return error.what();
    }
    return "not refused";
}

}  // namespace lanewise::testing
