// SharedObject: the ELF shared object of an image, mapped into the process.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace lanewise::cpu {

/// Unloaded when destroyed.
class SharedObject {
public:
    /// `name` is what debuggers and profilers show. Error(Value) with the loader's message when it cannot be loaded.
    SharedObject(std::span<const std::uint8_t> bytes, const std::string& name);
    ~SharedObject();
    SharedObject(const SharedObject&) = delete;
    SharedObject& operator=(const SharedObject&) = delete;

    /// Null when it exports no such symbol.
    void* function(const char* name) const;
    /// Address and size of an exported variable.
    std::optional<std::pair<void*, std::size_t>> variable(const char* name) const;

private:
    void* symbol(const char* name) const;

    void* handle_ = nullptr;
};

}  // namespace lanewise::cpu
