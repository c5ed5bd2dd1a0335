// SPDX-License-Identifier: Apache-2.0
#include "app/cli/step_tables.h"

#include "core/base/entry_at.h"
#include "core/base/plain_text.h"
#include "core/base/table.h"
#include "core/measure/collective_figures.h"
#include "core/measure/memory_roofs.h"
#include "core/measure/step_summary.h"
#include "core/plan/traffic.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace plumb::cli {

namespace {

constexpr std::size_t kOpsShown = 8;

std::optional<Seconds> secondsAt(const std::optional<Reading>& reading, std::size_t op) {
    if (!reading || op >= reading->ops.size()) return std::nullopt;
    return reading->ops[op].seconds;
}

/// Indices of the kOpsShown heaviest of `count`, the heaviest first.
template <class Weight>
std::vector<std::size_t> largest(std::size_t count, const Weight& weight) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto shown = static_cast<std::ptrdiff_t>(std::min(kOpsShown, count));
    std::partial_sort(order.begin(), order.begin() + shown, order.end(), [&](std::size_t a, std::size_t b) {
        return weight(a) != weight(b) ? weight(a) > weight(b) : a < b;
    });
    order.resize(static_cast<std::size_t>(shown));
    return order;
}

/// Time, bus bandwidth and what the step waited of a collective, as a reading has it.
std::vector<std::string> collectiveCells(const Reading& reading, std::size_t index, std::int64_t ranks) {
    CollectiveReading collective;
    if (index < reading.collectives.size()) collective = reading.collectives[index];
    const auto op = static_cast<std::size_t>(collective.op);
    const std::string kind = op < reading.ops.size() ? reading.ops[op].kind : std::string();
    const CollectiveFigures figures = figuresOf(collective, secondsAt(reading, op), kind, ranks);
    std::string exposed = quantity(figures.waited, "s");
    if (figures.exposed) exposed += fmt::format(", {:.0f} %", 100 * *figures.exposed);
    return {quantity(figures.seconds, "s"), quantity(figures.bandwidth, "B/s"), std::move(exposed)};
}

std::string spreadAt(const Reading& reading, std::size_t op) {
    return op < reading.ops.size() ? spread(reading.ops[op].spread) : std::string(kUnknown);
}

/// What a planned op reached of the roof that holds it when it took `seconds`.
std::string ofRoof(const Snapshot& snapshot, const OpReading& op, const std::optional<Seconds>& seconds,
                   const std::vector<MemoryRoof>& roofs) {
    if (!seconds) return std::string(kUnknown);
    const auto share = roofShare(op, snapshot.config, snapshot.target.machine, *seconds);
    return share ? text(*share, roofs) : std::string(kUnknown);
}

}  // namespace

std::optional<double> medianError(const Snapshot& snapshot) {
    if (!snapshot.predicted || !snapshot.measured) return std::nullopt;
    return medianOpError(*snapshot.predicted, *snapshot.measured);
}

std::string spread(const std::optional<Spread>& seconds) {
    if (!seconds) return std::string(kUnknown);
    return fmt::format("{} to {}", formatQuantity(seconds->low, "s"), formatQuantity(seconds->high, "s"));
}

std::string tierHead(const Reading& predicted) {
    if (!predicted.totals.tier || !predicted.totals.seconds) return "predicted";
    return fmt::format("predicted, {}", tierName(*predicted.totals.tier));
}

std::string phaseTable(const Snapshot& snapshot) {
    std::vector<std::string> head{"Phase", "ops", "FLOPs", "bytes", tierHead(*snapshot.predicted)};
    Table rows;
    if (snapshot.measured) head.insert(head.end(), {"measured", "difference"});
    rows.add(head);
    const std::vector<PhaseSummary> measured =
        snapshot.measured ? summarisePhases(*snapshot.measured) : std::vector<PhaseSummary>();
    for (const PhaseSummary& p : summarisePhases(*snapshot.predicted)) {
        std::vector<std::string> row{std::string(phaseName(p.phase)), std::to_string(p.ops),
                                     quantity(p.flops, "FLOP"), quantity(p.bytes, "B"),
                                     quantity(p.seconds, "s")};
        if (snapshot.measured) {
            const auto m = std::ranges::find(measured, p.phase, &PhaseSummary::phase);
            const auto seconds = m != measured.end() ? m->seconds : std::nullopt;
            row.insert(row.end(), {quantity(seconds, "s"), difference(p.seconds, seconds)});
        }
        rows.add(std::move(row));
    }
    return rows.text();
}

