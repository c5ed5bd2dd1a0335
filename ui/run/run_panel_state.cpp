// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_panel_state.h"

#include "ui/engine/cpu_ranks.h"
#include "ui/theme/text.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/stop_slider.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::ui {
namespace {

/// The name of a device without what says nothing of it: "Intel Xeon, 2 cores" of "Intel(R) Xeon(R)
/// Processor, 2 cores".
QString briefName(QString device) {
    for (const char* empty : {"(R)", "(TM)", "(tm)", " Processor"}) device.remove(QLatin1String(empty));
    return device;
}

using protocol::EngineState;

SliderState slider(std::int64_t value, std::vector<std::int64_t> stops, std::optional<std::int64_t> running) {
    SliderState state{value, std::move(stops), std::nullopt};
    if (running && *running != value) state.ghost = running;
    return state;
}

/// From the head alone on.
std::vector<std::int64_t> depthStops() {
    std::vector<std::int64_t> stops = niceStops(1, 512);
    stops.insert(stops.begin(), 0);
    return stops;
}

/// Every whole number as long as they can be told apart on the slider, then nice ones.
std::vector<std::int64_t> recomputeStops(std::int64_t layers) {
    if (layers > 48) return niceStops(1, layers);
    std::vector<std::int64_t> stops;
    for (std::int64_t k = 1; k <= layers; ++k) stops.push_back(k);
    return stops;
}

/// A narrow panel breaks the line between two sizes, not between a number and its unit.
QString unbrokenBytes(Bytes bytes) { return bytesText(bytes).replace(QLatin1Char(' '), QChar(QChar::Nbsp)); }

void fillMemory(RunPanelState& state, const Scene& scene) {
    const Bytes used = scene.whatIf.prediction->memory.peakBytes;
    state.memoryUsed = unbrokenBytes(used);
    state.memoryToolTip = RunController::tr("Predicted peak: %1").arg(exactText(used, "B"));
    const auto total = scene.whatIf.machine().memoryBytes;
    if (!total || *total <= 0) {
        state.memoryToolTip += RunController::tr("\nThe memory size of this device is not known");
        return;
    }
    const Bytes part = *total / scene.whatIf.step->ranksOfMachine;
    state.memoryUsed += RunController::tr(" of %1").arg(unbrokenBytes(part));
    state.memoryToolTip += RunController::tr("\nMemory of %1: %2 (%3)")
                               .arg(deviceText(scene.whatIf.machine()), exactText(*total, "B"),
                                    coreText(scene.whatIf.machine().source));
    state.memoryShare = static_cast<double>(used) / static_cast<double>(part);
}

/// The same device for several ranks: those that are offered, and as many as there are.
void addRanks(RunPanelState& state, const RunPanelInput& input, const DeviceItem& device, int choice) {
    const DeviceChoice& of = input.devices->at(static_cast<std::size_t>(choice));
    if (!sharesRanks(of)) return;
    std::vector<std::int64_t> counts = offeredRanks(of);
    const std::int64_t now = input.scene->config().parallel.ranks();
    if (choice == input.currentDevice && now > 1) counts.push_back(now);
    std::ranges::sort(counts);
    counts.erase(std::ranges::unique(counts).begin(), counts.end());
    for (const std::int64_t ranks : counts) {
        DeviceItem item = device;
        item.text = cpuRanksText(ranks);
        item.toolTip = RunController::tr("%1 that take a step together, with equal parts of %2")
                           .arg(item.text, device.toolTip);
        item.ranks = ranks;
        state.devices.push_back(std::move(item));
    }
}

void fillDevices(RunPanelState& state, const RunPanelInput& input) {
    const auto gpus = std::ranges::count_if(*input.devices, [](const DeviceChoice& device) {
        return device.ofEngine && device.target.machine.index.has_value();
    });
    const bool hasPyTorch = std::ranges::any_of(*input.devices, [](const DeviceChoice& device) {
        return device.ofEngine && device.canRun && runsPyTorch(device.target);
    });
    for (int index = 0; index < static_cast<int>(input.devices->size()); ++index) {
        const DeviceChoice& device = input.devices->at(static_cast<std::size_t>(index));
        DeviceItem item;
        item.choice = index;
        const Machine& machine = device.target.machine;
        QString whole = device.name();
        if (machine.index && gpus > 1) whole += RunController::tr(" · GPU %1").arg(*machine.index);
        if (hasPyTorch && device.ofEngine && device.canRun && !runsPyTorch(device.target))
            whole += RunController::tr(" · built-in");
        item.text = briefName(whole);
        item.enabled = device.enabled;
        item.toolTip =
            device.reason.isEmpty() ? whole : RunController::tr("%1: %2").arg(whole, device.reasonText());
        if (!machine.uuid.empty())
            item.toolTip +=
                RunController::tr("\nGPU %1, %2").arg(machine.index.value_or(0)).arg(toText(machine.uuid));
        if (!device.target.machine.source.empty())
            item.toolTip += RunController::tr("\nCeilings: %1").arg(coreText(device.target.machine.source));
        if (!device.canRun && device.enabled) item.text += RunController::tr(" · predict");
        if (!device.enabled) {
            const QString text = RunController::tr("%1: %2").arg(item.text, device.reasonText());
            // Few have PyTorch, and nobody needs to be told at all times.
            if (state.deviceNote.isEmpty() && !runsPyTorch(device.target)) state.deviceNote = text;
            item.text += RunController::tr(" · not available");
        }
        if (index == input.currentDevice) state.currentDevice = static_cast<int>(state.devices.size());
        state.devices.push_back(item);
        addRanks(state, input, item, index);
    }
    const auto current = std::ranges::find_if(state.devices, [&](const DeviceItem& item) {
        return item.choice == input.currentDevice && item.ranks == input.scene->config().parallel.ranks();
    });
    if (current != state.devices.end())
        state.currentDevice = static_cast<int>(current - state.devices.begin());
    if (input.devices->empty()) return;
    const DeviceChoice& chosen = input.devices->at(static_cast<std::size_t>(input.currentDevice));
    // What was chosen matters more than what could not be.
    if (!chosen.canRun && !chosen.reason.isEmpty()) state.deviceNote = chosen.reasonText();
}

void fillButtons(RunPanelState& state, const RunPanelInput& input) {
    const bool idle = input.engine == EngineState::Idle;
    switch (input.engine) {
    case EngineState::Running:
        state.runText = RunController::tr("Pause");
        break;
    case EngineState::Paused:
        state.runText = RunController::tr("Resume");
        break;
    default:
        state.runText = RunController::tr("Run");
        break;
    }
    state.isPaused = input.engine == EngineState::Paused;
    const bool training = input.engine == EngineState::Running || state.isPaused;
    state.canRun = training || (idle && input.canTrain);
    state.canProfile = idle && input.whyNotRun.isEmpty();
    state.canStop = !idle;
    state.showApply = input.canApply;
    state.runToolTip = input.canTrain && !input.whyNotRun.isEmpty()
                           ? RunController::tr("%1: it is started first").arg(input.whyNotRun)
                           : input.whyNotRun;
    state.profileToolTip = input.whyNotRun.isEmpty()
                               ? RunController::tr("Measure every operation over some steps")
                               : input.whyNotRun;
}

void fillCounters(RunPanelState& state, const RunPanelInput& input) {
    const auto cost = [&](std::size_t detail) {
        const auto steps = input.countingSteps.at(detail);
        return !steps ? RunController::tr("further steps, one for each pass over the metrics")
                      : RunController::tr("%1, one for each pass over the metrics")
                            .arg(*steps == 1 ? RunController::tr("1 further step")
                                             : RunController::tr("%1 further steps").arg(*steps));
    };
    const QString content[] = {
        RunController::tr("Executed FLOPs of the tensor cores, and bytes of DRAM, L2 and L1"),
        RunController::tr("The same, and FLOPs of the CUDA cores and bytes of shared memory")};
    state.canCount = input.whyNoCounters.isEmpty() && input.engine == EngineState::Idle;
    state.countersToolTips[0] = RunController::tr("Profile time and memory only");
    for (std::size_t detail = 0; detail < kAllCounterDetails.size(); ++detail) {
        state.countersToolTips.at(1 + detail) =
            RunController::tr("%1: %2").arg(content[detail], cost(detail));
        if (input.counters == kAllCounterDetails.at(detail)) state.counters = static_cast<int>(1 + detail);
    }
    if (!input.whyNoCounters.isEmpty()) {
        state.counters = 0;  // what a profile would do now
        state.countersNote = capitalised(input.whyNoCounters);
        state.countersToolTips.fill(input.whyNoCounters);
    } else if (state.counters == 0) {
        state.countersNote = RunController::tr("Profile without hardware counters");
    } else {
        const auto steps = input.countingSteps.at(static_cast<std::size_t>(state.counters) - 1);
        state.countersNote = !steps        ? RunController::tr("Profile takes more steps")
                             : *steps == 1 ? RunController::tr("Profile takes 1 step more")
                                           : RunController::tr("Profile takes %1 steps more").arg(*steps);
    }
}

}  // namespace

