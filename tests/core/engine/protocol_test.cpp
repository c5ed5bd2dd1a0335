// SPDX-License-Identifier: Apache-2.0
#include "core/engine/protocol.h"

#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace plumb::protocol {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

const char* const kAwkward = "line\nbreak \"quoted\" \\ \xc3\xa4 \x01";

std::vector<Command> everyCommand() {
    return {{0, Hello{kVersion, kAwkward}},
            {1, Run{sampleConfig(), 1000, {"/a folder/\xc3\xa4", 50, 2}, "step-000100.safetensors", "GPU-1"}},
            {2, Profile{RunConfig{}, 7, CounterDetail::Full, "2"}},
            {3, Pause{}},
            {4, Resume{}},
            {5, Stop{}},
            {6, Calibrate{}},
            {6, Calibrate{"MIG-3"}},
            {0, Hello{kVersion, kAwkward, kAwkward, INT64_MAX, 0}},
            {7, Devices{}},
            {7, Devices{""}},
            {7, Devices{kAwkward}},
            {8, Inspect{TensorRole::ActivationGradient, 3, {}}},
            {8, Inspect{TensorRole::Weight, 0, kAwkward}},
            {9, TimeEinsum{kAwkward, {{"in", 1}, {"out", INT64_MAX}}, Dtype::Bf16}},
            {9, TimeEinsum{"n ->", {}, Dtype::Fp32}},
            {10, Prove{sampleConfig(), std::nullopt, ""}},
            {10, Prove{sampleConfig(), INT64_MAX, "GPU-1"}},
            {INT64_MAX, Quit{}}};
}

TensorInspection sampleInspection() {
    return TensorInspection{.role = TensorRole::Gradient,
                            .layer = 2,
                            .steps = 7,
                            .dtype = Dtype::Fp16,
                            .rows = 3,
                            .columns = 2,
                            .scale = 65536,
                            .histogram = histogramOf(std::vector<float>{1e-40F, -1, 0, 3, 1e30F, 0.1F}),
                            .grid = {2, 3, {1, -0.5, 0, 1e-300, 0.1 + 0.2, 7}},
                            .savedTo = kAwkward,
                            .recovered = RecoveredNumbers{{0, 1, 2}, {1e-300, 0.1 + 0.2, -7}, 5, 0.25}};
}

std::vector<Event> everyEvent() {
    const Snapshot snapshot = sampleSnapshot();
    DeviceEntry there{{sampleMachine(), cpuTraits()}, true, "", {"", "GH100", 256, {}}};
    there.counters.passes = {{Precision::Bf16, CounterDetail::Quick, 1},
                             {Precision::Fp8, CounterDetail::Full, 4}};
    DeviceEntry missing{Target{}, false, "no driver", {kAwkward, "", 0, {}}};
    missing.target.machine.name = "NVIDIA H200";
    missing.target.machine.backend = "cuda";
    std::vector<Event> events{
        {0, Hello{kVersion, "plumbline-cli"}},
        {3, LossBatch{{{1, 0.1 + 0.2, 1e-9}, {9, 1e300, 2, 0.5, 3, 0.01, 1e-3, 1024}}, 10, 2, 12345.678}},
        {4, LossBatch{}},
        {5, ReadingEvent{*snapshot.measured}},
        {5, StatisticsEvent{*snapshot.training->firstScales}},
        {6, Progress{kAwkward, 3, 10}},
        {6, HoldOutEvent{{17, 0.1 + 0.2}}},
        {6, DeviceEvent{snapshot.training->device.moments.back()}},
        {7, DeviceList{{there, missing}}},
        {8, DeviceList{}},
        {9, Calibrated{sampleMachine()}},
        {10, Finished{"stopped", 77}},
        {16, Recorded{kAwkward}},
        {17, Proved{*snapshot.fitProof}},
        {18, Began{{sampleConfig(), 1000, {"/a folder", 50, 2}, "step-000100.safetensors", "GPU-1"}}},
        {0, Hello{kVersion, "served", kAwkward, 0, INT64_MAX}},
        {0, Missed{INT64_MAX}},
        {0, TakenOver{}},
        {3, State{EngineState::Running}, INT64_MAX},
        {14, TensorValues{sampleInspection()}},
        {14, TensorValues{}},
        {15, EinsumTimed{kAwkward, 0.25, 1e-9, 17, "plain loops", "local-cpu"}},
        {13, CheckpointEvent{{"a/b", 100, INT64_MAX, 0.25, 1e-9, std::nullopt}}},
        {13, CheckpointEvent{{kAwkward, 0, 0, 0, 0, Error{ErrorCode::Io, kAwkward, "mend it"}}}}};
    for (const EngineState state :
         {EngineState::Idle, EngineState::Running, EngineState::Paused, EngineState::Profiling,
          EngineState::Calibrating, EngineState::Timing, EngineState::Proving})
        events.push_back({11, State{state}});
    for (const ErrorCode code : {ErrorCode::BadInput, ErrorCode::RunFailed, ErrorCode::Unavailable,
                                 ErrorCode::OutOfMemory, ErrorCode::Io, ErrorCode::Internal})
        events.push_back({12, ErrorEvent{Error{code, kAwkward, "do this"}}});
    return events;
}

