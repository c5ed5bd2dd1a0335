// SPDX-License-Identifier: Apache-2.0
#include "app/cli/report.h"

#include "app/cli/report_marks.h"
#include "app/cli/report_notes.h"
#include "app/cli/step_tables.h"
#include "core/base/plain_text.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/measure/memory_roofs.h"
#include "core/measure/mfu_judgement.h"
#include "core/measure/plain_memory.h"
#include "core/measure/training_series.h"
#include "core/plan/traffic.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace plumb::cli {

namespace {

std::optional<double> percent(const std::optional<double>& share) {
    if (!share) return std::nullopt;
    return *share * 100.0;
}

/// Above 100 % it is no utilisation: a note says why.
std::string mfu(const Totals& totals, const Machine& machine) {
    const auto value = percent(totals.mfu);
    if (value && !impossibleUtilisation(*totals.mfu, machine).empty()) return "above 100 %";
    return value ? fmt::format("{:.1f} %", *value) : std::string(kUnknown);
}

std::string header(const Snapshot& snapshot) {
    // What makes a run what it is, always; of the rest only what was changed.
    constexpr std::array<std::string_view, 12> kAlways{"dim",   "layers",      "outputs",   "activation",
                                                       "batch", "micro-batch", "precision", "optimizer",
                                                       "lr",    "checkpoint",  "seed",      "data"};
    RunConfig standard;
    standard.optimizer = snapshot.config.optimizer;
    std::string options;
    for (const OptionInfo& option : runOptions()) {
        const std::string value = optionValue(snapshot.config, option.name);
        const bool shown =
            std::find(kAlways.begin(), kAlways.end(), option.name) != kAlways.end() ||
            (optionApplies(snapshot.config, option.name) && value != optionValue(standard, option.name));
        if (shown && !value.empty())
            options += fmt::format("{}{} {}", options.empty() ? "" : " · ", option.name, plainLine(value));
    }
    const Machine& machine = snapshot.target.machine;
    std::string ceilings = plainLine(machine.name);
    if (!machine.backend.empty()) ceilings += ", " + plainLine(machine.backend);
    if (machine.index) ceilings += fmt::format(", GPU {}", *machine.index);
    if (!machine.uuid.empty()) ceilings += ", " + plainLine(machine.uuid);
    if (machine.memoryBytes) ceilings += ", " + quantity(machine.memoryBytes, "B");
    for (const auto& [dtype, peak] : machine.peakFlopPerSecond)
        ceilings += fmt::format(", {} {}", dtypeName(dtype), formatQuantity(peak, "FLOP/s"));
    if (machine.bandwidthBytesPerSecond) ceilings += ", " + quantity(machine.bandwidthBytesPerSecond, "B/s");
    std::string note = precisionNote(snapshot.config, snapshot.target.traits);
    if (!note.empty()) note = fmt::format("Precision      {}\n", note);
    return fmt::format("Configuration  {}\nMachine        {} ({})\n{}Parameters     {}\n", options, ceilings,
                       plainLine(machine.source), note, formatExact(snapshot.config.parameters(), ""));
}

std::string fitLine(const Snapshot& snapshot) {
    const auto& memory = snapshot.predicted ? snapshot.predicted->memory : std::nullopt;
    if (!memory || !snapshot.target.machine.memoryBytes) return {};
    const Bytes have = *snapshot.target.machine.memoryBytes;
    const std::int64_t largest = largestBatchThatFits(snapshot.config, snapshot.target.traits, have);
    const std::int64_t ranks = ranksOfMachine(snapshot.config, snapshot.target.traits);
    const std::string sizes = fmt::format("needs {}{} of {}", ranks > 1 ? fmt::format("{} × ", ranks) : "",
                                          bytesText(memory->peakBytes), bytesText(have));
    std::string batch = "the largest batch that fits is " + formatExact(largest, "");
    if (largest == 0) batch = "no batch fits";
    // With micro-batches, memory does not grow with the batch.
    if (largest > kMaxDimension - snapshot.config.microBatchSize())
        batch = "any batch of this micro-batch fits";
    return fmt::format("Memory         {}: {}, {}\n",
                       memory->peakBytes <= have / ranks ? "fits" : "DOES NOT FIT", sizes, batch);
}

/// What was predicted beside what was measured, and how far apart they are; without a measurement, the first
/// alone.
class FigureTable {
public:
    explicit FigureTable(bool isMeasured) : m_isMeasured(isMeasured) {}

