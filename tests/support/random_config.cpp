// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_config.h"

#include "core/base/philox.h"

namespace plumb::test {
namespace {

/// Whole numbers from Philox rather than from <random>, whose distributions differ between libraries.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_seed(seed) {}

    std::int64_t between(std::int64_t low, std::int64_t high) {
        const PhiloxBlock block = philoxAt(m_seed, RandomStream::Noise, 0x7e57U, m_index++);
        return low + static_cast<std::int64_t>(block.word[0] % static_cast<std::uint64_t>(high - low + 1));
    }
    bool coin() { return between(0, 1) == 1; }

private:
    std::uint64_t m_seed;
    std::uint64_t m_index = 0;
};

RecomputePolicy randomCheckpoint(Dice& dice, std::int64_t layers) {
    switch (dice.between(0, 4)) {
    case 0:
        return {RecomputePolicy::Kind::All, 1};
    case 1:
        return {RecomputePolicy::Kind::None, 1};
    case 2:
        return {RecomputePolicy::Kind::Sqrt, 1};
    default:
        return {RecomputePolicy::Kind::Every, dice.between(1, layers + 2)};
    }
}

/// The switches that change which states an optimizer keeps.
void addSettings(Dice& dice, RunConfig& config) {
    const auto sometimes = [&](Setting setting, double value) {
        const bool on = dice.coin();
        if (on && settingDefault(config.optimizer, setting)) config.settings[setting] = value;
    };
    sometimes(Setting::Nesterov, 1);
    sometimes(Setting::Amsgrad, 1);
    sometimes(Setting::Centered, 1);
    if (config.optimizer == Optimizer::RmsProp) sometimes(Setting::Momentum, 0.5);
}

}  // namespace

RunConfig spelledOut(RunConfig config) {
    if (config.recompute.kind != RecomputePolicy::Kind::Sqrt) return config;
    std::int64_t interval = 1;
    while (interval * interval < config.layers) ++interval;
    config.recompute = {RecomputePolicy::Kind::Every, interval};
    return config;
}

RunConfig randomConfig(std::uint64_t seed) {
    Dice dice(seed);
    RunConfig config{.dim = dice.between(1, 96),
                     .layers = dice.between(1, 12),
                     .outputs = dice.between(1, 5),
                     .activation = dice.coin() ? Activation::Relu : Activation::None};
    const std::int64_t microBatch = dice.between(1, 24);
    const std::int64_t microBatches = dice.coin() ? 1 : dice.between(2, 6);
    config.batch = microBatch * microBatches;
    config.microBatch = microBatches == 1 && dice.coin() ? 0 : microBatch;
    config.precision = static_cast<Precision>(dice.between(0, 4));
    config.masterWeights = dice.coin();
    if (dice.coin()) config.gradientPrecision = GradientPrecision::Fp32;
    config.optimizer = static_cast<Optimizer>(dice.between(0, 7));
    addSettings(dice, config);
    if (dice.between(0, 3) == 0) config.clipNorm = 0.5;
    if (dice.coin()) config.weightDecay = dice.coin() ? 0.01 : 0.0;
    config.recompute = randomCheckpoint(dice, config.layers);
    config.seed = seed;
    // The head alone, and the chain alone.
    const std::int64_t shape = dice.between(0, 9);
    if (shape == 0) config.layers = 0;
    if (shape == 1 || shape == 2) config.head = false;
    if (dice.coin()) config.initialisation = static_cast<Initialisation>(dice.between(0, 7));
    if (config.microBatches() == 1 && dice.coin()) config.residentBatch = true;
    return config;
}

RunConfig randomGpuConfig(std::uint64_t seed) {
    RunConfig config = randomConfig(seed);
    if (config.precision != Precision::Fp8) return config;
    config.dim = (config.dim + 15) / 16 * 16;
    const std::int64_t microBatches = config.microBatches();
    config.microBatch = (config.microBatchSize() + 15) / 16 * 16;
    config.batch = config.microBatch * microBatches;
    return config;
}

}  // namespace plumb::test
