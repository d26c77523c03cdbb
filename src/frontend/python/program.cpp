// Functions: typing and emitting each once for its argument types, recursion, and the requested entry.
#include "frontend/python/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/python/body.h"
#include "frontend/python/index.h"
#include "frontend/python/scalar_rules.h"

namespace lanewise::python {

namespace {

/// Runs with another builder (null: dry), and returns the emitter to its place afterwards.
class Elsewhere {
public:
    Elsewhere(Emitter& e, ir::Builder* builder)
        : e_(e), builder_(e.dry() ? nullptr : &e.builder()), file_(e.file()), at_(e.location()) {
        e_.set_builder(builder);
    }
    ~Elsewhere() {
        e_.set_builder(builder_);
        e_.set_position(file_, at_);
    }
    Elsewhere(const Elsewhere&) = delete;
    Elsewhere& operator=(const Elsewhere&) = delete;

private:
    Emitter& e_;
    ir::Builder* builder_;
    const SourceFile* file_;
    Location at_;
};

class Activation {
public:
    Activation(std::vector<Specialisation*>& stack, Specialisation& callee) : stack_(stack), callee_(callee) {
        stack_.push_back(&callee);
        callee.active = true;
    }
    ~Activation() {
        stack_.pop_back();
        callee_.active = false;
    }
    Activation(const Activation&) = delete;
    Activation& operator=(const Activation&) = delete;

private:
    std::vector<Specialisation*>& stack_;
    Specialisation& callee_;
};

constexpr int round_limit = 16;
constexpr int nesting_limit = 64;

bool has_local_array(TypePtr type) {
    return (type->is_array() && type->space == ir::Space::Local) ||
           std::any_of(type->items.begin(), type->items.end(), has_local_array);
}

bool has_string(TypePtr type) {
    return type->is(Type::Kind::String) || std::any_of(type->items.begin(), type->items.end(), has_string);
}

void require_returnable(Emitter& e, const syntax::Function& function, TypePtr type) {
    const char* problem = has_local_array(type) ? "a local array, whose memory ends with the call"
                          : has_string(type)    ? "a string, which is a compile-time value"
                                                : nullptr;
    if (problem)
        e.fail(ErrorKind::Typing, fmt::format("device function '{}' returns {}", local_name(function), problem),
               function.at);
}

/// Adds the IR parameters of one argument, and gives the operand made of them.
Operand add_parameters(Emitter& e, ir::Function& function, const std::string& name, TypePtr type) {
    Operand operand;
    operand.type = type;
    if (type->is_tuple()) {
        std::vector<Operand> items;
        for (std::size_t i = 0; i < type->items.size(); ++i)
            items.push_back(add_parameters(e, function, fmt::format("{}.{}", name, i), type->items[i]));
        return e.tuple(items);
    }
    const std::vector<ir::Type> parameters = parameters_of(type);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        ir::Parameter parameter;
        parameter.name = i == 0 ? name : fmt::format("{}.{}", name, i);
        parameter.type = parameters[i];
        operand.parts.push_back(function.add_parameter(std::move(parameter)));
    }
    if (!type->is_array()) return operand;
    const std::span extents(operand.parts.data() + 1, type->ndim);
    for (ir::Value* extent : extents) e.note_never_negative(extent);
    if (type->layout != Layout::A) {
        const auto strides = contiguous_strides(e, extents, size_of(type->dtype), type->layout == Layout::C);
        operand.parts.insert(operand.parts.end(), strides.begin(), strides.end());
    }
    return operand;
}

/// The values passed for one argument, in the order of parameters_of.
void append_values(const Emitter& e, const Operand& operand, std::vector<ir::Value*>& values) {
    if (operand.type->is_tuple()) {
        for (std::size_t i = 0; i < operand.type->items.size(); ++i) append_values(e, e.item(operand, i), values);
        return;
    }
    const std::size_t count = parameters_of(operand.type).size();
    values.insert(values.end(), operand.parts.begin(), operand.parts.begin() + static_cast<std::ptrdiff_t>(count));
}

std::string argument_list(const std::vector<TypePtr>& types) {
    std::string text;
    for (TypePtr type : types) text += (text.empty() ? "" : ", ") + to_string(type);
    return text;
}

bool same_values(const std::vector<syntax::CapturedPtr>& a, const std::vector<syntax::CapturedPtr>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_constant);
}

}  // namespace

