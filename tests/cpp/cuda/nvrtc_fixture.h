// Sources for CUDA C++ compilers, environments in which they are looked for, and the NVRTC of this machine.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/cuda/nvrtc.h"
#include "frontend/cuda/options.h"
#include "lanewise/cuda_cpp.h"

namespace lanewise {

/// Sets variables for its lifetime; no value: unset.
class ScopedEnvironment {
public:
    void set(const std::string& name, std::optional<std::string> value) {
        const char* old = std::getenv(name.c_str());
        saved_.emplace_back(name, old ? std::optional<std::string>(old) : std::nullopt);
        apply(name, value);
    }
    ~ScopedEnvironment() {
        for (auto it = saved_.rbegin(); it != saved_.rend(); ++it) apply(it->first, it->second);
    }

private:
    static void apply(const std::string& name, const std::optional<std::string>& value) {
        if (value)
            ::setenv(name.c_str(), value->c_str(), 1);
        else
            ::unsetenv(name.c_str());
    }
    std::vector<std::pair<std::string, std::optional<std::string>>> saved_;
};

class ScopedFolder {
public:
    ScopedFolder() {
        std::string pattern = std::filesystem::temp_directory_path() / "lanewise-test-XXXXXX";
        path_ = ::mkdtemp(pattern.data());
    }
    ~ScopedFolder() { std::filesystem::remove_all(path_); }
    const std::string& path() const { return path_; }
    std::string put(const std::string& name, const std::string& text) const {
        std::filesystem::path path = std::filesystem::path(path_) / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path.string();
    }

private:
    std::string path_;
};

inline cuda_cpp::Source source_of(const std::string& text, std::vector<std::string> options = {},
                                  cuda_cpp::Backend backend = cuda_cpp::Backend::Auto) {
    cuda_cpp::Source source;
    source.text = text;
    source.options = std::move(options);
    source.backend = backend;
    return source;
}

}  // namespace lanewise
