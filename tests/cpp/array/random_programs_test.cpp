// Random programs: computed lazily, computed operation by operation, and by a plain interpreter on the host; planned
// for the cpu device and as for CUDA devices.
#include <cmath>
#include <random>

#include "array/engine.h"
#include "lazy.h"

namespace lanewise::testing {
namespace {

/// An array of int64 on the host, C order, computed with plain loops.
struct Host {
    Dims shape;
    std::vector<std::int64_t> values;

    std::int64_t at(const std::vector<std::int64_t>& index) const {
        std::int64_t place = 0;
        for (int d = 0; d < shape.size(); ++d) place = place * shape[d] + index[static_cast<std::size_t>(d)];
        return values[static_cast<std::size_t>(place)];
    }
};

void each_index(const Dims& shape, auto&& action) {
    std::vector<std::int64_t> index(static_cast<std::size_t>(shape.size()), 0);
    for (std::int64_t extent : shape)
        if (extent == 0) return;
    while (true) {
        action(index);
        int d = shape.size() - 1;
        for (; d >= 0; --d) {
            if (++index[static_cast<std::size_t>(d)] < shape[d]) break;
            index[static_cast<std::size_t>(d)] = 0;
        }
        if (d < 0) return;
    }
}

/// One program: a pool of arrays, each with the host's values beside it.
class Program {
public:
    Program(unsigned seed) : random_(seed) {
        for (int i = 0; i < 3; ++i) add_leaf();
    }

    void step() {
        switch (number(0, 14)) {
            case 0:
            case 1:
            case 2:
            case 3:
                return binary();
            case 4:
                return transpose();
            case 5:
                return slice();
            case 6:
                return reduce_axis();
            case 7:
                return assign_in_place();
            case 8:
                return assign_part();
            case 9:
                return choose();
            case 10:
                return forget();
            case 11:
                return flatten();
            case 12:
                return take_rows();
            case 13:
                return combine();
            default:
                return scan();
        }
    }

    /// Compares every array, in random order.
    void compare() {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < entries_.size(); ++i) order.push_back(i);
        std::shuffle(order.begin(), order.end(), random_);
        for (std::size_t i : order) {
            ASSERT_EQ(entries_[i].array.shape(), entries_[i].shape);
            ASSERT_EQ(values<std::int64_t>(entries_[i].array), host(entries_[i]).values);
        }
    }

private:
    struct Entry {
        Array array;
        std::shared_ptr<Host> base;        ///< shared by views
        std::vector<std::int64_t> places;  ///< of the elements in the base
        Dims shape;
    };

    std::int64_t number(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
    }
    std::size_t pick() { return static_cast<std::size_t>(number(0, static_cast<std::int64_t>(entries_.size()) - 1)); }

    Host host(const Entry& entry) const {
        Host result{entry.shape, {}};
        for (std::int64_t place : entry.places)
            result.values.push_back(entry.base->values[static_cast<std::size_t>(place)]);
        return result;
    }
    void add(Array array, Host values) {
        Entry entry{std::move(array), std::make_shared<Host>(values), {}, values.shape};
        for (std::size_t i = 0; i < values.values.size(); ++i) entry.places.push_back(static_cast<std::int64_t>(i));
        entries_.push_back(std::move(entry));
        if (entries_.size() > 8) entries_.erase(entries_.begin());
    }
    void add_view(Array array, const Entry& of, Dims shape, std::vector<std::int64_t> places) {
        entries_.push_back({std::move(array), of.base, std::move(places), std::move(shape)});
        if (entries_.size() > 8) entries_.erase(entries_.begin());
    }

    void add_leaf() {
        Dims shape;
        const std::int64_t ndim = number(1, 3);
        for (int d = 0; d < ndim; ++d) shape.push_back(number(0, 3) == 0 ? 1 : number(2, number(0, 1) ? 5 : 70));
        Host values{shape, {}};
        each_index(shape, [&](auto&) { values.values.push_back(number(-9, 9)); });
        add(array(values.values, shape), values);
    }

