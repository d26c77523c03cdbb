#include "backend/cpu/interleave.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "backend/cpu/abi.h"

namespace lanewise::cpu {
namespace {

/// The lanes of one warp.
class Warp {
public:
    explicit Warp(std::span<ThreadRecord> lanes) : lanes_(lanes) {}

    /// Ends every meeting whose members have all arrived; whether there was one.
    bool settle() {
        bool any = false;
        for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
            if (!waits_in_warp(lane) || lanes_[lane].mask == 0) continue;
            const std::uint32_t members = lanes_[lane].mask & running();
            if (all_arrived(members | bit(lane), lanes_[lane])) {
                finish(members | bit(lane));
                any = true;
            }
        }
        return any || settle_together();
    }

private:
    static std::uint32_t bit(std::uint32_t lane) { return 1u << lane; }
    bool waits_in_warp(std::uint32_t lane) const { return lanes_[lane].waits && is_warp_sync(lanes_[lane].kind); }

    template <typename Predicate>
    std::uint32_t lanes_where(Predicate predicate) const {
        std::uint32_t result = 0;
        for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
            if (predicate(lanes_[lane])) result |= bit(lane);
        }
        return result;
    }

    template <typename Action>
    void for_each(std::uint32_t lanes, Action action) {
        for (; lanes; lanes &= lanes - 1) action(static_cast<std::uint32_t>(std::countr_zero(lanes)));
    }

    std::uint32_t running() const {
        return lanes_where([](const ThreadRecord& record) { return record.state != ThreadRecord::ended; });
    }

    bool all_arrived(std::uint32_t members, const ThreadRecord& model) const {
        const std::uint32_t arrived = lanes_where([&](const ThreadRecord& record) {
            if (!record.waits || record.kind != model.kind || record.mask != model.mask) return false;
            return record.state == model.state || model.kind == SyncKind::WarpSync;
        });
        return (members & ~arrived) == 0;
    }

    /// Operations without a mask: once nothing else moves, the lanes that wait at the same place go on together. The
    /// place that comes first in the code goes first, so that lanes meet again behind a branch.
    bool settle_together() {
        std::uint32_t place = ThreadRecord::ended;
        for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
            if (waits_in_warp(lane) && lanes_[lane].mask == 0) place = std::min(place, lanes_[lane].state);
        }
        if (place == ThreadRecord::ended) return false;
        finish(lanes_where([&](const ThreadRecord& record) { return record.waits && record.state == place; }));
        return true;
    }

    void finish(std::uint32_t members) {
        const SyncKind kind = lanes_[static_cast<std::uint32_t>(std::countr_zero(members))].kind;
        std::uint64_t results[warp_size] = {};
        std::uint32_t predicates[warp_size] = {};
        for_each(members, [&](std::uint32_t lane) {
            if (is_shuffle(kind))
                shuffle(members, lane, results[lane], predicates[lane]);
            else if (kind >= SyncKind::ReduceAdd)
                results[lane] = reduce(kind, members);
            else
                combine(kind, members, lane, results[lane], predicates[lane]);
        });
        for_each(members, [&](std::uint32_t lane) {
            lanes_[lane].result = results[lane];
            lanes_[lane].predicate = predicates[lane];
            lanes_[lane].waits = 0;
        });
    }

    /// PTX shfl: operand b is `lane`, operand c `clamp`.
    void shuffle(std::uint32_t members, std::uint32_t lane, std::uint64_t& result, std::uint32_t& predicate) const {
        const ThreadRecord& record = lanes_[lane];
        const std::uint32_t segment = record.clamp >> 8 & 31;
        const std::uint32_t operand = record.lane & 31;
        const auto limit = static_cast<std::int32_t>((lane & segment) | (record.clamp & 31 & ~segment));
        const auto self = static_cast<std::int32_t>(lane);
        std::int32_t source = 0;
        bool in_range = false;
        switch (record.kind) {
            case SyncKind::ShuffleUp:
                source = self - static_cast<std::int32_t>(operand);
                in_range = source >= limit;
                break;
            case SyncKind::ShuffleDown:
                source = self + static_cast<std::int32_t>(operand);
                in_range = source <= limit;
                break;
            case SyncKind::ShuffleXor:
                source = self ^ static_cast<std::int32_t>(operand);
                in_range = source <= limit;
                break;
            default:
                source = static_cast<std::int32_t>((lane & segment) | (operand & ~segment));
                in_range = source <= limit;
                break;
        }
        predicate = in_range;
        const bool readable = in_range && (members >> source & 1);
        result = lanes_[readable ? static_cast<std::uint32_t>(source) : lane].value;
    }

    void combine(SyncKind kind, std::uint32_t members, std::uint32_t lane, std::uint64_t& result,
                 std::uint32_t& predicate) const {
        const std::uint32_t yes = members & lanes_where([](const ThreadRecord& record) { return record.value != 0; });
        const std::uint64_t value = lanes_[lane].value;
        const std::uint32_t same =
            members & lanes_where([&](const ThreadRecord& record) { return record.value == value; });
        switch (kind) {
            case SyncKind::VoteAll:
                result = yes == members;
                break;
            case SyncKind::VoteAny:
                result = yes != 0;
                break;
            case SyncKind::VoteEqual:
                result = yes == members || yes == 0;
                break;
            case SyncKind::Ballot:
                result = yes;
                break;
            case SyncKind::ActiveMask:
                result = members;
                break;
            case SyncKind::MatchAny:
                result = same;
                break;
            case SyncKind::MatchAll:
                predicate = same == members;
                result = predicate ? members : 0;
                break;
            default:
                break;
        }
    }

    std::uint32_t reduce(SyncKind kind, std::uint32_t members) {
        auto total = static_cast<std::uint32_t>(lanes_[static_cast<std::uint32_t>(std::countr_zero(members))].value);
        for_each(members & (members - 1), [&](std::uint32_t lane) {
            const auto value = static_cast<std::uint32_t>(lanes_[lane].value);
            const auto as_signed = static_cast<std::int32_t>(value);
            switch (kind) {
                case SyncKind::ReduceAdd:
                    total += value;
                    break;
                case SyncKind::ReduceMin:
                    total = static_cast<std::uint32_t>(std::min(static_cast<std::int32_t>(total), as_signed));
                    break;
                case SyncKind::ReduceMax:
                    total = static_cast<std::uint32_t>(std::max(static_cast<std::int32_t>(total), as_signed));
                    break;
                case SyncKind::ReduceUnsignedMin:
                    total = std::min(total, value);
                    break;
                case SyncKind::ReduceUnsignedMax:
                    total = std::max(total, value);
                    break;
                case SyncKind::ReduceAnd:
                    total &= value;
                    break;
                case SyncKind::ReduceOr:
                    total |= value;
                    break;
                default:
                    total ^= value;
                    break;
            }
        });
        return total;
    }

    std::span<ThreadRecord> lanes_;
};

