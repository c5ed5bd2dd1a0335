// SPDX-License-Identifier: Apache-2.0
// Who gathers the rows of a step.
#include "core/train/executor.h"
#include "kernels/cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace plumb {
namespace {

/// Numbers that follow from the position; keeps who asked for which.
class WatchedSource final : public BatchSource {
public:
    explicit WatchedSource(bool isInMemory) : m_isInMemory(isInMemory) {}
    std::int64_t samples() const override { return 100; }
    bool isInMemory() const override { return m_isInMemory; }
    Result<void> copySamples(std::int64_t first, std::span<float> x, std::span<float> t) const override {
        const auto rows = static_cast<std::int64_t>(t.size());
        const std::lock_guard lock(m_mutex);
        threads.insert(std::this_thread::get_id());
        for (std::int64_t row = 0; row < rows; ++row) positions.insert(first + row);
        if (failsAt >= 0 && first + rows > failsAt)
            return Error{ErrorCode::BadInput, "row " + std::to_string(std::max(first, failsAt)) + " is bad",
                         "mend it"};
        const std::size_t width = x.size() / t.size();
        for (std::size_t row = 0; row < t.size(); ++row) {
            for (std::size_t i = 0; i < width; ++i)
                x[row * width + i] =
                    std::sin(static_cast<float>(first) + static_cast<float>(row) + static_cast<float>(i) / 7);
            t[row] = x[row * width];
        }
        return {};
    }
    std::string describe(std::int64_t position) const override { return std::to_string(position); }
    std::string summary() const override { return "numbers"; }

    std::int64_t failsAt = -1;
    mutable std::set<std::thread::id> threads;
    mutable std::set<std::int64_t> positions;

private:
    bool m_isInMemory;
    mutable std::mutex m_mutex;
};

RunConfig fileSteps(std::int64_t rows) {
    return RunConfig{
        .dim = 16, .layers = 1, .batch = 2 * rows, .microBatch = rows, .data = "x.npy", .targets = "t.npy"};
}

std::unique_ptr<Executor> executorOf(const RunConfig& config, Backend& backend, const BatchSource& source) {
    auto plan = planStep(config, backend.traits());
    EXPECT_TRUE(plan.has_value());
    auto executor = Executor::create(std::make_shared<const StepPlan>(std::move(*plan)), backend, &source);
    EXPECT_TRUE(executor.has_value());
    return std::move(*executor);
}

// Threads that share the rows of a micro-batch. Alone under the thread sanitizer, which does not see how
// libgomp synchronises and takes each of its loops for a race.
#ifdef __SANITIZE_THREAD__
constexpr int kThreads = 1;
#else
constexpr int kThreads = 3;
#endif

TEST(Gathering, IsPartOfTheStepWhereThatRunsOnTheHostsCores) {
    const auto backend = makeCpuBackend(1).value();
    const WatchedSource source(true);
    const auto executor = executorOf(fileSteps(8), *backend, source);
    for (int step = 0; step < 3; ++step) ASSERT_TRUE(executor->runStep().has_value());
    EXPECT_EQ(source.threads, std::set{std::this_thread::get_id()});
    EXPECT_EQ(source.positions.size(), 48U) << "what the steps use, and nothing ahead";
}

TEST(Gathering, OfASourceThatMayWaitForADiskGoesOnBesideTheStep) {
    const auto backend = makeCpuBackend(1).value();
    const WatchedSource source(false);
    {
        const auto executor = executorOf(fileSteps(8), *backend, source);
        ASSERT_TRUE(executor->runStep().has_value());
    }
    EXPECT_FALSE(source.threads.contains(std::this_thread::get_id()));
}

TEST(Gathering, GivesTheSameStepsHoweverItIsDone) {
    std::vector<double> losses;
    for (const bool isInMemory : {true, false})
        for (const int threads : {1, kThreads}) {
            const auto backend = makeCpuBackend(threads).value();
            const WatchedSource source(isInMemory);
            const auto executor = executorOf(fileSteps(4000), *backend, source);  // shared among the threads
            executor->resumeAt(7);
            for (int step = 0; step < 3; ++step) losses.push_back(executor->runStep().value().loss);
            if (isInMemory) {
                EXPECT_EQ(source.threads.size() > 1, threads > 1);
            }
        }
    ASSERT_EQ(losses.size(), 12U);
    for (std::size_t i = 3; i < losses.size(); ++i) EXPECT_EQ(losses[i], losses[i % 3]) << i;
}

TEST(Gathering, TellsOfTheFirstRowThatIsBad) {
    const auto backend = makeCpuBackend(kThreads).value();
    WatchedSource source(true);
    source.failsAt = 10;
    const auto executor = executorOf(fileSteps(4000), *backend, source);
    const auto step = executor->runStep();
    ASSERT_FALSE(step.has_value());
    EXPECT_EQ(step.error().message, "row 10 is bad");
}

}  // namespace
}  // namespace plumb
