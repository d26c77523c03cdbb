// KernelFunction: a Python function as a kernel and its specialisations by argument types and device.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "codegen/compiler.h"
#include "frontend/python/frontend.h"
#include "jit/repacking.h"
#include "jit/signature.h"
#include "lanewise/device.h"

namespace lanewise::jit {

/// One kernel compiled for one list of argument types on one device. Immutable.
struct Specialization {
    std::vector<Code> codes;
    std::vector<python::TypePtr> arguments;
    Device* device = nullptr;
    std::shared_ptr<Module> module;
    std::shared_ptr<Kernel> kernel;
    bool can_raise = false;
    bool from_disk = false;
    double milliseconds = 0;  ///< lowering, compiling or reading, loading
    std::vector<std::string> warnings;
    std::string typed_source;
    std::shared_ptr<const ir::Module> ir;
    CompileOptions options;
};

class KernelFunction {
public:
    struct Settings {
        std::string name;
        python::Options lowering;
        CompileOptions compiling;
        bool use_disk_cache = true;
        int carveout = -1;  ///< preferred shared-memory carve-out in percent; -1: the device's choice
    };
    struct Source {
        syntax::FunctionPtr function;
        bool holds_addresses = false;  ///< of this process: nothing for the disk cache
    };
    /// Called once a compile, by the compiling thread, with no lock held.
    using MakeSource = std::function<Source()>;

    /// What runs for a signature; `repacking` is null when the arguments are passed as they are.
    struct Match {
        const Specialization* specialization = nullptr;
        const Repacking* repacking = nullptr;
        explicit operator bool() const { return specialization != nullptr; }
    };

    explicit KernelFunction(Settings settings);
    ~KernelFunction();

    const Settings& settings() const { return settings_; }

    /// Lock-free; `hash` is hash_of(device, codes). An empty Match when there is none yet. Matches stay valid as long
    /// as this object.
    Match find(const void* device, std::uint64_t hash, std::span<const Code> codes) const noexcept {
        const Table* table = table_.load(std::memory_order_acquire);
        for (std::size_t i = hash & table->mask;; i = (i + 1) & table->mask) {
            const Entry* entry = table->slots[i].load(std::memory_order_acquire);
            if (!entry) return {};
            if (entry->hash == hash && entry->device == device && entry->codes.size() == codes.size() &&
                std::equal(codes.begin(), codes.end(), entry->codes.begin()))
                return entry->match;
        }
    }
    /// Compiles when there is no match; one thread does, others that ask for the same wait. When frozen: the declared
    /// specialisation that fits best, or Error(Type) listing them.
    Match find_or_compile(Device& device, std::span<const Code> codes, const MakeSource& source);

    /// No more types are compiled.
    void freeze();
    bool frozen() const { return frozen_.load(std::memory_order_relaxed); }
    /// Forgets all specialisations (those in use stay valid) and thaws.
    void clear();
    /// In the order they were made.
    std::vector<std::shared_ptr<const Specialization>> specializations() const;

private:
    struct Entry {
        std::uint64_t hash;
        const void* device;
        std::vector<Code> codes;
        Match match;
        std::shared_ptr<const Specialization> owner;
        std::unique_ptr<Repacking> repacking;
    };
    /// Open addressing, at most half full. Slots are only ever filled; growth publishes a new table.
    struct Table {
        explicit Table(std::size_t size) : mask(size - 1), slots(new std::atomic<const Entry*>[size]()) {}
        std::size_t mask;
        std::unique_ptr<std::atomic<const Entry*>[]> slots;
    };
    struct InFlight {
        Device* device;
        std::vector<Code> codes;
        int process;  ///< after fork() nobody finishes the parent's compiles
    };

    std::shared_ptr<const Specialization> compile(Device& device, std::span<const Code> codes,
                                                  const MakeSource& source) const;
    void insert(std::unique_ptr<Entry> entry);
    Match match_declared(Device& device, std::span<const Code> codes);
    static void place(Table& table, const Entry* entry);

    Settings settings_;
    std::atomic<const Table*> table_;
    std::atomic<bool> frozen_{false};
    mutable std::mutex mutex_;
    std::condition_variable finished_;
    std::vector<InFlight> in_flight_;
    std::vector<std::unique_ptr<Table>> tables_;  ///< all ever published: readers may still look at old ones
    std::vector<std::unique_ptr<Entry>> entries_;
    std::size_t live_begin_ = 0;  ///< entries_ before this one were cleared
    std::vector<std::shared_ptr<const Specialization>> specializations_;
};

/// "(float32, array(float32, 1d, C))"
std::string describe(std::span<const python::TypePtr> types);

}  // namespace lanewise::jit