std::string opTable(const Snapshot& snapshot) {
    const std::vector<OpReading>& ops = snapshot.predicted->ops;
    const std::vector<std::size_t> order = largest(ops.size(), [&](std::size_t op) {
        const auto measured = secondsAt(snapshot.measured, op);
        if (measured) return *measured;
        if (ops[op].seconds) return *ops[op].seconds;
        return static_cast<double>(ops[op].flops.value_or(0));
    });
    Table table;
    std::vector<std::string> head{fmt::format("Largest {} of {} ops", order.size(), ops.size()), "FLOPs",
                                  "bytes", tierHead(*snapshot.predicted)};
    const bool ranges = !snapshot.measured &&
                        std::ranges::any_of(ops, [](const OpReading& op) { return op.spread.has_value(); });
    if (ranges) head.emplace_back("range");
    if (snapshot.measured) head.insert(head.end(), {"measured", "10 % to 90 %", "difference", "of roof"});
    const std::vector<MemoryRoof> roofs = memoryRoofs(snapshot.target.machine);
    table.add(head);
    for (const std::size_t index : order) {
        const OpReading& op = ops[index];
        std::vector<std::string> row{op.name, quantity(op.flops, "FLOP"), quantity(op.bytes, "B"),
                                     quantity(op.seconds, "s")};
        if (ranges) row.push_back(spread(op.spread));
        if (snapshot.measured) {
            const auto measured = secondsAt(snapshot.measured, index);
            row.insert(row.end(), {quantity(measured, "s"), spreadAt(*snapshot.measured, index),
                                   difference(op.seconds, measured), ofRoof(snapshot, op, measured, roofs)});
        }
        table.add(std::move(row));
    }
    return table.text();
}

std::string collectiveTable(const Snapshot& snapshot) {
    const Reading& planned = *snapshot.predicted;
    const std::vector<CollectiveReading>& all = planned.collectives;
    if (all.empty()) return {};
    const std::vector<std::size_t> order =
        largest(all.size(), [&](std::size_t i) { return static_cast<double>(all[i].bytes); });
    const auto addTo = [](std::vector<std::string>& row, std::vector<std::string> cells) {
        std::ranges::move(cells, std::back_inserter(row));
    };
    Table table;
    std::vector<std::string> head{fmt::format("Largest {} of {} collectives", order.size(), all.size()),
                                  "bytes", tierHead(planned), "bus bandwidth", "exposed"};
    if (snapshot.measured) addTo(head, {"measured", "bus bandwidth", "exposed"});
    table.add(std::move(head));
    // Which ranks take part is known to the plan alone.
    const Result<StepPlan> plan = planStep(snapshot.config, snapshot.target.traits);
    for (const std::size_t index : order) {
        const auto op = static_cast<std::size_t>(all[index].op);
        const bool isKnown = plan.has_value() && op < plan->ops.size();
        const std::int64_t ranks = isKnown ? ranksOf(*plan, plan->ops[op]) : snapshot.config.parallel.ranks();
        std::vector<std::string> row{op < planned.ops.size() ? planned.ops[op].name : std::string(kUnknown),
                                     quantity(std::optional(all[index].bytes), "B")};
        addTo(row, collectiveCells(planned, index, ranks));
        if (snapshot.measured) addTo(row, collectiveCells(*snapshot.measured, index, ranks));
        table.add(std::move(row));
    }
    return table.text();
}

std::string productTable(const Reading& measured) {
    if (measured.products.empty()) return {};
    std::vector<std::int64_t> ops(measured.products.size(), 0);
    for (const OpReading& op : measured.ops)
        for (const std::int32_t product : op.products)
            if (static_cast<std::size_t>(product) < ops.size()) ++entryAt(ops, product);
    std::string text = "Products of the matrix library as they ran\n";
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const LibraryProduct& product = measured.products[i];
        text +=
            plainLine(fmt::format("  {} ({} op{})", product.product, ops[i], ops[i] == 1 ? "" : "s"), 200) +
            "\n" + plainLine("    " + algorithmText(product), 400) + "\n";
        if (const std::string apart = apartText(product); !apart.empty())
            text += plainLine("    " + apart, 400) + "\n";
    }
    return text;
}

}  // namespace plumb::cli