std::string errorOf(std::string_view line, bool command) {
    const auto text = [](const auto& parsed) {
        if (parsed.has_value()) return std::string("no error");
        EXPECT_EQ(parsed.error().code, ErrorCode::BadInput);
        EXPECT_FALSE(parsed.error().hint.empty());
        return parsed.error().text();
    };
    return command ? text(parseCommand(line)) : text(parseEvent(line));
}

TEST(Protocol, ASkippedStepIsStillKnownAsSkipped) {
    StepMetrics skipped{7, 1.5, 2};
    skipped.lossScale = 1024;
    skipped.skipped = true;
    StepMetrics good = skipped;
    good.step = 8;
    good.gradientNorm = 3;
    good.skipped = false;
    const StepMetrics unscaled{9, 1.5, 2};
    const auto event = parseEvent(encode(Event{1, LossBatch{{skipped, good, unscaled}, 3, 1, 10}}));
    ASSERT_TRUE(event.has_value());
    const auto& points = std::get<LossBatch>(event->body).points;
    ASSERT_EQ(points.size(), 3U);
    EXPECT_TRUE(points[0].skipped);
    EXPECT_FALSE(points[1].skipped);
    EXPECT_FALSE(points[2].skipped) << "without a loss scale nothing is skipped";
}

TEST(Protocol, AProfileAsksForCountersOnlyWhereItSaysSo) {
    const auto countersIn = [](const std::string& more) {
        const auto command =
            parseCommand(R"({"id":1,"type":"profile","config":)" +
                         json::parse(encode(Command{1, Profile{}}))["config"].dump() + more + "}");
        EXPECT_TRUE(command.has_value()) << more;
        return std::get<Profile>(command->body).counters;
    };
    EXPECT_EQ(countersIn(""), std::nullopt);
    EXPECT_EQ(countersIn(R"(,"counters":null)"), std::nullopt);
    EXPECT_EQ(countersIn(R"(,"counters":"quick")"), CounterDetail::Quick);
    EXPECT_EQ(countersIn(R"(,"counters":"full")"), CounterDetail::Full);
    json wrong = json::parse(encode(Command{1, Profile{}}));
    for (const json& value : {json("most"), json(1), json::array()}) {
        wrong["counters"] = value;
        EXPECT_THAT(errorOf(wrong.dump(), true), HasSubstr("counters")) << value;
    }
}

TEST(Protocol, CountersOfADeviceComeBackEqualAndAnOlderEngineSaysNothingOfThem) {
    for (const Event& event : everyEvent()) {
        const auto* list = std::get_if<DeviceList>(&event.body);
        if (list == nullptr) continue;
        const auto parsed = parseEvent(encode(event));
        ASSERT_TRUE(parsed.has_value());
        for (std::size_t i = 0; i < list->devices.size(); ++i)
            EXPECT_EQ(std::get<DeviceList>(parsed->body).devices[i].counters, list->devices[i].counters);
    }
    json message = json::parse(
        encode(Event{1, DeviceList{{DeviceEntry{{sampleMachine(), cpuTraits()}, true, "", {}}}}}));
    message["devices"][0].erase("counters");
    const auto old = parseEvent(message.dump());
    ASSERT_TRUE(old.has_value()) << old.error().text();
    EXPECT_FALSE(std::get<DeviceList>(old->body).devices[0].counters.available());
}

