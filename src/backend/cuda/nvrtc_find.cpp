// find_nvrtc: the library and CUDA's headers, by looking at files; nothing is loaded unless only the dynamic linker
// knows where the library is.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <mutex>
#include <optional>

#include "backend/cuda/driver.h"
#include "backend/cuda/nvrtc.h"
#include "base/cuda_places.h"
#include "base/dynlib.h"
#include "base/env.h"
#include "base/file_identity.h"
#include "lanewise/error.h"

namespace lanewise::cuda {

namespace fs = std::filesystem;

namespace {

constexpr const char* names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"};
constexpr const char* library_folders[] = {"lib64", "lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "bin"};
/// Packages of the wheels that have headers of the toolkit.
constexpr const char* header_packages[] = {"cu13", "cuda_runtime", "cuda_cccl", "cuda_nvrtc", "curand", "cuda_nvcc"};
/// Of these at least one lies in a folder of CUDA's headers.
constexpr const char* header_marks[] = {"cuda_runtime_api.h", "cuda/std/version", "curand_kernel.h", "cuda_fp16.h",
                                        "crt/host_defines.h"};

/// "libnvrtc.so.13" names 13; a link without a number is followed. 0: not known.
int major_of(const fs::path& path) {
    std::error_code error;
    for (const fs::path& file : {path, fs::canonical(path, error)}) {
        std::string name = file.filename().string();
        std::size_t at = name.find(".so.");
        if (at != std::string::npos && at + 4 < name.size() && std::isdigit(static_cast<unsigned char>(name[at + 4])))
            return std::atoi(name.c_str() + at + 4);
    }
    return 0;
}

std::vector<std::string> split_path_list(const std::string& list) {
    std::vector<std::string> folders;
    for (std::size_t begin = 0; begin <= list.size();) {
        std::size_t end = std::min(list.find(':', begin), list.size());
        if (end > begin) folders.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    return folders;
}

void add_libraries(const fs::path& folder, std::vector<std::string>& found) {
    std::error_code error;
    for (const char* name : names)
        if (fs::exists(folder / name, error)) {
            found.push_back((folder / name).string());
            return;
        }
}

/// All libraries that lie where they are looked for, best first.
std::vector<std::string> candidates(std::string& searched) {
    std::vector<std::string> found;
    if (auto chosen = env::text("LANEWISE_NVRTC")) {
        searched = fmt::format("LANEWISE_NVRTC={}", *chosen);
        std::error_code error;
        if (fs::is_directory(*chosen, error))
            add_libraries(*chosen, found);
        else if (fs::exists(*chosen, error) || chosen->find('/') == std::string::npos)
            found.push_back(*chosen);
        return found;
    }
    std::vector<std::string> looked;
    for (const std::string& folder : split_path_list(env::text("LD_LIBRARY_PATH").value_or(""))) {
        add_libraries(folder, found);
        looked.push_back(folder);
    }
    for (const std::string& root : cuda_roots()) {
        for (const char* folder : library_folders) add_libraries(fs::path(root) / folder, found);
        looked.push_back(root);
    }
    searched = fmt::format("CUDA_HOME, CUDA_PATH, nvidia-* wheels, {} and the dynamic linker's folders",
                           fmt::join(looked, ", "));
    return found;
}

void add_header_folder(const fs::path& folder, std::vector<std::string>& folders) {
    std::error_code error;
    // CCCL lies in a folder of its own since CUDA 13.
    for (const fs::path& each : {folder / "cccl", folder}) {
        std::string text = each.lexically_normal().string();
        if (std::find(folders.begin(), folders.end(), text) == folders.end() &&
            std::any_of(std::begin(header_marks), std::end(header_marks),
                        [&](const char* mark) { return fs::exists(each / mark, error); }))
            folders.push_back(std::move(text));
    }
}

/// Headers of the toolkit or the wheels that `library` belongs to, else of any toolkit.
std::vector<std::string> header_folders(const std::string& library) {
    std::vector<std::string> folders;
    std::error_code error;
    fs::path place = fs::canonical(library, error).parent_path();
    auto has_runtime = [&] {
        return std::any_of(folders.begin(), folders.end(),
                           [&](const std::string& f) { return fs::exists(fs::path(f) / "cuda_runtime.h", error); });
    };
    auto look_below = [&](const fs::path& root) {
        add_header_folder(root / "include", folders);
        // <site-packages>/nvidia/<package>: the headers are in packages beside it.
        if (root.parent_path().filename() == "nvidia")
            for (const char* package : header_packages)
                add_header_folder(root.parent_path() / package / "include", folders);
    };
    if (!place.empty()) {
        look_below(place.parent_path());
        look_below(place.parent_path().parent_path());
    }
    if (!has_runtime())
        for (const std::string& root : cuda_roots()) {
            look_below(root);
            if (has_runtime()) break;
        }
    return folders;
}

NvrtcFile look(int driver_major) {
    NvrtcFile file;
    std::vector<std::string> found = candidates(file.searched);
    if (!found.empty()) {
        // Code of a newer CUDA version than the driver's may not load.
        auto fits = std::find_if(found.begin(), found.end(), [&](const std::string& path) {
            return driver_major == 0 || major_of(path) <= driver_major;
        });
        file.path = fits == found.end() ? found.front() : *fits;
    } else if (!env::text("LANEWISE_NVRTC")) {
        if (auto library = Dynlib::open(std::vector<std::string>(std::begin(names), std::end(names)))) {
            library->keep_open();
            file.path = library->path();
        }
    }
    if (!file.path.empty()) file.include_folders = header_folders(file.path);
    return file;
}

}  // namespace

NvrtcFile find_nvrtc() {
    static std::mutex mutex;
    static std::optional<NvrtcFile> known;
    static std::string known_for;
    int driver_major = driver.version() / 1000;
    std::string environment =
        fmt::format("{}{}\n{}\n{}", cuda_roots_environment(), env::text("LANEWISE_NVRTC").value_or(""),
                    env::text("LD_LIBRARY_PATH").value_or(""), driver_major);
    std::lock_guard lock(mutex);
    // One that is not there may be installed while the process runs.
    if (!known || known_for != environment || known->path.empty()) {
        known = look(driver_major);
        known_for = environment;
    }
    NvrtcFile file = *known;
    if (file.path.empty()) return file;
    file.identity = fmt::format("{} {}", file.path, file_identity(file.path));
    for (const std::string& folder : file.include_folders)
        for (const char* mark : header_marks)
            if (std::string identity = file_identity(folder + "/" + mark); identity != "absent")
                file.identity += fmt::format(" {}/{} {}", folder, mark, identity);
    return file;
}

void fail_without_nvrtc(const NvrtcFile& file, const std::string& call) {
    throw Error(ErrorKind::DeviceUnavailable,
                fmt::format("{}: NVRTC, NVIDIA's run-time compiler, was not found (looked in {}); install it with pip "
                            "(nvidia-cuda-nvrtc), set CUDA_HOME or LANEWISE_NVRTC, or compile with backend=\"clang\", "
                            "which needs nothing of CUDA",
                            call, file.searched));
}

}  // namespace lanewise::cuda