RunConfig withBatch(RunConfig config, std::int64_t batch) {
    const bool whole = config.microBatch == 0 || config.microBatch == config.rankBatch();
    config.batch = batch;
    const std::int64_t rows = config.rankBatch();
    if (whole || rows < 1) {
        config.microBatch = 0;
    } else if (rows % config.microBatch != 0) {
        const auto choices = divisors(rows);
        config.microBatch = *std::prev(std::ranges::upper_bound(choices, std::min(config.microBatch, rows)));
    }
    return config;
}

RecomputePolicy startOf(RecomputePolicy::Kind kind, const Scene& scene) {
    RecomputePolicy policy{kind, 1, 0};
    if (kind == RecomputePolicy::Kind::Every)
        while (policy.interval * policy.interval < scene.config().layers) ++policy.interval;
    if (kind == RecomputePolicy::Kind::Fit) {
        policy.budgetBytes = scene.whatIf.machine().memoryBytes.value_or(
            std::max<Bytes>(1, scene.whatIf.prediction->memory.peakBytes));
        // A size that a person reads: "23Gi" of a device of 24 684 084Ki.
        for (const Bytes unit : {Bytes{1} << 30, Bytes{1} << 20})
            if (policy.budgetBytes >= 8 * unit) {
                policy.budgetBytes -= policy.budgetBytes % unit;
                break;
            }
    }
    return policy;
}

