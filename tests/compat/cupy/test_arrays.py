"""cupy.ndarray and the functions of the namespace, where CuPy has rules of its own."""

import pickle

import numpy as np
import pytest

from lanewise import _core
from lanewise.compat import cupyx


def ramp(cp, *shape, dtype="f8"):
    return cp.arange(np.prod(shape), dtype=dtype).reshape(shape)


@pytest.mark.parametrize(
    "make",
    [
        lambda cp: cp.zeros(3),
        lambda cp: cp.ones((2, 3), order="F"),
        lambda cp: cp.full(3, 7),
        lambda cp: cp.empty((), "i4"),
        lambda cp: cp.ndarray((2, 2)),
        lambda cp: cp.arange(4),
        lambda cp: cp.linspace(0, 1, 5),
        lambda cp: cp.eye(3),
        lambda cp: cp.array([1, 2]),
        lambda cp: cp.asarray(np.zeros(3)),
        lambda cp: cp.array(3.0),
        lambda cp: cp.zeros_like(cp.ones(3)),
        lambda cp: cp.meshgrid(cp.arange(2), cp.arange(3))[0],
        lambda cp: cp.mgrid[0:2, 0:3],
        lambda cp: cp.r_[0:3, 5],
        lambda cp: cp.indices((2, 2)),
        lambda cp: cp.add(1, 2),
        lambda cp: cp.sin(0.5),
        lambda cp: cp.where(True, 1, 2),
        lambda cp: cp.stack([cp.zeros(2), cp.ones(2)]),
        lambda cp: cp.zeros(3).sum(),
        lambda cp: cp.zeros(3)[1],
        lambda cp: cp.ones((2, 2)) @ cp.ones((2, 2)),
        lambda cp: 2 * cp.ones(3) + 1,
        lambda cp: np.float64(2) * cp.ones(3),
        lambda cp: cp.nonzero(cp.ones(3))[0],
        lambda cp: cp.split(cp.arange(4), 2)[1],
        lambda cp: np.sqrt(cp.ones(3)),
        lambda cp: np.concatenate([cp.ones(3), cp.ones(2)]),
        lambda cp: cp.divmod(7, 2)[0],
        lambda cp: pickle.loads(pickle.dumps(cp.ones(3))),
        lambda cp: cp.ones(3).copy().T.real.astype("f4"),
        lambda cp: cp.from_dlpack(cp.ones(3)),
        lambda cp: cp.asarray(_core.Array.from_host(np.ones(3))),
    ],
)
def test_everything_gives_ndarrays(cp, make):
    assert type(make(cp)) is cp.ndarray


@pytest.mark.parametrize(
    "convert",
    [lambda x: np.asarray(x), lambda x: np.array(x), lambda x: x.__array__(), lambda x: np.array([x, x])],
)
def test_implicit_conversion_to_numpy_is_refused(cp, convert):
    with pytest.raises(TypeError, match="Implicit conversion to a NumPy array is not allowed"):
        convert(cp.ones(3))


@pytest.mark.parametrize("operation", [lambda x, h: x + h, lambda x, h: h * x, lambda x, h: np.add(x, h)])
def test_operations_with_host_arrays_are_refused(cp, operation):
    with pytest.raises(TypeError, match="NumPy array|ndarray"):
        operation(cp.ones(3), np.ones(3))


def test_functions_refuse_lists(cp):
    for call in (lambda: cp.sin([1, 2]), lambda: cp.sum([1, 2]), lambda: cp.concatenate([[1], [2]])):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("dtype", [object, "U3", "S2", "M8[s]", "g", ">f4", [("a", "f4"), ("b", "i4")]])
def test_dtypes_that_devices_do_not_have(cp, dtype):
    with pytest.raises(ValueError, match="Unsupported dtype"):
        cp.zeros(3, dtype)


def test_object_data_is_refused(cp):
    with pytest.raises(ValueError, match="Unsupported dtype object"):
        cp.array([None, 1])


