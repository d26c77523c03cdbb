// Dynlib: a shared library opened at run time and its symbols.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lanewise {

/// A handle on a loaded shared library. Copies share the handle; the last one closes the library unless `keep_open` was
/// called. Thread-safe.
class Dynlib {
public:
    /// The first of `candidates` (file names for the dynamic linker's search, or paths) that loads, or none; then
    /// `why`, if given, says for every candidate what the linker answered, one line in all.
    static std::optional<Dynlib> open(std::span<const std::string> candidates, std::string* why = nullptr);
    static std::optional<Dynlib> open(std::initializer_list<std::string> candidates, std::string* why = nullptr) {
        return open(std::span<const std::string>(candidates.begin(), candidates.size()), why);
    }
    /// As open; Error(DeviceUnavailable) naming `purpose` and every candidate when none loads.
    static Dynlib require(std::span<const std::string> candidates, const std::string& purpose);

    /// The first library of this process whose file name begins with one of `stems`; earlier stems are preferred.
    /// Nothing is loaded.
    static std::optional<Dynlib> in_process(std::initializer_list<std::string_view> stems);

    /// Null when the library has no such symbol.
    void* symbol(const char* name) const;
    template <class F>
    F function(const char* name) const {
        return reinterpret_cast<F>(symbol(name));
    }
    /// Where the library was found: the file's path when the linker tells, else the candidate's spelling.
    const std::string& path() const;
    /// The library stays loaded to the end of the process; for drivers, which do not survive being unloaded.
    void keep_open();

private:
    struct Handle;
    /// Null when dlopen refuses.
    static std::shared_ptr<Handle> handle_of(const std::string& file, int flags);
    explicit Dynlib(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {}
    std::shared_ptr<Handle> handle_;
};

}  // namespace lanewise
