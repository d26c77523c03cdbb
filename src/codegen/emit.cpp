#include "codegen/emit.h"

#include <fmt/format.h>

#include "codegen/emitter.h"
#include "ir/dominators.h"

namespace lanewise::codegen {

using namespace llvm;

namespace {

constexpr char nvptx_data_layout[] = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64";
constexpr char nvptx_triple[] = "nvptx64-nvidia-cuda";
/// Constant memory of one module on CUDA.
constexpr std::uint64_t constant_memory_bytes = 64 * 1024;
/// Device functions are always inlined while they, with what they inline themselves, have at most this many values;
/// larger ones when the optimiser finds it worth while. Bounds the growth of chains of functions that call each other
/// twice.
constexpr std::size_t always_inline_values = 1000;

unsigned address_space(ir::Space space) {
    return space == ir::Space::Local ? 0 : static_cast<unsigned>(space);
}

/// Values of a function once its calls of non-recursive functions are inlined; saturates beyond the limit.
std::size_t inlined_size(const ir::Function& function, DenseMap<const ir::Function*, std::size_t>& known) {
    if (auto found = known.find(&function); found != known.end()) return found->second;
    std::size_t size = 0;
    for (const ir::Block* block : function.blocks) {
        size += block->values.size();
        for (const ir::Value* value : block->values)
            if (value->op == ir::Op::Call && !value->callee->recursive && size <= always_inline_values)
                size += inlined_size(*value->callee, known);
    }
    return known[&function] = size;
}

/// Reachable blocks so that definitions come before uses (phis aside).
std::vector<const ir::Block*> reverse_postorder(const ir::Function& function) {
    std::vector<const ir::Block*> order;
    llvm::SmallVector<std::pair<const ir::Block*, int>> stack{{function.blocks.front(), 0}};
    llvm::DenseMap<const ir::Block*, bool> seen{{function.blocks.front(), true}};
    while (!stack.empty()) {
        auto& [block, next] = stack.back();
        const ir::Value& end = *block->terminator();
        if (next < ir::target_count(end)) {
            const ir::Block* target = end.targets[next++];
            if (seen.try_emplace(target, true).second) stack.emplace_back(target, 0);
        } else {
            order.push_back(block);
            stack.pop_back();
        }
    }
    return {order.rbegin(), order.rend()};
}

}  // namespace

Emitter::Emitter(const ir::Module& module, DeviceKind kind, const CompileOptions& options, LLVMContext& context)
    : source_(module),
      kind_(kind),
      options_(options),
      context_(context),
      module_(std::make_unique<llvm::Module>(module.name.empty() ? "lanewise" : module.name, context)),
      b_(context) {
    module_->setDataLayout(nvptx_data_layout);
    module_->setTargetTriple(nvptx_triple);
    FastMathFlags flags;
    if (options.contract) flags.setAllowContract();
    if (options.fastmath) flags.setFast();
    b_.setFastMathFlags(flags);
    if (options.line_info || options.debug)
        debug_.emplace(source_, *module_, options.debug, !options.debug && options.opt_level > 0);
}

std::unique_ptr<llvm::Module> Emitter::run() {
    declare_globals();
    for (const auto& function : source_.functions) declare_function(*function);
    for (const auto& function : source_.functions) emit_function(*function);
    if (debug_) debug_->finalize();
    return std::move(module_);
}

void Emitter::declare_globals() {
    std::uint64_t constant_bytes = 0;
    for (const auto& global : source_.globals) {
        llvm::Type* type = ArrayType::get(b_.getInt8Ty(), global->bytes);
        Constant* initial = global->space == ir::Space::Shared ? cast<Constant>(UndefValue::get(type))
                                                               : ConstantAggregateZero::get(type);
        if (!global->data.empty()) {
            std::vector<std::uint8_t> data = global->data;
            data.resize(global->bytes);
            initial = ConstantDataArray::get(context_, data);
        }
        const bool constant = global->space == ir::Space::Constant;
        if (constant) constant_bytes += alignTo(global->bytes, global->align);
        // Device memory is visible to the host by its name; the other spaces are nobody else's.
        const auto linkage = global->space == ir::Space::Global && global->data.empty() ? GlobalValue::ExternalLinkage
                                                                                        : GlobalValue::InternalLinkage;
        auto* variable = new GlobalVariable(*module_, type, constant, linkage, initial, global->name, nullptr,
                                            GlobalValue::NotThreadLocal, address_space(global->space));
        variable->setAlignment(Align(global->align));
        globals_[global.get()] = variable;
    }
    if (kind_ == DeviceKind::Cuda && constant_bytes > constant_memory_bytes)
        throw Error(
            ErrorKind::Lowering,
            fmt::format("module '{}' captures {} bytes of constant arrays; a CUDA module holds at most {}. Pass the "
                        "larger arrays as kernel arguments instead.",
                        source_.name, constant_bytes, constant_memory_bytes));
}

void Emitter::declare_function(const ir::Function& function) {
    SmallVector<llvm::Type*> parameters;
    for (const ir::Parameter& parameter : function.parameters)
        parameters.push_back(function.is_kernel ? memory_type(parameter.type) : type(parameter.type));
    auto* signature = FunctionType::get(result_type(function.results), parameters, false);
    // A module without kernels is one device function, the first, with those it calls.
    const bool exported =
        function.is_kernel || (&function == source_.functions.front().get() &&
                               llvm::none_of(source_.functions, [](const auto& f) { return f->is_kernel; }));
    auto* f = llvm::Function::Create(signature, exported ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage,
                                     function.name, *module_);
    functions_[&function] = f;
    f->addFnAttr(Attribute::NoUnwind);
    f->addFnAttr(Attribute::Convergent);
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const ir::Parameter& parameter = function.parameters[i];
        llvm::Argument* argument = f->getArg(i);
        argument->setName(parameter.name);
        if (!parameter.type.is_pointer()) continue;
        if (parameter.no_alias) argument->addAttr(Attribute::NoAlias);
        if (parameter.read_only) argument->addAttr(Attribute::ReadOnly);
        if (parameter.align) argument->addAttr(Attribute::getWithAlignment(context_, Align(parameter.align)));
    }
    if (function.is_kernel) {
        annotate_kernel(function, *f);
    } else if (!function.recursive && !options_.debug) {
        const bool always = function.always_inline || inlined_size(function, inlined_sizes_) <= always_inline_values;
        f->addFnAttr(always ? Attribute::AlwaysInline : Attribute::InlineHint);
    }
}

