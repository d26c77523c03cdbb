#include "base/env.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "lanewise/error.h"

namespace lanewise {
namespace {

constexpr const char* name = "LANEWISE_TEST_VARIABLE";

class Env : public ::testing::Test {
protected:
    void TearDown() override { unsetenv(name); }
    void set(const char* value) { setenv(name, value, 1); }
};

std::string message_of(auto call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Value);
        return error.what();
    }
    return "nothing was thrown";
}

TEST_F(Env, UnsetAndEmptyAreNone) {
    EXPECT_FALSE(env::text(name));
    set("");
    EXPECT_FALSE(env::text(name));
    EXPECT_FALSE(env::integer(name, 0, 9));
    EXPECT_TRUE(env::flag(name, true));
    EXPECT_FALSE(env::flag(name, false));
}

TEST_F(Env, FlagsAreReadInAnyCase) {
    for (const char* yes : {"1", "true", "YES", "On"}) {
        set(yes);
        EXPECT_TRUE(env::flag(name, false)) << yes;
    }
    for (const char* no : {"0", "False", "no", "OFF"}) {
        set(no);
        EXPECT_FALSE(env::flag(name, true)) << no;
    }
}

TEST_F(Env, IntegersHaveBoundsAndNoRest) {
    set("42");
    EXPECT_EQ(env::integer(name, 1, 42), 42);
    set("-3");
    EXPECT_EQ(env::integer(name, -3, 0), -3);
    for (const char* bad : {"43", "0", "4x", "x", " 4", "99999999999999999999"}) {
        set(bad);
        std::string message = message_of([] { env::integer(name, 1, 42); });
        EXPECT_NE(message.find(std::string(name) + "=" + bad), std::string::npos) << message;
        EXPECT_NE(message.find("from 1 to 42"), std::string::npos) << message;
    }
}

TEST_F(Env, RefusesAFlagThatIsNone) {
    set("maybe");
    std::string message = message_of([] { env::flag(name, true); });
    EXPECT_NE(message.find("LANEWISE_TEST_VARIABLE=maybe"), std::string::npos) << message;
}

}  // namespace
}  // namespace lanewise
