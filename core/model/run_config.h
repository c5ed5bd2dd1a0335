// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/dtype.h"
#include "core/base/enum_array.h"
#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/model/parallel.h"
#include "core/model/rate_schedule.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumb {

enum class Activation : std::uint8_t { None, Relu };
/// What products read and activations are kept in; see RunConfig's dtype functions.
enum class Precision : std::uint8_t { Fp32, Tf32, Bf16, Fp16, Fp8 };
/// Precision of the parameters' gradients: the recipe's own, or fp32.
enum class GradientPrecision : std::uint8_t { Same, Fp32 };
/// Update rules with torch.optim's semantics; core/plan/optimizer_rule.h is their table.
enum class Optimizer : std::uint8_t { Sgd, Momentum, Adagrad, RmsProp, Adam, AdamW, Lion, Adafactor };
/// How the learning rate goes over the steps; see learningRateAt().
enum class Schedule : std::uint8_t { Constant, Cosine, Step };
/// What the first weights are drawn from; core/model/initial_weights.h is their table.
enum class Initialisation : std::uint8_t {
    Scaled,
    Truncated,
    Naive,
    XavierUniform,
    XavierNormal,
    HeUniform,
    HeNormal,
    Fixed,  ///< normal with RunConfig::initialDeviation
};
/// How a data file is stored: rows of features (.npy, a member of .npz, columns of .csv), or token ids, flat
/// and little-endian without a header or as .npy.
enum class DataFormat : std::uint8_t { Auto, Npy, Npz, Csv, TokensU16, TokensI32, TokensNpy };
/// Which windows of a token file are samples: one after the other, or from random places.
enum class TokenWindows : std::uint8_t { Consecutive, Random };
enum class BackendChoice : std::uint8_t { Auto, Cpu, Cuda };

/// Which activations survive the forward pass. all: every h_l. none: recompute each from the input.
/// every k: h_k, h_2k, ... and the last segment stay, the others are recomputed segment by segment.
/// sqrt: every k with k = ceil(sqrt(L)). fit: the least recomputation whose peak is within a budget.
struct RecomputePolicy {
    enum class Kind : std::uint8_t { All, None, Every, Sqrt, Fit };
    Kind kind = Kind::All;
    std::int64_t interval = 1;  ///< k, layers; only for Every
    Bytes budgetBytes = 0;      ///< peak of the whole step; only for Fit
    bool operator==(const RecomputePolicy&) const = default;
};

/// What tunes an update rule; each is a setting of some optimizers only (settingDefault()).
enum class Setting : std::uint8_t {
    Momentum,            ///< factor of the momentum buffer
    Dampening,           ///< 1 - dampening is the gradient's share of the momentum buffer
    Nesterov,            ///< switch
    Beta1,               ///< decay of the first moment
    Beta2,               ///< decay of the second moment; Lion: of its momentum
    Epsilon,             ///< added to a denominator; Adafactor: its first epsilon
    Alpha,               ///< RMSProp: decay of the mean square
    Centered,            ///< switch; RMSProp: by the variance instead of the mean square
    Amsgrad,             ///< switch; Adam(W): by the largest second moment so far
    LrDecay,             ///< AdaGrad: lr / (1 + (t - 1) * decay)
    InitialAccumulator,  ///< AdaGrad: where the sum of squares starts
    Beta2Decay,          ///< Adafactor: exponent of the decay of the mean squares
    Epsilon2,            ///< Adafactor: least root mean square of the parameters
    ClipThreshold,       ///< Adafactor: d, largest root mean square of the update
};
constexpr Setting lastOf(Setting /*type*/) { return Setting::ClipThreshold; }
/// The default of torch.optim (Momentum: momentum 0.9; Lion: those of its paper); empty when `optimizer` has
/// no such setting. Switches are 0 or 1.
[[nodiscard]] std::optional<double> settingDefault(Optimizer optimizer, Setting setting);

/// Dynamic loss scaling of fp16, with the semantics and defaults of torch.amp.GradScaler.
struct LossScaling {
    double initial = 65536;
    double growth = 2;     ///< factor after `interval` steps in a row without overflow
    double backoff = 0.5;  ///< factor after an overflow, whose step is skipped
    std::int64_t interval = 2000;
    bool operator==(const LossScaling&) const = default;
};

