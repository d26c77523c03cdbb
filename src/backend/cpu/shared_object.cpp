#include "backend/cpu/shared_object.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/env.h"
#include "lanewise/error.h"

namespace lanewise::cpu {

namespace {

/// An open file, closed when it goes.
class File {
public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    ~File() {
        if (descriptor_ >= 0) close(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    explicit operator bool() const { return descriptor_ >= 0; }
    int descriptor() const { return descriptor_; }
    bool write_all(std::span<const std::uint8_t> bytes) {
        while (!bytes.empty()) {
            ssize_t wrote = write(descriptor_, bytes.data(), bytes.size());
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote <= 0) return false;
            bytes = bytes.subspan(static_cast<std::size_t>(wrote));
        }
        return true;
    }

private:
    int descriptor_;
};

/// A path to an open file that no other call gets. The loader knows libraries by the spelling of their path and would
/// give back an older one when the number of a closed descriptor comes again; "/" and "/./" spell the count in binary.
std::string unique_path(int descriptor) {
    static std::atomic<std::uint64_t> count{0};
    std::string path = "/proc/self/fd";
    for (std::uint64_t bits = ++count; bits; bits >>= 1) path += bits & 1 ? "/." : "/";
    return fmt::format("{}/{}", path, descriptor);
}

void* open_anonymous(std::span<const std::uint8_t> bytes, const std::string& name, std::string& problem) {
    File file(memfd_create(("lanewise:" + name).substr(0, 200).c_str(), MFD_CLOEXEC));
    if (!file || !file.write_all(bytes)) {
        problem = fmt::format("memfd_create: {}", std::strerror(errno));
        return nullptr;
    }
    void* handle = dlopen(unique_path(file.descriptor()).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) problem = dlerror();
    return handle;
}

/// For systems without /proc or with memory files that may not be executed.
void* open_temporary(std::span<const std::uint8_t> bytes, std::string& problem) {
    std::string path = env::text("TMPDIR").value_or("/tmp") + "/lanewise-XXXXXX.so";
    File file(mkostemps(path.data(), 3, O_CLOEXEC));
    if (!file) {
        problem += fmt::format("; {}: {}", path, std::strerror(errno));
        return nullptr;
    }
    void* handle = nullptr;
    if (!file.write_all(bytes))
        problem += fmt::format("; {}: {}", path, std::strerror(errno));
    else if (!(handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)))
        problem += fmt::format("; {}", dlerror());
    unlink(path.c_str());
    return handle;
}

}  // namespace

SharedObject::SharedObject(std::span<const std::uint8_t> bytes, const std::string& name) {
    std::string problem;
    handle_ = open_anonymous(bytes, name, problem);
    if (!handle_) handle_ = open_temporary(bytes, problem);
    if (!handle_) throw Error(ErrorKind::Value, fmt::format("cpu device: cannot load image '{}': {}", name, problem));
}

SharedObject::~SharedObject() {
    dlclose(handle_);
}

void* SharedObject::symbol(const char* name) const {
    void* address = dlsym(handle_, name);
    if (!address) return nullptr;
    // dlsym also searches the libraries the image needs.
    Dl_info found;
    link_map* own = nullptr;
    if (dladdr(address, &found) == 0 || dlinfo(handle_, RTLD_DI_LINKMAP, &own) != 0) return nullptr;
    return reinterpret_cast<ElfW(Addr)>(found.dli_fbase) == own->l_addr ? address : nullptr;
}

void* SharedObject::function(const char* name) const {
    return symbol(name);
}

std::optional<std::pair<void*, std::size_t>> SharedObject::variable(const char* name) const {
    void* address = symbol(name);
    if (!address) return std::nullopt;
    Dl_info found;
    const ElfW(Sym)* entry = nullptr;
    if (dladdr1(address, &found, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&entry)), RTLD_DL_SYMENT) == 0 ||
        !entry)
        return std::nullopt;
    if (ELF64_ST_TYPE(entry->st_info) != STT_OBJECT) return std::nullopt;
    return std::pair<void*, std::size_t>(address, entry->st_size);
}

}  // namespace lanewise::cpu
