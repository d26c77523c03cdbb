// Loops. The types of the variables a loop carries are found by dry runs of its body until they no longer change; then
// the loop is emitted with one phi for each part of each variable it assigns.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/python/body.h"
#include "frontend/python/bounds.h"
#include "frontend/python/iterable.h"
#include "frontend/python/scalar_rules.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;
using syntax::Captured;
using syntax::Expr;
using syntax::Stmt;

/// Types without emitting; the activation is afterwards as it was before.
class Body::DryRun {
public:
    explicit DryRun(Body& body)
        : body_(body),
          builder_(body.e_.dry() ? nullptr : &body.e_.builder()),
          env_(body.env_),
          live_(body.live_),
          returns_(body.returns_.size()) {
        body_.e_.set_builder(nullptr);
    }
    ~DryRun() {
        body_.e_.set_builder(builder_);
        body_.env_ = std::move(env_);
        body_.live_ = live_;
        body_.returns_.resize(returns_);
    }
    DryRun(const DryRun&) = delete;
    DryRun& operator=(const DryRun&) = delete;
    /// What was typed stands: the surrounding run is dry itself.
    void keep() { returns_ = body_.returns_.size(); }

private:
    Body& body_;
    ir::Builder* builder_;
    Environment env_;
    bool live_;
    std::size_t returns_;
};

class Body::LoopScope {
public:
    explicit LoopScope(Body& body) : body_(body) { body_.loops_.push_back(&exits); }
    ~LoopScope() { body_.loops_.pop_back(); }
    LoopScope(const LoopScope&) = delete;
    LoopScope& operator=(const LoopScope&) = delete;
    LoopExits exits;

private:
    Body& body_;
};

namespace {

/// A loop's variable as the dry runs first see it. Constants would only be found not to be constant, except where a
/// value exists as a constant only (strings), or weak literals make the type depend on it.
VariablePtr without_constant(const Emitter& e, const VariablePtr& variable) {
    if (!variable || variable->is_conflict() || !variable->operand.constant || e.options().weak_literals)
        return variable;
    if (!variable->operand.type->is_scalar()) return variable;
    auto result = std::make_shared<Variable>(*variable);
    result->operand.constant = nullptr;
    result->operand.is_literal = false;
    return result;
}

VariablePtr without_parts(const VariablePtr& variable) {
    if (!variable || variable->operand.parts.empty()) return variable;
    auto result = std::make_shared<Variable>(*variable);
    result->operand.parts.clear();
    return result;
}

constexpr int round_limit = 32;

}  // namespace

void Body::lower_while(const Stmt& s) {
    LoopShape shape;
    shape.head = [&](ir::Block*) { return condition(*s.test); };
    shape.enter = [] {};
    shape.advance = [] {};
    lower_loop(s, shape);
}

void Body::lower_for(const Stmt& s) {
    const Expr& iterated = *s.value;
    const Operand iterable = expression(iterated);
    at(iterated.at);
    require_iterable(e_, iterable);
    const bool asked = iterated.kind == Expr::Kind::Call && iterated.a->captured &&
                       iterated.a->captured->kind == Captured::Kind::Builtin &&
                       iterated.a->captured->text == "numba.literal_unroll";
    if (asked || needs_unrolling(iterable.type)) return lower_unrolled(s, iterable);
    if (iterable.type->is(Type::Kind::Range)) return lower_range(s, iterable);
    lower_counted(s, iterable);
}

