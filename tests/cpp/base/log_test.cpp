#include "base/log.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

class Log : public ::testing::Test {
protected:
    void TearDown() override { set_log_level(LogLevel::Off); }
};

TEST_F(Log, MakesNoTextBelowItsLevel) {
    set_log_level(LogLevel::Warning);
    testing::internal::CaptureStderr();
    log(LogLevel::Info, []() -> std::string {
        ADD_FAILURE() << "text made for a level that is off";
        return "";
    });
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Log, WritesLinesUpToItsLevel) {
    set_log_level(LogLevel::Info);
    testing::internal::CaptureStderr();
    log(LogLevel::Info, [] { return std::string("found it"); });
    std::string line = testing::internal::GetCapturedStderr();
    EXPECT_NE(line.find("info] found it\n"), std::string::npos) << line;
}

}  // namespace
}  // namespace lanewise
