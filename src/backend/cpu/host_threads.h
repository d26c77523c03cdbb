// The process's threads for the cpu device.
#pragma once

#include "backend/cpu/elastic_threads.h"
#include "backend/cpu/worker_pool.h"

namespace lanewise::cpu {

struct HostThreads {
    explicit HostThreads(int cores) : workers(cores) {}
    WorkerPool workers;
    ElasticThreads elastic;
};

/// Never destroyed: threads may be at work when the process exits.
HostThreads& host_threads();

}  // namespace lanewise::cpu