/// What the user asked for: one optimizer step of the deep linear model and how to train it.
///
/// x[B,D] -> h_l = act(h_{l-1} W_l), l = 1..L, W_l[D,D] -> y = h_L W_head[D,K] -> loss = mean((y - t)^2).
/// With L = 0 the head alone is left: one linear map. Without the head y = h_L, and K = D.
/// Field names in JSON and on the command line are those of the options ("dim", "layers", "micro-batch").
struct RunConfig {
    std::int64_t dim = 256;    ///< D, width
    std::int64_t layers = 4;   ///< L, depth
    bool head = true;          ///< W_head; off: the chain of layers alone
    std::int64_t outputs = 1;  ///< K; without a head see outputWidth()
    Activation activation = Activation::None;
    std::int64_t batch = 256;     ///< B, samples per optimizer step, of all ranks together
    std::int64_t microBatch = 0;  ///< b, divides the batch of a rank; 0 means all of it (one micro-batch)
    Parallel parallel;
    Precision precision = Precision::Fp32;
    bool masterWeights = true;  ///< fp32 master copy beside narrower weights; no meaning for fp32, tf32
    GradientPrecision gradientPrecision = GradientPrecision::Same;
    Optimizer optimizer = Optimizer::AdamW;
    std::optional<double> learningRate;                  ///< empty: the optimizer's torch.optim default
    std::optional<double> weightDecay;                   ///< empty: the optimizer's torch.optim default
    EnumArray<Setting, std::optional<double>> settings;  ///< empty: settingDefault()
    double clipNorm = 0;  ///< largest norm of all gradients together; 0: no clipping
    Schedule schedule = Schedule::Constant;
    std::int64_t warmUpSteps = 0;       ///< steps over which the learning rate rises linearly
    std::int64_t scheduleSteps = 1000;  ///< cosine: step at which it ends; step: length of a stair
    double minimumLearningRate = 0;     ///< cosine: where it ends
    double gamma = 0.1;                 ///< step: factor at each stair
    LossScaling lossScaling;            ///< fp16 only
    RecomputePolicy recompute;
    Initialisation initialisation = Initialisation::Scaled;
    double initialDeviation = 0.02;  ///< standard deviation of the weights, for Initialisation::Fixed
    std::uint64_t seed = 0;
    double noise = 0.1;  ///< standard deviation added to synthetic targets; its square is the loss floor
    bool residentBatch = false;  ///< one synthetic batch, made before the first step, is that of every step
    std::string data = "synthetic";            ///< "synthetic", or a path: features [rows, D], or token ids
    DataFormat dataFormat = DataFormat::Auto;  ///< format of the data file; auto: what its extension says
    std::string targets;                       ///< path of targets [rows] or [rows, K]
    std::int64_t vocabulary = 65536;           ///< token ids are in [0, vocabulary)
    TokenWindows tokenWindows = TokenWindows::Consecutive;
    bool standardize = false;         ///< features from files: each column to mean 0 and variance 1
    bool standardizeTargets = false;  ///< the same of their targets: the loss is in units of their variance
    double holdOut = 0;               ///< share of the samples of files that is not trained on, in [0, 1)
    BackendChoice backend = BackendChoice::Auto;

    /// Equal when both describe the same run: an absent value equals the default that it stands for, so that
    /// a configuration equals itself after a round trip through text with every default filled in.
    [[nodiscard]] bool operator==(const RunConfig& other) const;

    /// The format in force; auto for synthetic data, and for a file whose extension says nothing.
    [[nodiscard]] DataFormat effectiveDataFormat() const;
    /// Features and targets are windows of a token file; there is no targets file then.
    [[nodiscard]] bool readsTokens() const;
    [[nodiscard]] bool readsFiles() const { return data != "synthetic"; }
    /// x and t are there from step to step, and no step makes or loads any.
    [[nodiscard]] bool keepsBatch() const { return residentBatch && !readsFiles(); }

