#include "array/scatter_tables.h"

#include <algorithm>

#include "array/axes.h"
#include "array/control.h"
#include "array/engine.h"
#include "array/kernel_code.h"
#include "array/launcher.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;
using I = ir::Intrinsic;

/// Values for each element, and in all, from which on tables pay.
constexpr std::int64_t least_values_per_element = 4, least_values = std::int64_t(1) << 15;
constexpr std::int64_t cuda_table_bytes = 32 << 10;
/// Of all tables of the cpu device, and their number.
constexpr std::int64_t cpu_tables_bytes = 64 << 20, most_cpu_tables = 16;
constexpr int cuda_block = 256, cuda_blocks_per_processor = 8, cuda_vector = 4;

struct TablePlan {
    bool cuda = false;
    bool counts = false;               ///< all values are one: tables count in 32 bits how often it is added
    int vector = 1;                    ///< CUDA: neighbouring values that a thread adds
    std::vector<Innermost> innermost;  ///< of the leaves
    std::vector<std::int64_t> steps;
    std::int64_t size = 0, elements = 0;
    std::int64_t tables = 1;  ///< or blocks
};

class TableWriter {
public:
    TableWriter(const Program& program, const TablePlan& plan)
        : program_(program),
          plan_(plan),
          store_(program.stores[0]),
          entry_(plan.counts ? DType::UInt32 : store_.target.dtype),
          code_(program, "scatter_tables"),
          b_(code_.b()),
          control_(b_) {}

    std::unique_ptr<ir::Module> write() {
        out_ = code_.pointer_parameter("out", false, false);
        code_.leaf_parameters(false);
        size_ = code_.integer_parameter("size");
        elements_ = code_.integer_parameter("elements");
        V chunk = plan_.cuda ? nullptr : code_.integer_parameter("chunk");
        for (std::size_t i = 0; i < program_.leaves.size(); ++i)
            steps_.push_back(plan_.innermost[i] == Innermost::Strided
                                 ? code_.integer_parameter("step" + std::to_string(i))
                                 : b_.i64(plan_.innermost[i] == Innermost::Same ? 0 : program_.leaves[i].item()));
        code_.scalar_parameters();
        plan_.cuda ? by_blocks() : by_threads(chunk);
        b_.ret();
        return code_.finish();
    }

private:
    V zero() { return is_float(entry_) ? b_.constant_float(entry_, 0) : b_.constant(entry_, 0); }
    V entry(V table, V number) { return b_.pointer_add(table, number, size_of(entry_)); }

    struct Loaded final : KernelCode::Place {
        TableWriter& own;
        V index;
        int k;
        Loaded(TableWriter& own, V index, int k) : own(own), index(index), k(k) {}
        V offset(std::uint16_t leaf) { return own.b_.mul(index, own.steps_[leaf]); }
        V address(std::uint16_t leaf) override {
            V first = own.b_.pointer_add(own.code_.leaf_base(leaf), offset(leaf), 1);
            return k == 0 ? first : own.b_.pointer_add(first, own.b_.mul(own.steps_[leaf], own.b_.i64(k)), 1);
        }
        V number(std::uint16_t leaf) override {
            return own.b_.add(own.code_.leaf_base(leaf),
                              own.b_.mul(own.b_.add(index, own.b_.i64(k)), own.steps_[leaf]));
        }
        Number load(std::uint16_t leaf) override {
            const DType dtype = own.program_.leaves[leaf].dtype;
            const bool aligned = own.in_run_ && k == 0 && own.plan_.innermost[leaf] == Innermost::Unit;
            return own.code_.load(
                dtype, address(leaf),
                aligned ? static_cast<std::uint32_t>(std::min(16, own.plan_.vector * size_of(dtype))) : 0);
        }
    };

    /// Adds `count` values, from `index` on, to a table.
    void add(V table, V index, int count) {
        std::vector<std::vector<Number>> values;
        in_run_ = count > 1;
        for (int k = 0; k < count; ++k) {
            Loaded place(*this, index, k);
            values.push_back(code_.element(place));
        }
        for (const std::vector<Number>& value : values) {
            V offset = code_.scatter_offset(0, value);
            if (plan_.counts) offset = b_.mul(b_.scalar(S::Div, offset, b_.i64(store_.target.item())), b_.i64(4));
            V place = b_.pointer_add(table, offset, 1);
            if (plan_.cuda) {
                b_.atomic(ir::AtomicOp::Add, place, plan_.counts ? b_.constant(entry_, 1) : value[store_.value].re);
            } else {
                V before = b_.load(ir::Type::scalar(entry_), place);
                b_.store(place, b_.add(before, value[store_.value].re));
            }
        }
    }

