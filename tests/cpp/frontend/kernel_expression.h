// A function of scalars built through the rules: tests give a body, read its type, and evaluate it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontend/python/builtins.h"

namespace lanewise::testing {

using Body = std::function<python::Operand(python::Emitter&, const std::vector<python::Operand>&)>;

/// The type `body` gives in a dry run; Error(Typing) where it refuses.
python::TypePtr type_of(const std::vector<DType>& parameters, const Body& body, const python::Options& options = {});

/// `body` emitted as a function of its parameters and run through the passes.
class Expression {
public:
    Expression(const std::vector<DType>& parameters, const Body& body, const python::Options& options = {});
    const python::Operand& result() const { return result_; }
    const std::vector<std::string>& warnings() const { return warnings_; }
    std::vector<std::uint64_t> operator()(const std::vector<std::uint64_t>& arguments) const;
    std::string text() const;
    /// The Python classes of the errors it may raise.
    std::vector<std::string> raises() const;

private:
    ir::Module module_;
    ir::Function* function_ = nullptr;
    python::Operand result_;
    std::vector<std::string> warnings_;
};

/// Calls the builtin; the keywords' names and values.
python::Operand call(python::Emitter& e, const std::string& name, std::vector<python::Operand> arguments,
                     std::vector<std::pair<std::string, python::Operand>> keywords = {});

/// The call of a builtin on the parameters.
Body function(const std::string& name);
/// The type that such a call gives.
std::string type_name(const std::string& name, const std::vector<DType>& parameters);
/// The text of the typing error by which `body` is refused.
std::string refusal(const std::vector<DType>& parameters, const Body& body);

/// Operands that a source would write as literals.
python::Operand literal(python::Emitter& e, std::int64_t value);
python::Operand literal(python::Emitter& e, double value);
python::Operand literal(python::Emitter& e, bool value);
python::Operand text(python::Emitter& e, const std::string& value);
python::Operand dtype(python::Emitter& e, DType value);

}  // namespace lanewise::testing
