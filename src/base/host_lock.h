// HostLock: a lock that callers of the core hold (Python's GIL), which others need while a thread takes long.
#pragma once

namespace lanewise {

struct HostLock {
    /// Gives the lock up; null when the thread does not hold it.
    void* (*drop)() = nullptr;
    /// Takes it again, with what drop() gave.
    void (*take)(void* dropped) = nullptr;
};
/// Once, before other threads use the core.
void set_host_lock(const HostLock& lock);

/// Gives the lock up when asked to, and takes it again at the end of its life. A thread must hold no lock then that
/// others wait for with the host lock.
class HostLockDrop {
public:
    HostLockDrop() = default;
    ~HostLockDrop();
    HostLockDrop(const HostLockDrop&) = delete;
    HostLockDrop& operator=(const HostLockDrop&) = delete;

    void drop();

private:
    void* dropped_ = nullptr;
};

}  // namespace lanewise
