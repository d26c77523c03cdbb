#include "array/join.h"

#include <algorithm>
#include <bit>

#include "array/control.h"
#include "array/engine.h"
#include "array/launcher.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;

constexpr std::int64_t cuda_block = 256, cpu_block = 16;
/// Units of the result that a thread of a GPU moves; neighbours have the neighbouring ones.
constexpr int thread_units = 4;
/// Rows whose bytes a thread of the cpu device writes before it turns to the next part.
constexpr std::int64_t chunk_bytes = 16 << 10;
constexpr std::int64_t narrow_limit = (std::int64_t(1) << 31) - cuda_block * thread_units;

const Program& no_program() {
    static const Program program;
    return program;
}

class JoinWriter {
public:
    explicit JoinWriter(const JoinPlan& plan)
        : plan_(plan),
          unit_(plan.unit == 16 ? DType::Complex128 : *dtype_from_kind('u', plan.unit)),
          code_(no_program(), "join"),
          b_(code_.b()),
          control_(b_) {}

    /// Parameters: the result; the first unit of each part within a row, and one past the last; the parts' addresses;
    /// how many parts; the units of a row; rows; of a GPU the word that divides by the units of a row and the steps of
    /// the search for a part, else the rows of a chunk.
    std::unique_ptr<ir::Module> write() {
        out_ = code_.pointer_parameter("out", false, true);
        starts_ = code_.pointer_parameter("starts", true, true);
        sources_ = code_.pointer_parameter("sources", true, true);
        parts_ = code_.integer_parameter("parts");
        row_ = code_.integer_parameter("row");
        rows_ = code_.integer_parameter("rows");
        V first = code_.integer_parameter(plan_.cuda ? "division" : "chunk");
        V steps = plan_.cuda ? code_.integer_parameter("steps") : nullptr;
        code_.scalar_parameters();
        plan_.cuda ? by_units(first, steps) : by_rows(first);
        b_.ret();
        return code_.finish();
    }

private:
    V word(V table, V index) { return b_.load(ir::Type::scalar(DType::Int64), b_.pointer_add(table, index, 8)); }
    V source(V part) { return b_.bitcast(word(sources_, part), ir::Type::pointer(ir::Space::Global)); }
    V unit_of(V pointer, V index) { return b_.pointer_add(pointer, index, plan_.unit); }

    void by_units(V division, V steps) {
        V block = b_.mul(code_.as_i64(ir::Intrinsic::CtaidX), b_.i64(cuda_block * thread_units));
        V own = b_.add(block, code_.as_i64(ir::Intrinsic::TidX));
        V total = b_.mul(rows_, row_);
        std::vector<Number> values;
        std::vector<V> places;
        for (int k = 0; k < thread_units; ++k) {
            V index = b_.add(own, b_.i64(k * cuda_block));
            places.push_back(index);
            // Beyond the end the last unit is read.
            index = b_.scalar(S::Min, index, b_.sub(total, b_.i64(1)));
            V row = plan_.narrow ? b_.cast(divide_by_word(b_, b_.cast(index, DType::UInt32), division), DType::Int64)
                                 : b_.scalar(S::Div, index, row_);
            V column = b_.sub(index, b_.mul(row, row_));
            // The last part that starts at or before the column.
            V part = control_.count(b_.i64(0), steps, 1, {b_.i64(0), parts_}, [&](V, const std::vector<V>& range) {
                V middle = b_.scalar(S::Shr, b_.add(range[0], range[1]), b_.i64(1));
                V before = b_.scalar(S::Le, word(starts_, middle), column);
                return std::vector<V>{b_.select(before, middle, range[0]), b_.select(before, range[1], middle)};
            })[0];
            V start = word(starts_, part), length = b_.sub(word(starts_, b_.add(part, b_.i64(1))), start);
            V from = b_.add(b_.mul(row, length), b_.sub(column, start));
            values.push_back(code_.load(unit_, unit_of(source(part), from), static_cast<std::uint32_t>(plan_.unit)));
        }
        for (int k = 0; k < thread_units; ++k)
            control_.when(b_.lt(places[static_cast<std::size_t>(k)], total), [&] {
                code_.store(unit_, unit_of(out_, places[static_cast<std::size_t>(k)]),
                            values[static_cast<std::size_t>(k)], static_cast<std::uint32_t>(plan_.unit));
            });
    }

