#include "base/host_lock.h"

namespace lanewise {
namespace {
HostLock host_lock;
}

void set_host_lock(const HostLock& lock) {
    host_lock = lock;
}

void HostLockDrop::drop() {
    if (!dropped_ && host_lock.drop) dropped_ = host_lock.drop();
}

HostLockDrop::~HostLockDrop() {
    if (dropped_) host_lock.take(dropped_);
}

}  // namespace lanewise
