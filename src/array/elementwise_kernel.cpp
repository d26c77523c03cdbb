// The code of elementwise kernels.
#include <fmt/format.h>

#include <algorithm>

#include "array/control.h"
#include "array/elementwise_plan.h"

namespace lanewise {
namespace {

using V = ir::Value*;
using S = ir::ScalarOp;
using Path = ElementwisePath;

constexpr std::int64_t block_threads = elementwise_block, row_piece = elementwise_piece;

/// An element whose operands are loaded already.
class LoadedPlace final : public KernelCode::Place {
public:
    LoadedPlace(std::vector<V> addresses, const std::vector<Number>& loaded, std::vector<std::uint32_t> alignments)
        : addresses_(std::move(addresses)), loaded_(loaded), alignments_(std::move(alignments)) {}
    V address(std::uint16_t leaf) override { return addresses_[leaf]; }
    V number(std::uint16_t leaf) override { return addresses_[leaf]; }
    Number load(std::uint16_t leaf) override { return loaded_[leaf]; }
    std::uint32_t alignment(std::uint16_t leaf) override { return alignments_[leaf]; }

private:
    std::vector<V> addresses_;
    const std::vector<Number>& loaded_;
    std::vector<std::uint32_t> alignments_;
};

class Writer {
public:
    Writer(const Program& program, const ElementwisePlan& plan)
        : program_(program), plan_(plan), code_(program, ""), b_(code_.b()) {}

    std::unique_ptr<ir::Module> write() {
        for (std::size_t i = 0; i < program_.stores.size(); ++i)
            stores_.push_back(code_.pointer_parameter(fmt::format("out{}", i), false, plan_.no_alias));
        code_.leaf_parameters(plan_.no_alias);
        V count = code_.integer_parameter("count");
        const int ndim = plan_.axes.shape.size();
        for (int d = 0; d < ndim && plan_.path != Path::Flat; ++d) {
            extents_.push_back(code_.integer_parameter(fmt::format("extent{}", d)));
            if (plan_.path == Path::Divided && plan_.narrow)
                words_.push_back(code_.integer_parameter(fmt::format("division{}", d)));
        }
        for (std::size_t k = 0; k < plan_.innermost.size(); ++k) {
            strides_.emplace_back();
            for (int d = 0; d < ndim; ++d) {
                const bool known = d + 1 == ndim && plan_.innermost[k] != Innermost::Strided;
                strides_.back().push_back(known ? b_.i64(plan_.innermost[k] == Innermost::Same ? 0 : access(k).item())
                                                : code_.integer_parameter(fmt::format("stride{}_{}", k, d)));
            }
        }
        code_.scalar_parameters();
        done_ = b_.new_block("done");
        if (plan_.path == Path::Flat)
            flat(count);
        else if (plan_.path == Path::Divided)
            divided(count);
        else if (plan_.path == Path::Rows)
            rows(count);
        else
            pieces(count);
        b_.set_block(done_);
        b_.ret();
        return code_.finish();
    }

private:
    const Access& access(std::size_t k) const {
        const std::size_t stores = program_.stores.size();
        return k < stores ? program_.stores[k].target : program_.leaves[k - stores];
    }

    KernelCode::Common common(const std::vector<V>& offsets) {
        if (plan_.common.empty()) return {};
        const auto stores = static_cast<std::ptrdiff_t>(program_.stores.size());
        OffsetPlace place(code_, std::vector<V>(offsets.begin() + stores, offsets.end()));
        return code_.common(place, plan_.common);
    }

