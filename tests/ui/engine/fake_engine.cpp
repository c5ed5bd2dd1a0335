// SPDX-License-Identifier: GPL-3.0-or-later
// An engine that computes nothing and behaves as told: fake_engine MODE [NUMBER]
//   normal          answers every command
//   cut N           as normal, but dies by SIGKILL after N bytes of output
//   exit N          exits with code N at once
//   silent          says nothing
//   stubborn        as normal, but does not quit
//   saving          as normal, but a run with checkpoints, told to end, waits in their folder for a writer of
//                   the pipe "go" and then leaves a file "saved"
//   version N       says hello with protocol version N
//   greeting        prints a line of text first, as a shell may
//   prompt          writes a prompt, without a line break, and waits
//   gate PATH       says hello when somebody has opened that pipe for writing
//   hangs           as normal, but does not read what comes after a run
//   garbage         mixes lines into a run that are no messages
//   oversized       writes a line over the size limit into a run
//   truncated       ends in the middle of a message after hello
//   flood           fills a run with one-point loss batches as fast as the pipe takes them, without end
//   junk            the same with lines that are no messages
//   refuse          refuses every run with an error and no Finished
//   pytorch         finds PyTorch on its processor when it is asked to
//   recorded        profiles give the file FAKE_RECORDING
//   gpu             has a GPU first, whose profile counts and collects kernels when it is asked to
//   locked          the same GPU, whose driver lets nobody count
//   lost            the same GPU, which a run loses after some steps, and each one after it at once
//   counting        the same GPU; counting goes on until stop
//   calibrating     a calibration goes on until stop
#include "core/engine/lost_device.h"
#include "core/engine/protocol.h"
#include "core/measure/counter_comparison.h"
#include "core/measure/timeline.h"
#include "core/model/names.h"
#include "tests/support/counters.h"

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace plumb;
using namespace plumb::protocol;

std::string g_mode;
long g_number = 0;
long g_written = 0;

std::string g_checkpoints;  ///< folder of the run that goes on

/// The last state of a large training, for as long as the test holds the pipe.
void saveLast() {
    if (g_mode != "saving" || g_checkpoints.empty()) return;
    char byte = 0;
    std::FILE* go = std::fopen((g_checkpoints + "/go").c_str(), "r");
    if (!go) std::_Exit(9);
    while (std::fread(&byte, 1, 1, go) == 1) {
    }
    std::fclose(go);
    std::fclose(std::fopen((g_checkpoints + "/saved").c_str(), "w"));
}

void writeAll(const std::string& text) {
    std::string part = text;
    const bool dies = g_mode == "cut" && g_written + static_cast<long>(part.size()) >= g_number;
    if (dies) part.resize(static_cast<std::size_t>(g_number - g_written));
    std::size_t done = 0;
    while (done < part.size()) {
        const ssize_t n = ::write(STDOUT_FILENO, part.data() + done, part.size() - done);
        if (n <= 0) {
            saveLast();
            std::_Exit(9);
        }
        done += static_cast<std::size_t>(n);
    }
    g_written += static_cast<long>(part.size());
    if (dies) ::raise(SIGKILL);
}

template <class Body>
void say(std::int64_t id, const Body& body) {
    Event event;
    event.id = id;
    event.body = body;
    writeAll(encode(event) + '\n');
}

Machine fakeMachine(bool calibrated) {
    Machine machine{.id = "fake-cpu",
                    .name = "Fake CPU",
                    .backend = "cpu",
                    .memoryBytes = Bytes{8} * 1000 * 1000 * 1000,
                    .source = calibrated ? "calibrated now" : "not calibrated"};
    if (!calibrated) return machine;
    machine.bandwidthBytesPerSecond = 1e10;
    machine.peakFlopPerSecond = {{Dtype::Fp32, 1e11}, {Dtype::Bf16, 2e11}};
    machine.perOpOverhead = 1e-6;
    return machine;
}

Reading fakeReading(const RunConfig& config) {
    const Result<StepPlan> plan = planStep(config, cpuTraits());
    if (!plan.has_value()) return {};
    Reading reading = predictedReading(plan.value(), fakeMachine(false));
    reading.source = Source::Clock;
    reading.stepsMeasured = 7;
    double total = 0;
    for (OpReading& op : reading.ops) {
        op.source = Source::Clock;
        op.seconds = 1e-4;
        total += 1e-4;
    }
    reading.totals = makeTotals(plan.value(), fakeMachine(false), total);
    return reading;
}

