// What there is to know about the host's processor: names, instruction set, number of usable cores.
#pragma once

#include <string>

namespace lanewise::cpu {

/// The processor's marketing name.
std::string host_model_name();
/// Code generator's target: "x86_64:+avx2,+fma,...", the architecture and, with LLVM's names, those features of this
/// processor that the operating system lets programs use. Just the architecture where they cannot be asked for.
std::string host_target();
/// Cores this process may use: affinity mask and control group quota; LANEWISE_CPU_THREADS overrides. At least 1.
int usable_cores();
/// Current clock in kHz and size of the last-level cache; 0 when unknown.
int host_clock_khz();
long host_cache_bytes();
/// Cycles of the processor's time stamp counter, or what comes closest.
unsigned long long cycle_counter();

}  // namespace lanewise::cpu