    void row(std::string name, std::string predicted, std::string measured, std::string diff) {
        if (m_isMeasured)
            m_table.add({std::move(name), std::move(predicted), std::move(measured), std::move(diff)});
        else
            m_table.add({std::move(name), std::move(predicted)});
    }
    template <class Number>
    void number(const std::string& name, const std::optional<Number>& predicted,
                const std::optional<Number>& measured, std::string_view unit) {
        row(name, quantity(predicted, unit), quantity(measured, unit), difference(predicted, measured));
    }
    [[nodiscard]] std::string text() const { return m_table.text(); }

private:
    bool m_isMeasured;
    Table m_table;
};

void addStep(FigureTable& table, const Snapshot& snapshot, const Reading& p, const Reading& m) {
    table.row("One step", tierHead(p), "measured", "difference");
    table.number("  time", p.totals.seconds, m.totals.seconds, "s");
    if (p.totals.spread || m.totals.spread)
        table.row(snapshot.measured ? "    10 % to 90 %" : "    range", spread(p.totals.spread),
                  spread(m.totals.spread), "");
    if (p.totals.exposed)
        table.number("    exposed to traffic", p.totals.exposed, std::optional<Seconds>(), "s");
    table.number("  samples per second", p.totals.samplesPerSecond, m.totals.samplesPerSecond, "/s");
    table.number("  rate", p.totals.flopPerSecond, m.totals.flopPerSecond, "FLOP/s");
    table.row("  MFU", mfu(p.totals, snapshot.target.machine), mfu(m.totals, snapshot.target.machine),
              difference(p.totals.mfu, m.totals.mfu));
    // Only hardware counters measure FLOPs and bytes.
    const Totals counter = m.counterRun ? m.totals : Totals();
    table.number("  FLOPs", p.totals.flops, counter.flops, "FLOP");
    table.number("    in matrix products", p.totals.matmulFlops, counter.matmulFlops, "FLOP");
    const Result<StepPlan> plan = planStep(snapshot.config, snapshot.target.traits);
    const std::optional<Flops> rule(plan.has_value() ? std::optional(plan->ruleOfThumbFlops())
                                                     : std::nullopt);
    table.number("    rule of thumb 6·B·N", rule, std::optional<Flops>(), "FLOP");
    table.number("  bytes moved", p.totals.bytes, counter.bytes, "B");
}

void addMemory(FigureTable& table, const Reading& p, const Reading& m) {
    const auto bytes = [&](const std::string& name, Bytes predicted, Bytes measured) {
        table.number(name, std::optional<Bytes>(predicted),
                     m.memory ? std::optional<Bytes>(measured) : std::nullopt, "B");
    };
    bytes("Peak memory", p.memory->peakBytes, m.memory ? m.memory->peakBytes : 0);
    for (const Category category : kAllCategories) {
        const Bytes measured = m.memory ? m.memory->atPeak[category] : 0;
        if (p.memory->atPeak[category] == 0 && measured == 0) continue;
        bytes(fmt::format("  {}", categoryLabel(category)), p.memory->atPeak[category], measured);
    }
}

/// Whether two ranks cost the same, but for time.
bool areAlike(const RankReading& a, const RankReading& b) {
    return a.peakBytes == b.peakBytes && a.sentBytes == b.sentBytes && a.receivedBytes == b.receivedBytes;
}

/// Neighbours that are alike have one entry, with the times of the slowest.
void addRanks(FigureTable& table, const std::vector<RankReading>& p, const std::vector<RankReading>& m) {
    const std::size_t count = std::max(p.size(), m.size());
    const auto at = [](const std::vector<RankReading>& ranks, std::size_t i) {
        return i < ranks.size() ? std::optional(ranks[i]) : std::nullopt;
    };
    for (std::size_t first = 0, end = 0; first < count; first = end) {
        std::optional<RankReading> predicted = at(p, first);
        std::optional<RankReading> measured = at(m, first);
        for (end = first + 1; end < count; ++end) {
            const auto nextPredicted = at(p, end), nextMeasured = at(m, end);
            if (predicted.has_value() != nextPredicted.has_value() ||
                measured.has_value() != nextMeasured.has_value() ||
                (predicted && !areAlike(*predicted, *nextPredicted)) ||
                (measured && !areAlike(*measured, *nextMeasured)))
                break;
            if (predicted) predicted->seconds = std::max(predicted->seconds, nextPredicted->seconds);
            if (predicted) predicted->waited = std::max(predicted->waited, nextPredicted->waited);
            if (!measured) continue;
            measured->seconds = std::max(measured->seconds, nextMeasured->seconds);
            measured->waited = std::max(measured->waited, nextMeasured->waited);
        }
        table.row(end == first + 1 ? fmt::format("Rank {}", first)
                                   : fmt::format("Ranks {} to {}", first, end - 1),
                  "", "", "");
        const auto bytes = [&](const std::string& name, Bytes RankReading::*of) {
            const auto value = [of](const std::optional<RankReading>& rank) {
                return rank ? std::optional<Bytes>(*rank.*of) : std::nullopt;
            };
            table.number(name, value(predicted), value(measured), "B");
        };
        bytes("  peak memory", &RankReading::peakBytes);
        bytes("  sent in a step", &RankReading::sentBytes);
        bytes("  received", &RankReading::receivedBytes);
        const auto seconds = [&](const std::string& name, std::optional<Seconds> RankReading::*of) {
            const auto value = [of](const std::optional<RankReading>& rank) {
                return rank ? *rank.*of : std::optional<Seconds>();
            };
            if (value(predicted) || value(measured))
                table.number(name, value(predicted), value(measured), "s");
        };
        seconds("  time of a step", &RankReading::seconds);
        seconds("    waiting for others", &RankReading::waited);
    }
}

std::string deviceShares(const std::vector<MemoryShare>& device) {
    if (device.empty()) return {};
    Table shares;
    for (const MemoryShare& share : device) shares.add({"  " + share.name, bytesText(share.bytes)});
    return "In use on the device between steps\n" + shares.text();
}

/// "1.75 GHz" and where it lay, of each number that was sampled.
std::string deviceTelemetry(const Telemetry& telemetry) {
    Table table;
    for (const SampledFigure& figure : kSampledFigures) {
        const std::optional<SampledRange>& range = telemetry.*figure.range;
        if (!range) continue;
        table.add({fmt::format("  {}", figure.label), sampledText(range->mean, figure.unit),
                   fmt::format("{} to {}", sampledText(range->low, figure.unit),
                               sampledText(range->high, figure.unit))});
    }
    if (telemetry.powerLimitWatts) table.add({"  power limit", sampledText(*telemetry.powerLimitWatts, "W")});
    if (telemetry.joulesPerStep) table.add({"  energy per step", sampledText(*telemetry.joulesPerStep, "J")});
    if (telemetry.joulesPerSample)
        table.add({"  energy per sample", sampledText(*telemetry.joulesPerSample, "J")});
    const std::string rows = table.text();
    if (rows.empty()) return {};
    return fmt::format("The device meanwhile, mean and range of {} sample{}\n{}", telemetry.samples,
                       telemetry.samples == 1 ? "" : "s", rows);
}

std::string figures(const Snapshot& snapshot) {
    const Reading& p = *snapshot.predicted;
    const Reading unknown;
    const Reading& m = snapshot.measured ? *snapshot.measured : unknown;
    FigureTable table(snapshot.measured.has_value());
    addStep(table, snapshot, p, m);
    if (p.memory) addMemory(table, p, m);
    addRanks(table, p.ranks, m.ranks);
    std::string text = table.text();
    if (m.memory) text += deviceShares(m.memory->device);
    if (m.telemetry) text += deviceTelemetry(*m.telemetry);
    if (!p.memory) return text;
    // What a file says can be another program's; the plan is this one's.
    if (const auto plan = planStep(snapshot.config, snapshot.target.traits); plan.has_value()) {
        const PlainMemory plain = plainMemory(*plan, *p.memory);
        text +=
            fmt::format("Plain sum      {}\n               {}\n", plain.sumText(), plain.differenceText());
    }
    const auto peakOp = static_cast<std::size_t>(p.memory->peakOp);
    if (p.memory->peakOp >= 0 && peakOp < p.ops.size())
        text += fmt::format("The peak is reached in: {}\n", plainLine(p.ops[peakOp].name));
    return text;
}

/// How the scale of the activations went from layer to layer under the first weights.
std::string growthLine(const RunConfig& config, const TrainingSeries& training) {
    if (!training.firstScales) return {};
    const auto measured = measuredGrowthPerLayer(config, *training.firstScales, TensorRole::Activation);
    if (!measured) return {};
    return fmt::format("Growth         of the activations per layer: predicted × {:.4g}, measured × {:.4g} "
                       "at step {}\n",
                       initialGrowthPerLayer(config), *measured, training.firstScales->step);
}

std::string trainingLines(const RunConfig& config, const TrainingSeries& training) {
    std::string text = fmt::format("Training       {}", plainLine(training.outcome));
    if (training.outcome.find("step") == std::string::npos)  // others say at which one they ended
        text += fmt::format(" after {} step{}", training.stepsDone, training.stepsDone == 1 ? "" : "s");
    if (!training.steps.empty())
        text += fmt::format(", loss {} at first, {} at last", lossText(training.steps.front().loss),
                            lossText(training.steps.back().loss));
    if (!training.steps.empty() && config.standardizeTargets && config.readsFiles())
        text += " (in units of the variance of the targets)";
    if (!training.steps.empty() && training.steps.back().seconds > 0)
        text += fmt::format(", {:.4g} steps/s",
                            static_cast<double>(training.stepsDone) / training.steps.back().seconds);
    text += lossScaleText(training);
    if (!training.holdOut.empty())
        text += fmt::format("\nHeld out       loss {} at first, {} after {} steps",
                            lossText(training.holdOut.front().loss), lossText(training.holdOut.back().loss),
                            training.holdOut.back().step);
    return text + "\n" + growthLine(config, training);
}

/// The measured MFU in words, or the predicted one.
std::string utilisation(const Snapshot& snapshot) {
    const auto measured = snapshot.measured ? snapshot.measured->totals.mfu : std::nullopt;
    const auto mfu = measured ? measured : snapshot.predicted->totals.mfu;
    // What is impossible has no grade: a note says why.
    if (!mfu || !impossibleUtilisation(*mfu, snapshot.target.machine).empty()) return {};
    std::optional<MfuCeiling> ceiling;
    if (const auto plan = planStep(snapshot.config, snapshot.target.traits); plan.has_value())
        ceiling = mfuCeiling(*plan, snapshot.target.machine);
    std::string text;
    for (const std::string& line : judgeMfu(*mfu, ceiling))
        text += (text.empty() ? (measured ? "Measured       " : "Predicted      ") : "               ") +
                line + "\n";
    return "\n" + text;
}

}  // namespace