    static std::optional<Dims> broadcast(const Dims& a, const Dims& b) {
        Dims result(std::max(a.size(), b.size()), 1);
        for (int i = 0; i < result.size(); ++i) {
            const int ia = i - (result.size() - a.size()), ib = i - (result.size() - b.size());
            const std::int64_t ea = ia >= 0 ? a[ia] : 1, eb = ib >= 0 ? b[ib] : 1;
            if (ea != eb && ea != 1 && eb != 1) return std::nullopt;
            result[i] = ea == 1 ? eb : ea;
        }
        return result;
    }
    static std::int64_t broadcast_at(const Host& host, const std::vector<std::int64_t>& index) {
        std::vector<std::int64_t> own;
        for (int d = 0; d < host.shape.size(); ++d)
            own.push_back(
                host.shape[d] == 1
                    ? 0
                    : index[index.size() - static_cast<std::size_t>(host.shape.size()) + static_cast<std::size_t>(d)]);
        return host.at(own);
    }

    void binary() {
        const Entry a = entries_[pick()], b = entries_[pick()];
        const auto shape = broadcast(a.shape, b.shape);
        if (!shape) return add_leaf();
        const Host x = host(a), y = host(b);
        const std::int64_t which = number(0, 4);
        Host result{*shape, {}};
        each_index(*shape, [&](auto& index) {
            const std::int64_t p = broadcast_at(x, index), q = broadcast_at(y, index);
            result.values.push_back(which == 0   ? p + q
                                    : which == 1 ? p - q
                                    : which == 2 ? std::max(p, q)
                                    : which == 3 ? (p ^ q)
                                                 : p * 3 - q);
        });
        add(which == 0   ? lanewise::add(a.array, b.array)
            : which == 1 ? subtract(a.array, b.array)
            : which == 2 ? maximum(a.array, b.array)
            : which == 3 ? bitwise_xor(a.array, b.array)
                         : subtract(multiply(a.array, 3), b.array),
            result);
    }

    void choose() {
        const Entry a = entries_[pick()], b = entries_[pick()];
        const auto shape = broadcast(a.shape, b.shape);
        if (!shape) return;
        const Host x = host(a), y = host(b);
        Host result{*shape, {}};
        each_index(*shape, [&](auto& index) {
            const std::int64_t p = broadcast_at(x, index), q = broadcast_at(y, index);
            result.values.push_back(p < q ? p : 7);
        });
        add(where(less(a.array, b.array), a.array, 7), result);
    }

    void transpose() {
        const Entry a = entries_[pick()];
        Dims axes;
        for (int d = 0; d < a.shape.size(); ++d) axes.push_back(d);
        std::shuffle(axes.begin(), axes.end(), random_);
        Dims shape;
        for (std::int64_t axis : axes) shape.push_back(a.shape[static_cast<int>(axis)]);
        const Host places{a.shape, a.places};
        std::vector<std::int64_t> result;
        each_index(shape, [&](auto& index) {
            std::vector<std::int64_t> own(index.size());
            for (int d = 0; d < axes.size(); ++d)
                own[static_cast<std::size_t>(axes[d])] = index[static_cast<std::size_t>(d)];
            result.push_back(places.at(own));
        });
        add_view(a.array.transpose(axes), a, shape, result);
    }

    void slice() {
        const Entry a = entries_[pick()];
        std::vector<Index> items;
        std::vector<std::int64_t> starts, steps;
        Dims shape;
        for (int d = 0; d < a.shape.size(); ++d) {
            const std::int64_t extent = a.shape[d];
            Index item;
            item.kind = Index::Kind::Slice;
            if (extent == 0 || number(0, 2) == 0) {
                shape.push_back(extent);
                starts.push_back(0);
                steps.push_back(1);
            } else {
                const std::int64_t step = number(0, 1) ? number(1, 3) : -number(1, 2), start = number(0, extent - 1);
                item.start = start;
                item.step = step;
                shape.push_back(step > 0 ? (extent - 1 - start) / step + 1 : start / -step + 1);
                starts.push_back(start);
                steps.push_back(step);
            }
            items.push_back(item);
        }
        const Host places{a.shape, a.places};
        std::vector<std::int64_t> result;
        each_index(shape, [&](auto& index) {
            std::vector<std::int64_t> own;
            for (std::size_t d = 0; d < index.size(); ++d) own.push_back(starts[d] + index[d] * steps[d]);
            result.push_back(places.at(own));
        });
        add_view(a.array.index(items), a, shape, result);
    }