@pytest.mark.parametrize("index", [[5, -7, 0], [[3, 9], [-4, 1]]])
def test_arrays_of_indices_wrap(cp, index):
    index = np.array(index)
    x, h = ramp(cp, 3, 4), np.arange(12.0).reshape(3, 4)
    for given in (cp.asarray(index), index, index.tolist(), cp.asarray(index.astype("i1"))):
        np.testing.assert_array_equal(x[given].get(), h[index % 3])
        np.testing.assert_array_equal(x[..., given].get(), h[..., index % 4])
        np.testing.assert_array_equal(x[None, :, given].get(), h[None, :, index % 4])
        np.testing.assert_array_equal(x[given, given].get(), h[index % 3, index % 4])
        np.testing.assert_array_equal(x[1, given].get(), h[1, index % 4])


def test_masks_before_arrays_of_indices_take_their_axes(cp):
    x, h = ramp(cp, 2, 3, 4), np.arange(24.0).reshape(2, 3, 4)
    mask = np.array([[True, False, True], [False, True, False]])
    index = np.array([5, -1, 0])
    np.testing.assert_array_equal(x[cp.asarray(mask), cp.asarray(index)].get(), h[mask, index % 4])
    np.testing.assert_array_equal(x[cp.asarray(mask)].get(), h[mask])


def test_arrays_of_indices_wrap_on_assignment(cp):
    x, h = ramp(cp, 5), np.arange(5.0)
    x[cp.array([7, -6])] = 9
    h[[2, 4]] = 9
    np.testing.assert_array_equal(x.get(), h)


def test_lists_as_indices(cp):
    x, h = ramp(cp, 3, 4), np.arange(12.0).reshape(3, 4)
    for index in ([], [[]], [True, False, True], ([0, 2], [3, 5]), (slice(None), [1, 1]), (Ellipsis, [])):
        items = index if isinstance(index, tuple) else (index,)
        inside = tuple(np.mod(item, 4) if item == [3, 5] else item for item in items)
        np.testing.assert_array_equal(x[index].get(), h[inside])


def test_numbers_out_of_bounds_raise(cp):
    x = ramp(cp, 3)
    for index in (3, -4):
        with pytest.raises(IndexError, match="out of bounds"):
            x[index]
        with pytest.raises(IndexError, match="out of bounds"):
            x[index] = 1


def test_take_and_put_wrap(cp):
    x = ramp(cp, 4)
    np.testing.assert_array_equal(cp.take(x, cp.array([5, -1])).get(), [1, 3])
    np.testing.assert_array_equal(x.take(cp.array([5, -1])).get(), [1, 3])
    x.put(cp.array([6]), 20)
    cp.put(x, cp.array([-1]), 30)
    np.testing.assert_array_equal(x.get(), [0, 1, 20, 30])
    cp.put(x, cp.array([9]), 40, mode="clip")
    assert float(x[3]) == 40


def test_repeated_indices_of_scatter_add_all_count(cp):
    x = cp.zeros((3, 2), cp.float32)
    index = cp.array([0, 2, 2, 0, 2])
    cupyx.scatter_add(x, index, 1)
    np.testing.assert_array_equal(x.get(), [[2, 2], [0, 0], [3, 3]])
    x.scatter_add((index, 1), cp.arange(5, dtype=cp.float32))
    np.testing.assert_array_equal(x.get(), [[2, 5], [0, 0], [3, 10]])


def test_scatter_max_and_min(cp):
    x = cp.array([5, 5, 5])
    cupyx.scatter_max(x, cp.array([0, 0, 1]), cp.array([9, 7, 1]))
    np.testing.assert_array_equal(x.get(), [9, 5, 5])
    cupyx.scatter_min(x, cp.array([0, 2, 2]), cp.array([8, 3, 4]))
    np.testing.assert_array_equal(x.get(), [8, 5, 3])


def test_memory_of_an_array(cp):
    x = ramp(cp, 4, 5, dtype="f4")
    view = x[1:, 2:]
    assert view.data.ptr == x.data.ptr + 4 * (5 + 2)
    assert view.data.mem.ptr <= view.data.ptr and view.data.device == cp.cuda.Device() == view.device
    assert cp.zeros(0).data.ptr == 0
    again = cp.ndarray(view.shape, view.dtype, view.data, view.strides)
    again += 100
    np.testing.assert_array_equal(view.get(), np.arange(20.0).reshape(4, 5)[1:, 2:] + 100)


