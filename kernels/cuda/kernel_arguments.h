// SPDX-License-Identifier: Apache-2.0
// What the device kernels are handed: plain data, the same for the device and for a host that runs the bodies
// of the kernels to check them. All pointers are the device's own.
#pragma once

#include "core/model/rate_schedule.h"
#include "core/plan/control_tensors.h"
#include "kernels/common/rule_constants.h"
#include "kernels/common/storage.h"

#include <cstdint>

namespace plumb::cuda {

using common::Epilogue;
using common::Rule;
using common::Storage;
using common::storageOf;

/// What a device knows of the step that it is in. One per prepared plan, in device memory that lives as long;
/// all zeros at first.
struct StepState {
    std::int64_t step = 0;    ///< 0-based training step; the end of the optimizer advances it
    std::int64_t update = 1;  ///< 1-based number of the update, for bias corrections; set by the tick
    double learningRate = 0;  ///< set by the tick, like what follows
    common::RuleConstants rule;
    common::AdafactorConstants adafactor;
};

/// What a finished step is worth to people. `step` is written last, so that a host that polls mapped memory
/// sees a whole result or none.
struct StepResult {
    double loss = 0;
    double gradientSquares = 0;  ///< the columns of TensorRole::Loss
    double updateSquares = 0;
    double weightSquares = 0;
    double learningRate = 0;
    double lossScale = 1;      ///< that the step ran with
    std::int64_t skipped = 0;  ///< 1: nothing was updated, because something was not finite
    std::int64_t step = -1;    ///< 0-based; -1: never written
};

/// Where the step number comes from: the device's own counter, so that a captured graph never changes, or the
/// caller.
struct Clock {
    const StepState* state = nullptr;
    std::int64_t step = -1;  ///< >= 0: this one, whatever the device has counted
};

/// Scratch for sums. They are taken over fixed parts of the work, which follow from its size alone, and then
/// in order of the parts by the block that finishes last: the same bits every time, on any device.
struct Sums {
    void* partials = nullptr;         ///< room of the bytes that each launch names; contents do not matter
    std::uint32_t* ticket = nullptr;  ///< one word, 0 before and after each launch; of one launch at a time
};

/// What a pass saw of the tensor that it writes, and where it is told: see TensorWriter of the CPU backend.
///
/// With `tally`: Scales gets the amax of this step, and with `writesStatistics` Statistics the over- and
/// underflow, the sum of squares and the amax (gradients: without the loss scale).
struct Report {
    bool tally = false;
    bool writesStatistics = false;
    bool fresh = true;  ///< statistics replace what is there: first micro-batch, parameter gradients
    bool firstMicroBatch = true;  ///< Scales: replaces the step's entry; otherwise the larger one stays
    bool gradient = false;        ///< scaled by the loss scale
    std::int64_t slot = -1;       ///< statisticsSlot()
    double* statistics = nullptr;
    double* lossScale = nullptr;  ///< null unless fp16
    float* scales = nullptr;      ///< null unless the recipe has fp8 tensors
    Clock clock;
    Sums sums;  ///< needed with `tally`: tallyBytes()
};

/// A matrix with row stride `columns` as it is stored. An fp8 one is stored times the scale in its slot.
struct Stored {
    void* data = nullptr;
    Storage storage = Storage::Fp32;
    const float* scale = nullptr;  ///< device, fp8: entry 0 of its row in Scales; null: 1
};

/// What products of fp8 saw of their results, one number a slot, which become entries of the step in Scales:
/// of activations after the forward pass of a micro-batch, of their gradients once the next one has come to
/// its loss, or the step to its end.
struct SeenAmaxes {
    const float* amaxes = nullptr;  ///< null: there are none
    float* scales = nullptr;
    std::int64_t layers = 0;
    std::int64_t rowsOfKind = 0;   ///< slots of one kind of tensor
    bool activations = false;      ///< h_1 to h_layers
    bool gradients = false;        ///< g_1 to g_(layers - 1)
    bool firstActivations = true;  ///< of the step: replace its entry; otherwise the larger one stays
    bool firstGradients = true;
    Clock clock;
};

// ---- elements

/// Elements in `in` become what is stored in `out`: epilogue, scale, rounding, tally.
struct EncodeArguments {
    Stored in;   ///< may be `out` itself when both are fp32, bf16 or fp16 alike
    Stored out;  ///< data == null: nothing is written, only tallied, as if stored so
    Epilogue epilogue = Epilogue::Plain;
    Stored mask;                          ///< Epilogue::Mask: h [rows, columns], or ...
    const std::uint32_t* bits = nullptr;  ///< ... one bit per element, see writeBits
    /// Epilogue::Relu into fp32, bf16 or fp16: where v > 0 is noted, 1 bit per element: that of column c in
    /// row r is bit c % 32 of word r * bitStride / 32 + c / 32. An order of our own: masks of the library's
    /// RELU_AUX take as much room, and only its DRELU reads them (StepMatmuls::fusion()). Bits beyond the
    /// last column are 0.
    std::uint32_t* writeBits = nullptr;
    std::int64_t bitStride = 0;  ///< bits from row to row; a multiple of 128
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    Report report;
};

/// A 1-byte matrix and its transpose.
struct TransposedMatrix {
    const void* in = nullptr;  ///< [rows, columns]; null: there is none
    void* out = nullptr;       ///< [columns, rows]
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};
/// One or two of them, in one launch.
struct TransposeArguments {
    TransposedMatrix first;
    TransposedMatrix second;
};

/// The first numbers of one weight matrix (kernels/cpu/initialise.h has their definition).
struct FillArguments {
    std::uint64_t seed = 0;
    std::uint32_t stream = 0;  ///< RandomStream
    std::uint32_t sub = 0;     ///< layer
    bool truncated = false;
    bool uniform = false;
    float factor = 1;  ///< factor of InitialWeights, rounded to fp32
    Stored out;
    float* master = nullptr;  ///< the numbers before they are rounded; null: none
    std::int64_t count = 0;
    Report report;  ///< with statistics, so that the first scale of fp8 weights is known
};

/// A micro-batch of the synthetic task (kernels/cpu/batch_loader.h has its definition).
struct SynthesiseArguments {
    std::uint64_t seed = 0;
    Clock clock;
    std::int64_t microBatch = 0;
    double scale = 1;  ///< 1 / norm of w*
    double noise = 0;
    Stored x;            ///< [rows, dim]; data == null: nothing is written, only tallied
    float* t = nullptr;  ///< [rows, outputs]
    std::int64_t rows = 0;
    std::int64_t dim = 0;
    std::int64_t outputs = 0;
    bool whole = false;  ///< no other batch follows, so that x has the fp8 scale of its own amax
    Report report;
};

/// A micro-batch from staged rows: features [rows, dim], then targets [rows, outputs], as fp32.
struct LoadArguments {
    const float* staging = nullptr;  ///< two halves, each of `rows` rows of features and targets
    std::int32_t half = -1;          ///< 0 or 1; -1: (step * microBatches + microBatch) mod 2, by the clock
    std::int64_t microBatch = 0;
    std::int64_t microBatches = 1;
    Clock clock;
    Stored x;
    float* t = nullptr;
    std::int64_t rows = 0;
    std::int64_t dim = 0;
    std::int64_t outputs = 0;
    Report report;
};

// ---- head and loss

/// The head's operands: h [rows, dim], weight and its gradient [dim, outputs], y (fp32) and dy [rows,
/// outputs].
struct HeadArguments {
    Stored h;  ///< input gradient: what masks it, or no data
    Stored weight;
    float* y = nullptr;
    Stored dy;
    Stored result;                     ///< gradient of the weight or of h
    bool accumulate = false;           ///< weight gradient: added to what is there
    float* partials = nullptr;         ///< weight gradient: headPartialBytes()
    std::uint32_t* tickets = nullptr;  ///< weight gradient: headTickets() words, 0 before and after
    std::int64_t rows = 0;
    std::int64_t dim = 0;
    std::int64_t outputs = 0;
    Report report;  ///< input gradient only
};

/// All that a head does in a step: y, dy and the loss, the gradient of its weights (HeadArguments::result)
/// and that of h. The latter has the head's report, dy its own.
struct HeadPassArguments {
    HeadArguments head;  ///< tickets: one, and one for each set of parts
    const float* t = nullptr;
    Stored inputGradient;  ///< of h; data == null: nobody wants it
    bool masks = false;    ///< h comes from a ReLU
    double* loss = nullptr;
    double outputsOfStep = 1;
    Report dyReport;
    SeenAmaxes seen;
    void* sums = nullptr;  ///< with HeadArguments::partials behind them: headPassBytes()
};

/// dy = scale * loss scale * (y - t) and loss (+)= sum (y - t)^2 / outputsOfStep.
struct LossArguments {
    Stored y;                   ///< fp32, but for an activation
    bool isActivation = false;  ///< y is h_L of a chain without a head, stored as activations are
    bool relu = false;          ///< ... behind a ReLU: dy is 0 where y is not above 0
    const float* t = nullptr;
    Stored dy;               ///< data == null: nothing is written, only tallied; the loss stays as it is
    double* loss = nullptr;  ///< TensorRole::Loss; its norms become NaN until the optimizer knows them
    bool accumulate = false;
    double outputsOfStep = 1;  ///< B * K
    std::int64_t count = 0;
    Report report;
    SeenAmaxes seen;
    Sums sums;  ///< lossBytes(); always needed
};

// ---- parameters

/// One parameter matrix with everything the optimizer has of it. Null: there is none.
struct DeviceMatrix {
    void* weight = nullptr;
    void* gradient = nullptr;
    float* master = nullptr;
    float* states[3] = {};
    void* transposed = nullptr;  ///< fp8: the weight transposed, for products that read it so
};

/// All parameters: `layers` matrices [dim, dim] and the head's [dim, outputs].
struct Parameters {
    const DeviceMatrix* matrices = nullptr;  ///< device memory, layers + 1 of them
    std::int64_t layers = 0;
    std::int64_t dim = 0;
    std::int64_t outputs = 0;
    Storage weight = Storage::Fp32;
    Storage gradient = Storage::Fp32;  ///< fp32, bf16 or fp16
    bool masters = false;              ///< the rule changes masters, the weights are copies

