// NVIDIA's math library for device code, libdevice.10.bc: found on this machine, linked function by function.
#pragma once

namespace llvm {
class Module;
}

namespace lanewise::cuda {

struct LibdeviceOptions {
    int compute_capability = 90;  ///< 10 * major + minor
    bool flush_denormals = false;
    bool precise_sqrt = true;
};

/// Links the functions `module` declares as __nv_*, and what they need, as internal functions. Does nothing when there
/// are none. Looks in LANEWISE_LIBDEVICE (a list of files or folders, ':' between them) and in the places of
/// base/cuda_places.h. Error(Lowering) names the functions that
/// needed it and where it was looked for.
void link_libdevice(llvm::Module& module, const LibdeviceOptions& options);

}  // namespace lanewise::cuda
