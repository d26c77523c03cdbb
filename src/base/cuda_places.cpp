#include "base/cuda_places.h"

#include <algorithm>
#include <filesystem>

#include "base/env.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

constexpr const char* variables[] = {"CUDA_HOME",   "CUDA_PATH",   "CUDA_ROOT", "LANEWISE_NVIDIA_PACKAGES",
                                     "VIRTUAL_ENV", "CONDA_PREFIX"};

/// The folders in `folder` whose names begin with `prefix`, newest versions first.
std::vector<std::string> folders_in(const fs::path& folder, const std::string& prefix = "") {
    std::vector<std::string> found;
    std::error_code error;
    for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
         entry.increment(error))
        if (entry->path().filename().string().starts_with(prefix) && entry->is_directory(error))
            found.push_back(entry->path().string());
    std::sort(found.rbegin(), found.rend());
    return found;
}

}  // namespace

std::string cuda_roots_environment() {
    std::string text;
    for (const char* variable : variables) text += env::text(variable).value_or("") + "\n";
    return text;
}

std::vector<std::string> cuda_roots() {
    std::vector<std::string> roots;
    std::error_code error;
    auto add = [&](const std::string& root) {
        if (fs::is_directory(root, error) && std::find(roots.begin(), roots.end(), root) == roots.end())
            roots.push_back(root);
    };
    auto add_packages = [&](const fs::path& nvidia) {
        for (const std::string& package : folders_in(nvidia)) add(package);
    };
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"})
        if (auto root = env::text(variable)) add(*root);
    const std::string listed = env::text("LANEWISE_NVIDIA_PACKAGES").value_or("");
    for (std::size_t begin = 0; begin < listed.size();) {
        std::size_t end = std::min(listed.find(':', begin), listed.size());
        add_packages(listed.substr(begin, end - begin));
        begin = end + 1;
    }
    for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (auto root = env::text(variable))
            for (const std::string& python : folders_in(fs::path(*root) / "lib", "python"))
                add_packages(fs::path(python) / "site-packages" / "nvidia");
    if (auto root = env::text("CONDA_PREFIX")) {
        for (const std::string& target : folders_in(fs::path(*root) / "targets")) add(target);
        add(*root);
    }
    add("/usr/local/cuda");
    for (const std::string& toolkit : folders_in("/usr/local", "cuda-")) add(toolkit);
    for (const char* root : {"/opt/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit", "/usr"}) add(root);
    return roots;
}

}  // namespace lanewise
