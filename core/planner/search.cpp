// SPDX-License-Identifier: Apache-2.0
#include "core/base/quantity.h"
#include "core/planner/common_batch.h"
#include "core/planner/explore.h"
#include "core/planner/memory.h"
#include "core/planner/step_time.h"
#include "core/planner/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace plumb::planner {

namespace {

constexpr std::array kRecomputes{Recompute::None, Recompute::Selective, Recompute::Full};

/// Powers of two (and the whole) that divide `whole`, up to `most`.
std::vector<std::int64_t> degrees(std::int64_t whole, std::int64_t most) {
    std::vector<std::int64_t> result;
    for (std::int64_t value = 1; value <= std::min(whole, most); value *= 2)
        if (whole % value == 0) result.push_back(value);
    return result;
}

/// Walks over every layout worth a try; resolve() refuses those that do not divide.
class Candidates {
public:
    Candidates(const Scenario& scenario, const Transformer& model, std::int64_t batch)
        : m_scenario(scenario), m_model(model), m_batch(batch) {}

    std::vector<Scenario> all() {
        const std::int64_t devices = m_scenario.cluster.devices;
        constexpr std::int64_t kMostDegree = 64;
        // Below that a device's part of a sequence is too short to hide the exchange of keys behind.
        constexpr std::int64_t kLeastPart = 2048;
        const std::int64_t sequence = sequenceOf(m_scenario);
        const std::int64_t mostContext =
            std::max(m_scenario.parallel.context, std::min(kMostDegree, sequence / kLeastPart));
        for (const std::int64_t tensor :
             degrees(devices, std::min(m_scenario.cluster.devicesPerNode, m_model.heads)))
            for (const std::int64_t context : degrees(devices / tensor, mostContext))
                for (const std::int64_t pipeline :
                     degrees(devices / tensor / context, std::min(m_model.layers, kMostDegree)))
                    for (const std::int64_t expert :
                         degrees(devices / tensor / pipeline,
                                 m_model.experts ? std::min(m_model.experts->count, kMostDegree) : 1))
                        for (const std::int64_t chunks : chunksOf(pipeline))
                            addStages(
                                {tensor, true, pipeline, chunks, context, expert, Sharding::None, 0, 1});
        return std::move(m_all);
    }

private:
    /// Equal chunks; more of them make more traffic than the bubble is worth.
    std::vector<std::int64_t> chunksOf(std::int64_t pipeline) const {
        constexpr std::int64_t kMostChunks = 4;
        std::vector<std::int64_t> result{1};
        for (std::int64_t chunks = 2; pipeline > 1 && chunks <= kMostChunks; chunks *= 2)
            if (m_model.layers % (pipeline * chunks) == 0) result.push_back(chunks);
        return result;
    }

    void addStages(ParallelLayout layout) {
        const std::int64_t data =
            m_scenario.cluster.devices / (layout.tensor * layout.pipeline * layout.context);
        for (int zero = 0; zero <= 3; ++zero) {
            if (data * layout.context == 1 && zero > 0) continue;  // nothing to share
            if (layout.pipeline > 1 && zero > 1) continue;  // gathers and scatters at every micro-batch
            layout.sharding = static_cast<Sharding>(zero);
            layout.shardGroup = 0;
            addBatches(layout, data);
            // Shared within the node, replicas between nodes.
            const std::int64_t node = m_scenario.cluster.devicesPerNode / layout.tensor;
            if (layout.sharding != Sharding::Weights || node <= 1 || data * layout.context <= node) continue;
            layout.shardGroup = node;
            addBatches(layout, data);
        }
    }

    void addBatches(ParallelLayout layout, std::int64_t data) {
        constexpr std::int64_t kMostMicroBatch = 64;
        for (const Recompute recompute : kRecomputes) {
            if (recompute == Recompute::Selective && m_scenario.recipe.fusedAttention) continue;
            for (std::int64_t micro = 1; micro <= kMostMicroBatch && m_batch % (data * micro) == 0;
                 micro *= 2) {
                layout.microBatch = micro;
                Scenario tried = m_scenario;
                tried.workload.batch = m_batch;
                tried.recipe.recompute = recompute;
                tried.parallel = layout;
                m_all.push_back(std::move(tried));
            }
        }
    }

