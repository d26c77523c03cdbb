// The generated kernel of strided copies between memory of one device.
#pragma once

#include <memory>

#include "array/copy_plan.h"
#include "lanewise/device.h"

namespace lanewise {

/// `target` and `source` are the first elements the plan was made for. Asynchronous on `stream`.
void run_on_device(const CopyPlan& plan, void* target, const void* source, const std::shared_ptr<Stream>& stream);

}  // namespace lanewise
