// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/roofline/roofline_kernels.h"

#include "core/machine/machine.h"
#include "ui/charts/axis.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"

#include <QFileInfo>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace plumb::ui {

namespace {
constexpr qsizetype kMostName = 40;  // letters of a kernel's name beside its point

ReportLevel reportLevelOf(MemoryLevel level) {
    switch (level) {
    case MemoryLevel::L2:
        return ReportLevel::L2;
    case MemoryLevel::L1:
        return ReportLevel::L1;
    case MemoryLevel::Dram:
        break;
    }
    return ReportLevel::Dram;
}

/// What some kernel of a report lacks for a place by the bytes of this level.
QStringList missingOf(const KernelReport& report, MemoryLevel level) {
    std::set<std::string> lacking;
    for (const ReportedKernel& kernel : report.kernels)
        if (!kernel.intensity(reportLevelOf(level)) || !kernel.rate())
            lacking.insert(kernel.missing.begin(), kernel.missing.end());
    QStringList missing;
    for (const std::string& what : lacking) {
        // Bytes of another level than the one that is shown would not help.
        const bool isBytes = what.find(" bytes (") != what.npos;
        if (!isBytes || toText(what).startsWith(memoryLevelLabel(level))) missing << coreText(what);
    }
    return missing;
}

/// Names with their parameters and template arguments say little beside a point.
QString shortName(const std::string& name) {
    QString text = toText(name);
    if (const qsizetype open = text.indexOf(QLatin1Char('(')); open > 0) text.truncate(open);
    if (const qsizetype open = text.indexOf(QLatin1Char('<')); open > 0) text.truncate(open);
    if (text.startsWith(QStringLiteral("void "))) text.remove(0, 5);
    return text.size() > kMostName ? text.left(kMostName - 1) + QStringLiteral("…") : text;
}

}  // namespace

QString RooflineKernels::legend() const { return tr("kernels of %1").arg(file); }

RooflineKernels makeRooflineKernels(const KernelReport& report, const QString& path, MemoryLevel level) {
    RooflineKernels kernels;
    kernels.points = kernelPoints(report, reportLevelOf(level));
    kernels.file = QFileInfo(path).fileName();
    kernels.level = level;
    for (const std::string& loss : report.losses()) kernels.losses << coreText(loss);
    kernels.missing = missingOf(report, level);
    return kernels;
}

void addKernels(RooflineState& state, const RooflineKernels& kernels) {
    if (kernels.isEmpty()) return;
    double lowX = 1e300, highX = 0, lowY = 1e300, highY = 0;
    for (const KernelPoint& point : kernels.points.points) {
        lowX = std::min(lowX, point.intensity());
        highX = std::max(highX, point.intensity());
        lowY = std::min(lowY, point.rate());
        highY = std::max(highY, point.rate());
    }
    if (!kernels.points.points.empty()) {
        const bool isAlone = !state.emptyText.isEmpty();
        const auto widen = [&](double& least, double& most, double low, double high) {
            const auto [from, to] = niceRange(low / 1.3, high * 1.3, true);
            least = isAlone ? from : std::min(least, from);
            most = isAlone ? to : std::max(most, to);
        };
        widen(state.minIntensity, state.maxIntensity, lowX, highX);
        widen(state.minRate, state.maxRate, lowY, highY);
        state.emptyText.clear();
    }
    QStringList parts;
    const QString none = tr("no kernel of %1 has time, FLOPs and bytes at %2")
                             .arg(kernels.file, memoryLevelLabel(kernels.level));
    const QString missing =
        kernels.missing.isEmpty() ? QString() : tr("not counted: %1").arg(listText(kernels.missing));
    if (kernels.points.points.empty() && !state.emptyText.isEmpty())
        state.emptyText =
            (QStringList{capitalised(none)} + (missing.isEmpty() ? QStringList() : QStringList{missing}))
                .join(QLatin1Char('\n'));
    state.subtitleHelp = missing;
    parts << (kernels.points.points.empty()
                  ? none
                  : tr("%1 by the bytes at %2").arg(kernels.legend(), memoryLevelLabel(kernels.level)));
    if (kernels.points.withoutPlace > 0 && !kernels.points.points.empty())
        parts << tr("not shown: %1 launches without time, FLOPs or bytes").arg(kernels.points.withoutPlace);
    if (!kernels.points.points.empty())
        parts << tr("counted on a GPU that it does not name, ceilings of %1")
                     .arg(deviceText(state.scene->whatIf.machine()));
    parts << kernels.losses << state.subtitle;
    parts.removeAll(QString());
    state.subtitle = parts.join(QStringLiteral(" · "));
    state.summary =
        tr("%1; %2 kernels of %3").arg(state.summary).arg(kernels.points.points.size()).arg(kernels.file);
}

QString kernelLabel(const KernelPoint& point) {
    const QString name = shortName(point.name);
    return point.launches > 1 ? tr("%1 ×%2").arg(name).arg(point.launches) : name;
}

HoverCardContent kernelCard(const RooflineState& state, const RooflineKernels& kernels,
                            const KernelPoint& point) {
    HoverCardContent card;
    card.title = kernelLabel(point);
    card.header = {tr("counted")};
    const auto row = [&](const QString& name, const QString& value, bool isStrong = false) {
        card.rows.push_back({name, {value}, std::nullopt, isStrong});
    };
    const QString least = point.isLeast ? tr("at least ") : QString();
    row(tr("rate"), least + quantityText(point.rate(), "FLOP/s"), true);
    row(point.launches > 1 ? tr("time of %1 launches").arg(point.launches) : tr("time"),
        quantityText(point.seconds, "s"));
    row(tr("intensity"), least + quantityText(point.intensity(), "FLOP/B"));
    row(tr("FLOPs"), least + quantityText(point.flops, "FLOP"));
    row(tr("bytes at %1").arg(memoryLevelLabel(kernels.level)), quantityText(point.bytes, "B"));
    const auto slope = std::ranges::find_if(state.slopes, [&](const RooflineSlope& each) {
        return each.level.value_or(MemoryLevel::Dram) == kernels.level;
    });
    if (slope != state.slopes.end())
        row(tr("share of %1").arg(slope->label),
            tr("%1 %").arg(numberText(point.bytes / point.seconds / slope->bytesPerSecond * 100, 'f', 0)));
    if (!point.device.empty()) row(tr("device"), tr("GPU %1").arg(toText(point.device)));
    row(tr("source"), tr("Nsight Compute, %1").arg(kernels.file));
    return card;
}

}  // namespace plumb::ui
