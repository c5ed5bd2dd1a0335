// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window, offscreen: a slider move at 512 layers until every pixel is painted (one frame is 16.7
// ms), a key in the palette (likewise), and the start until the first paint (at most 300 ms). Processor time
// of the thread of the window counts, so that waiting for the frame timer of a view does not. The probe
// paints the same number of pixels: quote the ratio.
#include "tests/bench/bench_window.h"
#include "ui/shell/palette_entry.h"

#include <QImage>
#include <QPainter>
#include <QProcess>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <memory>
#include <string>
#include <vector>

namespace plumb::ui {
namespace {

constexpr int kLayers = 512;
constexpr int kWidth = 1600, kHeight = 1000;

/// What a move changes: the sizes of all ops, or which ops there are.
enum class Slider { Batch, Layers };

RunConfig config(Slider slider, int step) {
    RunConfig made{
        .dim = 1024, .layers = kLayers, .batch = 1024, .recompute = {RecomputePolicy::Kind::Every, 16}};
    if (slider == Slider::Batch)
        made.batch += std::int64_t{64} * (step % 32);
    else
        made.layers -= step % 32;
    return made;
}

/// With a measurement of the step, as after a profile.
void measure(MainWindow& window) {
    const auto plan = window.workbench().scene()->whatIf.plan;
    auto reading =
        std::make_shared<Reading>(predictedReading(*plan, window.workbench().scene()->whatIf.machine()));
    reading->source = Source::Clock;
    for (OpReading& op : reading->ops) op.seconds = 1e-3;
    window.workbench().setMeasured(reading, plan);
}

void windowSliderMove(benchmark::State& state) {
    MainWindow window(room().settings, room().theme);
    const int tab = static_cast<int>(state.range(0));
    const auto slider = static_cast<Slider>(state.range(1));
    if (!window.views().isThere(tab)) return state.SkipWithError("nothing is open that it shows");
    window.views().setCurrentTab(tab);
    window.resize(kWidth, kHeight);
    window.show();
    (void)window.workbench().show(benchTarget());
    (void)window.workbench().show(config(slider, 0));
    measure(window);
    waitForFrame();
    const std::string name = std::string(ViewStack::views()[static_cast<std::size_t>(tab)].id) +
                             (slider == Slider::Batch ? ", batch" : ", layers");
    const double handBegan = handSeconds(), allBegan = allSeconds();
    double until = 0;  // the move itself returns; the rest is painting
    int step = 0;
    for (auto _ : state) {
        const double began = handSeconds();
        (void)window.session().history.change(config(slider, ++step), QStringLiteral("bench"), 1);
        until += handSeconds() - began;
        waitForFrame();
    }
    const double hand = handSeconds() - handBegan;
    const auto each = [](double seconds) {
        return benchmark::Counter(1e3 * seconds, benchmark::Counter::kAvgIterations);
    };
    state.counters["move_ms"] = each(until);
    state.counters["paint_ms"] = each(hand - until);
    state.counters["workers_ms"] = each(allSeconds() - allBegan - hand);
    state.SetLabel(name);
}
BENCHMARK(windowSliderMove)
    ->ArgsProduct({benchmark::CreateDenseRange(0, ViewStack::tabCount() - 1, 1), {0, 1}})
    ->ArgNames({"view", "slider"})
    ->Unit(benchmark::kMillisecond);

void windowStart(benchmark::State& state) {
    room();
    double made = 0;
    for (auto _ : state) {
        const double began = handSeconds();
        MainWindow window(room().settings, room().theme);
        window.show();
        made += handSeconds() - began;
        benchmark::DoNotOptimize(window.grab());
    }
    state.counters["made_ms"] = benchmark::Counter(1e3 * made, benchmark::Counter::kAvgIterations);
}
BENCHMARK(windowStart)->Unit(benchmark::kMillisecond);

/// The program itself from nothing: libraries, fonts, window, one picture of it, and its end.
void programStart(benchmark::State& state) {
    const auto childSeconds = [] {
        rusage use{};
        getrusage(RUSAGE_CHILDREN, &use);
        const auto seconds = [](const timeval& time) {
            return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
        };
        return seconds(use.ru_utime) + seconds(use.ru_stime);
    };
    for (auto _ : state) {
        const double began = childSeconds();
        if (QProcess::execute(QStringLiteral(PLUMBLINE_PROGRAM), {QStringLiteral("--self-test")}) != 0)
            return state.SkipWithError("the program did not start");
        state.SetIterationTime(childSeconds() - began);
    }
}
BENCHMARK(programStart)->Unit(benchmark::kMillisecond)->UseManualTime();

/// What the palette finds among ten thousand operations after a key.
void paletteKey(benchmark::State& state, const char* typed) {
    std::vector<PaletteEntry> entries;
    for (int i = 0; i < 10'000; ++i)
        entries.push_back({QStringLiteral("layer %1 · backward · weight gradient").arg(i),
                           QStringLiteral("Operation"),
                           QStringLiteral("layer%1.backward.weight").arg(i),
                           {},
                           [] {}});
    for (auto _ : state) benchmark::DoNotOptimize(ranked(entries, QString::fromUtf8(typed), 200));
}
BENCHMARK_CAPTURE(paletteKey, letter, "l")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paletteKey, word, "grad")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paletteKey, words, "layer back w")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paletteKey, nothing, "nothing")->Unit(benchmark::kMillisecond);

void pixelProbe(benchmark::State& state) {
    QImage image(kWidth, kHeight, QImage::Format_ARGB32_Premultiplied);
    for (auto _ : state) {
        QPainter painter(&image);
        painter.fillRect(image.rect(), Qt::white);
        for (int i = 0; i < 10'000; ++i)
            painter.fillRect(QRectF(i % kWidth, i * 17 % kHeight, 1 + i % 5, 15), QColor(i % 255, 90, 120));
    }
}
BENCHMARK(pixelProbe)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace plumb::ui
