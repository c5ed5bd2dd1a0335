// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/command_line.h"
#include "tests/ui/engine/engine_bench.h"
#include "ui/theme/text.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <csignal>

namespace plumb::ui::test {

/// Workbench, client and controller attached to a real engine that outlives its connection, which goes
/// through a shell that can be told to refuse it.
struct ServedBench {
    ServedBench() {
        bench.engine.setCommand(command());
        EXPECT_TRUE(bench.workbench.show(smallConfig()).has_value());
    }
    ~ServedBench() { endEngine(); }

    [[nodiscard]] static RunConfig smallConfig() {
        RunConfig config;
        config.dim = 16;
        config.layers = 2;
        config.batch = 8;
        return config;
    }
    [[nodiscard]] QString command() const {
        const std::string script = "test -e " + quotedWord(down().toStdString()) +
                                   " && { echo no route to the host >&2; exit 255; }; exec " +
                                   quotedWord(PLUMB_CLI) + " engine --attach --folder " +
                                   quotedWord(place().toStdString()) + " \"$@\"";
        return toText(joinCommandLine(
            {"env", "OMP_NUM_THREADS=1", "PLUMBLINE_CUDA_MODULE=none", "sh", "-c", script, "sh"}));
    }
    [[nodiscard]] QString down() const { return folder.filePath(QStringLiteral("is down")); }
    [[nodiscard]] QString place() const { return folder.filePath(QStringLiteral("place")); }
    void setDown(bool isDown) const {
        QFile file(down());
        if (!isDown) {
            file.remove();
            return;
        }
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    }
    void breakConnection() { ::kill(static_cast<pid_t>(bench.engine.processId()), SIGKILL); }
    void endEngine() const {
        const QStringList arguments{QStringLiteral("engine"), QStringLiteral("--end"),
                                    QStringLiteral("--folder"), place()};
        EXPECT_EQ(QProcess::execute(QStringLiteral(PLUMB_CLI), arguments), 0);
    }
    [[nodiscard]] bool ready() {
        bench.engine.start();
        return waitFor([this] { return bench.controller.chosen().whyNotRun().isEmpty(); });
    }
    [[nodiscard]] bool trains() {
        if (!ready()) return false;
        bench.controller.run();
        return waitFor([this] { return steps() > 0; });
    }
    [[nodiscard]] std::int64_t steps() const { return bench.workbench.runs().all().back()->stepsDone; }
    [[nodiscard]] bool lost() const { return bench.engine.state() == EngineClient::State::Lost; }

    QTemporaryDir folder;
    EngineBench bench{QStringLiteral("normal")};
};

}  // namespace plumb::ui::test
