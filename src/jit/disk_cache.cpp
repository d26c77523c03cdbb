// The disk cache's files: lookup with checksum, atomic store, eviction by time of last use.
#include "jit/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/env.h"
#include "base/hash.h"
#include "base/log.h"
#include "jit/statistics.h"

namespace lanewise::jit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".lwk";
constexpr std::string_view temporary_prefix = "tmp-";
constexpr std::time_t stale_temporary_seconds = 3600;
/// A hit renews an entry's time of use at most this often.
constexpr std::time_t touch_interval_seconds = 60;

struct Header {
    char magic[8];
    std::uint64_t payload_bytes;
    char checksum[32];
};
constexpr char expected_magic[8] = {'L', 'W', 'K', 'E', 'R', 'N', '0', '1'};

class File {
public:
    File(const std::string& path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    explicit operator bool() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }

    bool write_all(const void* data, std::size_t bytes) {
        const char* at = static_cast<const char*>(data);
        while (bytes > 0) {
            ssize_t written = ::write(descriptor_, at, bytes);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return false;
            at += written;
            bytes -= static_cast<std::size_t>(written);
        }
        return true;
    }
    bool read_all(void* data, std::size_t bytes) {
        char* at = static_cast<char*>(data);
        while (bytes > 0) {
            ssize_t got = ::read(descriptor_, at, bytes);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return false;
            at += got;
            bytes -= static_cast<std::size_t>(got);
        }
        return true;
    }

private:
    int descriptor_;
};

std::string checksum(const std::uint8_t* data, std::size_t bytes) {
    return hash128({reinterpret_cast<const char*>(data), bytes});
}

std::string default_folder() {
    if (std::optional<std::string> folder = env::text("LANEWISE_CACHE_DIR")) return *folder;
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && cache[0] == '/')
        return std::string(cache) + "/lanewise";
    if (const char* home = std::getenv("HOME"); home && *home) return std::string(home) + "/.cache/lanewise";
    return {};
}

struct Entry {
    std::string path;
    std::uint64_t bytes;
    std::int64_t used_ns;
};

