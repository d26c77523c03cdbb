#include "base/dynlib.h"

#include <gtest/gtest.h>

#include "lanewise/error.h"

namespace lanewise {
namespace {

TEST(Dynlib, OpensTheFirstCandidateThatLoads) {
    auto library = Dynlib::open({"liblanewise-no-such-thing.so.9", "libm.so.6"});
    ASSERT_TRUE(library);
    EXPECT_NE(library->path().find("libm"), std::string::npos);
    auto cosine = library->function<double (*)(double)>("cos");
    ASSERT_TRUE(cosine);
    EXPECT_EQ(cosine(0.0), 1.0);
}

TEST(Dynlib, AMissingSymbolIsNull) {
    auto library = Dynlib::open({"libm.so.6"});
    ASSERT_TRUE(library);
    EXPECT_EQ(library->symbol("lanewise_has_no_such_symbol"), nullptr);
}

TEST(Dynlib, FindsLibrariesOfThisProcessByStem) {
    auto library = Dynlib::in_process({"liblanewise-no-such-thing", "libm."});
    ASSERT_TRUE(library);
    EXPECT_NE(library->path().find("/libm."), std::string::npos) << library->path();
    EXPECT_EQ(library->symbol("cos"), Dynlib::open({"libm.so.6"})->symbol("cos"));
    EXPECT_FALSE(Dynlib::in_process({"liblanewise-no-such-thing"}));
    // A stem is the beginning of a file's name, not a part of its path.
    EXPECT_FALSE(Dynlib::in_process({"usr", "lib/"}));
}

TEST(Dynlib, SaysWhyNothingLoaded) {
    std::string why;
    EXPECT_FALSE(Dynlib::open({"libfirst-missing.so", "libsecond-missing.so"}, &why));
    EXPECT_NE(why.find("libfirst-missing.so"), std::string::npos) << why;
    EXPECT_NE(why.find("libsecond-missing.so"), std::string::npos) << why;
    EXPECT_EQ(why.find('\n'), std::string::npos) << why;
}

TEST(Dynlib, RequireNamesThePurpose) {
    std::vector<std::string> candidates = {"libmissing.so"};
    try {
        Dynlib::require(candidates, "matrix products");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::DeviceUnavailable);
        EXPECT_NE(std::string(error.what()).find("matrix products"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("libmissing.so"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace lanewise
