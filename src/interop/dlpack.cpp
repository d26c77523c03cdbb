// DLPack exports and imports.
#include "interop/dlpack.h"

#include <fmt/format.h>

#include "interop/memory_span.h"

namespace lanewise::dlpack {
namespace {

/// What an export keeps alive: the buffer through the array, and the dims the tensor points to.
struct Context {
    explicit Context(const Array& source) : array(source), shape(source.shape()), strides(source.strides()) {
        source.share();
        if (array.size() == 0) strides = contiguous_strides(shape, array.item_bytes(), Order::C);
        for (int i = 0; i < strides.size(); ++i) {
            std::int64_t& stride = strides[i];
            if (shape[i] == 1 && stride < 0) stride = array.item_bytes();
            if (stride < 0)
                throw Error(ErrorKind::Value,
                            fmt::format("consumers of DLPack take no negative strides, as those of the array, {}; use "
                                        "x.copy('C')",
                                        to_string(array.strides())));
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

/// Names of DLDataTypeCode, for messages.
constexpr const char* code_names[] = {"int",
                                      "uint",
                                      "float",
                                      "opaque handle",
                                      "bfloat",
                                      "complex",
                                      "bool",
                                      "float8_e3m4",
                                      "float8_e4m3",
                                      "float8_e4m3b11fnuz",
                                      "float8_e4m3fn",
                                      "float8_e4m3fnuz",
                                      "float8_e5m2",
                                      "float8_e5m2fnuz",
                                      "float8_e8m0fnu",
                                      "float6_e2m3fn",
                                      "float6_e3m2fn",
                                      "float4_e2m1fn"};

MemorySpan span_of(const Layout& layout) {
    return memory_span("DLPack", layout.data, layout.shape, layout.strides, layout.dtype);
}

std::string describe(DataType type) {
    std::string text = type.code < std::size(code_names) ? code_names[type.code] : fmt::format("code {}", type.code);
    text += fmt::format(" of {} bits", type.bits);
    return type.lanes == 1 ? text : text + fmt::format(" in {} lanes", type.lanes);
}

}  // namespace

const ExchangeTable* usable_table(const ExchangeTable* newest) {
    for (const ExchangeHeader* header = &newest->header; header; header = header->previous) {
        if (header->version.major != version.major) continue;
        const auto* table = reinterpret_cast<const ExchangeTable*>(header);
        return table->managed_from_object && table->current_work_stream ? table : nullptr;
    }
    return nullptr;
}

lanewise::Device& find_device(Device device) {
    if (device.type == cpu) return cpu_device();
    if (device.type != cuda && device.type != cuda_managed && device.type != cuda_host)
        throw Error(ErrorKind::Value,
                    fmt::format("DLPack device type {} is none of ours (1 cpu, 2 cuda)", device.type));
    return device_by_name(fmt::format("cuda:{}", device.id));
}

DType dtype_of(DataType type) {
    if (type.lanes == 1)
        for (int i = 0; i < dtype_count; ++i)
            if (dtype_table[i].dlpack_code == type.code && dtype_table[i].bits == type.bits)
                return static_cast<DType>(i);
    throw Error(ErrorKind::Type,
                fmt::format("DLPack elements of type {} are not supported; there are bool, int8 to int64, uint8 to "
                            "uint64, float16, bfloat16, float32, float64, complex64 and complex128",
                            describe(type)));
}

Layout layout_of(const Tensor& tensor) {
    if (tensor.ndim < 0 || tensor.ndim > Dims::max_size)
        throw Error(ErrorKind::Value,
                    fmt::format("a DLPack tensor of {} dimensions; arrays have up to {}", tensor.ndim, Dims::max_size));
    Layout layout;
    layout.dtype = dtype_of(tensor.dtype);
    const std::int64_t item = size_of(layout.dtype);
    layout.shape = Dims(std::span<const std::int64_t>(tensor.shape, static_cast<std::size_t>(tensor.ndim)));
    // Until DLPack 1.2 there could be none.
    layout.strides = Dims(tensor.ndim);
    if (!tensor.strides) layout.strides = contiguous_strides(layout.shape, item, Order::C);
    for (int i = 0; tensor.strides && i < tensor.ndim; ++i)
        if (__builtin_mul_overflow(tensor.strides[i], item, &layout.strides[i]))
            throw Error(ErrorKind::Value,
                        fmt::format("a DLPack tensor's stride of {} elements is beyond 64 bits", tensor.strides[i]));
    if (tensor.data) layout.data = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
    span_of(layout);
    return layout;
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

Array import_tensor(const Tensor& tensor, bool read_only, std::function<void()> drop) {
    // On any failure the producer's memory is given back as well.
    std::shared_ptr<const void> owner(&tensor, [drop = std::move(drop)](const void*) { drop(); });
    const Layout layout = layout_of(tensor);
    const MemorySpan span = span_of(layout);
    const MemoryKind kind = tensor.device.type == cuda_managed ? MemoryKind::Managed
                            : tensor.device.type == cuda_host  ? MemoryKind::Pinned
                                                               : MemoryKind::Device;
    std::shared_ptr<Buffer> buffer = Buffer::foreign(
        find_device(tensor.device), kind, layout.data ? static_cast<std::byte*>(layout.data) + span.low : nullptr,
        static_cast<std::size_t>(span.high - span.low), nullptr, [owner]() mutable { owner.reset(); });
    owner.reset();
    return Array::over(std::move(buffer), -span.low, layout.shape, layout.strides, layout.dtype, read_only);
}

}  // namespace lanewise::dlpack
