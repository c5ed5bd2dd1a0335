// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "core/plan/operands.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/device_pool.h"
#include "kernels/cuda/product_log.h"
#include "kernels/cuda/step_matmuls.h"
#include "kernels/cuda/step_memory.h"

#include <string>
#include <vector>

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

/// Enqueues the work of one op. Holds references only; made anew for each op.
class OpLauncher {
public:
    /// `capturing`: the device counts steps by itself.
    OpLauncher(const StepContext& context, const OpCall& call, bool capturing);

    /// Errors: Internal naming op and tensor when one is not resident or too small; OutOfMemory for scratch;
    /// those of launching.
    [[nodiscard]] Result<void> run();

private:
    /// The tensors of one product of a layer, by what they are.
    struct Product {
        /// Roles and layers of the product that makes the layer's activations; memory is the caller's.
        [[nodiscard]] static Product forward(std::int32_t layer);

        MatmulKind kind = MatmulKind::Forward;
        TensorRole firstRole{}, secondRole{}, resultRole{};
        std::int32_t firstLayer = 0, secondLayer = 0, resultLayer = 0;
        void* first = nullptr;
        void* second = nullptr;
        void* result = nullptr;
        void* maskOut = nullptr;         ///< bits that the forward product leaves
        const void* maskBits = nullptr;  ///< bits that the gradient reads, or ...
        const void* maskOf = nullptr;    ///< ... h itself (fp8)
        bool relu = false;
        bool accumulate = false;
    };
    struct Scratch;
    template <class Arguments>
    struct Launch {
        int (*function)(const Arguments&, cudaStream_t);
        const char* name;
    };

    [[nodiscard]] void* data(TensorId id) const;  ///< null for -1
    [[nodiscard]] Stored stored(TensorRole role, std::int32_t layer, void* memory) const;
    [[nodiscard]] Stored operand(TensorRole role, std::int32_t layer, void* memory) const;
    [[nodiscard]] Report reportOf(TensorRole role, std::int32_t layer) const;
    [[nodiscard]] Clock clock() const;
    [[nodiscard]] SeenAmaxes seenAmaxes(bool activations, bool gradients, bool first) const;
    [[nodiscard]] Controls controls() const;
    [[nodiscard]] const float* inverseOf(TensorRole role, std::int32_t layer) const;
    [[nodiscard]] Sums sums() const;
    /// What the matrix library needs of the scales.
    [[nodiscard]] Result<void> refreshInverses() const;
    /// Launches what stores a tensor. Where fp8 has no scale for that tensor yet, the launch that makes one
    /// of the same values goes before.
    template <class Arguments>
    [[nodiscard]] Result<void> launchStoring(const Arguments& arguments, const Launch<Arguments>& firstScale,
                                             const Launch<Arguments>& store) const {
        if (m_fp8 && !m_context.scalesKnown && m_op.phase != Phase::Recompute) {
            PLUMB_CHECK(checkLaunch(firstScale.function(arguments, m_context.stream), firstScale.name));
            PLUMB_CHECK(refreshInverses());
        }
        return checkLaunch(store.function(arguments, m_context.stream), store.name);
    }

    [[nodiscard]] Result<void> runLoad();
    [[nodiscard]] Result<void> deriveFromWeights() const;
    [[nodiscard]] Result<void> runHeadPass();
    [[nodiscard]] Result<void> findScalesOfHead(const HeadPassArguments& pass) const;
    [[nodiscard]] Result<void> runHeadForward();
    [[nodiscard]] Result<void> runLoss();
    [[nodiscard]] Result<void> runHeadWeightGradient();
    [[nodiscard]] Result<void> runHeadInputGradient();
    [[nodiscard]] Result<void> runLayer();
    [[nodiscard]] Result<void> runChain();
    [[nodiscard]] Result<void> runNorm();
    [[nodiscard]] Result<void> runOptimizer();
    /// Of fp8, after an update: of all layers, or of one.
    [[nodiscard]] Result<void> transposeAllWeights() const;
    [[nodiscard]] Result<void> transposeWeights(std::int32_t layer) const;

    [[nodiscard]] Result<void> multiply(const Product& product, const Scratch& scratch);
    [[nodiscard]] Result<void> multiplyFp8(const Product& product, const Scratch& scratch);
    [[nodiscard]] Result<void> multiplyScaled(const Product& product, const MatmulShape& plain,
                                              MatmulOperands operands, EncodeArguments seen);
    [[nodiscard]] MatmulShape shapeOf(const Product& product) const;
    /// Enqueues the prepared product of this shape. `around`: what is done beside it, for the log.
    [[nodiscard]] Result<void> runMatmul(const MatmulShape& shape, const MatmulOperands& operands,
                                         const AroundProduct& around = {}) const;
    /// The pass over a result after the library's product, with no epilogue yet.
    [[nodiscard]] EncodeArguments passOver(const Product& product, const MatmulShape& shape) const;
    [[nodiscard]] Result<void> encode(const EncodeArguments& arguments) const;

    const StepContext& m_context;
    const OpCall& m_call;
    const Op& m_op;
    Operands m_operands;  ///< operands of m_op, from run() on
    const RunConfig& m_config;
    StepControlView m_control;
    void* m_scratch = nullptr;
    bool m_capturing;
    bool m_fp8;
};

}  // namespace plumb::cuda
