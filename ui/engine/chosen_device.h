// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/device_choices.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/engine_work.h"
#include "ui/workbench/workbench.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>

namespace plumb::ui {

/// What the engine can do on the device that is chosen now, and its part of the commands.
class ChosenDevice final {
public:
    /// All three outlive it.
    ChosenDevice(const Workbench& workbench, const EngineClient& engine, const DeviceChoices& devices)
        : m_workbench(workbench), m_engine(engine), m_devices(devices) {}

    /// Empty when a run would work; else why not, as a sentence.
    [[nodiscard]] QString whyNotRun() const;
    /// Whether a training can be asked for: also where there is no engine, which is started for it.
    [[nodiscard]] bool canTrain() const;
    /// Empty when the device that profiles has counters; else why not, as a sentence.
    [[nodiscard]] QString whyNoCounters() const;
    /// How many steps more a profile of the scene takes with that much; empty: not known, or no counters.
    [[nodiscard]] std::optional<std::int64_t> countingSteps(CounterDetail detail) const;

    /// The job of `plan`. Errors: Unavailable where whyNotRun() says something, those of checkFits().
    [[nodiscard]] Result<EngineJob> job(const std::shared_ptr<const StepPlan>& plan) const;
    /// `config` for the backend of the device.
    [[nodiscard]] RunConfig configured(RunConfig config) const;
    /// As a command names it: UUID of the GPU of the engine that it runs on, how PyTorch runs there; empty:
    /// the engine's processor.
    [[nodiscard]] std::string name() const;

private:
    /// Why a run would not work, and what to do about it.
    struct Obstacle {
        QString what, remedy;
    };
    [[nodiscard]] std::optional<Obstacle> obstacle() const;

    const Workbench& m_workbench;
    const EngineClient& m_engine;
    const DeviceChoices& m_devices;
};

}  // namespace plumb::ui