void Emitter::annotate_kernel(const ir::Function&, llvm::Function& f) {
    f.setCallingConv(CallingConv::PTX_Kernel);
    NamedMDNode* annotations = module_->getOrInsertNamedMetadata("nvvm.annotations");
    auto annotate = [&](StringRef key, int value) {
        annotations->addOperand(MDNode::get(context_, {ConstantAsMetadata::get(&f), MDString::get(context_, key),
                                                       ConstantAsMetadata::get(b_.getInt32(value))}));
    };
    annotate("kernel", 1);
    if (options_.max_threads_per_block) annotate("maxntidx", options_.max_threads_per_block);
    if (options_.min_blocks_per_multiprocessor) annotate("minctasm", options_.min_blocks_per_multiprocessor);
    if (options_.max_cluster_blocks) annotate("maxclusterrank", options_.max_cluster_blocks);
    if (options_.max_registers) annotate("maxnreg", options_.max_registers);
}

void Emitter::emit_function(const ir::Function& function) {
    current_ = &function;
    current_llvm_ = functions_.lookup(&function);
    values_.clear();
    first_.clear();
    last_.clear();
    if (debug_) debug_->attach(function, *current_llvm_);
    for (const ir::Block* block : function.blocks)
        first_[block] = BasicBlock::Create(context_, block->label, current_llvm_);
    b_.SetInsertPoint(first_.lookup(function.blocks.front()));
    if (debug_)
        b_.SetCurrentDebugLocation(debug_->location(function, {}));
    else
        b_.SetCurrentDebugLocation(DebugLoc());
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        Value* argument = current_llvm_->getArg(i);
        if (function.is_kernel && function.parameters[i].type.is(DType::Bool)) argument = b_.CreateIsNotNull(argument);
        values_[function.parameter_values[i]] = argument;
    }
    const std::vector<const ir::Block*> order = reverse_postorder(function);
    for (const ir::Block* block : order) emit_block(*block);
    for (const ir::Block* block : order)
        for (const ir::Value* value : block->values) {
            if (value->op != ir::Op::Phi) break;
            fill_phi(*value);
        }
    for (const ir::Block* block : function.blocks)
        if (!last_.lookup(block)) first_.lookup(block)->eraseFromParent();
}

void Emitter::emit_block(const ir::Block& block) {
    b_.SetInsertPoint(first_.lookup(&block));
    for (const ir::Value* value : block.values) {
        if (debug_) b_.SetCurrentDebugLocation(debug_->location(*current_, value->at));
        if (Value* emitted = emit_value(*value)) values_[value] = emitted;
    }
    last_[&block] = b_.GetInsertBlock();
}

