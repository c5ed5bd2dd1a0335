// SPDX-License-Identifier: GPL-3.0-or-later
// A snapshot opened: what reading costs its worker, and what showing it costs the thread of the window.
// The probe looks for line ends in the same file. PLUMBLINE_SNAPSHOT_MB=100 for the size of the goal, which
// is 2 s until it is shown; a twentieth of it without, since ctest runs this too.
#include "core/snapshot/snapshot.h"
#include "tests/bench/bench_window.h"

#include <QFile>

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>

namespace plumb::ui {
namespace {

constexpr int kUsualMb = 5;

double wantedMb() {
    const int given = qEnvironmentVariableIntValue("PLUMBLINE_SNAPSHOT_MB");
    return given > 0 ? given : kUsualMb;
}

/// A measured reading of the step: every op with a time and a range of its own, and the timeline of a
/// profile.
Reading measuredOf(const Reading& predicted, int seed) {
    Reading measured = predicted;
    measured.source = Source::Clock;
    measured.stepsMeasured = 20;
    measured.totals.tier.reset();
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    std::lognormal_distribution<double> noise(0.0, 0.05);
    constexpr double kLow = 0.93, kHigh = 1.11;
    TimelineBuilder timeline(Source::Clock, 0);
    const std::uint16_t lane = timeline.lane(LaneKind::Ops, "ops");
    double at = 0;
    for (int step = 0; step < 2; ++step) {
        const double began = at;
        for (std::size_t i = 0; i < measured.ops.size(); ++i) {
            OpReading& op = measured.ops[i];
            op.tier.reset();
            op.source = Source::Clock;
            op.seconds = *predicted.ops[i].seconds * noise(random);
            op.spread = Spread{*op.seconds * kLow, *op.seconds * kHigh};
            TimelineRecord record;
            record.begin = at;
            record.end = at += *op.seconds;
            record.op = static_cast<std::int32_t>(i);
            record.lane = lane;
            timeline.add(record);
        }
        timeline.addStep(step, began, at);
    }
    measured.timeline = std::make_shared<const Timeline>(timeline.take());
    return measured;
}

TrainingSeries trainingOf(int seed) {
    constexpr std::int64_t kSteps = 8192;  // what is kept of any number
    TrainingSeries training;
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    std::lognormal_distribution<double> noise(0.0, 0.1);
    for (std::int64_t step = 0; step < kSteps; ++step) {
        const double seconds = 1e-4 * static_cast<double>(step);
        training.steps.push_back({step, std::exp(-seconds) * noise(random), seconds});
    }
    training.stepsDone = kSteps;
    training.outcome = "finished";
    return training;
}

/// The file of a long session at 1000 layers: profile after profile until it is so large, and 30 trainings.
/// A window of today writes the newest 50 MB of such a session.
std::string sessionText(double megabytes) {
    constexpr int kRuns = 30;
    const RunConfig config{.dim = 256, .layers = 1000, .batch = 64};
    Snapshot snapshot = makeSnapshot(config, benchTarget()).value();
    const Reading& predicted = *snapshot.predicted;
    snapshot.measured = measuredOf(predicted, 0);
    snapshot.training = trainingOf(0);
    for (int i = 1; i < kRuns; ++i) snapshot.runs.push_back({config, snapshot.target, false, trainingOf(i)});
    snapshot.measurements.push_back({config, snapshot.target, false, measuredOf(predicted, 1)});
    nlohmann::json document = toJson(snapshot);
    nlohmann::json& list = document["measurements"];
    const double each = static_cast<double>(list[0].dump(1).size());
    const double rest = static_cast<double>(document.dump(1).size());
    for (double size = rest; size + each / 2 < 1e6 * megabytes; size += each) list.push_back(list[0]);
    return document.dump(1);
}

/// That of one step of the deepest network.
std::string deepText() {
    const RunConfig config{.dim = 64, .layers = kMaxLayers, .batch = 64};
    Snapshot snapshot = makeSnapshot(config, benchTarget()).value();
    snapshot.measured = measuredOf(*snapshot.predicted, 0);
    snapshot.training = trainingOf(0);
    return snapshotText(snapshot);
}

enum class Kind { Session, Deep };

/// Written once.
QString madeFile(benchmark::State& state) {
    static std::array<QString, 2> made;
    const auto kind = static_cast<Kind>(state.range(0));
    QString& path = made.at(static_cast<std::size_t>(kind));
    if (path.isEmpty()) {
        const std::string text = kind == Kind::Session ? sessionText(wantedMb()) : deepText();
        path = room().folder.filePath(QStringLiteral("%1.plumb").arg(state.range(0)));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size()))
            state.SkipWithError("the file could not be written");
    }
    state.counters["MB"] = static_cast<double>(QFile(path).size()) / 1e6;
    state.SetLabel(kind == Kind::Session ? "session" : "deep");
    return path;
}

void snapshotRead(benchmark::State& state) {
    const std::string path = madeFile(state).toStdString();
    for (auto _ : state) {
        const Result<Snapshot> snapshot = readSnapshot(path);
        if (!snapshot.has_value()) return state.SkipWithError(snapshot.error().text().c_str());
        benchmark::DoNotOptimize(&snapshot);
    }
}
BENCHMARK(snapshotRead)->DenseRange(0, 1)->Unit(benchmark::kMillisecond);

void windowOpen(benchmark::State& state) {
    const QString path = madeFile(state);
    MainWindow window(room().settings, room().theme);
    window.resize(1600, 1000);
    window.show();
    waitForFrame();
    double hand = 0, all = 0;
    for (auto _ : state) {
        const double handBegan = handSeconds(), allBegan = allSeconds();
        QEventLoop loop;
        QObject::connect(&window.document(), &Document::opened, &loop, &QEventLoop::quit);
        QObject::connect(&window.document(), &Document::failed, &loop, &QEventLoop::quit);
        window.openFile(path);
        loop.exec();
        waitForFrame();
        hand += handSeconds() - handBegan;
        all += allSeconds() - allBegan;
    }
    state.counters["hand_ms"] = benchmark::Counter(1e3 * hand, benchmark::Counter::kAvgIterations);
    state.counters["all_ms"] = benchmark::Counter(1e3 * all, benchmark::Counter::kAvgIterations);
    if (window.document().path().isEmpty()) state.SkipWithError("it was not opened");
}
BENCHMARK(windowOpen)
    ->DenseRange(0, 1)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void lineEndProbe(benchmark::State& state) {
    QFile file(madeFile(state));
    if (!file.open(QIODevice::ReadOnly)) return state.SkipWithError("there is no file");
    const QByteArray text = file.readAll();
    for (auto _ : state) benchmark::DoNotOptimize(std::count(text.begin(), text.end(), '\n'));
}
BENCHMARK(lineEndProbe)->DenseRange(0, 1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace plumb::ui