    void by_rows(V chunk) {
        V thread = code_.global_index();
        V group = b_.scalar(S::Div, thread, parts_);
        V part = b_.sub(thread, b_.mul(group, parts_));
        V first = b_.mul(group, chunk);
        control_.when(b_.lt(first, rows_), [&] {
            V end = b_.scalar(S::Min, b_.add(first, chunk), rows_);
            V start = word(starts_, part), length = b_.sub(word(starts_, b_.add(part, b_.i64(1))), start);
            V from = source(part), to = unit_of(out_, start);
            auto move = [&](V target, V origin) {
                code_.store(unit_, unit_of(to, target), code_.load(unit_, unit_of(from, origin)));
                return std::vector<V>();
            };
            V single = b_.eq(length, b_.i64(1));
            control_.when(single, [&] {
                control_.count(first, end, 1, {},
                               [&](V row, const std::vector<V>&) { return move(b_.mul(row, row_), row); });
            });
            control_.when(b_.logical_not(single), [&] {
                control_.count(first, end, 1, {}, [&](V row, const std::vector<V>&) {
                    V target = b_.mul(row, row_), origin = b_.mul(row, length);
                    return control_.count(b_.i64(0), length, 1, {}, [&](V k, const std::vector<V>&) {
                        return move(b_.add(target, k), b_.add(origin, k));
                    });
                });
            });
        });
    }

    const JoinPlan& plan_;
    const DType unit_;
    KernelCode code_;
    ir::Builder& b_;
    Control control_;
    V out_ = nullptr, starts_ = nullptr, sources_ = nullptr, parts_ = nullptr, row_ = nullptr, rows_ = nullptr;
};

}  // namespace

std::unique_ptr<ir::Module> join_module(const JoinPlan& plan) {
    return JoinWriter(plan).write();
}

void launch_join(const Array& result, int axis, std::span<const Array> parts, const std::shared_ptr<Stream>& stream) {
    std::int64_t rows = 1, step = result.item_bytes();
    for (int d = 0; d < axis; ++d) rows *= result.shape()[d];
    for (int d = axis + 1; d < result.ndim(); ++d) step *= result.shape()[d];
    const std::shared_ptr<Buffer> target = result.buffer();
    auto* first = static_cast<std::byte*>(target->data()) + result.offset();
    std::vector<std::int64_t> starts, addresses;  // in bytes
    std::vector<std::shared_ptr<Buffer>> sources;
    JoinPlan plan;
    plan.cuda = engine::planned_kind(stream->device()) == DeviceKind::Cuda;
    // Loops over words of 8 bytes vectorise; threads of a GPU move 16.
    const std::int64_t widest = plan.cuda ? 16 : 8;
    std::int64_t row = 0, bits = widest | static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(first));
    for (const Array& part : parts) {
        if (part.size() == 0) continue;
        sources.push_back(part.buffer());
        const auto* source = static_cast<const std::byte*>(sources.back()->data()) + part.offset();
        addresses.push_back(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(source)));
        starts.push_back(row);
        row += part.shape()[axis] * step;
        bits |= addresses.back() | row;
    }
    starts.push_back(row);
    plan.unit = static_cast<int>(bits & -bits);
    for (std::int64_t& start : starts) start /= plan.unit;
    row /= plan.unit;
    plan.narrow = rows * row <= narrow_limit;

    std::vector<std::int64_t> table = starts;
    table.insert(table.end(), addresses.begin(), addresses.end());
    const std::shared_ptr<Buffer> memory = Buffer::create(stream, table.size() * sizeof(std::int64_t));
    stream->copy_to_device(memory->data(), table.data(), table.size() * sizeof(std::int64_t));
    const engine::Exclusive lock;
    std::vector<std::uint32_t> key{0xb0000000u | std::uint32_t(plan.cuda) | std::uint32_t(plan.narrow) << 1 |
                                   std::uint32_t(plan.unit) << 8};
    Kernel& kernel = KernelTable::instance().find_or_build(stream->device(), key, [&] { return join_module(plan); });
    target->used_on(stream);
    for (const std::shared_ptr<Buffer>& source : sources) source->used_on(stream);
    const auto count = static_cast<std::int64_t>(sources.size());
    ParameterPack parameters;
    parameters.add(first);
    parameters.add(memory->data());
    parameters.add(static_cast<const std::byte*>(memory->data()) + starts.size() * sizeof(std::int64_t));
    parameters.add(count);
    parameters.add(row);
    parameters.add(rows);
    LaunchConfig config;
    if (plan.cuda) {
        parameters.add_word(division_word(row));
        parameters.add(static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(count - 1))));
        config.block.x = cuda_block;
        config.grid.x =
            static_cast<std::uint32_t>((rows * row + cuda_block * thread_units - 1) / (cuda_block * thread_units));
    } else {
        const std::int64_t chunk = std::max<std::int64_t>(1, chunk_bytes / (row * plan.unit));
        parameters.add(chunk);
        config.block.x = cpu_block;
        config.grid.x = static_cast<std::uint32_t>(((rows + chunk - 1) / chunk * count + cpu_block - 1) / cpu_block);
    }
    engine::count_launch();
    stream->launch(kernel, config, parameters.bytes());
}

}  // namespace lanewise
