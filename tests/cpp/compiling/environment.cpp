// Set before any test runs: the built code generator, the cpu device, and a disk cache of this process's own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

class CompilingEnvironment : public ::testing::Environment {
public:
    void SetUp() override {
        std::string pattern = std::filesystem::temp_directory_path() / "lanewise-test-cache-XXXXXX";
        folder_ = ::mkdtemp(pattern.data());
        ::setenv("LANEWISE_COMPILER", LANEWISE_TEST_COMPILER, 1);
        ::setenv("LANEWISE_DEVICE", "cpu", 1);
        ::setenv("LANEWISE_CACHE_DIR", folder_.c_str(), 1);
    }
    void TearDown() override {
        std::error_code error;
        std::filesystem::remove_all(folder_, error);
    }

private:
    std::string folder_;
};

[[maybe_unused]] const auto* environment = ::testing::AddGlobalTestEnvironment(new CompilingEnvironment);

}  // namespace
