#include "frontend/python/frontend.h"

#include "frontend/python/program.h"
#include "passes/pipeline.h"

namespace lanewise::python {

Lowered lower(const Request& request) {
    Lowered lowered;
    lowered.module = std::make_unique<ir::Module>();
    lowered.module->name = request.function.name;
    Emitter emitter(*lowered.module, request.options);
    emitter.set_position(request.function.file.get(), request.function.at);
    Program program(emitter);
    lowered.result = program.lower(request);
    lowered.warnings = emitter.warnings();
    lowered.typed_source = program.typed_source(request.function);
    passes::run_pipeline(*lowered.module);
    return lowered;
}

}  // namespace lanewise::python
