// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/plan/operands.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/device_pool.h"
#include "kernels/cuda/product_log.h"
#include "kernels/cuda/step_matmuls.h"
#include "kernels/cuda/step_memory.h"

namespace plumb::cuda {

/// What stays the same for all ops of a prepared step.
struct StepContext {
    const StepPlan* plan = nullptr;
    BackendTraits traits;
    StepMatmuls* matmuls = nullptr;
    DevicePool* pool = nullptr;
    cudaStream_t stream = nullptr;
    StepResult* ring = nullptr;  ///< as the device sees it
    std::int64_t ringSize = 0;
    ProductLog* log = nullptr;     ///< told of every product
    bool beside = false;           ///< the op runs in the side branch
    bool hasUpdated = false;       ///< some matrices of this step were updated early
    bool scalesKnown = false;      ///< every fp8 tensor has a scale
    bool transposesKnown = false;  ///< transposed weights are those of the weights
};

/// A launch function of device_kernels.h, and its name for what it fails with.
template <class Arguments>
struct Launch {
    int (*function)(const Arguments&, cudaStream_t);
    const char* name;
};

/// What the kernels of one op are given: where its tensors are, how they are stored, and what is told of
/// them. Made anew for each op; the step's context and the call outlive it.
struct OpArguments {
    /// `capturing`: the device counts steps by itself. Errors: Internal naming op and tensor when one is not
    /// resident or too small.
    [[nodiscard]] static Result<OpArguments> of(const StepContext& context, const OpCall& call,
                                                bool capturing);

    [[nodiscard]] void* data(TensorId id) const;  ///< null for -1
    [[nodiscard]] Stored stored(TensorRole role, std::int32_t layer, void* memory) const;
    [[nodiscard]] Stored operand(TensorRole role, std::int32_t layer, void* memory) const;
    [[nodiscard]] Report reportOf(TensorRole role, std::int32_t layer) const;
    [[nodiscard]] Clock clock() const;
    [[nodiscard]] SeenAmaxes seenAmaxes(bool activations, bool gradients, bool first) const;
    [[nodiscard]] Controls controls() const;
    [[nodiscard]] const float* inverseOf(TensorRole role, std::int32_t layer) const;
    [[nodiscard]] Sums sums() const;
    /// Whether fp8 has no scale yet for what the op stores, which is then found from the same
    /// values.
    [[nodiscard]] bool findsScales() const {
        return fp8 && !context.scalesKnown && op.phase != Phase::Recompute;
    }
    /// Launches what the matrix library needs of the scales.
    [[nodiscard]] Result<void> refreshInverses() const;
    /// Launches what stores a tensor. Where fp8 has no scale for that tensor yet, the launch that makes one
    /// of the same values goes before.
    template <class Arguments>
    [[nodiscard]] Result<void> launchStoring(const Arguments& arguments, const Launch<Arguments>& firstScale,
                                             const Launch<Arguments>& store) const {
        if (findsScales()) {
            PLUMB_CHECK(checkLaunch(firstScale.function(arguments, context.stream), firstScale.name));
            PLUMB_CHECK(refreshInverses());
        }
        return checkLaunch(store.function(arguments, context.stream), store.name);
    }

    const StepContext& context;
    const OpCall& call;
    const Op& op;
    const RunConfig& config;
    bool capturing;
    bool fp8;
    Operands operands{};  ///< of op
    StepControlView control{};
    void* scratch = nullptr;
};

}  // namespace plumb::cuda
