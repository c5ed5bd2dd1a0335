// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/engine/fake_engine.h"
#include "tests/ui/support.h"
#include "ui/shell/main_window.h"

#include <QFile>
#include <QTemporaryDir>

namespace plumb::ui::test {

/// The whole window against a fake engine, with settings and files of its own.
struct Shell {
    explicit Shell(const QString& mode = QStringLiteral("normal")) {
        window.engine().setCommand(test::fakeEngine(mode));
        window.show();
    }
    [[nodiscard]] bool ready() {
        window.engine().start();
        return waitFor([this] {
            return window.controller().chosen().whyNotRun().isEmpty() &&
                   window.workbench().scene()->whatIf.machine().id == "fake-cpu";
        });
    }
    void trigger(const char* id) { window.actions().action(QString::fromLatin1(id))->trigger(); }
    [[nodiscard]] bool enabled(const char* id) {
        return window.actions().action(QString::fromLatin1(id))->isEnabled();
    }
    [[nodiscard]] QString file(const char* name) const { return folder.filePath(QString::fromLatin1(name)); }
    /// The path of a new file.
    [[nodiscard]] QString write(const char* name, const QByteArray& text) const {
        QFile written(file(name));
        EXPECT_TRUE(written.open(QIODevice::WriteOnly));
        written.write(text);
        return written.fileName();
    }
    [[nodiscard]] bool save(const QString& path) { return window.document().save(path); }
    [[nodiscard]] bool open(const QString& path) {
        window.openFile(path);
        return waitFor([this] { return !window.document().opening(); });
    }

    FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    QTemporaryDir folder;
    const bool hasHistory =
        qputenv("PLUMBLINE_HISTORY", folder.filePath(QStringLiteral("history.sqlite")).toUtf8());
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
    MainWindow window{settings, theme};
};

}  // namespace plumb::ui::test
