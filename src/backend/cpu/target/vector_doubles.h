// Vector forms of the C library's functions of double precision.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace lanewise::cpu {

/// Tells LLVM's vectoriser of vector forms that `define_vector_doubles` has to define: none for machines without fused
/// multiplication and addition, where the formulas are slower than the C library.
void add_vector_doubles(llvm::TargetLibraryInfoImpl& libraries, const llvm::TargetMachine& machine);
/// Remainders and scalings by powers of 2 become calls of fmod and ldexp, which have vector forms.
void call_double_functions(llvm::Module& module);
/// The bodies of the forms that the optimised module calls, inlined. Numbers for which the formulas do not hold (NaN,
/// what overflows, the ends of a domain) get what the C library gives.
void define_vector_doubles(llvm::Module& module);

}  // namespace lanewise::cpu