TEST(CounterSupport, TellsTheStepsOfAPlanByItsExecutions) {
    CounterSupport support{"", "GH100", 256, {{Precision::Fp32, CounterDetail::Full, 3}}};
    RunConfig config;
    config.precision = Precision::Fp32;
    config.layers = 2;
    const auto steps = [&](const CounterSupport& asked, CounterDetail detail) {
        return asked.stepsFor(planStep(config, cpuTraits()).value(), detail);
    };
    EXPECT_EQ(steps(support, CounterDetail::Full), 3);
    EXPECT_EQ(steps(support, CounterDetail::Quick), std::nullopt) << "nobody knows";
    config.batch = 1024;
    config.microBatch = 4;  // 256 micro-batches, each with several ops
    const auto plan = planStep(config, cpuTraits());
    const std::int64_t executions = executionsOf(*plan);
    EXPECT_GT(executions, 1024);
    EXPECT_EQ(steps(support, CounterDetail::Full), 3 * ((executions + 255) / 256));
    support.absent = "the driver does not permit it";
    EXPECT_EQ(steps(support, CounterDetail::Full), std::nullopt);
    config.precision = Precision::Bf16;
    support.absent.clear();
    EXPECT_EQ(steps(support, CounterDetail::Full), std::nullopt);
}

TEST(Protocol, EveryCommandIsOneLineAndComesBackEqual) {
    std::set<std::size_t> kinds;
    for (const Command& command : everyCommand()) {
        const std::string line = encode(command);
        EXPECT_EQ(line.find('\n'), std::string::npos);
        const auto parsed = parseCommand(line);
        ASSERT_TRUE(parsed.has_value()) << line << parsed.error().text();
        EXPECT_EQ(parsed->id, command.id);
        EXPECT_EQ(parsed->body.index(), command.body.index());
        EXPECT_EQ(encode(*parsed), line);
        kinds.insert(command.body.index());
    }
    EXPECT_EQ(kinds.size(), std::variant_size_v<decltype(Command::body)>) << "a command is not tested";
    const auto run = parseCommand(encode(everyCommand()[1]));
    EXPECT_EQ(std::get<protocol::Run>(run->body).config, sampleConfig());
    EXPECT_EQ(std::get<protocol::Run>(run->body).steps, 1000);
    EXPECT_EQ(std::get<protocol::Run>(run->body).device, "GPU-1");
    EXPECT_EQ(std::get<protocol::Run>(run->body).checkpoints,
              std::get<protocol::Run>(everyCommand()[1].body).checkpoints);
    EXPECT_EQ(std::get<protocol::Run>(run->body).resumeFrom, "step-000100.safetensors");
    EXPECT_EQ(std::get<Hello>(parseCommand(encode(everyCommand()[0]))->body).program, kAwkward);
}

TEST(Protocol, EveryEventIsOneLineAndComesBackEqual) {
    std::set<std::size_t> kinds;
    for (const Event& event : everyEvent()) {
        const std::string line = encode(event);
        EXPECT_EQ(line.find('\n'), std::string::npos);
        const auto parsed = parseEvent(line);
        ASSERT_TRUE(parsed.has_value()) << line.substr(0, 200) << parsed.error().text();
        EXPECT_EQ(parsed->id, event.id);
        EXPECT_EQ(parsed->body.index(), event.body.index());
        EXPECT_EQ(encode(*parsed), line);
        kinds.insert(event.body.index());
        if (const auto* error = std::get_if<ErrorEvent>(&event.body)) {
            EXPECT_EQ(std::get<ErrorEvent>(parsed->body).error.code, error->error.code);
            EXPECT_EQ(std::get<ErrorEvent>(parsed->body).error.message, kAwkward);
        }
        if (const auto* heldOut = std::get_if<HoldOutEvent>(&event.body)) {
            EXPECT_EQ(std::get<HoldOutEvent>(parsed->body).loss, heldOut->loss);
        }
        if (const auto* device = std::get_if<DeviceEvent>(&event.body)) {
            EXPECT_EQ(std::get<DeviceEvent>(parsed->body).moment, device->moment);
        }
        if (const auto* values = std::get_if<TensorValues>(&event.body)) {
            EXPECT_EQ(std::get<TensorValues>(parsed->body).inspection, values->inspection);
        }
        if (const auto* checkpoint = std::get_if<CheckpointEvent>(&event.body)) {
            const CheckpointReport& there = checkpoint->report;
            const CheckpointReport& here = std::get<CheckpointEvent>(parsed->body).report;
            EXPECT_EQ(here.path, there.path);
            EXPECT_EQ(here.step, there.step);
            EXPECT_EQ(here.bytes, there.bytes);
            EXPECT_EQ(here.copySeconds, there.copySeconds);
            EXPECT_EQ(here.writeSeconds, there.writeSeconds);
            EXPECT_EQ(here.failure.has_value(), there.failure.has_value());
        }
        if (const auto* state = std::get_if<State>(&event.body)) {
            EXPECT_EQ(std::get<State>(parsed->body).state, state->state);
        }
        if (const auto* reading = std::get_if<ReadingEvent>(&event.body))
            expectSameReading(std::get<ReadingEvent>(parsed->body).measured, reading->measured);
    }
    EXPECT_EQ(kinds.size(), std::variant_size_v<decltype(Event::body)>) << "an event is not tested";
}

