#include "frontend/cuda/include_scan.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <unordered_map>

#include "base/hash.h"

namespace lanewise::cuda_cpp {

namespace {

struct FileContent {
    std::string hash;
    std::vector<Include> includes;
};

std::string identity_of(const struct stat& status) {
    return fmt::format("{}.{} {} {}.{}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                       status.st_mtim.tv_nsec);
}

/// Files read by this process. A file is read again when its size or time has changed, and while its last change is so
/// recent that another one may carry the same time.
class ReadFiles {
public:
    static ReadFiles& instance() {
        static ReadFiles* files = new ReadFiles;
        return *files;
    }

    /// Null when it cannot be read.
    std::shared_ptr<const FileContent> read(const std::string& path, const struct stat& status) {
        std::string identity = identity_of(status);
        {
            std::lock_guard lock(mutex_);
            auto known = files_.find(path);
            if (known != files_.end() && known->second.identity == identity) return known->second.content;
        }
        std::ifstream file(path, std::ios::binary);
        std::ostringstream text;
        if (!file || !(text << file.rdbuf())) {
            if (!file || status.st_size != 0) return nullptr;
        }
        auto content = std::make_shared<FileContent>();
        content->hash = hash128(text.str());
        content->includes = includes_of(text.str());
        auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
        if (now - status.st_mtim.tv_sec > 2) {
            std::lock_guard lock(mutex_);
            if (files_.size() > 4096) files_.clear();
            files_[path] = {std::move(identity), content};
        }
        return content;
    }

private:
    struct Known {
        std::string identity;
        std::shared_ptr<const FileContent> content;
    };
    std::mutex mutex_;
    std::unordered_map<std::string, Known> files_;
};

std::string folder_of(const std::string& path) {
    std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

class Scan {
public:
    explicit Scan(const Options& options) {
        for (std::string folder : options.include_folders) {
            if (!folder.ends_with('/')) folder += '/';
            struct stat status{};
            bool toolkit = ::stat((folder + "cuda_runtime_api.h").c_str(), &status) == 0 ||
                           ::stat((folder + "cuda/std/version").c_str(), &status) == 0;
            folders_.push_back({std::move(folder), toolkit});
        }
    }

    void text(const std::string& file, const std::vector<Include>& includes) { follow(file, includes); }

    void include(const std::string& includer, const Include& include) {
        if (include.computed) {
            if (result_.unknown.empty())
                result_.unknown = fmt::format("{}:{}: includes '{}', a name that only the preprocessor knows", includer,
                                              include.line, include.name);
            return;
        }
        if (include.name.starts_with('/')) {
            if (!take(include.name, false)) missing(include.name);
            return;
        }
        if (include.quoted && !include.next && take(folder_of(includer) + include.name, false)) return;
        bool found = false;
        for (const Folder& folder : folders_) {
            found = take(folder.path + include.name, folder.toolkit) || found;
            // The next one depends on where the includer was found: all of the name count.
            if (found && !include.next) return;
        }
        if (!found) missing(include.name);
    }

    IncludeScan finish() {
        result_.hash = hash128(hashed_);
        return std::move(result_);
    }

private:
    struct Folder {
        std::string path;
        bool toolkit;
    };

    void missing(const std::string& name) {
        if (missing_.insert(name).second) result_.not_found.push_back(name);
    }

    void follow(const std::string& file, const std::vector<Include>& includes) {
        for (const Include& one : includes) include(file, one);
    }

    /// False when there is no such file.
    bool take(const std::string& path, bool toolkit) {
        if (taken_.contains(path)) return true;
        struct stat status{};
        if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
        if (toolkit) {
            taken_.insert(path);
            hashed_ += fmt::format("{} {}\n", path, identity_of(status));
            return true;
        }
        std::shared_ptr<const FileContent> content = ReadFiles::instance().read(path, status);
        if (!content) return false;
        taken_.insert(path);
        result_.files.push_back(path);
        hashed_ += fmt::format("{} {}\n", path, content->hash);
        follow(path, content->includes);
        return true;
    }

    std::vector<Folder> folders_;
    std::set<std::string> taken_, missing_;
    std::string hashed_;
    IncludeScan result_;
};

}  // namespace

IncludeScan scan_includes(const Source& source, const Options& options) {
    std::vector<Include> includes = includes_of(source.text);
    if (includes.empty() && options.forced_includes.empty()) return {};
    Scan scan(options);
    for (const std::string& file : options.forced_includes)
        scan.include("", Include{.name = file, .quoted = true, .next = false, .computed = false, .line = 0});
    scan.text(source.file, includes);
    return scan.finish();
}

}  // namespace lanewise::cuda_cpp
