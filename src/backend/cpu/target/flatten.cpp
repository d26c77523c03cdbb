#include "backend/cpu/target/flatten.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "codegen/llvm.h"

namespace lanewise::cpu {
namespace {

constexpr llvm::StringLiteral shared_mark = "lanewise.shared";
constexpr llvm::StringLiteral constant_mark = "lanewise.constant";
constexpr unsigned shared_space = 3;
constexpr unsigned constant_space = 4;

class Flattener : public llvm::ValueMapTypeRemapper, public llvm::ValueMaterializer {
public:
    explicit Flattener(llvm::Module& module)
        : module_(module),
          mapper_(map_, llvm::RF_IgnoreMissingLocals | llvm::RF_ReuseAndMutateDistinctMDs, this, this) {}

    void run() {
        replace_globals();
        replace_functions();
        for (auto& [old_global, new_global] : globals_) {
            if (old_global->hasInitializer())
                new_global->setInitializer(mapper_.mapConstant(*old_global->getInitializer()));
        }
        for (llvm::GlobalVariable& global : module_.globals()) {
            if (!replaced_.contains(&global) && global.hasInitializer()) {
                global.setInitializer(mapper_.mapConstant(*global.getInitializer()));
            }
        }
        for (llvm::Function& function : llvm::make_early_inc_range(module_)) {
            if (replaced_.contains(&function) || function.isDeclaration()) continue;
            mapper_.remapFunction(function);
            drop_casts(function);
        }
        erase_replaced();
    }

    llvm::Type* remapType(llvm::Type* type) override {
        llvm::Type*& flat = types_[type];
        if (!flat) flat = compute(type);
        return flat;
    }

    llvm::Value* materialize(llvm::Value* value) override {
        auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value);
        if (!expression || expression->getOpcode() != llvm::Instruction::AddrSpaceCast) return nullptr;
        return mapper_.mapValue(*expression->getOperand(0));
    }

private:
    llvm::Type* compute(llvm::Type* type) {
        if (auto* pointer = llvm::dyn_cast<llvm::PointerType>(type)) {
            return llvm::PointerType::get(pointer->getContext(), 0);
        }
        if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
            return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
        }
        if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type)) {
            return llvm::VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
        }
        if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
            llvm::SmallVector<llvm::Type*> parameters;
            for (llvm::Type* parameter : function->params()) parameters.push_back(remapType(parameter));
            return llvm::FunctionType::get(remapType(function->getReturnType()), parameters, function->isVarArg());
        }
        if (auto* record = llvm::dyn_cast<llvm::StructType>(type); record && !record->isOpaque()) {
            llvm::SmallVector<llvm::Type*> elements;
            for (llvm::Type* element : record->elements()) elements.push_back(remapType(element));
            if (llvm::ArrayRef<llvm::Type*>(elements) == record->elements()) return type;
            return record->isLiteral() ? llvm::StructType::get(record->getContext(), elements, record->isPacked())
                                       : llvm::StructType::create(record->getContext(), elements, record->getName(),
                                                                  record->isPacked());
        }
        return type;
    }

    void replace_globals() {
        for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module_.globals())) {
            llvm::Type* type = remapType(global.getValueType());
            if (global.getAddressSpace() == 0 && type == global.getValueType()) continue;
            auto* flat =
                new llvm::GlobalVariable(module_, type, global.isConstant(), global.getLinkage(), nullptr, "", &global,
                                         llvm::GlobalVariable::NotThreadLocal, 0, global.isExternallyInitialized());
            flat->copyAttributesFrom(&global);
            flat->takeName(&global);
            if (global.getAddressSpace() == shared_space) flat->addAttribute(shared_mark);
            if (global.getAddressSpace() == constant_space) flat->addAttribute(constant_mark);
            map_[&global] = flat;
            replaced_.insert(&global);
            globals_.emplace_back(&global, flat);
        }
    }

    void replace_functions() {
        for (llvm::Function& function : llvm::make_early_inc_range(module_)) {
            auto* type = llvm::cast<llvm::FunctionType>(remapType(function.getFunctionType()));
            if (type == function.getFunctionType() && function.getAddressSpace() == 0) continue;
            llvm::Function* flat = nullptr;
            llvm::SmallVector<llvm::Type*> overloads;
            if (function.isIntrinsic() &&
                llvm::Intrinsic::getIntrinsicSignature(function.getIntrinsicID(), type, overloads)) {
                flat = llvm::Intrinsic::getDeclaration(&module_, function.getIntrinsicID(), overloads);
            } else {
                flat = llvm::Function::Create(type, function.getLinkage(), 0, "");
                module_.getFunctionList().insert(function.getIterator(), flat);
                flat->copyAttributesFrom(&function);
                flat->copyMetadata(&function, 0);
                flat->takeName(&function);
                for (auto [old_argument, new_argument] : llvm::zip(function.args(), flat->args())) {
                    new_argument.setName(old_argument.getName());
                    map_[&old_argument] = &new_argument;
                }
                flat->splice(flat->begin(), &function);
            }
            map_[&function] = flat;
            replaced_.insert(&function);
        }
    }

    static void drop_casts(llvm::Function& function) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            if (!llvm::isa<llvm::AddrSpaceCastInst>(instruction)) continue;
            instruction.replaceAllUsesWith(instruction.getOperand(0));
            instruction.eraseFromParent();
        }
    }

    void erase_replaced() {
        for (llvm::GlobalValue* value : replaced_) {
            if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(value)) global->setInitializer(nullptr);
        }
        for (llvm::GlobalValue* value : replaced_) {
            value->removeDeadConstantUsers();
            value->replaceAllUsesWith(llvm::PoisonValue::get(value->getType()));
            value->eraseFromParent();
        }
    }

    llvm::Module& module_;
    llvm::ValueToValueMapTy map_;
    llvm::ValueMapper mapper_;
    llvm::DenseMap<llvm::Type*, llvm::Type*> types_;
    llvm::SmallSetVector<llvm::GlobalValue*, 16> replaced_;
    std::vector<std::pair<llvm::GlobalVariable*, llvm::GlobalVariable*>> globals_;
};

}  // namespace

void flatten_address_spaces(llvm::Module& module) {
    Flattener(module).run();
}

bool is_shared(const llvm::GlobalVariable& global) {
    return global.hasAttribute(shared_mark);
}

bool is_constant_memory(const llvm::GlobalVariable& global) {
    return global.hasAttribute(constant_mark);
}

}  // namespace lanewise::cpu