// ---- PyTorch

/// The same processor, PyTorch's way; "compile" is not there.
DeviceEntry pyTorch(const std::string& mode) {
    DeviceEntry device{{fakeMachine(false), traitsFor("pytorch-" + mode, {})}, mode == "eager", "", {}};
    device.target.machine.id += "-pytorch-" + mode;
    device.target.machine.name = "PyTorch 9.9 " + mode + " – " + device.target.machine.name;
    device.counters.absent = "the PyTorch engine has no counters";
    if (!device.available) device.reason = "torch.compile needs a C++ compiler";
    return device;
}

/// Ops of the plan without FLOPs, twice as slow.
Reading pyTorchReading(const RunConfig& config) {
    Reading reading = fakeReading(config);
    reading.engine = "PyTorch 9.9 eager, CPU, 2 threads";
    reading.remarks = {"memory is that of tracked storages"};
    reading.totals.seconds = 2 * *reading.totals.seconds;
    reading.totals.samplesPerSecond = static_cast<double>(config.batch) / *reading.totals.seconds;
    reading.totals.flops = reading.totals.matmulFlops = reading.totals.bytes = std::nullopt;
    reading.totals.flopPerSecond = reading.totals.mfu = std::nullopt;
    for (OpReading& op : reading.ops) {
        op.flops = op.bytes = std::nullopt;
        op.seconds = 2 * *op.seconds;
    }
    return reading;
}

Reading readingOn(const std::string& device, const RunConfig& config) {
    return device == "pytorch-eager" ? pyTorchReading(config) : fakeReading(config);
}

// ---- a GPU

bool hasGpu() { return g_mode == "gpu" || g_mode == "locked" || g_mode == "counting" || g_mode == "lost"; }

DeviceEntry fakeGpu() {
    DeviceEntry device;
    device.target.machine.id = "fake-gpu";
    device.target.machine.name = "Fake GPU";
    device.target.machine.backend = "cuda";
    device.target.machine.computeCapability = 90;
    device.target.machine.memoryBytes = Bytes{80} * 1000 * 1000 * 1000;
    device.target.machine.bandwidthBytesPerSecond = 3e12;
    device.target.machine.peakFlopPerSecond = {{Dtype::Fp32, 6e13}, {Dtype::Bf16, 9e14}};
    device.target.machine.source = "calibrated now";
    device.target.traits = traitsFor("cuda", 90);
    device.counters.absent.clear();
    device.counters.chip = "GH100";
    device.counters.rangesAtOnce = 256;
    for (const auto& [precision, name] : kPrecisionNames) {
        device.counters.passes.push_back({precision, CounterDetail::Quick, 1});
        device.counters.passes.push_back({precision, CounterDetail::Full, 3});
    }
    if (g_mode == "locked")
        device.counters = {"the driver lets only administrators read GPU counters: run as root", "", 0, {}};
    return device;
}

/// Kernels on a stream, one for each op, and the copy of a batch.
std::shared_ptr<const Timeline> fakeKernels(const Reading& reading) {
    TimelineBuilder builder(Source::Activity, 0);
    const std::uint16_t ops = builder.lane(LaneKind::Ops, "ops");
    const std::uint16_t stream = builder.lane(LaneKind::Stream, "stream 7");
    const std::uint16_t copies = builder.lane(LaneKind::Copies, "copies");
    Seconds now = 0;
    builder.add({0, 2e-6, 4096, builder.name("host to device"), -1, 0, copies, TimelineKind::Copy});
    for (std::size_t i = 0; i < reading.ops.size(); ++i) {
        const auto op = static_cast<std::int32_t>(i);
        builder.add({now, now + 1e-4, -1, -1, op, 0, ops, TimelineKind::Op});
        builder.add({now + 1e-5, now + 9e-5, -1, builder.name("kernel_" + reading.ops[i].kind), op, 0, stream,
                     TimelineKind::Kernel});
        now += 1e-4;
    }
    builder.addStep(0, 0, now);
    return std::make_shared<const Timeline>(builder.take());
}

