// SPDX-License-Identifier: Apache-2.0
#include "core/planner/explore.h"
#include "core/planner/memory.h"
#include "core/planner/step_time.h"

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

/// Every layout worth a try; resolve() refuses those that do not divide.
std::vector<Scenario> candidates(const Scenario& scenario, const Transformer& model, std::int64_t batch) {
    constexpr std::int64_t kMostMicroBatch = 64;
    const std::int64_t devices = scenario.cluster.devices;
    std::vector<Scenario> all;
    for (const std::int64_t tensor : degrees(devices, std::min(scenario.cluster.devicesPerNode, model.heads)))
        for (const std::int64_t pipeline :
             degrees(devices / tensor, std::min<std::int64_t>(model.layers, 64)))
            for (const std::int64_t expert :
                 degrees(devices / tensor / pipeline,
                         model.experts ? std::min<std::int64_t>(model.experts->count, 64) : 1))
                for (int zero = 0; zero <= 3; ++zero)
                    for (const Recompute recompute : kRecomputes) {
                        if (recompute == Recompute::Selective && scenario.recipe.fusedAttention) continue;
                        if (devices == tensor * pipeline && zero > 0) continue;  // nothing to share
                        if (pipeline > 1 && zero > 1) continue;  // gathers and scatters at every micro-batch
                        for (std::int64_t micro = 1; micro <= kMostMicroBatch; micro *= 2) {
                            Scenario tried = scenario;
                            tried.workload.batch = batch;
                            tried.recipe.recompute = recompute;
                            tried.parallel = ParallelLayout{tensor,
                                                            true,
                                                            pipeline,
                                                            1,
                                                            scenario.parallel.context,
                                                            expert,
                                                            static_cast<Sharding>(zero),
                                                            micro};
                            all.push_back(std::move(tried));
                        }
                    }
    return all;
}

bool better(const ShardingOption& a, const ShardingOption& b) {
    if (a.fits != b.fits) return a.fits;
    return a.fits ? a.stepSeconds < b.stepSeconds : a.memoryBytes < b.memoryBytes;
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

Result<std::vector<ShardingOption>> searchShardings(const Scenario& scenario, std::size_t keep,
                                                    const std::stop_token& stop,
                                                    const std::function<void(double)>& progress) {
    const Transformer* model = scenario.model.transformer();
    if (model == nullptr)
        return Error{ErrorCode::BadInput, "only a transformer can be spread in several ways",
                     "choose a preset or a config.json"};
    PLUMB_TRY(const double available, numberOf(scenario, Input::Memory));
    PLUMB_TRY(const double peak, numberOf(scenario, Input::Peak));
    static_cast<void>(peak);  // asked for here, so that a missing one is said once and not of every layout
    const std::int64_t batch =
        scenario.workload.batch > 0 ? scenario.workload.batch : scenario.cluster.devices;
    const std::vector<Scenario> all = candidates(scenario, *model, batch);
    std::vector<ShardingOption> options;
    std::optional<Error> problem;
    for (std::size_t i = 0; i < all.size() && !stop.stop_requested(); ++i) {
        if (progress && i % 256 == 0) progress(static_cast<double>(i) / static_cast<double>(all.size()));
        const auto memory = memoryPerDevice(all[i]);
        const auto time = memory.has_value() ? stepTime(all[i]) : Result<StepTime>(memory.error());
        if (!time.has_value()) {
            if (!problem) problem = time.error();
            continue;
        }
        const double bytes = memory->worst().total();
        options.push_back(
            {all[i].parallel, all[i].recipe.recompute, bytes, time->total(), time->mfu, bytes <= available});
    }
    if (options.empty() && problem) return *problem;
    std::stable_sort(options.begin(), options.end(), better);
    if (options.size() > keep) options.resize(keep);
    if (progress) progress(1);
    return options;
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
