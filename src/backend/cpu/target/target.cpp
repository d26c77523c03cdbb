#include "backend/cpu/target/target.h"

#include <fmt/format.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "backend/cpu/device_facts.h"
#include "backend/cpu/spmd/kernel.h"
#include "backend/cpu/spmd/operations.h"
#include "backend/cpu/target/conversions.h"
#include "backend/cpu/target/divisions.h"
#include "backend/cpu/target/flatten.h"
#include "backend/cpu/target/globals.h"
#include "backend/cpu/target/libdevice.h"
#include "backend/cpu/target/link.h"
#include "backend/cpu/target/lock_step.h"
#include "backend/cpu/target/machine.h"
#include "backend/cpu/target/nvvm.h"
#include "backend/cpu/target/optimise.h"
#include "backend/cpu/target/ptx_asm.h"
#include "backend/cpu/target/shared_window.h"
#include "backend/cpu/target/small_floats.h"
#include "backend/cpu/target/special.h"
#include "codegen/kernel_annotations.h"
#include "codegen/module_text.h"
#include "lanewise/error.h"
#include "runtime/launch_limits.h"

namespace lanewise::cpu {
namespace {

/// Makes `module` one for the host: triple, layout, attributes; kernels become exported, all else internal.
std::vector<std::string> retarget(llvm::Module& module, const llvm::TargetMachine& machine) {
    const std::vector<llvm::Function*> kernels = codegen::kernels_of(module);
    if (llvm::NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations"))
        module.eraseNamedMetadata(annotations);
    module.setTargetTriple(machine.getTargetTriple().str());
    module.setDataLayout(machine.createDataLayout());
    module.setPICLevel(llvm::PICLevel::BigPIC);
    if (llvm::NamedMDNode* version = module.getNamedMetadata("nvvmir.version")) module.eraseNamedMetadata(version);

    std::vector<std::string> names;
    for (llvm::Function* kernel : kernels) names.push_back(kernel->getName().str());
    for (llvm::Function& function : module) {
        if (function.isDeclaration()) continue;
        function.setCallingConv(llvm::CallingConv::C);
        for (const char* attribute : {"target-cpu", "target-features", "no-trapping-math"}) {
            function.removeFnAttr(attribute);
        }
        function.setLinkage(llvm::is_contained(kernels, &function) ? llvm::GlobalValue::ExternalLinkage
                                                                   : llvm::GlobalValue::InternalLinkage);
        function.setComdat(nullptr);
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) call->setCallingConv(llvm::CallingConv::C);
        }
    }
    return names;
}

/// Most threads of a block by the launch bounds of each kernel that has some.
llvm::StringMap<std::uint32_t> launch_bounds(llvm::Module& module) {
    llvm::StringMap<std::uint32_t> bounds;
    for (const llvm::Function* kernel : codegen::kernels_of(module))
        bounds[kernel->getName()] = codegen::most_threads(*kernel);
    return bounds;
}

/// The limits of devices, which their assembler enforces.
void check_limits(const EntryPoint& entry) {
    if (entry.static_shared_bytes > static_cast<std::uint32_t>(shared_per_block))
        throw Error(
            ErrorKind::Lowering,
            fmt::format("kernel '{}' has {} bytes of static shared memory; at most {} are possible. More, up to {}, "
                        "must be dynamic: 'extern __shared__' with its size given at the launch",
                        entry.name, entry.static_shared_bytes, shared_per_block, shared_per_block_optin));
    if (entry.parameter_bytes > max_parameter_bytes)
        throw Error(ErrorKind::Lowering,
                    fmt::format("kernel '{}' takes {} bytes of parameters; at most {} are possible. Pass a pointer to "
                                "device memory that holds them",
                                entry.name, entry.parameter_bytes, max_parameter_bytes));
}

void build_kernels(llvm::Module& module, llvm::ArrayRef<std::string> names, Image& image) {
    llvm::SmallVector<llvm::Function*> kernels, device_functions;
    for (const std::string& name : names) kernels.push_back(module.getFunction(name));
    for (llvm::Function& function : module) {
        if (function.isDeclaration() || is_helper(function) || llvm::is_contained(kernels, &function)) continue;
        device_functions.push_back(&function);
    }
    ThreadFacts facts;
    SharedLayout shared;
    if (!device_functions.empty()) {
        // Kernels share these functions, so all must find their variables at the same offsets.
        llvm::SmallVector<const llvm::Function*> all(kernels.begin(), kernels.end());
        all.append(device_functions.begin(), device_functions.end());
        shared = lay_out_shared(module, all);
        facts = convert_device_functions(module, device_functions, shared);
    }
    for (llvm::Function* kernel : kernels) {
        if (device_functions.empty()) shared = lay_out_shared(module, kernel);
        image.entries.push_back(build_kernel(*kernel, shared, facts));
        check_limits(image.entries.back());
    }
}

/// Attributes that only matter to code generation, on what is left in the end.
void set_host_attributes(llvm::Module& module) {
    const llvm::StringRef host = llvm::sys::getHostCPUName();
    for (llvm::Function& function : module) {
        if (function.isDeclaration()) continue;
        function.removeFnAttr(llvm::Attribute::Convergent);
        function.removeFnAttr("lanewise.slots");
        function.addFnAttr(llvm::Attribute::NoUnwind);
        function.addFnAttr("tune-cpu", host);
        function.addFnAttr("prefer-vector-width", "256");
    }
}

bool calls_libmvec(const llvm::Module& module) {
    return llvm::any_of(module, [](const llvm::Function& function) { return function.getName().starts_with("_ZGV"); });
}

}  // namespace

Image compile(std::unique_ptr<llvm::Module> module, const std::string& target, const CompileOptions& options) {
    const std::unique_ptr<llvm::TargetMachine> machine = make_target_machine(target, options);
    Image image;
    image.format = ImageFormat::HostObject;
    image.target = target;

    const llvm::StringMap<std::uint32_t> bounds = launch_bounds(*module);
    const std::vector<std::string> kernels = retarget(*module, *machine);
    settle_globals(*module);
    inline_device_functions(*module);
    expand_inline_ptx(*module);
    number_shared_memory(*module);
    expand_libdevice_calls(*module);
    expand_nvvm_intrinsics(*module);
    expand_small_floats(*module);
    flatten_address_spaces(*module);
    simplify_functions(*module);
    keep_lock_step(*module, kernels);
    build_kernels(*module, kernels, image);
    for (EntryPoint& entry : image.entries) entry.max_threads = bounds.lookup(entry.name);
    lower_private_atomics(*module);
    guard_divisions(*module);
    expand_saturating_conversions(*module);
    set_host_attributes(*module);

    const bool vector_math = has_libmvec();
    optimise_module(*module, *machine, options, vector_math);
    check_globals(*module);
    if (options.keep_text) {
        image.llvm_ir = codegen::module_text(*module);
        image.assembly = emit_assembly(*llvm::CloneModule(*module), *machine);
    }
    const bool uses_libmvec = calls_libmvec(*module);
    image.bytes = link_shared_object(emit_object(*module, *machine), uses_libmvec);
    return image;
}

}  // namespace lanewise::cpu
