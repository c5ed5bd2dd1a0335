// SPDX-License-Identifier: Apache-2.0
#include "core/base/entry_at.h"
#include "core/machine/attainable.h"
#include "core/machine/op_cost_key.h"
#include "core/measure/known_sum.h"
#include "core/measure/predicted_lanes.h"
#include "core/measure/reading.h"
#include "core/measure/step_lanes.h"
#include "core/plan/early_updates.h"
#include "core/plan/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb {
namespace {

/// The ceilings that the ops of one step meet, looked up once.
class Ceilings {
public:
    /// `products`: the format of most products; the peak of others is looked up op by op.
    Ceilings(Dtype products, const Machine& machine)
        : overhead(machine.perOpOverhead.value_or(0)),
          bandwidth(machine.bandwidthBytesPerSecond),
          m_machine(&machine),
          m_products(products),
          m_productPeak(machine.peak(products)),
          m_passPeak(machine.peak(Dtype::Fp32)) {}

    [[nodiscard]] std::optional<double> peakOf(const StepOp& op) const {
        if (!op.isProduct) return m_passPeak;
        std::optional<double> peak = op.units == m_products ? m_productPeak : m_machine->peak(op.units);
        if (peak) *peak *= m_productShare;
        return peak;
    }

    /// The ceilings at these shares of what they are, with launches that take `launch` each. What is no
    /// product keeps its peak: memory holds it.
    [[nodiscard]] Ceilings at(double products, double memory, Seconds launch) const {
        Ceilings reached = *this;
        reached.m_productShare *= products;
        if (reached.bandwidth) *reached.bandwidth *= memory;
        reached.overhead = launch;
        return reached;
    }

    Seconds overhead;
    std::optional<double> bandwidth;

private:
    const Machine* m_machine;
    Dtype m_products;
    std::optional<double> m_productPeak;
    std::optional<double> m_passPeak;
    double m_productShare = 1;
};

/// The three times that an op could take if only one ceiling held it; empty when a ceiling is unknown.
struct Limits {
    Seconds compute = 0;
    Seconds memory = 0;
    Seconds overhead = 0;
};

std::optional<Limits> limitsOf(const StepOp& op, const Ceilings& ceilings) {
    const std::optional<double> peak = ceilings.peakOf(op);
    if (op.lane == Lane::Traffic) return std::nullopt;  // neither ceiling holds what travels
    // Passes are a few FLOPs a byte: without an fp32 peak memory limits them, as in the planner.
    if (!ceilings.bandwidth || (!peak && op.isProduct)) return std::nullopt;
    if (!op.knownBytes()) return std::nullopt;
    Limits limits;
    limits.compute = peak ? static_cast<double>(op.flops) / *peak : 0;
    limits.memory = static_cast<double>(op.bytes) / *ceilings.bandwidth;
    // A chain is as many kernels as it has layers.
    if (!op.isView()) limits.overhead = static_cast<double>(op.executions * op.repeat) * ceilings.overhead;
    return limits;
}

Seconds roofOf(const Limits& limits) { return std::max(limits.compute, limits.memory) + limits.overhead; }

std::optional<Seconds> roofOf(const StepOp& op, const Ceilings& ceilings) {
    const std::optional<Limits> limits = limitsOf(op, ceilings);
    return limits ? std::optional(roofOf(*limits)) : std::nullopt;
}

/// The seconds of an op with all that is said of them.
struct OpTime {
    std::optional<Seconds> seconds;
    std::optional<Spread> spread;
    Tier tier = Tier::Calibrated;
    std::optional<Limits> least;  ///< that spread->low is of; absent: it is not of ceilings
};

/// On a device that only its data sheet is known of.
class Estimate {
public:
    Estimate(Dtype products, const Machine& machine)
        : m_products(tierOf(machine, products)),
          m_share(publishedProductShare(machine, products).value_or(kProductShare)),
          m_best(Ceilings(products, machine).at(1, 1, kLaunchSeconds.low)),
          m_expected(m_best.at(m_share.expected, kMemoryShare.expected, kLaunchSeconds.expected)),
          m_worst(m_best.at(m_share.low, kMemoryShare.low, kLaunchSeconds.high)) {}

