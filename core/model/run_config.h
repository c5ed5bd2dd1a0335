// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/quantity.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

enum class Activation : std::uint8_t { None, Relu };
enum class Precision : std::uint8_t { Fp32, Bf16 };           // issue order: tf32, fp16 and fp8 follow
enum class Optimizer : std::uint8_t { Sgd, Adagrad, AdamW };  // torch.optim semantics and defaults
enum class Initialisation : std::uint8_t { Scaled };          // normal / sqrt(fan-in)
enum class BackendChoice : std::uint8_t { Auto, Cpu, Cuda };

/// Which activations survive the forward pass. all: every h_l. none: recompute each from the input.
/// every k: h_k, h_2k, ... and the last segment stay, the others are recomputed segment by segment.
struct CheckpointPolicy {
    enum class Kind : std::uint8_t { All, None, Every };
    Kind kind = Kind::All;
    std::int64_t interval = 1;  ///< k, layers; only for Every
    bool operator==(const CheckpointPolicy&) const = default;
};

/// What the user asked for: one optimizer step of the deep linear model and how to train it.
///
/// x[B,D] -> h_l = act(h_{l-1} W_l), l = 1..L, W_l[D,D] -> y = h_L W_head[D,K] -> loss = mean((y - t)^2).
/// Field names in JSON and on the command line are those of CLI.md ("dim", "layers", "micro-batch", ...).
struct RunConfig {
    std::int64_t dim = 256;    ///< D, width
    std::int64_t layers = 4;   ///< L, depth
    std::int64_t outputs = 1;  ///< K
    Activation activation = Activation::None;
    std::int64_t batch = 256;     ///< B, samples per optimizer step
    std::int64_t microBatch = 0;  ///< b, divides B; 0 means B (one micro-batch)
    Precision precision = Precision::Fp32;
    bool masterWeights = true;  ///< fp32 master copy beside 16-bit weights; without meaning for fp32
    Optimizer optimizer = Optimizer::AdamW;
    std::optional<double> learningRate;  ///< empty: the optimizer's torch.optim default
    std::optional<double> weightDecay;   ///< empty: the optimizer's torch.optim default
    CheckpointPolicy checkpoint;
    Initialisation initialisation = Initialisation::Scaled;
    std::uint64_t seed = 0;
    double noise = 0.1;  ///< standard deviation added to synthetic targets; its square is the loss floor
    std::string data = "synthetic";  ///< "synthetic", or the path of a .npy with features [rows, D]
    std::string targets;             ///< path of a .npy with targets [rows] or [rows, K]; only with data
    BackendChoice backend = BackendChoice::Auto;

    /// Equal when both describe the same run: an absent value equals the default that it stands for, so that
    /// a configuration equals itself after a round trip through text with every default filled in.
    [[nodiscard]] bool operator==(const RunConfig& other) const;

    [[nodiscard]] std::int64_t microBatchSize() const { return microBatch == 0 ? batch : microBatch; }
    [[nodiscard]] std::int64_t microBatches() const { return batch / microBatchSize(); }
    /// N = L*D^2 + D*K. Pre: validated.
    [[nodiscard]] std::int64_t parameters() const { return layers * dim * dim + dim * outputs; }
    [[nodiscard]] Dtype computeDtype() const {
        return precision == Precision::Bf16 ? Dtype::Bf16 : Dtype::Fp32;
    }
    [[nodiscard]] bool hasMasterCopy() const { return precision != Precision::Fp32 && masterWeights; }
    [[nodiscard]] double
    effectiveLearningRate() const;  ///< torch defaults: SGD 1e-3, AdaGrad 1e-2, AdamW 1e-3
    [[nodiscard]] double effectiveWeightDecay() const;  ///< torch defaults: AdamW 1e-2, others 0
};

/// Largest dimension of any kind (2^40), far above hardware and far below what overflows a sum.
inline constexpr std::int64_t kMaxDimension = std::int64_t{1} << 40;
/// Deepest network the planner takes: a plan is O(layers) long and is rebuilt at every slider move.
inline constexpr std::int64_t kMaxLayers = 65536;

/// Checks sizes and their combinations, also that every FLOP and byte count of the step fits in 63 bits.
/// Errors: BadInput with the field, the value and the remedy ("micro-batch does not divide batch 256
/// (100): ...").
[[nodiscard]] Result<void> validate(const RunConfig& config);

/// One setting by its CLI.md name; `value` as text ("4Ki", "bf16", "on", "every 4" is written "4").
/// Errors: BadInput for an unknown name (with the nearest known one) or an unusable value.
[[nodiscard]] Result<void> setOption(RunConfig& config, std::string_view name, std::string_view value);

/// The options in CLI.md's order: name, allowed values or range, help text. The CLI's --help and the
/// window's tool tips read this one list.
struct OptionInfo {
    std::string_view name;
    std::string_view values;
    std::string_view help;
};
[[nodiscard]] const std::vector<OptionInfo>& runOptions();

/// The value of one option as text that setOption() reads back; every default filled in.
[[nodiscard]] std::string optionValue(const RunConfig& config, std::string_view name);

[[nodiscard]] std::string_view name(Activation value);
[[nodiscard]] std::string_view name(Precision value);
[[nodiscard]] std::string_view name(Optimizer value);
[[nodiscard]] std::string_view name(Initialisation value);
[[nodiscard]] std::string_view name(BackendChoice value);

}  // namespace plumb