    /// The run of `count` elements whose accesses start at these byte offsets.
    void run(const std::vector<V>& offsets, int count) {
        run(offsets, count, count > 1 ? common(offsets) : KernelCode::Common());
    }
    void run(const std::vector<V>& offsets, int count, const KernelCode::Common& common) {
        const std::size_t stores = program_.stores.size(), leaves = program_.leaves.size();
        std::vector<V> bases;
        for (std::size_t k = 0; k < stores + leaves; ++k) {
            V base = k < stores ? stores_[k] : code_.leaf_base(static_cast<std::uint16_t>(k - stores));
            bases.push_back(access(k).is_iota ? b_.add(base, offsets[k]) : b_.pointer_add(base, offsets[k], 1));
        }
        auto at = [&](std::size_t k, int lane) -> V {
            if (lane == 0 || plan_.innermost[k] == Innermost::Same) return bases[k];
            if (access(k).is_iota)
                return b_.add(bases[k], plan_.innermost[k] == Innermost::Unit
                                            ? b_.i64(lane)
                                            : b_.mul(strides_[k].back(), b_.i64(lane)));
            if (plan_.innermost[k] == Innermost::Strided)
                return b_.pointer_add(bases[k], b_.mul(strides_[k].back(), b_.i64(lane)), 1);
            return b_.pointer_add(bases[k], b_.i64(lane), access(k).item());
        };
        auto align = [&](std::size_t k, int lane) -> std::uint32_t {
            if (count == 1 || lane != 0 || plan_.whole_rows || plan_.innermost[k] != Innermost::Unit) return 0;
            return static_cast<std::uint32_t>(std::min<std::int64_t>(16, count * access(k).item()));
        };
        std::vector<bool> is_read(leaves, false);
        for (const Instruction& i : program_.code)
            if (i.op == ElementOp::Load) is_read[i.args[0]] = !program_.leaves[i.args[0]].is_iota;
        std::vector<std::vector<Number>> loaded(static_cast<std::size_t>(count), std::vector<Number>(leaves));
        for (std::size_t i = 0; i < leaves; ++i)
            for (int lane = 0; is_read[i] && lane < count; ++lane)
                loaded[static_cast<std::size_t>(lane)][i] =
                    lane > 0 && plan_.innermost[stores + i] == Innermost::Same
                        ? loaded[0][i]
                        : code_.load(program_.leaves[i].dtype, at(stores + i, lane), align(stores + i, lane));
        std::vector<std::vector<Number>> values;
        for (int lane = 0; lane < count; ++lane) {
            std::vector<V> places;
            std::vector<std::uint32_t> alignments;
            for (std::size_t i = 0; i < leaves; ++i) {
                places.push_back(at(stores + i, lane));
                alignments.push_back(align(stores + i, lane));
            }
            LoadedPlace place(std::move(places), loaded[static_cast<std::size_t>(lane)], std::move(alignments));
            values.push_back(code_.element(place, common));
        }
        for (std::size_t k = 0; k < stores; ++k)
            for (int lane = 0; lane < count; ++lane) {
                const Store& store = program_.stores[k];
                const std::vector<Number>& computed = values[static_cast<std::size_t>(lane)];
                V address = at(k, lane);
                if (!store.indices.empty()) address = code_.scatter_address(k, address, computed, common);
                if (store.update)
                    b_.atomic(*store.update, address, computed[store.value].re);
                else
                    code_.store(store.target.dtype, address, computed[store.value], align(k, lane));
            }
    }

    std::vector<V> offsets_of(V index) {
        std::vector<V> offsets;
        for (std::size_t k = 0; k < plan_.innermost.size(); ++k)
            offsets.push_back(plan_.axes.shape.empty() ? b_.i64(0) : b_.mul(index, strides_[k].back()));
        return offsets;
    }

