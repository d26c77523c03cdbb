// The text of inline PTX taken apart: statements, instructions, operands.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace lanewise::cpu::ptx {

struct Operand {
    enum class Kind : std::uint8_t {
        Name,     ///< a register ("$0" and so on are the statement's operands), special register or symbol
        Integer,  ///< `bits`
        Float,    ///< `bits` of an IEEE number of `float_bits` bits
        Address,  ///< [parts[0] + offset]
        Vector,   ///< {parts...}
        Pair,     ///< parts[0] | parts[1]
        Sink,     ///< _
    };
    Kind kind = Kind::Sink;
    std::string name;
    bool negated = false;  ///< !p
    std::uint64_t bits = 0;
    unsigned float_bits = 0;
    std::int64_t offset = 0;
    std::vector<Operand> parts;
};

struct Instruction {
    std::string guard;  ///< the predicate of @p; "": none
    bool guard_negated = false;
    std::vector<std::string> opcode;  ///< "add.s32" is {"add", "s32"}
    std::vector<Operand> operands;
    std::string text;   ///< without the guard, as written
    unsigned line = 0;  ///< of the template, from 0
};

/// .reg .u32 a, b;
struct Declaration {
    std::string type;  ///< "u32"
    std::vector<std::string> names;
    unsigned line = 0;
};

enum class Scope : std::uint8_t { Begin, End };

using Statement = std::variant<Instruction, Declaration, Scope>;

struct SyntaxProblem {
    std::string what;
    unsigned line = 0;
};

/// `text` is the template of an LLVM inline assembly statement. Throws SyntaxProblem.
std::vector<Statement> parse(llvm::StringRef text);

}  // namespace lanewise::cpu::ptx
