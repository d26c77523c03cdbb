// Specialisations of a kernel: lookup table, one compile a signature, declared signatures.
#include "jit/kernel_function.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "jit/build.h"
#include "jit/dynamic_shared.h"
#include "jit/statistics.h"

namespace lanewise::jit {
namespace {

constexpr std::size_t first_table_size = 8;

/// Bytes of the packed parameters that a launch with these types writes.
std::size_t packed_bytes(std::span<const python::TypePtr> types) {
    std::size_t end = 0;
    for (python::TypePtr type : types)
        for (ir::Type part : python::parameters_of(type)) {
            std::size_t size = static_cast<std::size_t>(part.bytes());
            end = (end + size - 1) / size * size + size;
        }
    return end;
}

const ir::Function& kernel_of(const ir::Module& module) {
    for (const std::unique_ptr<ir::Function>& function : module.functions)
        if (function->is_kernel) return *function;
    throw Error(ErrorKind::Internal, fmt::format("module '{}' has no kernel", module.name));
}

}  // namespace

std::string describe(std::span<const python::TypePtr> types) {
    std::string text = "(";
    for (std::size_t i = 0; i < types.size(); ++i) text += (i ? ", " : "") + python::to_string(types[i]);
    return text + ")";
}

KernelFunction::KernelFunction(Settings settings) : settings_(std::move(settings)) {
    tables_.push_back(std::make_unique<Table>(first_table_size));
    table_ = tables_.back().get();
}

KernelFunction::~KernelFunction() = default;

KernelFunction::Match KernelFunction::find_or_compile(Device& device, std::span<const Code> codes,
                                                      const MakeSource& source) {
    std::uint64_t hash = hash_of(&device, codes);
    std::unique_lock lock(mutex_);
    auto same = [&](const InFlight& other) {
        return other.device == &device && std::ranges::equal(other.codes, codes) && other.process == ::getpid();
    };
    for (;;) {
        if (Match match = find(&device, hash, codes)) return match;
        if (frozen()) return match_declared(device, codes);
        if (std::ranges::none_of(in_flight_, same)) break;
        finished_.wait(lock);
    }
    in_flight_.push_back({&device, {codes.begin(), codes.end()}, ::getpid()});
    lock.unlock();

    std::shared_ptr<const Specialization> made;
    std::exception_ptr failure;
    try {
        made = compile(device, codes, source);
    } catch (...) {
        failure = std::current_exception();
    }

    lock.lock();
    std::erase_if(in_flight_, same);
    finished_.notify_all();
    if (failure) std::rethrow_exception(failure);
    auto entry = std::make_unique<Entry>(Entry{hash, &device, made->codes, {made.get(), nullptr}, made, nullptr});
    Match match = entry->match;
    specializations_.push_back(std::move(made));
    insert(std::move(entry));
    return match;
}

std::shared_ptr<const Specialization> KernelFunction::compile(Device& device, std::span<const Code> codes,
                                                              const MakeSource& make_source) const {
    auto made = std::make_shared<Specialization>();
    made->codes.assign(codes.begin(), codes.end());
    made->arguments = types_of(codes);
    made->device = &device;
    made->options = settings_.compiling;

    std::atomic<std::uint64_t> unused{0};
    ScopeTimer whole(unused);
    Source source = make_source();
    python::Lowered lowered;
    {
        ScopeTimer timer(statistics().lower_ns);
        lowered = python::lower({.function = *source.function,
                                 .arguments = made->arguments,
                                 .options = settings_.lowering,
                                 .is_kernel = true,
                                 .symbol = {}});
    }
    Built built =
        build({*lowered.module, device, settings_.compiling, settings_.use_disk_cache && !source.holds_addresses});

    made->kernel = built.module->kernel(kernel_of(*lowered.module).name);
    const EntryPoint& entry = made->kernel->entry();
    if (std::size_t expected = packed_bytes(made->arguments); entry.parameter_bytes != expected)
        throw Error(ErrorKind::Internal,
                    fmt::format("kernel '{}' takes {} bytes of parameters where a launch with {} packs {}",
                                settings_.name, entry.parameter_bytes, describe(made->arguments), expected));
    allow_dynamic_shared(*made->kernel, device);
    if (settings_.carveout >= 0)
        made->kernel->set_attribute(KernelAttribute::PreferredSharedCarveout, settings_.carveout);
    made->can_raise = entry.can_raise;
    made->from_disk = built.from_disk;
    made->warnings = std::move(lowered.warnings);
    const std::vector<std::string>& more = built.module->image().warnings;
    made->warnings.insert(made->warnings.end(), more.begin(), more.end());
    made->module = std::move(built.module);
    made->typed_source = std::move(lowered.typed_source);
    made->ir = std::move(lowered.module);
    made->milliseconds = static_cast<double>(whole.nanoseconds()) * 1e-6;
    return made;
}

KernelFunction::Match KernelFunction::match_declared(Device& device, std::span<const Code> codes) {
    const std::shared_ptr<const Specialization>* best = nullptr;
    std::unique_ptr<Repacking> best_repacking;
    bool any_here = false;
    for (const std::shared_ptr<const Specialization>& candidate : specializations_) {
        if (candidate->device != &device) continue;
        any_here = true;
        std::optional<Repacking> plan = Repacking::plan(codes, candidate->codes);
        if (!plan || (best && plan->cost() >= best_repacking->cost())) continue;
        best = &candidate;
        best_repacking = std::make_unique<Repacking>(std::move(*plan));
    }
    if (!best) {
        std::string declared;
        for (const std::shared_ptr<const Specialization>& candidate : specializations_)
            if (candidate->device == &device || !any_here)
                declared += fmt::format("\n  {} on {}", describe(candidate->arguments), candidate->device->name());
        throw Error(ErrorKind::Type, fmt::format("kernel '{}' has no declared signature for {} on {}; declared are:{}",
                                                 settings_.name, describe(types_of(codes)), device.name(), declared));
    }
    auto entry = std::make_unique<Entry>(Entry{hash_of(&device, codes),
                                               &device,
                                               {codes.begin(), codes.end()},
                                               {best->get(), best_repacking.get()},
                                               *best,
                                               nullptr});
    entry->repacking = std::move(best_repacking);
    Match match = entry->match;
    insert(std::move(entry));
    return match;
}

void KernelFunction::place(Table& table, const Entry* entry) {
    std::size_t i = entry->hash & table.mask;
    while (table.slots[i].load(std::memory_order_relaxed)) i = (i + 1) & table.mask;
    table.slots[i].store(entry, std::memory_order_release);
}

void KernelFunction::insert(std::unique_ptr<Entry> entry) {
    entries_.push_back(std::move(entry));
    Table* current = tables_.back().get();
    std::size_t live = entries_.size() - live_begin_;
    if (2 * live <= current->mask + 1) {
        place(*current, entries_.back().get());
        return;
    }
    auto larger = std::make_unique<Table>(2 * (current->mask + 1));
    for (std::size_t i = live_begin_; i < entries_.size(); ++i) place(*larger, entries_[i].get());
    tables_.push_back(std::move(larger));
    table_.store(tables_.back().get(), std::memory_order_release);
}

void KernelFunction::freeze() {
    frozen_ = true;
}

void KernelFunction::clear() {
    std::lock_guard lock(mutex_);
    frozen_ = false;
    live_begin_ = entries_.size();
    specializations_.clear();
    tables_.push_back(std::make_unique<Table>(first_table_size));
    table_.store(tables_.back().get(), std::memory_order_release);
}

std::vector<std::shared_ptr<const Specialization>> KernelFunction::specializations() const {
    std::lock_guard lock(mutex_);
    return specializations_;
}

}  // namespace lanewise::jit