    void by_blocks() {
        V table = b_.dynamic_shared(), thread = code_.as_i64(I::TidX);
        auto each_entry = [&](auto&& action) {
            control_.count(thread, elements_, cuda_block, {}, [&](V number, const std::vector<V>&) {
                action(number);
                return std::vector<V>();
            });
        };
        each_entry([&](V number) { b_.store(entry(table, number), zero()); });
        b_.intrinsic(I::Barrier);
        V threads = b_.mul(code_.as_i64(I::NctaidX), b_.i64(cuda_block * plan_.vector));
        V first = b_.mul(code_.global_index(), b_.i64(plan_.vector));
        V whole = b_.sub(size_, b_.scalar(S::BitAnd, size_, b_.i64(plan_.vector - 1)));
        control_.loop(
            {first}, [&](const std::vector<V>& now) { return b_.lt(now[0], whole); },
            [&](const std::vector<V>& now) {
                add(table, now[0], plan_.vector);
                return std::vector<V>{b_.add(now[0], threads)};
            });
        V last = b_.add(whole, code_.global_index());
        control_.when(b_.lt(last, size_), [&] { add(table, last, 1); });
        b_.intrinsic(I::Barrier);
        each_entry([&](V number) {
            V sum = b_.load(ir::Type::scalar(entry_), entry(table, number));
            control_.when(b_.scalar(S::Ne, sum, zero()), [&] {
                V place = b_.pointer_add(out_, number, store_.target.item());
                if (plan_.counts) {
                    const DType type = store_.target.dtype;
                    Loaded any(*this, b_.i64(0), 0);
                    in_run_ = false;
                    sum = b_.mul(b_.cast(sum, type), code_.element(any)[store_.value].re);
                }
                b_.atomic(ir::AtomicOp::Add, place, sum);
            });
        });
    }

    void by_threads(V chunk) {
        V thread = code_.global_index();
        V table = b_.pointer_add(out_, b_.mul(thread, elements_), size_of(entry_));
        control_.count(b_.i64(0), elements_, 1, {}, [&](V number, const std::vector<V>&) {
            b_.store(entry(table, number), zero());
            return std::vector<V>();
        });
        V first = b_.mul(thread, chunk);
        V end = b_.scalar(S::Min, b_.add(first, chunk), size_);
        control_.count(first, end, 1, {}, [&](V index, const std::vector<V>&) {
            add(table, index, 1);
            return std::vector<V>();
        });
    }

    const Program& program_;
    const TablePlan& plan_;
    const Store& store_;
    const DType entry_;
    KernelCode code_;
    ir::Builder& b_;
    Control control_;
    V out_ = nullptr, size_ = nullptr, elements_ = nullptr;
    std::vector<V> steps_;
    bool in_run_ = false;
};

std::optional<TablePlan> plan_tables(Program& program, Device& device) {
    const Store& store = program.stores[0];
    TablePlan plan;
    plan.cuda = engine::planned_kind(device) == DeviceKind::Cuda;
    plan.elements = store.scatter.axes[0].extent;
    plan.size = 1;
    for (std::int64_t extent : program.shape) plan.size *= extent;
    const std::int64_t item = store.target.item();
    if (plan.elements == 0 || plan.size < std::max(least_values, least_values_per_element * plan.elements) || item < 4)
        return std::nullopt;

    std::vector<const Dims*> strides;
    for (const Access& leaf : program.leaves) strides.push_back(&leaf.strides);
    if (strides.empty()) return std::nullopt;
    const Axes axes = collapse(program.shape, strides, 0);
    if (axes.shape.size() > 1) return std::nullopt;
    bool runs = true;
    for (std::size_t i = 0; i < program.leaves.size(); ++i) {
        Access& leaf = program.leaves[i];
        const std::int64_t step = axes.shape.empty() ? 0 : axes.strides[i].back();
        plan.steps.push_back(step);
        plan.innermost.push_back(step == 0             ? Innermost::Same
                                 : step == leaf.item() ? Innermost::Unit
                                                       : Innermost::Strided);
        if (leaf.is_iota)
            leaf.start += axes.offsets[i];
        else
            leaf.address += axes.offsets[i];
        if (leaf.is_iota || step == 0) continue;
        const auto align = static_cast<std::uintptr_t>(std::min(16, cuda_vector * size_of(leaf.dtype)));
        runs &= step == leaf.item() && reinterpret_cast<std::uintptr_t>(leaf.address) % align == 0;
    }
    if (!plan.cuda) {
        const std::int64_t threads = device.attribute(DeviceAttribute::MultiprocessorCount);
        const std::int64_t by_elements =
            std::min(plan.size / (least_values_per_element * plan.elements), cpu_tables_bytes / (plan.elements * item));
        plan.tables = std::min({threads, by_elements, most_cpu_tables});
        // Atomics of all threads beat tables of a few.
        const bool enough = plan.tables > 0 && plan.tables * 2 >= std::min(threads, most_cpu_tables);
        return enough ? std::optional(plan) : std::nullopt;
    }
    if (runs && program.gathers.empty()) plan.vector = cuda_vector;
    const std::vector<bool> common = common_values(program, plan.innermost);
    plan.counts = is_integer(store.target.dtype) && common[store.value];
    // 64-bit additions in shared memory are loops of exchanges.
    if ((item > 4 && !plan.counts) || plan.elements * 4 > cuda_table_bytes) return std::nullopt;
    const std::int64_t processors = device.attribute(DeviceAttribute::MultiprocessorCount);
    const std::int64_t by_work = plan.size / (std::int64_t(cuda_block) * cuda_vector * 4);
    const std::int64_t by_elements = plan.size / (least_values_per_element * plan.elements);
    plan.tables = std::clamp<std::int64_t>(std::min(by_work, by_elements), 1, processors * cuda_blocks_per_processor);
    return plan;
}

