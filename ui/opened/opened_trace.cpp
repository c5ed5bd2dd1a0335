// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opened/opened_trace.h"

#include "core/opening/trace_files.h"
#include "core/trace/rank_merge.h"
#include "core/trace/slice_filter.h"

#include <QElapsedTimer>

#include <utility>

namespace plumb::ui {

OpenedTrace openedTraceOf(trace::Trace read, std::optional<std::int64_t> stepsOfRank) {
    OpenedTrace opened;
    opened.trace = std::make_shared<const trace::Trace>(std::move(read));
    const trace::Trace& trace = *opened.trace;
    opened.links = trace::linkTrace(trace);
    if (stepsOfRank)  // a path through several ranks is not one: what they wait for is told by their
                      // comparison
        trace::keepStepsOf(*stepsOfRank, trace, opened.links);
    else
        opened.pathStep = trace::medianStep(opened.links);
    if (opened.pathStep) {
        const trace::TraceStep& step = opened.links.steps[*opened.pathStep];
        opened.path = trace::criticalPath(trace, opened.links, step.begin, step.windowEnd);
    }
    if (opened.path) opened.pathSums = trace::sumsOfPath(trace, *opened.path);
    opened.overview = trace::overviewOf(trace, opened.links);
    opened.index = std::make_shared<const trace::RowIndex>(trace);
    opened.categories = trace::kernelCategories(trace, opened.links);
    opened.memory = trace::memoryCurves(trace);
    return opened;
}

namespace {

Result<std::vector<trace::RankPart>> readParts(const std::vector<std::string>& paths,
                                               std::vector<trace::RankRecord>& records,
                                               const ReadControl& control) {
    std::size_t room = trace::ReadOptions().mostSlices;  // of all together: they become one trace
    std::vector<trace::RankPart> parts;
    for (const std::string& path : paths) {
        const auto show = [&](double share) {
            if (control.progress)
                control.progress((static_cast<double>(parts.size()) + share) /
                                 static_cast<double>(paths.size()));
        };
        PLUMB_TRY(trace::Trace read,
                  readTraceFile(path, {.stop = control.stop, .progress = show, .mostSlices = room}));
        room -= read.slices.size();
        records.push_back(trace::rankRecordOf(read, trace::linkTrace(read), path));
        parts.push_back({std::move(read), 0, 0});
    }
    return parts;
}

}  // namespace

Result<OpenedTrace> readOpenedTrace(const std::string& path, const ReadControl& control) {
    QElapsedTimer clock;
    clock.start();
    PLUMB_TRY(trace::Trace read, readTraceFile(path, {.stop = control.stop, .progress = control.progress}));
    OpenedTrace opened = openedTraceOf(std::move(read));
    opened.readSeconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    return opened;
}

Result<OpenedTrace> readOpenedTraces(const std::vector<std::string>& paths, const ReadControl& control) {
    if (paths.size() == 1) return readOpenedTrace(paths.front(), control);
    QElapsedTimer clock;
    clock.start();
    std::vector<trace::RankRecord> records;
    PLUMB_TRY(std::vector<trace::RankPart> read, readParts(paths, records, control));
    const auto ranks = std::make_shared<const trace::RankComparison>(trace::compareRanks(records));
    std::vector<trace::RankPart> parts;  // in the order of the ranks
    for (std::size_t rank = 0; rank < ranks->ranks.size(); ++rank) {
        const trace::RankFigures& figures = ranks->ranks[rank];
        parts.push_back({std::move(read[ranks->files[rank]].trace), figures.rank, figures.clock.shift});
    }
    trace::MergedRanks merged = trace::mergeRanks(std::move(parts));
    OpenedTrace opened = openedTraceOf(std::move(merged.trace), ranks->ranks.front().rank);
    opened.ranks = ranks;
    opened.firstSlices = std::move(merged.firstSlices);
    opened.readSeconds = static_cast<double>(clock.nsecsElapsed()) / 1e9;
    return opened;
}

}  // namespace plumb::ui