/// All entries; files of writers that died are removed on the way.
std::vector<Entry> list_entries(const std::string& folder) {
    std::vector<Entry> entries;
    std::error_code error;
    for (auto it = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
         !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
        struct stat status{};
        std::string name = it->path().filename().string();
        if (::lstat(it->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
        if (name.starts_with(temporary_prefix)) {
            if (std::time(nullptr) - status.st_mtime > stale_temporary_seconds) ::unlink(it->path().c_str());
        } else if (name.ends_with(suffix)) {
            entries.push_back({it->path().string(), static_cast<std::uint64_t>(status.st_size),
                               std::int64_t(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec});
        }
    }
    return entries;
}

}  // namespace

std::uint64_t parse_size(const std::string& text) {
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest != text.data()) {
        int shift = 0;
        if (rest != end) {
            switch (*rest++) {
                case 'k':
                case 'K':
                    shift = 10;
                    break;
                case 'm':
                case 'M':
                    shift = 20;
                    break;
                case 'g':
                case 'G':
                    shift = 30;
                    break;
                case 't':
                case 'T':
                    shift = 40;
                    break;
                default:
                    shift = -1;
            }
            if (rest != end && (*rest == 'b' || *rest == 'B')) ++rest;
        }
        if (shift >= 0 && rest == end && value <= (~std::uint64_t(0) >> shift)) return value << shift;
    }
    throw Error(ErrorKind::Value, fmt::format("'{}' is no size: give bytes, or a number with K, M, G or T", text));
}

DiskCache::Settings DiskCache::Settings::from_environment() {
    Settings settings;
    settings.folder = default_folder();
    settings.enabled = env::flag("LANEWISE_CACHE", true) && !settings.folder.empty();
    if (std::optional<std::string> size = env::text("LANEWISE_CACHE_SIZE")) settings.limit_bytes = parse_size(*size);
    return settings;
}

DiskCache::DiskCache(Settings settings) : settings_(std::move(settings)) {}

DiskCache& DiskCache::instance() {
    // Never destroyed: threads may still compile while the process exits.
    static DiskCache* cache = new DiskCache(Settings::from_environment());
    return *cache;
}

std::string DiskCache::path_of(const std::string& key) const {
    return fmt::format("{}/{}/{}{}", settings_.folder, key.substr(0, 2), key, suffix);
}

std::optional<Image> DiskCache::find(const std::string& key) {
    if (!settings_.enabled) return std::nullopt;
    std::string path = path_of(key);
    File file(path, O_RDONLY);
    struct stat status{};
    if (!file || ::fstat(file.descriptor(), &status) != 0) {
        ++statistics().disk_misses;
        return std::nullopt;
    }
    try {
        Header header{};
        if (!file.read_all(&header, sizeof header) ||
            std::memcmp(header.magic, expected_magic, sizeof expected_magic) != 0)
            throw Error(ErrorKind::Value, "it does not begin as an entry does");
        if (header.payload_bytes + sizeof header != static_cast<std::uint64_t>(status.st_size))
            throw Error(ErrorKind::Value, fmt::format("it has {} bytes where its header says {}", status.st_size,
                                                      header.payload_bytes + sizeof header));
        std::vector<std::uint8_t> payload(header.payload_bytes);
        if (!file.read_all(payload.data(), payload.size())) throw Error(ErrorKind::Value, "it ends early");
        if (checksum(payload.data(), payload.size()) != std::string_view(header.checksum, sizeof header.checksum))
            throw Error(ErrorKind::Value, "its checksum is wrong");
        Image image = deserialize_image(payload.data(), payload.size());
        if (std::time(nullptr) - status.st_mtime > touch_interval_seconds) ::futimens(file.descriptor(), nullptr);
        ++statistics().disk_hits;
        return image;
    } catch (const Error& error) {
        ++statistics().corrupt_entries;
        ++statistics().disk_misses;
        log(LogLevel::Warning,
            [&] { return fmt::format("disk cache: entry '{}' is not usable: {}", path, error.what()); });
        ::unlink(path.c_str());
        return std::nullopt;
    }
}

void DiskCache::store(const std::string& key, const Image& image) {
    if (!settings_.enabled || !can_store_.load(std::memory_order_relaxed)) return;
    std::vector<std::uint8_t> payload = serialize(image);
    if (payload.size() + sizeof(Header) > settings_.limit_bytes) return;
    Header header{};
    std::memcpy(header.magic, expected_magic, sizeof expected_magic);
    header.payload_bytes = payload.size();
    std::memcpy(header.checksum, checksum(payload.data(), payload.size()).data(), sizeof header.checksum);

    std::string path = path_of(key);
    std::string folder = path.substr(0, path.rfind('/'));
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return stop_storing(fmt::format("cannot create '{}': {}", folder, error.message()));
    static std::atomic<std::uint64_t> counter{0};
    std::string temporary = fmt::format("{}/{}{}-{}-{}", folder, temporary_prefix, key, ::getpid(), ++counter);
    {
        File file(temporary, O_WRONLY | O_CREAT | O_EXCL);
        if (!file) return stop_storing(fmt::format("cannot write '{}': {}", temporary, std::strerror(errno)));
        if (!file.write_all(&header, sizeof header) || !file.write_all(payload.data(), payload.size())) {
            std::string reason = std::strerror(errno);
            ::unlink(temporary.c_str());
            return stop_storing(fmt::format("cannot write '{}': {}", temporary, reason));
        }
    }
    if (::rename(temporary.c_str(), path.c_str()) != 0) {
        std::string reason = std::strerror(errno);
        ::unlink(temporary.c_str());
        return stop_storing(fmt::format("cannot rename '{}': {}", temporary, reason));
    }
    ++statistics().disk_stores;
    evict_if_needed(payload.size() + sizeof header);
}

void DiskCache::stop_storing(const std::string& reason) {
    if (can_store_.exchange(false))
        log(LogLevel::Warning, [&] { return "disk cache: compiled kernels are not kept: " + reason; });
}

void DiskCache::evict_if_needed(std::uint64_t added) {
    // One evicting thread is enough; and a lock left behind by fork() must not stop the child.
    std::unique_lock lock(eviction_mutex_, std::try_to_lock);
    if (!lock) return;
    if (known_bytes_) {
        *known_bytes_ += added;
        if (*known_bytes_ <= settings_.limit_bytes) return;
    }
    std::vector<Entry> entries = list_entries(settings_.folder);
    std::uint64_t total = 0;
    for (const Entry& entry : entries) total += entry.bytes;
    if (total > settings_.limit_bytes) {
        // Down to nine tenths, so that a full cache is not listed at every store.
        std::uint64_t goal = settings_.limit_bytes - settings_.limit_bytes / 10;
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used_ns < b.used_ns; });
        for (const Entry& entry : entries) {
            if (total <= goal) break;
            if (::unlink(entry.path.c_str()) == 0 || errno == ENOENT) total -= entry.bytes;
        }
    }
    known_bytes_ = total;
}

DiskCache::Usage DiskCache::usage() const {
    Usage usage;
    for (const Entry& entry : list_entries(settings_.folder)) {
        usage.bytes += entry.bytes;
        ++usage.entries;
    }
    return usage;
}

std::uint64_t DiskCache::clear() {
    std::uint64_t freed = 0;
    for (const Entry& entry : list_entries(settings_.folder))
        if (::unlink(entry.path.c_str()) == 0) freed += entry.bytes;
    if (std::unique_lock lock(eviction_mutex_, std::try_to_lock); lock) known_bytes_.reset();
    return freed;
}

}  // namespace lanewise::jit
