// SPDX-License-Identifier: GPL-3.0-or-later
// What a slider move costs the views: from a new scene to the painted pixels, offscreen, at 256 layers. All
// views of the Overview together have one frame, 16 ms.
#include "ui/memory/memory_view.h"
#include "ui/roofline/roofline_view.h"

#include <QImage>

#include <benchmark/benchmark.h>

namespace plumb::ui {
namespace {

constexpr QSize kCompact{630, 420};
constexpr QSize kFull{1300, 820};

Machine machine() {
    return Machine{.id = "bench",
                   .memoryBytes = Bytes{140} * 1000 * 1000 * 1000,
                   .bandwidthBytesPerSecond = 5e12,
                   .peakFlopPerSecond = {{Dtype::Fp32, 60e12}, {Dtype::Tf32, 500e12}, {Dtype::Bf16, 1e15}},
                   .source = "data sheet: benchmark"};
}

RunConfig config(int step) {
    RunConfig result{.dim = 4096, .layers = 256, .batch = 4096 + 64 * (step % 32)};
    result.microBatch = result.batch / 4;
    result.precision = Precision::Bf16;
    result.activation = Activation::Relu;
    result.recompute = {RecomputePolicy::Kind::Every, 4};
    return result;
}

template <class View>
void sliderMove(benchmark::State& state, ViewSize size, bool measured) {
    Theme theme;
    Workbench workbench;
    (void)workbench.show({machine(), cpuTraits()});
    (void)workbench.show(config(0));
    if (measured) {
        const auto plan = workbench.scene()->whatIf.plan;
        workbench.setMeasured(
            std::make_shared<const Reading>(predictedReading(*plan, workbench.scene()->whatIf.machine())),
            plan);
    }
    View view({workbench, theme}, size);
    view.resize(size == ViewSize::Full ? kFull : kCompact);
    view.show();
    QImage image(view.size(), QImage::Format_ARGB32_Premultiplied);
    int step = 0;
    for (auto _ : state) {
        state.PauseTiming();
        view.hide();  // planning is the workbench's time, not the view's
        (void)workbench.show(config(++step));
        state.ResumeTiming();
        view.refresh();
        view.render(&image);
        benchmark::DoNotOptimize(image.constBits());
        state.PauseTiming();
        view.show();
        state.ResumeTiming();
    }
    state.counters["ops"] = static_cast<double>(workbench.scene()->whatIf.plan->ops.size());
}

void memoryCompact(benchmark::State& state) { sliderMove<MemoryView>(state, ViewSize::Compact, true); }
void memoryFull(benchmark::State& state) { sliderMove<MemoryView>(state, ViewSize::Full, true); }
void rooflineCompact(benchmark::State& state) { sliderMove<RooflineView>(state, ViewSize::Compact, true); }
void rooflineFull(benchmark::State& state) { sliderMove<RooflineView>(state, ViewSize::Full, true); }
BENCHMARK(memoryCompact)->Unit(benchmark::kMillisecond);
BENCHMARK(memoryFull)->Unit(benchmark::kMillisecond);
BENCHMARK(rooflineCompact)->Unit(benchmark::kMillisecond);
BENCHMARK(rooflineFull)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace plumb::ui