RunConfig withOptimizer(RunConfig config, Optimizer optimizer) {
    config.optimizer = optimizer;
    for (const Setting setting : kEnumerators<Setting>)
        if (!settingDefault(optimizer, setting)) config.settings[setting].reset();
    return config;
}

QString sizeText(std::int64_t size) {
    constexpr std::array kUnits{
        std::pair{std::int64_t{1} << 40, "Ti"},          std::pair{std::int64_t{1} << 30, "Gi"},
        std::pair{std::int64_t{1} << 20, "Mi"},          std::pair{std::int64_t{1} << 10, "Ki"},
        std::pair{std::int64_t{1'000'000'000'000}, "T"}, std::pair{std::int64_t{1'000'000'000}, "G"},
        std::pair{std::int64_t{1'000'000}, "M"},         std::pair{std::int64_t{1000}, "k"}};
    QString shortest = QString::number(size);
    for (const auto& [unit, name] : kUnits) {
        const QString text = QString::number(size / unit) + QString::fromLatin1(name);
        if (size > 0 && size % unit == 0 && text.size() < shortest.size()) shortest = text;
    }
    return shortest;
}

QString optionHelp(std::string_view option) {
    for (const OptionInfo& info : runOptions())
        if (info.name == option) return coreText(info.help);
    return {};
}

RunPanelState makeRunPanelState(const RunPanelInput& input) {
    const RunConfig& config = input.scene->config();
    const auto running = [&](auto field) -> std::optional<std::int64_t> {
        if (!input.running) return std::nullopt;
        return field(*input.running);
    };
    RunPanelState state{
        .dim = slider(config.dim, niceStops(8, 32768), running([](const RunConfig& c) { return c.dim; })),
        .layers = slider(config.layers, depthStops(), running([](const RunConfig& c) { return c.layers; })),
        .outputs = slider(config.outputWidth(), niceStops(1, 1024),
                          running([](const RunConfig& c) { return c.outputWidth(); })),
        .head = config.head};
    state.batch =
        slider(config.batch, niceStops(1, 262144), running([](const RunConfig& c) { return c.batch; }));
    state.microBatch = slider(config.microBatchSize(), divisors(config.rankBatch()),
                              running([](const RunConfig& c) { return c.microBatchSize(); }));
    state.recomputeEvery = slider(
        std::clamp<std::int64_t>(config.recompute.interval, 1, std::max<std::int64_t>(config.layers, 1)),
        recomputeStops(std::max<std::int64_t>(config.layers, 1)),
        running([](const RunConfig& c) { return c.recompute.interval; }));
    if (input.running && input.running->recompute.kind != RecomputePolicy::Kind::Every)
        state.recomputeEvery.ghost.reset();
    state.activation = config.activation;
    state.recompute = config.recompute.kind;
    state.precision = config.precision;
    state.masterWeights = config.hasMasterCopy();
    state.precisionNote = coreText(precisionNote(config, input.scene->whatIf.plan->traits));
    state.narrow = dtypeSize(config.weightDtype()) < 4;
    state.fp32Gradients = config.parameterGradientDtype() == Dtype::Fp32;
    if (config.recompute.kind == RecomputePolicy::Kind::Fit)
        state.recomputeBudget = sizeText(config.recompute.budgetBytes);
    state.optimizer = config.optimizer;
    state.learningRate = numberText(config.effectiveLearningRate(), 'g', 6);
    state.learningRateHint =
        config.learningRate ? QString() : RunController::tr("default of this optimizer in PyTorch");
    if (config.data != "synthetic") state.data = toText(config.data);
    state.targets = toText(config.targets);
    state.seed = QString::number(config.seed);
    state.steps = input.stepsWanted == 0 ? QString() : groupedDigits(input.stepsWanted);
    fillDevices(state, input);
    fillMemory(state, *input.scene);
    fillCounters(state, input);
    fillButtons(state, input);
    return state;
}

}  // namespace plumb::ui
