// SPDX-License-Identifier: Apache-2.0
#include "core/base/entry_at.h"
#include "core/measure/reading.h"
#include "core/plan/fit_schedule.h"
#include "core/plan/library_scratch.h"
#include "core/plan/traffic.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb {
namespace {

__extension__ using Wide = __int128;  // bytes per row times 2^40 rows

/// Live bytes of a step as a function of the micro-batch b: at each op fixed + perRow * b, and library
/// scratch on top at some ops. Only the library's share bends (it has a cap), and it is one number for all
/// its ops.
struct MemoryLine {
    Bytes fixed = 0;
    Bytes perRow = 0;
};
struct MemoryLines {
    std::vector<MemoryLine> withLibrary;
    std::vector<MemoryLine> without;
};

/// The upper edge of `lines`: those that are the highest for some b >= 1. Leaves a handful of hundreds.
void keepUpperEdge(std::vector<MemoryLine>& lines) {
    std::sort(lines.begin(), lines.end(), [](const MemoryLine& a, const MemoryLine& b) {
        return a.perRow != b.perRow ? a.perRow > b.perRow : a.fixed > b.fixed;
    });
    // A line that is neither steeper nor higher at 0 than one before it is never above it.
    std::vector<MemoryLine> edge;
    for (const MemoryLine& line : lines) {
        if (edge.empty() || line.fixed > edge.back().fixed) edge.push_back(line);
    }
    lines = std::move(edge);
}

/// Batches come in multiples of this.
std::int64_t batchUnit(const RunConfig& config, const BackendTraits& traits) {
    return config.precision == Precision::Fp8 ? std::max<std::int64_t>(traits.fp8Multiple, 1) : 1;
}

/// From two plans that differ in the rows alone, `unit` and twice as many: two points make a line.
MemoryLines linesBetween(const StepPlan& oneRow, const StepPlan& twoRows, std::int64_t unit) {
    std::vector<MemoryLine> steps(oneRow.ops.size() + 1);
    MemoryLine live;
    MemoryLines lines;
    std::vector<char> hasLibrary(oneRow.ops.size(), 0);
    for (std::size_t i = 0; i < oneRow.tensors.size(); ++i) {
        const Tensor& tensor = oneRow.tensors[i];
        if (tensor.role == TensorRole::LibraryScratch) {
            entryAt(hasLibrary, tensor.firstOp) = 1;
            continue;
        }
        const Bytes perRow = (twoRows.tensors[i].bytes() - tensor.bytes()) / unit;
        const Bytes fixed = tensor.bytes() - perRow * unit;
        MemoryLine& begin = tensor.persistent() ? live : entryAt(steps, tensor.firstOp);
        begin.fixed += fixed;
        begin.perRow += perRow;
        if (!tensor.persistent()) {
            MemoryLine& end = entryAt(steps, tensor.lastOp + 1);
            end.fixed -= fixed;
            end.perRow -= perRow;
        }
    }
    for (std::size_t op = 0; op < oneRow.ops.size(); ++op) {
        live.fixed += steps[op].fixed;
        live.perRow += steps[op].perRow;
        (hasLibrary[op] != 0 ? lines.withLibrary : lines.without).push_back(live);
    }
    keepUpperEdge(lines.withLibrary);
    keepUpperEdge(lines.without);
    return lines;
}

bool allAtMost(const std::vector<MemoryLine>& lines, std::int64_t rows, Bytes limit) {
    return std::all_of(lines.begin(), lines.end(), [rows, limit](const MemoryLine& line) {
        return static_cast<Wide>(line.fixed) + static_cast<Wide>(line.perRow) * rows <= limit;
    });
}

/// The largest count in 1..most for which `good` holds, when it holds for all smaller ones as well; else 0.
template <class Predicate>
std::int64_t largest(std::int64_t most, Predicate good) {
    std::int64_t low = 0;
    while (low < most) {
        const std::int64_t middle = low + (most - low + 1) / 2;
        if (good(middle))
            low = middle;
        else
            most = middle - 1;
    }
    return low;
}

Bytes peakOf(const StepPlan& plan) { return summariseCurve(memoryCurve(plan)).peakBytes; }

/// `config` with so many micro-batches of `rows` on each rank.
RunConfig withRows(RunConfig config, std::int64_t rows, std::int64_t microBatches = 1) {
    config.batch = rows * microBatches * config.parallel.data;
    config.microBatch = rows;
    return config;
}

/// Least batch that `config` can have with micro-batches of `rows`.
std::int64_t ofAllRanks(const RunConfig& config, std::int64_t rows) { return rows * config.parallel.data; }

std::int64_t largestWholeBatch(const RunConfig& config, const BackendTraits& traits, Bytes memoryBytes) {
    const std::int64_t unit = batchUnit(config, traits), least = ofAllRanks(config, unit);
    const Result<StepPlan> oneRow = planStep(withRows(config, unit), traits);
    const Result<StepPlan> twoRows = planStep(withRows(config, 2 * unit), traits);
    if (!oneRow.has_value() || !twoRows.has_value())
        return oneRow.has_value() && peakOf(*oneRow) <= memoryBytes ? least : 0;
    const MemoryLines lines = linesBetween(*oneRow, *twoRows, unit);
    return least * largest(kMaxDimension / least, [&](std::int64_t units) {
               const std::int64_t rows = units * unit;
               const RunConfig guess = withRows(config, rows);
               if (!allAtMost(lines.without, rows, memoryBytes) || !validate(guess).has_value()) return false;
               const Bytes library = libraryScratchFloats(guess, traits) * dtypeSize(Dtype::Fp32);
               return allAtMost(lines.withLibrary, rows, memoryBytes - library);
           });
}

/// With `fit` the schedule depends on the batch, so there are no lines.
std::int64_t largestFittedBatch(const RunConfig& config, const BackendTraits& traits, Bytes memoryBytes) {
    const bool budgetDecides = config.recompute.budgetBytes <= memoryBytes;
    const std::int64_t unit = batchUnit(config, traits), least = ofAllRanks(config, unit);
    return least * largest(kMaxDimension / least, [&](std::int64_t units) {
               const RunConfig guess = withRows(config, units * unit);
               if (budgetDecides) return hasFitSchedule(guess, traits);
               const Result<StepPlan> plan = planStep(guess, traits);
               return plan.has_value() && peakOf(*plan) <= memoryBytes;
           });
}

std::int64_t largestMultiple(const RunConfig& config, const BackendTraits& traits, Bytes memoryBytes) {
    const std::int64_t rows = config.microBatch, least = ofAllRanks(config, rows);
    const auto fits = [&](std::int64_t microBatches) {
        const Result<StepPlan> plan = planStep(withRows(config, rows, microBatches), traits);
        return plan.has_value() && peakOf(*plan) <= memoryBytes;
    };
    // Memory has two values: one micro-batch, and any more of them (gradients are then there all the time).
    if (!fits(2)) return fits(1) ? least : 0;
    return least * largest(kMaxDimension / least, [&](std::int64_t microBatches) {
               return validate(withRows(config, rows, microBatches)).has_value();
           });
}

}  // namespace