    const Scenario& m_scenario;
    const Transformer& m_model;
    std::int64_t m_batch;
    std::vector<Scenario> m_all;
};

bool better(const ShardingOption& a, const ShardingOption& b) {
    if (a.fits != b.fits) return a.fits;
    return a.fits ? a.stepSeconds < b.stepSeconds : a.memoryBytes < b.memoryBytes;
}

Result<ShardingOption> tryOut(const Scenario& s, double available) {
    PLUMB_TRY(const DeviceMemory memory, memoryPerDevice(s));
    PLUMB_TRY(const StepTime time, stepTime(s));
    const StageMemory& worst = memory.worst();
    ShardingOption option{s.parallel,
                          s.recipe.recompute,
                          worst.total(),
                          time.total(),
                          time.mfu,
                          worst.total() <= available,
                          {},
                          {},
                          {}};
    for (std::size_t i = 0; i < kStepParts.size(); ++i) option.parts[i] = time.*(kStepParts[i].seconds);
    PLUMB_TRY(const double price, numberOf(s, Input::DevicePrice));
    constexpr double kSecondsPerHour = 3600;
    option.devices = s.cluster.devices;
    option.stepDollars = static_cast<double>(option.devices) * price * option.stepSeconds / kSecondsPerHour;
    const CategoryBytes bytes = worst.byCategory();
    option.largest = bytes.enumeratorOf(std::max_element(bytes.begin(), bytes.end()));
    return option;
}

/// How much slower than the best, and which part of the step does most of it.
std::string slowerBy(const ShardingOption& option, const ShardingOption& best) {
    const double more = option.stepSeconds - best.stepSeconds;
    if (!(more > 0)) return "as fast";
    std::size_t most = 0;
    const auto growth = [&](std::size_t part) { return option.parts[part] - best.parts[part]; };
    for (std::size_t i = 1; i < kStepParts.size(); ++i)
        if (growth(i) > growth(most)) most = i;
    return fmt::format("slower by {:.1f} %: {} more of {}", 100 * more / best.stepSeconds,
                       formatQuantity(growth(most), "s"), kStepParts[most].label);
}

std::string tooLargeBy(const ShardingOption& option, double available) {
    std::string largest(categoryName(option.largest));
    std::replace(largest.begin(), largest.end(), '_', ' ');
    return fmt::format("does not fit by {}, most of it is {}",
                       formatQuantity(option.memoryBytes - available, "B"), largest);
}

/// What nothing beats in memory, time and price at once.
std::vector<ShardingOption> frontOf(std::vector<ShardingOption> options) {
    std::stable_sort(options.begin(), options.end(), [](const ShardingOption& a, const ShardingOption& b) {
        return a.memoryBytes < b.memoryBytes;
    });
    std::vector<ShardingOption> front;
    for (ShardingOption& option : options) {
        const bool isBeaten = std::any_of(front.begin(), front.end(), [&](const ShardingOption& other) {
            return other.stepSeconds <= option.stepSeconds && other.stepDollars <= option.stepDollars;
        });
        if (!isBeaten) front.push_back(std::move(option));
    }
    return front;
}

bool isSameButForMicroBatch(const ShardingOption& a, const ShardingOption& b) {
    ParallelLayout layout = b.layout;
    layout.microBatch = a.layout.microBatch;
    return a.devices == b.devices && a.layout == layout;
}

/// Keeps the first `keep` that are layouts of their own, best first: of one layout the best micro-batch, and
/// another recomputation only where it is faster or smaller.
void keepOwnLayouts(std::vector<ShardingOption>& options, std::size_t keep) {
    std::vector<ShardingOption> kept;
    for (ShardingOption& option : options) {
        if (kept.size() == keep) break;
        const bool isRepeated = std::any_of(kept.begin(), kept.end(), [&](const ShardingOption& other) {
            if (!isSameButForMicroBatch(option, other)) return false;
            return option.recompute == other.recompute ||
                   (option.stepSeconds >= other.stepSeconds && option.memoryBytes >= other.memoryBytes);
        });
        if (!isRepeated) kept.push_back(std::move(option));
    }
    options = std::move(kept);
}

/// Sorts what was tried and says why each is not the one to take.
void judge(ShardingSearch& search, std::vector<ShardingOption> options, std::size_t keep) {
    std::stable_sort(options.begin(), options.end(), better);
    const ShardingOption best = options.front();
    if (best.fits) {
        for (const ShardingOption& option : options)
            if (!option.fits && option.stepSeconds < best.stepSeconds) search.tooLarge.push_back(option);
        std::stable_sort(
            search.tooLarge.begin(), search.tooLarge.end(),
            [](const ShardingOption& a, const ShardingOption& b) { return a.stepSeconds < b.stepSeconds; });
        keepOwnLayouts(search.tooLarge, keep);
        for (ShardingOption& option : search.tooLarge) option.why = tooLargeBy(option, search.available);
    }
    search.front = frontOf(options);
    keepOwnLayouts(options, keep);
    for (std::size_t i = best.fits ? 1 : 0; i < options.size(); ++i)
        options[i].why =
            options[i].fits ? slowerBy(options[i], best) : tooLargeBy(options[i], search.available);
    search.plans = std::move(options);
}

/// Bisects for the largest micro-batch of a transformer that fits.
Result<BatchOption> largestOf(Scenario tried, double available) {
    constexpr std::int64_t kMost = std::int64_t{1} << 30;
    tried.workload.batch = 0;
    const auto bytesAt = [&](std::int64_t microBatch) {
        tried.parallel.microBatch = microBatch;
        return evaluate(Output::MemoryPerDevice, tried);
    };
    const auto fits = [&](std::int64_t microBatch) {
        const auto bytes = bytesAt(microBatch);
        return bytes.has_value() && *bytes <= available;
    };
    PLUMB_TRY(const double least, bytesAt(1));
    BatchOption option{std::string(name(tried.recipe.recompute)),
                       tried.recipe.recompute,
                       tried.recipe.recomputeInterval,
                       0,
                       least,
                       0};
    if (tried.recipe.recompute == Recompute::Full && option.interval > 1)
        option.label += ", every " + std::to_string(option.interval) + " layers";
    if (least > available) return option;
    std::int64_t below = 1, above = 2;
    for (; above < kMost && fits(above); above *= 2) below = above;
    while (above - below > 1) {
        const std::int64_t middle = below + (above - below) / 2;
        (fits(middle) ? below : above) = middle;
    }
    option.microBatch = below;
    PLUMB_TRY(option.memoryBytes, bytesAt(below));
    const auto time = stepTime(tried);
    if (time.has_value()) option.tokensPerSecond = time->tokens / time->total();
    return option;
}

std::vector<BatchOption> linearBatches(const Scenario& scenario, RunConfig config, double available) {
    std::vector<BatchOption> options;
    config.microBatch = 0;
    for (const auto& [kind, label] : {std::pair{RecomputePolicy::Kind::All, "checkpoint all"},
                                      std::pair{RecomputePolicy::Kind::Sqrt, "checkpoint sqrt"},
                                      std::pair{RecomputePolicy::Kind::None, "checkpoint none"}}) {
        config.recompute.kind = kind;
        BatchOption option{
            label, kind == RecomputePolicy::Kind::All ? Recompute::None : Recompute::Full, 1, 0, 0, 0};
        option.microBatch =
            largestBatchThatFits(config, traitsOf(scenario), static_cast<Bytes>(std::min(available, 9e18)));
        Scenario there = scenario;
        RunConfig largest = config;
        largest.batch = std::max<std::int64_t>(option.microBatch, 1);
        there.model = modelOf(largest);
        there.cluster.devices = 1;
        there.workload.batch = 0;
        if (const auto bytes = evaluate(Output::MemoryPerDevice, there); bytes.has_value())
            option.memoryBytes = *bytes;
        const auto time = stepTime(there);
        if (option.microBatch > 0 && time.has_value()) option.tokensPerSecond = time->tokens / time->total();
        options.push_back(std::move(option));
    }
    return options;
}

}  // namespace

