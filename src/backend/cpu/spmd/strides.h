// Grid-stride loops walked side by side.
#pragma once

#include "backend/cpu/spmd/thread.h"

namespace lanewise::cpu {

/// In `for i in range(grid(1), n, gridsize(1))` neighbouring threads read neighbouring elements, but each thread
/// strides far. Run one thread after the other, such a loop visits memory in steps of the whole grid. This puts a
/// meeting of the block's threads into each round of the loop: the rounds then become the outer loop and the threads
/// the inner one, which reads memory in order and vectorises.
///
/// Taken are loops without loops inside or around them that count up from a start depending on the thread by a step
/// that is the same for all threads and not a constant, as long as the counter is below a bound that is the same for
/// all. The counter is taken not to wrap: a loop whose counter does would hardly end. `thread` is simplified, and its
/// loops test at their head. A meeting changes nothing that a program without data races could see.
void walk_side_by_side(const SlotFunction& thread);

}  // namespace lanewise::cpu
