#include "backend/cuda/driver.h"
#include "fixture.h"

namespace lanewise::cuda {
namespace {

class DriverLoad : public testing::Test {
protected:
    void SetUp() override {
        fake_cuda::settings() = {};
        setenv("LANEWISE_CUDA_DRIVER", FAKE_CUDA_DRIVER, 1);
    }
    void TearDown() override { setenv("LANEWISE_CUDA_DRIVER", FAKE_CUDA_DRIVER, 1); }
    static bool says(const std::string& reason, const std::string& part) {
        return reason.find(part) != std::string::npos;
    }
    Driver driver_;
};

TEST_F(DriverLoad, SucceedsAndTellsTheVersion) {
    EXPECT_EQ(driver_.load(), "");
    EXPECT_EQ(driver_.version(), 12080);
    EXPECT_FALSE(driver_.forked());
    EXPECT_EQ(version_text(driver_.version()), "12.8");
    EXPECT_TRUE(bool(driver_.cuLaunchKernelEx));
}

TEST_F(DriverLoad, NamesTheFileThatIsMissing) {
    setenv("LANEWISE_CUDA_DRIVER", "/no/such/libcuda.so.1", 1);
    std::string reason = driver_.load();
    EXPECT_TRUE(says(reason, "no CUDA driver") && says(reason, "/no/such/libcuda.so.1")) << reason;
    EXPECT_EQ(reason.find('\n'), std::string::npos);
    EXPECT_EQ(driver_.version(), 0);
}

TEST_F(DriverLoad, RefusesALibraryThatIsNoDriver) {
    setenv("LANEWISE_CUDA_DRIVER", "libm.so.6", 1);
    std::string reason = driver_.load();
    EXPECT_TRUE(says(reason, "is no CUDA driver")) << reason;
}

TEST_F(DriverLoad, RefusesAnOldDriverWithBothVersions) {
    fake_cuda::settings().version = 11080;
    std::string reason = driver_.load();
    EXPECT_TRUE(says(reason, "too old") && says(reason, "11.8") && says(reason, "12.0")) << reason;
}

TEST_F(DriverLoad, ExplainsAFailedInitialisationAndCanTryAgain) {
    fake_cuda::settings().failures["cuInit"] = CUDA_ERROR_NO_DEVICE;
    std::string reason = driver_.load();
    EXPECT_TRUE(says(reason, "CUDA_ERROR_NO_DEVICE") && says(reason, "CUDA_VISIBLE_DEVICES")) << reason;
    fake_cuda::settings().failures.clear();
    EXPECT_EQ(driver_.load(), "");
}

TEST_F(DriverLoad, NoDeviceIsAReasonAndNoError) {
    fake_cuda::settings().devices = 0;
    std::string reason;
    EXPECT_TRUE(backend::cuda_devices(reason).empty());
    EXPECT_TRUE(says(reason, "shows no device")) << reason;
}

TEST_F(DriverLoad, AFailingDeviceQueryIsAReason) {
    fake_cuda::settings().failures["cuDeviceGetName"] = CUDA_ERROR_UNKNOWN;
    std::string reason;
    EXPECT_TRUE(backend::cuda_devices(reason).empty());
    EXPECT_TRUE(says(reason, "cuDeviceGetName")) << reason;
}

}  // namespace
}  // namespace lanewise::cuda