Result<ShardingSearch> searchShardings(const Scenario& scenario, std::size_t keep,
                                       const std::stop_token& stop,
                                       const std::function<void(double)>& progress) {
    return searchDevices(scenario, {scenario.cluster.devices}, keep, stop, progress);
}

Result<ShardingSearch> searchDevices(const Scenario& scenario, const std::vector<std::int64_t>& devices,
                                     std::size_t keep, const std::stop_token& stop,
                                     const std::function<void(double)>& progress) {
    const Transformer* model = scenario.model.transformer();
    if (model == nullptr)
        return Error{ErrorCode::BadInput, "only a transformer can be spread in several ways",
                     "choose a preset or a config.json"};
    if (devices.empty()) return Error{ErrorCode::BadInput, "no devices are given", "give --devices"};
    ShardingSearch search;
    PLUMB_TRY(search.available, numberOf(scenario, Input::Memory));
    PLUMB_TRY(const double peak, numberOf(scenario, Input::Peak));
    static_cast<void>(peak);  // asked for here, so that a missing one is said once and not of every layout
    PLUMB_TRY(const double goodput, numberOf(scenario, Input::Goodput));
    PLUMB_TRY(const InputValue price, valueOf(scenario, Input::DevicePrice));
    search.dollarsPerHour = price.range.expected;
    search.priceSource = price.source;
    search.batch = scenario.workload.batch;
    if (search.batch == 0) {
        PLUMB_TRY(search.batch, commonBatch(devices));
    }
    search.steps = scenario.workload.tokens /
                   (static_cast<double>(search.batch) * static_cast<double>(sequenceOf(scenario))) / goodput;
    std::vector<Scenario> all;
    for (const std::int64_t count : devices) {
        Scenario on = scenario;
        on.cluster.devices = count;
        for (Scenario& each : Candidates(on, *model, search.batch).all()) all.push_back(std::move(each));
    }
    std::vector<ShardingOption> options;
    std::optional<Error> problem;
    for (std::size_t i = 0; i < all.size() && !stop.stop_requested(); ++i) {
        if (progress && i % 256 == 0) progress(static_cast<double>(i) / static_cast<double>(all.size()));
        auto option = tryOut(all[i], search.available);
        if (option.has_value())
            options.push_back(*std::move(option));
        else if (!problem)
            problem = option.error();
    }
    if (options.empty() && problem) return *problem;
    if (options.empty() && all.empty())
        return Error{ErrorCode::BadInput,
                     fmt::format("a batch of {} can be spread over {} devices in no way (--batch)",
                                 search.batch, devices.front()),
                     fmt::format("give a multiple of {}", devices.front())};
    search.tried = options.size();
    if (!options.empty()) judge(search, std::move(options), keep);
    if (progress) progress(1);
    return search;
}

