// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/op_launcher.h"

#include "core/base/philox.h"
#include "core/plan/control_tensors.h"
#include "kernels/common/operand_check.h"
#include "kernels/common/rule_settings.h"
#include "kernels/common/tally_policy.h"
#include "kernels/common/tensor_memory.h"
#include "kernels/cuda/inverse_scales.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace plumb::cuda {

namespace {

/// Bytes to which parts of the shared scratch are rounded.
constexpr std::int64_t kScratchAlignment = 256;

/// What the sums of a loss take of the scratch before the next thing in it begins.
Bytes lossRoom(std::int64_t count) {
    return (lossBytes(count) + kScratchAlignment - 1) / kScratchAlignment * kScratchAlignment;
}

}  // namespace

OpLauncher::OpLauncher(const StepContext& context, const OpCall& call, bool capturing)
    : m_context(context),
      m_call(call),
      m_op(context.plan->op(call.opIndex)),
      m_config(context.plan->config),
      m_capturing(capturing),
      m_fp8(m_config.precision == Precision::Fp8) {}

// ---- looking things up

void* OpLauncher::data(TensorId id) const { return id < 0 ? nullptr : m_call.buffer(id).data; }

Clock OpLauncher::clock() const { return {m_control.state, m_capturing ? -1 : m_call.step}; }

Sums OpLauncher::sums() const { return {m_scratch, m_control.ticket}; }

Stored OpLauncher::stored(TensorRole role, std::int32_t layer, void* memory) const {
    const Dtype dtype = common::storedAs(m_config, role);
    Stored result{memory, storageOf(dtype), nullptr};
    if (dtypeSize(dtype) == 1)
        result.scale = static_cast<const float*>(data(m_context.plan->scales)) +
                       statisticsSlot(m_config, role, layer) * kScalesColumns;
    return result;
}

// Our own products read tf32 as the library does: rounded to 10 bits.
Stored OpLauncher::operand(TensorRole role, std::int32_t layer, void* memory) const {
    Stored result = stored(role, layer, memory);
    if (m_config.precision == Precision::Tf32) result.storage = Storage::Tf32;
    return result;
}

const float* OpLauncher::inverseOf(TensorRole role, std::int32_t layer) const {
    return m_control.inverses + statisticsSlot(m_config, role, layer);
}

// Gradients of parameters are looked at all together, once they are whole.
Report OpLauncher::reportOf(TensorRole role, std::int32_t layer) const {
    Report report;
    const StepPlan& plan = *m_context.plan;
    report.tally = role != TensorRole::Gradient && common::isLookedAt(m_config, m_call, m_op.phase, role);
    report.writesStatistics = m_call.writesStatistics;
    report.fresh = report.firstMicroBatch = m_call.microBatch == 0;
    report.gradient = common::isGradient(role);
    report.slot = statisticsSlot(m_config, role, layer);
    report.statistics = static_cast<double*>(data(plan.statistics));
    report.lossScale = static_cast<double*>(data(plan.lossScale));
    report.scales = static_cast<float*>(data(plan.scales));
    report.clock = clock();
    report.sums = sums();
    return report;
}

// Those of the micro-batch before this one are its gradients', where a loss asks.
SeenAmaxes OpLauncher::seenAmaxes(bool activations, bool gradients, bool first) const {
    const StepMatmuls& matmuls = *m_context.matmuls;
    SeenAmaxes seen;
    seen.activations = activations && matmuls.scalesResults(MatmulKind::Forward);
    seen.gradients = gradients && matmuls.scalesResults(MatmulKind::InputGradient);
    if (!m_fp8 || (!seen.activations && !seen.gradients)) return seen;
    seen.amaxes = m_control.amaxes;
    seen.scales = static_cast<float*>(data(m_context.plan->scales));
    seen.layers = m_config.layers;
    seen.rowsOfKind = m_config.matrices() + 1;
    seen.firstActivations = m_call.microBatch == 0;
    seen.firstGradients = first;
    seen.clock = clock();
    return seen;
}

Controls OpLauncher::controls() const {
    const StepPlan& plan = *m_context.plan;
    Controls controls;
    controls.state = m_control.state;
    controls.loss = static_cast<double*>(data(plan.loss));
    controls.statistics = static_cast<double*>(data(plan.statistics));
    controls.lossScale = static_cast<double*>(data(plan.lossScale));
    controls.scales = static_cast<float*>(data(plan.scales));
    if (m_fp8) controls.inverses = m_control.inverses;
    return controls;
}

