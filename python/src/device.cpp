// Bindings of devices, streams and events.
#include "lanewise/device.h"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>

#include <mutex>
#include <unordered_set>

#include "bindings.h"
#include "device_object.h"
#include "lanewise/buffer.h"
#include "lanewise/ops.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

const char* kind_name(StreamKind kind) {
    switch (kind) {
        case StreamKind::Owned:
            return "owned";
        case StreamKind::Null:
            return "null";
        case StreamKind::Legacy:
            return "legacy";
        case StreamKind::PerThread:
            return "per-thread";
        case StreamKind::External:
            return "external";
    }
    return "";
}

/// Page-locked memory of a NumPy array for as long as this lives.
class HostRegistration {
public:
    HostRegistration(Device& device, nb::object array) : device_(&device), array_(std::move(array)) {
        if (!is_ndarray(array_) || !(numpy_array(array_)->has(NumpyArray::c_contiguous_flag) ||
                                     numpy_array(array_)->has(NumpyArray::f_contiguous_flag)))
            throw Error(ErrorKind::Type, "register_host takes a contiguous NumPy array");
        bytes_ = nb::cast<std::size_t>(array_.attr("nbytes"));
        if (bytes_) device_->register_host(numpy_array(array_)->data, bytes_);
    }
    HostRegistration(const HostRegistration&) = delete;
    HostRegistration& operator=(const HostRegistration&) = delete;
    ~HostRegistration() {
        try {
            close();
        } catch (const Error&) {
            // The device is gone; so is the registration.
        }
    }
    void close() {
        if (!array_.is_valid()) return;
        nb::object array = std::move(array_);
        if (bytes_) device_->unregister_host(numpy_array(array)->data);
    }

private:
    Device* device_;
    nb::object array_;
    std::size_t bytes_ = 0;
};

class PoolDeferral {
public:
    explicit PoolDeferral(Device& device) : device_(&device) {}
    PoolDeferral(const PoolDeferral&) = delete;
    PoolDeferral& operator=(const PoolDeferral&) = delete;
    void enter() { deferrals_.push_back(std::make_unique<MemoryPool::Deferral>(device_->pool())); }
    void exit() {
        if (!deferrals_.empty()) deferrals_.pop_back();
    }

private:
    Device* device_;
    std::vector<std::unique_ptr<MemoryPool::Deferral>> deferrals_;
};

std::int64_t integer_or(nb::handle object, const char* attribute, std::int64_t missing) {
    nb::object value = nb::getattr(object, attribute, nb::none());
    return PyLong_Check(value.ptr()) ? nb::cast<std::int64_t>(value) : missing;
}

std::shared_ptr<Stream> stream_of_handle(std::uintptr_t handle) {
    Device& device = current_device();
    if (handle == 0) return device.default_stream();
    return device.external_stream(handle);
}

}  // namespace

nb::object wrap_device(Device& device) {
    // One Python object a device, for the life of the process: devices are compared and hashed by identity.
    nb::object object = nb::cast(&device, nb::rv_policy::reference);
    static auto* kept = new std::unordered_set<PyObject*>;
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    if (kept->insert(object.ptr()).second) object.inc_ref();
    return object;
}

Device& to_device(nb::handle device) {
    if (device.is_none()) return current_device();
    if (nb::isinstance<Device>(device)) return *nb::cast<Device*>(device);
    if (nb::isinstance<nb::str>(device)) return device_by_name(nb::cast<std::string>(device));
    if (PyLong_Check(device.ptr())) return device_by_name(fmt::format("cuda:{}", nb::cast<std::int64_t>(device)));
    throw Error(ErrorKind::Type, fmt::format("expected a device (a Device, 'cpu', 'cuda:N', N or None), got {}",
                                             nb::cast<std::string>(nb::repr(device))));
}

std::shared_ptr<Stream> find_stream(nb::handle stream) {
    if (stream.is_none()) return nullptr;
    if (nb::isinstance<Stream>(stream)) return nb::cast<std::shared_ptr<Stream>>(stream);
    if (PyLong_Check(stream.ptr())) {
        std::uintptr_t handle = nb::cast<std::uintptr_t>(stream);
        return handle ? stream_of_handle(handle) : nullptr;
    }
    nb::object inner = nb::getattr(stream, "__lanewise_stream__", nb::none());
    if (nb::isinstance<Stream>(inner)) return nb::cast<std::shared_ptr<Stream>>(inner);
    if (nb::object protocol = nb::getattr(stream, "__cuda_stream__", nb::none()); !protocol.is_none()) {
        nb::object pair = PyCallable_Check(protocol.ptr()) ? protocol() : protocol;
        return stream_of_handle(nb::cast<std::uintptr_t>(pair[nb::int_(1)]));
    }
    for (const char* attribute : {"cuda_stream", "ptr", "handle"})
        if (std::int64_t handle = integer_or(stream, attribute, -1); handle >= 0)
            return stream_of_handle(static_cast<std::uintptr_t>(handle));
    throw Error(ErrorKind::Type,
                fmt::format("expected a stream (a Stream, None, 0, or an object with __cuda_stream__), got {}",
                            nb::cast<std::string>(nb::repr(stream))));
}

