#include "lanewise/image.h"

#include <gtest/gtest.h>

#include <random>

namespace lanewise {
namespace {

Image sample() {
    Image image;
    image.format = ImageFormat::HostObject;
    image.target = "x86_64:+avx2";
    image.bytes = {0x7f, 'E', 'L', 'F', 0, 255};
    EntryPoint entry;
    entry.name = "saxpy_1";
    entry.display_name = "saxpy";
    entry.parameter_bytes = 24;
    entry.parameter_offsets = {0, 8, 16};
    entry.parameter_sizes = {8, 8, 8};
    entry.static_shared_bytes = 1024;
    entry.uses_dynamic_shared = true;
    entry.can_raise = true;
    entry.cooperative = true;
    entry.context_bytes_per_thread = 40;
    image.entries = {entry, EntryPoint{}};
    RaiseSite site;
    site.python_class = "IndexError";
    site.message = "index {0}";
    site.at = {3, 4, 3, 9};
    image.raise_sites = {site};
    SourceFile file;
    file.path = "/tmp/kernel.py";
    file.lines = {"def saxpy():", "    pass", ""};
    file.first_line = 2;
    image.files = {file};
    image.llvm_ir = "define void @saxpy_1";
    image.assembly = std::string("ret\0ret", 7);
    image.warnings = {"promoted to float64"};
    return image;
}

Image round_trip(const Image& image) {
    std::vector<std::uint8_t> bytes = serialize(image);
    return deserialize_image(bytes.data(), bytes.size());
}

TEST(ImageSerialization, KeepsEveryField) {
    Image image = sample();
    Image back = round_trip(image);
    EXPECT_EQ(back.format, image.format);
    EXPECT_EQ(back.target, image.target);
    EXPECT_EQ(back.bytes, image.bytes);
    ASSERT_EQ(back.entries.size(), 2u);
    const EntryPoint& entry = back.entries[0];
    EXPECT_EQ(entry.name, "saxpy_1");
    EXPECT_EQ(entry.display_name, "saxpy");
    EXPECT_EQ(entry.parameter_bytes, 24u);
    EXPECT_EQ(entry.parameter_offsets, image.entries[0].parameter_offsets);
    EXPECT_EQ(entry.parameter_sizes, image.entries[0].parameter_sizes);
    EXPECT_EQ(entry.static_shared_bytes, 1024u);
    EXPECT_TRUE(entry.uses_dynamic_shared);
    EXPECT_TRUE(entry.can_raise);
    EXPECT_TRUE(entry.cooperative);
    EXPECT_EQ(entry.context_bytes_per_thread, 40u);
    EXPECT_FALSE(back.entries[1].can_raise);
    ASSERT_EQ(back.raise_sites.size(), 1u);
    EXPECT_EQ(back.raise_sites[0].python_class, "IndexError");
    EXPECT_EQ(back.raise_sites[0].message, "index {0}");
    EXPECT_EQ(back.raise_sites[0].at.line, 3u);
    EXPECT_EQ(back.raise_sites[0].at.end_column, 9u);
    ASSERT_EQ(back.files.size(), 1u);
    EXPECT_EQ(back.files[0].path, "/tmp/kernel.py");
    EXPECT_EQ(back.files[0].lines, image.files[0].lines);
    EXPECT_EQ(back.files[0].first_line, 2u);
    EXPECT_EQ(back.llvm_ir, image.llvm_ir);
    EXPECT_EQ(back.assembly, image.assembly);
    EXPECT_EQ(back.warnings, image.warnings);
}

TEST(ImageSerialization, AnEmptyImageIsAnImage) {
    EXPECT_EQ(round_trip(Image{}).entries.size(), 0u);
}

void expect_refused(const std::uint8_t* data, std::size_t size) {
    try {
        deserialize_image(data, size);
        FAIL() << "accepted " << size << " bytes";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Value);
        EXPECT_EQ(std::string(error.what()).find("deserialize_image: malformed image: "), 0u) << error.what();
    }
}

TEST(ImageSerialization, RefusesEveryTruncation) {
    std::vector<std::uint8_t> bytes = serialize(sample());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        // A buffer of exactly that size, so that a sanitizer sees reads past its end.
        std::vector<std::uint8_t> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        expect_refused(part.data(), part.size());
    }
}

TEST(ImageSerialization, RefusesTrailingBytes) {
    std::vector<std::uint8_t> bytes = serialize(sample());
    bytes.push_back(0);
    expect_refused(bytes.data(), bytes.size());
}

TEST(ImageSerialization, RefusesAnotherVersion) {
    std::vector<std::uint8_t> bytes = serialize(sample());
    ++bytes[4];
    expect_refused(bytes.data(), bytes.size());
}

TEST(ImageSerialization, RefusesParametersOutsideTheBuffer) {
    Image image = sample();
    image.entries[0].parameter_offsets[2] = 17;
    std::vector<std::uint8_t> bytes = serialize(image);
    expect_refused(bytes.data(), bytes.size());
}

TEST(ImageSerialization, RefusesARaiseSiteInNoFile) {
    Image image = sample();
    image.raise_sites[0].file = 1;
    std::vector<std::uint8_t> bytes = serialize(image);
    expect_refused(bytes.data(), bytes.size());
}

/// Damage may go unnoticed here (the cache's checksum finds it); it must not crash or allocate without bound.
TEST(ImageSerialization, SurvivesEveryBitFlip) {
    const std::vector<std::uint8_t> bytes = serialize(sample());
    for (std::size_t i = 0; i < bytes.size() * 8; ++i) {
        std::vector<std::uint8_t> damaged = bytes;
        damaged[i / 8] ^= static_cast<std::uint8_t>(1u << (i % 8));
        try {
            deserialize_image(damaged.data(), damaged.size());
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Value);
        }
    }
}

TEST(ImageSerialization, SurvivesRandomDamage) {
    const std::vector<std::uint8_t> bytes = serialize(sample());
    std::mt19937 random(7);
    for (int round = 0; round < 20000; ++round) {
        std::vector<std::uint8_t> damaged = bytes;
        for (int i = 0; i < 4; ++i) damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
        try {
            deserialize_image(damaged.data(), damaged.size());
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Value);
        }
    }
}

}  // namespace
}  // namespace lanewise
