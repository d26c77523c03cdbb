"""The default device and context, and what is remembered for each context."""

import functools
import os
import weakref

from lanewise import _core
from lanewise.compat.pycuda import driver as cuda
from lanewise.compat.pycuda._driver.contexts import current_core


def _chosen_number():
    """The device that $CUDA_DEVICE or a file in the home folder names; None without."""
    text = os.environ.get("CUDA_DEVICE")
    if text is None:
        for name in (".cuda_device", ".cuda-device"):
            try:
                with open(os.path.join(os.path.expanduser("~"), name)) as file:
                    text = file.read()
                break
            except OSError:
                continue
    if text is None or not text.strip():
        return None
    try:
        return int(text)
    except ValueError:
        raise RuntimeError(
            f"CUDA_DEVICE (or ~/.cuda_device) names a device by its number, got {text.strip()!r}"
        ) from None


def make_default_context(ctx_maker=None):
    """A context, pushed, on the device that $CUDA_DEVICE or ~/.cuda_device names, else on lanewise's current device,
    else on the first on which one can be made. ctx_maker(device) makes it."""
    if ctx_maker is None:
        ctx_maker = cuda.Device.make_context
    if cuda.Device.count() == 0:
        raise RuntimeError("no CUDA-enabled device, and no other, found")
    number = _chosen_number()
    if number is not None:
        return ctx_maker(cuda.Device(number))
    devices = [cuda.Device(i) for i in range(cuda.Device.count())]
    devices.sort(key=lambda device: device._core is not current_core())
    problems = []
    for device in devices:
        try:
            return ctx_maker(device)
        except cuda.Error as error:
            problems.append(f"{device.name()}: {error}")
    raise RuntimeError(f"a context could be made on no device: {'; '.join(problems)}")


def get_default_device(default=0):
    """The device that $CUDA_DEVICE or ~/.cuda_device names, else device `default`."""
    number = _chosen_number()
    return cuda.Device(default if number is None else number)


_caches = weakref.WeakSet()


class _Cache(dict):
    __hash__ = object.__hash__


def context_dependent_memoize(function):
    """Remembers results, for each device, by the arguments. `cache_key=` takes the arguments' place as the key."""
    cache = _Cache()
    _caches.add(cache)

    @functools.wraps(function)
    def memoized(*args, **kwargs):
        key = kwargs.pop("cache_key", None)
        if key is None:
            key = (args, tuple(sorted(kwargs.items())))
        full = (id(current_core()), key)
        try:
            return cache[full]
        except KeyError:
            result = cache[full] = function(*args, **kwargs)
            return result

    return memoized


def clear_context_caches():
    """Forgets what context_dependent_memoize remembers."""
    for cache in list(_caches):
        cache.clear()


def init_cuda_context_fixture():
    """For a pytest fixture: a context for the time of one test."""
    cuda.init()
    context = make_default_context()
    try:
        yield context
    finally:
        context.pop()
        clear_context_caches()
        import gc

        gc.collect()


def mark_cuda_test(inner_f):
    """Decorates a test, which then runs in a context of its own."""

    @functools.wraps(inner_f)
    def in_context(*args, **kwargs):
        fixture = init_cuda_context_fixture()
        next(fixture)
        try:
            inner_f(*args, **kwargs)
        finally:
            next(fixture, None)

    return in_context