    [[nodiscard]] OpTime of(const StepOp& op) const {
        OpTime time;
        time.seconds = roofOf(op, m_expected);
        time.least = limitsOf(op, m_best);
        if (time.seconds) time.spread = Spread{roofOf(*time.least), *roofOf(op, m_worst)};
        time.tier = op.isProduct ? m_products : Tier::DataSheet;
        return time;
    }

private:
    Tier m_products;
    Range m_share;
    Ceilings m_best;
    Ceilings m_expected;
    Ceilings m_worst;
};

/// Seconds of the ops of one plan. The ops of a plan are few kinds of equal ones, layer after layer: each
/// kind is looked up once.
class Timer {
public:
    Timer(const StepPlan& plan, const Machine& machine)
        : m_plan(plan),
          m_ceilings(plan.productDtype, machine),
          m_costs(costsOf(machine, plan.ranksOfMachine)) {
        if (!isCalibrated(machine)) m_estimate.emplace(plan.productDtype, machine);
        if (machine.checked && !isShared()) m_opError = machine.checked->opP90Error;
    }

    [[nodiscard]] OpTime timeOf(const Op& op) {
        if (isShared() ? m_costs == nullptr : op.lane == Lane::Traffic) return {};
        if (m_estimate && !isShared()) return m_estimate->of(op);
        OpTime time;
        time.seconds = secondsOf(op);
        if (time.seconds && m_opError) time.spread = spreadOfError(*time.seconds, *m_opError);
        return time;
    }

    /// How many times as long the op takes while the other lane of its rank works. Absent where nobody
    /// measured it.
    [[nodiscard]] std::optional<double> besideOther(const Op& op) {
        if (m_costs == nullptr) return std::nullopt;
        Known& known = knownOf(op);
        if (!known.besideOther) known.besideOther = lookUpBeside(known);
        return *known.besideOther;
    }

private:
    /// The ceilings are of the whole machine, and not of a part of it beside others that are as busy: nothing
    /// stands in for a table then.
    [[nodiscard]] bool isShared() const { return m_plan.ranksOfMachine > 1; }

    struct Known {
        OpSignature signature;
        CostPoint point;
        std::optional<Seconds> seconds;  ///< of one execution; absent: there is no table
        /// What besideOther() says; not looked up before it is asked for.
        std::optional<std::optional<double>> besideOther;
    };

    [[nodiscard]] std::optional<Seconds> secondsOf(const Op& op) {
        if (m_costs == nullptr) return roofOf(op, m_ceilings);
        const Known& known = knownOf(op);
        if (!known.seconds) return isShared() ? std::nullopt : withoutTable(op);
        return static_cast<double>(op.executions * op.repeat) * *known.seconds;
    }

    [[nodiscard]] Known& knownOf(const Op& op) {
        const Known key{signatureOf(m_plan, op), costPoint(m_plan, op, m_costs->threads), {}, {}};
        const auto known = std::find_if(m_known.begin(), m_known.end(), [&](const Known& entry) {
            return entry.signature == key.signature && entry.point == key.point;
        });
        if (known != m_known.end()) return *known;
        m_known.push_back(key);
        m_known.back().seconds = op.lane == Lane::Traffic ? lookUpTraffic(op, key.point) : lookUp(key);
        return m_known.back();
    }

    /// Timed among all ranks of the machine, and not among some of them while the others do the same.
    [[nodiscard]] std::optional<Seconds> lookUpTraffic(const Op& op, const CostPoint& point) const {
        if (ranksOf(m_plan, op) != m_plan.ranksOfMachine) return std::nullopt;
        const CostTable* const table = m_costs->find(trafficTable(op.kind, callOf(m_plan, op).dtype));
        return table == nullptr ? std::nullopt : std::optional(table->at(point));
    }

