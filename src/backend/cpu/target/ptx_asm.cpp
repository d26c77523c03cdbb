#include "backend/cpu/target/ptx_asm.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InlineAsm.h>

#include "backend/cpu/target/ptx_code.h"
#include "backend/cpu/target/ptx_rows.h"

namespace lanewise::cpu {
namespace ptx {
namespace {

/// What follows the message: "" when nothing is known. There may be fewer places than lines, for a template whose lines
/// the front end cannot tell apart.
std::string place_of(const llvm::CallBase& assembly, unsigned line) {
    if (const llvm::MDNode* places = assembly.getMetadata("lanewise.places"); places && places->getNumOperands() > 0) {
        const unsigned which = line < places->getNumOperands() ? line : 0;
        return llvm::cast<llvm::MDString>(places->getOperand(which))->getString().str();
    }
    const llvm::DebugLoc& location = assembly.getDebugLoc();
    if (!location) return {};
    return fmt::format("\n  {}:{}", location->getFilename().str(), location.getLine());
}

std::string message_of(const llvm::CallBase& assembly, const std::string& instruction, const std::string& why) {
    const auto* code = llvm::cast<llvm::InlineAsm>(assembly.getCalledOperand());
    const std::string what = instruction.empty() ? code->getAsmString() : instruction;
    return fmt::format("'{}' cannot run the inline PTX \"{}\" on the cpu device: {}",
                       llvm::demangle(assembly.getFunction()->getName()), what, why);
}

const llvm::StringMap<void (*)(Code&)>& instructions() {
    static const auto table = [] {
        llvm::StringMap<void (*)(Code&)> all;
        for (const llvm::ArrayRef<Row> rows :
             {arithmetic_rows(), float_rows(), bit_rows(), choice_rows(), memory_rows(), thread_rows()}) {
            for (const Row& row : rows) all[row.name] = row.emit;
        }
        return all;
    }();
    return table;
}

/// Why an opcode has no row.
std::string absence(llvm::StringRef opcode) {
    if (opcode == "bra" || opcode == "brx" || opcode == "call" || opcode == "ret") {
        return "branches and calls inside inline PTX are not supported; write the control flow in C++";
    }
    if (opcode == "mma" || opcode == "wmma" || opcode == "wgmma" || opcode == "ldmatrix" || opcode == "stmatrix" ||
        opcode == "tcgen05") {
        return "tensor-core instructions have no counterpart there; guard them by the device, or use a plain loop";
    }
    if (opcode == "tex" || opcode == "tld4" || opcode == "suld" || opcode == "sust" || opcode == "txq") {
        return "textures and surfaces are not supported; read global memory";
    }
    return fmt::format("there is no translation of '{}'", opcode.str());
}

llvm::Value* translate(llvm::CallInst& call, llvm::function_ref<llvm::Value*()> carry) {
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    Code code(call, carry);
    std::vector<Statement> statements;
    try {
        statements = parse(assembly->getAsmString());
    } catch (const SyntaxProblem& problem) {
        code.refuse(problem.what, problem.line);
    }
    for (const Statement& statement : statements) {
        if (const auto* declaration = std::get_if<Declaration>(&statement)) {
            code.declare(*declaration);
        } else if (const auto* scope = std::get_if<Scope>(&statement)) {
            *scope == Scope::Begin ? code.begin_scope() : code.end_scope();
        } else {
            const auto& instruction = std::get<Instruction>(statement);
            const auto found = instructions().find(instruction.opcode.front());
            code.emit(instruction, [&](Code& at_hand) {
                if (found == instructions().end()) at_hand.refuse(absence(instruction.opcode.front()));
                found->second(at_hand);
            });
        }
    }
    return code.result();
}

}  // namespace

Error assembly_error(const llvm::CallBase& assembly, const std::string& instruction, const std::string& why,
                     unsigned line) {
    return Error(ErrorKind::Lowering, message_of(assembly, instruction, why) + place_of(assembly, line));
}

const llvm::StringMap<SpecialRegister>& special_registers() {
    static const auto table = [] {
        llvm::StringMap<SpecialRegister> all;
        for (const char* base :
             {"tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"}) {
            for (const char dimension : {'x', 'y', 'z'}) all[std::string(base) + "." + dimension] = {};
        }
        for (const char* name : {"laneid", "warpid", "nwarpid", "smid", "nsmid", "lanemask_eq", "lanemask_le",
                                 "lanemask_lt", "lanemask_ge", "lanemask_gt", "dynamic_smem_size", "total_smem_size",
                                 "aggr_smem_size", "cluster_ctarank", "cluster_nctarank"}) {
            all[name] = {};
        }
        all["gridid"] = {64};
        for (const char* name : {"clock", "clock_hi", "globaltimer_lo", "globaltimer_hi"}) all[name] = {32, true};
        for (const char* name : {"clock64", "globaltimer"}) all[name] = {64, true};
        all["is_explicit_cluster"] = {1};
        return all;
    }();
    return table;
}

}  // namespace ptx

void expand_inline_ptx(llvm::Module& module) {
    for (llvm::Function& function : module) {
        llvm::SmallVector<llvm::CallInst*> statements;
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            if (const auto* jump = llvm::dyn_cast<llvm::CallBrInst>(&instruction)) {
                throw ptx::assembly_error(*jump, "", "assembly with jumps to labels of the program is not supported",
                                          0);
            }
            auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            if (call && call->isInlineAsm()) statements.push_back(call);
        }
        llvm::AllocaInst* carry = nullptr;
        const auto carry_register = [&]() -> llvm::Value* {
            if (!carry) {
                llvm::IRBuilder<> builder(&*function.getEntryBlock().begin());
                carry = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "carry");
                builder.CreateStore(builder.getFalse(), carry);
            }
            return carry;
        };
        for (llvm::CallInst* call : statements) {
            llvm::Value* result = ptx::translate(*call, carry_register);
            if (result) call->replaceAllUsesWith(result);
            call->eraseFromParent();
        }
    }
}

}  // namespace lanewise::cpu
