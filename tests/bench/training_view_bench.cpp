// SPDX-License-Identifier: GPL-3.0-or-later
// What a slider move and a second of training cost in the operations and training views; a frame has 16 ms.
#include "ui/training/training_view.h"

#include "core/machine/local_cpu.h"
#include "ui/operations/operations_view.h"
#include "ui/overview/overview_view.h"
#include "ui/theme/theme.h"

#include <QTreeView>

#include <benchmark/benchmark.h>

#include <cmath>

namespace {

using namespace plumb;
using namespace plumb::ui;

RunConfig deep(std::int64_t layers, std::int64_t batch) {
    return RunConfig{.dim = 1024, .layers = layers, .batch = batch};
}

Machine device() {
    Machine machine = localCpu();
    machine.bandwidthBytesPerSecond = 1e11;
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e12}};
    machine.perOpOverhead = 1e-6;
    return machine;
}

std::vector<ScenePtr> scenes(Workbench& workbench, std::int64_t firstLayers, std::int64_t secondLayers) {
    (void)workbench.show({device(), cpuTraits()});
    std::vector<ScenePtr> result;
    for (const auto& [layers, batch] : {std::pair{firstLayers, 1024}, std::pair{secondLayers, 2048}}) {
        (void)workbench.show(deep(layers, batch));
        result.push_back(workbench.scene());
    }
    return result;
}

/// A model that is given two scenes in turn; the argument is the depth of the second.
void modelOfTwoScenes(benchmark::State& state) {
    Workbench workbench;
    const auto both = scenes(workbench, 256, static_cast<int>(state.range(0)));
    OperationsModel model;
    std::size_t i = 0;
    for (auto _ : state) model.setScene(both[++i % 2]);
}
BENCHMARK(modelOfTwoScenes)->Unit(benchmark::kMicrosecond)->Arg(256)->Arg(255);

/// Plan, prediction, model, view and the whole of its paint.
void operationsViewSliderMove(benchmark::State& state) {
    Theme theme;
    Workbench workbench;
    (void)workbench.show({device(), cpuTraits()});
    (void)workbench.show(deep(256, 1024));
    OperationsView view({workbench, theme}, ViewSize::Full);
    view.resize(1200, 800);
    view.show();
    view.findChild<QTreeView*>()->expandAll();
    view.grab();
    std::int64_t i = 0;
    for (auto _ : state) {
        (void)workbench.show(deep(256 - (state.range(0) ? i % 2 : 0), 1024 + i % 2));
        benchmark::DoNotOptimize(view.grab());
        ++i;
    }
}
BENCHMARK(operationsViewSliderMove)->ArgName("depth")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

/// A second of a fast run: 60 batches of 200 points, each drawn, behind a history of a million steps.
void trainingViewSecond(benchmark::State& state) {
    Theme theme;
    Workbench workbench;
    workbench.runs().beginRun(RunConfig{}, 0);
    std::int64_t step = 0;
    const auto batch = [&](std::int64_t count) {
        std::vector<StepMetrics> points;
        points.reserve(static_cast<std::size_t>(count));
        for (; count > 0; --count, ++step)
            points.push_back({step,
                              0.01 + 10 / (1.0 + static_cast<double>(step)) *
                                         (1 + 0.1 * std::sin(static_cast<double>(step))),
                              1e-4 * static_cast<double>(step)});
        return points;
    };
    workbench.runs().addLosses(batch(1'000'000), step, 12'000);
    TrainingView view({workbench, theme}, ViewSize::Full);
    view.resize(1200, 800);
    view.setOptions({.axis = TrainingOptions::Axis::Steps, .smoothing = 40});
    view.show();
    view.grab();
    for (auto _ : state) {
        for (int frame = 0; frame < 60; ++frame) {
            workbench.runs().addLosses(batch(200), step, 12'000);
            view.refresh();
            benchmark::DoNotOptimize(view.grab());
        }
    }
    state.counters["points"] = static_cast<double>(view.keptPoints());
    state.counters["ms_per_frame"] =
        benchmark::Counter(60.0 * static_cast<double>(state.iterations()),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(trainingViewSecond)->Unit(benchmark::kMillisecond);

void overviewFirstPaint(benchmark::State& state) {
    Theme theme;
    Workbench workbench;
    (void)workbench.show({device(), cpuTraits()});
    (void)workbench.show(deep(256, 1024));
    for (auto _ : state) {
        OverviewView view({workbench, theme});
        view.resize(1300, 900);
        view.show();
        benchmark::DoNotOptimize(view.grab());
    }
}
BENCHMARK(overviewFirstPaint)->Unit(benchmark::kMillisecond);

}  // namespace
