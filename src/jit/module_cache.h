// From a key to a loaded Module: the order of the caches, the same for all front ends.
#pragma once

#include <functional>
#include <string>

#include "codegen/compiler.h"
#include "lanewise/device.h"

namespace lanewise::jit {

struct Built {
    std::shared_ptr<Module> module;
    bool from_disk = false;
    bool from_process = false;  ///< the same code was loaded already
    double milliseconds = 0;    ///< from the source or IR to the loaded module
};

struct CachedBuild {
    std::string name;  ///< for the log
    /// What decides the code, as a hash; "": it is not known, and neither cache serves.
    std::string key;
    Device& device;
    bool use_disk_cache = true;
    bool share_loaded = true;  ///< a module that is loaded already may serve
    /// Makes what Device::load takes.
    std::function<Image()> compile;
};

/// The module of `request.key` that this process has loaded, else the one on the disk, else a compiled one, which is
/// then stored. Thread-safe.
Built build_cached(const CachedBuild& request);
/// The image that build_cached would load, from the disk or compiled.
Image compile_cached(const CachedBuild& request);

/// Sizes and times of the two shared objects whose code makes images: a rebuilt or upgraded one has its own entries.
const std::string& build_identity();

/// Device::link, its time counted.
Image link_counted(Device& device, Image image, const LinkOptions& options);
LinkOptions link_options(const CompileOptions& options);

}  // namespace lanewise::jit