def test_arrays_keep_their_memory(cp):
    pool = cp.cuda.MemoryPool()
    x = cp.ndarray((4,), cp.int32, pool.malloc(16))
    view = x[1:3]
    del x
    assert pool.n_free_blocks() == 0
    view.fill(3)
    assert view.tolist() == [3, 3]
    del view
    assert pool.n_free_blocks() == 1


def test_memory_of_a_class_of_ones_own(cp):
    class Mine(cp.cuda.BaseMemory):
        def __init__(self, size):
            self.ptr, self.size, self.device_id = cp.cuda.runtime.malloc(size), size, cp.cuda.get_device_id()

        def __del__(self):
            cp.cuda.runtime.free(self.ptr)

    x = cp.ndarray((3,), cp.float32, cp.cuda.MemoryPointer(Mine(12), 0))
    x.fill(2)
    assert (x * 2).tolist() == [4, 4, 4]


def test_writes_by_address_come_in_order(cp):
    x = cp.zeros(8, cp.uint8)
    pointer = x.data
    before = x + 1
    pointer.memset(5, 8)
    assert before.tolist() == [1] * 8 or before.tolist() == [6] * 8
    assert (x + 1).tolist() == [6] * 8
    x += 1
    target = np.zeros(8, np.uint8)
    pointer.copy_to_host(target.ctypes.data, 8)
    assert target.tolist() == [6] * 8


def test_allocator_gives_the_memory_of_new_arrays(cp):
    pool = cp.cuda.MemoryPool()
    with cp.cuda.using_allocator(pool.malloc):
        arrays = [
            cp.empty(128, "f4"),
            cp.zeros((2, 64), "f4", order="F"),
            cp.ones(128, "f4"),
            cp.full(128, 3, "f4"),
            cp.array(np.arange(128, dtype="f4")),
            cp.asarray(np.ones((2, 64), "f4")),
            cp.zeros_like(cp.ones((8, 16), "f4")),
        ]
        assert pool.used_bytes() == 512 * 7
    sums = [float(x.sum()) for x in arrays[1:]]
    assert sums == [0, 128, 384, 128 * 127 / 2, 128, 0]
    assert arrays[1].flags.f_contiguous
    del arrays
    assert pool.used_bytes() == 0


def test_asnumpy(cp):
    x = ramp(cp, 2, 3)
    out = np.empty((2, 3))
    assert cp.asnumpy(x, out=out) is out
    np.testing.assert_array_equal(out, np.arange(6.0).reshape(2, 3))
    assert cp.asnumpy(x, order="F").flags.f_contiguous
    host = np.ones(3)
    assert cp.asnumpy(host) is host
    np.testing.assert_array_equal(cp.asnumpy([1, 2]), [1, 2])
    stream = cp.cuda.Stream(non_blocking=True)
    pinned = cupyx.empty_pinned((2, 3))
    cp.asnumpy(x, stream=stream, out=pinned, blocking=False)
    stream.synchronize()
    np.testing.assert_array_equal(pinned, out)


def test_asarray_and_array_copy_when_asked(cp):
    x = ramp(cp, 2, 3)
    assert cp.asarray(x) is x and cp.asarray(x, dtype="f8", order="C") is x
    assert cp.array(x, copy=False) is x
    assert cp.array(x).data.ptr != x.data.ptr
    assert cp.asarray(x, order="F").flags.f_contiguous
    assert cp.asarray(x, dtype="i4").dtype == np.int32
    assert cp.array([1, 2], ndmin=3).shape == (1, 1, 2)
    assert cp.ascontiguousarray(x.T).flags.c_contiguous


def test_lists_with_arrays_in_them(cp):
    x = cp.arange(3)
    np.testing.assert_array_equal(cp.array([x, [4, 5, 6]]).get(), [[0, 1, 2], [4, 5, 6]])
    np.testing.assert_array_equal(cp.array([x[0], x[2], 7]).get(), [0, 2, 7])
    np.testing.assert_array_equal(cp.asarray([[x.sum()], [1]], dtype="f4").get(), [[3], [1]])
    with pytest.raises(ValueError, match="shapes"):
        cp.array([x, [1, 2]])


def test_objects_that_give_arrays(cp):
    class Column:
        def __cupy_get_ndarray__(self):
            return cp.arange(3)

    np.testing.assert_array_equal(cp.asarray(Column()).get(), [0, 1, 2])


