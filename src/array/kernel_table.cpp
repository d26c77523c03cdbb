#include <cstring>
#include <unordered_map>

#include "array/engine.h"
#include "array/evaluation.h"
#include "array/launcher.h"
#include "jit/build.h"

namespace lanewise {

struct KernelTable::Impl {
    struct Hash {
        std::size_t operator()(const std::vector<std::uint32_t>& words) const {
            std::uint64_t hash = 0x9e3779b97f4a7c15ull ^ words.size();
            std::size_t i = 0;
            for (; i + 1 < words.size(); i += 2) {
                std::uint64_t word;
                std::memcpy(&word, &words[i], sizeof(word));
                hash = (hash ^ word) * 0xbf58476d1ce4e5b9ull;
                hash ^= hash >> 29;
            }
            if (i < words.size()) hash = (hash ^ words[i]) * 0xbf58476d1ce4e5b9ull;
            return hash ^ hash >> 32;
        }
    };
    std::unordered_map<std::vector<std::uint32_t>, std::shared_ptr<Kernel>, Hash> kernels;
    std::function<void(const ir::Module&)> watcher;
};

KernelTable::KernelTable() : impl_(std::make_unique<Impl>()) {}

KernelTable& KernelTable::instance() {
    // Never destroyed: the driver is gone before static destructors run.
    static auto* table = new KernelTable;
    return *table;
}

void KernelTable::watch(std::function<void(const ir::Module&)> watcher) {
    impl_->watcher = std::move(watcher);
}

void KernelTable::add_device(Device& device, std::vector<std::uint32_t>& key) {
    const auto address = reinterpret_cast<std::uintptr_t>(&device);
    key.push_back(static_cast<std::uint32_t>(address));
    key.push_back(static_cast<std::uint32_t>(address >> 32));
}

Kernel* KernelTable::find(const std::vector<std::uint32_t>& key) const {
    auto found = impl_->kernels.find(key);
    return found == impl_->kernels.end() ? nullptr : found->second.get();
}

Kernel& KernelTable::build(Device& device, const std::vector<std::uint32_t>& key, std::unique_ptr<ir::Module> module,
                           LaunchBounds bounds) {
    if (impl_->watcher) impl_->watcher(*module);
    if (evaluation) evaluation->host_lock.drop();
    // Contraction to fma would make the value of an expression depend on what it is computed together with.
    CompileOptions options;
    options.contract = false;
    options.max_threads_per_block = bounds.threads;
    options.min_blocks_per_multiprocessor = bounds.blocks;
    std::shared_ptr<Kernel> kernel =
        jit::build({*module, device, options, true}).module->kernel(module->functions.front()->name);
    if (bounds.shared_bytes > kernel->attribute(KernelAttribute::MaxDynamicSharedBytes))
        kernel->set_attribute(KernelAttribute::MaxDynamicSharedBytes, bounds.shared_bytes);
    engine::count_kernel();
    return *impl_->kernels.emplace(key, std::move(kernel)).first->second;
}

}  // namespace lanewise
