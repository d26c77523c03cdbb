// What a Python class means as a kernel argument, remembered by type object.
#pragma once

#include <Python.h>

#include <atomic>
#include <cstdint>

#include "interop/dlpack.h"
#include "lanewise/dtype.h"

namespace lanewise::bindings {

enum class ArgumentClass : std::uint8_t {
    Other,  ///< looked at anew each time
    None,
    Bool,
    Int,
    Float,
    Complex,
    NumpyScalar,  ///< of `dtype`
    Array,        ///< _core.Array and subclasses
    HostArray,    ///< numpy.ndarray and subclasses
    HostArgument,
    Tuple,
    Enum,       ///< its value is passed
    Extension,  ///< has `__lanewise_argument__`, which gives what is passed
    Exchange,   ///< has `__dlpack_c_exchange_api__`: `exchange`
    Interface,  ///< has `__cuda_array_interface__`
    Dlpack,     ///< has `__dlpack__`
};

struct ArgumentClassInfo {
    ArgumentClass kind = ArgumentClass::Other;
    DType dtype{};
    const dlpack::ExchangeTable* exchange = nullptr;
    /// Of classes with an exchange table: instances may have gradients or be views that compute (torch's
    /// `requires_grad`, `is_conj`, `is_neg`), of which tables say nothing.
    bool is_tracked = false;
};

/// A fixed-size table of the types seen so far. Types in it are kept alive, so an address stays what it is.
class ArgumentClasses {
public:
    static ArgumentClassInfo find(PyTypeObject* type) {
        for (std::size_t i = slot_of(type);; i = (i + 1) & (table_size - 1)) {
            const Slot& slot = slots_[i];
            PyTypeObject* found = slot.type.load(std::memory_order_acquire);
            if (found == type) return slot.info;
            if (!found) return add(type);
        }
    }

private:
    static constexpr std::size_t table_size = 1024;
    static constexpr std::size_t most_types = table_size / 2;
    struct Slot {
        std::atomic<PyTypeObject*> type;
        ArgumentClassInfo info;
    };
    static std::size_t slot_of(PyTypeObject* type) {
        return (reinterpret_cast<std::uintptr_t>(type) >> 4) * 0x9e3779b1u & (table_size - 1);
    }
    static ArgumentClassInfo add(PyTypeObject* type);
    static Slot slots_[table_size];
};

}  // namespace lanewise::bindings
