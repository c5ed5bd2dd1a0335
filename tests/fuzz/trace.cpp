// SPDX-License-Identifier: Apache-2.0
#include "core/opening/imported_step.h"
#include "core/trace/critical_path.h"
#include "core/trace/rank_comparison.h"
#include "core/trace/trace_overview.h"
#include "core/trace/trace_reader.h"
#include "core/trace/trace_rows.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

#include <numeric>
#include <vector>

namespace plumb::fuzz {

namespace {

void requireRows(const trace::Trace& read) {
    const trace::RowIndex index(read);
    std::vector<trace::DrawnSpan> spans;
    std::size_t seen = 0;
    for (std::size_t row = 0; row < read.rows.size(); ++row) {
        seen += read.rows[row].count;
        const std::uint32_t first = read.rowOrder[read.rows[row].first];
        const trace::Nanoseconds begin = read.slices.begin[first];
        for (const trace::Nanoseconds pixel : {trace::Nanoseconds{1}, trace::Nanoseconds{1'000'000}})
            index.draw(row, begin, begin + 100 * pixel, pixel, spans);
        require(!spans.empty(), "a row shows its first slice");
    }
    require(seen == read.slices.size(), "each slice has a row");
}

void requireFigures(const trace::Trace& read) {
    trace::TraceLinks links = trace::linkTrace(read, {.withPlaces = true});
    for (const trace::TraceStep& step : links.steps) {
        const auto path = trace::criticalPath(read, links, step.begin, step.windowEnd);
        require(!path || path->length >= 0, "a path is not negative");
    }
    if (const auto step = stepOfTrace(read, links, "it", std::nullopt); isTaken(step))
        require(!step->step.ops.empty(), "an imported step has ops");
    const trace::TraceOverview overview = trace::overviewOf(read, std::move(links));
    for (const trace::DeviceFigures& device : overview.devices) {
        require(device.busy >= 0 && device.busy + device.idle == device.end - device.begin,
                "busy and idle add up");
        require(std::accumulate(device.idleBy.begin(), device.idleBy.end(), trace::Nanoseconds{0}) ==
                    device.idle,
                "causes add up");
        require(device.exposedCommunication >= 0 && device.exposedCommunication <= device.communication,
                "what is exposed is a part");
    }
}

/// The same file as two ranks: everything fits together, and nothing waits.
void requireRanks(const trace::Trace& read) {
    std::vector<trace::RankRecord> records;
    for (std::int64_t rank = 0; rank < 2; ++rank) {
        records.push_back(trace::rankRecordOf(read, trace::linkTrace(read), "rank"));
        records.back().rank = rank;
    }
    const trace::RankComparison comparison = trace::compareRanks(records);
    require(comparison.ranks.size() == 2, "each file is a rank");
    for (const trace::ComparedCollective& one : comparison.collectives)
        require(one.skew >= 0 && one.waited >= 0, "a wait is not negative");
    for (const trace::RankFigures& rank : comparison.ranks)
        require(rank.exposed >= 0 && rank.exposed <= rank.communication && rank.timesLast == 0,
                "equal ranks arrive together");
    require(!comparison.verdict().empty(), "there is a verdict");
}

}  // namespace

void trace(std::string_view input) {
    const MemoryFile file(input);
    const auto read = plumb::trace::readTrace(file.path(), {.mostSlices = 100'000});
    if (!isTaken(read)) return;
    require(static_cast<std::int64_t>(read->slices.size()) <= read->events, "a slice is an event");
    require(read->losses.events() <= read->events, "what is lost was an event");
    for (std::size_t i = 0; i < read->slices.size(); ++i) {
        require(read->slices.duration[i] >= 0, "no slice ends before it begins");
        require(read->slices.name[i] < read->names.size(), "a slice has a name");
    }
    requireRows(*read);
    requireFigures(*read);
    requireRanks(*read);
}

}  // namespace plumb::fuzz
