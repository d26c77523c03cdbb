// Which streams operations run on, and what is ordered between streams though operations are late.
#include <chrono>
#include <future>
#include <thread>

#include "lanewise/ufunc_methods.h"
#include "lazy.h"

namespace lanewise::testing {
namespace {

std::shared_ptr<Stream> free_stream() {
    return device().create_stream(/*blocking=*/false);
}

/// Makes a stream current while it lives.
class Current {
public:
    explicit Current(const std::shared_ptr<Stream>& stream) : before_(current_stream(device())) {
        set_current_stream(stream);
    }
    ~Current() { set_current_stream(before_); }

private:
    std::shared_ptr<Stream> before_;
};

/// Holds a stream's later work back until it is opened.
class Gate {
public:
    explicit Gate(Stream& stream) {
        stream.host_call([opened = opened_.get_future().share()] { opened.wait(); });
    }
    ~Gate() { open(); }
    void open() {
        if (!std::exchange(is_open_, true)) opened_.set_value();
    }

private:
    std::promise<void> opened_;
    bool is_open_ = false;
};

std::vector<float> counting(int count) {
    std::vector<float> values;
    for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
    return values;
}

/// The first element, read on a stream of its own behind nothing.
float peek(const Array& x) {
    float value = 0;
    const std::shared_ptr<Stream> aside = free_stream();
    aside->copy_to_host(&value, x.data(), sizeof value);
    return value;
}

using Operation = std::function<Array(const Array&)>;
const std::pair<const char*, Operation> operations[] = {
    {"add", [](const Array& x) { return add(x, 1.0); }},
    {"sum", [](const Array& x) { return sum(x); }},
    {"argmax", [](const Array& x) { return argmax(x); }},
    {"cumsum", [](const Array& x) { return cumsum(x, 0); }},
    {"take", [](const Array& x) { return take(x, arange(0, 8, 1, std::nullopt, current_stream(device())), 0); }},
    {"another dtype", [](const Array& x) { return add(x.view_as(DType::Int32), 1); }},
    {"matmul", [](const Array& x) { return matmul(x.reshape({8, 8}), x.reshape({8, 8})); }},
    {"concatenate", [](const Array& x) { return concatenate(std::vector{x, x}, 0); }},
    {"repeat", [](const Array& x) { return repeat(x, 2, 0); }},
    {"where", [](const Array& x) { return where(greater(x, 3.0), x, 0.0); }},
    {"copy", [](const Array& x) { return x.copy(Order::C, current_stream(x.device())); }},
    {"copy of a view", [](const Array& x) { return reshape(x.reshape({8, 8}).transpose(), {-1}); }},
};

using Change = std::function<void(const Array& target, const Array& value)>;
const std::pair<const char*, Change> changes[] = {
    {"assign", [](const Array& x, const Array& y) { assign(x, y); }},
    {"out",
     [](const Array& x, const Array& y) {
         UfuncOptions options;
         options.out = x;
         add(y, 0.0, options);
     }},
    {"put",
     [](const Array& x, const Array& y) {
         put(x, arange(0, 64, 1, std::nullopt, current_stream(device())), y, IndexMode::Clip);
     }},
    {"copy_from", [](const Array& x, const Array& y) { x.copy_from(y, current_stream(x.device())); }},
};

class Operations : public ::testing::TestWithParam<std::pair<const char*, Operation>> {};
class Changes : public ::testing::TestWithParam<std::pair<const char*, Change>> {};
auto name_of = [](const auto& info) {
    std::string name = info.param.first;
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
};

TEST_P(Operations, RunOnTheCurrentStream) {
    const auto& [name, operation] = GetParam();
    const Array x = array(counting(64));
    stream()->synchronize();
    const std::vector<std::uint8_t> expected = bytes(operation(x));
    const std::shared_ptr<Stream> other = free_stream();
    Gate gate(*other);
    const Current current(other);
    const Array y = operation(x);
    EXPECT_EQ(y.stream(), other);
    evaluate();
    EXPECT_TRUE(stream()->query());
    EXPECT_FALSE(other->query());
    gate.open();
    EXPECT_EQ(bytes(y), expected);
}

TEST_P(Operations, FollowAValueThatIsStillPendingOnAnotherStream) {
    const auto& [name, operation] = GetParam();
    const Array x = array(counting(64));
    const std::vector<std::uint8_t> expected = bytes(operation(multiply(x, 2.0)));
    stream()->synchronize();
    const std::shared_ptr<Stream> first = free_stream(), second = free_stream();
    Gate gate(*first);
    std::optional<Array> y;
    {
        const Current current(first);
        y = multiply(x, 2.0);
    }
    const Current current(second);
    const Array z = operation(*y);
    evaluate();
    EXPECT_FALSE(second->query());
    gate.open();
    EXPECT_EQ(bytes(z), expected);
}

TEST_P(Operations, FollowALateValue) {
    // The host has waited for the stream after `y` was asked for, so the program may use it on any stream.
    const auto& [name, operation] = GetParam();
    const Array x = array(counting(64));
    const std::vector<std::uint8_t> expected = bytes(operation(multiply(x, 2.0)));
    stream()->synchronize();
    const std::shared_ptr<Stream> first = free_stream(), second = free_stream();
    std::optional<Array> y;
    {
        const Current current(first);
        y = multiply(x, 2.0);
        std::vector<float> read(2);
        full({2}, 1, DType::Float32, first).copy_to_host({read.data(), DType::Float32, {2}, {4}}, first);
    }
    EXPECT_TRUE(y->is_pending());
    Gate gate(*first);
    evaluate(*y);
    const Current current(second);
    const Array z = operation(*y);
    evaluate();
    EXPECT_FALSE(second->query());
    gate.open();
    EXPECT_EQ(bytes(z), expected);
}

INSTANTIATE_TEST_SUITE_P(Streams, Operations, ::testing::ValuesIn(operations), name_of);

TEST_P(Changes, RunOnTheCurrentStream) {
    const auto& [name, change] = GetParam();
    const Array x = array(std::vector<float>(64, -1)), y = array(counting(64));
    stream()->synchronize();
    const std::shared_ptr<Stream> other = free_stream();
    Gate gate(*other);
    {
        const Current current(other);
        change(x, y);
        evaluate();
    }
    EXPECT_TRUE(stream()->query());
    EXPECT_EQ(peek(x), -1);
    gate.open();
    EXPECT_EQ(values<float>(x), counting(64));
}

TEST_P(Changes, FollowPendingReadersOnAnotherStream) {
    const auto& [name, change] = GetParam();
    const Array x = array(std::vector<float>(64, -1)), value = array(counting(64));
    stream()->synchronize();
    const std::shared_ptr<Stream> first = free_stream(), second = free_stream();
    Gate gate(*first);
    std::optional<Array> y;
    {
        const Current current(first);
        y = multiply(x, 2.0);
    }
    {
        const Current current(second);
        change(x, value);
        evaluate();
    }
    EXPECT_FALSE(second->query());
    EXPECT_EQ(peek(x), -1);
    gate.open();
    EXPECT_EQ(values<float>(*y), std::vector<float>(64, -2));
    EXPECT_EQ(values<float>(x), counting(64));
}

TEST_P(Changes, OfAPendingValueOfAnotherStream) {
    const auto& [name, change] = GetParam();
    const Array value = array(counting(64)), ones = array(std::vector<float>(64, 1));
    stream()->synchronize();
    const std::shared_ptr<Stream> first = free_stream(), second = free_stream();
    Gate gate(*first);
    std::optional<Array> x;
    {
        const Current current(first);
        x = multiply(ones, 2.0);
    }
    {
        const Current current(second);
        change(x->index({}), value);
    }
    gate.open();
    EXPECT_EQ(values<float>(*x), counting(64));
}

INSTANTIATE_TEST_SUITE_P(Streams, Changes, ::testing::ValuesIn(changes), name_of);

TEST(Streams, ReadsByTheHostFollowAllUses) {
    const Array x = array(counting(64));
    stream()->synchronize();
    const std::shared_ptr<Stream> other = free_stream();
    Gate gate(*other);
    {
        const Current current(other);
        assign(x, 7.0);
    }
    evaluate();
    std::thread opener([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        gate.open();
    });
    EXPECT_EQ(values<float>(x), std::vector<float>(64, 7));
    opener.join();
}

TEST(Streams, CopiesFromTheHostFollowAllUses) {
    const Array x = array(counting(64));
    stream()->synchronize();
    const std::shared_ptr<Stream> other = free_stream();
    Gate gate(*other);
    std::optional<Array> y;
    {
        const Current current(other);
        y = add(x, 1.0);
    }
    evaluate();
    std::thread opener([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        gate.open();
    });
    const std::vector<float> zeros(64);
    x.copy_from_host({const_cast<float*>(zeros.data()), DType::Float32, {64}, {4}}, stream());
    EXPECT_EQ(values<float>(*y)[63], 64.f);
    EXPECT_EQ(values<float>(x), zeros);
    opener.join();
}

TEST(Streams, WorkOnMemoryFollowsWhatIsPendingOnIt) {
    const Array x = array(counting(64));
    stream()->synchronize();
    const std::shared_ptr<Stream> first = free_stream(), second = free_stream();
    Gate gate(*first);
    std::optional<Array> y;
    {
        const Current current(first);
        y = add(x, 1.0);
    }
    const std::uint64_t pattern = 0;
    second->fill(x.use_on(second)->data(), pattern, 4, 64);
    EXPECT_FALSE(second->query());
    EXPECT_EQ(peek(x), 0);
    gate.open();
    EXPECT_EQ(values<float>(*y)[63], 64.f);
    EXPECT_EQ(values<float>(x), std::vector<float>(64));
}

TEST(Streams, FreedMemoryIsNotReusedWhileAnotherStreamReadsIt) {
    const std::size_t count = 1 << 16;
    const std::shared_ptr<Stream> first = free_stream(), second = free_stream();
    const Current current(first);
    std::optional<Array> x = add(array(counting(count)), 1.0);
    evaluate();
    first->synchronize();
    Gate gate(*second);
    std::optional<Array> y;
    {
        const Current inner(second);
        y = multiply(*x, 2.0);
        evaluate();
    }
    x.reset();
    for (int i = 0; i < 8; ++i) {
        const Array scratch = full({static_cast<std::int64_t>(count)}, -1, DType::Float32, first);
        evaluate(scratch);
    }
    first->synchronize();
    gate.open();
    std::vector<float> expected = counting(count);
    for (float& value : expected) value = 2 * (value + 1);
    EXPECT_EQ(values<float>(*y), expected);
}

TEST(Streams, WhatAStreamsWorkIncludesIsEvaluated) {
    const std::shared_ptr<Stream> blocking = device().create_stream(), free = free_stream();
    const Array x = array(counting(8));
    auto pending_on = [&](const std::shared_ptr<Stream>& stream) {
        const Current current(stream);
        return add(x, 1.0);
    };
    for (const auto& [asked, with] : {std::pair{stream(), blocking}, {blocking, stream()}}) {
        const Array own = pending_on(asked), ordered = pending_on(with), other = pending_on(free);
        evaluate(*asked);
        EXPECT_FALSE(own.is_pending());
        EXPECT_FALSE(ordered.is_pending());
        EXPECT_TRUE(other.is_pending());
    }
    const Array own = pending_on(free), other = pending_on(blocking);
    synchronize(*free);
    EXPECT_FALSE(own.is_pending());
    EXPECT_TRUE(other.is_pending());
}

TEST(Streams, ThreadsHaveTheirOwnCurrentStream) {
    const Array x = array(counting(64));
    stream()->synchronize();
    const Current current(free_stream());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            EXPECT_EQ(current_stream(device()), stream());
            const std::shared_ptr<Stream> own = t % 2 ? free_stream() : device().per_thread_stream();
            const Current inner(own);
            Array y = x;
            for (int i = 0; i < 50; ++i) y = add(y, 1.0);
            EXPECT_EQ(y.stream(), own);
            EXPECT_EQ(values<float>(y)[1], 51.f);
        });
    for (std::thread& thread : threads) thread.join();
}

