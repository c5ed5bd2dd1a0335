// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/device_cells.h"

#include "ui/theme/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace plumb::ui {
namespace {

/// Those that explain a slow step stay longest.
constexpr std::array<int, kMomentFigures.size()> kRanks{0, 6, 1, 2, 5, 3, 4};
constexpr double kLeastRange = 0.05;  // of the value: less is noise, which would fill the height

bool isHeldDown(const DeviceSample& sample) { return sample.throttles && !sample.throttles->empty(); }

/// What is drawn below the clock: when something held it down.
QVector<std::pair<double, double>> heldDown(const std::vector<DeviceMoment>& moments) {
    QVector<std::pair<double, double>> stretches;
    bool goesOn = false;
    for (const DeviceMoment& moment : moments) {
        const bool held = isHeldDown(moment.sample);
        if (held && goesOn) stretches.last().second = moment.seconds;
        if (held && !goesOn) stretches.append({moment.seconds, moment.seconds});
        goesOn = held;
    }
    return stretches;
}

struct Course {
    QVector<QPointF> line;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    int count = 0;
};

Course courseOf(const DeviceHistory& history, const MomentFigure& figure) {
    Course course;
    for (const DeviceMoment& moment : history.moments) {
        const std::optional<double> value = figure.value(moment);
        course.line.append({moment.seconds, value.value_or(kNotKnown)});
        if (!value) continue;
        course.low = std::min(course.low, *value);
        course.high = std::max(course.high, *value);
        ++course.count;
    }
    return course;
}

/// Around what was seen; of power from 0 to its limit, of a share from 0 to all.
void setRange(Sparkline::Content& content, const Course& course, std::optional<double> limit, bool isShare) {
    if (limit || isShare) {
        content.limit = limit;
        content.high = std::max(limit.value_or(1), course.high);
        return;
    }
    const double rest = std::max(0.0, kLeastRange * course.high - (course.high - course.low));
    content.low = course.low - rest / 2;
    content.high = course.high + rest / 2;
    if (!(content.high > content.low)) content.high = content.low + 1;
}

QString valueText(double value, const MomentFigure& figure) {
    return toText(sampledText(value, figure.unit));
}

DeviceCell cellOf(const DeviceHistory& history, std::size_t index) {
    const MomentFigure& figure = kMomentFigures.at(index);
    const Course course = courseOf(history, figure);
    DeviceCell cell;
    cell.id = QStringLiteral("device") + coreText(figure.name);
    cell.caption = coreText(figure.label);
    cell.rank = kRanks.at(index);
    cell.value = QStringLiteral("–");
    const DeviceMoment& newest = history.moments.back();
    const std::optional<double> now = figure.value(newest);
    if (now) cell.value = valueText(*now, figure);
    const bool isPower = figure.name == "Power";
    const std::optional<double> limit = isPower ? newest.sample.powerLimitWatts : std::nullopt;
    if (limit) cell.caption = tr("power of %1").arg(valueText(*limit, figure));
    QStringList lines{coreText(figure.about)};
    if (course.count > 0) {
        cell.course.line = course.line;
        setRange(cell.course, course, limit, figure.unit == "%");
        lines << tr("Here from %1 to %2").arg(valueText(course.low, figure), valueText(course.high, figure));
    } else {
        lines << tr("Known when enough steps were measured for the energy counter");
    }
    if (limit)
        lines << tr("The dashed line is the power limit that is in force, %1").arg(valueText(*limit, figure));
    if (figure.name == "SmClock") {
        cell.course.marked = heldDown(history.moments);
        if (!cell.course.marked.isEmpty()) lines << tr("The bar below: something held the clock down");
    }
    lines << tr("Source: %1").arg(coreText(kMomentSource));
    cell.toolTip = lines.join(QStringLiteral(".\n")) + u'.';
    return cell;
}

bool isTold(const DeviceHistory& history, const MomentFigure& figure) {
    const auto has = [&](const DeviceMoment& moment) { return figure.value(moment).has_value(); };
    if (std::ranges::any_of(history.moments, has)) return true;
    // Energy comes later than the rest, where the device counts it.
    const auto counts = [](const DeviceMoment& moment) { return moment.sample.energyJoules.has_value(); };
    return figure.unit == "J" && std::ranges::any_of(history.moments, counts);
}

}  // namespace

DeviceCells makeDeviceCells(const TrainingRun* run) {
    DeviceCells shown;
    if (!run) return shown;
    const DeviceHistory& history = run->device;
    if (!history.moments.empty())
        for (std::size_t i = 0; i < kMomentFigures.size(); ++i)
            if (isTold(history, kMomentFigures.at(i))) shown.cells.append(cellOf(history, i));
    for (const std::string& text : disturbancesOf(history)) shown.disturbances << toText(text);
    if (history.moments.empty() && !history.none.empty()) shown.absent << coreText(history.none);
    for (const std::string& text : absenceTexts(history.absent)) shown.absent << toText(text);
    return shown;
}

}  // namespace plumb::ui
