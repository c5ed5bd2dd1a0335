// SPDX-License-Identifier: Apache-2.0
#include "core/train/held_out_pass.h"

#include "core/measure/value_histogram.h"
#include "core/plan/operands.h"
#include "core/train/op_call.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace plumb {

namespace {

/// The tensors in which ops write down what they saw.
std::array<TensorId, 4> notesOf(const StepPlan& plan) {
    return {plan.statistics, plan.lossScale, plan.scales, plan.stepControl};
}

}  // namespace

Result<double> HeldOutPass::loss(std::int64_t steps) {
    const BatchSource* source = m_batches.source();
    if (source == nullptr || source->heldOut() < 1 || !m_batches.areRead())
        return internalError("nothing is held out");
    std::vector<std::pair<TensorId, std::vector<std::byte>>> notes;
    for (const TensorId id : notesOf(m_plan)) {
        if (id < 0) continue;
        PLUMB_TRY(std::vector<std::byte> bytes, m_tensors.download(id));
        notes.emplace_back(id, std::move(bytes));
    }
    m_batches.pause();
    Result<double> loss = sumOfAll(steps);
    for (const auto& [id, bytes] : notes) PLUMB_CHECK(m_tensors.upload(id, bytes));
    PLUMB_CHECK(m_batches.start(steps));
    return loss;
}

Result<double> HeldOutPass::sumOfAll(std::int64_t steps) {
    const RunConfig& config = m_plan.config;
    const BatchSource& source = *m_batches.source();
    const std::int64_t rows = config.microBatchSize();
    const auto width = static_cast<std::size_t>(config.dim);
    const auto outputs = static_cast<std::size_t>(config.outputWidth());
    const std::span<float> half =
        m_batches.floats().first(static_cast<std::size_t>(rows) * (width + outputs));
    const std::span<float> x = half.first(static_cast<std::size_t>(rows) * width);
    const std::span<float> t = half.subspan(x.size());
    double squares = 0;
    for (std::int64_t first = 0; first < source.heldOut(); first += rows) {
        const std::int64_t count = std::min(rows, source.heldOut() - first);
        std::fill(half.begin(), half.end(), 0.0F);
        PLUMB_CHECK(source.copyHeldOut(first, x.first(static_cast<std::size_t>(count) * width),
                                       t.first(static_cast<std::size_t>(count) * outputs)));
        const Result<double> sum = sumOfBatch(steps, t, count);
        if (!sum.has_value()) m_traffic.giveUp(sum.error());
        // Weights may be on their way that the backward pass would need next.
        const Result<void> joined = m_traffic.joinAll();
        m_residency.releaseTransients();
        PLUMB_CHECK(joined);
        if (!sum.has_value()) return sum.error();
        squares += *sum;
    }
    return squares / static_cast<double>(source.heldOut() * config.outputWidth());
}

// The ops of the first micro-batch up to the loss, which is summed here: a last batch that is not full counts
// for the samples that it has.
Result<double> HeldOutPass::sumOfBatch(std::int64_t steps, std::span<const float> targets,
                                       std::int64_t count) {
    for (std::int32_t index = m_plan.passBegin[0]; index < m_plan.passEnd[0]; ++index) {
        const Op& op = m_plan.op(index);
        PLUMB_CHECK(m_traffic.joinBefore(index, nullptr));
        if (op.kind == OpKind::LossGradient) {
            PLUMB_TRY(const Operands operands, operandsOf(m_plan, op));
            return distance(operands.input, targets, count);
        }
        PLUMB_CHECK(m_residency.beforeOp(index));
        if (op.kind == OpKind::LoadBatch) PLUMB_CHECK(m_batches.stage(0));
        if (op.lane == Lane::Traffic)
            PLUMB_CHECK(m_traffic.start(index));
        else
            PLUMB_CHECK(m_backend.run(opCall(m_plan, m_residency, index, steps, 0)));
        if (op.kind == OpKind::HeadPass) {
            PLUMB_TRY(const Operands operands, operandsOf(m_plan, op));
            return distance(operands.output, targets, count);
        }
        m_residency.afterOp(index);
    }
    return internalError("the step has no loss");
}

Result<double> HeldOutPass::distance(TensorId output, std::span<const float> targets,
                                     std::int64_t count) const {
    PLUMB_TRY(const TensorCopy y, m_tensors.copy(output));
    const std::vector<float> values = decodeValues(y.tensor.dtype, y.bytes);
    const double factor = y.scale > 0 ? 1 / y.scale : 1;
    double squares = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count * m_plan.config.outputWidth()); ++i) {
        const double off = static_cast<double>(values[i]) * factor - static_cast<double>(targets[i]);
        squares += off * off;
    }
    return squares;
}

}  // namespace plumb
