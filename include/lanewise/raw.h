// RawModule and RawKernel: kernels written in CUDA C++, or compiled elsewhere, on every device that asks for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lanewise/buffer.h"
#include "lanewise/cuda_cpp.h"
#include "lanewise/device.h"

namespace lanewise {

class RawKernel;

/// A CUDA C++ text, or device code in a file or in memory. It is compiled or loaded for a device when it is first
/// needed there: one thread does, others that need it wait, and all of them get the error if there is one. Thread-safe.
class RawModule : public std::enable_shared_from_this<RawModule> {
public:
    struct BuildSettings {
        bool use_disk_cache = true;
        /// Modules of the same text share what is loaded on a device, and so the variables of the text.
        bool share_loaded = false;
        std::string keep_folder;  ///< for the files that nvcc leaves behind; "": none are kept
    };
    /// What a device has of it.
    struct Loaded {
        std::shared_ptr<Module> module;
        /// The compiler that made the code; none for code from elsewhere.
        std::optional<cuda_cpp::Backend> backend;
    };

    static std::shared_ptr<RawModule> from_source(cuda_cpp::Source source, BuildSettings settings);
    static std::shared_ptr<RawModule> from_source(cuda_cpp::Source source);
    /// PTX, a cubin or a fatbin.
    static std::shared_ptr<RawModule> from_file(std::string path);
    /// Bytes of one; `name` is what errors call it.
    static std::shared_ptr<RawModule> from_image(std::vector<std::uint8_t> bytes, std::string name = "image");
    ~RawModule();
    RawModule(const RawModule&) = delete;
    RawModule& operator=(const RawModule&) = delete;

    /// Null when it is not made from a source.
    const cuda_cpp::Source* source() const;
    /// "" when it is not made from a file.
    const std::string& path() const;
    const BuildSettings& build_settings() const;
    /// Empty unless it is made from an image.
    const std::vector<std::uint8_t>& image() const;

    /// Lock-free. Null while nothing is loaded on `device`.
    const Loaded* find(const Device& device) const noexcept;
    /// Compiles and loads where that has not happened. `first`, if given: whether this call did. Errors of
    /// jit::build_cuda and jit::load_image.
    const Loaded& on(Device& device, bool* first = nullptr);
    /// The symbol on `device` for a kernel's symbol, its plain name ("scale" for a C++ function) or a name expression
    /// of the source ("scale<float>"). Error(Value) with the names there are and the nearest of them.
    std::string kernel_symbol(const std::string& name, Device& device);
    /// A global variable by symbol, plain name or name expression ("&ns::table" or "ns::table"), as memory that keeps
    /// the module loaded. Error(Value) when there is none.
    std::shared_ptr<Buffer> global(const std::string& name, Device& device);
    /// The kernel of that name; looked up on a device when it is first needed there.
    std::shared_ptr<RawKernel> function(std::string name, bool cooperative = false);

private:
    struct Impl;
    explicit RawModule(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// Where a parameter lies in the packed buffer, and what it takes.
struct RawParameter {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
    ParameterKind kind = ParameterKind::Opaque;
    DType dtype = DType::Int8;   ///< of a Scalar, and of a Pointer's elements where `pointee_known`
    bool pointee_known = false;  ///< a Pointer whose elements are `dtype`
    bool read_only = false;      ///< a Pointer to const
    /// Elements of type `dtype` that a Struct consists of: 4 for float4, 2 for cuDoubleComplex; 0 where it is not
    /// known.
    std::uint8_t lanes = 0;
    std::string name;  ///< "" when it is not known
    std::string type;  ///< as declared: "const float *"; "" when it is not known
};

/// The parameters of a kernel.
struct RawParameters {
    /// Off for code from elsewhere whose parameters the driver does not tell: arguments are packed by their own types.
    bool layout_known = true;
    std::uint32_t bytes = 0;
    std::vector<RawParameter> items;
};

/// From what a compiler or the driver says of the kernel.
RawParameters parameters_of(const EntryPoint& entry, bool layout_known = true);

/// "float a, const float *x, int n"; "8 bytes, 4 bytes" where only sizes are known.
std::string to_string(const RawParameters& parameters);
/// "parameter 2 'n' (int)".
std::string describe(const RawParameters& parameters, std::size_t index);

/// One kernel of a RawModule, on every device that asks for it. Thread-safe.
class RawKernel {
public:
    struct Loaded {
        std::shared_ptr<Kernel> kernel;
        RawParameters parameters;
    };

    RawKernel(std::shared_ptr<RawModule> module, std::string name, bool cooperative = false);
    ~RawKernel();
    RawKernel(const RawKernel&) = delete;
    RawKernel& operator=(const RawKernel&) = delete;

    const std::shared_ptr<RawModule>& module() const { return module_; }
    /// What the user called it.
    const std::string& name() const { return name_; }
    /// Launches are cooperative.
    bool cooperative() const { return cooperative_; }

    /// Lock-free. Null while it is not loaded on `device`.
    const Loaded* find(const Device& device) const noexcept;
    /// Loads it, and the module, where that has not happened.
    const Loaded& on(Device& device);

    /// `parameters` is the packed buffer; Error(Value) when its size is not the kernel's.
    void launch(Stream& stream, LaunchConfig config, std::span<const std::byte> parameters);

private:
    struct Impl;
    std::shared_ptr<RawModule> module_;
    std::string name_;
    bool cooperative_;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanewise
