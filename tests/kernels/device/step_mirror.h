// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/control_tensors.h"
#include "kernels/common/rule_settings.h"
#include "tests/kernels/device/kernel_runner.h"
#include "tests/kernels/step_harness.h"

#include <cmath>
#include <optional>
#include <vector>

namespace plumb::test {

/// A step of the CPU backend, and beside it the same tensors in a runner's memory: an op is run on both, from
/// the same state.
class StepMirror {
public:
    StepMirror(KernelRunner& runner, StepHarness& harness)
        : m_runner(runner), m_harness(harness), m_room(runner, 4U << 20U), m_state(runner, 1) {
        for (const Buffer& buffer : harness.buffers)
            m_copies.emplace_back(runner, static_cast<std::size_t>(std::max<Bytes>(buffer.bytes, 1)));
    }

    /// Everything as the CPU backend has it now.
    void push() {
        for (std::size_t id = 0; id < m_copies.size(); ++id) {
            const Buffer& buffer = m_harness.buffers[id];
            if (buffer.data == nullptr) continue;
            m_runner.upload(m_copies[id].data(), buffer.data, static_cast<std::size_t>(buffer.bytes));
        }
        std::vector<cuda::StepState> state(1);
        state[0].step = m_harness.step;
        m_state.set(state);
    }
    [[nodiscard]] std::vector<std::byte> pull(std::size_t id) const { return m_copies[id].get(); }
    [[nodiscard]] cuda::StepState state() const { return m_state.get()[0]; }
    /// Nothing was written beyond a tensor, and no ticket was left.
    [[nodiscard]] bool clean() const {
        for (const auto& copy : m_copies)
            if (!copy.guarded()) return false;
        return m_room.clean();
    }

    /// Runs an op that is no matrix product of a layer. Returns what the launch does, -1 for another op.
    int run(std::int32_t index, std::int64_t microBatch) {
        const Op& op = m_harness.plan.op(index);
        m_microBatch = microBatch;
        switch (op.kind) {
        case OpKind::LoadBatch:
            return twice(batch(op), &KernelRunner::synthesise);
        case OpKind::HeadForward:
            return m_runner.headForward(head(op));
        case OpKind::LossGradient:
            return twice(loss(op), &KernelRunner::loss);
        case OpKind::WeightGradient:
            return op.isHead ? m_runner.headWeightGradient(head(op)) : -1;
        case OpKind::InputGradient:
            return op.isHead ? twice(head(op), &KernelRunner::headInputGradient) : -1;
        case OpKind::GradientNorm:
            return m_runner.gradients(gradients());
        case OpKind::OptimizerStep:
            if (const int error = m_runner.tick(tick())) return error;
            return m_runner.optimizer(optimizer());
        default:
            return -1;
        }
    }

    [[nodiscard]] cuda::TickArguments tick() {
        cuda::TickArguments a;
        a.controls = controls();
        if (!m_schedule) m_schedule.emplace(m_runner, std::vector<RateSchedule>{rateSchedule(config())});
        a.schedule = m_schedule->data();
        a.settings = common::ruleSettings(config());
        return a;
    }
    [[nodiscard]] cuda::OptimizerArguments optimizer() {
        cuda::OptimizerArguments a;
        a.parameters = parameters();
        a.controls = controls();
        a.rule = common::ruleOf(config());
        a.writesStatistics = m_harness.writesStatistics;
        a.clipNorm = config().clipNorm;
        a.growth = config().lossScaling.growth;
        a.backoff = config().lossScaling.backoff;
        a.interval = config().lossScaling.interval;
        a.activations = cpu::storageOf(config().activationDtype());
        a.activationGradients = cpu::storageOf(config().activationGradientDtype());
        a.sums = m_room.sums();
        if (config().optimizer == Optimizer::Adafactor) {
            m_adafactor.emplace(m_runner, std::size_t{4} << 20U);
            a.adafactor = m_adafactor->data();
        }
        return a;
    }
    [[nodiscard]] cuda::GradientArguments gradients() {
        cuda::GradientArguments a;
        a.parameters = parameters();
        a.controls = controls();
        a.sums = m_room.sums();
        return a;
    }
    [[nodiscard]] cuda::Controls controls() {
        cuda::Controls c;
        const StepPlan& plan = m_harness.plan;
        c.state = m_state.data();
        c.loss = at<double>(plan.loss);
        c.statistics = at<double>(plan.statistics);
        c.lossScale = at<double>(plan.lossScale);
        c.scales = at<float>(plan.scales);
        return c;
    }
    [[nodiscard]] cuda::Parameters parameters() {
        std::vector<cuda::DeviceMatrix> matrices;
        constexpr std::array kStates{TensorRole::Moment1, TensorRole::Moment2, TensorRole::Moment3};
        for (std::int32_t layer = 1; layer <= config().matrices(); ++layer) {
            cuda::DeviceMatrix matrix;
            matrix.weight = of(TensorRole::Weight, layer);
            matrix.gradient = of(TensorRole::Gradient, layer);
            if (config().hasMasterCopy()) matrix.master = static_cast<float*>(of(TensorRole::Master, layer));
            for (std::size_t state = 0; state < optimizerStates(config()).count; ++state)
                matrix.states[state] = static_cast<float*>(of(kStates[state], layer));
            matrices.push_back(matrix);
        }
        m_matrices.emplace(m_runner, matrices);
        cuda::Parameters p;
        p.matrices = m_matrices->data();
        p.layers = config().matrices() - 1;
        p.dim = config().dim;
        p.outputs = config().outputWidth();
        p.weight = cpu::storageOf(config().weightDtype());
        p.gradient = cpu::storageOf(config().parameterGradientDtype());
        p.masters = config().hasMasterCopy();
        return p;
    }

private:
    [[nodiscard]] const RunConfig& config() const { return m_harness.plan.config; }
    template <class T>
    [[nodiscard]] T* at(TensorId id) {
        return id < 0 ? nullptr : reinterpret_cast<T*>(m_copies[static_cast<std::size_t>(id)].data());
    }
    [[nodiscard]] void* of(TensorRole role, std::int32_t layer) {
        return m_copies[m_harness.find(role, layer)].data();
    }
    /// The op's own tensor of that role: in the plan the same one may occur once a pass.
    [[nodiscard]] void* of(const Op& op, TensorRole role) {
        for (const auto* ranges : {&op.writes, &op.reads})
            for (const TensorRange& range : *ranges)
                for (TensorId id = range.first; id < range.first + range.count; ++id)
                    if (m_harness.plan.tensor(id).role == role) return at<void>(id);
        return nullptr;
    }
    [[nodiscard]] cuda::Stored stored(void* data, TensorRole role, std::int32_t layer, Dtype dtype) {
        cuda::Stored tensor;
        tensor.data = data;
        tensor.storage = cpu::storageOf(dtype);
        if (dtypeSize(dtype) == 1)
            tensor.scale =
                at<float>(m_harness.plan.scales) + statisticsSlot(config(), role, layer) * kScalesColumns;
        return tensor;
    }
    [[nodiscard]] cuda::Report report(TensorRole role, std::int32_t layer, Dtype dtype) {
        cuda::Report r;
        r.tally = dtypeSize(dtype) == 1 || m_harness.writesStatistics;
        r.writesStatistics = m_harness.writesStatistics;
        r.fresh = r.firstMicroBatch = m_microBatch == 0;
        r.gradient = role == TensorRole::HeadGradient || role == TensorRole::ActivationGradient;
        r.slot = statisticsSlot(config(), role, layer);
        r.statistics = at<double>(m_harness.plan.statistics);
        r.lossScale = at<double>(m_harness.plan.lossScale);
        r.scales = at<float>(m_harness.plan.scales);
        r.clock.state = m_state.data();
        r.sums = m_room.sums();
        return r;
    }
    template <class Arguments>
    int twice(const Arguments& a, int (KernelRunner::*launch)(const Arguments&, bool)) {
        if (m_harness.plan.scales >= 0)
            if (const int error = (m_runner.*launch)(a, true)) return error;
        return (m_runner.*launch)(a, false);
    }

    cuda::SynthesiseArguments batch(const Op& op) {
        cuda::SynthesiseArguments a;
        a.seed = config().seed;
        a.clock.state = m_state.data();
        a.microBatch = m_microBatch;
        const auto d = static_cast<double>(config().dim);
        a.scale = config().dim == 1 ? 1 : 1 / std::sqrt((d - 1) * d * (2 * d - 1) / 6);
        a.noise = config().noise;
        a.x = stored(of(op, TensorRole::Features), TensorRole::Features, 0, config().activationDtype());
        a.t = static_cast<float*>(of(op, TensorRole::Targets));
        a.rows = config().microBatchSize();
        a.dim = config().dim;
        a.outputs = config().outputWidth();
        a.report = report(TensorRole::Features, 0, config().activationDtype());
        return a;
    }
    cuda::HeadArguments head(const Op& op) {
        const auto last = static_cast<std::int32_t>(config().layers);
        const bool toInput = op.kind == OpKind::InputGradient;
        const TensorRole role = last == 0 ? TensorRole::Features : TensorRole::Activation;
        cuda::HeadArguments a;
        if (!toInput || op.fusedActivation)
            a.h = stored(of(op, role), role, last, config().activationDtype());
        a.h.storage = cpu::storageOf(config().activationDtype());
        if (config().precision == Precision::Tf32) a.h.storage = common::Storage::Tf32;
        a.weight = stored(of(op, TensorRole::Weight), TensorRole::Weight, last + 1, config().weightDtype());
        a.y = static_cast<float*>(of(op, TensorRole::HeadOutput));
        a.dy = stored(of(op, TensorRole::HeadGradient), TensorRole::HeadGradient, last + 1,
                      config().activationGradientDtype());
        a.result = toInput ? stored(of(op, TensorRole::ActivationGradient), TensorRole::ActivationGradient,
                                    last, config().activationGradientDtype())
                           : stored(of(op, TensorRole::Gradient), TensorRole::Gradient, last + 1,
                                    config().parameterGradientDtype());
        a.accumulate = op.accumulates;
        a.partials = static_cast<float*>(m_room.partials());
        a.tickets = m_room.tickets();
        a.rows = config().microBatchSize();
        a.dim = config().dim;
        a.outputs = config().outputs;
        a.report = report(TensorRole::ActivationGradient, last, config().activationGradientDtype());
        return a;
    }
    cuda::LossArguments loss(const Op& op) {
        const auto layer = static_cast<std::int32_t>(config().matrices());
        const bool head = config().head;
        const TensorRole role = head ? TensorRole::HeadGradient : TensorRole::ActivationGradient;
        cuda::LossArguments a;
        if (head)
            a.y.data = of(op, TensorRole::HeadOutput);
        else
            a.y = stored(of(op, TensorRole::Activation), TensorRole::Activation, layer,
                         config().activationDtype());
        a.isActivation = !head;
        a.relu = op.fusedActivation;
        a.t = static_cast<float*>(of(op, TensorRole::Targets));
        a.dy = stored(of(op, role), role, layer, config().activationGradientDtype());
        a.loss = static_cast<double*>(of(op, TensorRole::Loss));
        a.accumulate = op.accumulates;
        a.outputsOfStep = static_cast<double>(config().batch) * static_cast<double>(config().outputWidth());
        a.count = config().microBatchSize() * config().outputWidth();
        a.report = report(role, layer, config().activationGradientDtype());
        a.sums = m_room.sums();
        return a;
    }

    KernelRunner& m_runner;
    StepHarness& m_harness;
    SumRoom m_room;
    DeviceArray<cuda::StepState> m_state;
    std::vector<DeviceArray<std::byte>> m_copies;
    std::optional<DeviceArray<RateSchedule>> m_schedule;
    std::optional<DeviceArray<cuda::DeviceMatrix>> m_matrices;
    std::optional<DeviceArray<std::byte>> m_adafactor;
    std::int64_t m_microBatch = 0;
};

}  // namespace plumb::test
