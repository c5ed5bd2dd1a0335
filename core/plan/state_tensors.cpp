// SPDX-License-Identifier: Apache-2.0
#include "core/plan/state_tensors.h"

#include "core/plan/control_tensors.h"
#include "core/plan/shards.h"

namespace plumb {
namespace {

class StatePlanner {
public:
    explicit StatePlanner(PlanBuilder& builder) : m_builder(builder), m_config(builder.config()) {}

    StateTensors add(Bytes sharedScratch) {
        m_made.weights = addPerMatrix(TensorRole::Weight, Category::Parameters, m_config.weightDtype());
        if (m_config.precision == Precision::Fp8 && m_builder.plan().traits.transposesFp8)
            addTransposedWeights();
        if (m_config.hasMasterCopy())
            m_made.masters = addPerMatrix(TensorRole::Master, Category::MasterParameters, Dtype::Fp32);
        addMoments();
        addControls(sharedScratch);
        addGradientsAndLoss();
        return m_made;
    }

private:
    TensorRange addPerMatrix(TensorRole role, Category category, Dtype dtype, bool persistent = true) {
        const TensorRange range{next(), static_cast<std::int32_t>(m_config.matrices())};
        for (std::int32_t layer = 1; layer <= range.count; ++layer) {
            const MatrixPart part = partOf(m_config, layer);
            const TensorId id =
                persistent ? m_builder.addPersistent(role, category, dtype, layer, part.rows, part.columns)
                           : m_builder.addTensor(role, category, dtype, layer, part.rows, part.columns);
            divide(m_builder.tensor(id));
        }
        return range;
    }

    /// The own slice of a matrix, or all of it with what makes its slices equal.
    void divide(Tensor& tensor) const {
        const std::int64_t padded = paddedElements(m_config, tensor.layer);
        if (isSliced(m_config.parallel, tensor.role)) {
            tensor.rows = 1;
            tensor.columns = padded / m_config.parallel.data;
        } else {
            tensor.padding = padded - tensor.elements();
        }
    }

    void addTransposedWeights() {
        m_made.transposed = TensorRange{next(), static_cast<std::int32_t>(m_config.layers)};
        for (std::int32_t layer = 1; layer <= m_made.transposed.count; ++layer)
            m_builder.addPersistent(TensorRole::TransposedWeight, Category::Workspace, m_config.weightDtype(),
                                    layer, m_config.dim, m_config.dim);
    }

    /// The rule's states: of the matrix' shape, or with one entry per row or column.
    void addMoments() {
        constexpr std::array kRoles{TensorRole::Moment1, TensorRole::Moment2, TensorRole::Moment3};
        const OptimizerStates states = optimizerStates(m_config);
        for (std::size_t i = 0; i < states.count; ++i) {
            m_made.moments[i] = addPerMatrix(kRoles[i], Category::OptimizerState, Dtype::Fp32);
            for (std::int32_t matrix = 0; matrix < m_made.moments[i].count; ++matrix) {
                Tensor& state = m_builder.tensor(m_made.moments[i].first + matrix);
                if (states.kind[i] == OptimizerState::RowMeanSquare) state.columns = 1;
                if (states.kind[i] == OptimizerState::ColumnMeanSquare) state.rows = 1;
            }
        }
    }

    TensorId addControl(TensorRole role, Category category, Dtype dtype, std::int64_t rows,
                        std::int64_t columns) {
        return m_builder.addPersistent(role, category, dtype, 0, rows, columns);
    }

    void addControls(Bytes sharedScratch) {
        StepPlan& plan = m_builder.plan();
        const std::int64_t slots = statisticsSlots(m_config);
        plan.statistics =
            addControl(TensorRole::Statistics, Category::Workspace, Dtype::Fp64, slots, kStatisticCount);
        if (m_config.scalesLoss())
            plan.lossScale =
                addControl(TensorRole::LossScale, Category::Workspace, Dtype::Fp64, 1, kLossScaleColumns);
        if (m_config.precision == Precision::Fp8)
            plan.scales =
                addControl(TensorRole::Scales, Category::Workspace, Dtype::Fp32, slots, kScalesColumns);
        if (m_config.readsFiles())
            plan.staging = addControl(TensorRole::Staging, Category::Data, Dtype::Fp32,
                                      2 * m_config.microBatchSize(), m_config.dim + m_config.outputWidth());
        if (m_config.keepsBatch()) {
            plan.residentFeatures =
                addControl(TensorRole::Features, Category::Data, m_config.activationDtype(),
                           m_config.microBatchSize(), m_config.dim);
            plan.residentTargets = addControl(TensorRole::Targets, Category::Data, Dtype::Fp32,
                                              m_config.microBatchSize(), m_config.outputWidth());
        }
        if (plan.traits.replaysSteps)
            plan.stepControl = addControl(TensorRole::StepControl, Category::Workspace, Dtype::Fp64, 1,
                                          stepControlColumns(m_config).count);
        if (sharedScratch > 0)
            plan.sharedScratch = addControl(TensorRole::SharedScratch, Category::Workspace, Dtype::Fp32, 1,
                                            sharedScratch / 4 + (sharedScratch % 4 > 0 ? 1 : 0));
    }

    void addGradientsAndLoss() {
        m_made.gradients =
            addPerMatrix(TensorRole::Gradient, Category::Gradients, m_config.parameterGradientDtype(), false);
        m_made.loss =
            m_builder.addTensor(TensorRole::Loss, Category::Workspace, Dtype::Fp64, 0, 1, kLossColumns);
        m_builder.plan().loss = m_made.loss;
    }

    [[nodiscard]] TensorId next() { return static_cast<TensorId>(m_builder.plan().tensors.size()); }

    PlanBuilder& m_builder;
    const RunConfig& m_config;
    StateTensors m_made;
};

}  // namespace

StateTensors addStateTensors(PlanBuilder& builder, Bytes sharedScratch) {
    return StatePlanner(builder).add(sharedScratch);
}

}  // namespace plumb