namespace {

/// An addition known to stay within its type tells so, which lets LLVM count the iterations of the loop it advances.
Value* with_no_wrap(Value* result, const ir::Value& value) {
    auto* addition = dyn_cast<OverflowingBinaryOperator>(result);
    if (!value.no_wrap || !addition) return result;
    auto* instruction = cast<Instruction>(addition);
    if (is_signed(value.type.dtype))
        instruction->setHasNoSignedWrap();
    else
        instruction->setHasNoUnsignedWrap();
    return result;
}

}  // namespace

Value* Emitter::emit_value(const ir::Value& value) {
    switch (value.op) {
        case ir::Op::LocalArray: {
            auto* bytes = ArrayType::get(b_.getInt8Ty(), value.index);
            return entry_alloca(bytes, Align(value.align ? value.align : 16));
        }
        case ir::Op::Phi:
            return b_.CreatePHI(type(value.type), value.operands.size());
        case ir::Op::Scalar:
            return with_no_wrap(emit_scalar(value), value);
        case ir::Op::Cast:
            return emit_cast(operand(value.operands[0]), value.operands[0]->type.dtype, value.type.dtype);
        case ir::Op::Bitcast:
            return emit_bitcast(value);
        case ir::Op::PointerAdd:
            return emit_pointer_add(value);
        case ir::Op::Load:
            return emit_load(value);
        case ir::Op::Store:
            emit_store(value);
            return nullptr;
        case ir::Op::Atomic:
            return emit_atomic(value);
        case ir::Op::CompareSwap:
            return emit_compare_swap(value);
        case ir::Op::Intrinsic:
            return emit_intrinsic(value);
        case ir::Op::Call:
            return emit_call(value);
        case ir::Op::External:
            return emit_external(value);
        case ir::Op::Result:
            return b_.CreateExtractValue(operand(value.operands[0]), value.index);
        case ir::Op::Print:
            emit_print(value);
            return nullptr;
        case ir::Op::Branch:
            b_.CreateBr(first_.lookup(value.targets[0]));
            return nullptr;
        case ir::Op::CondBranch:
            b_.CreateCondBr(operand(value.operands[0]), first_.lookup(value.targets[0]),
                            first_.lookup(value.targets[1]));
            return nullptr;
        case ir::Op::Return:
            emit_return(value);
            return nullptr;
        case ir::Op::Raise:
            emit_raise(value);
            return nullptr;
        case ir::Op::Unreachable:
            b_.CreateUnreachable();
            return nullptr;
        case ir::Op::Parameter:
        case ir::Op::Constant:
        case ir::Op::GlobalAddress:
        case ir::Op::DynamicShared:
            break;
    }
    refuse(value, fmt::format("a value of kind '{}' belongs to no block", ir::name(value.op)));
}

void Emitter::fill_phi(const ir::Value& value) {
    auto* phi = cast<PHINode>(values_.lookup(&value));
    for (std::size_t i = 0; i < value.operands.size(); ++i) {
        BasicBlock* from = last_.lookup(value.incoming[i]);
        if (!from) continue;
        b_.SetInsertPoint(from->getTerminator());
        Value* incoming = operand(value.operands[i]);
        phi->addIncoming(incoming, from);
        // Both arms of a conditional branch may lead here: LLVM wants an entry for each edge.
        auto* branch = dyn_cast<BranchInst>(from->getTerminator());
        if (branch && branch->isConditional() && branch->getSuccessor(0) == branch->getSuccessor(1))
            phi->addIncoming(incoming, from);
    }
}

Value* Emitter::emit_call(const ir::Value& value) {
    SmallVector<Value*> operands;
    for (const ir::Value* used : value.operands) operands.push_back(operand(used));
    return b_.CreateCall(functions_.lookup(value.callee), operands);
}

Value* Emitter::emit_external(const ir::Value& value) {
    SmallVector<Value*> operands;
    SmallVector<llvm::Type*> types;
    for (const ir::Value* used : value.operands) {
        Value* emitted = operand(used);
        operands.push_back(used->type.is_pointer() ? to_generic(emitted) : emitted);
        types.push_back(operands.back()->getType());
    }
    std::vector<ir::Type> results = value.result_types;
    if (results.empty() && !value.type.is_void()) results.push_back(value.type);
    auto* signature = FunctionType::get(result_type(results), types, false);
    FunctionCallee callee = module_->getOrInsertFunction(value.symbol, signature);
    auto* function = dyn_cast<llvm::Function>(callee.getCallee());
    if (!function || function->getFunctionType() != signature)
        refuse(value, fmt::format("'{}' is used with two different signatures", value.symbol));
    function->addFnAttr(Attribute::NoUnwind);
    if (!value.has_memory_effect) {
        function->setDoesNotAccessMemory();
        function->addFnAttr(Attribute::WillReturn);
    }
    return b_.CreateCall(function, operands);
}

