// Branches and loops in the code of kernels.
#pragma once

#include <span>
#include <vector>

#include "array/lower.h"
#include "ir/builder.h"

namespace lanewise {

class Control {
public:
    using V = ir::Value*;
    explicit Control(ir::Builder& b) : b_(b) {}

    Number choose(V condition, const Number& x, const Number& y) {
        return {b_.select(condition, x.re, y.re), x.im ? b_.select(condition, x.im, y.im) : nullptr};
    }

    Number phi(const Number& initial, ir::Block* from) {
        Number result{b_.phi(initial.re->type), initial.im ? b_.phi(initial.im->type) : nullptr};
        incoming(result, initial, from);
        return result;
    }
    static void incoming(const Number& phi, const Number& value, ir::Block* from) {
        ir::Builder::add_incoming(phi.re, value.re, from);
        if (phi.im) ir::Builder::add_incoming(phi.im, value.im, from);
    }

    /// `make()` where the condition holds, for its effects.
    template <class Make>
    void when(V condition, Make&& make) {
        ir::Block* inside = b_.new_block("inside");
        ir::Block* after = b_.new_block("next");
        b_.cond_branch(condition, inside, after);
        b_.set_block(inside);
        make();
        b_.branch(after);
        b_.set_block(after);
    }

    /// `make()` where the condition holds, else `otherwise`.
    template <class Make>
    std::vector<V> guarded(V condition, const std::vector<V>& otherwise, Make&& make) {
        ir::Block* before = b_.block();
        ir::Block* inside = b_.new_block("inside");
        ir::Block* after = b_.new_block("next");
        b_.cond_branch(condition, inside, after);
        b_.set_block(inside);
        const std::vector<V> made = make();
        ir::Block* last = b_.block();
        b_.branch(after);
        b_.set_block(after);
        std::vector<V> results;
        for (std::size_t i = 0; i < made.size(); ++i) {
            results.push_back(b_.phi(made[i]->type));
            ir::Builder::add_incoming(results[i], otherwise[i], before);
            ir::Builder::add_incoming(results[i], made[i], last);
        }
        return results;
    }
    template <class Make>
    Number guarded_number(V condition, const Number& otherwise, Make&& make) {
        return to_number(guarded(condition, to_values(otherwise), [&] { return to_values(make()); }));
    }

    /// while (goes_on(state)) state = body(state)
    template <class GoesOn, class Body>
    std::vector<V> loop(const std::vector<V>& initial, GoesOn&& goes_on, Body&& body) {
        ir::Block* before = b_.block();
        ir::Block* head = b_.new_block("head");
        ir::Block* round = b_.new_block("round");
        ir::Block* after = b_.new_block("after");
        b_.branch(head);
        b_.set_block(head);
        std::vector<V> state;
        for (V value : initial) {
            state.push_back(b_.phi(value->type));
            ir::Builder::add_incoming(state.back(), value, before);
        }
        b_.cond_branch(goes_on(state), round, after);
        b_.set_block(round);
        const std::vector<V> next = body(state);
        for (std::size_t i = 0; i < state.size(); ++i) ir::Builder::add_incoming(state[i], next[i], b_.block());
        b_.branch(head);
        b_.set_block(after);
        return state;
    }

    /// for (index = first; index < end; index += step) state = body(index, state)
    template <class Body>
    std::vector<V> count(V first, V end, std::int64_t step, const std::vector<V>& initial, Body&& body) {
        std::vector<V> state{first};
        state.insert(state.end(), initial.begin(), initial.end());
        state = loop(
            state, [&](const std::vector<V>& now) { return b_.lt(now[0], end); },
            [&](const std::vector<V>& now) {
                std::vector<V> next{nullptr};
                for (V value : body(now[0], std::vector<V>(now.begin() + 1, now.end()))) next.push_back(value);
                next[0] = b_.add(now[0], b_.i64(step));
                return next;
            });
        return {state.begin() + 1, state.end()};
    }

    static std::vector<V> to_values(const Number& number) {
        return number.im ? std::vector<V>{number.re, number.im} : std::vector<V>{number.re};
    }
    static Number to_number(const std::vector<V>& values) {
        return {values[0], values.size() > 1 ? values[1] : nullptr};
    }

private:
    ir::Builder& b_;
};

}  // namespace lanewise
