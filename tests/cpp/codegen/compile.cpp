#include "compile.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "passes/pipeline.h"

namespace lanewise::test {

ir::Function* add_kernel(ir::Module& module, const std::string& name, const std::vector<ir::Type>& parameters,
                         const std::function<void(ir::Builder&, std::vector<ir::Value*>)>& body) {
    ir::Function* function = module.new_function(name);
    function->is_kernel = true;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        function->add_parameter({.name = "p" + std::to_string(i), .type = parameters[i]});
    ir::Builder builder(module, *function);
    builder.set_block(builder.new_block("entry"));
    body(builder, function->parameter_values);
    if (!builder.terminated()) builder.ret();
    return function;
}

Texts compile_cuda(ir::Module& module, const CompileOptions& options, const std::string& target) {
    passes::run_pipeline(module);
    CompileOptions with_text = options;
    with_text.keep_text = true;
    Texts texts;
    texts.image = lanewise_compiler()->compile(module, DeviceKind::Cuda, target, with_text);
    texts.llvm = texts.image.llvm_ir;
    texts.ptx = texts.image.assembly;
    return texts;
}

std::string ptxas_complaint(const std::string& ptx, const std::string& target) {
    const char* ptxas = "/usr/local/cuda/bin/ptxas";
    if (!std::filesystem::exists(ptxas)) return "";
    const std::string base =
        (std::filesystem::temp_directory_path() / ("lanewise_test_" + std::to_string(getpid()))).string();
    std::ofstream(base + ".ptx") << ptx;
    const std::string command =
        std::string(ptxas) + " -arch=" + target + " -o /dev/null " + base + ".ptx > " + base + ".log 2>&1";
    const int status = std::system(command.c_str());
    std::ifstream log(base + ".log");
    std::string text((std::istreambuf_iterator<char>(log)), {});
    std::filesystem::remove(base + ".ptx");
    std::filesystem::remove(base + ".log");
    return status == 0 ? "" : text + "\n" + ptx;
}

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

}  // namespace lanewise::test
