// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"
#include "kernels/cuda/matmul.h"

#include <optional>
#include <string>
#include <vector>

namespace plumb::cuda {

/// Whether products do something on their way to memory that else takes a pass of its own.
struct Fusion {
    bool fuses = true;
    std::string whyNot;  ///< in a sentence's words; empty where they do, or are never asked to
    std::optional<EpilogueTimes> times = {};  ///< of both ways, where both were timed
};

/// The library products of a step, one for each distinct shape, and how the ReLU gets into them.
class StepMatmuls {
public:
    /// Describes every product that `plan`'s ops need. Where the library cannot do a ReLU and its mask on the
    /// way, both are left to our own kernels: the order of a mask's bits is the library's own affair. Errors:
    /// BadInput for a step whose plain products it cannot compute.
    [[nodiscard]] static Result<StepMatmuls> create(cublasLtHandle_t handle, const StepPlan& plan,
                                                    const MatmulScratch& scratch);

    /// Chooses algorithms, by timing what `cache` does not know, and whether a ReLU and its mask are fused or
    /// have passes of their own behind plain products: whichever is faster. Needs memory for the largest
    /// operands, and takes the library's own first choice where there is none.
    [[nodiscard]] Result<void> tune(AlgorithmCache& cache, const MatmulScratch& scratch, cudaStream_t stream);

    /// What a product of this kind may use of its branch's scratch.
    [[nodiscard]] MatmulScratch roomOf(MatmulKind kind, const MatmulScratch& scratch) const;
    /// Null when the step has no such product.
    [[nodiscard]] const Matmul* find(const MatmulShape& shape) const;
    /// A ReLU alone, or a ReLU whose mask is written, or that mask where it is read: both or none of these
    /// two.
    [[nodiscard]] const Fusion& fusion(MatmulEpilogue wanted) const {
        return wanted == MatmulEpilogue::Relu ? m_relu : wanted == MatmulEpilogue::None ? m_nothing : m_masks;
    }
    /// fp8: whether products of this kind scale and round their results themselves, and tell the amax. Where
    /// they do not, results go through bf16.
    [[nodiscard]] const Fusion& scaling(MatmulKind kind) const {
        return kind == MatmulKind::Forward ? m_scaledActivations : m_scaledGradients;
    }
    [[nodiscard]] bool scalesResults(MatmulKind kind) const { return scaling(kind).fuses; }
    [[nodiscard]] const std::vector<Matmul>& all() const { return m_products; }

private:
    /// Whether the step ever computes it: a product without its epilogue is only the way out where the
    /// library cannot fuse that.
    [[nodiscard]] bool isUsed(const MatmulShape& shape) const;
    [[nodiscard]] Result<void> tuneFusions(AlgorithmCache& cache, const MatmulOperands& operands,
                                           const MatmulScratch& scratch, cudaStream_t stream);
    /// Absent where one of the ways was not timed.
    [[nodiscard]] Result<std::optional<EpilogueTimes>> timesOf(const Fusion& which, AlgorithmCache& cache,
                                                               const MatmulOperands& operands,
                                                               const MatmulScratch& scratch,
                                                               cudaStream_t stream);

    std::vector<Matmul> m_products;
    Bytes m_earlySums = 0;   ///< that matrices which are updated early keep beside the gradients of weights
    bool m_hasRelu = false;  ///< that could be fused
    Fusion m_nothing, m_relu, m_masks;
    Fusion m_scaledActivations{false, {}}, m_scaledGradients{false, {}};
};

/// The product behind a layer's op with an fp8 result.
[[nodiscard]] MatmulShape scaledShape(const RunConfig& config, const MatmulShape& plain);

/// The product behind a layer's op, without its epilogue. Pre: a product of a layer (not of the head).
[[nodiscard]] MatmulShape plainShape(const RunConfig& config, const BackendTraits& traits, MatmulKind kind,
                                     bool accumulate);

}  // namespace plumb::cuda