/// A profile on the GPU: with counters only when they were asked for.
Reading gpuReading(const Profile& command) {
    const Result<StepPlan> plan = planStep(command.config, fakeGpu().target.traits);
    if (!plan.has_value()) return {};
    Reading reading = predictedReading(plan.value(), fakeGpu().target.machine);
    reading.source = Source::Clock;
    reading.stepsMeasured = 7;
    for (OpReading& op : reading.ops) {
        op.source = Source::Clock;
        op.seconds = 1e-4;
    }
    reading.totals =
        makeTotals(plan.value(), fakeGpu().target.machine, 1e-4 * static_cast<double>(reading.ops.size()));
    reading.timeline = fakeKernels(reading);
    if (!command.counters || g_mode == "counting") {
        dropCounters(reading,
                     command.counters ? "counting was stopped: profile again" : "none were asked for");
        return reading;
    }
    applyCounters(
        reading, test::countersOf(*plan),
        {"GH100", "CUDA 13.0", "130001", {}, *command.counters == CounterDetail::Full ? 3 : 1, {}, {}});
    return reading;
}

/// True when it waits for the command to stop.
bool profileOnGpu(std::int64_t id, const Profile& command) {
    say(id, State{EngineState::Profiling});
    say(id, Progress{"profile", command.steps, command.steps});
    if (command.counters) say(id, Progress{"counters", 1, 3});
    if (command.counters && g_mode == "counting") return true;
    say(id, ReadingEvent{gpuReading(command)});
    say(id, Finished{"finished", command.steps});
    say(id, State{EngineState::Idle});
    return false;
}

constexpr int kSteps = 20;  ///< loss batches before an endless run waits for stop

void run(std::int64_t id, const Run& command) {
    if (g_mode == "refuse") {
        say(id, ErrorEvent{
                    Error{ErrorCode::BadInput, "the data has 3 columns, 4 are needed", "use another file"}});
        say(id, State{EngineState::Idle});
        return;
    }
    say(id, State{EngineState::Running});
    if (g_mode == "flood" || g_mode == "junk") {
        Event event;
        event.id = id;
        event.body = LossBatch{{{0, 0.5, 0.25}}, 1, 0, 100};
        const std::string line = g_mode == "junk" ? std::string("no message\n") : encode(event) + '\n';
        std::string block;
        while (block.size() < std::size_t{64} << 10U) block += line;
        for (;;) writeAll(block);
    }
    static bool wasLost = false;
    const bool loses = g_mode == "lost";
    const std::int64_t steps = wasLost ? 0 : loses || command.steps == 0 ? kSteps : command.steps;
    for (std::int64_t step = 0; step < steps; ++step) {
        if (g_mode == "garbage" && step == 3)
            writeAll("{\"type\": \"no such thing\"}\n\xff\xfe not json\n{}\n");
        if (g_mode == "oversized" && step == 3) writeAll(std::string(kMaxLineBytes + 10, 'x') + '\n');
        LossBatch batch;
        batch.points.push_back({step, 1.0 / static_cast<double>(step + 1), 0.01 * static_cast<double>(step)});
        batch.stepsDone = step + 1;
        batch.stepsPerSecond = 100;
        batch.skippedSteps = step > 2 ? 1 : 0;
        say(id, batch);
        say(id, StatisticsEvent{LayerStatistics{step, {}}});
    }
    if (loses) {
        wasLost = true;
        const Error loss = lostDevice("fake");
        say(id, ErrorEvent{loss});
        say(id, Finished{"failed: " + loss.message, steps});
        say(id, State{EngineState::Idle});
        return;
    }
    say(id, ReadingEvent{readingOn(command.device, command.config)});
    if (command.steps == 0) return;
    say(id, Finished{"finished", steps});
    say(id, State{EngineState::Idle});
}

}  // namespace

