// SPDX-License-Identifier: Apache-2.0
#include "kernels/cupti/range_collector.h"

#include "kernels/cupti/launch_log.h"
#include "kernels/cupti/metric_config.h"
#include "kernels/cupti/metric_table.h"
#include "kernels/cupti/mode.h"
#include "kernels/cupti/range_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>

namespace plumb::cupti {

namespace {

/// Names of ranges end in ":OP", as push() writes them.
std::int32_t opOf(std::string_view range) {
    std::int32_t op = -1;
    std::from_chars(range.data() + range.find(':') + 1, range.data() + range.size(), op);
    return op;
}

Error incomplete(std::string message) {
    return {ErrorCode::RunFailed, std::move(message), "profile again; what was counted is thrown away"};
}

/// Names sort as they ran and are unique, which CUPTI asks for.
std::string rangeName(std::size_t execution, std::int32_t op) {
    return fmt::format("{:07}:{}", execution, op);
}

class RangeCollector final : public CounterCollector {
public:
    RangeCollector(ModeLock lock, std::size_t ops, std::size_t executions, std::size_t chunk)
        : m_lock(std::move(lock)),
          m_counters(ops),
          m_seen(ops, false),
          m_executions(executions),
          m_chunk(chunk) {}

    Result<void> open(const StepPlan& plan, CounterDetail detail, const CollectorOptions& options);

    Result<void> beginStep(std::int64_t step) override;
    Result<void> beginOp(std::int32_t index) override;
    Result<void> endOp() override;
    Result<void> endStep() override;
    [[nodiscard]] const CounterRun& run() const override { return m_run; }
    [[nodiscard]] bool complete() const override { return m_first >= m_executions; }
    Result<std::vector<OpCounters>> take() override;
    [[nodiscard]] std::string missing() const override;

private:
    [[nodiscard]] std::size_t chunkSize() const { return std::min(m_chunk, m_executions - m_first); }
    [[nodiscard]] bool inChunk() const { return m_next >= m_first && m_next < m_first + chunkSize(); }
    Result<void> checkLaunches();
    Result<void> finishChunk();
    Result<void> addRange(const RangeValues& range);
    Result<void> leaveOut(const std::set<std::string>& ranges);
    [[nodiscard]] bool launches(std::int32_t op) const;

    // Destroyed from the last to the first: ranges before the configuration, the subscription after both.
    ModeLock m_lock;
    LaunchLog m_log;
    std::unique_ptr<Subscription> m_subscription;
    Device m_device;
    std::optional<MetricConfig> m_config;
    std::optional<RangeSession> m_session;

