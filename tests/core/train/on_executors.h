// SPDX-License-Identifier: Apache-2.0
// Executors of ranks that are threads, and what they hold and send against their plans.
#pragma once

#include "core/measure/reading.h"
#include "core/train/executor.h"
#include "kernels/cpu/cpu_backend.h"
#include "tests/core/comm/on_ranks.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace plumb::test {

/// Numbers that follow from the position.
class Waves final : public BatchSource {
public:
    std::int64_t samples() const override { return 1000; }
    Result<void> copySamples(std::int64_t first, std::span<float> x, std::span<float> t) const override {
        fill(first, x, 31);
        fill(first, t, 7);
        return {};
    }
    std::string describe(std::int64_t position) const override { return std::to_string(position); }
    std::string summary() const override { return "waves"; }

    explicit Waves(const RunConfig& config) : m_dim(config.dim), m_outputs(config.outputWidth()) {}

private:
    void fill(std::int64_t first, std::span<float> numbers, float step) const {
        const auto width = static_cast<std::size_t>(step == 7 ? m_outputs : m_dim);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = std::sin(static_cast<float>(first + static_cast<std::int64_t>(i / width)) * step +
                                  static_cast<float>(i % width));
    }
    std::int64_t m_dim, m_outputs;
};

inline std::string optionsOf(const RunConfig& config) {
    std::string text;
    for (const OptionInfo& option : runOptions())
        text += "--" + std::string(option.name) + " " + optionValue(config, option.name) + " ";
    return text;
}

/// An executor for each rank, on a thread each, handed to `body` with its backend. Alone it has no link.
/// `change`: what becomes of each plan before.
inline void onExecutors(
    const RunConfig& config, const std::function<void(Executor&, Backend&)>& body,
    const std::function<void(StepPlan&)>& change = [](StepPlan&) {}) {
    onRanks(static_cast<int>(config.parallel.ranks()), [&](World& world) {
        const RankGroups groups = connectRanks(world, config.parallel).value();
        const RankLink& link = groups.link;
        const auto backend = makeCpuBackend(1).value();
        auto plan = planStep(config, backend->traits(), link.place);
        ASSERT_TRUE(plan.has_value()) << plan.error().text();
        change(*plan);
        const Waves source(config);
        const auto executor =
            Executor::create(std::make_shared<const StepPlan>(*std::move(plan)), *backend,
                             config.readsFiles() ? &source : nullptr, world.size() > 1 ? &link : nullptr);
        ASSERT_TRUE(executor.has_value()) << executor.error().text();
        body(**executor, *backend);
    });
}

/// A random configuration whose batch `ranks` share.
inline RunConfig sharedConfig(std::uint64_t seed, std::int64_t ranks) {
    RunConfig config = randomConfig(seed);
    const std::int64_t rows = config.microBatchSize(), count = config.microBatches();
    config.parallel.data = ranks;
    config.microBatch = rows;
    config.batch = rows * count * ranks;
    if (config.precision == Precision::Fp8) config.residentBatch = false;
    if (seed % 3 == 1 && !config.residentBatch) {
        config.data = "x.npy";
        config.targets = "t.npy";
    }
    return config;
}

/// The first difference of two steps to what the plan says of memory and traffic; empty where there is none.
inline std::string differenceToPlan(Executor& executor, Backend& backend) {
    for (int step = 0; step < 2; ++step) {
        executor.timing().setMeasuring(true);
        if (const auto done = executor.runStep(); !done.has_value()) return done.error().text();
    }
    const StepPlan& plan = executor.plan();
    const Reading measured = executor.timing().reading(backend.machine());
    const MemoryReading predicted = summariseCurve(memoryCurve(plan));
    for (std::size_t index = 0; index < plan.ops.size(); ++index)
        for (const Category category : kAllCategories)
            if (measured.memory->curve[index][category] != predicted.curve[index][category])
                return opId(plan.ops[index]) + ", " + std::string(categoryName(category)) + ": measured " +
                       std::to_string(measured.memory->curve[index][category]) + ", predicted " +
                       std::to_string(predicted.curve[index][category]);
    CommBytes counted;
    for (const TrafficCost& cost : executor.timing().traffic()) {
        counted += cost.bytes;
        const Op& op = plan.op(cost.op);
        if (cost.bytes.sent != op.wireBytes)
            return opId(op) + ": sent " + std::to_string(cost.bytes.sent) + " bytes, predicted " +
                   std::to_string(op.wireBytes);
    }
    return counted.sent == plan.wireBytes ? "" : "the sum of what was sent differs";
}

}  // namespace plumb::test
