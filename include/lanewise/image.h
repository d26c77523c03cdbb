// Image: compiled bytes for one target with their entry points; where the front ends meet the runtime and the disk
// cache.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lanewise/dtype.h"
#include "lanewise/error.h"

namespace lanewise {

enum class ImageFormat : std::uint8_t {
    Cubin,       ///< linked machine code for one NVIDIA architecture
    Ptx,         ///< PTX text, NUL-terminated; the driver compiles it
    HostObject,  ///< ELF shared object for this host; see src/backend/cpu/abi.h
};

/// A place a kernel may raise: its number is what the kernel writes into the device's error slot.
struct RaiseSite {
    std::string python_class;  ///< "IndexError", "AssertionError", ...
    /// Text with {0}, {1}, ... standing for the int64 values the kernel stores along.
    std::string message;
    Location at;
    std::uint32_t file = 0;  ///< index into Image::files
};

enum class ParameterKind : std::uint8_t {
    Opaque,   ///< known by its size alone
    Scalar,   ///< an arithmetic type, an enumeration or a 16-bit float: `dtype`
    Pointer,  ///< to device memory; `dtype` is the pointee's where `pointee_known`
    Struct,   ///< a class passed by value: its bytes
};

/// A parameter of a CUDA C++ kernel, as its source declares it.
struct Parameter {
    std::string name;  ///< "" when the source gives none
    std::string type;  ///< as spelled: "const float *"
    ParameterKind kind = ParameterKind::Opaque;
    DType dtype = DType::Int8;
    bool pointee_known = false;  ///< a Pointer to an element type of arrays
    bool read_only = false;      ///< a Pointer to const
};

struct EntryPoint {
    std::string name;          ///< symbol
    std::string display_name;  ///< what the user called it
    std::uint32_t parameter_bytes = 0;
    /// Offset and size of each parameter in the packed buffer (natural alignment).
    std::vector<std::uint32_t> parameter_offsets;
    std::vector<std::uint32_t> parameter_sizes;
    /// One for each parameter when they are known, else empty.
    std::vector<Parameter> parameters;
    std::uint32_t static_shared_bytes = 0;
    /// Most threads of a block, from launch bounds; 0: as many as the device takes.
    std::uint32_t max_threads = 0;
    bool uses_dynamic_shared = false;
    /// The kernel may report an error: launches of it are checked at the next synchronisation (or at once if asked).
    bool can_raise = false;
    bool cooperative = false;
    // cpu device only
    std::uint32_t context_bytes_per_thread = 0;
};

struct Image {
    ImageFormat format = ImageFormat::Cubin;
    /// "sm_90a", or the host CPU's name and features: an image runs only where this matches.
    std::string target;
    std::vector<std::uint8_t> bytes;
    std::vector<EntryPoint> entries;
    /// Name expressions of CUDA C++ ("scale<float>", "&ns::table") and the symbols they stand for.
    std::vector<std::pair<std::string, std::string>> names;
    std::vector<RaiseSite> raise_sites;
    std::vector<SourceFile> files;
    /// Texts kept for inspect_*: may be empty when loaded from a cache that dropped them.
    std::string llvm_ir;
    std::string assembly;
    /// Messages of the compile that are no errors (promotion to float64, spills, a C++ compiler's): shown once as
    /// warnings.
    std::vector<std::string> warnings;
};

/// Byte form used by the disk cache; `deserialize` throws Error(Value) on anything malformed.
std::vector<std::uint8_t> serialize(const Image& image);
Image deserialize_image(const std::uint8_t* data, std::size_t size);

}  // namespace lanewise
