// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/support.h"
#include "ui/engine/engine_client.h"
#include "ui/engine/lab_engine.h"
#include "ui/engine/run_controller.h"
#include "ui/lab/lab_page.h"
#include "ui/settings/settings.h"
#include "ui/theme/theme.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/workbench.h"

#include <QTemporaryDir>

namespace plumb::ui::test {

/// What a window is made with; settings in a folder of their own.
struct WindowBench {
    FailOnQtWarnings guard{
        {QStringLiteral("propagateSizeHints"), QStringLiteral("This plugin does not support")}};
    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
};

/// What a page of the Lab is made with.
struct LabBench : WindowBench {
    [[nodiscard]] LabContext context() {
        return {{workbench, theme}, controller, labEngine, history.stack(), settings};
    }

    Workbench workbench;
    EngineClient engine;
    RunController controller{workbench, engine};
    LabEngine labEngine{controller, engine};
    ConfigHistory history{workbench};
};

}  // namespace plumb::ui::test
