#include "runtime/fork_handlers.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace lanewise {

namespace {

struct Entry {
    int id;
    ForkRank rank;
    ForkHandler handler;
};

struct Handlers {
    std::mutex mutex;
    std::vector<Entry> entries;  ///< ascending rank
    int next_id = 1;
};

/// Never destroyed: fork() may come after static destructors.
Handlers& handlers() {
    static Handlers* const all = new Handlers;
    return *all;
}

std::mutex first_uses[static_cast<int>(FirstUse::HostThreads) + 1];

void prepare() {
    for (std::mutex& mutex : first_uses) mutex.lock();
    handlers().mutex.lock();
    for (Entry& entry : handlers().entries) entry.handler.prepare();
}

void after(std::function<void()> ForkHandler::* side) {
    std::vector<Entry>& entries = handlers().entries;
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) (entry->handler.*side)();
    handlers().mutex.unlock();
    for (std::mutex& mutex : first_uses) mutex.unlock();
}

/// Before anything is made, so that a fork during the very first use waits as well.
[[maybe_unused]] const int registered =
    pthread_atfork(prepare, [] { after(&ForkHandler::parent); }, [] { after(&ForkHandler::child); });

}  // namespace

std::mutex& first_use_mutex(FirstUse what) {
    return first_uses[static_cast<int>(what)];
}

int add_fork_handler(ForkRank rank, ForkHandler handler) {
    Handlers& all = handlers();
    std::lock_guard lock(all.mutex);
    auto place = std::upper_bound(all.entries.begin(), all.entries.end(), rank,
                                  [](ForkRank r, const Entry& entry) { return r < entry.rank; });
    int id = all.next_id++;
    all.entries.insert(place, Entry{id, rank, std::move(handler)});
    return id;
}

void remove_fork_handler(int id) {
    Handlers& all = handlers();
    std::lock_guard lock(all.mutex);
    std::erase_if(all.entries, [&](const Entry& entry) { return entry.id == id; });
}

}  // namespace lanewise
