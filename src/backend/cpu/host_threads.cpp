#include "backend/cpu/host_threads.h"

#include "backend/cpu/host_cpu.h"
#include "runtime/fork_handlers.h"

namespace lanewise::cpu {

HostThreads& host_threads() {
    static MadeAtFirstUse<HostThreads, FirstUse::HostThreads> threads;
    return threads.get([] { return new HostThreads(usable_cores()); });
}

}  // namespace lanewise::cpu
