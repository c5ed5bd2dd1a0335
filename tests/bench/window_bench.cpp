// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window, offscreen: a slider move at 256 layers until every pixel is painted (one frame is 16 ms),
// the start until the first paint (at most 500 ms), and a batch of losses as it arrives 60 times a second.
// Processor time counts, so that waiting for the frame timer of a view does not.
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>

#include <benchmark/benchmark.h>

#include <cmath>
#include <random>

namespace plumb::ui {
namespace {

constexpr int kFrameMs = 40;  ///< long enough for every view's frame timer

/// What every window is made with.
struct Bench {
    Bench() { theme.apply(*qApp); }

    QTemporaryDir folder;
    Settings settings{folder.filePath(QStringLiteral("window.ini"))};
    Theme theme;
};

Bench& bench() {
    static Bench& instance = *new Bench;  // never deleted: the application uses the theme until its end
    return instance;
}

void waitForFrame() {
    QEventLoop loop;
    QTimer::singleShot(kFrameMs, &loop, &QEventLoop::quit);
    loop.exec();
}

RunConfig config(int step) {
    return RunConfig{.dim = 1024,
                     .layers = 256,
                     .batch = 1024 + 64 * (step % 32),
                     .recompute = {RecomputePolicy::Kind::Every, 16}};
}

void windowSliderMove(benchmark::State& state) {
    MainWindow window(bench().settings, bench().theme);
    const int tab = static_cast<int>(state.range(0));
    if (!window.views().isThere(tab)) return state.SkipWithError("nothing is open that it shows");
    window.views().setCurrentTab(tab);
    window.resize(1600, 1000);
    window.show();
    (void)window.workbench().show(config(0));
    const auto plan = window.workbench().scene()->whatIf.plan;
    auto reading =
        std::make_shared<Reading>(predictedReading(*plan, window.workbench().scene()->whatIf.machine()));
    reading->source = Source::Clock;
    for (OpReading& op : reading->ops) op.seconds = 1e-3;
    window.workbench().setMeasured(reading, plan);
    waitForFrame();
    int step = 0;
    for (auto _ : state) {
        (void)window.workbench().show(config(++step));
        waitForFrame();
    }
    state.SetLabel(ViewStack::views()[static_cast<std::size_t>(state.range(0))].id);
}
BENCHMARK(windowSliderMove)
    ->DenseRange(0, ViewStack::tabCount() - 1)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(20);

void windowStart(benchmark::State& state) {
    bench();
    for (auto _ : state) {
        MainWindow window(bench().settings, bench().theme);
        window.show();
        benchmark::DoNotOptimize(window.grab());
    }
}
BENCHMARK(windowStart)->Unit(benchmark::kMillisecond)->Iterations(5);

void windowLossBatch(benchmark::State& state) {
    MainWindow window(bench().settings, bench().theme);
    window.resize(1600, 1000);
    window.show();
    window.workbench().runs().beginRun(window.workbench().config(), 0);
    std::int64_t step = 0;
    std::mt19937 random(7);
    std::lognormal_distribution<double> noise(0.0, 0.3);
    const auto batch = [&] {
        std::vector<StepMetrics> points;
        for (int i = 0; i < 200; ++i, ++step) {
            const double time = 1e-4 * static_cast<double>(step);
            points.push_back({step, (0.01 + std::exp(-0.1 * time)) * noise(random), time});
        }
        return points;
    };
    for (int i = 0; i < 5000; ++i)
        window.workbench().runs().addLosses(batch(), step, 12000);  // a million steps before
    waitForFrame();
    for (auto _ : state) {
        window.workbench().runs().addLosses(batch(), step, 12000);
        waitForFrame();
    }
}
BENCHMARK(windowLossBatch)->Unit(benchmark::kMillisecond)->Iterations(20);

}  // namespace
}  // namespace plumb::ui