int main(int argc, char** argv) {
    g_mode = argc > 1 ? argv[1] : "normal";
    if (argc > 2) std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), g_number);
    if (g_mode == "exit") {
        std::fprintf(stderr, "fake_engine: told to exit\n");
        return static_cast<int>(g_number);
    }
    if (g_mode == "saving") std::signal(SIGPIPE, SIG_IGN);  // it goes on when nobody reads
    if (g_mode == "greeting") writeAll("Welcome to the machine\n");
    if (g_mode == "prompt") writeAll("\n$ ");
    if (g_mode == "gate") std::fclose(std::fopen(argv[2], "r"));
    std::int64_t running = 0;
    std::optional<Profile> waiting;  ///< counts until it is stopped
    std::string line;
    while (std::getline(std::cin, line)) {
        if (g_mode == "silent" || g_mode == "prompt") continue;
        const Result<Command> parsed = parseCommand(line);
        if (!parsed.has_value()) {
            say(0, ErrorEvent{parsed.error()});
            continue;
        }
        const std::int64_t id = parsed->id;
        const auto& body = parsed->body;
        if (std::holds_alternative<Hello>(body)) {
            say(g_mode == "echo" ? id : 0,
                Hello{g_mode == "version" ? static_cast<int>(g_number) : kVersion, "fake"});
            if (g_mode == "truncated") {
                writeAll(R"({"id": 1, "type": "sta)");
                return 0;
            }
        } else if (const auto* asked = std::get_if<Devices>(&body)) {
            DeviceList list;
            if (hasGpu()) list.devices.push_back(fakeGpu());
            list.devices.push_back({{fakeMachine(false), cpuTraits()}, true, "", {}});
            list.devices.back().counters.absent = kOnlyNvidiaCounts;
            Machine gpu;
            gpu.id = "fake-gpu";
            gpu.name = "Fake GPU";
            gpu.backend = "cuda";
            if (!hasGpu()) list.devices.push_back({{gpu, {}}, false, "the driver is not installed", {}});
            say(id, list);
            if (g_mode == "pytorch" && asked->python) {
                list.devices.insert(list.devices.begin() + 1, pyTorch("eager"));
                list.devices.push_back(pyTorch("compile"));
                say(id, list);
            }
        } else if (const auto* command = std::get_if<Run>(&body)) {
            running = command->steps == 0 ? id : 0;
            if (running != 0) g_checkpoints = command->checkpoints.folder;
            run(id, *command);
            while (g_mode == "hangs") ::pause();
        } else if (const auto* counted = std::get_if<Profile>(&body); counted && hasGpu()) {
            running = id;
            if (profileOnGpu(id, *counted)) waiting = *counted;
        } else if (const auto* profile = std::get_if<Profile>(&body)) {
            say(id, State{EngineState::Profiling});
            say(id, Progress{"measuring", 1, profile->steps});
            if (g_mode == "recorded")
                say(id, Recorded{std::getenv("FAKE_RECORDING")});
            else
                say(id, ReadingEvent{readingOn(profile->device, profile->config)});
            say(id, Finished{"finished", profile->steps});
            say(id, State{EngineState::Idle});
        } else if (std::holds_alternative<Calibrate>(body)) {
            say(id, State{EngineState::Calibrating});
            say(id, Progress{"again: fp32 sgd steps of width 256, batch 64", 1, 2});
            running = id;
            if (g_mode == "calibrating") continue;  // until it is stopped
            say(id, Calibrated{fakeMachine(true)});
            say(id, Finished{"finished", 0});
            say(id, State{EngineState::Idle});
        } else if (const auto* look = std::get_if<Inspect>(&body)) {
            if (running == 0) {
                say(id,
                    ErrorEvent{Error{ErrorCode::BadInput, "nothing is trained", "start a training first"}});
                continue;
            }
            const std::vector<float> values{0.0F, 1e-9F, 1e-5F, -0.25F, 1.0F};
            TensorValues answer;
            answer.inspection.role = look->role;
            answer.inspection.layer = look->layer;
            answer.inspection.steps = kSteps;
            answer.inspection.rows = 5;
            answer.inspection.columns = 1;
            answer.inspection.histogram = plumb::histogramOf(values);
            say(id, answer);
        } else if (const auto* question = std::get_if<TimeEinsum>(&body)) {
            say(id, State{EngineState::Timing});
            if (question->expression.starts_with("relu"))
                say(id, ErrorEvent{Error{ErrorCode::BadInput, "no kernel does relu", "time a product"}});
            else
                say(id, EinsumTimed{question->expression, 1e-3, 9e-4, 25, "fake", "local-cpu"});
            say(id, Finished{"finished", 0});
            say(id, State{EngineState::Idle});
        } else if (std::holds_alternative<Pause>(body)) {
            say(running, State{EngineState::Paused});
        } else if (std::holds_alternative<Resume>(body)) {
            say(running, State{EngineState::Running});
        } else if (std::holds_alternative<Stop>(body)) {
            if (waiting) say(running, ReadingEvent{gpuReading(*std::exchange(waiting, std::nullopt))});
            g_checkpoints.clear();
            say(running, Finished{"stopped", kSteps});
            say(running, State{EngineState::Idle});
        } else if (std::holds_alternative<Quit>(body) && g_mode != "stubborn") {
            saveLast();
            return 0;
        }
    }
    saveLast();
    while (g_mode == "stubborn" || g_mode == "silent") ::pause();
    return 0;
}