/// target += the tables
void add_up(const Access& target, const Access& tables, const TablePlan& plan, const std::shared_ptr<Stream>& stream) {
    Program sum;
    sum.shape = Dims{plan.elements};
    const DType type = target.dtype;
    auto load = [&](const Access& access) {
        sum.leaves.push_back(access);
        const auto leaf = static_cast<ValueId>(sum.leaves.size() - 1);
        sum.code.push_back({ElementOp::Load, type, type, {leaf, 0, 0}});
        return static_cast<ValueId>(sum.code.size() - 1);
    };
    Access whole = target;
    whole.strides = Dims{target.item()};
    ValueId so_far = load(whole);
    for (std::int64_t t = 0; t < plan.tables; ++t) {
        Access table = tables;
        table.address += t * plan.elements * target.item();
        const ValueId value = load(table);
        sum.code.push_back({ElementOp::Add, type, type, {so_far, value, 0}});
        so_far = static_cast<ValueId>(sum.code.size() - 1);
    }
    Store store;
    store.value = so_far;
    store.target = whole;
    sum.stores.push_back(std::move(store));
    launch_elementwise(sum, stream);
}

}  // namespace

bool launch_scatter_tables(Program& program, const std::shared_ptr<Stream>& stream) {
    const std::optional<TablePlan> found = plan_tables(program, stream->device());
    if (!found) return false;
    const TablePlan& plan = *found;
    const Access& target = program.stores[0].target;
    std::vector<std::uint32_t> key{0xa0000000u | std::uint32_t(plan.cuda) | std::uint32_t(plan.counts) << 1 |
                                   std::uint32_t(plan.vector) << 4};
    for (Innermost innermost : plan.innermost) key.push_back(std::uint32_t(innermost));
    program.append_key(key);
    Kernel& kernel = KernelTable::instance().find_or_build(stream->device(), key,
                                                           [&] { return TableWriter(program, plan).write(); });
    Access tables;
    LaunchConfig config;
    ParameterPack parameters;
    if (plan.cuda) {
        parameters.add(target.address);
        config.dynamic_shared_bytes = static_cast<std::uint32_t>(plan.elements * 4);
    } else {
        tables.dtype = target.dtype;
        tables.strides = Dims{target.item()};
        tables.buffer = Buffer::create(stream, static_cast<std::size_t>(plan.tables * plan.elements * target.item()));
        tables.address = static_cast<std::byte*>(tables.buffer->data());
        parameters.add(tables.address);
    }
    for (const Access& leaf : program.leaves) leaf.is_iota ? parameters.add(leaf.start) : parameters.add(leaf.address);
    parameters.add(plan.size);
    parameters.add(plan.elements);
    if (!plan.cuda) parameters.add((plan.size + plan.tables - 1) / plan.tables);
    for (std::size_t i = 0; i < plan.steps.size(); ++i)
        if (plan.innermost[i] == Innermost::Strided) parameters.add(plan.steps[i]);
    for (std::uint64_t word : program.scalars) parameters.add_word(word);
    each_indexed_axis(program, [&](const IndexedAxis& axis) {
        parameters.add(axis.stride);
        parameters.add(axis.extent);
    });
    config.block.x = plan.cuda ? cuda_block : 1;
    config.grid.x = static_cast<std::uint32_t>(plan.tables);
    engine::count_launch();
    stream->launch(kernel, config, parameters.bytes());
    if (!plan.cuda) add_up(target, tables, plan, stream);
    return true;
}

}  // namespace lanewise
