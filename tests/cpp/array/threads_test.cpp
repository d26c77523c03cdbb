// Several threads on the same pending arrays.
#include <numeric>
#include <thread>

#include "lazy.h"

namespace lanewise::testing {
namespace {

TEST(Threads, EvaluateTheSameValue) {
    std::vector<float> elements(1000);
    std::iota(elements.begin(), elements.end(), 0.f);
    for (int round = 0; round < 20; ++round) {
        const Array x = array(elements);
        const Array shared = multiply(add(x, 1.0), 2.0);
        std::vector<std::thread> threads;
        std::vector<std::vector<float>> results(8);
        for (std::size_t i = 0; i < results.size(); ++i)
            threads.emplace_back([&, i] {
                const Array mine = add(shared, static_cast<double>(i));
                results[i] = i % 2 ? values<float>(mine) : values<float>(shared);
            });
        for (std::thread& thread : threads) thread.join();
        for (std::size_t i = 0; i < results.size(); ++i)
            EXPECT_EQ(results[i][10], i % 2 ? 22.f + static_cast<float>(i) : 22.f);
    }
}

TEST(Threads, RecordDropAndEvaluateSideBySide) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
        threads.emplace_back([t] {
            Array x = array(std::vector<std::int64_t>(100, t));
            std::int64_t wanted = t;
            for (int i = 0; i < 300; ++i) {
                const Array dropped = multiply(x, 3);
                x = add(x, i);
                wanted += i;
                if (i % 37 == 0) evaluate();
                if (i % 50 == 0) {
                    assign(x, add(x, 1));
                    ++wanted;
                }
            }
            EXPECT_EQ(values<std::int64_t>(x)[99], wanted);
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(engine_statistics().pending, 0u);
}

TEST(Threads, EagerIsAThreadsOwn) {
    const Eager eager;
    std::thread([] { EXPECT_TRUE(add(array(std::vector<float>{1}), 1.0).is_pending()); }).join();
}

}  // namespace
}  // namespace lanewise::testing
