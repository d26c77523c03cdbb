#include "backend/cpu/print.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <limits>

#include "test_kernels.h"

namespace lanewise {
namespace {

using testing_kernels::pack;

/// What the C library makes of the same arguments.
template <class... Ts>
std::string by_the_c_library(const char* format, Ts... values) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
    std::string text(4096, '\0');
    text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), format, values...)));
#pragma clang diagnostic pop
    return text;
}

template <class... Ts>
void expect_like_c(const char* format, Ts... values) {
    std::vector<std::byte> arguments = pack(values...);
    cpu::Printed printed = cpu::format_packed(format, arguments.data());
    EXPECT_EQ(printed.text, by_the_c_library(format, values...)) << format;
    EXPECT_EQ(printed.arguments, static_cast<int>(sizeof...(values))) << format;
}

TEST(KernelPrintf, IntegersOfAllLengths) {
    for (const char* format : {"%d", "%i", "%u", "%x", "%X", "%o", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%#x", "%#o",
                               "%.3d", "%8.3d", "%hd", "%hhd", "%hu", "%hhx"})
        for (int value : {0, 1, -1, 42, 70000, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()})
            expect_like_c(format, value);
    for (const char* format : {"%ld", "%lld", "%li", "%lu", "%llu", "%lx", "%llX", "%lo", "%zu", "%zd", "%jd", "%td",
                               "%20lld|", "%-20lld|", "%020lld"})
        for (long long value :
             {0LL, -1LL, 1LL << 40, std::numeric_limits<long long>::min(), std::numeric_limits<long long>::max()})
            expect_like_c(format, value);
}

TEST(KernelPrintf, FloatingPoint) {
    for (const char* format : {"%f", "%F", "%e", "%E", "%g", "%G", "%a", "%A", "%.0f", "%.3f", "%10.2f|", "%-10.2f|",
                               "%+.1e", "%#g", "%010.3f", "%lf", "%.17g"})
        for (double value : {0.0, -0.0, 1.5, -2.25, 1e300, 1e-300, 3.14159265358979,
                             std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::denorm_min()})
            expect_like_c(format, value);
}

TEST(KernelPrintf, TextCharactersAndPointers) {
    expect_like_c("%s and %s", "one", "two");
    expect_like_c("%10s|%-10s|%.2s|", "right", "left", "cut");
    expect_like_c("%c%c%5c|%-5c|", int{'a'}, int{'b'}, int{'c'}, int{'d'});
    expect_like_c("%p", reinterpret_cast<void*>(0x1234));
    expect_like_c("%p", static_cast<void*>(nullptr));
    std::vector<std::byte> null = pack(static_cast<const char*>(nullptr));
    EXPECT_EQ(cpu::format_packed("%s", null.data()).text, "(null)");
}

TEST(KernelPrintf, WidthAndPrecisionFromArguments) {
    expect_like_c("%*d|", 7, 42);
    expect_like_c("%*d|", -7, 42);
    expect_like_c("%.*f|", 2, 3.14159);
    expect_like_c("%.*f|", -1, 3.14159);
    expect_like_c("%*.*f|", 9, 1, 3.14159);
}

TEST(KernelPrintf, ArgumentsAreNaturallyAligned) {
    expect_like_c("%d %f %d %lld %c %s %d", 1, 2.5, 3, 4LL, int{'x'}, "text", 5);
}

TEST(KernelPrintf, PercentSignsAndUnknownConversions) {
    expect_like_c("100%%");
    expect_like_c("");
    expect_like_c("plain");
    int one = 1;
    EXPECT_EQ(cpu::format_packed("%y %d", &one).text, "%y 1");
    EXPECT_EQ(cpu::format_packed("end %", &one).text, "end %");
    EXPECT_EQ(cpu::format_packed("end %l", &one).text, "end %l");
}

TEST(KernelPrintf, LongTexts) {
    std::string text(3000, 'x');
    expect_like_c("%s!", text.c_str());
    expect_like_c("%2000d", 5);
}

TEST(KernelPrintf, ANullFormatIsAnError) {
    EXPECT_EQ(cpu::kernel_vprintf(nullptr, nullptr), -1);
}

TEST(KernelPrintf, IsThereAfterSynchronizeInOrderPerThread) {
    auto stream = cpu_device().create_stream(false);
    testing::internal::CaptureStdout();
    for (std::int64_t tag = 0; tag < 5; ++tag) testing_kernels::launch(*stream, "print_lines", {50}, {1}, tag);
    stream->synchronize();
    // Read what is in the file, without flushing anything here.
    std::string text = testing::internal::GetCapturedStdout();
    std::size_t at = 0;
    for (int tag = 0; tag < 5; ++tag) {
        std::vector<int> next_line(50, 0);
        for (int i = 0; i < 100; ++i) {
            std::size_t end = text.find('\n', at);
            ASSERT_NE(end, std::string::npos);
            std::string line = text.substr(at, end - at);
            int seen_tag = -1, block = -1, number = -1;
            char word[8] = {};
            ASSERT_EQ(std::sscanf(line.c_str(), "tag %d block %d line %d %3s", &seen_tag, &block, &number, word), 4)
                << line;
            ASSERT_EQ(seen_tag, tag);
            ASSERT_EQ(number, next_line[static_cast<std::size_t>(block)]++);
            ASSERT_STREQ(word, "end");
            at = end + 1;
        }
    }
    EXPECT_EQ(at, text.size());
}

}  // namespace
}  // namespace lanewise