    [[nodiscard]] std::optional<double> lookUpBeside(const Known& key) const {
        const bool travels = kCommKindNames.find(kindName(key.signature.kind)).has_value();
        // That of numbers in fp32 tells for all: it is the lane's thread that has to wait for a core.
        const std::string plain =
            travels ? trafficTable(OpKind::AllReduce, Dtype::Fp32) : key.signature.plain().text();
        const std::string_view before = travels ? std::string_view() : kWithoutTrafficEnding;
        const std::string_view beyond = travels ? kBesideProductsEnding : kBesideTrafficEnding;
        const CostTable* const alone = m_costs->find(plain + std::string(before));
        const CostTable* const beside = m_costs->find(plain + std::string(beyond));
        if (alone == nullptr || beside == nullptr) return std::nullopt;
        // Nothing gets faster by company: what is below 1 is noise.
        return std::max(1.0, distanceOf(*beside, *alone, key.point));
    }

    [[nodiscard]] std::optional<Seconds> lookUp(const Known& key) const {
        const CostTable* own = m_costs->find(key.signature.text());
        if (own == nullptr) own = m_costs->find(key.signature.link().text());
        if (own == nullptr) return std::nullopt;
        const OpSignature plain = key.signature.plain();
        const CostTable* const base = plain == key.signature ? nullptr : m_costs->find(plain.text());
        const Seconds shallow =
            base == nullptr ? own->at(key.point) : base->at(key.point) * distanceOf(*own, *base, key.point);
        // What a gradient is added to has left the caches of a deep step, so this has tables of its own.
        OpSignature alike = plain;
        alike.accumulates = key.signature.accumulates;
        return shallow * depthFactor(alike, key.point).value_or(depthFactor(plain, key.point).value_or(1));
    }

    /// How much longer an op takes in a step of as many layers as this one has. Absent where that was not
    /// measured.
    [[nodiscard]] std::optional<double> depthFactor(const OpSignature& alike, const CostPoint& point) const {
        const double depth = depthOf(m_plan.config.layers);
        if (depth <= 0) return 1;
        const CostTable* const shallow = m_costs->find(alike.text());
        const CostTable* const deep = m_costs->find(alike.text() + std::string(kDeepEnding));
        if (shallow == nullptr || deep == nullptr) return std::nullopt;
        return std::pow(distanceOf(*deep, *shallow, point), depth);
    }

    /// A product that was calibrated in its plain form only takes its casts on top, at the speed of memory;
    /// anything else falls back to its roofline.
    [[nodiscard]] std::optional<Seconds> withoutTable(const Op& op) const {
        Ceilings ceilings = m_ceilings;
        const auto executions = static_cast<double>(op.executions * op.repeat);
        if (const auto rate = m_costs->bandwidthAt(static_cast<double>(op.bytes) / executions))
            ceilings.bandwidth = rate;
        const CostTable* const plain =
            op.isProduct ? m_costs->find(signatureOf(m_plan, op).plain().text()) : nullptr;
        if (plain == nullptr || !ceilings.bandwidth) return roofOf(op, ceilings);
        double castBytes = 0;
        for (const TensorRange& range : op.scratch) {
            if (range.count == 0) break;
            const Tensor& tensor = m_plan.tensor(range.first);
            if (tensor.role == TensorRole::LibraryScratch) continue;
            castBytes +=
                1.5 * static_cast<double>(tensor.bytes());  // the copy, and half of it the 16-bit one
        }
        return executions *
               (plain->at(costPoint(m_plan, op, m_costs->threads)) + castBytes / *ceilings.bandwidth);
    }

    const StepPlan& m_plan;
    Ceilings m_ceilings;
    const CostTables* m_costs;
    std::optional<Estimate> m_estimate;
    std::optional<double> m_opError;
    std::vector<Known> m_known;
};

/// What a step waits for its rows when a thread gathers them beside it: what does not fit beside the rest.
Seconds waitForRows(const StepPlan& plan, const Machine& machine, Seconds rest) {
    const CostTable* const table = machine.costs ? machine.costs->find(kGatherTable) : nullptr;
    if (table == nullptr || plan.config.data == "synthetic") return 0;
    for (const Op& op : plan.ops)
        if (op.kind == OpKind::LoadBatch) {
            const auto microBatches = static_cast<double>(plan.config.microBatches());
            return std::max(0.0,
                            microBatches * table->at(costPoint(plan, op, machine.costs->threads)) - rest);
        }
    return 0;
}

}  // namespace

