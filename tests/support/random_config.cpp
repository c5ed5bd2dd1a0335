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

CheckpointPolicy randomCheckpoint(Dice& dice, std::int64_t layers) {
    switch (dice.between(0, 3)) {
    case 0:
        return {CheckpointPolicy::Kind::All, 1};
    case 1:
        return {CheckpointPolicy::Kind::None, 1};
    default:
        return {CheckpointPolicy::Kind::Every, dice.between(1, layers + 2)};
    }
}

}  // namespace

RunConfig randomConfig(std::uint64_t seed) {
    Dice dice(seed);
    RunConfig config;
    config.dim = dice.between(1, 96);
    config.layers = dice.between(1, 12);
    config.outputs = dice.between(1, 5);
    config.activation = dice.coin() ? Activation::Relu : Activation::None;
    const std::int64_t microBatch = dice.between(1, 24);
    const std::int64_t microBatches = dice.coin() ? 1 : dice.between(2, 6);
    config.batch = microBatch * microBatches;
    config.microBatch = microBatches == 1 && dice.coin() ? 0 : microBatch;
    config.precision = dice.coin() ? Precision::Bf16 : Precision::Fp32;
    config.masterWeights = dice.coin();
    config.optimizer = static_cast<Optimizer>(dice.between(0, 2));
    if (dice.coin()) config.weightDecay = dice.coin() ? 0.01 : 0.0;
    config.checkpoint = randomCheckpoint(dice, config.layers);
    config.seed = seed;
    return config;
}

}  // namespace plumb::test
