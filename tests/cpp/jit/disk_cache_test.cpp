// The disk cache: hits, damaged entries, eviction, several writers, folders that cannot be written.
#include "jit/disk_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/hash.h"
#include "jit/statistics.h"

namespace lanewise::jit {
namespace {

namespace fs = std::filesystem;

class DiskCacheTest : public ::testing::Test {
protected:
    DiskCacheTest() {
        std::string pattern = fs::temp_directory_path() / "lanewise-disk-cache-XXXXXX";
        folder_ = ::mkdtemp(pattern.data());
    }
    ~DiskCacheTest() override {
        std::error_code error;
        fs::permissions(folder_, fs::perms::owner_all, error);
        fs::remove_all(folder_, error);
    }
    DiskCache::Settings settings(std::uint64_t limit = 1 << 20) const { return {folder_, limit, true}; }
    std::vector<fs::path> files() const {
        std::vector<fs::path> found;
        for (const auto& entry : fs::recursive_directory_iterator(folder_))
            if (entry.is_regular_file()) found.push_back(entry.path());
        return found;
    }
    static void set_age(const fs::path& path, int seconds) {
        fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
    }

    std::string folder_;
};

std::string key(int number) {
    return hash128(std::to_string(number));
}

Image image(std::size_t bytes, std::uint8_t value = 7) {
    Image made;
    made.format = ImageFormat::Cubin;
    made.target = "sm_90a";
    made.bytes.assign(bytes, value);
    made.entries.emplace_back();
    made.entries.back().name = "kernel";
    return made;
}

TEST_F(DiskCacheTest, GivesBackWhatWasStored) {
    DiskCache cache(settings());
    EXPECT_FALSE(cache.find(key(1)));
    cache.store(key(1), image(100, 42));
    std::optional<Image> found = cache.find(key(1));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->bytes, image(100, 42).bytes);
    EXPECT_EQ(found->target, "sm_90a");
    EXPECT_EQ(found->entries.at(0).name, "kernel");
    EXPECT_FALSE(cache.find(key(2)));
    EXPECT_TRUE(DiskCache(settings()).find(key(1)));
}

TEST_F(DiskCacheTest, DamagedEntriesAreMissesAndGoAway) {
    DiskCache cache(settings());
    for (auto damage : std::vector<void (*)(const fs::path&)>{
             [](const fs::path& path) { fs::resize_file(path, fs::file_size(path) - 1); },
             [](const fs::path& path) { fs::resize_file(path, 10); },
             [](const fs::path& path) { fs::resize_file(path, 0); },
             [](const fs::path& path) {
                 std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
                 file.seekp(-1, std::ios::end);
                 file.put('x');
             },
             [](const fs::path& path) {
                 std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
                 file.put('x');
             },
             [](const fs::path& path) { std::ofstream(path, std::ios::app) << "more"; },
         }) {
        cache.store(key(1), image(100));
        ASSERT_EQ(files().size(), 1u);
        damage(files()[0]);
        std::uint64_t corrupt = statistics().corrupt_entries;
        EXPECT_FALSE(cache.find(key(1)));
        EXPECT_EQ(statistics().corrupt_entries, corrupt + 1);
        EXPECT_TRUE(files().empty());
    }
    cache.store(key(1), image(100));
    EXPECT_TRUE(cache.find(key(1)));
}

TEST_F(DiskCacheTest, EvictsWhatWasUsedLongestAgo) {
    DiskCache(settings()).store(key(0), image(10000));
    std::uint64_t entry_bytes = fs::file_size(files()[0]);
    DiskCache cache(settings(4 * entry_bytes));
    set_age(files()[0], 4000);
    for (int i = 1; i < 4; ++i) cache.store(key(i), image(10000));
    ASSERT_EQ(files().size(), 4u);
    for (const fs::path& path : files())
        if (!path.filename().string().starts_with(key(0)))
            set_age(path, path.filename().string().starts_with(key(1)) ? 3000 : 1000);
    // A hit makes the oldest entry the newest.
    EXPECT_TRUE(cache.find(key(0)));
    cache.store(key(4), image(10000));
    EXPECT_LE(cache.usage().bytes, 4 * entry_bytes);
    EXPECT_TRUE(cache.find(key(0)));
    EXPECT_FALSE(cache.find(key(1)));
    EXPECT_TRUE(cache.find(key(4)));
}

TEST_F(DiskCacheTest, DoesNotKeepWhatIsLargerThanTheLimit) {
    DiskCache cache(settings(1000));
    cache.store(key(1), image(2000));
    EXPECT_TRUE(files().empty());
}

TEST_F(DiskCacheTest, RemovesWhatDeadWritersLeft) {
    DiskCache cache(settings(3000));
    cache.store(key(1), image(100));
    fs::path left = files()[0].parent_path() / "tmp-left-1-1", fresh = files()[0].parent_path() / "tmp-fresh-1-1";
    std::ofstream(left) << "half";
    std::ofstream(fresh) << "half";
    set_age(left, 7200);
    EXPECT_EQ(cache.usage().entries, 1u);
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::exists(fresh));
}

