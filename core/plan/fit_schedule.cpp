// SPDX-License-Identifier: Apache-2.0
#include "core/plan/fit_schedule.h"

#include "core/plan/chain_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <optional>

namespace plumb {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

/// The memory of a pass as far as the schedule does not change it.
class ChainMemory {
public:
    static Result<ChainMemory> of(RunConfig config, const BackendTraits& traits) {
        config.recompute = {};
        config.recompute.kind = RecomputePolicy::Kind::None;
        PLUMB_TRY(StepPlan plan, planStep(config, traits));
        return ChainMemory(std::move(plan));
    }
    [[nodiscard]] const StepPlan& plan() const { return m_plan; }
    [[nodiscard]] ChainCapacity capacity(Bytes budget) const;
    [[nodiscard]] Bytes leastPeak() const;
    /// Whether there are layers: without, there is nothing to keep or to recompute, and one peak alone.
    [[nodiscard]] bool hasLayers() const { return m_plan.config.layers > 0; }

    explicit ChainMemory(StepPlan plan) : m_plan(std::move(plan)) {
        const std::vector<CategoryBytes> curve = memoryCurve(m_plan);
        m_rest.reserve(curve.size());
        for (const CategoryBytes& live : curve) {
            m_peak = std::max(m_peak, total(live));
            m_rest.push_back(total(live) - live[Category::Activations]);
        }
        const RunConfig& config = m_plan.config;
        m_activation = config.microBatchSize() * config.dim * dtypeSize(config.activationDtype());
        // With its mask, though a mask is not there for every h nor all the time: what is found fits, and may
        // fit into a little less.
        for (const Tensor& tensor : m_plan.tensors)
            if (tensor.role == TensorRole::ReluMask) m_mask = tensor.bytes();
        m_activation += m_mask;
    }

private:
    StepPlan m_plan;
    std::vector<Bytes> m_rest;  ///< by op: all but activations
    Bytes m_activation = 0;     ///< bytes of one h, and of its mask
    Bytes m_mask = 0;           ///< 0 where there are none
    Bytes m_peak = 0;           ///< of the policy None
};

ChainCapacity ChainMemory::capacity(Bytes budget) const {
    const auto layers = static_cast<std::int32_t>(m_plan.config.layers);
    const bool relu = m_plan.config.activation == Activation::Relu;
    const std::int32_t plenty = layers + 2;
    ChainCapacity capacity;
    capacity.layers = layers;
    capacity.head = plenty;
    for (auto* each : {&capacity.forward, &capacity.recompute, &capacity.backward})
        each->assign(at(layers) + 1, plenty);
    for (std::size_t i = 0; i < m_plan.ops.size(); ++i) {
        const Op& op = m_plan.ops[i];
        const Bytes left = budget - m_rest[i];
        const auto room =
            static_cast<std::int32_t>(left < 0 ? -1 : std::min<Bytes>(left / m_activation, plenty));
        // Without a ReLU the gradient of an input does not read it, so that h is gone by then. An op that
        // cannot fit at all stays so.
        const std::int32_t unread = left >= 0 && op.kind == OpKind::InputGradient && !relu ? 1 : 0;
        const auto lower = [](std::int32_t& limit, std::int32_t value) { limit = std::min(limit, value); };
        if (op.kind == OpKind::LayerForward)
            lower(capacity.forward[at(op.layer)], room);
        else if (op.kind == OpKind::RecomputeChain)
            lower(capacity.recompute[at(op.layer + 1)], room);
        else if (op.kind == OpKind::HeadForward || op.kind == OpKind::LossGradient || op.isHead)
            lower(capacity.head, room - 1 + unread);
        else if (op.kind == OpKind::WeightGradient || op.kind == OpKind::InputGradient)
            lower(capacity.backward[at(op.layer)], room + unread);
        else if (room < 0)
            capacity.head = -1;  // an op without activations does not fit
    }
    return capacity;
}

Bytes ChainMemory::leastPeak() const {
    if (!hasLayers()) return m_peak;
    // Recomputing all from the input is a schedule, and none of them needs less than the rest alone.
    Bytes tooLittle = *std::max_element(m_rest.begin(), m_rest.end()) - 1;
    Bytes enough = m_peak;
    if (m_mask > 0)  // because masks are counted with every h
        while (!hasSchedule(capacity(enough))) enough += m_mask;
    while (enough - tooLittle > 1) {
        const Bytes middle = tooLittle + (enough - tooLittle) / 2;
        (hasSchedule(capacity(middle)) ? enough : tooLittle) = middle;
    }
    return enough;
}

/// Schedules that were asked for lately. A slider that does not change the room of any op, and every view
/// that plans the same step, find theirs here.
class RecentSchedules {
public:
    std::optional<RecomputeSchedule> find(const ChainCapacity& capacity) {
        const std::lock_guard lock(m_mutex);
        const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                        [&](const Entry& entry) { return entry.capacity == capacity; });
        if (found == m_entries.end()) return std::nullopt;
        return found->schedule;
    }
    void add(const ChainCapacity& capacity, const RecomputeSchedule& schedule) {
        constexpr std::size_t kMost = 16;
        const std::lock_guard lock(m_mutex);
        m_entries.push_front({capacity, schedule});
        if (m_entries.size() > kMost) m_entries.pop_back();
    }

private:
    struct Entry {
        ChainCapacity capacity;
        RecomputeSchedule schedule;
    };
    std::mutex m_mutex;
    std::deque<Entry> m_entries;
};

