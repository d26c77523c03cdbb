// Content hashes: what changes them and what does not.
#include "build.h"
#include "codegen/compiler.h"

namespace lanewise::test {
namespace {

std::string hash_of(std::int64_t addend, std::uint32_t line, bool with_locations, const char* name = "k") {
    Kernel k;
    k.function->name = name;
    Value* p = k.parameter(Type::pointer(Space::Global));
    k.b.set_location({line, 0, line, 5});
    k.b.store(p, k.b.add(k.b.load(i64, p), k.b.i64(addend)));
    k.b.ret();
    return content_hash(k.module, with_locations);
}

TEST(ContentHash, EqualModulesHashEqual) {
    EXPECT_EQ(hash_of(5, 1, true), hash_of(5, 1, true));
    EXPECT_EQ(hash_of(5, 1, true).size(), 32u);
}

TEST(ContentHash, DependsOnConstantsAndNames) {
    EXPECT_NE(hash_of(5, 1, false), hash_of(6, 1, false));
    EXPECT_NE(hash_of(5, 1, false), hash_of(5, 1, false, "other"));
}

TEST(ContentHash, DependsOnLocationsOnlyWhenAsked) {
    EXPECT_EQ(hash_of(5, 1, false), hash_of(5, 2, false));
    EXPECT_NE(hash_of(5, 1, true), hash_of(5, 2, true));
}

TEST(ContentHash, DependsOnWhatAGlobalHolds) {
    auto hash = [](std::vector<std::uint8_t> data) {
        Kernel k;
        k.module.new_global("g", Space::Constant, 4, 4)->data = std::move(data);
        k.b.ret();
        return content_hash(k.module, false);
    };
    EXPECT_NE(hash({1}), hash({2}));
    EXPECT_NE(hash({}), hash({0}));
}

TEST(CompileOptionsHash, DependsOnEveryOptionThatDecidesCode) {
    const CompileOptions base;
    auto changed = [&](auto change) {
        CompileOptions options;
        change(options);
        return options.hash() != base.hash();
    };
    EXPECT_EQ(CompileOptions().hash(), base.hash());
    EXPECT_TRUE(changed([](CompileOptions& o) { o.opt_level = 1; }));
    EXPECT_TRUE(changed([](CompileOptions& o) { o.contract = false; }));
    EXPECT_TRUE(changed([](CompileOptions& o) { o.fastmath = true; }));
    EXPECT_TRUE(changed([](CompileOptions& o) { o.line_info = true; }));
    EXPECT_TRUE(changed([](CompileOptions& o) { o.debug = true; }));
    EXPECT_TRUE(changed([](CompileOptions& o) { o.max_registers = 32; }));
    EXPECT_TRUE(changed([](CompileOptions& o) { o.max_threads_per_block = 32; }));
    EXPECT_TRUE(changed([](CompileOptions& o) { o.min_blocks_per_multiprocessor = 2; }));
    EXPECT_TRUE(changed([](CompileOptions& o) { o.max_cluster_blocks = 2; }));
}

}  // namespace
}  // namespace lanewise::test
