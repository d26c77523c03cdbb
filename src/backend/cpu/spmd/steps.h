// Loops that the threads of a block walk in step.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// In `for k in range(n): total += a[k] * x[k, i]` the sum of one thread is a chain of floating-point additions whose
/// order must stand: run one thread after the other, such a loop goes at the speed of the chain. This puts a meeting of
/// the block's threads into each round: the rounds then become the outer loop and the threads the inner one, which has
/// no chain and vectorises.
///
/// Taken are innermost loops whose rounds are as many for all threads, that carry a floating-point value which differs
/// by thread, write nothing, and read where all threads read the same or neighbours read neighbouring elements; and
/// only where all threads that have not ended walk them. `thread` is simplified. A meeting changes nothing that a
/// program without data races could see.
void walk_in_step(const SlotFunction& thread);

}  // namespace lanewise::cpu
