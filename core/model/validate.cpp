// SPDX-License-Identifier: Apache-2.0
#include "core/model/data_path.h"
#include "core/model/names.h"
#include "core/model/run_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plumb {
namespace {

struct SettingRange {
    Setting setting;
    std::string_view name;
    double least;
    double most;
    bool openBelow;
    bool openAbove;
    std::string_view remedy;
};

constexpr double kMost = std::numeric_limits<double>::max();
/// As torch.optim accepts them.
constexpr std::array kSettingRanges{
    SettingRange{Setting::Momentum, "momentum", 0, kMost, false, false, "use a number from 0 on"},
    SettingRange{Setting::Dampening, "dampening", 0, 1, false, false, "use a number from 0 to 1"},
    SettingRange{Setting::Nesterov, "nesterov", 0, 1, false, false, "use on or off"},
    SettingRange{Setting::Beta1, "beta1", 0, 1, false, true, "use a number from 0 to below 1"},
    SettingRange{Setting::Beta2, "beta2", 0, 1, false, true, "use a number from 0 to below 1"},
    SettingRange{Setting::Epsilon, "epsilon", 0, kMost, false, false, "use a number from 0 on"},
    SettingRange{Setting::Alpha, "alpha", 0, 1, false, false, "use a number from 0 to 1"},
    SettingRange{Setting::Centered, "centered", 0, 1, false, false, "use on or off"},
    SettingRange{Setting::Amsgrad, "amsgrad", 0, 1, false, false, "use on or off"},
    SettingRange{Setting::LrDecay, "lr-decay", 0, kMost, false, false, "use a number from 0 on"},
    SettingRange{Setting::InitialAccumulator, "initial-accumulator", 0, kMost, false, false,
                 "use a number from 0 on"},
    SettingRange{Setting::Beta2Decay, "beta2-decay", -kMost, 0, false, false, "use a number up to 0"},
    SettingRange{Setting::Epsilon2, "epsilon2", 0, kMost, false, false, "use a number from 0 on"},
    SettingRange{Setting::ClipThreshold, "clip-threshold", 1, kMost, false, false, "use a number from 1 on"}};
static_assert(kSettingRanges.size() == kEnumCount<Setting>);

Result<void> checkSize(std::string_view field, std::int64_t value, std::int64_t most) {
    if (value < 1)
        return badInput(value < 0 ? fmt::format("{} has to be positive ({})", field, value)
                                  : fmt::format("{} is too small ({})", field, value),
                        "give a size of at least 1");
    if (value > most)
        return badInput(fmt::format("{} is too large ({})", field, value),
                        fmt::format("give a size of at most {}", most));
    return {};
}

/// The largest divisor of `number` that is at most `limit`; by trial up to the root, only on the way to an
/// error.
std::int64_t divisorBelow(std::int64_t number, std::int64_t limit) {
    std::int64_t best = 1;
    for (std::int64_t d = 1; d <= number / d; ++d) {
        if (number % d != 0) continue;
        for (const std::int64_t candidate : {d, number / d}) {
            if (candidate <= limit) best = std::max(best, candidate);
        }
    }
    return best;
}

/// A count that remembers that it left 63 bits.
struct Count {
    std::int64_t value = 0;
    Count(std::int64_t number)
        : value(number) {}  // NOLINT(google-explicit-constructor): arithmetic reads plainly
    friend Count operator*(Count a, Count b) { return mulOrOverflow(a.value, b.value); }
    friend Count operator+(Count a, Count b) { return addOrOverflow(a.value, b.value); }
    [[nodiscard]] bool overflowed() const { return value < 0; }
};

/// Layers that the recompute policy computes a second time, per micro-batch.
Count recomputedLayers(const RunConfig& config) {
    const std::int64_t depth = config.layers;
    const std::int64_t interval = config.recompute.interval;
    switch (config.recompute.kind) {
    case RecomputePolicy::Kind::All:
        return 0;
    case RecomputePolicy::Kind::None:
    case RecomputePolicy::Kind::Fit:  // never recomputes more than none does
        return depth * (depth - 1) / 2;
    case RecomputePolicy::Kind::Every:
        return interval >= depth ? 0 : (interval - 1) * ((depth + interval - 1) / interval - 1);
    case RecomputePolicy::Kind::Sqrt:  // every layer once at most
        return depth;
    }
    return 0;
}

// Bounds on what the plan of the step adds up. Both are from above and within a small factor, so nothing in a
// plan of an accepted configuration can overflow; tests/core/model/run_config_test.cpp holds them against
// real plans.

/// Matrix products exactly; 4 per activation element, 4 per output and 24 per parameter for the rest.
Count flopsBound(const RunConfig& config) {
    const Count batch = config.batch;
    const Count parameters =
        Count(config.layers) * config.dim * config.dim + Count(config.dim) * config.outputWidth();
    const Count layerProducts = Count(3 * config.layers) + recomputedLayers(config);
    const Count elementwise = batch * config.dim * (layerProducts + 1) +
                              Count(4) * batch * config.outputWidth() +
                              parameters * (Count(config.microBatches()) + 24);
    return Count(6) * batch * parameters +
           Count(2) * recomputedLayers(config) * batch * config.dim * config.dim + elementwise;
}

/// Bytes moved in a step: every product at 4 bytes an element with all operands read, the result read and
/// written; the optimizer at most 32 bytes per parameter. Every tensor of the plan, all scratch included, is
/// one of these operands at most three times, so the bound holds for memory as well.
Count bytesBound(const RunConfig& config) {
    const Count executions = config.microBatches();
    const Count parameters =
        Count(config.layers) * config.dim * config.dim + Count(config.dim) * config.outputWidth();
    const Count headOperands = Count(3) * config.batch * config.dim +
                               Count(3) * config.batch * config.outputWidth() +
                               Count(2) * executions * config.dim * config.outputWidth();
    const Count layerProducts = Count(3 * config.layers) + recomputedLayers(config);
    // A sum of products that overflows stays so, also times zero layers: those come first.
    const Count layerTraffic = Count(4) * layerProducts * config.batch * config.dim +
                               Count(2) * layerProducts * executions * config.dim * config.dim;
    const Count traffic = layerTraffic + Count(5) * headOperands +
                          Count(config.batch) * (Count(config.dim) + config.outputWidth()) + executions * 16;
    // Control tensors: at most 4 * 32 + 4 * 17 bytes per layer and matrix kind.
    const Count control = Count(1024) * (config.layers + 2);
    return Count(4) * (Count(4) * traffic + Count(12) * parameters) + control;
}

Result<void> checkSums(const RunConfig& config) {
    const auto refuse = [&config](std::string_view what) {
        return badInput(
            fmt::format("one step has more {} than 63 bits hold (dim {}, layers {}, outputs {}, batch {})",
                        what, config.dim, config.layers, config.outputWidth(), config.batch),
            "make dim, layers or batch smaller");
    };
    if (flopsBound(config).overflowed()) return refuse("FLOP");
    if (bytesBound(config).overflowed()) return refuse("bytes");
    return {};
}

/// The settings in force lie where the rule is defined; only those of the optimizer are set.
Result<void> checkSettings(const RunConfig& config) {
    for (const SettingRange& range : kSettingRanges) {
        const auto& given = config.settings[range.setting];
        if (!given) continue;
        if (!settingDefault(config.optimizer, range.setting))
            return badInput(
                fmt::format("{} is no setting of {} ({})", range.name, name(config.optimizer), *given),
                fmt::format("leave {} out or choose an optimizer that has it", range.name));
        if (!std::isfinite(*given) || *given < range.least || *given > range.most)
            return badInput(fmt::format("{} cannot be used ({})", range.name, *given),
                            std::string(range.remedy));
        if ((range.openBelow && *given == range.least) || (range.openAbove && *given == range.most))
            return badInput(fmt::format("{} cannot be used ({})", range.name, *given),
                            std::string(range.remedy));
    }
    if (config.isOn(Setting::Nesterov) &&
        (config.setting(Setting::Momentum) == 0 || config.setting(Setting::Dampening) != 0))
        return badInput(fmt::format("nesterov needs momentum without dampening (momentum {}, dampening {})",
                                    config.setting(Setting::Momentum), config.setting(Setting::Dampening)),
                        "use a momentum above 0 and dampening 0");
    return {};
}

Result<void> checkSchedule(const RunConfig& config) {
    if (!std::isfinite(config.clipNorm) || config.clipNorm < 0)
        return badInput(fmt::format("clip-norm cannot be used ({})", config.clipNorm),
                        "use 0 for no clipping, or a finite number above it");
    if (config.warmUpSteps < 0 || config.warmUpSteps > kMaxDimension)
        return badInput(fmt::format("warmup-steps cannot be used ({})", config.warmUpSteps),
                        fmt::format("use 0 to {:d}", kMaxDimension));
    if (config.schedule == Schedule::Constant) return {};
    PLUMB_CHECK(checkSize("schedule-steps", config.scheduleSteps, kMaxDimension));
    if (config.schedule == Schedule::Cosine && config.scheduleSteps <= config.warmUpSteps)
        return badInput(fmt::format("the cosine ends before the warm-up of {} steps (schedule-steps {})",
                                    config.warmUpSteps, config.scheduleSteps),
                        "make schedule-steps larger than warmup-steps");
    const double least = config.minimumLearningRate;
    if (config.schedule == Schedule::Cosine &&
        (!std::isfinite(least) || least < 0 || least > config.effectiveLearningRate()))
        return badInput(fmt::format("min-lr cannot be used ({})", least), "use 0 up to the learning rate");
    if (config.schedule == Schedule::Step && (!std::isfinite(config.gamma) || config.gamma <= 0))
        return badInput(fmt::format("gamma cannot be used ({})", config.gamma),
                        "use a finite number above 0");
    return {};
}

Result<void> checkLossScaling(const LossScaling& scaling) {
    const auto usable = [](double value) { return std::isfinite(value) && value > 0; };
    if (!usable(scaling.initial))
        return badInput(fmt::format("loss-scale cannot be used ({})", scaling.initial),
                        "use a finite number above 0 such as 65536");
    if (!usable(scaling.growth) || scaling.growth <= 1)
        return badInput(fmt::format("loss-scale-growth cannot be used ({})", scaling.growth),
                        "use a number above 1 such as 2");
    if (!usable(scaling.backoff) || scaling.backoff >= 1)
        return badInput(fmt::format("loss-scale-backoff cannot be used ({})", scaling.backoff),
                        "use a number between 0 and 1 such as 0.5");
    return checkSize("loss-scale-interval", scaling.interval, kMaxDimension);
}

Result<void> checkFormat(const RunConfig& config) {
    for (const std::string& path : {config.data, config.targets})
        if (looksLikeParquet(path))
            return badInput(
                fmt::format("Parquet is not read ({})", path),
                "convert it once, in Python: pandas.read_parquet(path).to_csv('data.csv', index=False)");
    if (config.effectiveDataFormat() == DataFormat::Auto)
        return badInput(fmt::format("the name does not say how the data are stored ({})", config.data),
                        "give --data-format npy, npz, csv, tokens-u16, tokens-i32 or tokens-npy");
    return {};
}

Result<void> checkData(const RunConfig& config) {
    constexpr std::int64_t kMostIds = std::int64_t{1} << 31;  // what a 32-bit id can name
    if (config.data.empty()) return badInput("data is empty", "use synthetic or the path of a file");
    if (!config.readsFiles()) {
        if (config.residentBatch && config.microBatches() > 1)
            return badInput(
                fmt::format("a batch that stays on the device is one micro-batch ({} of {} samples)",
                            config.microBatches(), config.microBatchSize()),
                "leave micro-batch out, or switch resident-batch off");
        if (config.targets.empty()) return {};
        return badInput(fmt::format("targets are given without data ({})", config.targets),
                        "give --data FILE as well, or leave the targets out");
    }
    PLUMB_CHECK(checkFormat(config));
    if (!(config.holdOut >= 0 && config.holdOut < 1))
        return badInput(fmt::format("holdout cannot be used ({})", config.holdOut),
                        "use a share from 0 up to below 1 such as 0.1");
    if (config.readsTokens()) {
        if (!config.targets.empty())
            return badInput(fmt::format("targets are given with a token file ({})", config.targets),
                            "leave them out: the tokens that follow each window are its targets");
        return checkSize("vocabulary", config.vocabulary, kMostIds);
    }
    // Archives and tables can hold the targets as well.
    if (config.targets.empty() && config.effectiveDataFormat() == DataFormat::Npy)
        return badInput(fmt::format("data is given without targets ({})", config.data),
                        "give --targets FILE.npy as well");
    return {};
}

Result<void> checkZero(const RunConfig& config) {
    if (config.parallel.zero == Zero::Off) return {};
    const std::string_view zero = kZeroNames.name(config.parallel.zero);
    if (config.parallel.data == 1)
        return badInput(fmt::format("there is one rank, with nobody to share anything (zero {:s})", zero),
                        "use zero 0, or data-parallel 2 or more");
    // Its sums over rows and columns are those of whole matrices.
    if (config.optimizer == Optimizer::Adafactor)
        return badInput(
            fmt::format("adafactor needs whole matrices, and not a slice of each (zero {:s})", zero),
            "use zero 0, or another optimizer");
    // How much is gathered at a time depends on the schedule that is to be found.
    if (config.parallel.shares(Zero::Weights) && config.recompute.kind == RecomputePolicy::Kind::Fit)
        return badInput(fmt::format("checkpoint fit needs weights that stay (zero {:s})", zero),
                        "use zero 2, or another checkpoint policy such as sqrt");
    return {};
}

/// Ranks that divide matrices: what they cannot do, or nobody has made.
Result<void> checkTensor(const RunConfig& config) {
    const std::int64_t tensor = config.parallel.tensor;
    PLUMB_CHECK(checkSize("tensor", tensor, kMostRanks));
    if (tensor == 1) return {};
    if (config.parallel.ranks() > kMostRanks)
        return badInput(fmt::format("there are too many ranks (data-parallel {}, tensor {})",
                                    config.parallel.data, tensor),
                        fmt::format("use {} of them at most", kMostRanks));
    if (config.layers == 0)
        return badInput(fmt::format("there are no layers that ranks could divide (tensor {})", tensor),
                        "use tensor 1, or at least one layer");
    if (config.dim % tensor != 0)
        return badInput(fmt::format("tensor does not divide dim {} ({})", config.dim, tensor),
                        fmt::format("use a divisor of dim such as {}", divisorBelow(config.dim, tensor)));
    if (!config.head && config.layers % 2 != 0)
        return badInput(fmt::format("without a head the last layer has no partner (layers {}, tensor {})",
                                    config.layers, tensor),
                        "use an even number of layers, or switch the head on");
    if (config.parallel.zero != Zero::Off)
        return badInput(
            fmt::format("ranks that divide matrices do not share states besides (zero {:s}, tensor {})",
                        kZeroNames.name(config.parallel.zero), tensor),
            "use zero 0, or tensor 1");
    // Its sums over rows and columns are those of whole matrices.
    if (config.optimizer == Optimizer::Adafactor)
        return badInput(
            fmt::format("adafactor needs whole matrices, and not a part of each (tensor {})", tensor),
            "use tensor 1, or another optimizer");
    // A scale, or whether a number fits, would have to be known of a sum before it is made.
    if (config.precision == Precision::Fp8 || config.precision == Precision::Fp16)
        return badInput(
            fmt::format("{:s} cannot be added up over ranks (tensor {})", name(config.precision), tensor),
            "use tensor 1, or --precision bf16");
    if (config.recompute.kind == RecomputePolicy::Kind::Fit)
        return badInput(fmt::format("checkpoint fit needs layers that are all alike (tensor {})", tensor),
                        "use tensor 1, or another checkpoint policy such as sqrt");
    return {};
}

Result<void> checkParallel(const RunConfig& config) {
    const std::int64_t data = config.parallel.data;
    PLUMB_CHECK(checkSize("data-parallel", data, kMostRanks));
    PLUMB_CHECK(checkTensor(config));
    if (config.batch % data != 0)
        return badInput(
            fmt::format("data-parallel does not divide batch {} ({})", config.batch, data),
            fmt::format("use a divisor of the batch such as {}", divisorBelow(config.batch, data)));
    PLUMB_CHECK(checkZero(config));
    // The scale of what stays for all steps was made of the samples of one rank, and becomes that of all.
    if (data > 1 && config.precision == Precision::Fp8 && config.keepsBatch())
        return badInput(fmt::format("fp8 cannot have a batch that stays on {} ranks (resident-batch)", data),
                        "switch resident-batch off, or use another precision");
    return {};
}

Result<void> checkTraining(const RunConfig& config) {
    const double rate = config.effectiveLearningRate();
    if (!std::isfinite(rate) || rate <= 0)
        return badInput(fmt::format("lr cannot be used ({})", rate),
                        "use a finite number above 0 such as 0.001");
    const double decay = config.effectiveWeightDecay();
    if (!std::isfinite(decay) || decay < 0)
        return badInput(fmt::format("weight-decay cannot be used ({})", decay),
                        "use 0 or a finite number above it");
    if (!std::isfinite(config.noise) || config.noise < 0)
        return badInput(fmt::format("noise cannot be used ({})", config.noise),
                        "use 0 or a finite number above it");
    if (config.initialisation == Initialisation::Fixed &&
        (!std::isfinite(config.initialDeviation) || config.initialDeviation <= 0))
        return badInput(fmt::format("init-std cannot be used ({})", config.initialDeviation),
                        "use a finite number above 0 such as 0.02");
    return checkData(config);
}

}  // namespace

