// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/engine/fake_engine.h"
#include "tests/ui/support.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/run_controller.h"

#include <QStringList>

namespace plumb::ui::test {

/// Workbench, client and controller against a fake engine of one behaviour.
struct EngineBench {
    explicit EngineBench(const QString& mode) {
        engine.setCommand(fakeEngine(mode));
        QObject::connect(&engine, &EngineClient::ended, [this](const QString& reason) { ends << reason; });
        QObject::connect(&controller.work(), &EngineWork::engineLost,
                         [this](const QString& text) { lost << text; });
        QObject::connect(&controller, &RunController::engineSilent,
                         [this](const QString& text) { silences << text; });
        QObject::connect(&controller, &RunController::noticed,
                         [this](const QString& text) { notices << text; });
        QObject::connect(&controller, &RunController::failed,
                         [this](const Error& error) { errors << QString::fromStdString(error.text()); });
    }
    [[nodiscard]] bool ready() {
        engine.start();
        return waitFor([this] {
            return controller.work().engineReady() &&
                   controller.devices().all().front().target.machine.id == "fake-cpu";
        });
    }
    FailOnQtWarnings guard;
    Workbench workbench;
    EngineClient engine;
    RunController controller{workbench, engine};
    QStringList ends, lost, errors, silences, notices;
};

}  // namespace plumb::ui::test
