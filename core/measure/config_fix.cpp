// SPDX-License-Identifier: Apache-2.0
#include "core/measure/config_fix.h"

#include "core/measure/fit_proof.h"
#include "core/measure/reading.h"
#include "core/plan/fit_schedule.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace plumb {

namespace {

constexpr int kMostRounds = 12;  ///< so many things can be wrong at once

/// Changed copies of a configuration, the nearest first.
class Candidates {
public:
    Candidates(const RunConfig& config, const BackendTraits& traits, std::optional<Bytes> memory)
        : m_config(config), m_traits(traits), m_memory(memory) {}

    /// Of one that validate() refuses those with another value of what may be
    /// wrong; of any other those that ask less of the device.
    std::vector<RunConfig> nearest() {
        if (validate(m_config).has_value()) {
            addFp8();
            addMemory();
            return std::move(m_all);
        }
        addSizes();
        addRates();
        addSettings();
        addSchedule();
        addLossScaling();
        addData();
        addRanks();
        addBatches();
        return std::move(m_all);
    }

    /// Of what has more bytes or FLOPs than can be counted: half as much, and so
    /// on.
    std::vector<RunConfig> smaller() {
        for (std::int64_t RunConfig::*size : {&RunConfig::batch, &RunConfig::dim, &RunConfig::layers})
            for (std::int64_t value = m_config.*size / 2; value >= 1; value /= 2)
                add([&](RunConfig& config) {
                    config.*size = value;
                    if (size == &RunConfig::batch) shareAgain(config);
                });
        for (std::int64_t batch = m_config.batch, dim = m_config.dim; batch > 1 || dim > 1;) {
            batch = std::max<std::int64_t>(batch / 2, 1);
            dim = std::max<std::int64_t>(dim / 2, 1);
            add([&](RunConfig& config) {
                config.batch = batch;
                shareAgain(config);
                config.dim = dim;
            });
        }
        return std::move(m_all);
    }

private:
    template <class Change>
    void add(const Change& change) {
        RunConfig changed = m_config;
        change(changed);
        m_all.push_back(std::move(changed));
    }

    void addClamped(std::int64_t RunConfig::*size, std::int64_t least, std::int64_t most) {
        const std::int64_t value = m_config.*size;
        if (value < least || value > most)
            add([&](RunConfig& config) { config.*size = std::clamp(value, least, most); });
    }

    template <class Number>
    void addReset(Number RunConfig::*value, const Number& otherwise) {
        if (!(m_config.*value == otherwise)) add([&](RunConfig& config) { config.*value = otherwise; });
    }

    void addSizes() {
        addClamped(&RunConfig::dim, 1, kMaxDimension);
        addClamped(&RunConfig::layers, 0, kMaxLayers);
        addClamped(&RunConfig::outputs, 1, kMaxDimension);
        addClamped(&RunConfig::batch, 1, kMaxDimension);
        addClamped(&RunConfig::microBatch, 0, kMaxDimension);
        addClamped(&RunConfig::warmUpSteps, 0, kMaxDimension);
        addClamped(&RunConfig::scheduleSteps, 1, kMaxDimension);
        const std::int64_t interval = m_config.recompute.interval;
        if (interval < 1 || interval > kMaxDimension)
            add([&](RunConfig& config) {
                config.recompute.interval = std::clamp<std::int64_t>(interval, 1, kMaxDimension);
            });
        if (m_config.recompute.kind == RecomputePolicy::Kind::Fit && m_config.recompute.budgetBytes < 1)
            addFitBudget();
        if (m_config.matrices() <= 0) add([](RunConfig& config) { config.layers = 1; });
    }

    void addRates() {
        const RunConfig standard;
        const auto isBad = [](const std::optional<double>& value) {
            return value && !(std::isfinite(*value) && *value >= 0);
        };
        if (isBad(m_config.learningRate) || m_config.effectiveLearningRate() <= 0)
            add([](RunConfig& config) { config.learningRate.reset(); });
        if (isBad(m_config.weightDecay)) add([](RunConfig& config) { config.weightDecay.reset(); });
        for (double RunConfig::*value :
             {&RunConfig::noise, &RunConfig::initialDeviation, &RunConfig::clipNorm,
              &RunConfig::minimumLearningRate, &RunConfig::gamma, &RunConfig::holdOut})
            addReset(value, standard.*value);
    }

    void addSettings() {
        for (const Setting setting : kEnumerators<Setting>)
            if (m_config.settings[setting]) add([&](RunConfig& config) { config.settings[setting].reset(); });
    }

