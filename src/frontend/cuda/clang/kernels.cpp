#include "frontend/cuda/clang/kernels.h"

#include <optional>

namespace lanewise::cuda_cpp {

namespace {

std::optional<DType> builtin_dtype(const clang::BuiltinType& type, const clang::ASTContext& context) {
    if (type.getKind() == clang::BuiltinType::Bool) return DType::Bool;
    if (type.getKind() == clang::BuiltinType::Float) return DType::Float32;
    if (type.getKind() == clang::BuiltinType::Double || type.getKind() == clang::BuiltinType::LongDouble)
        return DType::Float64;
    if (type.getKind() == clang::BuiltinType::Float16 || type.getKind() == clang::BuiltinType::Half)
        return DType::Float16;
    if (type.getKind() == clang::BuiltinType::BFloat16) return DType::BFloat16;
    if (!type.isInteger()) return std::nullopt;
    const bool is_signed = type.isSignedInteger();
    switch (context.getTypeSize(&type)) {
        case 8:
            return is_signed ? DType::Int8 : DType::UInt8;
        case 16:
            return is_signed ? DType::Int16 : DType::UInt16;
        case 32:
            return is_signed ? DType::Int32 : DType::UInt32;
        case 64:
            return is_signed ? DType::Int64 : DType::UInt64;
        default:
            return std::nullopt;
    }
}

/// Classes that stand for numbers, by their names, and typedefs of vector types that mean complex numbers.
std::optional<DType> dtype_by_name(llvm::StringRef name) {
    return llvm::StringSwitch<std::optional<DType>>(name)
        .Cases("__half", "half", DType::Float16)
        .Cases("__nv_bfloat16", "nv_bfloat16", DType::BFloat16)
        .Cases("cuComplex", "cuFloatComplex", DType::Complex64)
        .Case("cuDoubleComplex", DType::Complex128)
        .Default(std::nullopt);
}

/// complex<float> and complex<double>, whatever the namespace.
std::optional<DType> complex_dtype(const clang::CXXRecordDecl& record, const clang::ASTContext& context) {
    const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
    if (!instance || !instance->getIdentifier() || instance->getName() != "complex") return std::nullopt;
    const clang::TemplateArgument& argument = instance->getTemplateArgs().get(0);
    if (argument.getKind() != clang::TemplateArgument::Type) return std::nullopt;
    if (argument.getAsType()->isSpecificBuiltinType(clang::BuiltinType::Float)) return DType::Complex64;
    if (argument.getAsType()->isSpecificBuiltinType(clang::BuiltinType::Double)) return DType::Complex128;
    return std::nullopt;
}

/// The element type of arrays that `type` is, if it is one.
std::optional<DType> dtype_of(clang::QualType type, const clang::ASTContext& context) {
    // The names the source uses on the way to the type itself decide before what it is.
    for (clang::QualType sugared = type;;) {
        if (const auto* alias = sugared->getAs<clang::TypedefType>()) {
            if (const auto known = dtype_by_name(alias->getDecl()->getName())) return known;
            sugared = alias->desugar();
            continue;
        }
        break;
    }
    if (const auto* builtin = type->getAs<clang::BuiltinType>()) return builtin_dtype(*builtin, context);
    if (const auto* enumeration = type->getAs<clang::EnumType>()) {
        const clang::QualType integer = enumeration->getDecl()->getIntegerType();
        return integer.isNull() ? std::nullopt : dtype_of(integer, context);
    }
    if (const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl()) {
        if (record->getIdentifier())
            if (const auto known = dtype_by_name(record->getName())) return known;
        return complex_dtype(*record, context);
    }
    return std::nullopt;
}

/// A pointer to plain char or void says nothing about the array behind it.
std::optional<DType> pointee_dtype(clang::QualType type, const clang::ASTContext& context) {
    if (type->isSpecificBuiltinType(clang::BuiltinType::Char_S) ||
        type->isSpecificBuiltinType(clang::BuiltinType::Char_U) || type->isEnumeralType())
        return std::nullopt;
    return dtype_of(type, context);
}

Parameter describe_parameter(const clang::ParmVarDecl& declaration, const clang::ASTContext& context) {
    clang::PrintingPolicy policy(context.getLangOpts());
    policy.SuppressTagKeyword = true;
    const clang::QualType type = declaration.getType();
    Parameter parameter;
    parameter.name = declaration.getName().str();
    parameter.type = type.getAsString(policy);
    if (type->isPointerType() || type->isReferenceType()) {
        const clang::QualType pointee = type->getPointeeType();
        parameter.kind = ParameterKind::Pointer;
        parameter.read_only = pointee.isConstQualified();
        if (const auto dtype = pointee_dtype(pointee, context)) {
            parameter.dtype = *dtype;
            parameter.pointee_known = true;
        }
        return parameter;
    }
    if (const auto dtype = dtype_of(type, context)) {
        parameter.kind = ParameterKind::Scalar;
        parameter.dtype = *dtype;
    } else if (type->isRecordType()) {
        parameter.kind = ParameterKind::Struct;
    }
    return parameter;
}

/// Not so where clang had to guess a type that it does not know.
bool all_types_known(const clang::FunctionDecl& kernel) {
    return llvm::none_of(kernel.parameters(), [](const clang::ParmVarDecl* parameter) {
        const auto* alias = parameter->getType()->getAs<clang::TypedefType>();
        return parameter->isInvalidDecl() || (alias && alias->getDecl()->isInvalidDecl());
    });
}

}  // namespace

std::string symbol_of(const clang::NamedDecl& declaration) {
    clang::ASTContext& context = declaration.getASTContext();
    const std::unique_ptr<clang::MangleContext> mangling(context.createMangleContext());
    if (!mangling->shouldMangleDeclName(&declaration)) return declaration.getName().str();
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
    const clang::GlobalDecl global = function && function->hasAttr<clang::CUDAGlobalAttr>()
                                         ? clang::GlobalDecl(function, clang::KernelReferenceKind::Kernel)
                                     : function ? clang::GlobalDecl(function)
                                                : clang::GlobalDecl(llvm::cast<clang::VarDecl>(&declaration));
    std::string symbol;
    llvm::raw_string_ostream stream(symbol);
    mangling->mangleName(global, stream);
    return symbol;
}

EntryPoint describe_kernel(const clang::FunctionDecl& kernel, const std::string& name) {
    clang::ASTContext& context = kernel.getASTContext();
    EntryPoint entry;
    entry.name = name;
    llvm::raw_string_ostream stream(entry.display_name);
    clang::PrintingPolicy policy(context.getLangOpts());
    policy.SuppressTagKeyword = true;
    kernel.getNameForDiagnostic(stream, policy, /*Qualified=*/true);
    stream.flush();

    std::uint64_t offset = 0;
    for (const clang::ParmVarDecl* declaration : kernel.parameters()) {
        clang::QualType type = declaration->getType();
        if (type->isReferenceType()) type = context.getPointerType(type->getPointeeType());
        const clang::TypeInfoChars layout = context.getTypeInfoInChars(type);
        offset = llvm::alignTo(offset, layout.Align.getQuantity());
        entry.parameter_offsets.push_back(static_cast<std::uint32_t>(offset));
        entry.parameter_sizes.push_back(static_cast<std::uint32_t>(layout.Width.getQuantity()));
        entry.parameters.push_back(describe_parameter(*declaration, context));
        offset += layout.Width.getQuantity();
    }
    entry.parameter_bytes = static_cast<std::uint32_t>(offset);
    return entry;
}

void collect_kernels(clang::Decl& declaration, std::vector<const clang::FunctionDecl*>& kernels) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
        // Declarations alone are no kernels; whether an instance is more, only code generation finds out.
        const bool defined = function->isThisDeclarationADefinition() || function->isTemplateInstantiation();
        const bool described = defined && function->hasAttr<clang::CUDAGlobalAttr>() &&
                               !function->isDependentContext() && !function->isInvalidDecl() &&
                               all_types_known(*function);
        if (described && !llvm::is_contained(kernels, function)) kernels.push_back(function);
    } else if (const auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration)) {
        for (clang::FunctionDecl* instance : function_template->specializations()) collect_kernels(*instance, kernels);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(&declaration)) {
        for (clang::Decl* inner : llvm::cast<clang::DeclContext>(&declaration)->decls())
            collect_kernels(*inner, kernels);
    }
}

}  // namespace lanewise::cuda_cpp
