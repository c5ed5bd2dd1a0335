// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window, offscreen, while a training of 10 000 steps a second goes on: a batch of losses as it
// arrives 60 times a second, by processor time of the window's thread, and what the window keeps of so many
// steps.
#include "tests/bench/bench_window.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <malloc.h>
#include <random>
#include <vector>

namespace plumb::ui {
namespace {

constexpr int kStepsPerSecond = 10'000;
constexpr int kFramesPerSecond = 60;
constexpr int kStepsPerFrame = kStepsPerSecond / kFramesPerSecond;

/// Losses as the engine of such a training reports them.
class MadeLosses {
public:
    [[nodiscard]] std::vector<StepMetrics> next(int count) {
        std::vector<StepMetrics> points;
        points.reserve(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i, ++m_step) {
            const double time = static_cast<double>(m_step) / kStepsPerSecond;
            points.push_back({m_step, (0.01 + std::exp(-0.1 * time)) * m_noise(m_random), time});
        }
        return points;
    }
    [[nodiscard]] std::int64_t steps() const { return m_step; }

private:
    std::int64_t m_step = 0;
    std::mt19937 m_random{7};
    std::lognormal_distribution<double> m_noise{0.0, 0.3};
};

void report(MainWindow& window, MadeLosses& losses) {
    const std::vector<StepMetrics> points = losses.next(kStepsPerFrame);
    window.workbench().runs().addLosses(points, losses.steps(), kStepsPerSecond);
}

void begin(MainWindow& window, const char* view) {
    window.views().setCurrentTab(ViewStack::tabOf(QString::fromLatin1(view)));
    window.resize(1600, 1000);
    window.show();
    window.workbench().runs().beginRun(window.workbench().config(), 0);
}

void windowLossBatch(benchmark::State& state) {
    constexpr std::array kViews{"overview", "training", "operations"};
    const char* const view = kViews.at(static_cast<std::size_t>(state.range(0)));
    MainWindow window(room().settings, room().theme);
    begin(window, view);
    MadeLosses losses;
    for (int i = 0; i < 6000; ++i) report(window, losses);  // a million steps before
    waitForFrame();
    const double began = handSeconds();
    for (auto _ : state) {
        report(window, losses);
        waitForFrame();
    }
    const auto frames = static_cast<double>(state.iterations());
    state.counters["of_frame"] = (handSeconds() - began) / frames * kFramesPerSecond;
    state.SetLabel(view);
}
BENCHMARK(windowLossBatch)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

/// Bytes in use of all that was asked of the allocator.
double usedBytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// What the window keeps of 100 000 steps more, after a million: of each fifth of them, since the allocator's
/// own ups and downs are larger than what grows.
void windowRunMemory(benchmark::State& state) {
    MainWindow window(room().settings, room().theme);
    begin(window, "training");
    MadeLosses losses;
    for (int i = 0; i < 6000; ++i) report(window, losses);
    waitForFrame();
    const double before = usedBytes();
    double most = 0;
    std::int64_t batches = 0;
    for (auto _ : state) {
        for (int i = 0; i < 600; ++i) report(window, losses);  // 10 s of training
        waitForFrame();
        batches += 600;
        most = std::max(most, usedBytes() - before);
    }
    const double steps = static_cast<double>(batches) * kStepsPerFrame;
    state.counters["kB_per_1e5_steps"] = (usedBytes() - before) / 1e3 / steps * 1e5;
    state.counters["most_kB"] = most / 1e3;
}
BENCHMARK(windowRunMemory)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace plumb::ui