RecentSchedules& recentSchedules() {
    static RecentSchedules schedules;
    return schedules;
}

Error tooDeep(const RunConfig& config) {
    return {
        ErrorCode::BadInput,
        fmt::format("checkpoint fit is worked out for at most {} layers ({})", kMostFitLayers, config.layers),
        "use sqrt, none or a number of layers"};
}

Error tooSmall(Bytes budget, Bytes least) {
    return {ErrorCode::BadInput, fmt::format("no checkpoint schedule fits ({} B)", budget),
            fmt::format("the least is {} B, give at least that", least)};
}

}  // namespace

ChainCapacity chainCapacity(const StepPlan& plan, Bytes budget) { return ChainMemory(plan).capacity(budget); }

Result<RecomputeSchedule> fitSchedule(const RunConfig& config, const BackendTraits& traits) {
    PLUMB_TRY(const ChainMemory memory, ChainMemory::of(config, traits));
    const Bytes budget = config.recompute.budgetBytes;
    if (!memory.hasLayers()) {
        RunConfig plain = config;
        plain.recompute = {};
        if (budget >= memory.leastPeak()) return recomputeSchedule(plain, traits);
        return tooSmall(budget, memory.leastPeak());
    }
    const ChainCapacity capacity = memory.capacity(budget);
    if (std::optional<RecomputeSchedule> known = recentSchedules().find(capacity)) return *std::move(known);
    const bool searches = config.layers <= kMostFitLayers;
    std::optional<RecomputeSchedule> schedule =
        searches ? leastRecomputation(capacity) : recomputeOnce(capacity);
    if (schedule.has_value()) {
        recentSchedules().add(capacity, *schedule);
        return *std::move(schedule);
    }
    if (!searches) return tooDeep(config);
    return tooSmall(budget, memory.leastPeak());
}

Result<Bytes> leastPeak(const RunConfig& config, const BackendTraits& traits) {
    PLUMB_TRY(const ChainMemory memory, ChainMemory::of(config, traits));
    if (config.layers > kMostFitLayers) return tooDeep(config);
    return memory.leastPeak();
}

bool hasFitSchedule(const RunConfig& config, const BackendTraits& traits) {
    const Result<ChainMemory> memory = ChainMemory::of(config, traits);
    if (!memory.has_value()) return false;
    if (!memory->hasLayers()) return config.recompute.budgetBytes >= memory->leastPeak();
    const ChainCapacity capacity = memory->capacity(config.recompute.budgetBytes);
    return config.layers > kMostFitLayers ? recomputeOnce(capacity).has_value() : hasSchedule(capacity);
}

}  // namespace plumb