TEST(Protocol, ALossThatIsNotFiniteIsStillJson) {
    const std::string line =
        encode(Event{1, LossBatch{{{4, std::numeric_limits<double>::quiet_NaN(), 0.5}}, 5, 0}});
    EXPECT_TRUE(json::accept(line));
    const auto parsed = parseEvent(line);
    ASSERT_TRUE(parsed.has_value());
    const auto& batch = std::get<LossBatch>(parsed->body);
    ASSERT_EQ(batch.points.size(), 1U);
    EXPECT_EQ(batch.points[0].step, 4);
    EXPECT_TRUE(std::isnan(batch.points[0].loss));
}

TEST(Protocol, OmittedFieldsThatHaveADefaultMayBeOmitted) {
    const auto run = parseCommand(R"({"type":"run","config":{}})");
    ASSERT_TRUE(run.has_value()) << run.error().text();
    EXPECT_EQ(run->id, 0);
    EXPECT_EQ(std::get<protocol::Run>(run->body).config, RunConfig{});
    EXPECT_EQ(std::get<protocol::Run>(run->body).steps, 0);
    EXPECT_EQ(std::get<protocol::Run>(run->body).checkpoints, CheckpointOptions{});
    EXPECT_EQ(std::get<protocol::Run>(run->body).resumeFrom, "");
}

