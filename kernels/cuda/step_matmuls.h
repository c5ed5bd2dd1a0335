// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/step_plan.h"
#include "kernels/cuda/matmul.h"

#include <string>
#include <vector>

namespace plumb::cuda {

/// The library products of a step, one for each distinct shape, and how the ReLU gets into them.
class StepMatmuls {
public:
    /// Describes every product that `plan`'s ops need. Where the library cannot do a ReLU and its mask on the
    /// way, both are left to our own kernels: the order of a mask's bits is the library's own affair. Errors:
    /// BadInput for a step whose plain products it cannot compute.
    [[nodiscard]] static Result<StepMatmuls> create(cublasLtHandle_t handle, const StepPlan& plan,
                                                    const MatmulScratch& scratch);

    /// Chooses algorithms, by timing what `cache` does not know. Needs memory for the largest operands, and
    /// takes the library's own first choice where there is none.
    [[nodiscard]] Result<void> tune(AlgorithmCache& cache, const MatmulScratch& scratch, cudaStream_t stream);

    /// What a product of this kind may use of its branch's scratch.
    [[nodiscard]] MatmulScratch roomOf(MatmulKind kind, const MatmulScratch& scratch) const;
    /// Null when the step has no such product.
    [[nodiscard]] const Matmul* find(const MatmulShape& shape) const;
    [[nodiscard]] bool fusesMasks() const { return m_fusesMasks; }
    [[nodiscard]] bool fusesRelu() const { return m_fusesRelu; }
    /// fp8: whether products of this kind scale and round their results themselves, and tell the amax. Where
    /// they do not, results go through bf16.
    [[nodiscard]] bool scalesResults(MatmulKind kind) const {
        return kind == MatmulKind::Forward ? m_scalesActivations : m_scalesGradients;
    }
    /// In a sentence's words; empty where it does, or is never asked to.
    [[nodiscard]] const std::string& whyNotMasks() const { return m_whyNotMasks; }
    [[nodiscard]] const std::string& whyNotRelu() const { return m_whyNotRelu; }
    [[nodiscard]] const std::vector<Matmul>& all() const { return m_products; }

private:
    /// Whether the step ever computes it: a product without its epilogue is only the way out where the
    /// library cannot fuse that.
    [[nodiscard]] bool isUsed(const MatmulShape& shape) const;

    std::vector<Matmul> m_products;
    bool m_relu = false;
    Bytes m_earlySums = 0;  ///< that matrices which are updated early keep beside the gradients of weights
    bool m_fusesMasks = true;
    bool m_fusesRelu = true;
    bool m_scalesActivations = false;
    bool m_scalesGradients = false;
    std::string m_whyNotMasks, m_whyNotRelu;
};

/// The product behind a layer's op with an fp8 result.
[[nodiscard]] MatmulShape scaledShape(const RunConfig& config, const MatmulShape& plain);

/// The product behind a layer's op, without its epilogue. Pre: a product of a layer (not of the head).
[[nodiscard]] MatmulShape plainShape(const RunConfig& config, const BackendTraits& traits, MatmulKind kind,
                                     bool accumulate);

}  // namespace plumb::cuda