std::optional<Seconds> rooflineSeconds(const StepOp& op, const Machine& machine) {
    return roofOf(op, Ceilings(op.units, machine));
}

Bound boundOf(const StepOp& op, const Machine& machine) {
    if (op.flops == 0 && op.bytes == 0) return Bound::Unknown;  // no ceiling holds a view
    Ceilings ceilings(op.units, machine);
    if (!isCalibrated(machine)) ceilings.overhead = kLaunchSeconds.expected;
    const std::optional<Limits> limits = limitsOf(op, ceilings);
    if (!limits) return Bound::Unknown;
    if (limits->overhead > std::max(limits->compute, limits->memory)) return Bound::Overhead;
    return limits->compute >= limits->memory ? Bound::Compute : Bound::Memory;
}

namespace {

/// The least that a step takes: the longer of its branches, and no less than its products take of the units
/// and its bytes of the memory that both branches share. With one branch it is the sum of its ops.
class LeastOfBranches {
public:
    explicit LeastOfBranches(Dtype products) : m_products(products) {}

    void add(const StepOp& op, const Limits& limits, bool beside) {
        (beside ? m_beside : m_main) += roofOf(limits);
        if (op.isProduct && op.units == m_products) m_units += limits.compute;
        m_memory += limits.memory;
    }
    [[nodiscard]] Seconds seconds() const { return std::max({m_main, m_beside, m_units, m_memory}); }

private:
    Dtype m_products;
    Seconds m_main = 0;
    Seconds m_beside = 0;
    Seconds m_units = 0;
    Seconds m_memory = 0;
};

/// Which ops of a step run in its side branch.
class SideBranch {
public:
    explicit SideBranch(const StepPlan& plan)
        : m_gradients(plan.traits.sideBranch), m_updates(m_gradients && !earlyUpdates(plan).empty()) {}

    [[nodiscard]] bool runs(const Op& op) const {
        return (m_gradients && runsBeside(op.kind)) || (m_updates && op.kind == OpKind::OptimizerStep);
    }

private:
    bool m_gradients;
    bool m_updates;
};

/// Times of the ops of a step in their order; the step is their sum, and the time between them. What branches
/// gain by running at the same time is not known: it lowers the least that the step takes, and nothing else.
class TimesOfOps {
public:
    /// `afterOp`: what the step takes between an op and the next one.
    TimesOfOps(Dtype products, std::int32_t opCount, Seconds afterOp)
        : m_afterOp(afterOp), m_least(products) {
        const auto count = static_cast<std::size_t>(opCount);
        m_prediction.opSeconds.reserve(count);
        m_prediction.opSpreads.reserve(count);
        m_prediction.opTiers.reserve(count);
    }

    /// `beside`: the op runs in a branch beside the others.
    void add(const StepOp& op, const OpTime& time, bool beside = false) {
        m_prediction.opSeconds.push_back(time.seconds);
        m_prediction.opSpreads.push_back(time.spread);
        m_prediction.opTiers.push_back(time.tier);
        std::optional<Seconds> untilTheNext = time.seconds;
        if (untilTheNext && !op.isView()) *untilTheNext += static_cast<double>(op.executions) * m_afterOp;
        addKnown(m_seconds, untilTheNext);
        if (time.least) m_least.add(op, *time.least, beside);
        if (time.spread) m_mostSeconds += time.spread->high;
    }

    [[nodiscard]] const std::optional<Seconds>& seconds() const { return m_seconds; }
    void addToOp(std::int32_t op, Seconds more) {
        if (auto& seconds = entryAt(m_prediction.opSeconds, op)) *seconds += more;
    }
    void addToStep(Seconds more) { *m_seconds += more; }
    // Of an op and of the step, where they are not what the ops add up to.
    void setOp(std::int32_t op, std::optional<Seconds> seconds) {
        entryAt(m_prediction.opSeconds, op) = seconds;
    }
    void setStep(std::optional<Seconds> seconds) { m_seconds = seconds; }
    void setTraffic(std::vector<CollectiveReading> collectives, std::optional<Seconds> exposed) {
        m_prediction.collectives = std::move(collectives);
        m_exposed = exposed;
    }