TEST_F(DiskCacheTest, ClearsAndCounts) {
    DiskCache cache(settings());
    for (int i = 0; i < 5; ++i) cache.store(key(i), image(100));
    DiskCache::Usage usage = cache.usage();
    EXPECT_EQ(usage.entries, 5u);
    EXPECT_GT(usage.bytes, 500u);
    EXPECT_EQ(cache.clear(), usage.bytes);
    EXPECT_EQ(cache.usage().entries, 0u);
    EXPECT_FALSE(cache.find(key(0)));
}

TEST_F(DiskCacheTest, AFolderThatCannotBeWrittenIsNoError) {
    std::ofstream(folder_ + "/file") << "no folder";
    DiskCache cache({folder_ + "/file/cache", 1 << 20, true});
    cache.store(key(1), image(100));
    cache.store(key(2), image(100));
    EXPECT_FALSE(cache.find(key(1)));
    EXPECT_EQ(cache.usage().entries, 0u);
}

TEST_F(DiskCacheTest, OffMeansOff) {
    DiskCache::Settings off = settings();
    off.enabled = false;
    DiskCache cache(off);
    cache.store(key(1), image(100));
    EXPECT_TRUE(files().empty());
    DiskCache(settings()).store(key(1), image(100));
    EXPECT_FALSE(cache.find(key(1)));
}

/// Stores and finds the same few keys again and again; every hit must be whole.
bool hammer(const DiskCache::Settings& settings, int seed) {
    DiskCache cache(settings);
    for (int i = 0; i < 300; ++i) {
        int number = (i * 7 + seed) % 6;
        if (std::optional<Image> found = cache.find(key(number))) {
            if (found->bytes != std::vector<std::uint8_t>(2000, static_cast<std::uint8_t>(number))) return false;
        } else {
            cache.store(key(number), image(2000, static_cast<std::uint8_t>(number)));
        }
        if (i % 97 == 96) cache.clear();
    }
    return true;
}

TEST_F(DiskCacheTest, ServesSeveralProcessesAndThreads) {
    // Room for half of the entries, so that writers evict each other's.
    DiskCache::Settings shared = settings(3 * 2300);
    std::uint64_t corrupt = statistics().corrupt_entries;
    std::vector<pid_t> children;
    for (int i = 0; i < 3; ++i) {
        pid_t child = ::fork();
        if (child == 0) ::_exit(hammer(shared, i) && statistics().corrupt_entries == corrupt ? 0 : 1);
        children.push_back(child);
    }
    bool whole[2] = {};
    {
        std::jthread first([&] { whole[0] = hammer(shared, 10); }), second([&] { whole[1] = hammer(shared, 11); });
    }
    EXPECT_TRUE(whole[0] && whole[1]);
    EXPECT_EQ(statistics().corrupt_entries, corrupt);
    for (pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
}

TEST(ParseSize, ReadsBytesAndSuffixes) {
    EXPECT_EQ(parse_size("1073741824"), 1u << 30);
    EXPECT_EQ(parse_size("512M"), 512u << 20);
    EXPECT_EQ(parse_size("2g"), std::uint64_t(2) << 30);
    EXPECT_EQ(parse_size("64KB"), 64u << 10);
    for (const char* wrong : {"", "M", "12X", "-1", "1.5G", "12MBB", "99999999999999T"})
        EXPECT_THROW(parse_size(wrong), Error) << wrong;
}

/// Sets a variable (null: unsets it) and puts it back.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        set(value);
    }
    ~Variable() { set(old_ ? old_->c_str() : nullptr); }

private:
    void set(const char* value) { value ? ::setenv(name_, value, 1) : ::unsetenv(name_); }
    const char* name_;
    std::optional<std::string> old_;
};

TEST(Settings, ComeFromTheEnvironment) {
    {
        Variable folder("LANEWISE_CACHE_DIR", "/some/where"), size("LANEWISE_CACHE_SIZE", "3M");
        DiskCache::Settings settings = DiskCache::Settings::from_environment();
        EXPECT_EQ(settings.folder, "/some/where");
        EXPECT_EQ(settings.limit_bytes, 3u << 20);
        EXPECT_TRUE(settings.enabled);
        Variable off("LANEWISE_CACHE", "0");
        EXPECT_FALSE(DiskCache::Settings::from_environment().enabled);
    }
    Variable folder("LANEWISE_CACHE_DIR", nullptr), cache("XDG_CACHE_HOME", "/xdg");
    EXPECT_EQ(DiskCache::Settings::from_environment().folder, "/xdg/lanewise");
    Variable none("XDG_CACHE_HOME", nullptr), home("HOME", "/home/me");
    EXPECT_EQ(DiskCache::Settings::from_environment().folder, "/home/me/.cache/lanewise");
}

}  // namespace
}  // namespace lanewise::jit
