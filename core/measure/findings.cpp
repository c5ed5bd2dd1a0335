// SPDX-License-Identifier: Apache-2.0
#include "core/measure/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

namespace plumb {
namespace {

// Shares below which a step is as one expects it.
constexpr double kOneKind = 0.2;
constexpr double kCopies = 0.05;
constexpr double kOfThePeak = 0.2;
constexpr double kMostProducts = 0.5;
constexpr double kFasterUnits = 1.5;       ///< bf16 against fp32, from where another format is worth a try
constexpr std::int64_t kManyUpdates = 50;  ///< operations of an optimizer that is not fused

constexpr std::array<std::string_view, 4> kCopyKinds{"aten::copy_", "aten::clone", "aten::_to_copy",
                                                     "aten::contiguous"};

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }
std::string timeText(Seconds seconds) { return formatQuantity(seconds, "s"); }

/// Some of the ops of a step.
struct Group {
    std::int64_t count = 0;
    Seconds seconds = 0;
    Seconds predicted = 0;
    bool allPredicted = true;
    std::int64_t longest = -1;
};

class Findings {
public:
    Findings(const PlannedStep& planned, const MeasuredStep* measured)
        : m_planned(planned), m_step(*planned.step) {
        const auto count = static_cast<std::size_t>(m_step.opCount());
        if (measured != nullptr && measured->reading->ops.size() == count)
            for (const OpReading& op : measured->reading->ops) m_seconds.push_back(op.seconds);
        m_areMeasured = std::ranges::any_of(m_seconds, [](const auto& each) { return each.has_value(); });
        if (!m_areMeasured) m_seconds = planned.prediction->opSeconds;
        m_seconds.resize(count);
        for (const auto& each : m_seconds) m_all += each.value_or(0);
    }

    std::vector<Finding> take(std::size_t most) {
        if (m_all > 0) {
            addKind();
            addCopies();
            addProducts();
            addOptimizer();
        }
        addPeak();
        std::ranges::stable_sort(m_found, std::greater(), &Finding::share);
        if (m_found.size() > most) m_found.resize(most);
        return std::move(m_found);
    }

private:
    [[nodiscard]] Group groupOf(const std::function<bool(std::int64_t)>& isIn) const {
        Group group;
        for (std::int64_t i = 0; i < m_step.opCount(); ++i)
            if (isIn(i)) addTo(group, i);
        return group;
    }

    void addTo(Group& group, std::int64_t op) const {
        const auto at = static_cast<std::size_t>(op);
        ++group.count;
        group.seconds += m_seconds[at].value_or(0);
        const auto& predicted = m_planned.prediction->opSeconds;
        if (at < predicted.size() && predicted[at])
            group.predicted += *predicted[at];
        else
            group.allPredicted = false;
        if (group.longest < 0 ||
            m_seconds[at].value_or(0) > m_seconds[static_cast<std::size_t>(group.longest)].value_or(0))
            group.longest = op;
    }

    [[nodiscard]] std::string timesOf(const Group& group) const {
        std::string text = fmt::format("{} of them: {} of {}, {}", group.count, timeText(group.seconds),
                                       timeText(m_all), m_areMeasured ? "measured" : "predicted");
        if (m_areMeasured && group.allPredicted)
            text += fmt::format("; {} predicted for {}", timeText(group.predicted), m_planned.machine().name);
        return text;
    }

    void add(const Group& group, std::string title, std::string evidence) {
        m_found.push_back({std::move(title), std::move(evidence), Finding::Place::Operations,
                           m_step.opId(group.longest), group.seconds / m_all});
    }

    void addKind() {
        std::map<std::string_view, Group> kinds;
        for (std::int64_t i = 0; i < m_step.opCount(); ++i) addTo(kinds[m_step.opKind(i)], i);
        const auto largest =
            std::ranges::max_element(kinds, {}, [](const auto& each) { return each.second.seconds; });
        if (largest == kinds.end() || largest->second.seconds < kOneKind * m_all) return;
        add(largest->second,
            fmt::format("{} takes {} of the time of all operations", largest->first,
                        percent(largest->second.seconds / m_all)),
            timesOf(largest->second));
    }

    void addCopies() {
        const Group copies = groupOf([&](std::int64_t op) {
            return std::ranges::find(kCopyKinds, m_step.opKind(op)) != kCopyKinds.end();
        });
        if (copies.seconds < kCopies * m_all) return;
        add(copies,
            fmt::format("Copies take {} of the time of all operations", percent(copies.seconds / m_all)),
            timesOf(copies));
    }