    void flatten() {
        const Entry a = entries_[pick()];
        std::optional<Array> view;
        try {
            view = a.array.reshape({-1});
        } catch (const Error& error) {
            ASSERT_EQ(error.kind(), ErrorKind::NotImplemented);
            return;
        }
        add_view(*view, a, Dims{static_cast<std::int64_t>(a.places.size())}, a.places);
    }

    void take_rows() {
        const Entry a = entries_[pick()];
        if (a.shape[0] == 0) return;
        const Host x = host(a);
        std::vector<std::int64_t> rows;
        for (std::int64_t i = number(0, 4); i >= 0; --i) rows.push_back(number(-a.shape[0], a.shape[0] - 1));
        Dims shape = a.shape;
        shape[0] = static_cast<std::int64_t>(rows.size());
        Host result{shape, {}};
        each_index(shape, [&](auto index) {
            std::int64_t row = rows[static_cast<std::size_t>(index[0])];
            index[0] = row < 0 ? row + a.shape[0] : row;
            result.values.push_back(x.at(index));
        });
        add(take(a.array, array(rows), 0), result);
    }

    void reduce_axis() {
        const Entry a = entries_[pick()];
        const int axis = static_cast<int>(number(0, a.shape.size() - 1));
        const std::int64_t which = number(0, 2);
        if (which != 0 && a.shape[axis] == 0) return;
        const Host x = host(a);
        Dims shape = a.shape;
        shape[axis] = 1;
        Host result{shape, {}};
        each_index(shape, [&](auto index) {
            std::int64_t total = 0, best = 0, at = 0;
            for (std::int64_t i = 0; i < a.shape[axis]; ++i) {
                index[static_cast<std::size_t>(axis)] = i;
                const std::int64_t value = x.at(index);
                total += value;
                if (i == 0 || value > best) {
                    best = value;
                    at = i;
                }
            }
            result.values.push_back(which == 0 ? total : which == 1 ? best : at);
        });
        ReduceOptions options;
        options.axes = Dims{axis};
        options.keepdims = true;
        add(which == 0 ? sum(a.array, options) : which == 1 ? max(a.array, options) : argmax(a.array, options), result);
    }

    void scan() {
        const Entry a = entries_[pick()];
        const int axis = static_cast<int>(number(0, a.shape.size() - 1));
        Host result = host(a);
        each_index(a.shape, [&](auto& index) {
            if (index[static_cast<std::size_t>(axis)] == 0) return;
            auto before = index;
            --before[static_cast<std::size_t>(axis)];
            std::int64_t place = 0, previous = 0;
            for (int d = 0; d < a.shape.size(); ++d) {
                place = place * a.shape[d] + index[static_cast<std::size_t>(d)];
                previous = previous * a.shape[d] + before[static_cast<std::size_t>(d)];
            }
            result.values[static_cast<std::size_t>(place)] += result.values[static_cast<std::size_t>(previous)];
        });
        add(cumsum(a.array, axis), result);
    }

    /// 5 a + max(7 - a), into another array of the shape where there is one: a value that is read directly and by way
    /// of what has to be computed first.
    void combine() {
        const Entry a = entries_[pick()];
        const Host x = host(a);
        Host result{a.shape, {}};
        if (x.values.empty()) return;
        const std::int64_t least = *std::min_element(x.values.begin(), x.values.end());
        for (std::int64_t value : x.values) result.values.push_back(5 * value + 7 - least);
        Entry& target = entries_[pick()];
        if (!(target.shape == a.shape) || target.array.read_only() || number(0, 1))
            return add(lanewise::add(multiply(a.array, 5), max(subtract(7, a.array))), result);
        UfuncOptions options;
        options.out = target.array;
        lanewise::add(multiply(a.array, 5), max(subtract(7, a.array)), options);
        for (std::size_t i = 0; i < target.places.size(); ++i)
            target.base->values[static_cast<std::size_t>(target.places[i])] = result.values[i];
    }

