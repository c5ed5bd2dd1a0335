// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/compared_steps.h"
#include "ui/engine/curve_measurer.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/lab_engine.h"
#include "ui/engine/run_controller.h"
#include "ui/history/history.h"
#include "ui/opened/opened_files.h"
#include "ui/shell/document.h"
#include "ui/shell/history_recorder.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/device_library.h"
#include "ui/workbench/mark_edits.h"
#include "ui/workbench/workbench.h"

#include <QByteArray>

namespace plumb::ui {

/// What the window works on, without any widget: the scene, the engine, the file, and what connects them.
struct Session {
    explicit Session(const QString& engineCommand, const QString& historyPath = History::usualPath())
        : kept(historyPath) {
        engine.setCommand(engineCommand);
        QObject::connect(&library, &DeviceLibrary::changed, &controller.devices(),
                         &DeviceChoices::reloadOwnDevices);
        QObject::connect(&controller.devices(), &DeviceChoices::changed, &library, [this] {
            std::vector<Machine> listed;
            for (const DeviceChoice& choice : controller.devices().all())
                if (choice.ofEngine) listed.push_back(choice.target.machine);
            library.setGpus(listed);
        });
    }

    Workbench workbench;
    EngineClient engine;
    RunController controller{workbench, engine};
    LabEngine labEngine{controller, engine};
    CurveMeasurer measurer{controller};
    ConfigHistory history{workbench};
    MarkEdits markEdits{workbench.marks, history.stack()};
    DeviceLibrary library;
    ComparedSteps compared;
    Document document{workbench, controller, history, measurer};
    OpenedFiles openedFiles;
    /// What the planner of this document was asked last; empty: nothing yet, so that it begins with what that
    /// of any document was.
    QByteArray plan;
    History kept;
    HistoryRecorder recorder{kept, workbench, controller, measurer, document};
};

}  // namespace plumb::ui
