// Kernels compiled per signature on the cpu device: one compile for many threads, caches, declared signatures, errors.
#include "jit/kernel_function.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "../frontend/tree.h"
#include "jit/arguments.h"
#include "jit/build.h"
#include "jit/disk_cache.h"
#include "jit/statistics.h"
#include "lanewise/array.h"

namespace lanewise::jit {
namespace {

using namespace lanewise::tree;

/// def NAME(a, x): x[cuda.grid(1)] = a * FACTOR
syntax::FunctionPtr scale(std::int64_t factor, const std::string& name = "scale") {
    return define(name, {"a", "x"}, body(assign(sub(var("x"), call("cuda.grid", num(1))), mul(var("a"), num(factor)))));
}

/// A kernel of its own source, which counts how often the source is asked for.
struct Subject {
    explicit Subject(std::int64_t factor,
                     KernelFunction::Settings settings = {.name = "scale", .lowering = {}, .compiling = {}})
        : function(scale(factor)), kernel(std::move(settings)) {}
    KernelFunction::Match match(std::span<const Code> codes) {
        return kernel.find_or_compile(cpu_device(), codes, [&] {
            ++sources;
            return KernelFunction::Source{function, holds_addresses};
        });
    }
    syntax::FunctionPtr function;
    bool holds_addresses = false;
    std::atomic<int> sources{0};
    KernelFunction kernel;
};

const std::vector<Code> float_and_array = {scalar_code(DType::Float64),
                                           array_code(DType::Float64, 1, python::Layout::C, false)};

double first_after_launch(Subject& subject, double a) {
    std::shared_ptr<Stream> stream = cpu_device().default_stream();
    Array x = Array::empty({1}, DType::Float64, stream);
    ArgumentWriter writer(&cpu_device());
    writer.scalar(DType::Float64, a);
    writer.array(DType::Float64, 1, python::Layout::C, false, x.data(), x.shape().data(), x.strides().data());
    KernelFunction::Match match = subject.kernel.find(&cpu_device(), writer.hash(), writer.codes());
    if (!match) match = subject.match(writer.codes());
    stream->launch(*match.specialization->kernel, {}, writer.parameters());
    double result = 0;
    x.copy_to_host({&result, DType::Float64, {1}, {8}}, stream);
    stream->synchronize();
    return result;
}

TEST(KernelFunction, CompilesOnceAndRuns) {
    Subject subject(3);
    EXPECT_FALSE(subject.kernel.find(&cpu_device(), hash_of(&cpu_device(), float_and_array), float_and_array));
    EXPECT_EQ(first_after_launch(subject, 2.0), 6.0);
    EXPECT_EQ(first_after_launch(subject, 5.0), 15.0);
    EXPECT_EQ(subject.sources, 1);
    ASSERT_EQ(subject.kernel.specializations().size(), 1u);
    EXPECT_EQ(describe(subject.kernel.specializations()[0]->arguments), "(float64, array(float64, 1d, C))");
}

TEST(KernelFunction, ManySignaturesStayFindable) {
    Subject subject(4);
    std::vector<const Specialization*> made;
    std::vector<std::vector<Code>> signatures;
    for (DType a : {DType::Int8, DType::Int32, DType::Float32, DType::Float64, DType::UInt8})
        for (DType x : {DType::Float32, DType::Float64})
            signatures.push_back({scalar_code(a), array_code(x, 1, python::Layout::C, false)});
    for (const std::vector<Code>& codes : signatures) made.push_back(subject.match(codes).specialization);
    for (std::size_t i = 0; i < signatures.size(); ++i) {
        KernelFunction::Match found =
            subject.kernel.find(&cpu_device(), hash_of(&cpu_device(), signatures[i]), signatures[i]);
        EXPECT_EQ(found.specialization, made[i]);
        EXPECT_EQ(found.specialization->codes, signatures[i]);
    }
}

TEST(KernelFunction, ManyThreadsShareOneCompile) {
    Subject subject(5);
    std::vector<const Specialization*> results(8);
    {
        std::vector<std::jthread> threads;
        for (const Specialization*& result : results)
            threads.emplace_back([&] { result = subject.match(float_and_array).specialization; });
    }
    EXPECT_EQ(subject.sources, 1);
    for (const Specialization* result : results) EXPECT_EQ(result, results[0]);
}

TEST(KernelFunction, EveryThreadLearnsOfAFailure) {
    KernelFunction kernel({.name = "broken", .lowering = {}, .compiling = {}});
    std::atomic<int> failures{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                try {
                    kernel.find_or_compile(cpu_device(), float_and_array, []() -> KernelFunction::Source {
                        throw Error(ErrorKind::Typing, "no such thing");
                    });
                } catch (const Error& error) {
                    failures += error.kind() == ErrorKind::Typing;
                }
            });
    }
    EXPECT_EQ(failures, 4);
    EXPECT_TRUE(kernel.specializations().empty());
}