    [[nodiscard]] PLUMB_HOST_DEVICE std::int64_t count() const { return layers + 1; }
};

/// The weights of the layers, [dim, dim] each, and where their transposes go.
struct TransposeWeightsArguments {
    const DeviceMatrix* matrices = nullptr;  ///< device memory
    std::int64_t layers = 0;
    std::int64_t dim = 0;
};

/// What the whole step is controlled by; null where the recipe has no such tensor.
struct Controls {
    StepState* state = nullptr;
    double* loss = nullptr;
    double* statistics = nullptr;
    double* lossScale = nullptr;
    float* scales = nullptr;
    float* inverses = nullptr;  ///< 1 / each scale, which the matrix library wants; null: nobody does
};

/// The first node of a step: the constants of its update, for the step that Controls::state has counted to.
struct TickArguments {
    Controls controls;
    const RateSchedule* schedule = nullptr;  ///< device memory: the host may change it between steps
    common::RuleSettings settings;
    /// What the caller says instead, where the caller has the say (op by op): step and update < 0, rate NaN
    /// leave the word to the device.
    std::int64_t step = -1;
    std::int64_t update = -1;
    double learningRate = 0;
    bool rateGiven = false;
};

/// Sums over the gradients of all parameters.
struct GradientArguments {
    Parameters parameters;
    Controls controls;
    bool norm = true;  ///< Loss[1] = sum of squares of all, without the loss scale
    bool tally =
        false;  ///< every gradient is looked at as stored; LossScale gets the mark that one is not finite
    bool writesStatistics = false;
    Sums sums;  ///< parameterBytes()
};

/// The update of all parameters, and the end of the step.
struct OptimizerArguments {
    Parameters parameters;
    Controls controls;
    Rule rule = Rule::Sgd;
    bool writesStatistics = false;
    double clipNorm = 0;  ///< > 0: by the norm in Loss[1]
    double growth = 2;    ///< fp16, as LossScaling
    double backoff = 0.5;
    std::int64_t interval = 2000;
    // fp8: storage of the other tensors whose scales follow from this step.
    Storage activations = Storage::Fp32;
    Storage activationGradients = Storage::Fp32;
    StepResult* ring = nullptr;  ///< device or mapped host memory; null: none
    std::int64_t ringSize = 1;   ///< the result of step s is ring[s % ringSize]
    bool advances = true;        ///< StepState::step grows by 1
    SeenAmaxes seen;             ///< what the last micro-batch left
    // Not Adafactor: a launch may update some parts of the parameters and leave the others to launches behind
    // it, the last of which ends the step. All have the same `sums.partials`.
    std::int64_t firstPart = 0;
    std::int64_t partCount = -1;  ///< < 0: all from there on
    bool ends = true;
    Sums sums;                  ///< parameterBytes()
    void* adafactor = nullptr;  ///< Adafactor: adafactorBytes()
};

}  // namespace plumb::cuda
