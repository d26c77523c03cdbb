#include "backend/cpu/host_threads.h"

#include "backend/cpu/host_cpu.h"

namespace lanewise::cpu {

HostThreads& host_threads() {
    static HostThreads* const threads = new HostThreads(usable_cores());
    return *threads;
}

}  // namespace lanewise::cpu