    CounterRun m_run;
    std::vector<OpCounters> m_counters;    ///< by op
    std::vector<bool> m_seen;              ///< by op: it has counts
    std::vector<std::string> m_opNames;    ///< by op
    std::set<std::size_t> m_uncounted;     ///< ops of which CUPTI gave no counts: they launch no kernel
    std::size_t m_executions;              ///< of ops in one step
    std::size_t m_chunk;                   ///< how many of them are counted in a step
    std::size_t m_first = 0;               ///< first execution of this chunk
    std::size_t m_next = 0;                ///< the one that comes next in this step
    std::vector<std::int32_t> m_chunkOps;  ///< ops of the chunk's executions, as they ran in its first pass
    std::int64_t m_passes = 0;             ///< of this chunk, done
    std::vector<Launch> m_launches;        ///< of the first step
    bool m_hasLaunches = false;
    std::set<std::string> m_notFinite;  ///< metrics that the device had no number for
};

Result<void> RangeCollector::open(const StepPlan& plan, CounterDetail detail,
                                  const CollectorOptions& options) {
    for (const Op& op : plan.ops) m_opNames.push_back(opName(plan, op));
    Detection found = detectCounters(options.libraries, &m_log, m_subscription);
    if (!found.ready()) return found.error;
    m_device = std::move(found.device);
    PLUMB_CHECK(LaunchLog::watch(*m_subscription));
    PLUMB_TRY(CounterSet set, metricsFor(m_device.chip, plan.config.precision, detail));
    PLUMB_TRY(MetricConfig config,
              MetricConfig::create(*m_device.cupti, std::move(set), m_device.availability));
    m_config.emplace(std::move(config));
    const auto chunks = static_cast<std::int64_t>((m_executions + m_chunk - 1) / m_chunk);
    m_run = {m_device.chip,
             m_device.driverText(),
             std::to_string(m_device.cuptiVersion),
             m_config->set().names(),
             m_config->set().passes * chunks,
             std::nullopt,
             std::nullopt};
    if (m_device.smClockHz > 0) m_run.smClockHz = m_device.smClockHz;
    if (m_device.memoryClockHz > 0) m_run.memoryClockHz = m_device.memoryClockHz;
    auto wait = options.wait;
    if (!wait) wait = [] { std::this_thread::sleep_for(std::chrono::seconds(1)); };
    m_session.emplace(m_device, *m_config, std::move(wait));
    return m_session->configure(chunkSize());
}

Result<void> RangeCollector::beginStep(std::int64_t) {
    if (complete()) return internalError("a step more was counted than needed");
    if (m_subscription->fatal())
        return Error{ErrorCode::RunFailed, "CUPTI has given up after an error of its own",
                     "start the program again, or go on with timing only"};
    m_next = 0;
    m_log.clear();
    m_log.setOp(-1);
    return m_session->start();
}

Result<void> RangeCollector::beginOp(std::int32_t index) {
    m_log.setOp(index);
    if (!inChunk()) return {};
    const std::size_t place = m_next - m_first;
    if (m_passes == 0) m_chunkOps.push_back(index);
    if (place >= m_chunkOps.size() || m_chunkOps[place] != index)
        return incomplete(fmt::format("the ops of two steps differ (op {})", index));
    return m_session->push(rangeName(m_next, index));
}

Result<void> RangeCollector::endOp() {
    const bool counted = inChunk();
    ++m_next;
    m_log.setOp(-1);
    if (!counted) return {};
    return m_session->pop();
}

// Counts of two passes belong together only when both did the same. The first counted step sets the measure
// for all, so that an algorithm which is chosen anew half-way is noticed in every part.
Result<void> RangeCollector::checkLaunches() {
    std::vector<Launch> launches = m_log.take();
    if (!std::exchange(m_hasLaunches, true)) {
        // Every step has kernels: without a log nobody could tell two different steps apart.
        if (launches.empty()) return incomplete("no launch of a kernel was seen in a counted step");
        m_launches = std::move(launches);
        return {};
    }
    const std::string difference = firstDifference(m_launches, launches);
    if (difference.empty()) return {};
    return incomplete("the launch sequence changed between two counted steps (" + difference + ")");
}

Result<void> RangeCollector::endStep() {
    PLUMB_TRY(const bool submitted, m_session->stop());
    ++m_passes;
    if (m_next != m_executions)
        return incomplete(fmt::format("{} ops ran in a counted step instead of {}", m_next, m_executions));
    PLUMB_CHECK(checkLaunches());
    if (submitted) return finishChunk();
    if (m_passes >= m_config->set().passes)
        return incomplete(
            fmt::format("the counters need more passes than announced ({})", m_config->set().passes));
    return {};
}

Result<void> RangeCollector::finishChunk() {
    PLUMB_TRY(const std::vector<RangeValues> ranges, m_session->decode());
    std::set<std::string> expected;
    for (std::size_t place = 0; place < chunkSize(); ++place)
        expected.insert(rangeName(m_first + place, m_chunkOps[place]));
    for (const RangeValues& range : ranges) {
        if (expected.erase(range.name) == 0)
            return incomplete(
                fmt::format("counts came back under a name that was not given ({})", range.name));
        PLUMB_CHECK(addRange(range));
    }
    PLUMB_CHECK(leaveOut(expected));
    m_first += chunkSize();
    m_passes = 0;
    m_chunkOps.clear();
    if (complete()) return {};
    return m_session->configure(chunkSize());
}

bool RangeCollector::launches(std::int32_t op) const {
    return std::any_of(m_launches.begin(), m_launches.end(),
                       [op](const Launch& launch) { return launch.op == op; });
}

// A range in which no kernel ran (only copies, or the device filled memory) may come back without counts or
// not at all. That costs the counts of its op; a range with kernels that is not there costs the run.
Result<void> RangeCollector::leaveOut(const std::set<std::string>& ranges) {
    for (const std::string& range : ranges) {
        const std::int32_t op = opOf(range);
        if (launches(op))
            return incomplete(
                fmt::format("{} ops were counted instead of {}", chunkSize() - ranges.size(), chunkSize()));
        m_uncounted.insert(static_cast<std::size_t>(op));
    }
    return {};
}

Result<void> RangeCollector::addRange(const RangeValues& range) {
    const auto op = static_cast<std::size_t>(opOf(range.name));
    const CounterSet& set = m_config->set();
    for (std::size_t i = 0; i < set.metrics.size(); ++i)
        if (!std::isfinite(range.values[i])) m_notFinite.insert(set.metrics[i].name);
    const OpCounters counts = countersOf(set, range.values);
    m_counters.at(op) = m_seen[op] ? sumOf({&m_counters[op], &counts}) : counts;
    m_seen[op] = true;
    return {};
}

Result<std::vector<OpCounters>> RangeCollector::take() {
    if (!complete()) return internalError("the counters were taken before the last step");
    const auto hasWork = [](const OpCounters& op) {
        return std::any_of(kAllCounters.begin(), kAllCounters.end(),
                           [&](CounterKind kind) { return op[kind] && op[kind]->value > 0; });
    };
    for (const std::size_t op : m_uncounted) m_counters.at(op) = OpCounters{};  // those of some executions
    if (std::none_of(m_counters.begin(), m_counters.end(), hasWork))
        return Error{ErrorCode::RunFailed, "the counters saw no work of the GPU",
                     "check that nothing shares it (MPS, MIG), or go on with timing only"};
    return m_counters;
}

std::string RangeCollector::missing() const {
    std::string text;
    const auto add = [&text](const std::string& sentence) { text += (text.empty() ? "" : "; ") + sentence; };
    for (const std::string& absent : m_config->set().absent) add(absent);
    if (!m_uncounted.empty()) {
        std::vector<std::string> names;
        for (const std::size_t op : m_uncounted) names.push_back(m_opNames.at(op));
        constexpr std::size_t kMostNames = 3;
        const std::size_t more = names.size() > kMostNames ? names.size() - kMostNames : 0;
        names.resize(names.size() - more);
        add(fmt::format("CUPTI counts nothing for ops without a kernel of their own ({}{})",
                        fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : ""));
    }
    if (!m_notFinite.empty())
        add(fmt::format("the device had no number for {}", fmt::join(m_notFinite, ", ")));
    return text;
}

}  // namespace

Result<std::unique_ptr<CounterCollector>> openRangeCollector(const StepPlan& plan, CounterDetail detail,
                                                             const CollectorOptions& options) {
    const auto executions = static_cast<std::size_t>(executionsOf(plan));
    if (executions == 0) return internalError("a step without ops cannot be counted");
    PLUMB_TRY(ModeLock lock, ModeLock::take(Mode::Counters));
    auto collector = std::make_unique<RangeCollector>(std::move(lock), plan.ops.size(), executions,
                                                      std::max<std::size_t>(1, options.mostRanges));
    PLUMB_CHECK(collector->open(plan, detail, options));
    return std::unique_ptr<CounterCollector>(std::move(collector));
}

}  // namespace plumb::cupti