bool has_ended(const ThreadRecord& record) {
    return record.state == ThreadRecord::ended;
}

bool is_at_full_barrier(const ThreadRecord& record) {
    return record.waits && record.kind >= SyncKind::Barrier && record.kind <= SyncKind::BarrierOr;
}

/// Barriers of all threads; whether that was what they waited for.
bool finish_full_barrier(std::span<ThreadRecord> records) {
    const auto waiting = std::ranges::count_if(records, is_at_full_barrier);
    const auto running = std::ranges::count_if(records, [](const ThreadRecord& r) { return !has_ended(r); });
    if (waiting == 0 || waiting != running) return false;
    const auto yes =
        std::ranges::count_if(records, [](const ThreadRecord& r) { return is_at_full_barrier(r) && r.value != 0; });
    for (ThreadRecord& record : records) {
        if (!is_at_full_barrier(record)) continue;
        record.result = record.kind == SyncKind::BarrierCount ? static_cast<std::uint64_t>(yes)
                        : record.kind == SyncKind::BarrierAnd ? yes == waiting
                                                              : yes != 0;
        record.waits = 0;
    }
    return true;
}

/// Named barriers, with the threads that have arrived without waiting.
class PartialBarriers {
public:
    /// Lets go on who has arrived, and who waits where enough have; whether there was anybody.
    bool settle(std::span<ThreadRecord> records) {
        bool any = false;
        for (ThreadRecord& record : records) {
            if (!record.waits || record.kind != SyncKind::PartialArrive) continue;
            ++arrived_[name_of(record)];
            record.waits = 0;
            any = true;
        }
        for (const ThreadRecord& first : records) {
            if (!first.waits || first.kind != SyncKind::PartialBarrier) continue;
            const std::uint32_t name = name_of(first);
            const auto is_there = [&](const ThreadRecord& r) {
                return r.waits && r.kind == SyncKind::PartialBarrier && name_of(r) == name;
            };
            if (std::ranges::count_if(records, is_there) + arrived_[name] < static_cast<std::ptrdiff_t>(first.clamp)) {
                continue;
            }
            for (ThreadRecord& record : records) {
                if (is_there(record)) record.waits = 0;
            }
            arrived_[name] = 0;
            any = true;
        }
        return any;
    }

private:
    static constexpr std::uint32_t names = 16;
    static std::uint32_t name_of(const ThreadRecord& record) { return record.lane % names; }

    std::array<std::ptrdiff_t, names> arrived_{};
};

bool resume_yielding(std::span<ThreadRecord> records) {
    bool any = false;
    for (ThreadRecord& record : records) {
        if (!record.waits || record.kind != SyncKind::Yield) continue;
        record.waits = 0;
        any = true;
    }
    return any;
}

}  // namespace

void interleave(const Launch* launch, void (*resume)(void* frame, std::uint32_t thread), void* frame,
                ThreadRecord* records, std::uint32_t count) {
    const std::span all(records, count);
    for (ThreadRecord& record : all) record = {};
    PartialBarriers partial_barriers;
    for (;;) {
        bool moved = false;
        for (std::uint32_t first = 0; first < count; first += warp_size) {
            const std::span lanes = all.subspan(first, std::min(warp_size, count - first));
            do {
                for (std::uint32_t i = 0; i < lanes.size(); ++i) {
                    if (has_ended(lanes[i]) || lanes[i].waits) continue;
                    lanes[i].waits = 1;
                    resume(frame, first + i);
                    if (has_ended(lanes[i])) lanes[i].waits = 0;
                    moved = true;
                }
            } while (Warp(lanes).settle());
        }
        if (std::ranges::all_of(all, has_ended)) return;
        if (finish_full_barrier(all) || partial_barriers.settle(all) || resume_yielding(all)) continue;
        const bool at_grid_barrier = std::ranges::all_of(all, [](const ThreadRecord& record) {
            return has_ended(record) || (record.waits && record.kind == SyncKind::GridBarrier);
        });
        if (at_grid_barrier) {
            if (!launch->services->grid_sync(launch)) return;
            for (ThreadRecord& record : all) record.waits = 0;
            continue;
        }
        if (moved) continue;
        const auto stuck = std::ranges::find_if(all, [](const ThreadRecord& record) { return record.waits != 0; });
        launch->services->barrier_mismatch(const_cast<Launch*>(launch), stuck->line);
        return;
    }
}

}  // namespace lanewise::cpu
