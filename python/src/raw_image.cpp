// CUDA C++ text to bytes that can be kept: a cubin or PTX; the compilers found for it.
#include "backend/cuda/nvcc.h"
#include "backend/cuda/nvrtc.h"
#include "bindings.h"
#include "codegen/compiler.h"
#include "device_object.h"
#include "frontend/cuda/options.h"
#include "jit/cuda_build.h"
#include "raw_kernel.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

cuda_cpp::Source read_source(nb::handle code, nb::handle options, nb::handle backend, bool extern_c,
                             const std::string& file_name) {
    RawOptions read = read_raw_options("compile", options, backend, nb::none(), false);
    cuda_cpp::Source source;
    source.text = read_code("compile", code);
    source.file = file_name;
    source.options = std::move(read.options);
    source.extern_c = extern_c;
    source.backend = read.backend;
    return source;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

nb::tuple compile_image(nb::handle code, nb::handle options, nb::handle backend, bool extern_c,
                        const std::string& file_name, bool use_disk_cache, const std::string& keep_folder, bool ptx,
                        nb::handle device_object) {
    Device& device = to_device(device_object);
    cuda_cpp::Source source = read_source(code, options, backend, extern_c, file_name);
    jit::CudaBuildSettings settings{use_disk_cache, keep_folder};
    Image image;
    {
        nb::gil_scoped_release release;
        image =
            ptx ? jit::compile_cuda_with_text(source, device, settings) : jit::compile_cuda(source, device, settings);
    }
    std::string log = joined(image.warnings);
    if (ptx) return nb::make_tuple(nb::bytes(image.assembly.data(), image.assembly.size()), log);
    return nb::make_tuple(nb::bytes(image.bytes.data(), image.bytes.size()), log);
}

nb::bytes compile_ptx(nb::handle code, const std::string& architecture, nb::handle options, bool extern_c,
                      const std::string& file_name) {
    cuda_cpp::Source source = read_source(code, options, nb::str("clang"), extern_c, file_name);
    Image image;
    {
        nb::gil_scoped_release release;
        cuda_cpp::Options parsed = cuda_cpp::parse_options(source.options);
        CompileOptions settings;
        settings.opt_level = parsed.opt_level;
        settings.contract = parsed.contract;
        settings.line_info = parsed.line_info;
        settings.debug = parsed.debug;
        settings.max_registers = parsed.max_registers;
        image = compiler().compile_cuda(source, parsed, DeviceKind::Cuda, architecture, settings);
    }
    // The text ends with a NUL.
    return nb::bytes(image.bytes.data(), image.bytes.empty() ? 0 : image.bytes.size() - 1);
}

}  // namespace

void bind_raw_images(nb::module_& m) {
    m.def("compile_cuda_image", &compile_image, "code"_a, nb::kw_only(), "options"_a = nb::tuple(),
          "backend"_a = "auto", "extern_c"_a = false, "file_name"_a = "kernel.cu", "use_disk_cache"_a = true,
          "keep_folder"_a = "", "ptx"_a = false, "device"_a.none() = nb::none());
    m.def("compile_cuda_ptx", &compile_ptx, "code"_a, "architecture"_a, nb::kw_only(), "options"_a = nb::tuple(),
          "extern_c"_a = false, "file_name"_a = "kernel.cu");
    m.def("cuda_cpp_compilers", [] {
        nb::dict paths;
        paths["nvrtc"] = cuda::find_nvrtc().path;
        paths["nvcc"] = cuda::find_nvcc().path;
        return paths;
    });
}

}  // namespace lanewise::bindings
