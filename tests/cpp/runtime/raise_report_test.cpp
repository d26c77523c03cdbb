#include "runtime/raise_report.h"

#include <gtest/gtest.h>

namespace lanewise {
namespace {

TEST(FillPlaceholders, ReplacesNumbersThatHaveValues) {
    std::vector<std::int64_t> values = {7, -3};
    EXPECT_EQ(fill_placeholders("index {0} of {1}, again {0}", values), "index 7 of -3, again 7");
    EXPECT_EQ(fill_placeholders("{2} {} {x} {0", values), "{2} {} {x} {0");
    EXPECT_EQ(fill_placeholders("", values), "");
}

TEST(RaisedError, HasTextPlaceAndCaret) {
    Image image;
    image.files = {SourceFile{"k.py", {"def f(a, i):", "    a[i] = 1"}, 10}};
    image.raise_sites = {
        RaiseSite{"IndexError", "index {0} is out of bounds for axis 0 with size {1}", {11, 4, 11, 8}, 0}};
    EntryPoint entry;
    entry.name = "f_123";
    entry.display_name = "f";
    ErrorSlot report{.claimed = 1, .site = 0, .thread = {1, 2, 3}, .block = {4, 5, 6}, .values = {12, 10}};
    Error error = raised_error(image, entry, report);
    EXPECT_EQ(error.kind(), ErrorKind::KernelRaised);
    EXPECT_EQ(error.python_class, "IndexError");
    EXPECT_STREQ(error.what(),
                 "index 12 is out of bounds for axis 0 with size 10 [kernel 'f', thread (1, 2, 3) of block (4, 5, 6)]\n"
                 "  k.py:11:5\n"
                 "        a[i] = 1\n"
                 "        ^^^^");
}

TEST(RaisedError, ASiteThatDoesNotExistIsInternal) {
    ErrorSlot report{};
    report.site = 3;
    EXPECT_EQ(raised_error(Image{}, EntryPoint{}, report).kind(), ErrorKind::Internal);
}

}  // namespace
}  // namespace lanewise
