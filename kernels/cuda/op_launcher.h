// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/op_arguments.h"

namespace plumb::cuda {

/// Enqueues the work of one op.
class OpLauncher {
public:
    /// `given` outlives it.
    explicit OpLauncher(const OpArguments& given)
        : m_given(given),
          m_context(given.context),
          m_op(given.op),
          m_operands(given.operands),
          m_config(given.config) {}

    /// Errors: OutOfMemory for scratch; those of launching.
    [[nodiscard]] Result<void> run();

private:
    [[nodiscard]] Result<void> runLoad();
    [[nodiscard]] Result<void> deriveFromWeights() const;
    [[nodiscard]] Result<void> runHeadPass();
    [[nodiscard]] Result<void> findScalesOfHead(const HeadPassArguments& pass) const;
    [[nodiscard]] Result<void> runHeadForward();
    [[nodiscard]] Result<void> runLoss();
    [[nodiscard]] Result<void> runHeadWeightGradient();
    [[nodiscard]] Result<void> runHeadInputGradient();
    [[nodiscard]] Result<void> runNorm();
    [[nodiscard]] Result<void> runOptimizer();
    /// Of fp8, after an update: of all layers, or of one.
    [[nodiscard]] Result<void> transposeAllWeights() const;
    [[nodiscard]] Result<void> transposeWeights(std::int32_t layer) const;

    const OpArguments& m_given;
    const StepContext& m_context;
    const Op& m_op;
    const Operands& m_operands;
    const RunConfig& m_config;
};

}  // namespace plumb::cuda
