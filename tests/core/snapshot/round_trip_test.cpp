// SPDX-License-Identifier: Apache-2.0
// Whatever a writer can produce, its reader accepts, and writes again as it was: snapshots, own devices
// and messages with random content, the ends of every range among it.
#include "core/data/data_provenance.h"
#include "core/engine/protocol.h"
#include "core/io/json_fields.h"
#include "core/machine/own_devices.h"
#include "core/measure/training_series.h"
#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <random>

namespace plumb {
namespace {

using nlohmann::json;

class Source64 {
public:
    explicit Source64(std::uint64_t seed) : m_random(seed) {}

    std::uint64_t below(std::uint64_t most) { return m_random() % most; }
    bool flag() { return below(2) == 1; }
    /// What a clock, a quotient or a sum of ours can give, also where something went wrong.
    double number() {
        constexpr double kEnds[] = {0,
                                    -0.0,
                                    5e-324,
                                    1e-300,
                                    0.1,
                                    1,
                                    12345.678,
                                    1e15,
                                    1.7976931348623157e308,
                                    std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN()};
        return kEnds[below(std::size(kEnds))];
    }
    double finite() {
        const double value = number();
        return std::isfinite(value) ? value : 3;
    }
    std::optional<double> numberOrNone() { return flag() ? std::optional(number()) : std::nullopt; }
    std::int64_t count() {
        constexpr std::int64_t kEnds[] = {0, 1, 1000, std::int64_t{1} << 53, INT64_MAX / 1'000'000};
        return kEnds[below(std::size(kEnds))];
    }
    std::optional<std::int64_t> countOrNone() { return flag() ? std::optional(count()) : std::nullopt; }
    std::string text() {
        const std::string kTexts[] = {"",
                                      "plain",
                                      "line\nbreak \"quoted\" \\ \x1b[31m",
                                      "\xc3\x28 no UTF-8",
                                      std::string("zero\0inside", 11),
                                      std::string(5000, 'p')};
        return kTexts[below(std::size(kTexts))];
    }
    Bookmark bookmark() {
        Bookmark made{text().substr(0, 300), text().substr(0, 20), text().substr(0, 300), {}, std::nullopt};
        if (!made.op.empty()) made.lastOp = text().substr(0, 300);
        if (flag()) made.time = MarkedTime{0, std::abs(finite())};
        return made;
    }
    Machine machine() {
        Machine machine = sampleMachine();
        machine.name = text();
        machine.source = text();
        machine.memoryBytes = countOrNone();
        machine.bandwidthBytesPerSecond = numberOrNone();
        machine.linkBytesPerSecond = numberOrNone();
        machine.powerWatts = numberOrNone();
        machine.dollarsPerHour = numberOrNone();
        machine.perOpOverhead = numberOrNone();
        machine.peakFlopPerSecond = {{Dtype::Fp32, number()}, {Dtype::Bf16, number()}};
        if (flag()) machine.ofRanks = {{.ranks = 2, .source = text(), .costs = *sampleMachine().costs}};
        return machine;
    }
    /// What the times of a step can be: rates are made of them.
    std::optional<double> stepSeconds() {
        constexpr double kTimes[] = {0,
                                     -0.0,
                                     5e-324,
                                     1e-300,
                                     0.1,
                                     12345.678,
                                     3e9,
                                     std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::quiet_NaN()};
        return flag() ? std::optional(kTimes[below(std::size(kTimes))]) : std::nullopt;
    }
    Reading reading(const RunConfig& config, const Machine& machine) {
        const auto plan = planStep(config, cpuTraits());
        EXPECT_TRUE(plan.has_value());
        Reading reading = predictedReading(*plan, sampleMachine());
        const bool counted = flag();
        for (OpReading& op : reading.ops) {
            op.seconds = numberOrNone();
            if (counted) continue;
            op.flops = op.bytes = std::nullopt;
        }
        Totals& totals = reading.totals;
        totals = makeTotals(*plan, machine, stepSeconds());
        if (!counted) totals.flops = totals.matmulFlops = totals.bytes = std::nullopt;
        totals.exposed = numberOrNone();
        for (std::uint64_t i = below(3); i > 0; --i)
            reading.collectives.push_back({static_cast<std::int32_t>(below(reading.ops.size())), count(),
                                           flag() ? std::optional<Bytes>(count()) : std::nullopt,
                                           numberOrNone()});
        for (std::uint64_t i = below(3); i > 0; --i) {
            RankReading& rank = reading.ranks.emplace_back();
            rank.rank = count();
            rank.peakBytes = count();
            rank.atPeak[Category::Communication] = count();
            rank.seconds = numberOrNone();
        }
        reading.countersAbsent = text();
        reading.stepsMeasured = static_cast<std::int32_t>(below(INT32_MAX));
        for (int i = 0; i < 3; ++i) reading.memory->device.push_back({text(), flag() ? -count() : count()});
        if (flag()) reading.timeline = std::make_shared<const Timeline>(sampleTimeline());
        return reading;
    }
    TrainingSeries training() {
        TrainingSeries series;
        const std::size_t points = below(5);
        std::vector<StepMetric> written;  // a column is known of some steps, or of none
        for (const StepMetric& metric : kStepMetrics)
            if (metric.isAlwaysThere || flag()) written.push_back(metric);
        for (std::size_t i = 0; i < points; ++i) {
            StepMetrics step;
            for (const StepMetric& metric : written)
                step.*metric.value = metric.value == &StepMetrics::loss && flag() ? -finite() : number();
            step.step = static_cast<std::int64_t>(i * i);
            step.seconds = finite();
            series.steps.push_back(step);
        }
        series.stepsDone = count();
        series.skippedSteps = count();
        series.outcome = text();
        series.look = {text(), static_cast<std::int64_t>(below(RunLook::kColors + 1)),
                       flag() ? std::optional(flag()) : std::nullopt, flag()};
        if (flag())
            series.firstScales = LayerStatistics{
                count(), {{TensorRole::Weight, kMaxLayers + 1, numberOrNone(), numberOrNone(), 0, 1}}};
        return series;
    }

private:
    std::mt19937_64 m_random;
};

TEST(RoundTrip, AnySnapshotIsReadAgain) {
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Source64 random(seed);
        Snapshot snapshot = sampleSnapshot();
        snapshot.config = test::randomConfig(seed);
        snapshot.target.machine = random.machine();
        snapshot.created = random.text();
        snapshot.program = random.text();
        snapshot.predicted = random.reading(snapshot.config, snapshot.target.machine);
        snapshot.measured = random.reading(snapshot.config, snapshot.target.machine);
        if (random.flag()) snapshot.measured->source = Source::Event;
        if (random.flag()) snapshot.predictedBy.clear();
        snapshot.training = random.training();
        snapshot.data = DataProvenance{random.text(), random.count()};
        const Machine other = random.machine();
        snapshot.measurements = {{snapshot.config, other, snapshot.target.traits, random.flag(),
                                  random.reading(snapshot.config, other)}};
        snapshot.note = random.text();
        for (std::uint64_t i = random.below(4); i > 0; --i) snapshot.bookmarks.push_back(random.bookmark());
        snapshot.fitProof->device = random.text();
        snapshot.fitProof->deviceBytes = random.countOrNone();
        snapshot.fitProof->limitBytes = random.count();
        snapshot.fitProof->tooLarge.refusal = "no room " + random.text();
        const std::string text = dumpJson(toJson(snapshot));
        const auto document = parseJson(text, "it");
        ASSERT_TRUE(document.has_value()) << document.error().text() << seed;
        const auto read = snapshotFromJson(*document);
        ASSERT_TRUE(read.has_value()) << read.error().text() << seed;
        // Rates that nobody knows are null at first and left out then; from there on nothing changes.
        const std::string again = dumpJson(toJson(*read));
        const auto same = snapshotFromJson(*parseJson(again, "it"));
        ASSERT_TRUE(same.has_value()) << same.error().text() << seed;
        ASSERT_EQ(dumpJson(toJson(*same)), again) << seed;
    }
}

TEST(RoundTrip, AnyEventIsReadAgain) {
    using namespace protocol;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Source64 random(seed);
        LossBatch batch;
        for (std::uint64_t i = 0; i < random.below(5); ++i)
            batch.points.push_back({static_cast<std::int64_t>(i), random.number(), random.finite(),
                                    random.number(), random.number(), random.number(), random.number(),
                                    random.number(), false});
        batch.stepsPerSecond = random.number();
        TensorInspection inspection;
        std::vector<float> values;
        for (std::uint64_t i = 0; i < random.below(9); ++i)
            values.push_back(static_cast<float>(random.number()));
        inspection.histogram = histogramOf(values, random.flag() ? 1 : 65536);
        inspection.scale = random.number();
        const RunConfig config = test::randomConfig(seed);
        const Error error{ErrorCode::Io, random.text(), "try " + random.text()};
        const std::vector<Event> events{
            {random.count(), batch},
            {1, ReadingEvent{random.reading(config, sampleMachine())}},
            {1, Calibrated{random.machine()}},
            {1, DeviceList{{{{random.machine(), cpuTraits()}, random.flag(), random.text(), {}}}}},
            {1, ErrorEvent{error}},
            {1, Finished{random.text(), random.count()}},
            {1, Progress{random.text(), random.count(), random.count()}},
            {1, TensorValues{inspection}},
            {1, CheckpointEvent{{random.text(), random.count(), random.count(), random.finite(),
                                 random.finite(), error}}}};
        for (const Event& event : events) {
            const std::string line = encode(event);
            const auto read = parseEvent(line);
            ASSERT_TRUE(read.has_value()) << read.error().text() << " " << line.substr(0, 300);
            const std::string again = encode(*read);
            const auto same = parseEvent(again);
            ASSERT_TRUE(same.has_value()) << same.error().text();
            ASSERT_EQ(encode(*same), again);
        }
    }
}

TEST(RoundTrip, AnyCommandIsReadAgain) {
    using namespace protocol;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Source64 random(seed);
        const RunConfig config = test::randomConfig(seed);
        protocol::Run run{config, random.count(), {}, random.text()};
        run.checkpoints.folder = random.text();
        for (const Command& command :
             {Command{random.count(), run}, Command{1, Profile{config, 1 + random.count(), std::nullopt}}}) {
            const std::string line = encode(command);
            const auto read = parseCommand(line);
            ASSERT_TRUE(read.has_value()) << read.error().text() << " " << line.substr(0, 300);
            ASSERT_EQ(encode(*read), line);
        }
    }
}

}  // namespace
}  // namespace plumb
