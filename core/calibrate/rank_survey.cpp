// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/rank_survey.h"

#include "core/base/quantile.h"
#include "core/calibrate/busy_threads.h"
#include "core/calibrate/reduced_message.h"
#include "core/comm/thread_ranks.h"
#include "core/machine/op_cost_key.h"
#include "core/plan/traffic.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace plumb {
namespace {

constexpr int kRepeats = 21;
constexpr int kWarmUp = 2;

/// What travels: gradients and amaxes, loss and norms, weights.
struct Travelling {
    OpKind kind{};
    Dtype dtype{};
};
constexpr std::array kTravelling{
    Travelling{OpKind::AllReduce, Dtype::Fp32},     Travelling{OpKind::AllReduce, Dtype::Bf16},
    Travelling{OpKind::AllReduce, Dtype::Fp16},     Travelling{OpKind::AllReduce, Dtype::Fp64},
    Travelling{OpKind::ReduceScatter, Dtype::Fp32}, Travelling{OpKind::ReduceScatter, Dtype::Bf16},
    Travelling{OpKind::ReduceScatter, Dtype::Fp16}, Travelling{OpKind::AllGather, Dtype::Fp32}};

/// The loss is a single number, and the norms are three.
constexpr std::array kSizesOfLoss{Bytes{8}, Bytes{24}};
std::span<const Bytes> sizesOf(Dtype dtype, const SurveyGrid& grid) {
    return dtype == Dtype::Fp64 ? std::span<const Bytes>(kSizesOfLoss)
                                : std::span<const Bytes>(grid.messages);
}

/// How many collectives are timed, those beside products too.
int messageCount(const SurveyGrid& grid) {
    std::size_t count = grid.messages.size();
    for (const Travelling& each : kTravelling) count += sizesOf(each.dtype, grid).size();
    return static_cast<int>(count);
}

std::string progressText(OpKind kind, Bytes bytes, int ranks) {
    if (kind == OpKind::ReduceScatter)
        return fmt::format("reduce-scatters of {} between {} ranks", bytesText(bytes), ranks);
    if (kind == OpKind::AllGather)
        return fmt::format("all-gathers of {} between {} ranks", bytesText(bytes), ranks);
    return fmt::format("all-reduces of {} between {} ranks", bytesText(bytes), ranks);
}

double numberIn(const std::string& text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// One rank's part: the seconds of the slowest, of each repeat at one size. All come to a repeat together,
/// since each hears before what the others took for the one before it.
Result<std::vector<double>> slowestOfRepeats(World& world, const Travelling& what, Bytes bytes,
                                             const std::stop_token& stop) {
    PLUMB_TRY(const auto message, ReducedMessage::create(world, what.dtype, bytes, commKindOf(what.kind)));
    std::vector<double> slowest;
    for (int repeat = -kWarmUp; repeat < kRepeats; ++repeat) {
        PLUMB_TRY(const Seconds own, message->reduce());
        PLUMB_TRY(const auto all, world.gather(stop.stop_requested() ? "" : fmt::format("{}", own)));
        if (std::ranges::find(all, std::string()) != all.end()) return surveyStopped();
        double most = 0;
        for (const std::string& text : all) most = std::max(most, numberIn(text));
        if (repeat >= 0) slowest.push_back(most);
    }
    return slowest;
}

/// The same of all ranks, a thread each. Errors: that of the first one that failed.
Result<double> timeCollective(int ranks, const Travelling& what, Bytes bytes, const std::stop_token& stop) {
    std::vector<BusyThreads::Make> makes;
    auto median = std::make_shared<std::vector<double>>();
    for (std::unique_ptr<World>& own : threadRanks(ranks))
        makes.emplace_back([world = std::shared_ptr<World>(std::move(own)), median, what, bytes,
                            stop]() -> Result<BusyThreads::Round> {
            PLUMB_TRY(auto slowest, slowestOfRepeats(*world, what, bytes, stop));
            if (world->rank() == 0) *median = std::move(slowest);
            return BusyThreads::Round([](bool) -> Result<bool> { return true; });
        });
    PLUMB_TRY(const auto done, BusyThreads::start(std::move(makes)));
    PLUMB_CHECK(done->end());
    return medianOf(*median);
}

}  // namespace

Result<CostTable> surveyCollectives(OpKind kind, int ranks, Dtype dtype, std::span<const Bytes> sizes,
                                    Bytes memory, const SurveyProgress& progress,
                                    const std::stop_token& stop) {
    CostTable table{trafficTable(kind, dtype), {{}}};
    CostLine& line = table.lines.front();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        // Each has the numbers and the others' slices.
        if (i > 0 && Bytes{2} * ranks * sizes[i] > memory) break;
        if (progress)
            progress(progressText(kind, sizes[i], ranks), static_cast<int>(i),
                     static_cast<int>(sizes.size()));
        PLUMB_TRY(const Seconds seconds, timeCollective(ranks, {kind, dtype}, sizes[i], stop));
        line.rows.push_back(static_cast<double>(sizes[i]));
        line.work.push_back(static_cast<double>(sizes[i]));
        line.seconds.push_back(seconds);
    }
    return table;
}

namespace {

/// The tables of collectives; `after`: how many measurements follow these.
Result<std::vector<CostTable>> surveyTraffic(std::span<Backend* const> backends, const SurveyGrid& grid,
                                             int after, const SurveyProgress& progress,
                                             const std::stop_token& stop) {
    const Bytes memory = backends.front()->machine().memoryBytes.value_or(Bytes{8} << 30) / 4;
    int left = messageCount(grid);
    int before = 0;
    std::vector<CostTable> tables;
    const auto add = [&](const Travelling& what) -> Result<void> {
        const std::span<const Bytes> sizes = sizesOf(what.dtype, grid);
        const auto count = static_cast<int>(sizes.size());
        left -= count;
        PLUMB_TRY(CostTable table,
                  surveyCollectives(what.kind, static_cast<int>(backends.size()), what.dtype, sizes, memory,
                                    progressOfPart(progress, before, left + after), stop));
        before += count;
        tables.push_back(std::move(table));
        return {};
    };
    for (const Travelling& each : kTravelling) PLUMB_CHECK(add(each));
    PLUMB_TRY(StepPlan plan, planStep(surveyConfig(512, 256), backends.front()->traits()));
    PLUMB_TRY(const auto products, keepStepping(std::make_shared<const StepPlan>(std::move(plan)), backends));
    PLUMB_CHECK(add(kTravelling.front()));
    tables.back().op += kBesideProductsEnding;
    PLUMB_CHECK(products->end());
    return tables;
}

}  // namespace

Result<RankCosts> surveyRanks(std::span<Backend* const> backends, const SurveyGrid& grid,
                              const SurveyProgress& progress, const std::stop_token& stop) {
    const int steps = surveyCount(grid, true);
    PLUMB_TRY(std::vector<CostTable> traffic, surveyTraffic(backends, grid, steps, progress, stop));
    PLUMB_TRY(Survey survey,
              surveyCosts(*backends.front(), grid, progressOfPart(progress, messageCount(grid), 0), stop,
                          backends.subspan(1)));
    RankCosts costs{.ranks = static_cast<std::int64_t>(backends.size()),
                    .source = fmt::format("calibrated {:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))),
                    .costs = std::move(survey.costs)};
    costs.costs.speed = survey.speed;
    std::ranges::move(traffic, std::back_inserter(costs.costs.tables));
    std::ranges::sort(costs.costs.tables, {}, &CostTable::op);
    return costs;
}

}  // namespace plumb