def test_arg_extremes_take_dtypes(cp):
    x = cp.array([[1, 5, 2], [9, 0, 3]])
    assert cp.argmax(x, axis=1, dtype="i4").dtype == np.int32
    assert cp.argmax(x, axis=1).tolist() == [1, 0] and int(cp.argmin(x)) == 4
    assert cp.argmin(x, 0, None, None, True).shape == (1, 3)


def test_reduced_view(cp):
    x = ramp(cp, 2, 3, 4)
    assert x.reduced_view().shape == (24,) and x.reduced_view().data.ptr == x.data.ptr
    assert x[:, ::2].reduced_view().shape == (2, 2, 4)


def test_dlpack_capsules(cp):
    x = ramp(cp, 4)
    assert type(x.toDlpack()).__name__ == "PyCapsule"
    y = cp.from_dlpack(x)
    y[0] = 50
    assert float(x[0]) == 50


def test_ufuncs_keep_their_names(cp):
    assert isinstance(cp.add, cp.ufunc) and cp.add.name == "cupy_add" and repr(cp.add) == "<ufunc 'cupy_add'>"
    assert (cp.add.nin, cp.add.nout, cp.add.nargs) == (2, 1, 3)
    assert pickle.loads(pickle.dumps(cp.add)) is cp.add
    assert cp.abs is cp.absolute


def test_ufunc_methods(cp):
    x = ramp(cp, 3, 4)
    np.testing.assert_array_equal(cp.add.reduce(x, axis=1).get(), np.arange(12.0).reshape(3, 4).sum(1))
    np.testing.assert_array_equal(cp.add.accumulate(x, axis=0).get(), np.arange(12.0).reshape(3, 4).cumsum(0))
    np.testing.assert_array_equal(cp.multiply.outer(x[0], x[1]).get(), np.outer(np.arange(4.0), np.arange(4.0, 8.0)))
    y = cp.zeros(3)
    cp.add.at(y, cp.array([0, 0, 2]), 1)
    assert y.tolist() == [2, 0, 1]
    with pytest.raises(TypeError):
        cp.add(x, x, nonsense=1)


def test_rsqrt(cp):
    x = cp.array([1.0, 4.0, 16.0])
    np.testing.assert_allclose(cupyx.rsqrt(x).get(), [1, 0.5, 0.25])


def test_errstate_of_cupyx(cp):
    assert cupyx.geterr() == {"linalg": "ignore"}
    with cupyx.errstate(linalg="raise"):
        assert cupyx.geterr() == {"linalg": "raise"}
    assert cupyx.geterr() == {"linalg": "ignore"}
    with pytest.raises(ValueError, match="'ignore' or 'raise'"):
        cupyx.seterr(linalg="warn")
    with pytest.raises(TypeError):
        cupyx.errstate(divide="raise").__enter__()


def test_memoize_by_device(cp):
    calls = []

    @cp.memoize(for_each_device=True)
    def made(n, scale=1):
        calls.append(n)
        return n * scale

    assert [made(2), made(2), made(2, scale=3), made(3)] == [2, 2, 6, 3] and calls == [2, 2, 3]
    cp.clear_memo()
    made(2)
    assert len(calls) == 4
    with pytest.raises(TypeError, match="unhashable"):
        made([])


def test_pinned_arrays(cp):
    x = cupyx.zeros_pinned((2, 3), np.float32, order="F")
    assert isinstance(x, np.ndarray) and x.flags.f_contiguous and x.dtype == np.float32 and not x.any()
    like = cupyx.empty_like_pinned(x)
    assert like.shape == (2, 3) and like.flags.f_contiguous
    assert cupyx.zeros_like_pinned(cp.ones(4, "i4")).tolist() == [0] * 4


def test_benchmark_result(cp):
    result = cupyx.profiler.benchmark(lambda: cp.ones(10).sum(), n_repeat=4, n_warmup=1, name="ones")
    assert result.name == "ones" and result.cpu_times.shape == (4,) and (result.gpu_times >= 0).all()
    text = result.to_str(show_gpu=True)
    assert text.startswith("ones") and "CPU:" in text and "GPU-0:" in text and "min:" in text
    with pytest.raises(ValueError, match="args must be a tuple"):
        cupyx.profiler.benchmark(len, [1])
    quick = cupyx.profiler.benchmark(lambda: None, n_repeat=10**9, max_duration=0.01)
    assert 1 <= quick.cpu_times.size < 10**9


