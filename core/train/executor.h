// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/account/reading.h"
#include "core/engine/backend.h"
#include "core/plan/step_plan.h"

#include <memory>
#include <vector>

namespace plumb {

/// Runs a StepPlan on a Backend, op by op, and measures it.
///
/// Residency is the executor's own: a tensor gets memory when the first op that names it runs and loses it
/// after the last op that reads or writes it has run, counted from the ops' reads and writes, not from the
/// plan's lifetimes. That makes the measured memory curve independent of the predicted one.
class Executor {
public:
    /// Allocates and initialises what lives across steps. Errors: OutOfMemory, BadInput, those of the
    /// backend.
    [[nodiscard]] static Result<std::unique_ptr<Executor>>
    create(std::shared_ptr<const StepPlan> plan, Backend& backend, const BatchSource* source);
    ~Executor();

    /// One optimizer step; returns its loss (of the weights before the update). Measures when asked to.
    [[nodiscard]] Result<double> runStep();
    [[nodiscard]] std::int64_t stepsDone() const;

    /// From now on time every op and record the memory counter at every op.
    void setMeasuring(bool on);
    /// Medians over the newest measured steps (at most 63): seconds per op and per step; and the allocator's
    /// curve. FLOPs and bytes are absent, since only counters measure them; the totals' rates are the plan's
    /// FLOPs over measured seconds. Null curve and seconds before a step was measured.
    [[nodiscard]] Reading measuredReading(const Machine& machine) const;
    void forgetMeasurements();

    [[nodiscard]] const StepPlan& plan() const;
    /// A copy of a persistent tensor's bytes (weights, states), by id.
    [[nodiscard]] Result<std::vector<std::byte>> download(TensorId tensor) const;
    [[nodiscard]] Result<void> upload(TensorId tensor, std::span<const std::byte> bytes);

    struct Impl;

private:
    explicit Executor(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

}  // namespace plumb