std::shared_ptr<Stream> to_stream(nb::handle stream, Device& device) {
    if (std::shared_ptr<Stream> found = find_stream(stream)) return found;
    return current_stream(device);
}

std::shared_ptr<Stream> to_stream(nb::handle stream, nb::handle device) {
    if (stream.is_none()) return current_stream(to_device(device));
    return find_stream(stream);
}

namespace {

using namespace nb::literals;
using Release = nb::call_guard<nb::gil_scoped_release>;

void bind_device_class(nb::class_<Device>& device) {
    device.def_prop_ro("name", &Device::name)
        .def_prop_ro("kind", [](Device& d) { return d.kind() == DeviceKind::Cpu ? "cpu" : "cuda"; })
        .def_prop_ro("model", &Device::model)
        .def_prop_ro("ordinal", &Device::ordinal)
        .def_prop_ro("uuid",
                     [](Device& d) {
                         std::string id = d.uuid();
                         return nb::bytes(id.data(), id.size());
                     })
        .def_prop_ro("target", &Device::target)
        .def_prop_ro("default_stream", &Device::default_stream)
        .def_prop_ro("per_thread_stream", &Device::per_thread_stream)
        .def_prop_ro("compute_capability",
                     [](Device& d) {
                         return std::pair(d.attribute(DeviceAttribute::ComputeCapabilityMajor),
                                          d.attribute(DeviceAttribute::ComputeCapabilityMinor));
                     })
        .def("memory_info",
             [](Device& d) {
                 MemoryInfo info = d.memory_info();
                 return std::pair(info.free, info.total);
             })
        .def("pool_statistics",
             [](Device& d) {
                 PoolStatistics s = d.pool().statistics();
                 nb::dict result;
                 result["used_bytes"] = s.used_bytes;
                 result["held_bytes"] = s.held_bytes;
                 result["peak_used_bytes"] = s.peak_used_bytes;
                 result["limit_bytes"] = s.limit_bytes;
                 result["allocations"] = s.allocations;
                 result["device_allocations"] = s.device_allocations;
                 return result;
             })
        .def(
            "pool_trim", [](Device& d) { return d.pool().trim(); }, Release())
        .def(
            "pool_set_limit", [](Device& d, std::size_t bytes) { d.pool().set_limit(bytes); }, "bytes"_a)
        .def("create_stream", &Device::create_stream, nb::kw_only(), "blocking"_a = true, "priority"_a = 0)
        .def("external_stream", &Device::external_stream, "handle"_a)
        .def("create_event", &Device::create_event, nb::kw_only(), "timing"_a = true, "blocking_sync"_a = false)
        .def(
            "synchronize",
            [](Device& d) {
                evaluate();
                d.synchronize();
            },
            Release())
        .def("make_current", &Device::make_current)
        .def(
            "register_host", [](Device& d, nb::object array) { return new HostRegistration(d, std::move(array)); },
            "array"_a)
        .def(
            "owns_address",
            [](Device& d, std::uintptr_t pointer) { return d.owns_address(reinterpret_cast<const void*>(pointer)); },
            "pointer"_a)
        .def("__repr__", [](Device& d) { return fmt::format("<lanewise device {}: {}>", d.name(), d.model()); });
}

void bind_stream_class(nb::class_<Stream>& stream) {
    stream.def_prop_ro("device", [](Stream& s) { return wrap_device(s.device()); })
        .def_prop_ro("handle", &Stream::handle)
        .def_prop_ro("kind", [](Stream& s) { return kind_name(s.kind()); })
        .def(
            "synchronize", [](Stream& s) { synchronize(s); }, Release())
        .def(
            "query",
            [](Stream& s) {
                evaluate(s);
                return s.query();
            },
            Release())
        .def(
            "record",
            [](Stream& s, std::optional<std::shared_ptr<Event>> event) {
                std::shared_ptr<Event> recorded = event && *event ? *event : s.device().create_event();
                {
                    nb::gil_scoped_release release;
                    evaluate(s);
                }
                s.record(*recorded);
                return recorded;
            },
            "event"_a.none() = nb::none())
        .def(
            "wait",
            [](Stream& s, Event& event) {
                evaluate(s);
                s.wait(event);
            },
            "event"_a, Release())
        .def(
            "host_call",
            [](Stream& s, nb::object function) {
                // Shared: std::function copies its target. It goes on whatever thread.
                std::shared_ptr<nb::object> held(new nb::object(std::move(function)), [](nb::object* object) {
                    with_gil_if_alive([&] { object->reset(); });
                    // After the interpreter's end the reference cannot be dropped any more.
                    if (object->is_valid()) object->release();
                    delete object;
                });
                {
                    nb::gil_scoped_release release;
                    evaluate(s);
                }
                s.host_call([held, repeats = s.is_capturing()] {
                    with_gil_if_alive([&] {
                        try {
                            (*held)();
                        } catch (nb::python_error& error) {
                            error.restore();
                            PyErr_WriteUnraisable(held->ptr());
                        }
                        if (!repeats) held->reset();
                    });
                });
            },
            "function"_a)
        .def(
            "attach",
            [](Stream& s, std::uintptr_t memory, int use) {
                if (use != 1 && use != 2 && use != 4)
                    throw Error(ErrorKind::Value,
                                fmt::format("attach: {} is no use of managed memory; 1 is global, 2 the host's, 4 a "
                                            "single stream's",
                                            use));
                s.attach(reinterpret_cast<void*>(memory), static_cast<ManagedUse>(use));
            },
            "memory"_a, "use"_a)
        .def("__int__", &Stream::handle)
        .def("__cuda_stream__", [](Stream& s) { return std::pair(0, s.handle()); })
        .def("__eq__",
             [](Stream& a, nb::handle b) {
                 if (!nb::isinstance<Stream>(b)) return false;
                 Stream& other = *nb::cast<Stream*>(b);
                 return &a.device() == &other.device() && a.handle() == other.handle();
             })
        .def("__hash__", [](Stream& s) { return reinterpret_cast<std::uintptr_t>(&s.device()) ^ s.handle() << 4; })
        .def("__repr__", [](Stream& s) {
            return fmt::format("<lanewise {} stream {:#x} on {}>", kind_name(s.kind()), s.handle(), s.device().name());
        });
}

void bind_event_class(nb::class_<Event>& event) {
    event.def_prop_ro("device", [](Event& e) { return wrap_device(e.device()); })
        .def_prop_ro("handle", &Event::handle)
        .def("query", &Event::query)
        .def("synchronize", &Event::synchronize, Release())
        .def("elapsed_ms", &Event::elapsed_ms, "start"_a, Release());
}

void bind_guards(nb::module_& m) {
    nb::class_<HostRegistration>(m, "HostRegistration")
        .def("close", &HostRegistration::close)
        .def("__enter__", [](nb::object self) { return self; })
        .def("__exit__", [](HostRegistration& self, nb::args) { self.close(); });
    nb::class_<PoolDeferral>(m, "PoolDeferral")
        .def(
            "__init__", [](PoolDeferral* self, nb::handle device) { new (self) PoolDeferral(to_device(device)); },
            "device"_a.none() = nb::none())
        .def("__enter__",
             [](nb::object self) {
                 nb::cast<PoolDeferral&>(self).enter();
                 return self;
             })
        .def("__exit__", [](PoolDeferral& self, nb::args) { self.exit(); });
}

}  // namespace