TypePtr result_type(Emitter& e, const syntax::Function& function, const std::vector<Return>& returns) {
    const Return& first = returns.front();
    Operand common = first.value;
    for (std::size_t i = 1; i < returns.size(); ++i) {
        const TypePtr type = common_type(e, common, returns[i].value);
        if (!type) {
            const bool falls_off =
                returns[i].at.line == function.at.line && returns[i].value.type->is(Type::Kind::None);
            const std::string where = falls_off ? std::string("at its end, where it falls off")
                                                : fmt::format("at line {}", returns[i].at.line);
            e.fail(ErrorKind::Typing,
                   fmt::format("function '{}' returns {} at line {} and {} {}: the types do not unify",
                               local_name(function), to_string(common.type), first.at.line,
                               to_string(returns[i].value.type), where),
                   first.at);
        }
        common.type = type;
        if (!same_constant(common.constant, returns[i].value.constant)) common.constant = nullptr;
    }
    return common.type;
}

const Scope& Program::scope(const syntax::Function& function) {
    auto& scope = scopes_[&function];
    if (!scope) scope = std::make_unique<Scope>(function);
    return *scope;
}

TypePtr Program::lower(const Request& request) {
    const syntax::Function& function = request.function;
    if (request.arguments.size() != function.parameters.size())
        e.fail(ErrorKind::Type, fmt::format("'{}' takes {} argument{}, {} types were given", local_name(function),
                                            function.parameters.size(), function.parameters.size() == 1 ? "" : "s",
                                            request.arguments.size()));
    Specialisation& entry = specialisations_.emplace_back();
    entry.function = &function;
    entry.arguments = request.arguments;
    entry.constants.resize(request.arguments.size());
    by_id_.emplace(function.id, &entry);
    entry.result = request.result;
    entry.is_kernel = request.is_kernel;
    entry.symbol = request.symbol;
    if (entry.is_kernel && function.has_varargs)
        e.fail(ErrorKind::UnsupportedSyntax, fmt::format("kernel '{}': kernels take no *args", local_name(function)),
               function.at);
    emit(entry);
    return entry.result;
}

Operand Program::call(const syntax::Function& function, const std::vector<Operand>& arguments, Location at) {
    Specialisation& callee = specialise(function, arguments);
    require_no_runaway(callee, at);
    if (callee.is_kernel)
        e.fail(ErrorKind::Typing,
               fmt::format("'{}' is a kernel: kernels are launched from the host, not called from kernels; "
                           "make it a device function",
                           local_name(function)));
    try {
        if (e.dry()) {
            if (!callee.result) infer(callee);
        } else if (!callee.emitted) {
            emit(callee);
        }
    } catch (const Error& error) {
        throw Error(error.kind(), with_source(fmt::format("{}\nin device function {}({}), called at", error.what(),
                                                          local_name(function), argument_list(callee.arguments)),
                                              e.file(), at));
    }
    if (callee.result->is(Type::Kind::None) && e.dry()) return e.none();
    Operand result;
    result.type = callee.result;
    if (e.dry()) return result;
    std::vector<ir::Value*> values;
    for (const Operand& argument : arguments) append_values(e, argument, values);
    ir::Value* call = e.builder().call(callee.emitted, std::move(values));
    if (callee.result->is(Type::Kind::None)) return e.none();
    const int count = static_cast<int>(callee.emitted->results.size());
    for (int i = 0; i < count; ++i) result.parts.push_back(e.builder().result(call, i));
    return result;
}

Specialisation& Program::specialise(const syntax::Function& function, const std::vector<Operand>& arguments) {
    std::vector<TypePtr> types;
    std::vector<syntax::CapturedPtr> constants;
    for (const Operand& argument : arguments) {
        types.push_back(argument.type);
        constants.push_back(has_string(argument.type) || argument.type->is(Type::Kind::Closure) ? argument.constant
                                                                                                : nullptr);
    }
    auto [first, last] = by_id_.equal_range(function.id);
    for (auto it = first; it != last; ++it)
        if (it->second->arguments == types && same_values(it->second->constants, constants)) return *it->second;
    Specialisation& added = specialisations_.emplace_back();
    added.function = &function;
    added.arguments = std::move(types);
    added.constants = std::move(constants);
    by_id_.emplace(function.id, &added);
    return added;
}

