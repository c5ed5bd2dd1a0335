// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/plan/step_plan.h"
#include "kernels/cuda/kernel_arguments.h"

#include <span>

namespace plumb::cuda {

/// Bytes of `tensor` as the kernels address it: from its role and the shapes in `config`, never from the
/// plan's own count.
[[nodiscard]] Bytes tensorBytes(const RunConfig& config, const BackendTraits& traits, const Tensor& tensor);

/// Role of h_layer; the features for layer 0.
[[nodiscard]] TensorRole activationRole(std::int32_t layer);

/// The parts of TensorRole::StepControl.
struct StepControlView {
    StepState* state = nullptr;
    RateSchedule* schedule = nullptr;
    std::uint32_t* ticket = nullptr;
    DeviceMatrix* matrices = nullptr;
    float* inverses = nullptr;  ///< by statisticsSlot()
    float* amaxes = nullptr;    ///< by statisticsSlot(): what products saw of their results
    std::uint32_t* headTickets = nullptr;
};
[[nodiscard]] StepControlView stepControlView(const RunConfig& config, void* memory);
/// Words at StepControlView::headTickets.
[[nodiscard]] std::int64_t headTicketWords(const RunConfig& config);

// What the kernels want of the shared scratch: room for the matrix library and for the partial sums of one
// kernel at a time, behind it the same for the side branch, and then Adafactor's own.
[[nodiscard]] Bytes firstScratchBytes(const RunConfig& config, const BackendTraits& traits);
/// Where the sums of matrices that are updated early lie (earlyUpdates()): at the end of the side branch's
/// part, which its products leave to them.
[[nodiscard]] Bytes earlySumsOffset(const RunConfig& config, const BackendTraits& traits);
[[nodiscard]] Bytes earlySumsBytes(const RunConfig& config);
[[nodiscard]] Bytes adafactorScratchOffset(const RunConfig& config, const BackendTraits& traits);
[[nodiscard]] Bytes adafactorScratchBytes(const RunConfig& config);
/// Most bytes that the sums of one of our own kernels want in a step, without Adafactor's own.
[[nodiscard]] Bytes mostPartialBytes(const RunConfig& config, const BackendTraits& traits);

/// The parameters as the optimizer's kernels want them, but for the table of addresses.
[[nodiscard]] Parameters parametersOf(const RunConfig& config, const DeviceMatrix* matrices);
/// That table for these tensors (by TensorId), in host memory.
[[nodiscard]] std::vector<DeviceMatrix> matrixTable(const StepPlan& plan, std::span<const Buffer> tensors);

}  // namespace plumb::cuda
