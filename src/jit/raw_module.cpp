// RawModule: a source, a file or an image, compiled and loaded for each device on demand.
#include <fmt/format.h>

#include <algorithm>

#include "jit/cuda_build.h"
#include "jit/per_device.h"
#include "jit/raw_names.h"
#include "lanewise/raw.h"

namespace lanewise {

struct RawModule::Impl {
    std::optional<cuda_cpp::Source> source;
    BuildSettings build;
    std::string path;
    std::vector<std::uint8_t> image;
    std::string image_name;
    jit::PerDevice<Loaded> loaded;

    Loaded load(Device& device) const {
        if (!source)
            return {path.empty() ? jit::load_image(image, image_name, device) : jit::load_image_file(path, device),
                    std::nullopt};
        jit::CudaBuildSettings settings;
        settings.use_disk_cache = build.use_disk_cache;
        settings.share_loaded = build.share_loaded;
        settings.keep_folder = build.keep_folder;
        jit::CudaBuilt built = jit::build_cuda(*source, device, settings);
        return {std::move(built.module), built.backend};
    }
};

RawModule::RawModule(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RawModule::~RawModule() = default;

std::shared_ptr<RawModule> RawModule::from_source(cuda_cpp::Source source, BuildSettings settings) {
    auto impl = std::make_unique<Impl>();
    impl->source = std::move(source);
    impl->build = std::move(settings);
    return std::shared_ptr<RawModule>(new RawModule(std::move(impl)));
}

std::shared_ptr<RawModule> RawModule::from_source(cuda_cpp::Source source) {
    return from_source(std::move(source), BuildSettings{});
}

std::shared_ptr<RawModule> RawModule::from_file(std::string path) {
    auto impl = std::make_unique<Impl>();
    impl->path = std::move(path);
    return std::shared_ptr<RawModule>(new RawModule(std::move(impl)));
}

std::shared_ptr<RawModule> RawModule::from_image(std::vector<std::uint8_t> bytes, std::string name) {
    auto impl = std::make_unique<Impl>();
    impl->image = std::move(bytes);
    impl->image_name = std::move(name);
    return std::shared_ptr<RawModule>(new RawModule(std::move(impl)));
}

const cuda_cpp::Source* RawModule::source() const {
    return impl_->source ? &*impl_->source : nullptr;
}

const std::string& RawModule::path() const {
    return impl_->path;
}

const RawModule::BuildSettings& RawModule::build_settings() const {
    return impl_->build;
}

const std::vector<std::uint8_t>& RawModule::image() const {
    return impl_->image;
}

const RawModule::Loaded* RawModule::find(const Device& device) const noexcept {
    return impl_->loaded.find(device);
}

const RawModule::Loaded& RawModule::on(Device& device, bool* first) {
    return impl_->loaded.find_or_make(device, [&] { return impl_->load(device); }, first);
}

std::string RawModule::kernel_symbol(const std::string& name, Device& device) {
    Module& module = *on(device).module;
    const Image& image = module.image();
    if (std::optional<std::string> symbol = jit::find_kernel_symbol(image, name)) return *symbol;
    // What an image does not describe only the loaded module knows.
    if (image.entries.empty()) return module.kernel(name)->entry().name;
    try {
        return module.kernel(name)->entry().name;
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Value) throw;
        jit::fail_missing_kernel(image, name);
    }
}

std::shared_ptr<Buffer> RawModule::global(const std::string& name, Device& device) {
    std::shared_ptr<Module> module = on(device).module;
    auto [data, bytes] = module->global(jit::variable_symbol(module->image(), name));
    return Buffer::foreign(device, MemoryKind::Device, data, bytes, nullptr, [module] {});
}

std::shared_ptr<RawKernel> RawModule::function(std::string name, bool cooperative) {
    return std::make_shared<RawKernel>(shared_from_this(), std::move(name), cooperative);
}

}  // namespace lanewise
