// SPDX-License-Identifier: Apache-2.0
// The loss over the samples that are held out, between two steps and without a trace in the training.
#include "core/measure/value_histogram.h"
#include "core/plan/operands.h"
#include "core/train/executor_impl.h"

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

// The ops of the first micro-batch up to the loss, which is summed here: a last batch that is not full counts
// for the samples that it has.
Result<double> Executor::Impl::lossOf(std::span<const float> targets, std::int64_t count) {
    for (std::int32_t index = plan->passBegin[0]; index < plan->passEnd[0]; ++index) {
        const Op& op = plan->op(index);
        if (op.kind == OpKind::LossGradient) {
            PLUMB_TRY(const Operands operands, operandsOf(*plan, op));
            PLUMB_TRY(const WatchedTensor y, copyOf(operands.input));
            const std::vector<float> values = decodeValues(y.tensor.dtype, y.bytes);
            const double factor = y.scale > 0 ? 1 / y.scale : 1;
            double squares = 0;
            for (std::size_t i = 0; i < static_cast<std::size_t>(count * plan->config.outputWidth()); ++i) {
                const double distance =
                    static_cast<double>(values[i]) * factor - static_cast<double>(targets[i]);
                squares += distance * distance;
            }
            return squares;
        }
        PLUMB_TRY(const OpCall call, callOf(index));
        if (op.kind == OpKind::LoadBatch && can.staging != nullptr)
            PLUMB_CHECK(can.staging->stage(residency[plan->staging], 0));
        PLUMB_CHECK(backend.run(call));
        residency.afterOp(index);
    }
    return Error{ErrorCode::Internal, "the step has no loss", ""};
}

Result<double> Executor::Impl::sumHeldOut() {
    const RunConfig& config = plan->config;
    const std::int64_t rows = config.microBatchSize();
    const auto width = static_cast<std::size_t>(config.dim);
    const auto outputs = static_cast<std::size_t>(config.outputWidth());
    const std::span<float> half = stagedFloats().first(static_cast<std::size_t>(rows) * (width + outputs));
    const std::span<float> x = half.first(static_cast<std::size_t>(rows) * width);
    const std::span<float> t = half.subspan(x.size());
    double squares = 0;
    for (std::int64_t first = 0; first < source->heldOut(); first += rows) {
        const std::int64_t count = std::min(rows, source->heldOut() - first);
        std::fill(half.begin(), half.end(), 0.0F);
        PLUMB_CHECK(source->copyHeldOut(first, x.first(static_cast<std::size_t>(count) * width),
                                        t.first(static_cast<std::size_t>(count) * outputs)));
        const Result<double> sum = lossOf(t, count);
        residency.releaseTransients();
        if (!sum.has_value()) return sum.error();
        squares += *sum;
    }
    return squares / static_cast<double>(source->heldOut() * config.outputWidth());
}

Result<double> Executor::heldOutLoss() {
    Impl& impl = *m_impl;
    if (impl.source == nullptr || impl.source->heldOut() < 1 || impl.plan->staging < 0)
        return Error{ErrorCode::Internal, "nothing is held out", ""};
    std::vector<std::pair<TensorId, std::vector<std::byte>>> notes;
    for (const TensorId id : notesOf(*impl.plan)) {
        if (id < 0) continue;
        PLUMB_TRY(std::vector<std::byte> bytes, download(id));
        notes.emplace_back(id, std::move(bytes));
    }
    impl.prefetcher.reset();  // it fills the same memory
    Result<double> loss = impl.sumHeldOut();
    for (const auto& [id, bytes] : notes) PLUMB_CHECK(upload(id, bytes));
    PLUMB_CHECK(impl.startPrefetching());
    return loss;
}

}  // namespace plumb