Result<void> validate(const RunConfig& config) {
    PLUMB_CHECK(checkSize("dim", config.dim, kMaxDimension));
    if (config.layers != 0) PLUMB_CHECK(checkSize("layers", config.layers, kMaxLayers));
    if (config.matrices() == 0)
        return badInput("without layers and without a head there is nothing to train (layers 0)",
                        "use at least one layer, or leave the head on");
    if (config.head) PLUMB_CHECK(checkSize("outputs", config.outputs, kMaxDimension));
    PLUMB_CHECK(checkSize("batch", config.batch, kMaxDimension));
    PLUMB_CHECK(checkParallel(config));
    if (config.microBatch != 0) PLUMB_CHECK(checkSize("micro-batch", config.microBatch, kMaxDimension));
    if (config.rankBatch() % config.microBatchSize() != 0)
        return badInput(
            config.parallel.data > 1
                ? fmt::format("micro-batch does not divide the batch of a rank {} ({})", config.rankBatch(),
                              config.microBatch)
                : fmt::format("micro-batch does not divide batch {} ({})", config.batch, config.microBatch),
            fmt::format("use a divisor of the batch such as {}",
                        divisorBelow(config.rankBatch(), config.microBatch)));
    if (config.recompute.kind == RecomputePolicy::Kind::Every)
        PLUMB_CHECK(checkSize("checkpoint", config.recompute.interval, kMaxDimension));
    if (config.recompute.kind == RecomputePolicy::Kind::Fit && config.recompute.budgetBytes < 1)
        return badInput(fmt::format("checkpoint fit needs a budget ({})", config.recompute.budgetBytes),
                        "write it like fit:8GiB");
    PLUMB_CHECK(checkTraining(config));
    PLUMB_CHECK(checkSettings(config));
    PLUMB_CHECK(checkSchedule(config));
    if (config.scalesLoss()) PLUMB_CHECK(checkLossScaling(config.lossScaling));
    return checkSums(config);
}

}  // namespace plumb