def test_native_arrays_stay_native(cp):
    import lanewise

    assert type(lanewise.zeros(3)) is lanewise.ndarray
    assert type(cp.zeros(3) + lanewise.zeros(3)) is cp.ndarray


def test_stride_tricks(cp):
    x = cp.arange(9)
    windows = cp.lib.stride_tricks.as_strided(x, (3, 4), (8, 16))
    assert type(windows) is cp.ndarray and windows.data.ptr == x.data.ptr
    np.testing.assert_array_equal(windows.get(), np.lib.stride_tricks.as_strided(np.arange(9), (3, 4), (8, 16)))
    with pytest.raises(ValueError, match="covers bytes"):
        cp.lib.stride_tricks.as_strided(x, (3, 5), (8, 16))


def test_subclasses_stay(cp):
    class Named(cp.ndarray):
        pass

    x = Named((3,), cp.float32)
    x.name = "x"
    assert type(x + 1) is Named and type(x[1:]) is Named and type(cp.sin(x)) is Named
    assert type(cp.ones(3).view(Named)) is Named and type(cp.ones(3) * x) is Named


def test_raw_work_on_another_stream_sees_what_was_computed(cp):
    stream = cp.cuda.Stream(non_blocking=True)
    x = cp.arange(100_000, dtype="i4")
    with stream:
        y = x * 2 + 1
        target = cupyx.empty_pinned(100_000, "i4")
        cp.cuda.runtime.memcpyAsync(target.ctypes.data, y.data.ptr, y.nbytes, 2, stream.ptr)
    stream.synchronize()
    np.testing.assert_array_equal(target, np.arange(100_000) * 2 + 1)


@pytest.mark.parametrize(
    ("name", "spellings", "arguments"),
    [
        ("concatenate", ("tup", "arrays"), {"axis": 1}),
        ("stack", ("tup", "arrays"), {"axis": 1}),
        ("concat", ("tup", "arrays"), {}),
        ("flip", ("a", "m"), {"axis": 0}),
        ("fliplr", ("a", "m"), {}),
        ("rot90", ("a", "m"), {"k": 3}),
        ("ediff1d", ("arr", "ary"), {}),
        ("cov", ("a", "m"), {"bias": True}),
    ],
)
def test_arguments_have_cupys_names_and_numpys(cp, name, spellings, arguments):
    host = np.arange(6.0).reshape(2, 3) ** 2
    pair = spellings[0] == "tup"
    expected = getattr(np, name)([host, host] if pair else host, **arguments)
    x = cp.asarray(host)
    for spelling in spellings:
        got = getattr(cp, name)(**{spelling: [x, x] if pair else x}, **arguments)
        np.testing.assert_allclose(got.get(), expected)


def test_later_arguments_have_cupys_names(cp):
    x, host = cp.arange(6.0).reshape(2, 3), np.arange(6.0).reshape(2, 3)
    np.testing.assert_array_equal(cp.reshape(x, newshape=(3, 2)).get(), host.reshape(3, 2))
    np.testing.assert_array_equal(cp.delete(x, indices=0, axis=0).get(), host[1:])
    np.testing.assert_array_equal(cp.extract(x > 2, a=x).get(), host[host > 2])
    rows, columns = cp.unravel_index(cp.asarray([5, 3]), dims=(2, 3))
    assert rows.get().tolist() == [1, 1] and columns.get().tolist() == [2, 0]
    places = cp.asarray([[2], [0]])
    np.testing.assert_array_equal(cp.take_along_axis(a=x, indices=places, axis=1).get(), [[2], [3]])
    assert cp.nanargmax(x, 1, cp.int32, None, True).dtype == cp.int32
    np.testing.assert_allclose(cp.corrcoef(x, bias=True, ddof=1).get(), np.corrcoef(host))


def test_asarray_copies_when_told(cp):
    x = cp.arange(3)
    assert cp.asarray(x) is x and cp.asarray(x, copy=False) is x
    assert not cp.shares_memory(cp.asarray(x, copy=True), x)
    for call in (lambda: cp.asarray([1, 2], copy=False), lambda: cp.asarray(x, cp.float32, copy=False)):
        with pytest.raises(ValueError, match="copy=False"):
            call()
