#include "base/dynlib.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <atomic>

#include "lanewise/error.h"

namespace lanewise {

struct Dynlib::Handle {
    void* library = nullptr;
    std::string path;
    std::atomic<bool> keep{false};
    ~Handle() {
        if (!keep) dlclose(library);
    }
};

std::optional<Dynlib> Dynlib::open(std::span<const std::string> candidates, std::string* why) {
    std::string reasons;
    for (const std::string& candidate : candidates) {
        void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library) {
            auto handle = std::make_shared<Handle>();
            handle->library = library;
            link_map* map = nullptr;
            bool named = dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name && *map->l_name;
            handle->path = named ? map->l_name : candidate;
            return Dynlib(std::move(handle));
        }
        const char* text = dlerror();
        reasons += fmt::format("{}{}", reasons.empty() ? "" : "; ", text ? text : candidate);
    }
    if (why) *why = candidates.empty() ? "no file to look for" : reasons;
    return std::nullopt;
}

Dynlib Dynlib::require(std::span<const std::string> candidates, const std::string& purpose) {
    std::string why;
    if (auto library = open(candidates, &why)) return *std::move(library);
    throw Error(ErrorKind::DeviceUnavailable, fmt::format("{}: cannot load the shared library: {}", purpose, why));
}

void* Dynlib::symbol(const char* name) const {
    return dlsym(handle_->library, name);
}

const std::string& Dynlib::path() const {
    return handle_->path;
}

void Dynlib::keep_open() {
    handle_->keep = true;
}

}  // namespace lanewise
