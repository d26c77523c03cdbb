#include "runtime/blas.h"

#include "runtime/backend.h"

namespace lanewise {

Blas* blas_of(Device& device) {
    return device.kind() == DeviceKind::Cuda ? backend::cuda_blas(device) : backend::cpu_blas();
}

}  // namespace lanewise
