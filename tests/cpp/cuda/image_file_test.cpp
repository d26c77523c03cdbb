// PTX, cubins and fatbins that a user brings: told apart by their first bytes; refused where they cannot run.
#include "fixture.h"
#include "jit/cuda_build.h"
#include "nvrtc_fixture.h"

namespace lanewise {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class ImageFiles : public CudaTest {
protected:
    std::shared_ptr<Module> load(const std::string& content, const LinkOptions& options = {}) {
        return jit::load_image(bytes_of(content), "code.bin", *device_, options);
    }
    ScopedFolder folder_;
};

/// The first bytes of an ELF file for a machine (EM_CUDA is 190, EM_X86_64 is 62).
std::string elf(unsigned char machine) {
    std::string header(
        "\x7f"
        "ELF\2\1\1",
        7);
    header.resize(64, '\0');
    header[18] = char(machine);
    return header;
}

const char* const ptx = "//\n// Generated\n/* by hand */\n.version 8.0\n.target sm_90\nkernel add 8 0\n";

TEST_F(ImageFiles, PtxIsLinkedAndLoaded) {
    // The fake driver reads lines of its own beside directives.
    std::string code = "   .version 8.0\n.target sm_90\nkernel add 8 0\n";
    LinkOptions options;
    options.max_registers = 24;
    std::shared_ptr<Module> module = load(code, options);
    EXPECT_EQ(fake_cuda::link_options().at(cuda::CU_JIT_MAX_REGISTERS), 24u);
    EXPECT_EQ(module->image().format, ImageFormat::Cubin);
    EXPECT_EQ(module->kernel("add")->entry().parameter_bytes, 8u);
    // Linked code is kept; each call loads a module of its own.
    fake_cuda::take_calls();
    std::shared_ptr<Module> again = load(code, options);
    EXPECT_NE(again, module);
    EXPECT_FALSE(called(fake_cuda::take_calls(), "cuLinkComplete"));
}

TEST_F(ImageFiles, RefusedPtxCarriesTheDriversLog) {
    Error error = error_of([&] { load(ptx); });
    EXPECT_EQ(error.kind(), ErrorKind::Compile);
    EXPECT_EQ(error.log, "ptxas fatal: line 1");
}

TEST_F(ImageFiles, CubinsAndFatbinsGoToTheDriverAsTheyAre) {
    for (const std::string& content : {elf(190), std::string("\x50\xed\x55\xba rest")}) {
        fake_cuda::take_calls();
        Error error = error_of([&] { load(content); });
        EXPECT_EQ(error.kind(), ErrorKind::Compile);
        auto calls = fake_cuda::take_calls();
        EXPECT_TRUE(called(calls, "cuModuleLoadDataEx"));
        EXPECT_FALSE(called(calls, "cuLinkCreate_v2"));
    }
}

TEST_F(ImageFiles, OtherContentIsNamed) {
    EXPECT_SAYS(error_of([&] { load(elf(62)); }), "code.bin", "for the host", "PTX, cubins and fatbins");
    EXPECT_SAYS(error_of([&] { load("__global__ void f() {}"); }), "CUDA C++ source", "RawModule(code=...)");
    EXPECT_SAYS(error_of([&] { load("BC\xc0\xde"); }), "LLVM bitcode");
    EXPECT_SAYS(error_of([&] { load(""); }), "empty");
    EXPECT_SAYS(error_of([&] { load("hello"); }), "neither PTX nor");
    EXPECT_EQ(error_of([&] { load("hello"); }).kind(), ErrorKind::Value);
}

TEST_F(ImageFiles, TheCpuDeviceSaysWhatWorks) {
    for (const std::string& content : {elf(190), std::string(ptx)}) {
        Error error = error_of([&] { jit::load_image(bytes_of(content), "code.bin", cpu_device()); });
        EXPECT_EQ(error.kind(), ErrorKind::Value);
        EXPECT_SAYS(error, "code.bin", "cpu", "RawModule(code=...)");
    }
}

TEST_F(ImageFiles, FilesAreRead) {
    std::string path = folder_.put("a.ptx", ".version 8.0\nkernel add 8 0\n");
    EXPECT_NO_THROW(jit::load_image_file(path, *device_)->kernel("add"));
    Error error = error_of([&] { jit::load_image_file(folder_.path() + "/none.cubin", *device_); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "none.cubin", "No such file");
}

}  // namespace
}  // namespace lanewise
