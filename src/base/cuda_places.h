// Where NVIDIA's files for developers (compilers, headers, libdevice) may be installed on this machine.
#pragma once

#include <string>
#include <vector>

namespace lanewise {

/// Folders that may have lib, lib64, include, bin and nvvm as a CUDA toolkit has, best first: CUDA_HOME, CUDA_PATH,
/// CUDA_ROOT; the nvidia-* wheels (<site-packages>/nvidia/<package>) below LANEWISE_NVIDIA_PACKAGES (a list of such
/// nvidia folders, ':' between them), VIRTUAL_ENV and CONDA_PREFIX; CONDA_PREFIX; the system's usual places. Those that
/// exist, each once.
std::vector<std::string> cuda_roots();

/// The environment variables that decide cuda_roots(), as one text: to notice that they have changed.
std::string cuda_roots_environment();

}  // namespace lanewise
