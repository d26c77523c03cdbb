#include "frontend/python/frontend.h"

#include <fmt/format.h>

#include "frontend/python/program.h"
#include "passes/pipeline.h"

namespace lanewise::python {

namespace {

/// A typing error, with the argument types under which the function was typed.
Error with_arguments(const Error& error, const Request& request) {
    std::string types;
    for (TypePtr type : request.arguments) types += (types.empty() ? "" : ", ") + to_string(type);
    return Error(error.kind(),
                 fmt::format("{}\nin {} {}({})", error.what(), request.is_kernel ? "kernel" : "device function",
                             local_name(request.function), types));
}

}  // namespace

Lowered lower(const Request& request) {
    Lowered lowered;
    lowered.module = std::make_unique<ir::Module>();
    lowered.module->name = request.function.name;
    Emitter emitter(*lowered.module, request.options);
    emitter.set_position(request.function.file.get(), request.function.at);
    Program program(emitter);
    try {
        lowered.result = program.lower(request);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Typing) throw;
        throw with_arguments(error, request);
    }
    lowered.warnings = emitter.warnings();
    lowered.typed_source = program.typed_source(request.function);
    passes::run_pipeline(*lowered.module);
    return lowered;
}

}  // namespace lanewise::python
