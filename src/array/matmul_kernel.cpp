// A block computes a tile of the product: its threads bring a slab of both matrices into shared memory, and each
// multiplies a patch of four by four elements.
#include <fmt/format.h>

#include "array/control.h"
#include "array/engine.h"
#include "array/launcher.h"
#include "array/matmul.h"
#include "array/reduction.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;

constexpr int edge = 64, depth = 16, patch = 4, block_edge = edge / patch;
/// Of the tiles' rows in shared memory: columns of a's tile lie in different banks.
constexpr int pitch = edge + 4;
constexpr int threads = block_edge * block_edge;

class MatmulWriter {
public:
    MatmulWriter(DType type, int batch_axes)
        : type_(type), total_(accumulator(type)), code_(empty_, "matmul"), b_(code_.b()) {
        spec_.op = is_bool(type) ? Reduction::Any : Reduction::Sum;
        spec_.type = type;
        write_parameters(batch_axes);
    }

    std::unique_ptr<ir::Module> write() {
        V x = code_.as_i64(ir::Intrinsic::TidX), y = code_.as_i64(ir::Intrinsic::TidY);
        V thread = b_.add(b_.mul(y, b_.i64(block_edge)), x);
        // Blocks count along the columns, then the rows, then the matrices.
        auto tiles = [&](V extent) { return b_.scalar(S::Div, b_.add(extent, b_.i64(edge - 1)), b_.i64(edge)); };
        V block = code_.as_i64(ir::Intrinsic::CtaidX);
        V line = b_.scalar(S::Div, block, tiles(columns_));
        V first_column = b_.mul(b_.sub(block, b_.mul(line, tiles(columns_))), b_.i64(edge));
        batch_ = b_.scalar(S::Div, line, tiles(rows_));
        V first_row = b_.mul(b_.sub(line, b_.mul(batch_, tiles(rows_))), b_.i64(edge));
        place_batch();
        V a_tile = shared("a_tile"), b_tile = shared("b_tile");

        ir::Block* before = b_.block();
        ir::Block* head = b_.new_block("head");
        ir::Block* round = b_.new_block("round");
        ir::Block* finish = b_.new_block("finish");
        b_.branch(head);
        b_.set_block(head);
        V start = b_.phi(ir::Type::scalar(DType::Int64));
        ir::Builder::add_incoming(start, b_.i64(0), before);
        const Number zero = reduce_identity(b_, spec_).value;
        std::vector<Number> totals;
        for (int i = 0; i < patch * patch; ++i) totals.push_back(control_.phi(zero, before));
        b_.cond_branch(b_.lt(start, inner_), round, finish);

        b_.set_block(round);
        for (int i = 0; i < edge * depth / threads; ++i) {
            V place = b_.add(thread, b_.i64(i * threads));
            // Rows of a's tile run along the inner axis, rows of b's along the columns.
            V a_row = b_.scalar(S::Div, place, b_.i64(depth)), a_inner = b_.sub(place, b_.mul(a_row, b_.i64(depth)));
            bring(a_, a_offset_, b_.add(first_row, a_row), rows_, b_.add(start, a_inner), inner_, a_row_, a_column_,
                  a_tile, b_.add(b_.mul(a_inner, b_.i64(pitch)), a_row));
            V b_inner = b_.scalar(S::Div, place, b_.i64(edge)), b_column = b_.sub(place, b_.mul(b_inner, b_.i64(edge)));
            bring(b_matrix_, b_offset_, b_.add(start, b_inner), inner_, b_.add(first_column, b_column), columns_,
                  b_row_, b_column_, b_tile, b_.add(b_.mul(b_inner, b_.i64(pitch)), b_column));
        }
        b_.intrinsic(ir::Intrinsic::Barrier);
        std::vector<Number> next = totals;
        for (int k = 0; k < depth; ++k) {
            std::vector<Number> left, right;
            for (int i = 0; i < patch; ++i) {
                // Neighbouring threads take neighbouring columns.
                left.push_back(read(a_tile, b_.add(b_.i64(k * pitch + i * block_edge), y)));
                right.push_back(read(b_tile, b_.add(b_.i64(k * pitch + i * block_edge), x)));
            }
            for (int i = 0; i < patch; ++i)
                for (int j = 0; j < patch; ++j) {
                    const Number factors[] = {left[static_cast<std::size_t>(i)], right[static_cast<std::size_t>(j)]};
                    const Number product = lower(b_, ElementOp::Multiply, total_, total_, factors);
                    Number& total = next[static_cast<std::size_t>(i * patch + j)];
                    total = reduce_combine(b_, spec_, {total}, {product}).value;
                }
        }
        b_.intrinsic(ir::Intrinsic::Barrier);
        V advanced = b_.add(start, b_.i64(depth));
        ir::Builder::add_incoming(start, advanced, b_.block());
        for (std::size_t i = 0; i < totals.size(); ++i) Control::incoming(totals[i], next[i], b_.block());
        b_.branch(head);

        b_.set_block(finish);
        for (int i = 0; i < patch; ++i)
            for (int j = 0; j < patch; ++j) {
                V row = b_.add(first_row, b_.add(b_.i64(i * block_edge), y));
                V column = b_.add(first_column, b_.add(b_.i64(j * block_edge), x));
                control_.when(b_.scalar(S::BitAnd, b_.lt(row, rows_), b_.lt(column, columns_)), [&] {
                    V place = b_.add(b_.add(b_.mul(batch_, b_.mul(rows_, columns_)), b_.mul(row, columns_)), column);
                    code_.store(type_, b_.pointer_add(c_, place, size_of(type_)),
                                lower_cast(b_, totals[static_cast<std::size_t>(i * patch + j)], total_, type_));
                });
            }
        b_.ret();
        return code_.finish();
    }

private:
    void write_parameters(int batch_axes) {
        c_ = code_.pointer_parameter("c", false, true);
        a_ = code_.pointer_parameter("a", true, true);
        b_matrix_ = code_.pointer_parameter("b", true, true);
        for (auto [value, name] : {std::pair{&rows_, "rows"},
                                   {&columns_, "columns"},
                                   {&inner_, "inner"},
                                   {&a_row_, "a_row"},
                                   {&a_column_, "a_column"},
                                   {&b_row_, "b_row"},
                                   {&b_column_, "b_column"}})
            *value = code_.integer_parameter(name);
        for (int d = 0; d < batch_axes; ++d) {
            extents_.push_back(code_.integer_parameter(fmt::format("extent{}", d)));
            a_batch_.push_back(code_.integer_parameter(fmt::format("a_batch{}", d)));
            b_batch_.push_back(code_.integer_parameter(fmt::format("b_batch{}", d)));
        }
        code_.scalar_parameters();
    }

