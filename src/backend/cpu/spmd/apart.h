// Code for threads that do not keep together: each is a resumable function, run by Services::interleave.
#pragma once

#include "backend/cpu/spmd/regions.h"

namespace lanewise::cpu {

/// Fills `unit` as emit_regions does, for any control flow around any meetings.
void emit_threads_apart(const SlotFunction& unit, bool unit_has_slots, const SlotFunction& thread, Crew& crew);

}  // namespace lanewise::cpu