Result<void> OpLauncher::refreshInverses() const {
    return checkLaunch(launchInverseScales(static_cast<const float*>(data(m_context.plan->scales)),
                                           m_control.inverses, statisticsSlots(m_config), m_context.stream),
                       "launchInverseScales");
}

// ---- ops

Result<void> OpLauncher::run() {
    const StepPlan& plan = *m_context.plan;
    PLUMB_TRY(m_operands, operandsOf(plan, m_op));
    PLUMB_CHECK(common::checkResident(
        plan, m_call, [&](TensorId id) { return tensorBytes(m_config, m_context.traits, plan.tensor(id)); }));
    m_control = stepControlView(m_config, data(m_context.plan->stepControl));
    m_scratch = data(m_context.plan->sharedScratch);
    // The other branch uses the first part meanwhile.
    if (m_context.beside)
        m_scratch = static_cast<std::byte*>(m_scratch) + firstScratchBytes(m_config, m_context.traits);
    switch (m_op.kind) {
    case OpKind::LoadBatch:
        return runLoad();
    case OpKind::HeadForward:
        return runHeadForward();
    case OpKind::LossGradient:
        return runLoss();
    case OpKind::WeightGradient:
        return m_op.isHead ? runHeadWeightGradient() : runLayer();
    case OpKind::InputGradient:
        return m_op.isHead ? runHeadInputGradient() : runLayer();
    case OpKind::LayerForward:
        return runLayer();
    case OpKind::HeadPass:
        return runHeadPass();
    case OpKind::RecomputeChain:
        return runChain();
    case OpKind::GradientNorm:
        return runNorm();
    case OpKind::OptimizerStep:
        return runOptimizer();
    }
    return {};
}

Result<void> OpLauncher::runLoad() {
    if (m_fp8 && m_call.microBatch == 0) PLUMB_CHECK(deriveFromWeights());
    const Report report = reportOf(TensorRole::Features, 0);
    const Stored x = stored(TensorRole::Features, 0, data(m_operands.result));
    auto* const t = static_cast<float*>(data(m_operands.targets));
    if (m_context.plan->staging < 0) {
        SynthesiseArguments make;
        make.seed = m_config.seed;
        make.clock = clock();
        make.microBatch = m_call.microBatch;
        make.scale = synthesisScale(m_config.dim);
        make.noise = m_config.noise;
        make.x = x;
        make.t = t;
        make.rows = m_config.microBatchSize();
        make.dim = m_config.dim;
        make.outputs = m_config.outputWidth();
        make.report = report;
        return launchStoring(make, {launchSynthesiseFirstScale, "launchSynthesiseFirstScale"},
                             {launchSynthesise, "launchSynthesise"});
    }
    LoadArguments load;
    load.staging = static_cast<const float*>(data(m_context.plan->staging));
    load.half = m_capturing ? -1 : m_call.stagedHalf;
    load.microBatch = m_call.microBatch;
    load.microBatches = m_config.microBatches();
    load.clock = clock();
    load.x = x;
    load.t = t;
    load.rows = m_config.microBatchSize();
    load.dim = m_config.dim;
    load.outputs = m_config.outputWidth();
    load.report = report;
    return launchStoring(load, {launchLoadFirstScale, "launchLoadFirstScale"}, {launchLoad, "launchLoad"});
}

// Products of fp8 read neither the weights nor their scales as they were initialised or uploaded.
Result<void> OpLauncher::deriveFromWeights() const {
    if (!m_context.scalesKnown) PLUMB_CHECK(refreshInverses());
    return m_context.transposesKnown ? Result<void>() : transposeAllWeights();
}

