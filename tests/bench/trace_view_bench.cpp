// SPDX-License-Identifier: GPL-3.0-or-later
// A frame of the lanes of an opened trace, offscreen, at two million events, while zooming and while panning,
// and of the strip above them; and what filter, legend and figures cost their workers. The probe beside them
// fills rectangles on the same picture: quote the ratio.
#include "core/trace/range_sums.h"
#include "core/trace/slice_filter.h"
#include "core/trace/trace_reader.h"
#include "core/trace/trace_time.h"
#include "tests/bench/made_trace.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_canvas.h"
#include "ui/trace/trace_strip.h"
#include "ui/trace/trace_tones.h"

#include <QImage>
#include <QPainter>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

namespace plumb::ui {
namespace {

constexpr int kWidth = 1300;
constexpr int kHeight = 620;

/// PLUMBLINE_TRACE_EVENTS says how many; a twentieth without it, since ctest runs this too. An op makes five.
std::shared_ptr<const OpenedTrace> made() {
    static const auto opened = [] {
        const char* const given = std::getenv("PLUMBLINE_TRACE_EVENTS");
        const auto events = given == nullptr ? std::nullopt : trace::wholeOf(given);
        trace::MadeText text(std::max<std::int64_t>(5, events.value_or(100'000)) / 5);
        return std::make_shared<const OpenedTrace>(openedTraceOf(trace::readTrace(text, "made").value()));
    }();
    return opened;
}

template <class Move>
void frames(benchmark::State& state, Move move) {
    Theme theme;
    TraceCanvas canvas(theme);
    canvas.resize(kWidth, kHeight);
    canvas.setTrace(made());
    canvas.show();
    QImage image(canvas.size(), QImage::Format_ARGB32_Premultiplied);
    int frame = 0;
    for (auto _ : state) {
        canvas.setWindow(move(canvas.whole(), frame++));
        canvas.render(&image);
        benchmark::DoNotOptimize(image.constBits());
    }
    state.counters["events"] = static_cast<double>(made()->trace->events);
}

/// From all of the trace to some microseconds in 100 frames, and again.
void traceZoom(benchmark::State& state) {
    frames(state, [](TraceWindow whole, int frame) {
        const double length = static_cast<double>(whole.length()) * std::pow(0.87, frame % 100);
        const auto from = whole.from + static_cast<trace::Nanoseconds>(
                                           0.37 * (static_cast<double>(whole.length()) - length));
        return TraceWindow{from,
                           from + std::max<trace::Nanoseconds>(10, static_cast<trace::Nanoseconds>(length))};
    });
}
BENCHMARK(traceZoom)->Unit(benchmark::kMillisecond);

/// Another place in each frame, so many times nearer than the whole.
void tracePan(benchmark::State& state) {
    frames(state, [&](TraceWindow whole, int frame) {
        const trace::Nanoseconds length = std::max<trace::Nanoseconds>(10, whole.length() / state.range(0));
        const trace::Nanoseconds from = whole.from + (whole.length() - length) / 500 * (frame % 500);
        return TraceWindow{from, from + length};
    });
}
BENCHMARK(tracePan)->Arg(2)->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);

void traceStrip(benchmark::State& state) {
    Theme theme;
    TraceStrip strip(theme);
    strip.resize(kWidth, strip.height());
    strip.setTrace(made());
    QImage image(strip.size(), QImage::Format_ARGB32_Premultiplied);
    for (auto _ : state) strip.render(&image);
}
BENCHMARK(traceStrip)->Unit(benchmark::kMillisecond);

/// What a filter costs the worker: hits and the mask of them.
void traceFilter(benchmark::State& state) {
    const OpenedTrace& opened = *made();
    const trace::SliceFilter filter = trace::parseSliceFilter("gemm >1us").value();
    for (auto _ : state) {
        const auto hits = trace::slicesOf(*opened.trace, opened.categories, filter);
        std::vector<bool> strong(opened.trace->slices.size());
        for (const std::uint32_t slice : hits) strong[slice] = true;
        benchmark::DoNotOptimize(
            trace::RowMask(*opened.trace, [&](std::uint32_t slice) { return strong[slice]; }));
        state.counters["hits"] = static_cast<double>(hits.size());
    }
}
BENCHMARK(traceFilter)->Unit(benchmark::kMillisecond);

/// What hiding a kind of slices costs the worker.
void traceLegend(benchmark::State& state) {
    const OpenedTrace& opened = *made();
    for (auto _ : state)
        benchmark::DoNotOptimize(trace::RowMask(
            *opened.trace, [&](std::uint32_t slice) { return toneOf(opened, slice) != TraceTone::Ops; }));
}
BENCHMARK(traceLegend)->Unit(benchmark::kMillisecond);

/// What the figures of a range of half of the trace cost the worker.
void traceWindowFigures(benchmark::State& state) {
    const OpenedTrace& opened = *made();
    const trace::Nanoseconds length = opened.overview.end - opened.overview.begin;
    for (auto _ : state)
        benchmark::DoNotOptimize(trace::figuresOfWindow(*opened.trace, opened.links.work,
                                                        opened.overview.begin + length / 4,
                                                        opened.overview.begin + length / 4 * 3));
}
BENCHMARK(traceWindowFigures)->Unit(benchmark::kMillisecond);

void paintProbe(benchmark::State& state) {
    QImage image(kWidth, kHeight, QImage::Format_ARGB32_Premultiplied);
    for (auto _ : state) {
        QPainter painter(&image);
        painter.fillRect(image.rect(), Qt::white);
        for (int i = 0; i < 10'000; ++i)
            painter.fillRect(QRectF(i % kWidth, i * 17 % kHeight, 1 + i % 5, 15), QColor(i % 255, 90, 120));
    }
}
BENCHMARK(paintProbe)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace plumb::ui