    /// `offsets_of_element` of the thread's elements, a block apart from each other, if there are that many below
    /// `count`.
    template <class Offsets>
    void elements_apart(V count, Offsets&& offsets_of_element) {
        V first = b_.add(b_.mul(code_.as_i64(ir::Intrinsic::CtaidX), b_.i64(block_threads * plan_.apart)),
                         code_.as_i64(ir::Intrinsic::TidX));
        auto index = [&](int k) { return b_.add(first, b_.i64(k * block_threads)); };
        ir::Block* whole = b_.new_block("whole");
        ir::Block* rest = b_.new_block("rest");
        b_.cond_branch(b_.lt(index(plan_.apart - 1), count), whole, rest);
        b_.set_block(whole);
        std::vector<std::vector<V>> offsets;
        for (int k = 0; k < plan_.apart; ++k) offsets.push_back(offsets_of_element(index(k)));
        run_apart(offsets);
        b_.branch(done_);
        b_.set_block(rest);
        for (int k = 0; k + 1 < plan_.apart; ++k) {
            ir::Block* body = b_.new_block("body");
            ir::Block* next = b_.new_block("next");
            b_.cond_branch(b_.lt(index(k), count), body, next);
            b_.set_block(body);
            run_apart({offsets_of_element(index(k))});
            b_.branch(next);
            b_.set_block(next);
        }
        b_.branch(done_);
    }

    /// The elements at these offsets; all are read before one is stored.
    void run_apart(const std::vector<std::vector<V>>& offsets) {
        const auto stores = static_cast<std::ptrdiff_t>(program_.stores.size());
        std::vector<std::vector<Number>> values;
        for (const std::vector<V>& element : offsets) {
            OffsetPlace place(code_, std::vector<V>(element.begin() + stores, element.end()));
            values.push_back(code_.element(place));
        }
        for (std::size_t i = 0; i < offsets.size(); ++i)
            for (std::size_t k = 0; k < program_.stores.size(); ++k)
                code_.store(program_.stores[k].target.dtype, b_.pointer_add(stores_[k], offsets[i][k], 1),
                            values[i][program_.stores[k].value]);
    }

    void flat(V count) {
        if (plan_.apart > 1) return elements_apart(count, [&](V index) { return offsets_of(index); });
        V thread = code_.global_index();
        if (plan_.vector == 1) {
            ir::Block* body = b_.new_block("body");
            b_.cond_branch(b_.lt(thread, count), body, done_);
            b_.set_block(body);
            run(offsets_of(thread), 1);
            b_.branch(done_);
            return;
        }
        V start = b_.mul(thread, b_.i64(plan_.vector));
        ir::Block* whole = b_.new_block("whole");
        ir::Block* rest = b_.new_block("rest");
        ir::Block* single = b_.new_block("single");
        b_.cond_branch(b_.scalar(S::Le, b_.add(start, b_.i64(plan_.vector)), count), whole, rest);
        b_.set_block(whole);
        run(offsets_of(start), plan_.vector);
        b_.branch(done_);
        // The elements after the last whole run.
        b_.set_block(rest);
        V index = b_.phi(ir::Type::scalar(DType::Int64));
        ir::Builder::add_incoming(index, start, whole_entry());
        b_.cond_branch(b_.lt(index, count), single, done_);
        b_.set_block(single);
        run(offsets_of(index), 1);
        V next = b_.add(index, b_.i64(1));
        ir::Builder::add_incoming(index, next, b_.block());
        b_.branch(rest);
    }
    ir::Block* whole_entry() { return code_.b().function().blocks.front(); }

    void divided(V count) {
        if (plan_.apart > 1) return elements_apart(count, [&](V index) { return divided_offsets(index); });
        V thread = code_.global_index();
        ir::Block* body = b_.new_block("body");
        b_.cond_branch(b_.lt(thread, count), body, done_);
        b_.set_block(body);
        run(divided_offsets(thread), plan_.vector);
        b_.branch(done_);
    }