void Program::require_no_runaway(const Specialisation& callee, Location at) const {
    const std::string name(local_name(*callee.function));
    if (active_.size() >= nesting_limit)
        e.fail(ErrorKind::Typing,
               fmt::format("calls nest more than {} deep with '{}': its argument types change with every "
                           "recursive call; convert them, so that they stay",
                           nesting_limit, name));
    if (callee.active && active_.back() != &callee)
        e.fail(ErrorKind::UnsupportedSyntax,
               fmt::format(
                   "'{}' and '{}' call each other: mutual recursion is not supported; write a loop, or one function "
                   "that calls itself",
                   name, local_name(*active_.back()->function)),
               at);
}

std::vector<Operand> Program::dry_arguments(const Specialisation& callee) const {
    std::vector<Operand> operands;
    for (std::size_t i = 0; i < callee.arguments.size(); ++i) {
        Operand operand;
        operand.type = callee.arguments[i];
        operand.constant = callee.constants[i];
        operands.push_back(std::move(operand));
    }
    return operands;
}

void Program::infer(Specialisation& callee) {
    if (callee.active) {
        // A recursive call met before any return that gives a type.
        if (callee.in_rounds) throw UnknownResult{};
        e.fail(ErrorKind::Typing,
               fmt::format("cannot find the result type of '{}', which calls itself through an argument",
                           local_name(*callee.function)));
    }
    if (scope(*callee.function).calls_itself) return infer_rounds(callee);
    const Elsewhere elsewhere(e, nullptr);
    const Activation activation(active_, callee);
    FunctionContext context;
    Body body(*this, context, *callee.function, dry_arguments(callee));
    body.run();
    callee.result = body.returns().empty() ? none_type() : result_type(e, *callee.function, body.returns());
}

/// Recursive functions: the paths that return without recursion give a first type, with which the others are typed.
void Program::infer_rounds(Specialisation& callee) {
    const Elsewhere elsewhere(e, nullptr);
    const Activation activation(active_, callee);
    callee.in_rounds = true;
    TypePtr before = nullptr;
    for (int round = 0;; ++round) {
        loops_.clear();
        FunctionContext context;
        Body body(*this, context, *callee.function, dry_arguments(callee));
        body.run();
        if (body.returns().empty())
            e.fail(ErrorKind::Typing,
                   fmt::format("cannot find the result type of the recursive function '{}': it needs a "
                               "return that does not depend on a call of itself",
                               local_name(*callee.function)),
                   callee.function->at);
        callee.result = result_type(e, *callee.function, body.returns());
        if (callee.result == before) break;
        before = callee.result;
        if (round == round_limit)
            e.fail(ErrorKind::Typing,
                   fmt::format("the result type of the recursive function '{}' does not settle",
                               local_name(*callee.function)),
                   callee.function->at);
    }
    loops_.clear();
    callee.in_rounds = false;
}

