// What a loaded kernel may ask for of dynamic shared memory.
#pragma once

#include "lanewise/device.h"

namespace lanewise::jit {

/// Lets launches ask for all dynamic shared memory the device has, beyond what it gives without being asked.
void allow_dynamic_shared(Kernel& kernel, Device& device);

}  // namespace lanewise::jit
