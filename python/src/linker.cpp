// Bindings of the linker of GPU code.
#include "lanewise/linker.h"

#include <fmt/format.h>

#include "bindings.h"
#include "device_object.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

LinkInput to_form(std::string_view name) {
    constexpr const char* names[] = {"cubin", "ptx", "fatbin", "object", "library"};
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (name == names[i]) return static_cast<LinkInput>(i);
    throw Error(ErrorKind::Value, fmt::format("a part to link is one of {}; got '{}'", fmt::join(names, ", "), name));
}

struct LinkerObject {
    std::unique_ptr<Linker> linker;
};

}  // namespace

void bind_linker(nb::module_& m) {
    nb::class_<LinkerObject>(m, "Linker")
        .def(
            "__init__",
            [](LinkerObject* self, nb::handle device, int max_registers, int opt_level, bool line_info, bool debug,
               bool verbose) {
                LinkOptions options{.max_registers = max_registers,
                                    .opt_level = opt_level,
                                    .line_info = line_info,
                                    .debug = debug,
                                    .verbose = verbose};
                new (self) LinkerObject{to_device(device).create_linker(options)};
            },
            nb::kw_only(), "device"_a.none() = nb::none(), "max_registers"_a = 0, "opt_level"_a = 3,
            "line_info"_a = false, "debug"_a = false, "verbose"_a = false)
        .def(
            "add",
            [](LinkerObject& self, std::string_view form, nb::bytes part, const std::string& name) {
                LinkInput input = to_form(form);
                std::span bytes(reinterpret_cast<const std::uint8_t*>(part.c_str()), part.size());
                nb::gil_scoped_release release;
                self.linker->add(input, bytes, name);
            },
            "form"_a, "part"_a, "name"_a = "unknown")
        .def("complete",
             [](LinkerObject& self) {
                 Image image;
                 {
                     nb::gil_scoped_release release;
                     image = self.linker->complete();
                 }
                 return nb::bytes(image.bytes.data(), image.bytes.size());
             })
        .def_prop_ro("information", [](LinkerObject& self) { return self.linker->information(); })
        .def_prop_ro("errors", [](LinkerObject& self) { return self.linker->errors(); });
}

}  // namespace lanewise::bindings
