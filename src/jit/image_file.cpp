// load_image: PTX, cubins and fatbins that a user brings.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "jit/cuda_build.h"
#include "jit/module_cache.h"

namespace lanewise::jit {

namespace {

enum class Content : std::uint8_t { Ptx, Cubin, Fatbin, HostProgram, Bitcode, Source, Unknown };

constexpr unsigned elf_machine_cuda = 190;

/// The first directive of a PTX text is .version; comments may stand before it.
bool is_ptx(std::string_view text) {
    while (!text.empty()) {
        if (std::isspace(static_cast<unsigned char>(text.front()))) {
            text.remove_prefix(1);
        } else if (text.starts_with("//")) {
            text.remove_prefix(std::min(text.find('\n'), text.size()));
        } else if (text.starts_with("/*")) {
            std::size_t end = text.find("*/");
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
        } else {
            break;
        }
    }
    return text.starts_with(".version");
}

Content content_of(std::string_view bytes) {
    if (bytes.starts_with("\x7f"
                          "ELF") &&
        bytes.size() >= 20) {
        unsigned machine = static_cast<unsigned char>(bytes[18]) | static_cast<unsigned char>(bytes[19]) << 8;
        return machine == elf_machine_cuda ? Content::Cubin : Content::HostProgram;
    }
    if (bytes.starts_with("\x50\xed\x55\xba")) return Content::Fatbin;
    if (bytes.starts_with("BC\xc0\xde")) return Content::Bitcode;
    if (is_ptx(bytes)) return Content::Ptx;
    if (bytes.find("__global__") != std::string_view::npos) return Content::Source;
    return Content::Unknown;
}

const char* describe(Content content) {
    switch (content) {
        case Content::Ptx:
            return "PTX";
        case Content::Cubin:
            return "a cubin, machine code for one NVIDIA architecture";
        case Content::Fatbin:
            return "a fatbin, code for NVIDIA GPUs";
        case Content::HostProgram:
            return "a program, library or object file for the host";
        case Content::Bitcode:
            return "LLVM bitcode";
        case Content::Source:
            return "CUDA C++ source, to be compiled as RawModule(code=...)";
        case Content::Unknown:
            return "neither PTX nor a cubin nor a fatbin";
    }
    return "";
}

}  // namespace

std::shared_ptr<Module> load_image(std::span<const std::uint8_t> bytes, const std::string& name, Device& device,
                                   const LinkOptions& options) {
    const Content content = content_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (content != Content::Ptx && content != Content::Cubin && content != Content::Fatbin)
        throw Error(ErrorKind::Value,
                    fmt::format("cannot load {} as device code: it is {}; PTX, cubins and fatbins can be loaded", name,
                                bytes.empty() ? "empty" : describe(content)));
    if (device.kind() == DeviceKind::Cpu)
        throw Error(ErrorKind::Value,
                    fmt::format("cannot load {} on the device {}: it is {}; this device runs CUDA C++ from its source, "
                                "as RawModule(code=...), and Python kernels",
                                name, device.name(), describe(content)));
    Image image;
    image.format = content == Content::Ptx ? ImageFormat::Ptx : ImageFormat::Cubin;
    image.target = device.target();
    image.bytes.assign(bytes.begin(), bytes.end());
    if (image.format == ImageFormat::Ptx) {
        std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const std::string key =
            hash128(fmt::format("ptx\n{}\n{} {} {} {} {} {}", hash128(text), options.max_registers, options.opt_level,
                                options.line_info, options.debug, device.target(), build_identity()));
        image = compile_cached(
            {.name = name, .key = key, .device = device, .use_disk_cache = true, .share_loaded = false, .compile = [&] {
                 return link_counted(device, image, options);
             }});
    }
    return device.load(std::move(image));
}

std::shared_ptr<Module> load_image_file(const std::string& path, Device& device, const LinkOptions& options) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::uint8_t> bytes;
    if (file) bytes.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    if (!file || file.bad())
        throw Error(ErrorKind::Value, fmt::format("cannot read {}: {}", path, std::strerror(errno ? errno : EIO)));
    return load_image(bytes, path, device, options);
}

}  // namespace lanewise::jit
