// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/op_launcher.h"

#include "core/base/philox.h"
#include "core/plan/control_tensors.h"
#include "kernels/common/rule_settings.h"
#include "kernels/common/tally_policy.h"
#include "kernels/cuda/layer_products.h"

#include <algorithm>

namespace plumb::cuda {

namespace {

/// Bytes to which parts of the shared scratch are rounded.
constexpr std::int64_t kScratchAlignment = 256;

/// What the sums of a loss take of the scratch before the next thing in it begins.
Bytes lossRoom(std::int64_t count) {
    return (lossBytes(count) + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
}

}  // namespace

Result<void> OpLauncher::run() {
    if (m_given.fp8 && m_given.call.opIndex == 0) PLUMB_CHECK(deriveFromWeights());
    switch (m_op.kind) {
    case OpKind::LoadBatch:
        return runLoad();
    case OpKind::HeadForward:
        return runHeadForward();
    case OpKind::LossGradient:
        return runLoss();
    case OpKind::WeightGradient:
        return m_op.isHead ? runHeadWeightGradient() : LayerProducts(m_given).run();
    case OpKind::InputGradient:
        return m_op.isHead ? runHeadInputGradient() : LayerProducts(m_given).run();
    case OpKind::LayerForward:
        return LayerProducts(m_given).run();
    case OpKind::HeadPass:
        return runHeadPass();
    case OpKind::RecomputeChain:
        return LayerProducts(m_given).runChain();
    case OpKind::GradientNorm:
        return runNorm();
    case OpKind::Activation:
        return internalError("the CUDA backend divides no matrices among ranks (activation)");
    case OpKind::AllReduce:
    case OpKind::ReduceScatter:
    case OpKind::AllGather:
        return internalError("collectives are a communicator's, not the CUDA backend's");
    case OpKind::OptimizerStep:
        return runOptimizer();
    }
    return {};
}

Result<void> OpLauncher::runLoad() {
    const Report report = m_given.reportOf(TensorRole::Features, 0);
    const Stored x = m_given.stored(TensorRole::Features, 0, m_given.data(m_operands.result));
    auto* const t = static_cast<float*>(m_given.data(m_operands.targets));
    if (m_context.plan->staging < 0) {
        SynthesiseArguments make = synthesisOf(m_config);
        make.clock = m_given.clock();
        make.microBatch = m_given.call.microBatch;
        make.x = x;
        make.t = t;
        make.report = report;
        return m_given.launchStoring(make, {launchSynthesiseFirstScale, "launchSynthesiseFirstScale"},
                                     {launchSynthesise, "launchSynthesise"});
    }
    LoadArguments load;
    load.staging = static_cast<const float*>(m_given.data(m_context.plan->staging));
    load.half = m_given.capturing ? -1 : m_given.call.stagedHalf;
    load.microBatch = m_given.call.microBatch;
    load.microBatches = m_config.microBatches();
    load.clock = m_given.clock();
    load.x = x;
    load.t = t;
    load.rows = m_config.microBatchSize();
    load.dim = m_config.dim;
    load.outputs = m_config.outputWidth();
    load.report = report;
    return m_given.launchStoring(load, {launchLoadFirstScale, "launchLoadFirstScale"},
                                 {launchLoad, "launchLoad"});
}

// Products of fp8 read neither the weights nor their scales as they were initialised or uploaded.
Result<void> OpLauncher::deriveFromWeights() const {
    if (!m_context.scalesKnown) PLUMB_CHECK(m_given.refreshInverses());
    return m_context.transposesKnown ? Result<void>() : transposeAllWeights();
}

Result<void> OpLauncher::runHeadPass() {
    const std::int32_t below = m_op.layer - 1;
    HeadPassArguments pass;
    HeadArguments& head = pass.head;
    head.h = m_given.operand(activationRole(below), below, m_given.data(m_operands.input));
    head.weight = m_given.operand(TensorRole::Weight, m_op.layer, m_given.data(m_operands.weight()));
    head.y = static_cast<float*>(m_given.data(m_operands.output));
    head.dy = m_given.operand(TensorRole::HeadGradient, m_op.layer, m_given.data(m_operands.outputGradient));
    head.result = m_given.stored(TensorRole::Gradient, m_op.layer, m_given.data(m_operands.result));
    head.accumulate = m_op.accumulates;
    head.tickets = m_given.control.headTickets;
    head.rows = m_op.batchRows;
    head.dim = m_op.in;
    head.outputs = m_op.out;
    pass.t = static_cast<const float*>(m_given.data(m_operands.targets));
    if (m_operands.inputGradient >= 0) {
        pass.inputGradient =
            m_given.stored(TensorRole::ActivationGradient, below, m_given.data(m_operands.inputGradient));
        pass.masks = m_op.fusedActivation;
        head.report = m_given.reportOf(TensorRole::ActivationGradient, below);
    }
    pass.loss = static_cast<double*>(m_given.data(m_operands.loss));
    pass.outputsOfStep = static_cast<double>(m_config.batch) * static_cast<double>(m_config.outputWidth());
    pass.dyReport = m_given.reportOf(TensorRole::HeadGradient, m_op.layer);
    pass.seen = m_given.seenAmaxes(true, m_given.call.microBatch > 0, m_given.call.microBatch == 1);
    pass.sums = m_given.scratch;
    head.partials = reinterpret_cast<float*>(static_cast<std::byte*>(m_given.scratch) +
                                             headPassBytes(head.rows, head.dim, head.outputs).sums);
    if (m_given.fp8 && !m_context.scalesKnown && m_given.call.microBatch == 0)
        PLUMB_CHECK(findScalesOfHead(pass));
    return checkLaunch(launchHeadPass(pass, m_context.stream), "launchHeadPass");
}

// Scales of dy and of g_L come from their own numbers: each is made once before, with kernels of its own.
Result<void> OpLauncher::findScalesOfHead(const HeadPassArguments& pass) const {
    PLUMB_CHECK(checkLaunch(launchHeadForward(pass.head, m_context.stream), "launchHeadForward"));
    LossArguments loss;
    loss.y = Stored{pass.head.y, Storage::Fp32, nullptr};
    loss.t = pass.t;
    loss.dy = m_given.stored(TensorRole::HeadGradient, m_op.layer, pass.head.dy.data);
    loss.outputsOfStep = pass.outputsOfStep;
    loss.count = pass.head.rows * pass.head.outputs;
    loss.report = pass.dyReport;
    // The loss itself is left to the pass, and goes nowhere here.
    loss.loss = static_cast<double*>(m_given.scratch);
    loss.sums = Sums{static_cast<std::byte*>(m_given.scratch) + kScratchAlignment, m_given.control.ticket};
    loss.report.sums.partials = static_cast<std::byte*>(loss.sums.partials) + lossRoom(loss.count);
    PLUMB_CHECK(checkLaunch(launchLossFirstScale(loss, m_context.stream), "launchLossFirstScale"));
    loss.report.tally = false;
    PLUMB_CHECK(checkLaunch(launchLoss(loss, m_context.stream), "launchLoss"));
    if (pass.inputGradient.data != nullptr) {
        HeadArguments head = pass.head;
        head.result = pass.inputGradient;
        if (!pass.masks) head.h.data = nullptr;
        PLUMB_CHECK(checkLaunch(launchHeadInputGradientFirstScale(head, m_context.stream),
                                "launchHeadInputGradientFirstScale"));
    }
    return m_given.refreshInverses();
}

Result<void> OpLauncher::runHeadForward() {
    HeadArguments head;
    head.h = m_given.operand(activationRole(m_op.layer - 1), m_op.layer - 1, m_given.data(m_operands.input));
    head.weight = m_given.operand(TensorRole::Weight, m_op.layer, m_given.data(m_operands.weight()));
    head.y = static_cast<float*>(m_given.data(m_operands.result));
    head.rows = m_op.batchRows;
    head.dim = m_op.in;
    head.outputs = m_op.out;
    return checkLaunch(launchHeadForward(head, m_context.stream), "launchHeadForward");
}

Result<void> OpLauncher::runLoss() {
    const auto layer = static_cast<std::int32_t>(m_config.matrices());
    const TensorRole role = m_config.head ? TensorRole::HeadGradient : TensorRole::ActivationGradient;
    LossArguments loss;
    loss.isActivation = !m_config.head;
    loss.relu = m_op.fusedActivation;
    loss.y = m_config.head ? Stored{m_given.data(m_operands.input), Storage::Fp32, nullptr}
                           : m_given.stored(TensorRole::Activation, layer, m_given.data(m_operands.input));
    loss.t = static_cast<const float*>(m_given.data(m_operands.targets));
    loss.dy = m_given.stored(role, layer, m_given.data(m_operands.result));
    loss.loss = static_cast<double*>(m_given.data(m_operands.loss));
    loss.accumulate = m_op.accumulates;
    loss.outputsOfStep = static_cast<double>(m_config.batch) * static_cast<double>(m_config.outputWidth());
    loss.count = m_op.batchRows * m_op.out;
    loss.report = m_given.reportOf(role, layer);
    loss.seen = m_given.seenAmaxes(true, m_given.call.microBatch > 0, m_given.call.microBatch == 1);
    loss.sums = m_given.sums();
    // The report's sums are of the same pass, and lie behind those of the loss.
    loss.report.sums.partials = static_cast<std::byte*>(m_given.scratch) + lossRoom(loss.count);
    return m_given.launchStoring(loss, {launchLossFirstScale, "launchLossFirstScale"},
                                 {launchLoss, "launchLoss"});
}

Result<void> OpLauncher::runHeadWeightGradient() {
    HeadArguments head;
    head.h = m_given.operand(activationRole(m_op.layer - 1), m_op.layer - 1, m_given.data(m_operands.input));
    head.dy = m_given.operand(TensorRole::HeadGradient, m_op.layer, m_given.data(m_operands.outputGradient));
    head.result = m_given.stored(TensorRole::Gradient, m_op.layer, m_given.data(m_operands.result));
    head.accumulate = m_op.accumulates;
    head.partials = static_cast<float*>(m_given.scratch);
    head.tickets = m_given.control.headTickets;
    head.rows = m_op.batchRows;
    head.dim = m_op.in;
    head.outputs = m_op.out;
    return checkLaunch(launchHeadWeightGradient(head, m_context.stream), "launchHeadWeightGradient");
}

Result<void> OpLauncher::runHeadInputGradient() {
    const std::int32_t below = m_op.layer - 1;
    HeadArguments head;
    head.dy = m_given.operand(TensorRole::HeadGradient, m_op.layer, m_given.data(m_operands.outputGradient));
    head.weight = m_given.operand(TensorRole::Weight, m_op.layer, m_given.data(m_operands.weight()));
    if (m_op.fusedActivation)
        head.h = m_given.operand(activationRole(below), below, m_given.data(m_operands.mask));
    head.result = m_given.stored(TensorRole::ActivationGradient, below, m_given.data(m_operands.result));
    head.rows = m_op.batchRows;
    head.dim = m_op.in;
    head.outputs = m_op.out;
    head.report = m_given.reportOf(TensorRole::ActivationGradient, below);
    return m_given.launchStoring(head,
                                 {launchHeadInputGradientFirstScale, "launchHeadInputGradientFirstScale"},
                                 {launchHeadInputGradient, "launchHeadInputGradient"});
}

// fp16 looks at every gradient of a parameter before anything is updated: one that is not finite makes the
// step void.
Result<void> OpLauncher::runNorm() {
    GradientArguments gradients;
    gradients.parameters = parametersOf(m_config, m_given.control.matrices);
    gradients.controls = m_given.controls();
    gradients.norm = m_op.kind == OpKind::GradientNorm;
    gradients.tally = common::looksAtGradients(m_config, m_given.call);
    gradients.writesStatistics = m_given.call.writesStatistics;
    gradients.sums = m_given.sums();
    return checkLaunch(launchGradients(gradients, m_context.stream), "launchGradients");
}

Result<void> OpLauncher::runOptimizer() {
    // With clipping it was done on the way to the norm.
    const bool looks = common::looksAtGradients(m_config, m_given.call);
    if (m_config.clipNorm <= 0 && looks) PLUMB_CHECK(runNorm());

    // The first layer is what the early updates leave to the end.
    const bool isPart = m_given.call.updatedLayer > 0 || m_context.hasUpdated;
    const std::int32_t layer = std::max(m_given.call.updatedLayer, 1);
    TickArguments tick;
    tick.controls = m_given.controls();
    tick.schedule = m_given.control.schedule;
    tick.settings = common::ruleSettings(m_config);
    if (!m_given.capturing) {
        tick.step = m_given.call.step;
        // fp16 counts its good steps on the device.
        if (!m_config.scalesLoss()) tick.update = m_given.call.optimizer.step;
        tick.learningRate = m_given.call.optimizer.learningRate;
        tick.rateGiven = true;
    }
    // Before the first update of the step.
    if (!m_context.hasUpdated) PLUMB_CHECK(checkLaunch(launchTick(tick, m_context.stream), "launchTick"));

    OptimizerArguments update;
    update.parameters = parametersOf(m_config, m_given.control.matrices);
    update.controls = tick.controls;
    update.rule = common::ruleOf(m_config);
    update.writesStatistics = m_given.call.writesStatistics;
    update.clipNorm = m_config.clipNorm;
    update.growth = m_config.lossScaling.growth;
    update.backoff = m_config.lossScaling.backoff;
    update.interval = m_config.lossScaling.interval;
    update.activations = storageOf(m_config.activationDtype());
    update.activationGradients = storageOf(m_config.activationGradientDtype());
    update.ring = m_context.ring;
    update.ringSize = m_context.ringSize;
    update.advances = true;
    update.seen = m_given.seenAmaxes(false, true, m_config.microBatches() == 1);
    update.sums = m_given.sums();
    if (m_config.optimizer == Optimizer::Adafactor)
        update.adafactor =
            static_cast<std::byte*>(m_given.scratch) + adafactorScratchOffset(m_config, m_context.traits);
    if (isPart) {
        const PartRange parts = partsOfMatrix(update.parameters, layer - 1);
        update.firstPart = parts.first;
        update.partCount = parts.count;
        update.ends = m_given.call.updatedLayer == 0;
        update.sums.partials = static_cast<std::byte*>(m_given.data(m_context.plan->sharedScratch)) +
                               earlySumsOffset(m_config, m_context.traits);
    }
    PLUMB_CHECK(checkLaunch(launchOptimizer(update, m_context.stream), "launchOptimizer"));
    return isPart ? transposeWeights(layer) : transposeAllWeights();
}

Result<void> OpLauncher::transposeAllWeights() const {
    if (!m_given.fp8 || !m_context.traits.transposesFp8) return {};
    const TransposeWeightsArguments weights{m_given.control.matrices, m_config.layers, m_config.dim};
    return checkLaunch(launchTransposeWeights(weights, m_context.stream), "launchTransposeWeights");
}

Result<void> OpLauncher::transposeWeights(std::int32_t layer) const {
    if (layer > m_operands.transposedWeights.count) return {};  // the head
    TransposeArguments weights;
    weights.first = {m_given.data(m_operands.weight(layer - 1)),
                     m_given.data(m_operands.transposedWeights.first + layer - 1), m_config.dim,
                     m_config.dim};
    return checkLaunch(launchTranspose(weights, m_context.stream), "launchTranspose");
}

}  // namespace plumb::cuda