    void addProducts() {
        const auto fp32 = m_planned.machine().peak(Dtype::Fp32), bf16 = m_planned.machine().peak(Dtype::Bf16);
        if (!fp32 || !bf16 || *bf16 < kFasterUnits * *fp32) return;
        Flops all = 0, wide = 0;
        const Group products = groupOf([&](std::int64_t index) {
            const StepOp& op = m_step.op(index);
            all += op.matmulFlops;
            if (!op.isProduct || op.units != Dtype::Fp32) return false;
            wide += op.matmulFlops;
            return true;
        });
        if (products.count == 0 || wide < static_cast<Flops>(kMostProducts * static_cast<double>(all)))
            return;
        add(products, "Matrix products run in fp32",
            fmt::format("{} of their FLOPs; {} has {} in fp32 and {} in bf16",
                        percent(static_cast<double>(wide) / static_cast<double>(all)),
                        m_planned.machine().name, formatQuantity(*fp32, "FLOP/s"),
                        formatQuantity(*bf16, "FLOP/s")));
    }

    void addOptimizer() {
        bool isFused = false;
        const Group updates = groupOf([&](std::int64_t index) {
            const std::string_view kind = m_step.opKind(index);
            if (m_step.op(index).phase != Phase::Optimizer || m_step.op(index).isView()) return false;
            isFused = isFused || kind.find("_foreach_") != kind.npos || kind.find("_fused_") != kind.npos;
            return true;
        });
        if (isFused || updates.count < kManyUpdates) return;
        add(updates, fmt::format("The optimizer runs as {} operations", updates.count),
            fmt::format("{} of the time of all operations; with fused=True they are a few",
                        percent(updates.seconds / m_all)));
    }

    /// The module whose tensors take most of the peak, beside parameters and what belongs to them.
    void addPeak() {
        const MemoryReading& memory = m_planned.prediction->memory;
        if (memory.peakOp < 0 || memory.peakBytes <= 0 || m_step.tensorCount() == 0) return;
        struct Held {
            Bytes bytes = 0;
            std::int64_t tensors = 0;
            TensorId largest = -1;
        };
        std::map<std::string, Held> modules;
        for (TensorId id = 0; id < m_step.tensorCount(); ++id) {
            const StepTensor& tensor = m_step.tensor(id);
            const bool isKept = tensor.category == Category::Activations ||
                                tensor.category == Category::ActivationGradients ||
                                tensor.category == Category::Workspace;
            if (!isKept || tensor.firstOp > memory.peakOp || tensor.lastOp < memory.peakOp) continue;
            Held& held = modules[m_step.tensorModule(id)];
            held.bytes += m_step.tensorBytes(id);
            ++held.tensors;
            if (held.largest < 0 || m_step.tensorBytes(id) > m_step.tensorBytes(held.largest))
                held.largest = id;
        }
        const auto most =
            std::ranges::max_element(modules, {}, [](const auto& each) { return each.second.bytes; });
        if (most == modules.end()) return;
        const auto& [module, held] = *most;
        const double share = static_cast<double>(held.bytes) / static_cast<double>(memory.peakBytes);
        if (share < kOfThePeak) return;
        m_found.push_back(
            {fmt::format("{} holds {} of the peak",
                         module.empty() ? "What is outside of all modules" : module, percent(share)),
             fmt::format("{} of {} in {} tensor{}, the largest {}",
                         formatQuantity(static_cast<double>(held.bytes), "B"),
                         formatQuantity(static_cast<double>(memory.peakBytes), "B"), held.tensors,
                         held.tensors == 1 ? "" : "s", m_step.tensorName(held.largest)),
             Finding::Place::Memory, m_step.opId(memory.peakOp), share});
    }

    const PlannedStep& m_planned;
    const Step& m_step;
    std::vector<std::optional<Seconds>> m_seconds;  ///< by op
    bool m_areMeasured = false;
    Seconds m_all = 0;
    std::vector<Finding> m_found;
};

}  // namespace

std::vector<Finding> findingsOf(const PlannedStep& planned, const MeasuredStep* measured, std::size_t most) {
    return Findings(planned, measured).take(most);
}

}  // namespace plumb