    void addSchedule() {
        if (m_config.scheduleSteps <= m_config.warmUpSteps && m_config.warmUpSteps < kMaxDimension)
            add([](RunConfig& config) { config.scheduleSteps = config.warmUpSteps + 1; });
    }

    void addLossScaling() {
        const LossScaling standard;
        add([&](RunConfig& config) { config.lossScaling.initial = standard.initial; });
        add([&](RunConfig& config) { config.lossScaling.growth = standard.growth; });
        add([&](RunConfig& config) { config.lossScaling.backoff = standard.backoff; });
        add([&](RunConfig& config) { config.lossScaling.interval = standard.interval; });
    }

    void addData() {
        if (m_config.data.empty()) add([](RunConfig& config) { config.data = "synthetic"; });
        if (!m_config.targets.empty()) add([](RunConfig& config) { config.targets.clear(); });
        addClamped(&RunConfig::vocabulary, 1, std::int64_t{1} << 31);
    }

    /// The largest divisor of `whole` up to `most`, where one is found in time.
    static std::optional<std::int64_t> divisorOf(std::int64_t whole, std::int64_t most) {
        std::int64_t divisor = std::min(most, whole);
        while (whole % divisor != 0 && divisor > 1 && most - divisor < kMostTrials) --divisor;
        return whole % divisor == 0 ? std::optional(divisor) : std::nullopt;
    }

    /// As many ranks of those that there are as the batch can be shared by, with one micro-batch each.
    static void shareAgain(RunConfig& config) {
        config.microBatch = 0;
        if (config.batch >= 1 && config.parallel.data >= 1)
            config.parallel.data = divisorOf(config.batch, config.parallel.data).value_or(1);
    }

    /// As many ranks as can divide matrices, or none that do.
    void addTensor() {
        const std::int64_t dim = m_config.dim, tensor = m_config.parallel.tensor;
        if (dim >= 1 && tensor > 1)
            add([&](RunConfig& config) {
                config.parallel.tensor = divisorOf(dim, std::min(tensor, kMostRanks)).value_or(1);
            });
        if (m_config.parallel.zero != Zero::Off)
            add([](RunConfig& config) { config.parallel.zero = Zero::Off; });
        add([](RunConfig& config) { config.parallel.tensor = 1; });
    }

    void addRanks() {
        const std::int64_t batch = m_config.batch, data = m_config.parallel.data;
        if (data < 1) add([](RunConfig& config) { config.parallel.data = 1; });
        if (m_config.parallel.tensor != 1) addTensor();
        // The next stage down may divide what this one cannot.
        for (const Zero fewer : {Zero::Gradients, Zero::Off})
            if (m_config.parallel.zero > fewer)
                add([fewer](RunConfig& config) { config.parallel.zero = fewer; });
        if (batch < 1 || data < 1 || (data <= kMostRanks && batch % data == 0)) return;
        add([&](RunConfig& config) {
            config.parallel.data = divisorOf(batch, std::min(data, kMostRanks)).value_or(1);
        });
        add([](RunConfig& config) { shareAgain(config); });
    }

    void addBatches() {
        const std::int64_t batch = m_config.batch, micro = m_config.microBatch;
        if (batch < 1 || micro < 1 || m_config.parallel.data < 1) return;
        const std::int64_t rows = m_config.rankBatch();
        if (m_config.residentBatch) add([](RunConfig& config) { config.microBatch = 0; });
        if (rows < 1 || rows % micro == 0) return;
        if (const auto divisor = divisorOf(rows, micro))
            add([&](RunConfig& config) { config.microBatch = *divisor; });
        add([](RunConfig& config) { config.microBatch = 0; });
    }

    void addFp8() {
        if (m_config.precision != Precision::Fp8) return;
        const std::int64_t multiple = std::max<std::int64_t>(m_traits.fp8Multiple, 1);
        const auto up = [](std::int64_t value, std::int64_t unit) {
            return (value + unit - 1) / unit * unit;
        };
        add([&](RunConfig& config) {
            config.dim = up(config.dim, multiple);
            if (config.microBatch > 0) config.microBatch = up(config.microBatch, multiple);
            config.batch = up(config.batch,
                              (config.microBatch > 0 ? config.microBatch : multiple) * config.parallel.data);
        });
        if (m_config.parallel.data > 1 && m_config.residentBatch)
            add([](RunConfig& config) { config.residentBatch = false; });
        if (m_traits.lacksFp8) add([](RunConfig& config) { config.precision = Precision::Bf16; });
    }

