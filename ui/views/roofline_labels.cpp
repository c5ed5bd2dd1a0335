// SPDX-License-Identifier: GPL-3.0-or-later
// What stands beside the lines and dots of the roofline.
#include "ui/views/roofline_view.h"

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

QString fromStd(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

QVector<ChartLabel> RooflineView::ceilingLabels() const {
    QVector<ChartLabel> labels;
    for (const RooflineCeiling& ceiling : m_state.ceilings) {
        const ColorRole role = !ceiling.active      ? ColorRole::Axis
                               : ceiling.calibrated ? ColorRole::Accent
                                                    : ColorRole::TextStrong;
        const QString rate =
            QString::fromStdString(formatQuantity(ceiling.flopPerSecond, ceiling.active ? "FLOP/s" : ""));
        QString text = QStringLiteral("%1 %2").arg(fromStd(dtypeName(ceiling.dtype)), rate);
        if (ceiling.calibrated && ceiling.active) text = tr("%1 calibrated").arg(text);
        ChartLabel label{{m_state.maxIntensity, ceiling.flopPerSecond},
                         text,
                         role,
                         ceiling.active,
                         90,
                         Qt::AlignLeft | Qt::AlignTop};
        if (!ceiling.active) {
            // At the corner where it leaves the slope: ceilings lie close together at the right, where the
            // points are.
            label.anchor.setX(ceilingStart(ceiling));
            label.prefer = Qt::AlignRight | Qt::AlignVCenter;
            label.onLine = true;
            label.priority = 85;
        }
        labels.push_back(label);
    }
    for (const RooflineSlope& slope : m_state.slopes) {
        // A third of the way up the part that is seen: below it there is room at the right.
        const double low = std::max(m_state.minIntensity, m_state.minRate / slope.bytesPerSecond);
        const double high = m_state.balance.value_or(m_state.maxRate / slope.bytesPerSecond);
        const double at = low * std::pow(std::max(1.0, high / low), 0.12);
        labels.push_back({{at, at * slope.bytesPerSecond},
                          slope.label,
                          slope.active && slope.calibrated ? ColorRole::Accent : ColorRole::TextMuted,
                          false,
                          slope.active ? 60 : 55,
                          Qt::AlignRight | Qt::AlignVCenter});
    }
    if (m_state.balance)
        labels.push_back(
            {{*m_state.balance, m_state.minRate},
             tr("balance %1").arg(QString::fromStdString(formatQuantity(*m_state.balance, "FLOP/B"))),
             ColorRole::TextMuted,
             false,
             40,
             Qt::AlignRight | Qt::AlignTop});
    return labels;
}

QVector<ChartLabel> RooflineView::pointLabels() const {
    QVector<const RooflinePoint*> named;
    for (const RooflinePoint& point : m_state.named) named.push_back(&point);
    const auto weight = [](const RooflinePoint* point) {
        return point->measuredSeconds.value_or(point->predictedSeconds.value_or(0));
    };
    std::stable_sort(named.begin(), named.end(),
                     [&](const auto* a, const auto* b) { return weight(a) > weight(b); });
    QVector<ChartLabel> labels;
    int priority = 80;
    for (const RooflinePoint* point : named) {
        const auto rate = point->measured ? point->measured : point->predicted;
        if (!rate) continue;
        ChartLabel label{{point->measured ? point->measuredIntensity() : point->intensity, *rate},
                         point->label,
                         ColorRole::Text,
                         false,
                         std::max(priority--, 61),
                         Qt::AlignRight | Qt::AlignBottom};
        label.merges = true;
        labels.push_back(label);
    }
    return labels;
}

}  // namespace plumb::ui