    /// a[...] += 1, or -= b where it broadcasts.
    void assign_in_place() {
        Entry& a = entries_[pick()];
        if (a.array.read_only()) return;
        const Entry b = entries_[pick()];
        const auto shape = broadcast(a.shape, b.shape);
        UfuncOptions options;
        options.out = a.array;
        const Host x = host(a);
        std::size_t i = 0;
        if (shape && *shape == a.shape) {
            const Host y = host(b);
            each_index(a.shape, [&](auto& index) {
                a.base->values[static_cast<std::size_t>(a.places[i++])] = x.at(index) - broadcast_at(y, index);
            });
            subtract(a.array, b.array, options);
        } else {
            each_index(a.shape,
                       [&](auto& index) { a.base->values[static_cast<std::size_t>(a.places[i++])] = x.at(index) + 1; });
            lanewise::add(a.array, 1, options);
        }
    }

    void assign_part() {
        slice();
        Entry& part = entries_.back();
        const Entry b = entries_[pick()];
        const auto shape = broadcast(part.shape, b.shape);
        const bool fits = shape && *shape == part.shape;
        const Host y = host(b);
        std::size_t i = 0;
        each_index(part.shape, [&](auto& index) {
            part.base->values[static_cast<std::size_t>(part.places[i++])] = fits ? broadcast_at(y, index) : 5;
        });
        fits ? assign(part.array, b.array) : assign(part.array, 5);
    }

    void forget() {
        if (entries_.size() > 3) entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(pick()));
    }

    std::mt19937 random_;
    std::vector<Entry> entries_;
};

void run(unsigned seeds, unsigned first) {
    for (unsigned seed = first; seed < first + seeds; ++seed) {
        SCOPED_TRACE(seed);
        Program program(seed);
        for (int i = 0; i < 24; ++i) {
            program.step();
            if (seed % 3 == 0 && i % 6 == 5) program.compare();
            if (::testing::Test::HasFatalFailure()) return;
        }
        program.compare();
        if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST(RandomPrograms, LazyIsAsTheInterpreter) {
    run(40, 1000);
}

TEST(RandomPrograms, EagerIsAsTheInterpreter) {
    const Eager eager;
    run(20, 1000);
}

TEST(RandomPrograms, PlannedForCudaIsAsTheInterpreter) {
    const engine::PlanFor plan(DeviceKind::Cuda);
    run(40, 2000);
}

/// A random expression of floats of mixed types; the same for the same seed.
Array float_expression(unsigned seed, const std::vector<Array>& leaves) {
    std::mt19937 random(seed);
    std::vector<Array> pool = leaves;
    auto pick = [&] { return pool[random() % pool.size()]; };
    for (int i = 0; i < 14; ++i) {
        const Array a = pick(), b = pick();
        switch (random() % 10) {
            case 0:
                pool.push_back(add(a, b));
                break;
            case 1:
                pool.push_back(subtract(a, multiply(b, 0.3)));
                break;
            case 2:
                pool.push_back(multiply(a, b));
                break;
            case 3:
                pool.push_back(divide(a, add(absolute(b), 1.0)));
                break;
            case 4:
                pool.push_back(sqrt(absolute(a)));
                break;
            case 5:
                pool.push_back(where(less(a, b), a, 0.5));
                break;
            case 6:
                pool.push_back(astype(a, DType::Float16));
                break;
            case 7:
                pool.push_back(astype(a, DType::BFloat16));
                break;
            case 8:
                pool.push_back(floor_divide(a, add(absolute(b), 0.25)));
                break;
            default:
                pool.push_back(maximum(a, negative(b)));
                break;
        }
    }
    return pool.back();
}

TEST(RandomPrograms, FloatsRoundAsOperationByOperation) {
    std::mt19937 random(7);
    std::vector<float> elements(333);
    for (float& e : elements) e = static_cast<float>(static_cast<int>(random() % 2000) - 1000) / 37.f;
    const Array x = array(elements);
    const std::vector<Array> leaves{x, astype(x, DType::Float16), astype(x, DType::Float64),
                                    astype(x, DType::BFloat16)};
    for (unsigned seed = 0; seed < 40; ++seed) {
        SCOPED_TRACE(seed);
        std::vector<std::uint8_t> one_by_one;
        {
            const Eager eager;
            one_by_one = bytes(float_expression(seed, leaves));
        }
        EXPECT_EQ(bytes(float_expression(seed, leaves)), one_by_one);
    }
}

}  // namespace
}  // namespace lanewise::testing
