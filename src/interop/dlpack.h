// DLPack: its C structs (ABI 1.x and the unversioned one before), and the way from and to Array. No Python.h.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "lanewise/array.h"

namespace lanewise::dlpack {

enum DeviceType : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };

struct Device {
    std::int32_t type;
    std::int32_t id;
};
struct DataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};
struct Tensor {
    void* data;
    Device device;
    std::int32_t ndim;
    DataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  ///< in elements; null: C contiguous
    std::uint64_t byte_offset;
};
struct ManagedTensor {
    Tensor tensor;
    void* context;
    void (*deleter)(ManagedTensor*);
};
struct Version {
    std::uint32_t major, minor;
};
struct ManagedTensorVersioned {
    Version version;
    void* context;
    void (*deleter)(ManagedTensorVersioned*);
    std::uint64_t flags;
    Tensor tensor;
};
inline constexpr std::uint64_t read_only_flag = 1, copied_flag = 2;
inline constexpr Version version{1, 3};

/// The table by which a library (DLPack 1.3) offers its arrays without Python calls: attribute
/// `__dlpack_c_exchange_api__` of the array's class, a capsule. It lives to the end of the process. Nothing in it
/// waits: who takes an array works on current_work_stream. All give 0, or -1 with a Python exception.
struct ExchangeHeader {
    Version version;
    const ExchangeHeader* previous;  ///< a table of an older version
};
struct ExchangeTable {
    ExchangeHeader header;
    /// New memory of the prototype's dtype, shape and device. On failure it calls `set_error` instead of setting an
    /// exception: no GIL is needed.
    int (*allocate)(Tensor* prototype, ManagedTensorVersioned** result, void* error_context,
                    void (*set_error)(void* error_context, const char* kind, const char* message));
    int (*managed_from_object)(void* object, ManagedTensorVersioned** result);
    /// Takes the tensor, whatever it gives.
    int (*object_from_managed)(ManagedTensorVersioned* tensor, void** object);
    /// Fills the tensor, which the object keeps owning. Null where it is not offered.
    int (*tensor_from_object)(void* object, Tensor* tensor);
    int (*current_work_stream)(std::int32_t device_type, std::int32_t device_id, void** stream);
};
inline constexpr const char* exchange_capsule_name = "dlpack_exchange_api";
/// The table of our version among `newest` and those before it that offers what we use; or null.
const ExchangeTable* usable_table(const ExchangeTable* newest);

/// Where streams order the work: memory there is not ready when an export returns.
constexpr bool has_streams(std::int32_t device_type) {
    return device_type == cuda || device_type == cuda_managed;
}

Device device_of(const Array& array);
/// Error(Value) for device types that are none of ours, Error(DeviceUnavailable) for devices that are not there.
lanewise::Device& find_device(Device device);
DType dtype_of(DataType type);

/// A tensor as our own descriptions have it.
struct Layout {
    void* data = nullptr;  ///< of the first element
    DType dtype{};
    Dims shape, strides;  ///< strides in bytes
};
/// Error(Type) for dtypes and lanes that are none of ours, Error(Value) for impossible shapes and strides.
Layout layout_of(const Tensor& tensor);

/// An export that keeps the array's buffer alive until its deleter runs. Error(Type) for strides that are no whole
/// elements, Error(Value) for negative ones: most libraries have none, and some end the process.
ManagedTensorVersioned* export_versioned(const Array& array, bool copied);
/// Error(Value) for read-only arrays, which this form cannot express.
ManagedTensor* export_unversioned(const Array& array);

/// A view of the tensor's memory; `drop` runs when the last view is gone. Error(Type, Value) for dtypes, lanes and
/// devices that are none of ours.
Array import_tensor(const Tensor& tensor, bool read_only, std::function<void()> drop);

}  // namespace lanewise::dlpack
