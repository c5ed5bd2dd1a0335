// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/op_arguments.h"

#include "core/plan/control_tensors.h"
#include "kernels/common/operand_check.h"
#include "kernels/common/tally_policy.h"
#include "kernels/common/tensor_memory.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/inverse_scales.h"

#include <cstddef>
#include <utility>

namespace plumb::cuda {

Result<OpArguments> OpArguments::of(const StepContext& context, const OpCall& call, bool capturing) {
    const StepPlan& plan = *context.plan;
    OpArguments made{context,     call,      plan.op(call.opIndex),
                     plan.config, capturing, plan.config.precision == Precision::Fp8};
    PLUMB_TRY(made.operands, operandsOf(plan, made.op));
    PLUMB_CHECK(common::checkResident(
        plan, call, [&](TensorId id) { return tensorBytes(plan.config, context.traits, plan.tensor(id)); }));
    made.control = stepControlView(plan.config, made.data(plan.stepControl));
    made.scratch = made.data(plan.sharedScratch);
    // The other branch uses the first part meanwhile.
    if (context.beside)
        made.scratch = static_cast<std::byte*>(made.scratch) + firstScratchBytes(plan.config, context.traits);
    return made;
}

void* OpArguments::data(TensorId id) const { return id < 0 ? nullptr : call.buffer(id).data; }

Clock OpArguments::clock() const { return {control.state, capturing ? -1 : call.step}; }

Sums OpArguments::sums() const { return {scratch, control.ticket}; }

Stored OpArguments::stored(TensorRole role, std::int32_t layer, void* memory) const {
    const Dtype dtype = common::storedAs(config, role);
    Stored result{memory, storageOf(dtype), nullptr};
    if (dtypeSize(dtype) == 1)
        result.scale = static_cast<const float*>(data(context.plan->scales)) +
                       statisticsSlot(config, role, layer) * kScalesColumns;
    return result;
}

// Our own products read tf32 as the library does: rounded to 10 bits.
Stored OpArguments::operand(TensorRole role, std::int32_t layer, void* memory) const {
    Stored result = stored(role, layer, memory);
    if (config.precision == Precision::Tf32) result.storage = Storage::Tf32;
    return result;
}

const float* OpArguments::inverseOf(TensorRole role, std::int32_t layer) const {
    return control.inverses + statisticsSlot(config, role, layer);
}

// Gradients of parameters are looked at all together, once they are whole.
Report OpArguments::reportOf(TensorRole role, std::int32_t layer) const {
    Report report;
    const StepPlan& plan = *context.plan;
    report.tally = role != TensorRole::Gradient && common::isLookedAt(config, call, op.phase, role);
    report.writesStatistics = call.writesStatistics;
    report.fresh = report.firstMicroBatch = call.microBatch == 0;
    report.gradient = common::isGradient(role);
    report.slot = statisticsSlot(config, role, layer);
    report.statistics = static_cast<double*>(data(plan.statistics));
    report.lossScale = static_cast<double*>(data(plan.lossScale));
    report.scales = static_cast<float*>(data(plan.scales));
    report.clock = clock();
    report.sums = sums();
    return report;
}

// Those of the micro-batch before this one are its gradients', where a loss asks.
SeenAmaxes OpArguments::seenAmaxes(bool activations, bool gradients, bool first) const {
    const StepMatmuls& matmuls = *context.matmuls;
    SeenAmaxes seen;
    seen.activations = activations && matmuls.scalesResults(MatmulKind::Forward);
    seen.gradients = gradients && matmuls.scalesResults(MatmulKind::InputGradient);
    if (!fp8 || (!seen.activations && !seen.gradients)) return seen;
    seen.amaxes = control.amaxes;
    seen.scales = static_cast<float*>(data(context.plan->scales));
    seen.layers = config.layers;
    seen.rowsOfKind = config.matrices() + 1;
    seen.firstActivations = call.microBatch == 0;
    seen.firstGradients = first;
    seen.clock = clock();
    return seen;
}

Controls OpArguments::controls() const {
    const StepPlan& plan = *context.plan;
    Controls controls;
    controls.state = control.state;
    controls.loss = static_cast<double*>(data(plan.loss));
    controls.statistics = static_cast<double*>(data(plan.statistics));
    controls.lossScale = static_cast<double*>(data(plan.lossScale));
    controls.scales = static_cast<float*>(data(plan.scales));
    if (fp8) controls.inverses = control.inverses;
    return controls;
}

Result<void> OpArguments::refreshInverses() const {
    return checkLaunch(launchInverseScales(static_cast<const float*>(data(context.plan->scales)),
                                           control.inverses, statisticsSlots(config), context.stream),
                       "launchInverseScales");
}

}  // namespace plumb::cuda
