// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_spread.h"

#include "core/base/entry_at.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/planner/evidence_text.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr double kBin = 0.1;
constexpr int kBins = 20;  // half of them on each side; what lies beyond is in the outermost ones
constexpr int kMiddleBin = kBins / 2;
constexpr int kLeastSpread = 170;
const QString kBiasMarker = QStringLiteral("bias");
const QString kAboveMarker = QStringLiteral("above");
const QString kBelowMarker = QStringLiteral("below");

}  // namespace

EvidenceSpread::EvidenceSpread(Theme& theme, EvidenceModel& model, QWidget* parent)
    : QObject(parent), m_model(model), m_chart(new ChartPanel(theme, parent)) {
    m_chart->setObjectName(QStringLiteral("evidenceSpread"));
    m_chart->setAccessibleName(tr("How far off the trainings are"));
    m_chart->setMinimumHeight(kLeastSpread);
    connect(m_chart, &ChartPanel::hovered, this,
            [this](const QPointF& at, const QPointF&) { showCard(at.x()); });
    connect(m_chart, &ChartPanel::left, m_chart, &ChartPanel::hideCard);
    connect(&model, &EvidenceModel::filtered, this, &EvidenceSpread::show);
    for (int i = 0; i <= kBins; ++i) m_edges << kBin * (i - kMiddleBin);
}

void EvidenceSpread::show() {
    const planner::Figure figure = m_model.filter().figure;
    m_fitted.fill(0, kBins);
    m_validated.fill(0, kBins);
    for (const int index : m_model.shown()) {
        const planner::ValidatedRow& row = entryAt(m_model.rows(), index);
        const auto error = row.error(figure);
        if (!error) continue;
        const int bin = std::clamp(static_cast<int>(std::floor(*error / kBin)) + kMiddleBin, 0, kBins - 1);
        (m_model.fits(row) ? m_fitted : m_validated)[bin] += 1;
    }
    double most = 1;
    for (int i = 0; i < kBins; ++i) most = std::max(most, m_fitted[i] + m_validated[i]);
    m_chart->setAxis(
        ChartAxis::X,
        {.title = tr("ln(predicted / published)"), .min = m_edges.first(), .max = m_edges.last()});
    m_chart->setAxis(ChartAxis::Y, {.title = tr("trainings"), .max = niceRange(0, most, false).second});
    m_chart->setAreas(
        {m_edges,
         {{tr("fitted"), ColorRole::Ghost, m_fitted}, {tr("validated only"), ColorRole::Accent, m_validated}},
         false});
    const double band = planner::goalsOf(figure).ninetieth;
    for (const bool above : {false, true})
        m_chart->setMarker(
            above ? kAboveMarker : kBelowMarker,
            {.x = std::log1p(above ? band : -band),
             .y = {},
             .text = (above ? QStringLiteral("+") : QStringLiteral("−")) + evidenceShare(band, 0),
             .color = ColorRole::TextMuted,
             .pen = Qt::DotLine});
    const planner::ErrorSummary of = m_model.whole(false).summary;
    m_chart->removeMarker(kBiasMarker);
    if (of.rows > 0)
        m_chart->setMarker(kBiasMarker, {.x = of.bias,
                                         .y = {},
                                         .text = tr("bias %1").arg(evidenceBias(of.bias)),
                                         .color = ColorRole::TextStrong});
    m_chart->setLegend({{QStringLiteral("fitted"), tr("fitted"), {}, ColorRole::Ghost},
                        {QStringLiteral("validated"), tr("validated only"), {}, ColorRole::Accent}});
    m_chart->setAccessibleDescription(
        tr("Histogram of %1 trainings; mean of those that nothing was fitted on: %2")
            .arg(m_model.shown().size())
            .arg(of.rows > 0 ? evidenceBias(of.bias) : QStringLiteral("–")));
}

void EvidenceSpread::showCard(double at) {
    const int bin = static_cast<int>(std::floor(at / kBin)) + kMiddleBin;
    if (bin < 0 || bin >= m_fitted.size()) return m_chart->hideCard();
    HoverCardContent card;
    card.title = bin == 0           ? tr("below %1").arg(evidenceDeviation(std::expm1(m_edges[1])))
                 : bin == kBins - 1 ? tr("above %1").arg(evidenceDeviation(std::expm1(m_edges[kBins - 1])))
                                    : tr("%1 to %2")
                                          .arg(evidenceDeviation(std::expm1(m_edges[bin])),
                                               evidenceDeviation(std::expm1(m_edges[bin + 1])));
    card.rows.push_back({tr("fitted"), {QString::number(m_fitted[bin])}, ColorRole::Ghost, false});
    card.rows.push_back(
        {tr("validated only"), {QString::number(m_validated[bin])}, ColorRole::Accent, false});
    m_chart->showCard(card);
}

}  // namespace plumb::ui