std::int64_t largestBatchThatFits(const RunConfig& config, const BackendTraits& traits, Bytes memoryBytes) {
    const bool whole = config.microBatch == 0 || config.microBatch == config.rankBatch();
    memoryBytes /= ranksOfMachine(config, traits);
    if (whole && config.recompute.kind == RecomputePolicy::Kind::Fit)
        return largestFittedBatch(config, traits, memoryBytes);
    if (whole) return largestWholeBatch(config, traits, memoryBytes);
    if (config.microBatch < 1 || config.microBatch > kMaxDimension) return 0;
    return largestMultiple(config, traits, memoryBytes);
}

Result<void> checkFits(const StepPlan& plan, Bytes memoryBytes) {
    const Bytes need = peakOf(plan), have = memoryBytes / plan.ranksOfMachine;
    if (need <= have) return {};
    // Three digits of both can read the same; then only the exact numbers say why it is refused.
    std::string needText = bytesText(need);
    std::string haveText = bytesText(have);
    if (needText == haveText) {
        needText = formatExact(need, "B");
        haveText = formatExact(have, "B");
    }
    const std::int64_t batch = largestBatchThatFits(plan.config, plan.traits, memoryBytes);
    const bool whole = plan.config.microBatches() == 1;
    return Error{ErrorCode::OutOfMemory,
                 plan.ranksOfMachine > 1
                     ? fmt::format("each of {} ranks needs {} of memory, and its part of the device's is {}",
                                   plan.ranksOfMachine, needText, haveText)
                     : fmt::format("the step needs {} of memory and the device has {}", needText, haveText),
                 batch > 0 ? fmt::format("the largest batch that fits is {}", batch)
                           : fmt::format("not even batch {} fits, so make {} smaller",
                                         ofAllRanks(plan.config, whole ? batchUnit(plan.config, plan.traits)
                                                                       : plan.config.microBatch),
                                         whole ? "dim or layers" : "dim, layers or the micro-batch")};
}

}  // namespace plumb
