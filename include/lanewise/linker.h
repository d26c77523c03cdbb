// Linker: one image made of parts in several forms, and the options under which a device assembles code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "lanewise/image.h"

namespace lanewise {

/// How a device assembles PTX (the driver linker's options).
struct LinkOptions {
    int max_registers = 0;  ///< 0: no bound
    int opt_level = 3;
    bool line_info = false;
    bool debug = false;
    bool verbose = false;  ///< Linker::information() tells registers and spills of each kernel
};

/// The forms of a part; the numbers are CUDA's.
enum class LinkInput : std::uint8_t { Cubin, Ptx, Fatbin, Object, Library };

/// Takes parts one by one; complete() resolves the references between them. Made by Device::create_linker, and used by
/// one thread at a time.
class Linker {
public:
    virtual ~Linker() = default;
    /// `name` is what messages call the part. Error(Compile) with the compiler's log.
    virtual void add(LinkInput form, std::span<const std::uint8_t> part, const std::string& name) = 0;
    /// The linked code of all parts, for Device::load. Error(Compile) with the linker's log.
    virtual Image complete() = 0;
    /// What the driver's compiler and linker have said so far.
    virtual std::string information() const = 0;
    virtual std::string errors() const = 0;
};

}  // namespace lanewise
