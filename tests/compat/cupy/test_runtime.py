"""Functions of cupy.cuda.runtime about devices and other processes."""

import numpy as np
import pytest


def test_limits(cp):
    runtime = cp.cuda.runtime
    before = runtime.deviceGetLimit(runtime.limitPrintfFifoSize)
    assert before > 0
    runtime.deviceSetLimit(runtime.limitPrintfFifoSize, before)
    assert runtime.deviceGetLimit(runtime.limitPrintfFifoSize) == before
    with pytest.raises(runtime.CUDARuntimeError, match="cudaErrorUnsupportedLimit") as caught:
        runtime.deviceGetLimit(99)
    assert caught.value.status == 215


def test_peers(cp):
    runtime = cp.cuda.runtime
    own = runtime.getDevice()
    assert runtime.deviceCanAccessPeer(own, own) == 0
    for call in (runtime.deviceEnablePeerAccess, runtime.deviceDisablePeerAccess):
        with pytest.raises(runtime.CUDARuntimeError, match="cudaErrorNotSupported"):
            call(own)


def test_priorities_and_attributes(cp):
    runtime = cp.cuda.runtime
    least, greatest = runtime.deviceGetStreamPriorityRange()
    assert greatest <= least
    assert runtime.deviceGetAttribute(runtime.cudaDevAttrWarpSize, runtime.getDevice()) == 32
    assert runtime.getDeviceProperties(runtime.getDevice())["warpSize"] == 32
    assert cp.cuda.Device().attributes["WarpSize"] == 32


def test_handles_of_memory(cp, device, run_python):
    runtime = cp.cuda.runtime
    with pytest.raises(runtime.CUDARuntimeError, match="cudaErrorInvalidValue: .*64 or 72 bytes"):
        runtime.ipcOpenMemHandle(b"no handle")
    with pytest.raises(runtime.CUDARuntimeError, match="no memory was opened"):
        runtime.ipcCloseMemHandle(64)
    if device == "cpu":
        for call in (
            lambda: runtime.ipcGetMemHandle(cp.zeros(3).data.ptr),
            lambda: runtime.ipcOpenMemHandle(bytes(64)),
        ):
            with pytest.raises(runtime.CUDARuntimeError, match="cudaErrorNotSupported.*shared_memory"):
                call()
        return
    program = """
import sys
import numpy as np
from lanewise.compat import cupy as cp
runtime = cp.cuda.runtime
pointer = runtime.ipcOpenMemHandle(bytes.fromhex(sys.argv[1]))
host = np.empty(4)
runtime.memcpy(host.ctypes.data, pointer, 32, runtime.memcpyDeviceToHost)
print(host.tolist())
runtime.memset(pointer, 0, 8)
runtime.deviceSynchronize()
runtime.ipcCloseMemHandle(pointer)
"""
    x = cp.arange(4.0) + 1
    handle = runtime.ipcGetMemHandle(x.data.ptr)
    result = run_python("-c", program, handle.hex(), env={"LANEWISE_DEVICE": device})
    assert result.stdout == "[1.0, 2.0, 3.0, 4.0]\n", result.stderr
    np.testing.assert_array_equal(x.get(), [0, 2, 3, 4])