/// Steps of 1 and -1, and positive ones with which the last addition cannot wrap around (a grid's size, and an extent
/// to stop at), compare the variable with the stop; other constant steps count iterations. With any other step known at
/// run time only, the distance left decides whether to go on.
void Body::lower_range(const Stmt& s, const Operand& range) {
    const DType dtype = range.type->dtype;
    LoopShape shape;
    Value* variable = nullptr;
    shape.enter = [&] { assign(*s.targets.front(), e_.scalar(dtype, e_.dry() ? nullptr : variable)); };
    if (e_.dry()) {
        shape.head = [&](ir::Block*) { return e_.scalar(DType::Bool, nullptr); };
        shape.advance = [] {};
        return lower_loop(s, shape);
    }
    ir::Builder& b = e_.builder();
    Value* start = range.parts[0];
    Value* stop = range.parts[1];
    Value* step = range.parts[2];
    const auto known = ir::constant_integer(step);
    const bool forwards = known && *known == 1, backwards = known && *known == -1 && is_signed(dtype);
    if (known && !forwards && !backwards) return lower_counted(s, range);
    const bool upwards = is_unsigned(dtype) || always_positive(e_, step);
    const bool from_zero = upwards && never_negative(e_, start);
    const bool fits = !known && is_signed(dtype) && always_positive(e_, step) && sum_fits(e_, stop, step);
    const bool compares = known || fits;

    const DType distance_type = size_of(dtype) == 4 ? DType::UInt32 : DType::UInt64;
    Value* zero = b.constant(dtype, 0);
    Value* positive = compares || upwards ? nullptr : b.lt(zero, step);
    Value* first = nullptr;
    Value* stride = nullptr;
    if (!compares) {
        first = b.lt(start, stop);
        if (positive)
            first = b.select(positive, first, b.scalar(ScalarOp::BitAnd, b.lt(step, zero), b.lt(stop, start)));
        else if (!always_positive(e_, step))
            first = b.scalar(ScalarOp::BitAnd, first, b.scalar(ScalarOp::Ne, step, zero));
        stride = positive ? b.select(positive, step, b.scalar(ScalarOp::Neg, step)) : step;
        stride = b.cast(stride, distance_type);
    }

    Value* go_on = nullptr;
    shape.head = [&](ir::Block* before) {
        if (e_.dry()) return e_.scalar(DType::Bool, nullptr);
        variable = b.phi(ir::Type::scalar(dtype));
        ir::Builder::add_incoming(variable, start, before);
        if (from_zero) e_.note_never_negative(variable);
        if (compares) return e_.scalar(DType::Bool, backwards ? b.lt(stop, variable) : b.lt(variable, stop));
        go_on = b.phi(ir::Type::scalar(DType::Bool));
        ir::Builder::add_incoming(go_on, first, before);
        return e_.scalar(DType::Bool, go_on);
    };
    shape.advance = [&] {
        if (e_.dry()) return;
        if (!compares) {
            Value* left = b.sub(stop, variable);
            if (positive) left = b.select(positive, left, b.sub(variable, stop));
            ir::Builder::add_incoming(go_on, b.lt(stride, b.cast(left, distance_type)), b.block());
        }
        Value* next = b.add(variable, step);
        if (fits) next->no_wrap = true;
        ir::Builder::add_incoming(variable, next, b.block());
    };
    lower_loop(s, shape);
}

void Body::lower_counted(const Stmt& s, const Operand& iterable) {
    Value* count = item_count(e_, iterable);
    Value* position = nullptr;
    LoopShape shape;
    shape.head = [&](ir::Block* before) {
        if (e_.dry()) return e_.scalar(DType::Bool, nullptr);
        position = e_.builder().phi(ir::Type::scalar(DType::Int64));
        ir::Builder::add_incoming(position, e_.builder().i64(0), before);
        e_.note_never_negative(position);
        return e_.scalar(DType::Bool, e_.builder().lt(position, count));
    };
    shape.enter = [&] { assign(*s.targets.front(), item_of(e_, iterable, e_.dry() ? nullptr : position)); };
    shape.advance = [&] {
        if (e_.dry()) return;
        Value* next = e_.builder().add(position, e_.builder().i64(1));
        ir::Builder::add_incoming(position, next, e_.builder().block());
    };
    lower_loop(s, shape);
}

void Body::lower_unrolled(const Stmt& s, const Operand& iterable) {
    const std::optional<std::size_t> most = static_count(iterable.type);
    if (!most) fail("literal_unroll takes a tuple", s.value->at);
    // A zip with something whose length only the run knows may end earlier.
    const bool may_end_early = iterable.type->is(Type::Kind::Zip);
    Value* count = may_end_early ? item_count(e_, iterable) : nullptr;
    std::vector<Edge> breaks, exhausted;
    for (std::size_t i = 0; i < *most && live_; ++i) {
        if (may_end_early) {
            ir::Block* more = new_block("unrolled");
            ir::Block* end = new_block("unrolled_end");
            if (!e_.dry())
                e_.builder().cond_branch(e_.builder().lt(e_.builder().i64(static_cast<std::int64_t>(i)), count), more,
                                         end);
            exhausted.push_back({end, env_});
            enter_block(more);
        }
        LoopScope scope(*this);
        at(s.at);
        assign(*s.targets.front(), item_of(e_, iterable, i));
        block(s.body);
        if (live_) scope.exits.continues.push_back(here());
        breaks.insert(breaks.end(), scope.exits.breaks.begin(), scope.exits.breaks.end());
        continue_from(std::move(scope.exits.continues));
    }
    if (live_) exhausted.push_back(here());
    continue_from(std::move(exhausted));
    finish_loop(s, live_ ? std::optional(here()) : std::nullopt, std::move(breaks));
}

Environment Body::loop_head(const Stmt& s) const {
    Environment head = env_;
    for (int slot : scope_.assigned.at(&s)) {
        VariablePtr& variable = head[static_cast<std::size_t>(slot)];
        variable = without_parts(without_constant(e_, variable));
    }
    return head;
}

