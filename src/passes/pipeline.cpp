#include "passes/pipeline.h"

#include "base/dump.h"
#include "passes/dead_code.h"
#include "passes/expand_ops.h"
#include "passes/simplify_blocks.h"

namespace lanewise::passes {

namespace {

struct Pass {
    std::string_view name;
    void (*run)(ir::Module&, ir::Function&);
};

constexpr Pass passes[] = {
    {"simplify_blocks", [](ir::Module&, ir::Function& function) { simplify_blocks(function); }},
    {"expand_ops", expand_ops},
    {"remove_dead_code", [](ir::Module&, ir::Function& function) { remove_dead_code(function); }},
};

}  // namespace

void run_pipeline(ir::Module& module) {
    ir::verify(module);
    const bool dumps = dump_requested("ir");
    if (dumps) dump("ir of module " + module.name, ir::print(module));
    for (const Pass& pass : passes) {
        for (const auto& function : module.functions) pass.run(module, *function);
        if (dumps) dump("ir after " + std::string(pass.name), ir::print(module));
    }
    ir::verify(module);
}

}  // namespace lanewise::passes