TEST(Streams, AValueOfAThreadsOwnStreamIsComputedByAnotherThread) {
    const Array x = array(counting(64));
    stream()->synchronize();
    for (int round = 0; round < 20; ++round) {
        std::optional<Array> y;
        std::thread([&] {
            const Current current(device().per_thread_stream());
            y = add(x, 1.0);
        }).join();
        EXPECT_EQ(values<float>(*y)[1], 2.f);
    }
}

TEST(Streams, AnOperationOnAStreamOfAnotherDeviceIsRefused) {
    if (device().kind() == DeviceKind::Cpu) GTEST_SKIP() << "there is one device";
    UfuncOptions options;
    options.stream = cpu_device().default_stream();
    EXPECT_EQ(kind_of([&] { add(array(counting(3)), 1.0, options); }), ErrorKind::Value);
}

TEST(Streams, TheRuleForTheLegacyDefaultStream) {
    const auto null = stream(), blocking = device().create_stream(), free = free_stream();
    EXPECT_TRUE(are_ordered(*null, *blocking) && are_ordered(*blocking, *null) && are_ordered(*null, *null));
    EXPECT_TRUE(are_ordered(*free, *free));
    EXPECT_FALSE(are_ordered(*null, *free) || are_ordered(*blocking, *device().create_stream()));
    EXPECT_TRUE(are_ordered(*null, *device().per_thread_stream()));
    EXPECT_TRUE(are_ordered(*blocking, *device().external_stream(blocking->handle())));
}

}  // namespace
}  // namespace lanewise::testing
