// Handlers around fork(), so that locks and threads of the runtime are in a known state in the child.
#pragma once

#include <functional>

namespace lanewise {

/// Rank of a handler: `prepare` runs in ascending, `parent` and `child` in descending order. A lock of a lower rank may
/// be held while one of a higher rank is taken, never the other way round.
enum class ForkRank : int { Arrays = -1, Pool = 0, Device = 1, Queues = 2, Threads = 3 };

struct ForkHandler {
    std::function<void()> prepare;  ///< in the parent before fork: take the locks
    std::function<void()> parent;   ///< in the parent after fork: give them back
    std::function<void()> child;    ///< in the child after fork: give them back and forget threads that are gone
};

/// Lives to the end of the process or until the returned number is given to remove_fork_handler.
int add_fork_handler(ForkRank rank, ForkHandler handler);
void remove_fork_handler(int id);

}  // namespace lanewise