std::string report(const Snapshot& snapshot, std::vector<std::string> notes) {
    std::string text = header(snapshot) + fitLine(snapshot);
    if (snapshot.data) text += fmt::format("Data           {}\n", plainLine(snapshot.data->description));
    if (snapshot.training) text += trainingLines(snapshot.config, *snapshot.training);
    if (snapshot.predicted)
        text += "\n" + figures(snapshot) + utilisation(snapshot) + "\n" + phaseTable(snapshot) + "\n" +
                opTable(snapshot);
    if (snapshot.predicted)
        if (const std::string collectives = collectiveTable(snapshot); !collectives.empty())
            text += "\n" + collectives;
    if (snapshot.measured)
        if (const std::string products = productTable(*snapshot.measured); !products.empty())
            text += "\n" + products;
    text += marksText(snapshot);
    const std::vector<std::string> own = notesOf(snapshot);
    notes.insert(notes.end(), own.begin(), own.end());
    if (!notes.empty()) text += "\n";
    for (const std::string& note : notes) text += "Note: " + plainLine(note, 1000) + "\n";
    return text;
}

std::string document(const Snapshot& snapshot, std::vector<std::string> notes) {
    nlohmann::json json = toJson(snapshot);
    const std::vector<std::string> own = notesOf(snapshot);
    notes.insert(notes.end(), own.begin(), own.end());
    json["notes"] = std::move(notes);
    return dumpJson(json, 1) + "\n";
}

}  // namespace plumb::cli
