// SPDX-License-Identifier: GPL-3.0-or-later
// A window that shows something in every view, for tests of all that it says.
#pragma once

#include "tests/ui/engine/fake_engine.h"
#include "tests/ui/ranks/rank_scenes.h"
#include "tests/ui/shell/shell_walk.h"
#include "tests/ui/shell/window_texts.h"
#include "tests/ui/support.h"
#include "tests/ui/timeline/timeline_scenes.h"
#include "ui/lab/lab_view.h"
#include "ui/planner/planner_view.h"
#include "ui/shell/window_frame.h"
#include "ui/shell/window_host.h"
#include "ui/theme/translations.h"
#include "ui/training/training_view.h"

#include "test_paths.h"

#include <QApplication>
#include <QPointer>
#include <QSet>
#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace plumb::ui::test {

/// Lets every layout that waits have its turn.
inline void settle() {
    constexpr int kDeepest = 6;  // a label in a card in a page that scrolls in another one
    for (int i = 0; i < kDeepest; ++i) QCoreApplication::processEvents();
}

/// The program with a prediction, a measurement, a run, and a file of each other profiler.
struct FilledWindow {
    FilledWindow() {
        host.window().engine().setCommand(test::fakeEngine(QStringLiteral("normal")));
        host.frame().show();
    }
    [[nodiscard]] MainWindow& window() { return host.window(); }
    [[nodiscard]] bool fill() {
        window().engine().start();
        if (!waitFor([this] { return window().controller().chosen().whyNotRun().isEmpty(); })) return false;
        Workbench& bench = window().workbench();
        const Machine machine = bench.scene()->whatIf.machine();
        const auto plan = bench.scene()->whatIf.plan;
        bench.setMeasured(withTimeline(*testReading(*plan, machine), {.device = true}), plan);
        bench.runs().beginRun(bench.config(), 2000);
        std::vector<StepMetrics> points;
        constexpr int kSteps = 2000;
        points.reserve(kSteps);
        for (int i = 0; i < kSteps; ++i) points.push_back({i, std::exp(-i / 400.0), i / 456.0});
        bench.runs().addLosses(points, kSteps, 456.0);
        bench.runs().endRun(endOf("finished"), QStringLiteral("finished"));
        for (const char* file : {"/trace/cuda.json.gz", "/memory/step_protocol5.pickle"}) {
            window().openFile(QStringLiteral(PLUMB_TEST_DATA) + QLatin1String(file));
            if (!waitFor([this] { return !window().openedFiles().isReading(); })) return false;
        }
        const auto op = [&](int at) { return bench.scene()->whatIf.step->opId(at); };
        bench.marks.put(
            {"The second product waits for its input.\nTry a larger micro-batch.",
             {{"where the peak is", "memory", op(3), "", {}},
              {"a range with a long title, as somebody writes it", "operations", op(5), op(8), {}},
              {"", "timeline", "", "", MarkedTime{0.001, 0.002}},
              {"of another step", "roofline", "layer99.forward", "", {}}}});
        const QString saved = folder.filePath(QStringLiteral("saved.plumb"));
        if (!window().document().save(saved)) return false;
        window().compared().open({saved, saved});
        return waitFor([this] { return window().compared().comparison() != nullptr; });
    }
    [[nodiscard]] bool record(bool isRecording) {
        if (!isRecording) window().workbench().open(std::optional<Recording>());
        if (isRecording) window().openFile(QStringLiteral(PLUMB_TEST_DATA "/step/decoder.plumb"));
        return waitFor([&] { return (window().workbench().recording() != nullptr) == isRecording; });
    }
    [[nodiscard]] bool choose(const char* id) {
        const QPointer<MainWindow> old(&host.window());
        host.window().actions().action(QString::fromLatin1(id))->trigger();
        return waitFor([&] { return old.isNull(); });
    }
    /// Calls `look` with each page of each view, in the window's size.
    void forEachPage(const std::function<void(const std::string&)>& look) {
        forEachTab(window(), [&](const std::string& id) {
            QWidget* const view = window().views().currentView();
            int pages = 1;
            std::function<void(int)> turn = [](int) {};
            if (auto* lab = qobject_cast<LabView*>(view)) {
                pages = static_cast<int>(LabView::pageIds().size());
                turn = [lab](int page) { lab->setPage(page); };
            }
            if (auto* planner = qobject_cast<PlannerView*>(view)) {
                pages = PlannerView::pageCount();
                turn = [planner](int page) { planner->showPage(page); };
            }
            for (int page = 0; page < pages; ++page) {
                turn(page);
                settle();
                EXPECT_TRUE(waitFor([view] { return !view->property(kBusyView).toBool(); }));
                settle();
                look(pages == 1 ? id : id + ' ' + std::to_string(page));
            }
            turn(0);
        });
    }

    /// Shows the view of the devices with a measured step of several ranks, in place of the session's own.
    void showRanks(std::int64_t ranks = 2) {
        showRanked(window().workbench(), rankedConfig(ranks, 16));
        window().views().goToTab(ViewStack::tabOf(QStringLiteral("devices")));
        settle();
    }

    /// Calls `judge` once with each text of every page, of the session and with a recorded step in front of
    /// it. Returns how many there were.
    [[nodiscard]] qsizetype
    forEachText(const std::function<void(const QString& text, const std::string& where)>& judge) {
        QSet<QString> seen;
        const auto look = [&](const std::string& page) {
            textsOf(window(), [&](const QString& text, const std::string& where) {
                if (text.isEmpty() || seen.contains(text)) return;
                seen.insert(text);
                judge(text, page + ", " + where);
            });
        };
        forEachPage(look);
        showRanks();
        look("devices of two ranks");
        if (!record(true)) return 0;
        forEachPage(look);
        return seen.size();
    }

    FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    QTemporaryDir folder;
    const bool hasHistory =
        qputenv("PLUMBLINE_HISTORY", folder.filePath(QStringLiteral("history.sqlite")).toUtf8());
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
    Translations translations{*qApp};
    WindowHost host{settings, theme, translations};
};

}  // namespace plumb::ui::test