    /// Samples of a step that one rank has.
    [[nodiscard]] std::int64_t rankBatch() const { return batch / parallel.data; }
    [[nodiscard]] std::int64_t microBatchSize() const { return microBatch == 0 ? rankBatch() : microBatch; }
    /// A, of one rank.
    [[nodiscard]] std::int64_t microBatches() const { return rankBatch() / microBatchSize(); }
    /// Weight matrices, the head's last; they are numbered from 1.
    [[nodiscard]] std::int64_t matrices() const { return layers + (head ? 1 : 0); }
    /// K, the width of y and of the targets.
    [[nodiscard]] std::int64_t outputWidth() const { return head ? outputs : dim; }
    /// Columns of a weight matrix, which has D rows.
    [[nodiscard]] std::int64_t columnsOf(std::int64_t matrix) const {
        return matrix > layers ? outputs : dim;
    }
    /// N = L*D^2 + D*K, without a head L*D^2. Pre: validated.
    [[nodiscard]] std::int64_t parameters() const { return layers * dim * dim + (head ? dim * outputs : 0); }
    /// The number format of the recipe, whose peak bounds a product: Tf32 for tf32, Fp8E4M3 for fp8.
    [[nodiscard]] Dtype computeDtype() const;
    // How tensors are stored. fp32 and tf32: all fp32. bf16, fp16: all in that format. fp8: weights, features
    // and activations E4M3, gradients of activations and of y E5M2, gradients of parameters bf16, since a
    // library product cannot add to fp8. y, t, the master copy and the optimizer's states are always fp32.
    [[nodiscard]] Dtype weightDtype() const;
    [[nodiscard]] Dtype activationDtype() const { return weightDtype(); }
    [[nodiscard]] Dtype activationGradientDtype() const;
    [[nodiscard]] Dtype parameterGradientDtype() const;

    [[nodiscard]] bool hasMasterCopy() const { return dtypeSize(weightDtype()) < 4 && masterWeights; }
    [[nodiscard]] bool scalesLoss() const { return precision == Precision::Fp16; }
    /// torch.optim's default where none is given: 1e-3; AdaGrad, RMSProp, Adafactor 1e-2; Lion 1e-4.
    [[nodiscard]] double effectiveLearningRate() const;
    [[nodiscard]] double effectiveWeightDecay() const;  ///< where none is given: AdamW 1e-2, others 0
    /// The value in force; 0 for a setting that the optimizer does not have.
    [[nodiscard]] double setting(Setting setting) const;
    [[nodiscard]] bool isOn(Setting which) const { return setting(which) != 0; }
};

/// The learning rate of a step (0-based): rises linearly to effectiveLearningRate() over the warm-up, as
/// (step + 1) / warmUpSteps, and then follows the schedule: constant; half a cosine that reaches
/// minimumLearningRate at step scheduleSteps; or times gamma after every scheduleSteps steps since the
/// warm-up.
[[nodiscard]] double learningRateAt(const RunConfig& config, std::int64_t step);
/// The numbers of the configuration's schedule, for rateAt().
[[nodiscard]] RateSchedule rateSchedule(const RunConfig& config);

/// Largest dimension of any kind (2^40), far above hardware and far below what overflows a sum.
inline constexpr std::int64_t kMaxDimension = std::int64_t{1} << 40;
/// Deepest network the planner takes: a plan is O(layers) long and is rebuilt at every slider move.
inline constexpr std::int64_t kMaxLayers = 65536;

/// Checks sizes and their combinations, also that every FLOP and byte count of the step fits in 63 bits.
/// Errors: BadInput with the field, the value and the remedy ("micro-batch does not divide batch 256
/// (100): ...").
[[nodiscard]] Result<void> validate(const RunConfig& config);

/// One setting by its option's name; `value` as text ("4Ki", "bf16", "on", "every 4" is written "4").
/// Errors: BadInput for an unknown name (with the nearest known one) or an unusable value.
[[nodiscard]] Result<void> setOption(RunConfig& config, std::string_view name, std::string_view value);

/// The options in the order of --help: name, allowed values or range, help text. The CLI's --help and the
/// window's tool tips read this one list.
struct OptionInfo {
    std::string_view name;
    std::string_view values;
    std::string_view help;
};
[[nodiscard]] const std::vector<OptionInfo>& runOptions();

/// Whether an option has a meaning in this configuration: "nesterov" with momentum, "gamma" with the step
/// schedule. One that has none is absent from files and disabled in the window.
[[nodiscard]] bool optionApplies(const RunConfig& config, std::string_view name);

/// The value of one option as text that setOption() reads back; every default filled in.
[[nodiscard]] std::string optionValue(const RunConfig& config, std::string_view name);

[[nodiscard]] std::string_view name(Activation value);
[[nodiscard]] std::string_view name(Precision value);
[[nodiscard]] std::string_view name(Optimizer value);
[[nodiscard]] std::string_view name(Initialisation value);
[[nodiscard]] std::string_view name(GradientPrecision value);
[[nodiscard]] std::string_view name(Schedule value);
[[nodiscard]] std::string_view name(DataFormat value);
[[nodiscard]] std::string_view name(TokenWindows value);
[[nodiscard]] std::string_view name(BackendChoice value);

}  // namespace plumb