void Body::lower_loop(const Stmt& s, const LoopShape& shape) {
    const std::vector<int>& assigned = scope_.assigned.at(&s);
    Environment head;
    LoopEnds ends;
    bool done = false;
    if (const Environment* known = program_.find_loop(s, env_)) {
        head = *known;
    } else {
        head = loop_head(s);
        const bool outer_is_dry = e_.dry();
        for (int round = 0;; ++round) {
            if (round == round_limit) fail("the types of this loop's variables do not settle", s.at);
            bool stable = true;
            DryRun dry(*this);
            try {
                ends = loop_pass(s, shape, head);
            } catch (const UnknownResult&) {
                if (outer_is_dry) throw;
                // The loop's condition reads what has no value: emission says so.
                break;
            }
            for (int slot : assigned) {
                if (!ends.again) break;
                VariablePtr& variable = head[static_cast<std::size_t>(slot)];
                VariablePtr merged =
                    without_parts(merge(e_, variable, ends.again->environment[static_cast<std::size_t>(slot)]));
                stable &= same_typing(variable, merged);
                variable = std::move(merged);
            }
            if (!stable) continue;
            done = outer_is_dry;
            if (done) dry.keep();
            break;
        }
        program_.remember_loop(s, env_, head);
    }
    if (!done) ends = loop_pass(s, shape, head);
    finish_loop(s, std::move(ends.exhausted), std::move(ends.breaks));
}

Body::LoopEnds Body::loop_pass(const Stmt& s, const LoopShape& shape, const Environment& head) {
    struct Carried {
        std::size_t slot;
        TypePtr type;
        std::vector<Value*> phis;
    };
    std::vector<Carried> carried;
    std::vector<std::vector<Value*>> initial;
    for (int assigned : scope_.assigned.at(&s)) {
        const auto slot = static_cast<std::size_t>(assigned);
        const VariablePtr& variable = head[slot];
        if (!e_.dry() && variable && !variable->is_conflict()) {
            carried.push_back({slot, variable->operand.type, {}});
            initial.push_back(parts_as(e_, env_[slot], variable->operand.type));
        }
        env_[slot] = variable;
    }
    ir::Block* before = open_block();
    ir::Block* head_block = new_block("loop");
    if (!e_.dry()) {
        e_.builder().branch(head_block);
        e_.builder().set_block(head_block);
        for (std::size_t i = 0; i < carried.size(); ++i) {
            auto variable = std::make_shared<Variable>(*env_[carried[i].slot]);
            variable->operand.parts.clear();
            for (Value* first : initial[i]) {
                carried[i].phis.push_back(e_.builder().phi(first->type));
                ir::Builder::add_incoming(carried[i].phis.back(), first, before);
            }
            variable->operand.parts = carried[i].phis;
            env_[carried[i].slot] = std::move(variable);
        }
    }

    LoopEnds ends;
    const Operand test = shape.head(before);
    const auto known = test.constant_int();
    if (known && !*known) {
        ends.exhausted = here();
        return ends;
    }
    if (!known) {
        ir::Block* body_block = new_block("body");
        ends.exhausted = Edge{new_block("loop_end"), env_};
        if (!e_.dry()) e_.builder().cond_branch(test.value(), body_block, ends.exhausted->block);
        enter_block(body_block);
    }
    LoopScope scope(*this);
    shape.enter();
    block(s.body);
    if (live_) scope.exits.continues.push_back(here());
    ends.breaks = std::move(scope.exits.breaks);
    continue_from(std::move(scope.exits.continues));
    if (!live_) return ends;
    if (e_.dry()) {
        ends.again = here();
        return ends;
    }
    shape.advance();
    std::vector<std::vector<Value*>> next;
    for (const Carried& variable : carried) next.push_back(parts_as(e_, env_[variable.slot], variable.type));
    for (std::size_t i = 0; i < carried.size(); ++i)
        for (std::size_t part = 0; part < next[i].size(); ++part)
            ir::Builder::add_incoming(carried[i].phis[part], next[i][part], e_.builder().block());
    e_.builder().branch(head_block);
    return ends;
}

void Body::finish_loop(const Stmt& s, std::optional<Edge> exhausted, std::vector<Edge> breaks) {
    std::vector<Edge> ends = std::move(breaks);
    live_ = exhausted.has_value();
    if (exhausted) {
        env_ = std::move(exhausted->environment);
        enter_block(exhausted->block);
        block(s.orelse);
        if (live_) ends.push_back(here());
    }
    continue_from(std::move(ends));
}

}  // namespace lanewise::python
