// SPDX-License-Identifier: GPL-3.0-or-later
// Painting a timeline of 100,000 records, offscreen: all of it, and while zooming in. A frame has 16 ms, of
// which painting may take 10.
#include "core/measure/timeline.h"

#include "ui/theme/theme.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_sums.h"

#include <QImage>

#include <benchmark/benchmark.h>

namespace plumb::ui {
namespace {

/// Half of the records are ops, the others kernels on four streams; and a point of memory for every tenth.
std::shared_ptr<const Reading> reading(const StepPlan& plan, const Machine& machine, int records) {
    auto made = std::make_shared<Reading>(predictedReading(plan, machine));
    made->source = Source::Clock;
    TimelineBuilder builder(Source::Activity, 0);
    const std::uint16_t ops = builder.lane(LaneKind::Ops, "ops");
    const std::uint16_t memory = builder.lane(LaneKind::Memory, "memory");
    const auto opCount = static_cast<int>(made->ops.size());
    double now = 0;
    for (int i = 0; i < records / 2; ++i) {
        const double seconds = 1e-6 * (1 + i % 17);
        const std::uint16_t stream = builder.lane(LaneKind::Stream, "stream " + std::to_string(i % 4));
        builder.add({now, now + seconds, -1, -1, i % opCount, 0, ops, TimelineKind::Op});
        builder.add({now, now + seconds * 0.8, -1, builder.name("kernel"), i % opCount, 0, stream,
                     TimelineKind::Kernel});
        if (i % 10 == 0)
            builder.add({now, now, (i * 7919LL) % 1'000'000'007, -1, -1, 0, memory, TimelineKind::Memory});
        now += seconds * 1.05;
    }
    builder.addStep(0, 0, now);
    made->timeline = std::make_shared<const Timeline>(builder.take());
    return made;
}

struct Shown {
    explicit Shown(int records) {
        const Machine machine{.id = "bench",
                              .bandwidthBytesPerSecond = 5e12,
                              .peakFlopPerSecond = {{Dtype::Fp32, 60e12}},
                              .source = "data sheet: benchmark"};
        (void)workbench.show({machine, cpuTraits()});
        RunConfig config;
        config.layers = 32;
        (void)workbench.show(config);
        const auto plan = workbench.scene()->whatIf.plan;
        workbench.setMeasured(reading(*plan, machine, records), plan);
        state = makeTimelineState(workbench.scene(), PredictedAt::Op);
    }
    Theme theme;
    Workbench workbench;
    TimelineState state;
};

void timelinePaint(benchmark::State& state) {
    Shown shown(static_cast<int>(state.range(0)));
    TimelineCanvas canvas(shown.theme);
    canvas.resize(1300, 620);
    canvas.setState(&shown.state, false);
    canvas.show();
    QImage image(canvas.size(), QImage::Format_ARGB32_Premultiplied);
    const double zoom = 1.0 / static_cast<double>(state.range(1));
    const Seconds from = shown.state.whole * 0.37;
    int frame = 0;
    for (auto _ : state) {
        state.PauseTiming();
        // Another place each time, so that nothing can be kept.
        const Seconds begin = zoom < 1 ? from * (1 + 0.001 * (++frame % 7)) : 0;
        canvas.setRange(TimelineCanvas::Range(begin, begin + shown.state.whole * zoom));
        canvas.fitSelection();
        state.ResumeTiming();
        canvas.render(&image);
        benchmark::DoNotOptimize(image.constBits());
    }
    state.counters["records"] = static_cast<double>(shown.state.timeline->records.size());
}
BENCHMARK(timelinePaint)->ArgsProduct({{100'000, 200'000}, {1, 10, 1000}})->Unit(benchmark::kMillisecond);

void timelineState(benchmark::State& state) {
    const Shown shown(100'000);
    for (auto _ : state)
        benchmark::DoNotOptimize(makeTimelineState(shown.workbench.scene(), PredictedAt::Op));
}
BENCHMARK(timelineState)->Unit(benchmark::kMillisecond);

void timelineRangeSums(benchmark::State& state) {
    const Shown shown(100'000);
    for (auto _ : state) benchmark::DoNotOptimize(sumTimeline(shown.state, 0, shown.state.whole));
}
BENCHMARK(timelineRangeSums)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace plumb::ui
