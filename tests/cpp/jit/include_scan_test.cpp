// The files a CUDA C++ text can include: found as the preprocessor finds them, and every edit seen.
#include "frontend/cuda/include_scan.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace lanewise::cuda_cpp {
namespace {

namespace fs = std::filesystem;
using List = std::vector<std::string>;

class IncludeScanTest : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = fs::temp_directory_path() / "lanewise-scan-XXXXXX";
        root_ = ::mkdtemp(pattern.data());
    }
    void TearDown() override { fs::remove_all(root_); }

    std::string put(const std::string& name, const std::string& text) {
        fs::path path = fs::path(root_) / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
        return path.string();
    }
    std::string in(const std::string& name) const { return root_ + "/" + name; }
    IncludeScan scan(const std::string& text, const List& folders = {"a", "b"}) const {
        Source source;
        source.text = text;
        source.file = in("kernel.cu");
        Options options;
        for (const std::string& folder : folders) options.include_folders.push_back(in(folder));
        return scan_includes(source, options);
    }

    std::string root_;
};

List names(const std::string& text) {
    List result;
    for (const Include& include : includes_of(text)) result.push_back((include.computed ? "?" : "") + include.name);
    return result;
}

TEST(IncludesOf, DirectivesInAllTheirForms) {
    EXPECT_EQ(
        names("#include \"a.h\"\n  #  include <b.h>\n#include\"c.h\" // why\n/* x */ # /* y */ include /*z*/ <d.h>\n"),
        (List{"a.h", "b.h", "c.h", "d.h"}));
    EXPECT_EQ(names("%:include <digraph.h>\n#include_next <n.h>\n"), (List{"digraph.h", "n.h"}));
    EXPECT_EQ(names("#inc\\\nlude \"joined.h\"\n#include \\\n  <next_line.h>\r\n"), (List{"joined.h", "next_line.h"}));
    EXPECT_EQ(names("#if __has_include(<x.h>) && __has_include ( \"y.h\" )\n#endif\n"), (List{"x.h", "y.h"}));
    EXPECT_EQ(names("#include MACRO(x) \n"), (List{"?MACRO(x)"}));
}

TEST(IncludesOf, TextThatIsNoDirectiveIsNone) {
    EXPECT_EQ(names("// #include \"a.h\"\n/* \n#include \"b.h\"\n*/ int include;\n"), List{});
    EXPECT_EQ(names("const char* s = \"\\\"\\n#include <a.h>\";\nint x = a #include <b.h>\n"), List{});
    EXPECT_EQ(names("auto s = R\"x(\n#include \"raw.h\"\n)\" )x\";\n#include \"real.h\"\n"), List{"real.h"});
    EXPECT_EQ(names("int n = 1'000'000; char c = '\"'; char d = '\\'';\n#include \"after.h\"\n"), List{"after.h"});
    EXPECT_EQ(names("#error don't\n#include \"after.h\"\n"), List{"after.h"});
    EXPECT_EQ(names("// a comment that goes on \\\n#include \"no.h\"\n#include \"yes.h\"\n"), List{"yes.h"});
    EXPECT_EQ(names(""), List{});
}

TEST(IncludesOf, LinesAreCountedAcrossContinuations) {
    std::vector<Include> found = includes_of("int a; \\\n int b;\n/*\n*/\n#include M\n");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].line, 5);
}

TEST_F(IncludeScanTest, NoIncludeIsNothing) {
    IncludeScan result = scan("__global__ void f() {}");
    EXPECT_TRUE(result.files.empty() && result.not_found.empty() && result.unknown.empty());
    EXPECT_EQ(result.hash, scan("__global__ void g() {}").hash);
}

TEST_F(IncludeScanTest, FollowsFilesFromFileToFile) {
    put("a/one.h", "#include \"sub/two.h\"\n");
    put("a/sub/two.h", "#include \"three.h\"\n#include <four.h>\n");
    put("a/sub/three.h", "");
    put("b/four.h", "");
    IncludeScan result = scan("#include <one.h>\n#include <stdio.h>\n");
    EXPECT_EQ(result.files, (List{in("a/one.h"), in("a/sub/two.h"), in("a/sub/three.h"), in("b/four.h")}));
    EXPECT_EQ(result.not_found, List{"stdio.h"});
}

TEST_F(IncludeScanTest, QuotesLookBesideTheIncluderFirst) {
    put("near.h", "");
    put("a/near.h", "int far;");
    EXPECT_EQ(scan("#include \"near.h\"\n").files, List{in("near.h")});
    EXPECT_EQ(scan("#include <near.h>\n").files, List{in("a/near.h")});
}

