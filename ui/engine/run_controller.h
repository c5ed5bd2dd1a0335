// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/engine/chosen_device.h"
#include "ui/engine/device_choices.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/engine_devices.h"
#include "ui/engine/engine_work.h"
#include "ui/engine/fit_prover.h"
#include "ui/engine/next_run.h"
#include "ui/engine/run_adoption.h"
#include "ui/workbench/workbench.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace plumb::ui {

/// Turns what the user asks for into commands of the engine; what comes of them is EngineWork's.
/// What-if changes of the workbench during a run never reach the engine; apply() does that.
class RunController final : public QObject {
    Q_OBJECT
public:
    RunController(Workbench& workbench, EngineClient& engine, QObject* parent = nullptr);

    /// What the engine works on now; what it notices and where it fails is passed on.
    [[nodiscard]] EngineWork& work() { return m_work; }
    [[nodiscard]] const EngineWork& work() const { return m_work; }
    [[nodiscard]] DeviceChoices& devices() { return m_devices; }
    [[nodiscard]] EngineDevices& engineDevices() { return m_engineDevices; }
    [[nodiscard]] const ChosenDevice& chosen() const { return m_chosen; }
    [[nodiscard]] NextRun& next() { return m_next; }
    [[nodiscard]] FitProver& prover() { return m_prover; }
    /// The engine was asked to stop and has not finished.
    [[nodiscard]] bool isStopping() const { return m_stopWaits; }
    /// True when a training goes on with another configuration than the sliders show.
    [[nodiscard]] bool canApply() const;
    /// Shows a file in the place of all there is, in one change. Its machine is chosen with it: a device that
    /// is exactly that one, else an entry of its own, on which runs go to the engine's device of the same id,
    /// if there is one. What the engine works on for the document of before is stopped, and its results are
    /// dropped. With `keepsRuns` the runs of before stay to be compared with.
    void showFile(OpenedScene opened, bool keepsRuns = false);
    /// Shows a recorded step in front of the session. The machine that it ran on is chosen where it is
    /// offered: the step is predicted for it, too.
    void showRecording(Recording recording);

    void run();  ///< starts an engine first where none is
    void pauseOrResume();
    /// Asks the engine to stop. Where it has not answered for so long that engineSilent() was told, ends its
    /// process instead and starts another.
    void stop();
    void profile();  ///< profiles the scene, with the counters that are wanted and there
    /// Profiles `config` beside the document: the scene keeps what it has, work().results() bring
    /// the reading. False when it cannot begin, which failed() says.
    bool profileAside(const RunConfig& config, std::int64_t steps);
    void calibrate();
    void apply();  ///< restarts the training with the sliders' configuration

signals:
    void changed();                      ///< engine state, devices or progress
    void recorded(const QString& path);  ///< the engine's step lies in a file there, instead of a reading
    void stopping();                     ///< stop() was asked for
    void failed(const plumb::Error& error);
    /// The engine lives but does not answer; whether to wait or to restart it is the user's choice.
    void engineSilent(const QString& message);
    void noticed(const QString& message);

private:
    void train();

    Workbench& m_workbench;
    EngineClient& m_engine;
    EngineWork m_work;
    DeviceChoices m_devices;
    EngineDevices m_engineDevices;
    ChosenDevice m_chosen;
    NextRun m_next;
    FitProver m_prover;
    RunAdoption m_adoption;
    bool m_restartPending = false;  ///< apply(): the old run is being stopped
    bool m_runWaits = false;        ///< run(): an engine is being started for it
    bool m_stopWaits = false;       ///< isStopping()
};

}  // namespace plumb::ui
