#include "backend/cpu/target/link.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <lld/Common/CommonLinkerContext.h>
#include <lld/Common/Driver.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <cmath>
#include <mutex>
#include <string>

#include "lanewise/error.h"

LLD_HAS_DRIVER(elf)

namespace lanewise::cpu {
namespace {

[[noreturn]] void fail(const std::string& what) {
    throw Error(ErrorKind::Internal, "linking a kernel for the cpu device: " + what);
}

/// The file a symbol of this process was loaded from: users have no development files, so the linker is given the very
/// libraries that are loaded. Empty when `address` is null or the file cannot be read (a statically linked program).
std::string file_of(const void* address) {
    Dl_info info{};
    if (!address || !dladdr(address, &info) || !info.dli_fname || !llvm::sys::fs::exists(info.dli_fname)) return {};
    return info.dli_fname;
}

const std::string& libm() {
    static const std::string path = file_of(reinterpret_cast<const void*>(static_cast<double (*)(double)>(&std::cos)));
    return path;
}

const std::string& libmvec() {
    static const std::string path = [] {
        void* handle = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!handle) return std::string();
        // Symbols of glibc 2.35 stand for the whole set: older ones have but six functions.
        return file_of(dlsym(handle, "_ZGVbN4v_tanhf"));
    }();
    return path;
}

/// The compiler's run time, for what has no instructions: divisions of 128-bit integers and the like.
const std::string& libgcc() {
    static const std::string path = [] {
        void* handle = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
        return handle ? file_of(dlsym(handle, "__udivti3")) : std::string();
    }();
    return path;
}

/// A fresh folder for the linker's input and output, removed with what it holds.
class ScratchFolder {
public:
    ScratchFolder() {
        llvm::SmallString<128> model;
        llvm::sys::path::system_temp_directory(true, model);
        llvm::sys::path::append(model, "lanewise-link");
        if (const std::error_code error = llvm::sys::fs::createUniqueDirectory(model, path_)) {
            fail(fmt::format("no folder {}-*: {}", std::string(model), error.message()));
        }
    }
    ~ScratchFolder() { llvm::sys::fs::remove_directories(path_); }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string file(llvm::StringRef name) const {
        llvm::SmallString<128> path(path_);
        llvm::sys::path::append(path, name);
        return std::string(path);
    }

private:
    llvm::SmallString<128> path_;
};

void run_linker(const std::vector<std::string>& arguments) {
    static std::mutex mutex;  // lld keeps its state in globals
    const std::lock_guard lock(mutex);
    std::vector<const char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
    std::string text;
    llvm::raw_string_ostream output(text);
    const bool linked = lld::elf::link(pointers, output, output, false, false);
    lld::CommonLinkerContext::destroy();
    if (!linked) fail(output.str());
}

}  // namespace

bool has_libmvec() {
    return !libmvec().empty();
}

std::vector<std::uint8_t> link_shared_object(llvm::ArrayRef<char> object, bool uses_libmvec) {
    const ScratchFolder folder;
    const std::string input = folder.file("kernel.o");
    const std::string output = folder.file("kernel.so");
    {
        std::error_code error;
        llvm::raw_fd_ostream stream(input, error);
        if (error) fail(fmt::format("{}: {}", input, error.message()));
        stream.write(object.data(), object.size());
        stream.close();
        if (stream.has_error()) {
            const std::string message = stream.error().message();
            stream.clear_error();
            fail(fmt::format("{}: {}", input, message));
        }
    }

    std::vector<std::string> arguments = {
        "ld.lld", "-shared", "-Bsymbolic", "--threads=1", "--hash-style=gnu", "--build-id=none", "-z", "noexecstack",
        "-O0",    "-o",      output,       input};
    if (!libm().empty()) arguments.push_back(libm());
    if (uses_libmvec) arguments.push_back(libmvec());
    if (!libgcc().empty()) arguments.insert(arguments.end(), {"--as-needed", libgcc()});
    run_linker(arguments);

    const auto linked = llvm::MemoryBuffer::getFile(output, false, false);
    if (!linked) fail(fmt::format("{}: {}", output, linked.getError().message()));
    const llvm::StringRef bytes = (*linked)->getBuffer();
    return {bytes.bytes_begin(), bytes.bytes_end()};
}

}  // namespace lanewise::cpu