void Emitter::emit_return(const ir::Value& value) {
    if (value.operands.empty()) {
        b_.CreateRetVoid();
    } else if (value.operands.size() == 1) {
        b_.CreateRet(operand(value.operands[0]));
    } else {
        Value* whole = PoisonValue::get(current_llvm_->getReturnType());
        for (std::size_t i = 0; i < value.operands.size(); ++i)
            whole = b_.CreateInsertValue(whole, operand(value.operands[i]), i);
        b_.CreateRet(whole);
    }
}

Value* Emitter::operand(const ir::Value* value) {
    switch (value->op) {
        case ir::Op::Constant:
            return constant(*value);
        case ir::Op::GlobalAddress:
            return globals_.lookup(value->global);
        case ir::Op::DynamicShared:
            if (!dynamic_shared_) {
                dynamic_shared_ =
                    new GlobalVariable(*module_, ArrayType::get(b_.getInt8Ty(), 0), false, GlobalValue::ExternalLinkage,
                                       nullptr, "__lanewise_dynamic_shared", nullptr, GlobalValue::NotThreadLocal,
                                       address_space(ir::Space::Shared));
                dynamic_shared_->setAlignment(Align(16));
            }
            return dynamic_shared_;
        default:
            return values_.lookup(value);
    }
}

Value* Emitter::constant(const ir::Value& value) {
    llvm::Type* wanted = type(value.type);
    if (value.type.is_pointer()) {
        auto* null = ConstantPointerNull::get(cast<PointerType>(wanted));
        return value.bits == 0 ? cast<Constant>(null) : ConstantExpr::getIntToPtr(b_.getInt64(value.bits), wanted);
    }
    if (!wanted->isFloatingPointTy()) return ConstantInt::get(wanted, value.bits);
    return ConstantFP::get(wanted, APFloat(wanted->getFltSemantics(), APInt(bits(value.type.dtype), value.bits)));
}

void Emitter::refuse(const ir::Value& value, const std::string& problem) const {
    const SourceFile* file =
        current_ && current_->file < source_.files.size() ? &source_.files[current_->file] : nullptr;
    const std::string& name = current_->display_name.empty() ? current_->name : current_->display_name;
    throw located_error(ErrorKind::Lowering, fmt::format("{}: {}", name, problem), file, value.at);
}

llvm::Type* Emitter::type(DType dtype) const {
    switch (dtype) {
        case DType::Bool:
            return llvm::Type::getInt1Ty(context_);
        case DType::Float16:
            return llvm::Type::getHalfTy(context_);
        case DType::BFloat16:
            return llvm::Type::getBFloatTy(context_);
        case DType::Float32:
            return llvm::Type::getFloatTy(context_);
        case DType::Float64:
            return llvm::Type::getDoubleTy(context_);
        default:
            return llvm::Type::getIntNTy(context_, bits(dtype));
    }
}

llvm::Type* Emitter::type(ir::Type wanted) const {
    if (wanted.is_void()) return llvm::Type::getVoidTy(context_);
    if (wanted.is_pointer()) return PointerType::get(context_, address_space(wanted.space));
    return type(wanted.dtype);
}

llvm::Type* Emitter::memory_type(ir::Type wanted) const {
    return wanted.is(DType::Bool) ? llvm::Type::getInt8Ty(context_) : type(wanted);
}

llvm::Type* Emitter::result_type(const std::vector<ir::Type>& results) const {
    if (results.empty()) return llvm::Type::getVoidTy(context_);
    if (results.size() == 1) return type(results[0]);
    SmallVector<llvm::Type*> fields;
    for (ir::Type result : results) fields.push_back(type(result));
    return StructType::get(context_, fields);
}

Value* Emitter::to_generic(Value* pointer) {
    auto* generic = PointerType::get(context_, 0);
    return pointer->getType() == generic ? pointer : b_.CreateAddrSpaceCast(pointer, generic);
}

AllocaInst* Emitter::entry_alloca(llvm::Type* type, Align align) {
    BasicBlock& entry = current_llvm_->getEntryBlock();
    auto* alloca = new AllocaInst(type, 0, nullptr, align, "", entry.begin());
    return alloca;
}

llvm::Function* Emitter::runtime_function(StringRef name, FunctionType* signature) {
    auto* function = cast<llvm::Function>(module_->getOrInsertFunction(name, signature).getCallee());
    function->addFnAttr(Attribute::NoUnwind);
    return function;
}

std::unique_ptr<llvm::Module> emit(const ir::Module& module, DeviceKind kind, const CompileOptions& options,
                                   LLVMContext& context) {
    return Emitter(module, kind, options, context).run();
}

}  // namespace lanewise::codegen