    void place_batch() {
        a_offset_ = b_offset_ = b_.i64(0);
        V rest = batch_;
        for (std::size_t d = extents_.size(); d-- > 0;) {
            V quotient = b_.scalar(S::Div, rest, extents_[d]);
            V position = b_.sub(rest, b_.mul(quotient, extents_[d]));
            rest = quotient;
            a_offset_ = b_.add(a_offset_, b_.mul(position, a_batch_[d]));
            b_offset_ = b_.add(b_offset_, b_.mul(position, b_batch_[d]));
        }
    }

    V shared(const char* name) {
        return b_.global_address(b_.module().new_global(
            name, ir::Space::Shared, std::uint64_t(pitch) * depth * static_cast<std::uint64_t>(size_of(total_)), 16));
    }
    Number read(V tile, V place) { return code_.load(total_, b_.pointer_add(tile, place, size_of(total_))); }
    /// One element of a matrix into shared memory; 0 beyond its edges.
    void bring(V matrix, V offset, V row, V rows, V column, V columns, V row_stride, V column_stride, V tile, V place) {
        V address = b_.pointer_add(tile, place, size_of(total_));
        ir::Block* within = b_.new_block("within");
        ir::Block* beyond = b_.new_block("beyond");
        ir::Block* next = b_.new_block("next");
        b_.cond_branch(b_.scalar(S::BitAnd, b_.lt(row, rows), b_.lt(column, columns)), within, beyond);
        b_.set_block(within);
        V from = b_.add(offset, b_.add(b_.mul(row, row_stride), b_.mul(column, column_stride)));
        code_.store(total_, address, lower_cast(b_, code_.load(type_, b_.pointer_add(matrix, from, 1)), type_, total_));
        b_.branch(next);
        b_.set_block(beyond);
        code_.store(total_, address, reduce_identity(b_, spec_).value);
        b_.branch(next);
        b_.set_block(next);
    }

    const Program empty_;
    const DType type_, total_;
    ReduceSpec spec_;
    KernelCode code_;
    ir::Builder& b_;
    Control control_{b_};
    V c_ = nullptr, a_ = nullptr, b_matrix_ = nullptr, rows_ = nullptr, columns_ = nullptr, inner_ = nullptr;
    V a_row_ = nullptr, a_column_ = nullptr, b_row_ = nullptr, b_column_ = nullptr;
    V batch_ = nullptr, a_offset_ = nullptr, b_offset_ = nullptr;
    std::vector<V> extents_, a_batch_, b_batch_;
};

}  // namespace

void launch_matmul(DType type, const MatmulShape& shape, const MatmulOperand& a, const MatmulOperand& b, void* c,
                   const std::shared_ptr<Stream>& stream) {
    std::vector<std::uint32_t> key{0xf0000000u | std::uint32_t(type) | std::uint32_t(shape.batch.size()) << 8};
    Kernel& kernel = KernelTable::instance().find_or_build(
        stream->device(), key, [&] { return MatmulWriter(type, shape.batch.size()).write(); });
    std::int64_t count = 1;
    for (std::int64_t extent : shape.batch) count *= extent;
    ParameterPack parameters;
    parameters.add(c);
    parameters.add(a.data);
    parameters.add(b.data);
    for (std::int64_t value : {shape.rows, shape.columns, shape.inner, a.row, a.column, b.row, b.column})
        parameters.add(value);
    for (int d = 0; d < shape.batch.size(); ++d) {
        parameters.add(shape.batch[d]);
        parameters.add(a.batch[d]);
        parameters.add(b.batch[d]);
    }
    LaunchConfig config;
    config.block = {block_edge, block_edge, 1};
    auto tiles = [](std::int64_t extent) { return (extent + edge - 1) / edge; };
    config.grid.x = static_cast<std::uint32_t>(count * tiles(shape.rows) * tiles(shape.columns));
    engine::count_launch();
    stream->launch(kernel, config, parameters.bytes());
}

}  // namespace lanewise
