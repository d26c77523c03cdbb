"""Measuring how long a function takes on the host and on devices."""

import math
import time

import numpy as np

from lanewise.compat.cupy.cuda import Device, Event, get_elapsed_time


class PerfCaseResult:
    """Times in seconds: `cpu_times` of the host for each repeat, `gpu_times` of each device."""

    def __init__(self, name, cpu_times, gpu_times, devices):
        self.name = name
        self.cpu_times, self.gpu_times = cpu_times, gpu_times
        self._devices = devices

    def to_str(self, show_gpu=True):
        """The mean, spread and extremes, in microseconds."""
        parts = [f"{self.name:<20s}:", _spread("CPU", self.cpu_times)]
        if show_gpu:
            parts += [
                _spread(f"GPU-{device}", times) for device, times in zip(self._devices, self.gpu_times, strict=True)
            ]
        return " ".join(parts)

    def __str__(self):
        return self.to_str()

    __repr__ = __str__


def _spread(label, times):
    micro = times * 1e6
    text = f"    {label}: {micro.mean():9.3f} us"
    if times.size > 1:
        text += f"   +/- {micro.std():6.3f} (min: {micro.min():9.3f} / max: {micro.max():9.3f}) us"
    return text


def benchmark(
    func, args=(), kwargs=None, n_repeat=10000, *, name=None, n_warmup=10, max_duration=math.inf, devices=None
):
    """Calls func(*args, **kwargs) `n_repeat` times, or until `max_duration` seconds have gone, and measures each call
    by the host's clock and by events on the current stream of each device."""
    kwargs = kwargs or {}
    if not callable(func):
        raise ValueError(f"benchmark takes a function, got {type(func).__name__}")
    if not isinstance(args, tuple):
        raise ValueError("args must be a tuple")
    devices = (Device().id,) if devices is None else tuple(map(int, devices))
    for _ in range(n_warmup):
        func(*args, **kwargs)
    starts, ends = {}, {}
    for number in devices:
        with Device(number) as device:
            starts[number], ends[number] = Event(), Event()
            device.synchronize()
    cpu_times, gpu_times = [], [[] for _ in devices]
    deadline = time.perf_counter() + max_duration
    for _ in range(n_repeat):
        for number in devices:
            with Device(number):
                starts[number].record()
        begin = time.perf_counter()
        result = func(*args, **kwargs)  # arrays that nobody holds would not be computed
        cpu_times.append(time.perf_counter() - begin)
        for number in devices:
            with Device(number):
                ends[number].record()
        del result
        for number, times in zip(devices, gpu_times, strict=True):
            with Device(number):
                ends[number].synchronize()
                times.append(get_elapsed_time(starts[number], ends[number]) * 1e-3)
        if time.perf_counter() > deadline:
            break
    return PerfCaseResult(name or func.__name__, np.array(cpu_times), np.array(gpu_times), devices)
