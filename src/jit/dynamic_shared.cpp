#include "jit/dynamic_shared.h"

namespace lanewise::jit {

void allow_dynamic_shared(Kernel& kernel, Device& device) {
    if (!kernel.entry().uses_dynamic_shared) return;
    std::int64_t most = device.attribute(DeviceAttribute::MaxSharedPerBlockOptin) - kernel.entry().static_shared_bytes;
    if (most > kernel.attribute(KernelAttribute::MaxDynamicSharedBytes))
        kernel.set_attribute(KernelAttribute::MaxDynamicSharedBytes, static_cast<int>(most));
}

}  // namespace lanewise::jit
