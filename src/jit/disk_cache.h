// DiskCache: compiled images in files named by the hash of everything that decided them. Safe for several processes and
// threads; whatever goes wrong is a miss and a line in the log.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "lanewise/image.h"

namespace lanewise::jit {

class DiskCache {
public:
    struct Settings {
        std::string folder;
        std::uint64_t limit_bytes = std::uint64_t(1) << 30;
        bool enabled = true;
        /// LANEWISE_CACHE_DIR (or lanewise below XDG_CACHE_HOME or ~/.cache), LANEWISE_CACHE_SIZE ("512M"),
        /// LANEWISE_CACHE.
        static Settings from_environment();
    };

    explicit DiskCache(Settings settings);
    /// The one of the process. LANEWISE_* are read on the first call.
    static DiskCache& instance();

    const Settings& settings() const { return settings_; }

    /// None when there is no entry or it is damaged; a damaged one is removed.
    std::optional<Image> find(const std::string& key);
    /// Atomic: readers see the whole entry or none. Removes the entries used longest ago beyond the limit.
    void store(const std::string& key, const Image& image);

    struct Usage {
        std::uint64_t bytes = 0, entries = 0;
    };
    Usage usage() const;
    /// Removes all entries; returns the bytes freed.
    std::uint64_t clear();

private:
    std::string path_of(const std::string& key) const;
    void stop_storing(const std::string& reason);
    void evict_if_needed(std::uint64_t added);

    Settings settings_;
    std::atomic<bool> can_store_{true};
    std::mutex eviction_mutex_;
    /// Bytes in the folder as far as this process knows; none until it has counted.
    std::optional<std::uint64_t> known_bytes_;
};

/// "1073741824", "512M", "2G": Error(Value) for anything else.
std::uint64_t parse_size(const std::string& text);

}  // namespace lanewise::jit
