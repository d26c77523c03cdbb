// Bindings of the disk cache and of the compile statistics.
#include "bindings.h"
#include "jit/disk_cache.h"
#include "jit/statistics.h"

namespace lanewise::bindings {

void bind_cache(nb::module_& m) {
    using jit::DiskCache;
    using Release = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<DiskCache>(m, "Cache")
        .def_prop_ro("path", [](const DiskCache& c) { return c.settings().folder; })
        .def_prop_ro("enabled", [](const DiskCache& c) { return c.settings().enabled; })
        .def_prop_ro("limit_bytes", [](const DiskCache& c) { return c.settings().limit_bytes; })
        .def(
            "size_bytes", [](const DiskCache& c) { return c.usage().bytes; }, Release())
        .def(
            "entries", [](const DiskCache& c) { return c.usage().entries; }, Release())
        .def("clear", &DiskCache::clear, Release());
    m.def("disk_cache", &DiskCache::instance, nb::rv_policy::reference);
    m.def("statistics", [] {
        const jit::Statistics& s = jit::statistics();
        auto milliseconds = [](const std::atomic<std::uint64_t>& ns) { return static_cast<double>(ns.load()) * 1e-6; };
        nb::dict result;
        result["compiles"] = s.compiles.load();
        result["shared_modules"] = s.shared_modules.load();
        result["disk_hits"] = s.disk_hits.load();
        result["disk_misses"] = s.disk_misses.load();
        result["disk_stores"] = s.disk_stores.load();
        result["corrupt_entries"] = s.corrupt_entries.load();
        result["lower_ms"] = milliseconds(s.lower_ns);
        result["compile_ms"] = milliseconds(s.compile_ns);
        result["link_ms"] = milliseconds(s.link_ns);
        result["load_ms"] = milliseconds(s.load_ns);
        return result;
    });
}

}  // namespace lanewise::bindings