    [[nodiscard]] Prediction finish(const Step& step, const Machine& machine) && {
        m_prediction.totals = makeTotals(step, machine, m_seconds);
        m_prediction.totals.exposed = m_exposed;
        if (m_seconds) {
            m_prediction.totals.tier = tierOf(machine, step.productDtype);
            // The errors of the ops of a step make up for each other; their past errors say by how much.
            if (!isCalibrated(machine))
                m_prediction.totals.spread = Spread{m_least.seconds(), m_mostSeconds};
            else if (machine.checked && step.ranksOfMachine == 1)  // steps of one rank were checked
                m_prediction.totals.spread = spreadOfError(*m_seconds, machine.checked->p90Error);
        }
        m_prediction.memory = summariseCurve(memoryCurve(step));
        return std::move(m_prediction);
    }

private:
    Seconds m_afterOp;
    Prediction m_prediction;
    std::optional<Seconds> m_seconds = 0.0;
    std::optional<Seconds> m_exposed;
    LeastOfBranches m_least;
    Seconds m_mostSeconds = 0;
};

/// The lanes of a step whose ops have times. `timer` is asked while they are made alone.
StepLanes lanesOf(const StepPlan& plan, Timer& timer, Seconds afterOp) {
    const auto once = [&timer, afterOp](const Op& op) {
        const Seconds all = timer.timeOf(op).seconds.value_or(0);
        const bool isFollowed = op.lane == Lane::Compute && !op.isView();
        return all / static_cast<double>(op.executions) + (isFollowed ? afterOp : 0);
    };
    return {plan, once, [&timer](const Op& op) { return timer.besideOther(op); }};
}

/// Puts what is on its way beside the rest: the step is what its lanes take, an op takes what traffic slows
/// it down besides, and a collective what the step waits for it.
void scheduleTraffic(const StepPlan& plan, Timer& timer, Seconds afterOp, TimesOfOps& times) {
    std::vector<CollectiveReading> collectives = collectivesOf(plan);
    for (CollectiveReading& collective : collectives) {
        collective.seconds = timer.timeOf(plan.op(collective.op)).seconds;
        times.setOp(collective.op, std::nullopt);
    }
    std::optional<Seconds> step, exposed;
    if (times.seconds()) {
        const StepLanes lanes = lanesOf(plan, timer, afterOp);
        if (lanes.areKnown()) {
            const LaneSchedule schedule = scheduleLanes(lanes.works());
            step = schedule.seconds;
            exposed = *step - scheduleLanes(lanes.free()).seconds;
            for (const CollectiveReading& collective : collectives) times.setOp(collective.op, 0);
            for (std::int32_t op = 0; op < plan.opCount(); ++op)
                times.addToOp(op, lanes.exposed(op, schedule));
        }
    }
    times.setStep(step);
    times.setTraffic(std::move(collectives), exposed);
}

}  // namespace

Prediction predict(const StepPlan& plan, const Machine& machine) {
    Timer timer(plan, machine);
    const CostTables* const costs = costsOf(machine, plan.ranksOfMachine);
    const Seconds afterOp = costs != nullptr ? secondsAfterOp(*costs, plan.traits) : 0;
    TimesOfOps times(plan.productDtype, plan.opCount(), afterOp);
    const SideBranch branch(plan);
    for (const Op& op : plan.ops) times.add(op, timer.timeOf(op), branch.runs(op));
    if (plan.config.parallel.ranks() > 1) scheduleTraffic(plan, timer, afterOp, times);
    if (const Seconds wait = times.seconds() ? waitForRows(plan, machine, *times.seconds()) : 0; wait > 0) {
        const auto microBatches = static_cast<double>(plan.config.microBatches());
        for (std::int32_t i = 0; i < plan.opCount(); ++i)
            if (plan.op(i).kind == OpKind::LoadBatch)
                times.addToOp(i, wait * static_cast<double>(plan.op(i).executions) / microBatches);
        times.addToStep(wait);
    }
    return std::move(times).finish(plan, machine);
}

