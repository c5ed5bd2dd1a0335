// SPDX-License-Identifier: Apache-2.0
// The device's own kernels: everything of a step that is no matrix product. Plain C++ declarations; no CUDA
// header is needed to call them.
//
// All of them only enqueue on `stream`: no allocation, no synchronisation, no host reads, so that all can be
// captured. They return 0, or the cudaError_t of the launch. Pointers are device pointers, at least 16-byte
// aligned; matrices are row-major without gaps. Arguments are copied at the call.
//
// Memory: every value is read once and written once in accesses of 16 bytes, or of 8 and 4 where a narrower
// tensor goes beside a wider one (a scalar tail per tensor); tests/kernels/device_code holds the compiled
// code to that, without a device, and shows what the registers leave room for. Counts are 64-bit. Grids have
// one block of 256 threads per part of the work, the part growing with the work from 1024 elements on; parts
// follow from the size of the work alone, and so do the bits of every sum: the same at each run and on each
// device. No float atomics. Products and sums are not contracted to fused multiply-adds, so that element-wise
// results have the very bits of the CPU backend (but for denormal numbers in the optimizer, which the CPU
// counts as 0, and for the bits of what is no number).
//
// A step, eager or captured:
//
//   launchTick                     constants of this step's update; only the optimizer reads what it writes,
//   so it
//                                  may run beside everything before that
//   launchSynthesise / launchLoad  x, t
//   ... products and launchEncode / launchHeadForward, launchLoss, ... per micro-batch
//   launchGradients                with clipping (norm) or fp16 (tally: finds what is not finite)
//   launchOptimizer                updates, or skips the step; reports, sets the scales of the next step,
//   writes
//                                  the ring, counts the step
//
// One fp8 tensor that has no scale yet (entry 0 of its row in Scales is 0, as after initialisation) needs the
// launch...FirstScale twin before its first launch: it reads the same arguments, writes the scale, and does
// nothing when there is one. Weights get theirs in initialisation.
#pragma once

#include "kernels/cuda/kernel_arguments.h"

#include <cstddef>

/// As in the CUDA headers.
struct CUstream_st;
using cudaStream_t = CUstream_st*;