void bind_devices(nb::module_& m) {
    auto device = nb::class_<Device>(m, "Device", nb::is_weak_referenceable());
    auto stream = nb::class_<Stream>(m, "Stream", nb::is_weak_referenceable());
    auto event = nb::class_<Event>(m, "Event", nb::is_weak_referenceable());
    bind_device_class(device);
    bind_device_settings(device);
    bind_stream_class(stream);
    bind_event_class(event);
    bind_guards(m);

    m.def("devices", [] {
        nb::list list;
        for (Device* d : devices()) list.append(wrap_device(*d));
        return nb::tuple(list);
    });
    m.def("device", [](nb::handle d) { return wrap_device(to_device(d)); }, "name"_a.none() = nb::none());
    m.def("current_device", [] { return wrap_device(current_device()); });
    m.def(
        "set_current_device",
        [](Device& d) {
            Device& before = current_device();
            set_current_device(d);
            return wrap_device(before);
        },
        "device"_a);
    m.def("current_stream", [](nb::handle d) { return current_stream(to_device(d)); }, "device"_a.none() = nb::none());
    m.def(
        "set_current_stream",
        [](std::shared_ptr<Stream> s) {
            std::shared_ptr<Stream> before = current_stream(s->device());
            set_current_stream(std::move(s));
            return before;
        },
        "stream"_a);
    m.def("cuda_unavailable_reason", &cuda_unavailable_reason);
    m.def("cuda_driver_version", &cuda_driver_version);
    m.def("cuda_error_text", &cuda_error_text, "code"_a);
    nb::module_::import_("atexit").attr("register")(
        nb::cpp_function(&finish_background_work, nb::call_guard<nb::gil_scoped_release>()));
}

}  // namespace lanewise::bindings