Scenario withSharding(Scenario scenario, const ShardingOption& option, std::int64_t batch) {
    scenario.parallel = option.layout;
    scenario.recipe.recompute = option.recompute;
    scenario.workload.batch = batch;
    return scenario;
}

std::string layoutText(const ParallelLayout& layout) {
    std::string text;
    const auto add = [&](std::string_view name, std::int64_t degree) {
        if (degree > 1) text += fmt::format("{} {}, ", name, degree);
    };
    add("tensor", layout.tensor);
    if (layout.chunks > 1)
        text += fmt::format("pipeline {} x {} chunks, ", layout.pipeline, layout.chunks);
    else
        add("pipeline", layout.pipeline);
    add("context", layout.context);
    add("expert", layout.expert);
    text += fmt::format("ZeRO {}", static_cast<int>(layout.sharding));
    if (layout.shardGroup > 0) text += fmt::format(" in groups of {}", layout.shardGroup);
    return text + fmt::format(", micro-batch {}", layout.microBatch);
}

Result<std::vector<BatchOption>> largestMicroBatches(const Scenario& scenario) {
    PLUMB_TRY(const double available, numberOf(scenario, Input::Memory));
    if (const RunConfig* config = scenario.model.linear()) return linearBatches(scenario, *config, available);
    const Transformer* model = scenario.model.transformer();
    if (model == nullptr)
        return Error{ErrorCode::BadInput, "a mere number of parameters has no activations",
                     "choose a preset, a config.json, or --dim and --layers"};
    std::vector<BatchOption> options;
    for (const Recompute recompute : kRecomputes) {
        if (recompute == Recompute::Selective && scenario.recipe.fusedAttention) continue;
        constexpr std::int64_t kMostInterval = 8;
        const std::int64_t most = recompute == Recompute::Full ? std::min(kMostInterval, model->layers) : 1;
        for (std::int64_t interval = 1; interval <= most; interval *= 2) {
            Scenario tried = scenario;
            tried.recipe.recompute = recompute;
            tried.recipe.recomputeInterval = interval;
            PLUMB_TRY(BatchOption option, largestOf(std::move(tried), available));
            options.push_back(std::move(option));
        }
    }
    return options;
}

std::vector<DeviceOption> compareDevices(const Scenario& scenario, const std::vector<Machine>& machines) {
    std::vector<DeviceOption> options;
    for (const Machine& machine : machines) {
        Scenario with = scenario;
        with.cluster.device = machine;
        DeviceOption& option = options.emplace_back();
        option.device = machine;
        const auto fill = [&]() -> Result<void> {
            PLUMB_TRY(const double peak, numberOf(with, Input::Peak));
            PLUMB_TRY(const double bandwidth, numberOf(with, Input::Bandwidth));
            option.intensity = peak / bandwidth;
            PLUMB_TRY(option.devicesToHold, evaluate(Output::DevicesToHold, with));
            return {};
        };
        if (const Result<void> filled = fill(); !filled.has_value()) {
            option.problem = filled.error().message;
            continue;
        }
        if (with.workload.tokens <= 0) continue;
        if (const auto verdict = verdictOf(with); verdict.has_value()) option.fits = verdict->fits();
        if (const auto days = evaluate(Output::Days, with); days.has_value()) option.days = *days;
        if (const auto energy = evaluate(Output::Energy, with); energy.has_value())
            option.energyJoule = *energy;
        if (with.workload.days > 0)
            if (const auto count = solveFor(with, Output::Days, with.workload.days, Input::Devices);
                count.has_value())
                option.devicesForDays = count->value;
    }
    return options;
}

}  // namespace plumb::planner