Result<void> OpLauncher::runHeadPass() {
    const std::int32_t below = m_op.layer - 1;
    HeadPassArguments pass;
    HeadArguments& head = pass.head;
    head.h = operand(activationRole(below), below, data(m_operands.input));
    head.weight = operand(TensorRole::Weight, m_op.layer, data(m_operands.weight()));
    head.y = static_cast<float*>(data(m_operands.output));
    head.dy = operand(TensorRole::HeadGradient, m_op.layer, data(m_operands.outputGradient));
    head.result = stored(TensorRole::Gradient, m_op.layer, data(m_operands.result));
    head.accumulate = m_op.accumulates;
    head.tickets = m_control.headTickets;
    head.rows = m_op.batchRows;
    head.dim = m_op.in;
    head.outputs = m_op.out;
    pass.t = static_cast<const float*>(data(m_operands.targets));
    if (m_operands.inputGradient >= 0) {
        pass.inputGradient = stored(TensorRole::ActivationGradient, below, data(m_operands.inputGradient));
        pass.masks = m_op.fusedActivation;
        head.report = reportOf(TensorRole::ActivationGradient, below);
    }
    pass.loss = static_cast<double*>(data(m_operands.loss));
    pass.outputsOfStep = static_cast<double>(m_config.batch) * static_cast<double>(m_config.outputWidth());
    pass.dyReport = reportOf(TensorRole::HeadGradient, m_op.layer);
    pass.seen = seenAmaxes(true, m_call.microBatch > 0, m_call.microBatch == 1);
    pass.sums = m_scratch;
    head.partials = reinterpret_cast<float*>(static_cast<std::byte*>(m_scratch) +
                                             headPassBytes(head.rows, head.dim, head.outputs).sums);
    if (m_fp8 && !m_context.scalesKnown && m_call.microBatch == 0) PLUMB_CHECK(findScalesOfHead(pass));
    return checkLaunch(launchHeadPass(pass, m_context.stream), "launchHeadPass");
}

// Scales of dy and of g_L come from their own numbers: each is made once before, with kernels of its own.
Result<void> OpLauncher::findScalesOfHead(const HeadPassArguments& pass) const {
    PLUMB_CHECK(checkLaunch(launchHeadForward(pass.head, m_context.stream), "launchHeadForward"));
    LossArguments loss;
    loss.y = Stored{pass.head.y, Storage::Fp32, nullptr};
    loss.t = pass.t;
    loss.dy = stored(TensorRole::HeadGradient, m_op.layer, pass.head.dy.data);
    loss.outputsOfStep = pass.outputsOfStep;
    loss.count = pass.head.rows * pass.head.outputs;
    loss.report = pass.dyReport;
    // The loss itself is left to the pass, and goes nowhere here.
    loss.loss = static_cast<double*>(m_scratch);
    loss.sums = Sums{static_cast<std::byte*>(m_scratch) + kScratchAlignment, m_control.ticket};
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
    return refreshInverses();
}

Result<void> OpLauncher::runHeadForward() {
    HeadArguments head;
    head.h = operand(activationRole(m_op.layer - 1), m_op.layer - 1, data(m_operands.input));
    head.weight = operand(TensorRole::Weight, m_op.layer, data(m_operands.weight()));
    head.y = static_cast<float*>(data(m_operands.result));
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
    loss.y = m_config.head ? Stored{data(m_operands.input), Storage::Fp32, nullptr}
                           : stored(TensorRole::Activation, layer, data(m_operands.input));
    loss.t = static_cast<const float*>(data(m_operands.targets));
    loss.dy = stored(role, layer, data(m_operands.result));
    loss.loss = static_cast<double*>(data(m_operands.loss));
    loss.accumulate = m_op.accumulates;
    loss.outputsOfStep = static_cast<double>(m_config.batch) * static_cast<double>(m_config.outputWidth());
    loss.count = m_op.batchRows * m_op.out;
    loss.report = reportOf(role, layer);
    loss.seen = seenAmaxes(true, m_call.microBatch > 0, m_call.microBatch == 1);
    loss.sums = sums();
    // The report's sums are of the same pass, and lie behind those of the loss.
    loss.report.sums.partials = static_cast<std::byte*>(m_scratch) + lossRoom(loss.count);
    return launchStoring(loss, {launchLossFirstScale, "launchLossFirstScale"}, {launchLoss, "launchLoss"});
}

Result<void> OpLauncher::runHeadWeightGradient() {
    HeadArguments head;
    head.h = operand(activationRole(m_op.layer - 1), m_op.layer - 1, data(m_operands.input));
    head.dy = operand(TensorRole::HeadGradient, m_op.layer, data(m_operands.outputGradient));
    head.result = stored(TensorRole::Gradient, m_op.layer, data(m_operands.result));
    head.accumulate = m_op.accumulates;
    head.partials = static_cast<float*>(m_scratch);
    head.tickets = m_control.headTickets;
    head.rows = m_op.batchRows;
    head.dim = m_op.in;
    head.outputs = m_op.out;
    return checkLaunch(launchHeadWeightGradient(head, m_context.stream), "launchHeadWeightGradient");
}

