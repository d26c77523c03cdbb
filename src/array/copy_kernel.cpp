// Strided device copies: one kernel for each number of axes, element size and index width, made as IR when first
// needed.
#include "array/copy_kernel.h"

#include <fmt/format.h>

#include <cstring>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "ir/builder.h"
#include "jit/build.h"
#include "passes/pipeline.h"

namespace lanewise {
namespace {

constexpr std::uint32_t block_threads = 256;
/// So few rows are copied one by one rather than by a kernel that may have to be compiled.
constexpr std::int64_t most_single_rows = 8;

struct Variant {
    int ndim;
    int item_bytes;  ///< 1, 2, 4 or 8
    bool narrow;     ///< 32-bit index arithmetic
    auto operator<=>(const Variant&) const = default;
};

DType element_type(int bytes) {
    return *dtype_from_kind('u', bytes);
}

/// (target, source, count, extents, target strides, source strides): thread i copies element i in C order of the
/// extents.
std::unique_ptr<ir::Module> make_module(const Variant& variant) {
    auto module = std::make_unique<ir::Module>();
    module->name =
        fmt::format("lanewise_copy_{}d_{}b{}", variant.ndim, variant.item_bytes, variant.narrow ? "_narrow" : "");
    ir::Function* function = module->new_function(module->name);
    function->display_name = module->name;
    function->is_kernel = true;
    auto pointer = [&](const char* name, bool read_only) {
        ir::Parameter parameter;
        parameter.name = name;
        parameter.type = ir::Type::pointer(ir::Space::Global);
        parameter.no_alias = true;
        parameter.read_only = read_only;
        return function->add_parameter(std::move(parameter));
    };
    auto integer = [&](const std::string& name) {
        ir::Parameter parameter;
        parameter.name = name;
        parameter.type = ir::Type::scalar(DType::Int64);
        return function->add_parameter(std::move(parameter));
    };
    ir::Value* target = pointer("target", false);
    ir::Value* source = pointer("source", true);
    ir::Value* count = integer("count");
    std::vector<ir::Value*> extents, target_strides, source_strides;
    for (int i = 0; i < variant.ndim; ++i) extents.push_back(integer(fmt::format("extent{}", i)));
    for (int i = 0; i < variant.ndim; ++i) target_strides.push_back(integer(fmt::format("target_stride{}", i)));
    for (int i = 0; i < variant.ndim; ++i) source_strides.push_back(integer(fmt::format("source_stride{}", i)));

    ir::Builder b(*module, *function);
    ir::Block* entry = b.new_block("entry");
    ir::Block* body = b.new_block("body");
    ir::Block* done = b.new_block("done");
    b.set_block(entry);
    DType index_type = variant.narrow ? DType::UInt32 : DType::UInt64;
    auto index_of = [&](ir::Intrinsic which) { return b.cast(b.cast(b.intrinsic(which), DType::UInt32), index_type); };
    ir::Value* index =
        b.add(b.mul(index_of(ir::Intrinsic::CtaidX), index_of(ir::Intrinsic::NtidX)), index_of(ir::Intrinsic::TidX));
    b.cond_branch(b.lt(index, b.cast(count, index_type)), body, done);

    b.set_block(body);
    ir::Value* target_offset = b.i64(0);
    ir::Value* source_offset = b.i64(0);
    for (int i = variant.ndim - 1; i >= 0; --i) {
        ir::Value* position = index;
        if (i > 0) {
            ir::Value* extent = b.cast(extents[i], index_type);
            ir::Value* quotient = b.scalar(ir::ScalarOp::Div, index, extent);
            position = b.sub(index, b.mul(quotient, extent));
            index = quotient;
        }
        position = b.cast(position, DType::Int64);
        target_offset = b.add(target_offset, b.mul(position, target_strides[i]));
        source_offset = b.add(source_offset, b.mul(position, source_strides[i]));
    }
    ir::Type type = ir::Type::scalar(element_type(variant.item_bytes));
    b.store(b.pointer_add(target, target_offset, 1), b.load(type, b.pointer_add(source, source_offset, 1)));
    b.branch(done);
    b.set_block(done);
    b.ret();
    passes::run_pipeline(*module);
    return module;
}

std::shared_ptr<Kernel> copy_kernel(Device& device, const Variant& variant) {
    static std::mutex mutex;
    // Never destroyed: the driver is gone before static destructors run.
    static auto* kernels = new std::map<std::pair<Device*, Variant>, std::shared_ptr<Kernel>>;
    {
        std::lock_guard lock(mutex);
        if (auto found = kernels->find({&device, variant}); found != kernels->end()) return found->second;
    }
    std::unique_ptr<ir::Module> module = make_module(variant);
    std::shared_ptr<Kernel> kernel = jit::build({*module, device, {}, true}).module->kernel(module->name);
    std::lock_guard lock(mutex);
    return kernels->try_emplace({&device, variant}, std::move(kernel)).first->second;
}

/// Elements of sizes other than 1, 2, 4 and 8 are rows of smaller ones.
CopyPlan with_small_items(const CopyPlan& plan) {
    std::int64_t item = plan.item_bytes;
    if (item <= 8 && (item & (item - 1)) == 0) return plan;
    std::int64_t small = item % 8 == 0 ? 8 : item % 4 == 0 ? 4 : item % 2 == 0 ? 2 : 1;
    CopyPlan split = plan;
    split.item_bytes = small;
    split.shape.push_back(item / small);
    split.target_strides.push_back(small);
    split.source_strides.push_back(small);
    return split;
}

void launch(const CopyPlan& plan, void* target, const void* source, const std::shared_ptr<Stream>& stream) {
    std::int64_t count = plan.elements();
    bool narrow = count <= std::int64_t(0xffffffff) - block_threads;
    Variant variant{plan.shape.size(), static_cast<int>(plan.item_bytes), narrow};
    std::shared_ptr<Kernel> kernel = copy_kernel(stream->device(), variant);

    std::vector<std::int64_t> parameters{static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(target)),
                                         static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(source)), count};
    for (const Dims* dims : {&plan.shape, &plan.target_strides, &plan.source_strides})
        parameters.insert(parameters.end(), dims->begin(), dims->end());
    LaunchConfig config;
    config.grid.x = static_cast<std::uint32_t>((count + block_threads - 1) / block_threads);
    config.block.x = block_threads;
    stream->launch(*kernel, config, std::as_bytes(std::span(parameters)));
}

}  // namespace

void run_on_device(const CopyPlan& given, void* first_target, const void* first_source,
                   const std::shared_ptr<Stream>& stream) {
    std::int64_t count = given.elements();
    if (count == 0) return;
    auto* target = static_cast<std::byte*>(first_target) + given.target_offset;
    const auto* source = static_cast<const std::byte*>(first_source) + given.source_offset;
    if (given.is_one_run()) {
        stream->copy_on_device(target, source, static_cast<std::size_t>(count * given.item_bytes));
        return;
    }
    if (given.shape.size() == 2 && given.has_runs() && given.shape[0] <= most_single_rows) {
        for (std::int64_t row = 0; row < given.shape[0]; ++row)
            stream->copy_on_device(target + row * given.target_strides[0], source + row * given.source_strides[0],
                                   static_cast<std::size_t>(given.shape[1] * given.item_bytes));
        return;
    }
    launch(with_small_items(given), target, source, stream);
}

}  // namespace lanewise
