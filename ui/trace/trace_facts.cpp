// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_facts.h"

#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/trace/trace_text.h"
#include "ui/trace/trace_window.h"

#include <algorithm>

namespace plumb::ui {

QString factsOf(const OpenedTrace& opened, std::uint32_t slice) {
    const trace::Trace& trace = *opened.trace;
    const trace::Nanoseconds start = trace.slices.begin[slice] - opened.overview.begin;
    const trace::Track& track = trace.tracks[trace.slices.track[slice]];
    QStringList kind{coreText(trace::kCategoryNames.name(trace.slices.category[slice]))};
    if (opened.categories[slice] > 0)
        kind << coreText(trace::kKernelCategoryNames.name(
            static_cast<trace::KernelCategory>(opened.categories[slice] - 1)));
    const QString place = track.kind == trace::TrackKind::Thread
                              ? tr("thread %1").arg(toText(trace.names.at(track.thread)))
                              : tr("device %1, stream %2").arg(track.device).arg(track.stream);
    const QString rank = track.rank < 0 ? QString() : tr("rank %1, ").arg(track.rank);
    QString facts = tr("%1\n%2 · %3 · starts at %4 · takes %5")
                        .arg(toText(trace.name(slice)), listText(kind), rank + place,
                             axisTimeText(start, 1, start), timeText(trace.slices.duration[slice]));
    if (trace.bytesOf(slice) >= 0) facts += QStringLiteral(" · ") + bytesText(trace.bytesOf(slice));
    const trace::GpuWork* work = trace::workOf(opened.links, slice);
    if (work == nullptr) return facts;
    if (work->launch == trace::kNone) return facts + tr(" · its launch is not in the trace");
    const QString before =
        timeText(std::max<trace::Nanoseconds>(0, trace.slices.begin[slice] - trace.slices.end(work->launch)));
    const QString launch = toText(trace.name(work->launch));
    return facts +
           (work->op == trace::kNone
                ? tr(" · launched %1 before by %2").arg(before, launch)
                : tr(" · launched %1 before by %2 in %3").arg(before, launch, toText(trace.name(work->op))));
}

}  // namespace plumb::ui