    /// The least that any schedule takes, whatever the budget is now.
    void addFitBudget() {
        RunConfig plain = m_config;
        plain.recompute = {};
        if (const Result<Bytes> least = leastPeak(plain, m_traits); least.has_value())
            add([&](RunConfig& config) { config.recompute.budgetBytes = *least; });
        add([](RunConfig& config) { config.recompute = {}; });
    }

    void addMemory() {
        if (m_config.recompute.kind == RecomputePolicy::Kind::Fit) addFitBudget();
        if (!m_memory) return;
        const std::int64_t most = largestBatchThatFits(m_config, m_traits, *m_memory);
        if (most > 0 && most < m_config.batch)
            add([&](RunConfig& config) { config = withBatch(config, most); });
        RunConfig lean = m_config;
        lean.recompute = {};
        lean.recompute.kind = RecomputePolicy::Kind::None;
        if (const std::int64_t batch = largestBatchThatFits(lean, m_traits, *m_memory); batch > 0)
            add([&](RunConfig& config) { config = withBatch(lean, std::min(batch, lean.batch)); });
    }

    /// As withFitBatch(), but a micro-batch that follows the batch goes on to.
    static RunConfig withBatch(const RunConfig& config, std::int64_t batch) {
        RunConfig changed = withFitBatch(config, batch);
        if (config.microBatch == 0) changed.microBatch = 0;
        return changed;
    }

    static constexpr std::int64_t kMostTrials = 100'000;
    const RunConfig& m_config;
    const BackendTraits& m_traits;
    std::optional<Bytes> m_memory;
    std::vector<RunConfig> m_all;
};

/// What is wrong without the values, which stand in brackets behind it.
std::string_view reasonOf(const Error& error) {
    return std::string_view(error.message).substr(0, error.message.find(" ("));
}

/// The first that can be run, else the first that is refused for something
/// else, which is then the next thing to mend. Empty: there is none.
std::optional<RunConfig> better(const std::vector<RunConfig>& candidates, const Error& refused,
                                const BackendTraits& traits, std::optional<Bytes> memory) {
    std::optional<RunConfig> next;
    for (const RunConfig& candidate : candidates) {
        const Result<void> tried = checkRunnable(candidate, traits, memory);
        if (tried.has_value()) return candidate;
        if (!next && reasonOf(tried.error()) != reasonOf(refused)) next = candidate;
    }
    return next;
}

std::vector<std::pair<std::string, std::string>> changesBetween(const RunConfig& before,
                                                                const RunConfig& after) {
    std::vector<std::pair<std::string, std::string>> changes;
    for (const OptionInfo& option : runOptions()) {
        if (option.name == "micro-batch" && before.microBatch == after.microBatch) continue;
        std::string value = optionValue(after, option.name);
        if (value != optionValue(before, option.name)) changes.emplace_back(option.name, std::move(value));
    }
    // A setting that another optimizer has shows no value: it is left out.
    for (const OptionInfo& option : runOptions()) {
        RunConfig without = before;
        if (optionApplies(before, option.name) || !setOption(without, option.name, "").has_value()) continue;
        for (const Setting setting : kEnumerators<Setting>)
            if (before.settings[setting] && !without.settings[setting] && !after.settings[setting])
                changes.emplace_back(option.name, std::string());
    }
    return changes;
}

}  // namespace

Result<void> checkRunnable(const RunConfig& config, const BackendTraits& traits,
                           std::optional<Bytes> memoryBytes) {
    PLUMB_CHECK(validate(config));
    PLUMB_TRY(const StepPlan plan, planStep(config, traits));
    return memoryBytes ? checkFits(plan, *memoryBytes) : Result<void>();
}

std::optional<ConfigFix> fixOf(const RunConfig& config, const BackendTraits& traits,
                               std::optional<Bytes> memoryBytes) {
    Result<void> refusal = checkRunnable(config, traits, memoryBytes);
    if (refusal.has_value()) return std::nullopt;
    ConfigFix fix{refusal.error(), config, {}};
    for (int round = 0; round < kMostRounds && !refusal.has_value(); ++round) {
        std::optional<RunConfig> next = better(Candidates(fix.config, traits, memoryBytes).nearest(),
                                               refusal.error(), traits, memoryBytes);
        if (!next)
            next = better(Candidates(fix.config, traits, memoryBytes).smaller(), refusal.error(), traits,
                          memoryBytes);
        if (!next) return std::nullopt;
        fix.config = *std::move(next);
        refusal = checkRunnable(fix.config, traits, memoryBytes);
    }
    if (!refusal.has_value()) return std::nullopt;
    fix.changes = changesBetween(config, fix.config);
    if (fix.changes.empty()) return std::nullopt;
    return fix;
}

}  // namespace plumb