void Program::emit(Specialisation& callee) {
    const syntax::Function& function = *callee.function;
    const bool recursive = scope(function).calls_itself;
    if (callee.is_kernel && recursive)
        e.fail(ErrorKind::UnsupportedSyntax,
               fmt::format("kernel '{}' calls itself: a kernel cannot be called from a kernel", local_name(function)),
               function.at);
    if (recursive && !callee.result) infer(callee);

    ir::Function& emitted =
        *e.module().new_function(callee.symbol.empty() ? unique_symbol(function.name) : callee.symbol);
    emitted.display_name = function.name;
    emitted.is_kernel = callee.is_kernel;
    emitted.always_inline = function.force_inline && !recursive;
    emitted.recursive = recursive;
    emitted.at = function.at;
    emitted.file = e.file_index(function.file.get());
    ir::Builder builder(e.module(), emitted);
    const Elsewhere elsewhere(e, &builder);
    const Activation activation(active_, callee);
    e.set_position(function.file.get(), function.at);
    builder.set_block(emitted.new_block("entry"));
    std::vector<Operand> arguments;
    for (std::size_t i = 0; i < callee.arguments.size(); ++i) {
        arguments.push_back(add_parameters(e, emitted, function.parameters[i].name, callee.arguments[i]));
        if (callee.constants[i]) arguments.back().constant = callee.constants[i];
    }
    if (recursive) {
        callee.emitted = &emitted;
        emitted.results = parts_of(callee.result);
    }

    FunctionContext context;
    context.is_kernel = callee.is_kernel;
    Body body(*this, context, function, arguments);
    body.run();

    e.set_position(function.file.get(), function.at);
    if (callee.is_kernel) {
        callee.result = none_type();
        for (const Return& returned : body.returns()) {
            if (!returned.value.type->is(Type::Kind::None))
                e.fail(
                    ErrorKind::Typing,
                    fmt::format(
                        "No conversion from {} to none: kernel '{}' returns a value, but a CUDA kernel must have void "
                        "return type; store the result in an array argument",
                        to_string(returned.value.type), local_name(function)),
                    returned.at);
            builder.set_block(returned.block);
            builder.set_location(returned.at);
            builder.ret();
        }
        callee.emitted = &emitted;
        return;
    }
    if (!callee.result) callee.result = body.returns().empty() ? none_type() : result_type(e, function, body.returns());
    require_returnable(e, function, callee.result);
    emitted.results = parts_of(callee.result);
    for (const Return& returned : body.returns()) {
        builder.set_block(returned.block);
        e.set_position(function.file.get(), returned.at);
        builder.ret(convert(e, returned.value, callee.result).parts);
    }
    for (ir::Block* abandoned : context.abandoned) {
        builder.set_block(abandoned);
        std::vector<ir::Value*> zeros;
        for (ir::Type type : emitted.results) zeros.push_back(builder.constant_bits(type, 0));
        builder.ret(std::move(zeros));
    }
    callee.emitted = &emitted;
}

std::string Program::unique_symbol(const std::string& name) {
    std::string symbol;
    for (unsigned char c : name) symbol += std::isalnum(c) || c == '_' ? static_cast<char>(c) : '_';
    if (symbol.empty() || std::isdigit(static_cast<unsigned char>(symbol[0]))) symbol.insert(symbol.begin(), '_');
    const int number = symbols_[symbol]++;
    return number == 0 ? symbol : fmt::format("{}${}", symbol, number);
}

const Environment* Program::find_loop(const syntax::Stmt& loop, const Environment& entry) const {
    auto found = loops_.find(&loop);
    if (found == loops_.end()) return nullptr;
    for (const LoopTypes& types : found->second)
        if (std::equal(entry.begin(), entry.end(), types.entry.begin(), types.entry.end(), same_typing))
            return &types.head;
    return nullptr;
}

void Program::remember_loop(const syntax::Stmt& loop, Environment entry, Environment head) {
    loops_[&loop].push_back({std::move(entry), std::move(head)});
}

void Program::record_assignment(const SourceFile* file, std::uint32_t line, std::string_view name, TypePtr type) {
    assignments_.push_back({file, line, std::string(name), type});
}

std::string Program::typed_source(const syntax::Function& function) const {
    const SourceFile* file = function.file.get();
    if (!file) return {};
    std::string text;
    const std::uint32_t last = function.at.end_line
                                   ? function.at.end_line
                                   : file->first_line + static_cast<std::uint32_t>(file->lines.size()) - 1;
    for (std::uint32_t line = function.at.line; line <= last; ++line) {
        if (line < file->first_line || line - file->first_line >= file->lines.size()) continue;
        const std::string& source = file->lines[line - file->first_line];
        const std::string indent = source.substr(0, source.find_first_not_of(" \t"));
        std::vector<std::string> notes;
        for (const Assignment& assignment : assignments_) {
            if (assignment.file != file || assignment.line != line) continue;
            std::string note = fmt::format("{}# {} :: {}\n", indent, assignment.name, to_string(assignment.type));
            if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
        }
        for (const std::string& note : notes) text += note;
        text += fmt::format("{}\n", source);
    }
    return text;
}

}  // namespace lanewise::python