    /// Of a run of plan.vector elements by its number.
    std::vector<V> divided_offsets(V number) {
        const int ndim = plan_.axes.shape.size();
        const DType index_type = plan_.narrow ? DType::UInt32 : DType::UInt64;
        V index = b_.cast(number, index_type);
        std::vector<V> offsets(plan_.innermost.size(), b_.i64(0));
        for (int d = ndim - (plan_.whole_rows ? 2 : 1); d >= 0; --d) {
            V position = index;
            if (d > 0) {
                // The innermost extent counts runs.
                V extent = b_.cast(extents_[static_cast<std::size_t>(d)], index_type);
                V quotient = plan_.narrow ? divide_by_word(b_, index, words_[static_cast<std::size_t>(d)])
                                          : b_.scalar(S::Div, index, extent);
                position = b_.sub(index, b_.mul(quotient, extent));
                index = quotient;
            }
            position = b_.cast(position, DType::Int64);
            if (d == ndim - 1 && plan_.vector > 1) position = b_.mul(position, b_.i64(plan_.vector));
            for (std::size_t k = 0; k < offsets.size(); ++k)
                offsets[k] = b_.add(offsets[k], b_.mul(position, strides_[k][static_cast<std::size_t>(d)]));
        }
        return offsets;
    }

    void rows(V count) {
        V row = b_.add(code_.as_i64(ir::Intrinsic::CtaidY),
                       b_.mul(code_.as_i64(ir::Intrinsic::CtaidZ), code_.as_i64(ir::Intrinsic::NctaidY)));
        V column = code_.global_index();
        ir::Block* inside = b_.new_block("inside");
        ir::Block* body = b_.new_block("body");
        b_.cond_branch(b_.lt(row, count), inside, done_);
        b_.set_block(inside);
        b_.cond_branch(b_.lt(column, extents_.back()), body, done_);
        b_.set_block(body);
        std::vector<V> offsets = row_offsets(row);
        for (std::size_t k = 0; k < offsets.size(); ++k)
            offsets[k] = b_.add(b_.mul(column, strides_[k].back()), offsets[k]);
        run(offsets, 1);
        b_.branch(done_);
    }

    /// Where the row's first element is accessed.
    std::vector<V> row_offsets(V row) {
        std::vector<V> offsets(plan_.innermost.size(), b_.i64(0));
        V index = row;
        for (int d = plan_.axes.shape.size() - 2; d >= 0; --d) {
            V position = index;
            if (d > 0) {
                V extent = extents_[static_cast<std::size_t>(d)];
                V quotient = b_.scalar(S::Div, index, extent);
                position = b_.sub(index, b_.mul(quotient, extent));
                index = quotient;
            }
            for (std::size_t k = 0; k < offsets.size(); ++k)
                offsets[k] = b_.add(offsets[k], b_.mul(position, strides_[k][static_cast<std::size_t>(d)]));
        }
        return offsets;
    }

    void pieces(V count) {
        V thread = code_.global_index();
        ir::Block* body = b_.new_block("body");
        b_.cond_branch(b_.lt(thread, count), body, done_);
        b_.set_block(body);
        V extent = extents_.back();
        V in_row = b_.scalar(S::Div, b_.add(extent, b_.i64(row_piece - 1)), b_.i64(row_piece));
        V row = b_.scalar(S::Div, thread, in_row);
        V first = b_.mul(b_.sub(thread, b_.mul(row, in_row)), b_.i64(row_piece));
        V end = b_.scalar(S::Min, b_.add(first, b_.i64(row_piece)), extent);
        const std::vector<V> starts = row_offsets(row);
        const KernelCode::Common shared = common(starts);
        Control(b_).count(first, end, 1, {}, [&](V column, const std::vector<V>&) {
            std::vector<V> offsets;
            for (std::size_t k = 0; k < starts.size(); ++k)
                offsets.push_back(b_.add(starts[k], b_.mul(column, strides_[k].back())));
            run(offsets, 1, shared);
            return std::vector<V>();
        });
        b_.branch(done_);
    }

    const Program& program_;
    const ElementwisePlan& plan_;
    KernelCode code_;
    ir::Builder& b_;
    std::vector<V> stores_, extents_, words_;
    std::vector<std::vector<V>> strides_;
    ir::Block* done_ = nullptr;
};

}  // namespace

std::unique_ptr<ir::Module> write_elementwise(const Program& program, const ElementwisePlan& plan) {
    return Writer(program, plan).write();
}

}  // namespace lanewise
