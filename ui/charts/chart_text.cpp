// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_text.h"

#include "ui/charts/chart_layout.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace plumb::ui {
namespace {

struct Spread {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void take(double value) {
        if (!std::isfinite(value)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    [[nodiscard]] bool isEmpty() const { return low > high; }
};

QString onAxis(double value, const AxisOptions& axis) {
    return quantityText(value, axis.unit.toStdString()).trimmed();
}

QString lineText(const ChartContent::Line& line, const AxisOptions& y) {
    Spread spread;
    std::optional<double> last;
    for (const QPointF& point : line.points) {
        spread.take(point.y());
        if (std::isfinite(point.y())) last = point.y();
    }
    if (spread.isEmpty()) return {};
    if (line.style.label.isEmpty())
        return tr("From %1 to %2, at the end %3")
            .arg(onAxis(spread.low, y), onAxis(spread.high, y), onAxis(*last, y));
    if (spread.low == spread.high) return tr("%1: %2").arg(line.style.label, onAxis(*last, y));
    return tr("%1: from %2 to %3, at the end %4")
        .arg(line.style.label, onAxis(spread.low, y), onAxis(spread.high, y), onAxis(*last, y));
}

QString areasText(const ChartContent& content) {
    const ChartAreas& areas = content.areas;
    if (areas.layers.isEmpty() || areas.edges.size() < 2) return {};
    double highest = 0;
    qsizetype at = 0;
    for (qsizetype i = 0; i + 1 < areas.edges.size(); ++i) {
        double sum = 0;
        for (const AreaLayer& layer : areas.layers)
            if (i < layer.values.size()) sum += layer.values.at(i);
        if (sum > highest) {
            highest = sum;
            at = i;
        }
    }
    QStringList parts;
    for (const AreaLayer& layer : areas.layers)
        if (at < layer.values.size() && layer.values.at(at) > 0)
            parts << tr("%1 %2").arg(layer.label, onAxis(layer.values.at(at), content.y));
    return tr("Peak %1 at place %2 of %3: %4")
        .arg(onAxis(highest, content.y))
        .arg(at + 1)
        .arg(areas.edges.size() - 1)
        .arg(listText(parts));
}

QString marksText(const ChartContent& content) {
    Spread x, y;
    for (const ChartMark& mark : content.marks) {
        x.take(mark.position.x());
        y.take(mark.position.y());
    }
    if (x.isEmpty() || y.isEmpty()) return {};
    return QObject::tr("%n points, from %1 to %2 across and from %3 to %4 up", nullptr,
                       static_cast<int>(content.marks.size()))
        .arg(onAxis(x.low, content.x), onAxis(x.high, content.x), onAxis(y.low, content.y),
             onAxis(y.high, content.y));
}

}  // namespace

QString chartText(const ChartContent& content) {
    if (!content.emptyText.isEmpty()) return content.emptyText;
    QStringList said;
    for (const auto& [id, marker] : content.markers)
        if (!marker.text.isEmpty()) said << marker.text;
    said << areasText(content);
    for (const ChartContent::Line& line : content.lines)
        if (!line.style.label.isEmpty()) said << lineText(line, content.y);
    said << marksText(content);
    said.removeAll(QString());
    // A line without a name explains others, or is all that there is: that of a chart with a title alone.
    if (said.isEmpty() && !content.lines.empty()) said << lineText(content.lines.front(), content.y);
    return said.join(QStringLiteral("; "));
}

QString cardText(const HoverCardContent& card) {
    QStringList said{card.title};
    for (const HoverCardContent::Row& row : card.rows)
        said << row.name + QLatin1Char(' ') + row.values.join(QStringLiteral(" / "));
    if (!card.footer.isEmpty()) said << QString(card.footer).replace(QLatin1Char('\n'), QLatin1Char(' '));
    return said.join(QStringLiteral("; "));
}

}  // namespace plumb::ui
