// DLPack exports and imports.
#include "interop/dlpack.h"

#include <fmt/format.h>

namespace lanewise::dlpack {
namespace {

/// What an export keeps alive: the buffer through the array, and the dims the tensor points to.
struct Context {
    explicit Context(const Array& source) : array(source), shape(source.shape()), strides(source.strides()) {
        source.share();
        for (std::int64_t& stride : strides) {
            if (stride % array.item_bytes() != 0)
                throw Error(ErrorKind::Type,
                            fmt::format("DLPack counts strides in elements; {} bytes are no multiple of {}", stride,
                                        array.item_bytes()));
            stride /= array.item_bytes();
        }
    }
    Tensor tensor() {
        Tensor t{};
        t.data = array.data();
        t.device = device_of(array);
        t.ndim = array.ndim();
        t.dtype = {info(array.dtype()).dlpack_code, static_cast<std::uint8_t>(bits(array.dtype())), 1};
        t.shape = shape.data();
        t.strides = strides.data();
        return t;
    }
    Array array;
    Dims shape, strides;
};

lanewise::Device& find_device(Device device) {
    bool on_cuda = device.type == cuda || device.type == cuda_managed || device.type == cuda_host;
    if (!on_cuda && device.type != cpu)
        throw Error(ErrorKind::Value,
                    fmt::format("DLPack device type {} is none of ours (1 cpu, 2 cuda)", device.type));
    return on_cuda ? device_by_name(fmt::format("cuda:{}", device.id)) : cpu_device();
}

}  // namespace

const ExchangeTable* usable_table(const ExchangeTable* newest) {
    for (const ExchangeHeader* header = &newest->header; header; header = header->previous) {
        if (header->version.major != version.major) continue;
        const auto* table = reinterpret_cast<const ExchangeTable*>(header);
        return table->tensor_from_object && table->current_work_stream ? table : nullptr;
    }
    return nullptr;
}

DType dtype_of(DataType type) {
    if (type.lanes == 1)
        for (int i = 0; i < dtype_count; ++i)
            if (dtype_table[i].dlpack_code == type.code && dtype_table[i].bits == type.bits)
                return static_cast<DType>(i);
    throw Error(ErrorKind::Type, fmt::format("DLPack element type (code {}, {} bits, {} lanes) is not supported",
                                             type.code, type.bits, type.lanes));
}

Device device_of(const Array& array) {
    if (array.device().kind() == DeviceKind::Cpu) return {cpu, 0};
    bool managed = array.buffer()->kind() == MemoryKind::Managed;
    return {managed ? cuda_managed : cuda, array.device().ordinal()};
}

ManagedTensorVersioned* export_versioned(const Array& array, bool copied) {
    auto context = std::make_unique<Context>(array);
    auto managed = std::make_unique<ManagedTensorVersioned>();
    managed->version = version;
    managed->tensor = context->tensor();
    managed->flags = (array.read_only() ? read_only_flag : 0) | (copied ? copied_flag : 0);
    managed->deleter = [](ManagedTensorVersioned* self) {
        delete static_cast<Context*>(self->context);
        delete self;
    };
    managed->context = context.release();
    return managed.release();
}

ManagedTensor* export_unversioned(const Array& array) {
    if (array.read_only())
        throw Error(ErrorKind::Value,
                    "a read-only array is exported only to consumers of DLPack 1.0 or later (max_version)");
    auto context = std::make_unique<Context>(array);
    auto managed = std::make_unique<ManagedTensor>();
    managed->tensor = context->tensor();
    managed->deleter = [](ManagedTensor* self) {
        delete static_cast<Context*>(self->context);
        delete self;
    };
    managed->context = context.release();
    return managed.release();
}

Array import(const Tensor& tensor, bool read_only, std::function<void()> drop) {
    // On any failure the producer's memory is given back as well.
    auto dropped = std::make_shared<std::function<void()>>(std::move(drop));
    struct Guard {
        std::function<void()>* drop;
        ~Guard() {
            if (drop) (*drop)();
        }
    } guard{dropped.get()};
    DType dtype = dtype_of(tensor.dtype);
    lanewise::Device& device = find_device(tensor.device);
    Dims shape(std::span<const std::int64_t>(tensor.shape, static_cast<std::size_t>(tensor.ndim)));
    Dims strides = contiguous_strides(shape, size_of(dtype), Order::C);
    if (tensor.strides)
        for (int i = 0; i < tensor.ndim; ++i) strides[i] = tensor.strides[i] * size_of(dtype);
    std::int64_t low = 0, high = element_count(shape, size_of(dtype)) > 0 ? size_of(dtype) : 0;
    for (int i = 0; high > 0 && i < tensor.ndim; ++i) (strides[i] < 0 ? low : high) += (shape[i] - 1) * strides[i];
    auto* first = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
    MemoryKind kind = tensor.device.type == cuda_managed ? MemoryKind::Managed
                      : tensor.device.type == cuda_host  ? MemoryKind::Pinned
                                                         : MemoryKind::Device;
    guard.drop = nullptr;
    std::shared_ptr<Buffer> buffer =
        Buffer::foreign(device, kind, tensor.data ? first + low : nullptr, static_cast<std::size_t>(high - low),
                        nullptr, [dropped] { (*dropped)(); });
    return Array::over(std::move(buffer), -low, shape, strides, dtype, read_only);
}

}  // namespace lanewise::dlpack