TEST(KernelFunction, TheSameCodeIsLoadedOnce) {
    Subject first(6), second(6);
    std::uint64_t compiles = statistics().compiles + statistics().disk_hits;
    const Specialization* a = first.match(float_and_array).specialization;
    const Specialization* b = second.match(float_and_array).specialization;
    EXPECT_EQ(a->module, b->module);
    EXPECT_EQ(statistics().compiles + statistics().disk_hits, compiles + 1);
}

TEST(KernelFunction, ComesBackFromTheDisk) {
    {
        Subject subject(7);
        EXPECT_FALSE(subject.match(float_and_array).specialization->from_disk);
    }
    Subject again(7);
    EXPECT_EQ(first_after_launch(again, 2.0), 14.0);
    EXPECT_TRUE(again.kernel.specializations()[0]->from_disk);
}

TEST(KernelFunction, CodeWithAddressesStaysOffTheDisk) {
    std::uint64_t stores = statistics().disk_stores;
    {
        Subject subject(8);
        subject.holds_addresses = true;
        subject.match(float_and_array);
    }
    EXPECT_EQ(statistics().disk_stores, stores);
    Subject again(8);
    EXPECT_FALSE(again.match(float_and_array).specialization->from_disk);
}

TEST(KernelFunction, OptionsHaveEntriesOfTheirOwn) {
    Subject plain(9);
    KernelFunction::Settings settings{.name = "scale", .lowering = {}, .compiling = {}};
    settings.compiling.fastmath = true;
    Subject fast(9, settings);
    EXPECT_NE(plain.match(float_and_array).specialization->module, fast.match(float_and_array).specialization->module);
}

TEST(KernelFunction, FrozenTakesTheClosestDeclaration) {
    Subject subject(2);
    std::vector<Code> declared = {scalar_code(DType::Float32), array_code(DType::Float64, 1, python::Layout::A, false)};
    const Specialization* made = subject.match(declared).specialization;
    subject.kernel.freeze();
    KernelFunction::Match match = subject.match(float_and_array);
    EXPECT_EQ(match.specialization, made);
    ASSERT_NE(match.repacking, nullptr);
    // The next launch finds the conversion without a lock.
    EXPECT_EQ(subject.kernel.find(&cpu_device(), hash_of(&cpu_device(), float_and_array), float_and_array).repacking,
              match.repacking);
    EXPECT_EQ(subject.kernel.find(&cpu_device(), hash_of(&cpu_device(), declared), declared).repacking, nullptr);
}

TEST(KernelFunction, FrozenRefusesOtherTypesAndListsItsOwn) {
    Subject subject(2);
    subject.match(float_and_array);
    subject.kernel.freeze();
    std::vector<Code> other = {scalar_code(DType::Float64), array_code(DType::Float32, 1, python::Layout::C, false)};
    try {
        subject.match(other);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Type);
        std::string text = error.what();
        EXPECT_NE(text.find("(float64, array(float32, 1d, C))"), std::string::npos) << text;
        EXPECT_NE(text.find("(float64, array(float64, 1d, C))"), std::string::npos) << text;
    }
}

TEST(KernelFunction, ClearForgetsButKeepsWhatIsInUse) {
    Subject subject(10);
    const Specialization* before = subject.match(float_and_array).specialization;
    std::shared_ptr<const Specialization> held = subject.kernel.specializations()[0];
    subject.kernel.clear();
    EXPECT_TRUE(subject.kernel.specializations().empty());
    EXPECT_FALSE(subject.kernel.find(&cpu_device(), hash_of(&cpu_device(), float_and_array), float_and_array));
    EXPECT_EQ(held.get(), before);
    subject.match(float_and_array);
    EXPECT_EQ(subject.sources, 2);
}

}  // namespace
}  // namespace lanewise::jit