Result<void> OpLauncher::runHeadInputGradient() {
    const std::int32_t below = m_op.layer - 1;
    HeadArguments head;
    head.dy = operand(TensorRole::HeadGradient, m_op.layer, data(m_operands.outputGradient));
    head.weight = operand(TensorRole::Weight, m_op.layer, data(m_operands.weight()));
    if (m_op.fusedActivation) head.h = operand(activationRole(below), below, data(m_operands.mask));
    head.result = stored(TensorRole::ActivationGradient, below, data(m_operands.result));
    head.rows = m_op.batchRows;
    head.dim = m_op.in;
    head.outputs = m_op.out;
    head.report = reportOf(TensorRole::ActivationGradient, below);
    return launchStoring(head, {launchHeadInputGradientFirstScale, "launchHeadInputGradientFirstScale"},
                         {launchHeadInputGradient, "launchHeadInputGradient"});
}

// fp16 looks at every gradient of a parameter before anything is updated: one that is not finite makes the
// step void.
Result<void> OpLauncher::runNorm() {
    GradientArguments gradients;
    gradients.parameters = parametersOf(m_config, m_control.matrices);
    gradients.controls = controls();
    gradients.norm = m_op.kind == OpKind::GradientNorm;
    gradients.tally = common::looksAtGradients(m_config, m_call);
    gradients.writesStatistics = m_call.writesStatistics;
    gradients.sums = sums();
    return checkLaunch(launchGradients(gradients, m_context.stream), "launchGradients");
}

Result<void> OpLauncher::runOptimizer() {
    // With clipping it was done on the way to the norm.
    const bool looks = common::looksAtGradients(m_config, m_call);
    if (m_config.clipNorm <= 0 && looks) PLUMB_CHECK(runNorm());

    // The first layer is what the early updates leave to the end.
    const bool isPart = m_call.updatedLayer > 0 || m_context.hasUpdated;
    const std::int32_t layer = std::max(m_call.updatedLayer, 1);
    TickArguments tick;
    tick.controls = controls();
    tick.schedule = m_control.schedule;
    tick.settings = common::ruleSettings(m_config);
    if (!m_capturing) {
        tick.step = m_call.step;
        // fp16 counts its good steps on the device.
        if (!m_config.scalesLoss()) tick.update = m_call.optimizer.step;
        tick.learningRate = m_call.optimizer.learningRate;
        tick.rateGiven = true;
    }
    // Before the first update of the step.
    if (!m_context.hasUpdated) PLUMB_CHECK(checkLaunch(launchTick(tick, m_context.stream), "launchTick"));

    OptimizerArguments update;
    update.parameters = parametersOf(m_config, m_control.matrices);
    update.controls = tick.controls;
    update.rule = common::ruleOf(m_config);
    update.writesStatistics = m_call.writesStatistics;
    update.clipNorm = m_config.clipNorm;
    update.growth = m_config.lossScaling.growth;
    update.backoff = m_config.lossScaling.backoff;
    update.interval = m_config.lossScaling.interval;
    update.activations = storageOf(m_config.activationDtype());
    update.activationGradients = storageOf(m_config.activationGradientDtype());
    update.ring = m_context.ring;
    update.ringSize = m_context.ringSize;
    update.advances = true;
    update.seen = seenAmaxes(false, true, m_config.microBatches() == 1);
    update.sums = sums();
    if (m_config.optimizer == Optimizer::Adafactor)
        update.adafactor =
            static_cast<std::byte*>(m_scratch) + adafactorScratchOffset(m_config, m_context.traits);
    if (isPart) {
        const PartRange parts = partsOfMatrix(update.parameters, layer - 1);
        update.firstPart = parts.first;
        update.partCount = parts.count;
        update.ends = m_call.updatedLayer == 0;
        update.sums.partials = static_cast<std::byte*>(data(m_context.plan->sharedScratch)) +
                               earlySumsOffset(m_config, m_context.traits);
    }
    PLUMB_CHECK(checkLaunch(launchOptimizer(update, m_context.stream), "launchOptimizer"));
    return isPart ? transposeWeights(layer) : transposeAllWeights();
}

Result<void> OpLauncher::transposeAllWeights() const {
    if (!m_fp8 || !m_context.traits.transposesFp8) return {};
    const TransposeWeightsArguments weights{m_control.matrices, m_config.layers, m_config.dim};
    return checkLaunch(launchTransposeWeights(weights, m_context.stream), "launchTransposeWeights");
}

Result<void> OpLauncher::transposeWeights(std::int32_t layer) const {
    if (layer > m_operands.transposedWeights.count) return {};  // the head
    TransposeArguments weights;
    weights.first = {data(m_operands.weight(layer - 1)), data(m_operands.transposedWeights.first + layer - 1),
                     m_config.dim, m_config.dim};
    return checkLaunch(launchTranspose(weights, m_context.stream), "launchTranspose");
}

}  // namespace plumb::cuda