std::optional<StepLanesTold> predictedLanes(const StepPlan& plan, const Machine& machine) {
    const CostTables* const costs = costsOf(machine, plan.ranksOfMachine);
    if (plan.config.parallel.ranks() < 2 || costs == nullptr) return std::nullopt;
    Timer timer(plan, machine);
    for (const Op& op : plan.ops)
        if (!timer.timeOf(op).seconds) return std::nullopt;
    const StepLanes lanes = lanesOf(plan, timer, secondsAfterOp(*costs, plan.traits));
    if (!lanes.areKnown()) return std::nullopt;
    const LaneSchedule schedule = scheduleLanes(lanes.works());
    StepLanesTold told{schedule.seconds, lanes.stretches()};
    for (std::size_t i = 0; i < told.stretches.size(); ++i) {
        told.stretches[i].begin = schedule.spans[i].begin;
        told.stretches[i].end = schedule.spans[i].end;
    }
    return told;
}

std::optional<Seconds> leastSeconds(const StepPlan& plan, const Machine& machine) {
    const Ceilings ceilings(plan.productDtype, machine);
    const SideBranch branch(plan);
    LeastOfBranches least(plan.productDtype);
    for (const Op& op : plan.ops) {
        const std::optional<Limits> limits = limitsOf(op, ceilings);
        if (!limits) return std::nullopt;
        least.add(op, *limits, branch.runs(op));
    }
    return least.seconds();
}

Prediction predictByCeilings(const Step& step, const Machine& machine) {
    const Ceilings ceilings(step.productDtype, machine);
    const Estimate estimate(step.productDtype, machine);
    // Nobody knows whether such a step is replayed.
    TimesOfOps times(step.productDtype, step.opCount(), machine.costs ? machine.costs->betweenOps : 0);
    for (std::int32_t index = 0; index < step.opCount(); ++index) {
        const StepOp& op = step.op(index);
        times.add(op, isCalibrated(machine) ? OpTime{roofOf(op, ceilings), std::nullopt, Tier::Calibrated}
                                            : estimate.of(op));
    }
    return std::move(times).finish(step, machine);
}

std::string notPredicted(const RunConfig& config, const Target& target) {
    const std::int64_t ranks = config.parallel.ranks();
    if (ranks > 1 && !target.traits.exchanges)
        return "the time of a step of several ranks is not predicted: nothing was timed of what they send "
               "each "
               "other";
    if (config.parallel.data > 1 && config.parallel.tensor > 1)
        return "the time of a step whose ranks share the batch and divide matrices is not predicted: "
               "collectives were timed among all ranks, and not among some of them at a time";
    if (ranks > 1 && costsOf(target.machine, ranks) == nullptr)
        return fmt::format(
            "the time of a step of {} ranks is not predicted: nothing was timed with so many of "
            "them, nor what they send each other; {:s} --ranks {} does that",
            ranks, calibrateCommand(target.machine.backend), ranks);
    if (!target.traits.sideBranch) return {};
    return "the predicted time of a step is the sum of its operations; what running gradients of weights "
           "beside the rest gains is not predicted";
}

std::optional<double> shareOfCalibratedSpeed(const StepPlan& plan, const Machine& machine,
                                             const SpeedProbe& now) {
    // A rank probes the machine while the others go on, which calibration does not.
    if (!machine.costs || !machine.costs->speed || plan.ranksOfMachine > 1) return std::nullopt;
    const RelativeSpeed speed = relativeSpeed(now, machine.costs->speed->probe);
    Timer timer(plan, machine);
    const Seconds afterOp = secondsAfterOp(*machine.costs, plan.traits);
    Seconds calibrated = 0;
    Seconds taken = 0;
    for (const Op& op : plan.ops) {
        const std::optional<Seconds> seconds = timer.timeOf(op).seconds;
        if (!seconds) return std::nullopt;
        const Seconds between = static_cast<double>(op.executions) * afterOp;
        calibrated += *seconds + between;
        taken += *seconds / speed.*speedPartOf(op) + between / speed.loop;
    }
    return taken > 0 ? std::optional(calibrated / taken) : std::nullopt;
}

}  // namespace plumb