namespace plumb::cuda {

// ---- scratch, in bytes

/// Report::sums of a pass over `elements` elements.
[[nodiscard]] std::int64_t tallyBytes(std::int64_t elements);
/// LossArguments::sums.
[[nodiscard]] std::int64_t lossBytes(std::int64_t elements);
/// GradientArguments::sums and OptimizerArguments::sums.
[[nodiscard]] std::int64_t parameterBytes(const Parameters& parameters);
/// OptimizerArguments::firstPart and partCount of one matrix, counted from 0.
struct PartRange {
    std::int64_t first = 0;
    std::int64_t count = 0;
};
[[nodiscard]] PartRange partsOfMatrix(const Parameters& parameters, std::int64_t matrix);
/// OptimizerArguments::adafactor.
[[nodiscard]] std::int64_t adafactorBytes(const Parameters& parameters);
/// HeadArguments::partials and tickets (in words).
[[nodiscard]] std::int64_t headPartialBytes(std::int64_t rows, std::int64_t dim, std::int64_t outputs);
[[nodiscard]] std::int64_t headTickets(std::int64_t dim);
/// Tickets of a pass over the head.
inline constexpr std::int64_t kHeadPassTickets = 17;
/// HeadPassArguments::sums, where the head's partials lie behind the sums.
struct HeadPassBytes {
    std::int64_t sums = 0;
    std::int64_t partials = 0;
};
[[nodiscard]] HeadPassBytes headPassBytes(std::int64_t rows, std::int64_t dim, std::int64_t outputs);

// ---- initialisation and data

/// Weights (and masters): the CPU's very bits. fp8: first launchFillFirstScale.
[[nodiscard]] int launchFill(const FillArguments& arguments, cudaStream_t stream);
[[nodiscard]] int launchFillFirstScale(const FillArguments& arguments, cudaStream_t stream);
/// `count` fp32 numbers of one value: AdaGrad's initial accumulator.
[[nodiscard]] int launchConstant(float* out, std::int64_t count, float value, cudaStream_t stream);
/// x and t: the CPU's very bits. A block has 1 to 16 rows, fewer where there are few, so that small batches
/// fill the device.
[[nodiscard]] int launchSynthesise(const SynthesiseArguments& arguments, cudaStream_t stream);
[[nodiscard]] int launchSynthesiseFirstScale(const SynthesiseArguments& arguments, cudaStream_t stream);
/// The task of a configuration, as far as it does not depend on the step and on where x and t are.
[[nodiscard]] SynthesiseArguments synthesisOf(const RunConfig& config);
/// x rounded from staged rows, t copied.
[[nodiscard]] int launchLoad(const LoadArguments& arguments, cudaStream_t stream);
[[nodiscard]] int launchLoadFirstScale(const LoadArguments& arguments, cudaStream_t stream);

// ---- elements

/// ReLU and its mask where the library has no such epilogue, mask of a gradient, accumulation, tally of a
/// result that the library has stored by itself (out.data == null, `out` saying how it is stored), cast to
/// fp8. `in` is stored as `out` is (fp32, bf16 or fp16), or in bf16 where `out` is fp8. Epilogue::Add: not to
/// fp8.
[[nodiscard]] int launchEncode(const EncodeArguments& arguments, cudaStream_t stream);
[[nodiscard]] int launchEncodeFirstScale(const EncodeArguments& arguments, cudaStream_t stream);
[[nodiscard]] int launchTranspose(const TransposeArguments& arguments, cudaStream_t stream);
/// The weights of all layers, in one launch.
[[nodiscard]] int launchTransposeWeights(const TransposeWeightsArguments& arguments, cudaStream_t stream);

// ---- head and loss: for few outputs (K <= 16); right for any

/// y = h W, times the factors of fp8. A warp per row; fp32 sums in 32 lanes.
[[nodiscard]] int launchHeadForward(const HeadArguments& arguments, cudaStream_t stream);
/// dW = h^T dy, in one launch: fixed parts of the rows, then their sum in order. Not tallied: where it has to
/// be, let it write fp32 and launchEncode it.
[[nodiscard]] int launchHeadWeightGradient(const HeadArguments& arguments, cudaStream_t stream);
/// g = (dy W^T), 0 where h is given and not above 0; tallied on its way.
[[nodiscard]] int launchHeadInputGradient(const HeadArguments& arguments, cudaStream_t stream);
[[nodiscard]] int launchHeadInputGradientFirstScale(const HeadArguments& arguments, cudaStream_t stream);
/// Head, loss and the gradients of both in one pass over h: for up to 4 outputs.
[[nodiscard]] int launchHeadPass(const HeadPassArguments& arguments, cudaStream_t stream);
/// Loss and dy in one pass.
[[nodiscard]] int launchLoss(const LossArguments& arguments, cudaStream_t stream);
[[nodiscard]] int launchLossFirstScale(const LossArguments& arguments, cudaStream_t stream);

// ---- parameters

/// One block.
[[nodiscard]] int launchTick(const TickArguments& arguments, cudaStream_t stream);
[[nodiscard]] int launchGradients(const GradientArguments& arguments, cudaStream_t stream);
/// One launch for all parameters; with Adafactor four. fp16: when LossScale is marked, nothing is updated,
/// the scale backs off and Loss[1] is NaN. The last block reports the weights, sets Loss[1..3], the loss
/// scale and the fp8 scales of the next step, writes the ring and counts the step.
[[nodiscard]] int launchOptimizer(const OptimizerArguments& arguments, cudaStream_t stream);

}  // namespace plumb::cuda
