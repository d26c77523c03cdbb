// Opens liblanewise_compiler.so on the first compile that no cache answers.
#include "codegen/compiler.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "base/dynlib.h"
#include "base/env.h"
#include "base/log.h"
#include "jit/compiler_library.h"

namespace lanewise {
namespace jit {

std::string core_library_path() {
    Dl_info info{};
    if (!dladdr(reinterpret_cast<void*>(&core_library_path), &info) || !info.dli_fname) return {};
    return info.dli_fname;
}

std::string compiler_library_path() {
    if (std::optional<std::string> path = env::text("LANEWISE_COMPILER")) return *path;
    std::error_code error;
    // Development trees reach the core through a link; the compiler lies beside the link.
    std::filesystem::path beside = std::filesystem::path(core_library_path()).parent_path() / "liblanewise_compiler.so";
    if (std::filesystem::exists(beside, error)) return beside.string();
    return "liblanewise_compiler.so";
}

}  // namespace jit

Compiler& compiler() {
    static Compiler& instance = []() -> Compiler& {
        std::string path = jit::compiler_library_path(), why;
        std::optional<Dynlib> library = Dynlib::open({path}, &why);
        if (!library)
            throw Error(
                ErrorKind::Internal,
                fmt::format("the code generator could not be loaded: {}; LANEWISE_COMPILER may name its path", why));
        // LLVM's static state does not survive being unloaded.
        library->keep_open();
        auto* door = library->function<Compiler* (*)()>("lanewise_compiler");
        if (!door)
            throw Error(ErrorKind::Internal, fmt::format("'{}' is no lanewise code generator: it has no function "
                                                         "lanewise_compiler",
                                                         path));
        log(LogLevel::Info, [&] { return "code generator loaded from " + path; });
        return *door();
    }();
    return instance;
}

}  // namespace lanewise
