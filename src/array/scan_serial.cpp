// Scans in which a thread walks along a chunk of a line.
#include "array/scan_code.h"

namespace lanewise {
namespace {

using S = ir::ScalarOp;

class SerialScanWriter final : ScanCode {
public:
    SerialScanWriter(const Program& program, const ReduceSpec& spec, const ScanPlan& plan, DType target)
        : ScanCode(program, spec, plan, target) {}

    std::unique_ptr<ir::Module> write() {
        out_ = code_.pointer_parameter("out", false, true);
        V before = plan_.offsets ? code_.pointer_parameter("totals", true, true) : nullptr;
        code_.leaf_parameters(true);
        lines_ = code_.integer_parameter("lines");
        length_ = code_.integer_parameter("length");
        V chunk = code_.integer_parameter("chunk");
        line_parameters();

        V line = code_.global_index();
        V chunk_number = code_.as_i64(ir::Intrinsic::CtaidY);
        ir::Block* body = b_.new_block("body");
        ir::Block* done = b_.new_block("done");
        b_.cond_branch(b_.lt(line, lines_), body, done);
        b_.set_block(body);
        bases_ = bases_of(line);
        V first = b_.mul(chunk_number, chunk);
        V end = b_.scalar(S::Min, b_.add(first, chunk), length_);
        auto place_of = [&](V number) { return b_.add(b_.mul(number, lines_), line); };
        Number start = identity();
        if (before)
            start = control_.guarded_number(b_.lt(b_.i64(0), chunk_number), start, [&] {
                V place = place_of(b_.sub(chunk_number, b_.i64(1)));
                return code_.load(type_, b_.pointer_add(before, place, size_of(type_)));
            });
        const Number total = walk(start, first, end);
        if (plan_.totals) code_.store(type_, b_.pointer_add(out_, place_of(chunk_number), size_of(type_)), total);
        b_.branch(done);
        b_.set_block(done);
        b_.ret();
        return code_.finish();
    }

private:
    Number element(V index) {
        std::vector<V> offsets;
        for (std::size_t i = 0; i < program_.leaves.size(); ++i)
            offsets.push_back(b_.add(bases_[i + 1], b_.mul(index, steps_[i + 1])));
        OffsetPlace place(code_, std::move(offsets));
        return lift(place);
    }

    Number walk(const Number& start, V first, V end) {
        ir::Block* before = b_.block();
        ir::Block* head = b_.new_block("head");
        ir::Block* round = b_.new_block("round");
        ir::Block* after = b_.new_block("after");
        b_.branch(head);
        b_.set_block(head);
        V index = b_.phi(ir::Type::scalar(DType::Int64));
        ir::Builder::add_incoming(index, first, before);
        const Number state = control_.phi(start, before);
        b_.cond_branch(b_.lt(index, end), round, after);
        b_.set_block(round);
        const Number next = combine(state, element(index));
        if (!plan_.totals) {
            V address = b_.pointer_add(out_, b_.add(bases_[0], b_.mul(index, steps_[0])), 1);
            code_.store(target_, address, lower_cast(b_, next, type_, target_));
        }
        if (plan_.in_step) b_.intrinsic(ir::Intrinsic::Barrier);
        V advanced = b_.add(index, b_.i64(1));
        ir::Builder::add_incoming(index, advanced, b_.block());
        Control::incoming(state, next, b_.block());
        b_.branch(head);
        b_.set_block(after);
        return state;
    }

    std::vector<V> bases_;
};

}  // namespace

std::unique_ptr<ir::Module> serial_scan_module(const Program& program, const ReduceSpec& spec, const ScanPlan& plan,
                                               DType target) {
    return SerialScanWriter(program, spec, plan, target).write();
}

}  // namespace lanewise