TEST_F(IncludeScanTest, AnEditAnywhereChangesTheHash) {
    put("a/one.h", "#include \"two.h\"\n");
    put("a/two.h", "int x = 1;\n");
    std::string before = scan("#include <one.h>\n").hash;
    EXPECT_EQ(scan("#include <one.h>\n").hash, before);
    // The same length within the resolution of file times.
    put("a/two.h", "int x = 2;\n");
    std::string edited = scan("#include <one.h>\n").hash;
    EXPECT_NE(edited, before);
    put("a/two.h", "int x = 1;\n");
    EXPECT_EQ(scan("#include <one.h>\n").hash, before);
}

TEST_F(IncludeScanTest, OldFilesAreReadOnceUntilTheyChange) {
    std::string path = put("a/one.h", "int x = 1;\n");
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
    std::string before = scan("#include <one.h>\n").hash;
    EXPECT_EQ(scan("#include <one.h>\n").hash, before);
    put("a/one.h", "int x = 2;\n");
    EXPECT_NE(scan("#include <one.h>\n").hash, before);
}

TEST_F(IncludeScanTest, AFileThatShadowsAnotherIsSeen) {
    put("b/one.h", "int x;\n");
    IncludeScan before = scan("#include <one.h>\n");
    EXPECT_EQ(before.files, List{in("b/one.h")});
    put("a/one.h", "int x;\n");
    IncludeScan after = scan("#include <one.h>\n");
    EXPECT_EQ(after.files, List{in("a/one.h")});
    EXPECT_NE(after.hash, before.hash);
}

TEST_F(IncludeScanTest, AFileThatAppearsIsSeen) {
    std::string text = "#if __has_include(<extra.h>)\n#include <extra.h>\n#endif\n";
    IncludeScan before = scan(text);
    EXPECT_EQ(before.not_found, List{"extra.h"});
    put("a/extra.h", "");
    EXPECT_NE(scan(text).hash, before.hash);
}

TEST_F(IncludeScanTest, CyclesEnd) {
    put("a/one.h", "#include \"two.h\"\n");
    put("a/two.h", "#include \"one.h\"\n#include \"two.h\"\n");
    EXPECT_EQ(scan("#include <one.h>\n").files, (List{in("a/one.h"), in("a/two.h")}));
}

TEST_F(IncludeScanTest, NextIncludesCountWhereverTheyAre) {
    put("a/one.h", "#include_next <one.h>\n");
    put("b/one.h", "int x;\n");
    EXPECT_EQ(scan("#include <one.h>\n").files, (List{in("a/one.h"), in("b/one.h")}));
}

TEST_F(IncludeScanTest, ForcedIncludesCount) {
    put("a/forced.h", "#include \"more.h\"\n");
    put("a/more.h", "");
    Source source;
    source.text = "__global__ void f() {}";
    Options options;
    options.include_folders = {in("a")};
    options.forced_includes = {"forced.h"};
    EXPECT_EQ(scan_includes(source, options).files, (List{in("a/forced.h"), in("a/more.h")}));
}

TEST_F(IncludeScanTest, ComputedIncludesAreReportedWithTheirPlace) {
    put("a/one.h", "\n\n#include CONFIG\n");
    EXPECT_EQ(scan("#include <one.h>\n").unknown, in("a/one.h") +
                                                      ":3: includes 'CONFIG', a name that only the "
                                                      "preprocessor knows");
}

TEST_F(IncludeScanTest, HeadersOfTheToolkitAreNotEntered) {
    put("cuda/cuda_runtime_api.h", "");
    std::string path = put("cuda/cuda_fp16.h", "#include \"inner.h\"\n#include MACRO\n");
    put("cuda/inner.h", "");
    IncludeScan result = scan("#include <cuda_fp16.h>\n", {"cuda"});
    EXPECT_TRUE(result.files.empty());
    EXPECT_TRUE(result.unknown.empty());
    // An upgrade of the toolkit is another version of the file.
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
    EXPECT_NE(scan("#include <cuda_fp16.h>\n", {"cuda"}).hash, result.hash);
}

TEST_F(IncludeScanTest, AbsoluteNamesAreFound) {
    std::string path = put("x/abs.h", "");
    EXPECT_EQ(scan("#include \"" + path + "\"\n").files, List{path});
}

}  // namespace
}  // namespace lanewise::cuda_cpp
