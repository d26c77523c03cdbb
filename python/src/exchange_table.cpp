#include "exchange_table.h"

#include "array_object.h"
#include "errors.h"
#include "interface.h"
#include "interop/dlpack.h"
#include "lanewise/error.h"
#include "nd_object.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

/// Runs `f`; -1 and a Python exception when it throws.
template <class F>
int guarded(F&& f) noexcept {
    try {
        f();
        return 0;
    } catch (...) {
        set_python_error();
        return -1;
    }
}

const char* exception_name(const Error& error) {
    switch (error.kind()) {
        case ErrorKind::Value:
            return "ValueError";
        case ErrorKind::Type:
            return "TypeError";
        case ErrorKind::OutOfMemory:
            return "MemoryError";
        default:
            return "RuntimeError";
    }
}

/// On the current stream. Memory of the host may be written at once: what used it before is through.
int allocate(dlpack::Tensor* prototype, dlpack::ManagedTensorVersioned** result, void* error_context,
             void (*set_error)(void*, const char*, const char*)) noexcept {
    try {
        Device& device = dlpack::find_device(prototype->device);
        const std::shared_ptr<Stream>& stream = current_stream(device);
        const Dims shape(std::span<const std::int64_t>(prototype->shape, static_cast<std::size_t>(prototype->ndim)));
        const Array array = Array::empty(shape, dlpack::dtype_of(prototype->dtype), stream);
        if (device.kind() == DeviceKind::Cpu) stream->synchronize();
        *result = dlpack::export_versioned(array, false);
        return 0;
    } catch (const Error& error) {
        set_error(error_context, exception_name(error), error.what());
    } catch (const std::bad_alloc&) {
        set_error(error_context, "MemoryError", "out of memory");
    } catch (const std::exception& error) {
        set_error(error_context, "RuntimeError", error.what());
    }
    return -1;
}

/// What is pending is computed; the consumer's work on the current stream comes after it, and a consumer on the host
/// finds the elements there.
int managed_from_object(void* object, dlpack::ManagedTensorVersioned** result) noexcept {
    return guarded([&] {
        const Array* array = find_array(static_cast<PyObject*>(object));
        if (!array) throw Error(ErrorKind::Type, "DLPack's exchange table was given what is no array of its class");
        const std::shared_ptr<Stream>& stream = current_stream(array->device());
        const std::shared_ptr<Buffer>& buffer = array->use_on(stream);
        if (array->device().kind() == DeviceKind::Cpu)
            without_gil([&] { buffer->synchronize(); });
        else
            buffer->order_after_uses(*stream);
        *result = as_buffer_error([&] { return dlpack::export_versioned(*array, false); });
    });
}

template <bool of_numbers>
int object_from_managed(dlpack::ManagedTensorVersioned* managed, void** object) noexcept {
    return guarded([&] {
        Array array = adopt_managed(managed);
        nb::object made = of_numbers ? make_nd(default_nd_class(), std::move(array)) : make_array(std::move(array));
        *object = made.release().ptr();
    });
}

int current_work_stream(std::int32_t device_type, std::int32_t device_id, void** stream) noexcept {
    return guarded([&] {
        *stream = dlpack::has_streams(device_type)
                      ? reinterpret_cast<void*>(current_stream(dlpack::find_device({device_type, device_id}))->handle())
                      : nullptr;
    });
}

/// Arrays do not keep their strides in elements, which a tensor that they own would point to.
template <bool of_numbers>
constexpr dlpack::ExchangeTable table{{dlpack::version, nullptr},      allocate, managed_from_object,
                                      object_from_managed<of_numbers>, nullptr,  current_work_stream};

}  // namespace

void bind_exchange_table(nb::handle array_class, bool of_numbers) {
    const dlpack::ExchangeTable* chosen = of_numbers ? &table<true> : &table<false>;
    PyObject* capsule =
        PyCapsule_New(const_cast<dlpack::ExchangeTable*>(chosen), dlpack::exchange_capsule_name, nullptr);
    if (!capsule) throw nb::python_error();
    array_class.attr("__dlpack_c_exchange_api__") = nb::steal(capsule);
}

}  // namespace lanewise::bindings
