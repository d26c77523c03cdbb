"""cupyx.runtime: facts about versions and devices."""

import platform

import numpy as np


def get_runtime_info(*, full=False):
    """The facts, to be printed."""
    import lanewise
    from lanewise.compat import cupy
    from lanewise.compat.cupy.cuda import runtime

    rows = [
        ("OS", platform.platform()),
        ("Python Version", platform.python_version()),
        ("CuPy Version", f"{cupy.__version__} (the face of lanewise {lanewise.__version__})"),
        ("NumPy Version", np.__version__),
        ("CUDA Root", cupy.cuda.get_cuda_path()),
        ("CUDA Runtime Version", runtime.runtimeGetVersion()),
        ("CUDA Driver Version", runtime.driverGetVersion()),
    ]
    for number in range(runtime.getDeviceCount()):
        device = cupy.cuda.Device(number)
        rows += [
            (f"Device {number} Name", runtime.getDeviceProperties(number)["name"].decode()),
            (f"Device {number} Compute Capability", device.compute_capability),
            (f"Device {number} PCI Bus ID", device.pci_bus_id),
        ]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}} : {value}" for name, value in rows)