TEST(Protocol, TheHeadingOfALineIsReadWhateverElseIsWrongWithIt) {
    const auto expectHeading = [](std::string_view line, std::int64_t id, std::string_view type) {
        const protocol::Heading heading = protocol::headingOf(line);
        EXPECT_EQ(heading.id, id) << line.substr(0, 100);
        EXPECT_EQ(heading.type, type) << line.substr(0, 100);
    };
    expectHeading(R"({"id":6,"type":"run","config":{"dim":0}})", 6, "run");
    expectHeading(R"({"config":{"id":1,"type":"a","x":[{"id":2}]},"type":"hello","id":9223372036854775807})",
                  INT64_MAX, "hello");
    expectHeading(R"({"id":3,"x":[4,5,"hello"],"y":{"type":"stop"}})", 3, "");
    for (const char* id :
         {"-1", "9223372036854775808", "1.5", R"("6")", "null", "true", "[6]", R"({"id":6})"})
        expectHeading(std::string(R"({"type":"run","id":)") + id + "}", 0, "run");
    expectHeading(R"({"id":6,"id":[6],"type":"run","type":7})", 0, "");
    for (const char* line :
         {"", "6", "[6]", R"([{"id":6}])", R"({"id":6)", R"({"id":6} 7)", R"("hello")", "\xff"})
        expectHeading(line, 0, "");
    expectHeading(std::string(1'000'000, '['), 0, "");
    std::string deep;
    for (int i = 0; i < 100'000; ++i) deep += R"({"id":)";
    expectHeading(deep, 0, "");
    expectHeading(deep + "6" + std::string(100'000, '}'), 0, "");
}

TEST(Protocol, RefusesWhatIsNoMessage) {
    for (const bool command : {true, false}) {
        EXPECT_THAT(errorOf("", command), HasSubstr("truncated"));
        EXPECT_THAT(errorOf("hello", command), HasSubstr("not JSON"));
        EXPECT_THAT(errorOf("[1]", command), HasSubstr("not a JSON object"));
        EXPECT_THAT(errorOf("{}", command), HasSubstr("type is missing"));
        EXPECT_THAT(errorOf(R"({"type":7})", command), HasSubstr("type is not a text"));
        EXPECT_THAT(errorOf(R"({"type":"dance"})", command), HasSubstr("'dance'"));
        EXPECT_THAT(errorOf(R"({"type":"hello","version":1,"id":-1})", command), HasSubstr("id is -1"));
        EXPECT_THAT(errorOf(R"({"type":"hello","version":1,"id":"x"})", command),
                    HasSubstr("id is not a whole number"));
        EXPECT_THAT(errorOf(R"({"type":"hello"})", command), HasSubstr("version is missing"));
        EXPECT_THAT(errorOf(R"({"type":"hello","version":2})", command),
                    AllOf(HasSubstr("version is 2"), HasSubstr("speaks version 1")));
        EXPECT_THAT(errorOf(std::string(100'000, '['), command), HasSubstr("levels"));
    }
    EXPECT_THAT(errorOf(R"({"type":"run","config":{"batch":0}})", true), HasSubstr("config.batch"));
    EXPECT_THAT(errorOf(R"({"type":"run"})", true), HasSubstr("config is missing"));
    EXPECT_THAT(errorOf(R"({"type":"run","config":{},"steps":-1})", true), HasSubstr("steps"));
    EXPECT_THAT(errorOf(R"({"type":"run","config":{},"save_every":-1})", true),
                HasSubstr("save_every is -1"));
    EXPECT_THAT(errorOf(R"({"type":"run","config":{},"keep":0})", true), HasSubstr("keep is 0"));
    EXPECT_THAT(errorOf(R"({"type":"run","config":{},"checkpoint_dir":7})", true),
                HasSubstr("checkpoint_dir"));
    EXPECT_THAT(errorOf(R"({"type":"run","config":{},"resume":{}})", true), HasSubstr("resume"));
    EXPECT_THAT(errorOf(R"({"type":"checkpoint","path":"a","step":-1})", false), HasSubstr("step"));
    EXPECT_THAT(errorOf(R"({"type":"profile","config":{},"steps":0})", true), HasSubstr("steps"));
    EXPECT_THAT(errorOf(R"({"type":"state","state":"asleep"})", false), HasSubstr("state is 'asleep'"));
    EXPECT_THAT(errorOf(R"({"type":"loss","step":[1],"loss":[],"seconds":[0],"steps_done":1})", false),
                HasSubstr("loss"));
    EXPECT_THAT(errorOf(R"({"type":"error","code":"odd","message":"m"})", false), HasSubstr("code"));
    EXPECT_THAT(errorOf(R"({"type":"reading"})", false), HasSubstr("measured is missing"));
    EXPECT_THAT(errorOf(R"({"type":"devices","devices":[{"machine":{"name":"a"}}]})", false),
                HasSubstr("devices[0].available"));
}

TEST(Protocol, EveryTruncationOfAMessageIsRefused) {
    for (const Command& command : everyCommand()) {
        const std::string line = encode(command);
        for (std::size_t size = 0; size < line.size(); ++size)
            EXPECT_NE(errorOf(std::string_view(line).substr(0, size), true), "no error");
    }
    for (const Event& event : everyEvent()) {
        const std::string line = encode(event);
        for (std::size_t size = 0; size < line.size(); size += 1 + line.size() / 100)
            EXPECT_NE(errorOf(std::string_view(line).substr(0, size), false), "no error");
    }
}

TEST(Protocol, MutatedMessagesAreReadOrRefused) {
    std::mt19937 random(3);
    std::vector<std::string> lines;
    for (const Command& command : everyCommand()) lines.push_back(encode(command));
    for (const Event& event : everyEvent()) lines.push_back(encode(event));
    for (int round = 0; round < 5000; ++round) {
        std::string line = lines[random() % lines.size()];
        for (std::uint64_t edits = 1 + random() % 3; edits > 0 && !line.empty(); --edits) {
            const std::size_t place = random() % line.size();
            switch (random() % 4) {
            case 0:
                line[place] = static_cast<char>(random());
                break;
            case 1:
                line.erase(place, 1 + random() % 8);
                break;
            case 2:
                line.insert(place, line.substr(random() % line.size(), random() % 30));
                break;
            default:
                line[place] = "{}[]\",:0-9e.n"[random() % 13];
                break;
            }
        }
        (void)parseCommand(line).has_value();
        (void)parseEvent(line).has_value();
    }
}

TEST(Protocol, AReadingOfADeepNetworkFitsInAMessage) {
    RunConfig config = sampleConfig();
    config.layers = 512;
    config.recompute = {};
    const auto snapshot = makeSnapshot(config, {sampleMachine(), cpuTraits()});
    ASSERT_TRUE(snapshot.has_value());
    const std::string line = encode(Event{1, ReadingEvent{*snapshot->predicted}});
    EXPECT_LT(line.size(), kMaxLineBytes / 8);
    const auto parsed = parseEvent(line);
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(std::get<ReadingEvent>(parsed->body).measured.ops.size(), snapshot->predicted->ops.size());
}

TEST(Protocol, AReadingWithTheLongestTimelineFitsInAMessage) {
    Reading reading = *sampleSnapshot().measured;
    TimelineBuilder builder(Source::Activity, 0);
    const std::uint16_t lane = builder.lane(LaneKind::Stream, "stream 7");
    const std::int32_t name = builder.name("a kernel");
    for (std::size_t i = 0; i < Timeline::kMostRecords; ++i) {
        const double begin = 1e-6 * static_cast<double>(i) + 1e-9 * static_cast<double>(i % 977);
        builder.add({begin, begin + 7.77e-7, Bytes{1} << 36, name, static_cast<std::int32_t>(i % 7),
                     static_cast<std::uint32_t>(i + 1), lane, TimelineKind::Kernel});
    }
    reading.timeline = std::make_shared<const Timeline>(builder.take());
    const std::string line = encode(Event{1, ReadingEvent{reading}});
    EXPECT_LT(line.size(), kMaxLineBytes / 2);
    const auto parsed = parseEvent(line);
    ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
    expectSameReading(std::get<ReadingEvent>(parsed->body).measured, reading);
}

std::vector<std::string> textsOf(std::vector<Result<std::string>> lines) {
    std::vector<std::string> texts;
    texts.reserve(lines.size());
    for (auto& line : lines) texts.push_back(line.has_value() ? *line : "error: " + line.error().message);
    return texts;
}

TEST(LineBuffer, CutsTheSameLinesHoweverTheBytesArrive) {
    const std::string stream = "one\ntwo\r\n\n\nthree is longer\n";
    for (std::size_t chunk = 1; chunk <= stream.size(); ++chunk) {
        LineBuffer buffer;
        std::vector<std::string> lines;
        for (std::size_t at = 0; at < stream.size(); at += chunk)
            for (std::string& line : textsOf(buffer.add(std::string_view(stream).substr(at, chunk))))
                lines.push_back(std::move(line));
        EXPECT_THAT(lines, testing::ElementsAre("one", "two", "three is longer")) << chunk;
        EXPECT_TRUE(buffer.finish().has_value());
    }
}

TEST(LineBuffer, RefusesAnOversizedLineOnceAndGoesOnBehindIt) {
    for (std::size_t chunk = 1; chunk <= 40; ++chunk) {
        const std::string stream = "12345678\n" + std::string(25, 'x') + "\nnext\n123456789\nlast\n";
        LineBuffer buffer(8);
        std::vector<std::string> lines;
        for (std::size_t at = 0; at < stream.size(); at += chunk)
            for (std::string& line : textsOf(buffer.add(std::string_view(stream).substr(at, chunk))))
                lines.push_back(std::move(line));
        EXPECT_THAT(lines, testing::ElementsAre("12345678", HasSubstr("longer than 8"), "next",
                                                HasSubstr("longer than 8"), "last"))
            << chunk;
    }
}

TEST(LineBuffer, NamesALineThatNeverEnded) {
    LineBuffer buffer;
    EXPECT_TRUE(buffer.add("{\"type\":").empty());
    const auto finished = buffer.finish();
    ASSERT_FALSE(finished.has_value());
    EXPECT_EQ(finished.error().code, ErrorCode::BadInput);
    EXPECT_THAT(finished.error().message, HasSubstr("8 bytes"));
}

}  // namespace
}  // namespace plumb::protocol
