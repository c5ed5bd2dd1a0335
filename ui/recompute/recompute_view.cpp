// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recompute/recompute_view.h"

#include "ui/charts/chart_panel.h"
#include "ui/theme/list_text.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/calibrate_button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/range_button.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/config_history.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace plumb::ui {
namespace {

/// Points times layers up to which the curve is made at once: a few milliseconds.
constexpr std::int64_t kQuick = std::int64_t{64} * 64;
constexpr int kLeastMemory = 110, kLeastTime = 170;  // of the charts, the lower one with legend and title
constexpr double kMinX = -0.04;
constexpr qreal kFaint = 0.4;   // of the line from predicted to measured, beside that of the spread
constexpr double kEdge = 0.96;  // where a point beyond the range is drawn, as a share of it
const auto kTickRoom = QStringLiteral("888 MB");
constexpr int kKeyGesture = 0x636b7074;  // one undo step for a walk along the curve

/// Whether `curve` is that of `scene` too: another of its policies, or only something measured.
bool holdsCurveOf(const RecomputeCurve& curve, const Scene& scene) {
    if (!curve.scene) return false;
    RunConfig config = curve.scene->config();
    const RecomputePolicy policy = canonicalPolicy(scene.config().recompute, config.layers);
    config.recompute = scene.config().recompute;
    const Machine& before = curve.scene->whatIf.machine();
    const Machine& now = scene.whatIf.machine();
    return config == scene.config() && before.id == now.id && before.memoryBytes == now.memoryBytes &&
           curve.scene->whatIf.plan->traits == scene.whatIf.plan->traits &&
           curve.scene->whatIf.prediction->totals.seconds.has_value() ==
               scene.whatIf.prediction->totals.seconds.has_value() &&
           std::any_of(curve.points.begin(), curve.points.end(), [&](const RecomputePoint& point) {
               // The sliders' own policy is in the curve, with the same prediction: then the ceilings are
               // too.
               return canonicalPolicy(point.policy, config.layers) == policy &&
                      point.peak == scene.whatIf.prediction->memory.peakBytes &&
                      point.seconds == scene.whatIf.prediction->totals.seconds;
           });
}

/// An upright line with ends, which the line between predicted and measured has not.
QVector<ChartJoin> spreadBar(double x, const Spread& spread) {
    constexpr double kHalf = 0.004;  // of the chart's width: within a mark, beside which its name stands
    QVector<ChartJoin> bar{{{x, spread.low}, {x, spread.high}, ColorRole::Measured}};
    for (const double end : {spread.low, spread.high})
        bar.push_back({{x - kHalf, end}, {x + kHalf, end}, ColorRole::Measured});
    return bar;
}

}  // namespace

RecomputeView::RecomputeView(ViewContext context, ConfigHistory& history, CurveMeasurer& measurer,
                             QWidget* parent)
    : SceneView(context, ViewSize::Full, QStringLiteral("checkpoint"), tr("Checkpointing"), parent),
      m_history(history),
      m_measurer(measurer) {
    buildHeader();
    buildCharts();
    connect(&measurer, &CurveMeasurer::changed, this, &RecomputeView::showMeasuring);
    connect(&measurer, &CurveMeasurer::measured, this, [this] {
        if (!isStale()) showCurve(m_state.curve);
    });
    refresh();
}

RecomputeView::~RecomputeView() = default;

void RecomputeView::buildHeader() {
    m_progress = new QLabel(m_card);
    m_progress->setObjectName(QStringLiteral("checkpointProgress"));
    m_progress->setTextFormat(Qt::PlainText);
    m_measure = new QPushButton(m_card);
    m_measure->setObjectName(QStringLiteral("checkpointMeasure"));
    followColor(m_progress, m_context.theme, ColorRole::Text);
    // As wide as either text needs, so that nothing moves under the pointer when it turns into Cancel.
    m_measure->setMinimumWidth(m_measure->fontMetrics().horizontalAdvance(tr("Measure this curve")) + 28);
    OpRange& range = m_context.workbench.selection().range();
    addRangeButton(*m_card, range, QStringLiteral("checkpointClearRange"));
    connect(&range, &OpRange::changed, this, [this] {
        if (!isStale()) saySubtitle();
    });
    m_card->addHeaderWidget(m_progress);
    m_card->addHeaderWidget(m_measure);
    connect(m_measure, &QPushButton::clicked, this, &RecomputeView::measureOrCancel);
}

void RecomputeView::buildCharts() {
    auto* content = new QWidget(m_card);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    const auto makeChart = [&](const char* objectName, const QString& name) {
        auto* chart = new ChartPanel(m_context.theme, content);
        chart->setObjectName(QLatin1String(objectName));
        chart->setAccessibleName(name);
        connect(chart, &ChartPanel::hovered, this,
                [this, chart](const QPointF&, const QPointF& pixel) { hover(*chart, pixel); });
        connect(chart, &ChartPanel::left, chart, &ChartPanel::hideCard);
        connect(chart, &ChartPanel::clicked, this, [this, chart](const QPointF&, const QPointF& pixel) {
            if (const RecomputePoint* point = pointAt(*chart, pixel)) choose(*point);
        });
        connect(chart, &ChartPanel::keyPressed, this, [this, chart](int key) { moveChoice(*chart, key); });
        return chart;
    };
    m_memory = makeChart("checkpointMemory", tr("Peak memory over the checkpoint interval"));
    m_memory->setLegendVisible(false);
    m_time = makeChart("checkpointTime", tr("Step time over the checkpoint interval"));
    // A plot that can be read above what stands below it, whose height follows the letters.
    m_memory->setMinimumHeight(scaled(kLeastMemory));
    m_time->setMinimumHeight(scaled(kLeastTime));
    column->addWidget(m_memory, 10);
    auto* lower = new QGridLayout;
    column->addLayout(lower, 12);  // with the legend and the title of k
    lower->addWidget(m_time, 0, 0);
    m_calibrate = new CalibrateButton(QStringLiteral("checkpointCalibrate"), *lower);
    m_note = new QLabel(content);
    m_note->setObjectName(QStringLiteral("checkpointNote"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->setContentsMargins(8, 2, 8, 0);
    followColor(m_note, m_context.theme, ColorRole::TextMuted);
    column->addWidget(m_note);
    m_card->setContent(content);
}

void RecomputeView::catchUp() {
    const ScenePtr scene = m_context.workbench.session();
    const std::int64_t layers = scene->config().layers;
    const bool quick = std::min<std::int64_t>(layers, 64) * layers <= kQuick;
    if (holdsCurveOf(m_state.curve, *scene)) {
        m_worker.cancel();
        RecomputeCurve curve = m_state.curve;
        curve.scene = scene;
        showCurve(std::move(curve));
        return;
    }
    if (quick || !m_state.curve.scene) {
        m_worker.cancel();
        showCurve(makeRecomputeCurve(scene));
        return;
    }
    m_worker.run([scene] { return makeRecomputeCurve(scene); },
                 [this](RecomputeCurve curve) { showCurve(std::move(curve)); });
}

void RecomputeView::showCurve(RecomputeCurve curve) {
    m_state = makeRecomputeState(std::move(curve), m_measurer);
    saySubtitle();
    setAccessibleDescription(m_state.summary);
    showCharts();
    showPoints();
    showMeasuring();
}

void RecomputeView::saySubtitle() {
    const bool isNarrowed = m_context.workbench.selection().range().isChosen();
    m_card->setSubtitle(isNarrowed ? tr("%1 · of the whole step, not of the range").arg(m_state.subtitle)
                                   : m_state.subtitle,
                        m_state.curve.withoutFit);
}

void RecomputeView::showCharts() {
    const bool times = m_state.noTimes.isEmpty();
    const AxisOptions x{{}, {}, false, kMinX, m_state.maxX, false};
    AxisOptions named = x;
    named.title = tr("k: every k-th activation is kept, the others are recomputed");
    m_memory->setAxis(ChartAxis::X, times ? x : named);
    m_time->setAxis(ChartAxis::X, named);
    m_memory->setAxis(ChartAxis::Y, {tr("Peak memory"), QStringLiteral("B"), false, 0, m_state.highestBytes,
                                     true, kTickRoom});
    m_time->setAxis(ChartAxis::Y, {tr("Time of a step"), QStringLiteral("s"), false, 0,
                                   std::max(1e-9, m_state.highestSeconds), true, kTickRoom});
    for (ChartPanel* chart : {m_memory, m_time}) chart->setBands(m_state.bands);
    m_time->setEmptyText(m_state.noTimes);
    m_calibrate->setVisible(!times);

    m_memory->setForbiddenAbove(m_state.limitInSight ? std::optional(static_cast<double>(*m_state.limit))
                                                     : std::nullopt);
    const auto marker = [this](const QString& id, const std::optional<Bytes>& bytes, const QString& text,
                               ColorRole role, int priority) {
        if (bytes)
            m_memory->setMarker(id, {std::nullopt, static_cast<double>(*bytes), text.arg(bytesText(*bytes)),
                                     role, Qt::DashLine, 1.2, priority});
        else
            m_memory->removeMarker(id);
    };
    marker(QStringLiteral("limit"), m_state.limitInSight ? m_state.limit : std::nullopt,
           tr("device memory %1"), ColorRole::Bad, 90);
    const auto& points = m_state.curve.points;
    const bool hasFit = !points.isEmpty() && points.last().policy.kind == RecomputePolicy::Kind::Fit;
    const std::optional<Bytes> budget =
        hasFit ? std::optional(points.last().policy.budgetBytes) : std::nullopt;
    const bool budgetShown =
        budget && budget != m_state.limit && static_cast<double>(*budget) < m_state.highestBytes;
    marker(QStringLiteral("budget"), budgetShown ? budget : std::nullopt, tr("budget of fit %1"),
           ColorRole::Warning, 80);
}

void RecomputeView::showPoints() {
    const auto& points = m_state.curve.points;
    const qreal radius = points.size() > 40 ? 3.5 : 4.5;
    const auto fill = [&](ChartPanel& chart, const auto& predicted, const auto& measured,
                          const auto& spreadOf) {
        const double top = chart.axis(ChartAxis::Y).max;
        QVector<QPointF> line;
        QVector<ChartMark> marks;
        QVector<ChartLabel> labels;
        QVector<ChartJoin> joins;
        for (int i = 0; i < static_cast<int>(points.size()); ++i) {
            const RecomputePoint& point = points[i];
            const bool current = i == m_state.current;
            const std::optional<double> hollow = predicted(point);
            const std::optional<double> filled = measured(point);
            const std::optional<double> at = filled ? filled : hollow;
            if (!at) continue;
            const ColorRole role = point.fits ? ColorRole::Predicted : ColorRole::Bad;
            const bool above = std::max(*at, hollow.value_or(0)) > top;
            QString text = current ? point.label : point.mark;
            // The ticks below name none and fit, and the budget has a label of its own.
            if (i >= m_state.curve.onCurve) text = current ? point.mark : QString();
            if (above) {
                // Beyond the range that tells the others apart: at its edge, with the value.
                text = QStringLiteral("%1 %2 ↑").arg(point.mark, quantityText(*at, "s"));
                marks.push_back({{point.x, kEdge * top},
                                 filled ? ColorRole::Measured : role,
                                 filled.has_value(),
                                 radius,
                                 i,
                                 current});
            } else {
                if (hollow && i < m_state.curve.onCurve) line.push_back({point.x, *hollow});
                if (hollow) marks.push_back({{point.x, *hollow}, role, false, radius, i, current && !filled});
                if (filled)
                    marks.push_back({{point.x, *filled}, ColorRole::Measured, true, radius, i, current});
                if (const std::optional<Spread> spread = spreadOf(point); spread && filled)
                    joins += spreadBar(point.x, *spread);
                if (hollow && filled)
                    joins.push_back(
                        {{point.x, *hollow}, {point.x, *filled}, ColorRole::Predicted, false, kFaint});
            }
            if (!text.isEmpty())
                labels.push_back({{point.x, above ? kEdge * top : *at},
                                  text,
                                  current ? ColorRole::TextStrong : ColorRole::TextMuted,
                                  current,
                                  current || above ? 100 : 50,
                                  Qt::AlignRight | (above ? Qt::AlignVCenter : Qt::AlignTop)});
        }
        // The chosen one is painted last, above its neighbours.
        std::stable_partition(marks.begin(), marks.end(),
                              [](const ChartMark& mark) { return !mark.highlighted; });
        chart.addLine(QStringLiteral("predicted"), {{}, ColorRole::Predicted, 1.4, Qt::DashLine, 0.8, false});
        chart.setLine(QStringLiteral("predicted"), line);
        chart.setMarks(marks, joins);
        chart.setLabels(labels);
        if (m_state.current >= 0) {
            const double x = points[m_state.current].x;
            chart.setHighlight(std::pair(x - 0.008, x + 0.008));
        } else {
            chart.setHighlight(std::nullopt);
        }
    };
    const auto number = [](const auto& value) {
        return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
    };
    fill(
        *m_memory,
        [](const RecomputePoint& point) { return std::optional<double>(static_cast<double>(point.peak)); },
        [&](const RecomputePoint& point) { return number(point.measuredPeak); },
        [](const RecomputePoint& /*point*/) { return std::optional<Spread>(); });
    fill(
        *m_time, [&](const RecomputePoint& point) { return number(point.seconds); },
        [&](const RecomputePoint& point) { return number(point.measuredSeconds); },
        [](const RecomputePoint& point) { return point.measuredSpread; });
    const bool anyMeasured = std::any_of(points.begin(), points.end(),
                                         [](const auto& point) { return point.measuredSeconds.has_value(); });
    const bool anyTooLarge =
        std::any_of(points.begin(), points.end(), [](const auto& point) { return !point.fits; });
    using Swatch = LegendEntry::Swatch;
    QVector<LegendEntry> legend{{QStringLiteral("predicted"),
                                 tr("predicted"),
                                 {},
                                 ColorRole::Predicted,
                                 Swatch::Circle,
                                 false,
                                 true}};
    if (anyTooLarge)
        legend.push_back({QStringLiteral("tooLarge"),
                          tr("does not fit"),
                          {},
                          ColorRole::Bad,
                          Swatch::Circle,
                          false,
                          true});
    if (anyMeasured)
        legend.push_back({QStringLiteral("measured"),
                          tr("measured, with 10 % to 90 % of its steps"),
                          {},
                          ColorRole::Measured,
                          Swatch::Dot,
                          false,
                          true});
    m_time->setLegend(m_state.noTimes.isEmpty() ? legend : QVector<LegendEntry>{});
}

void RecomputeView::showMeasuring() {
    const bool running = m_measurer.running();
    const QString whyNot = m_measurer.whyNot();
    m_measure->setText(running ? tr("Stop") : tr("Measure this curve"));
    m_measure->setAccessibleName(running ? tr("Stop measuring") : tr("Measure this curve"));
    m_measure->setEnabled(running || (whyNot.isEmpty() && !m_state.toMeasure.isEmpty()));
    m_measure->setToolTip(running             ? tr("Stops; what was measured until now is kept")
                          : !whyNot.isEmpty() ? whyNot
                                              : m_state.measures);
    m_progress->setText(m_measurer.progressText());
    m_progress->setVisible(running);
    m_note->setText(sentencesText(
        {tr("Click a point, or walk with the arrow keys, to put its policy into force."), m_state.measures}));
}

void RecomputeView::measureOrCancel() {
    if (isStale()) refresh();
    if (m_measurer.running()) return m_measurer.cancel();
    m_measurer.start(m_context.workbench.config(), {m_state.toMeasure.begin(), m_state.toMeasure.end()});
}

const RecomputePoint* RecomputeView::pointAt(const ChartPanel& chart, const QPointF& pixel) const {
    const std::optional<int> tag = chart.markAt(pixel);
    return tag && *tag < m_state.curve.points.size() ? &m_state.curve.points[*tag] : nullptr;
}

void RecomputeView::hover(ChartPanel& chart, const QPointF& pixel) {
    if (const RecomputePoint* point = pointAt(chart, pixel))
        chart.showCard(recomputeCard(m_state, *point));
    else
        chart.hideCard();
}

void RecomputeView::choose(const RecomputePoint& point, int gesture) {
    RunConfig config = m_context.workbench.config();
    config.recompute = point.policy;
    const Result<void> changed = m_history.change(config, QStringLiteral("checkpoint"), gesture);
    if (!changed.has_value()) emit m_history.refused(changed.error());
}

void RecomputeView::moveChoice(ChartPanel& chart, int key) {
    const auto count = static_cast<int>(m_state.curve.points.size());
    if (key == Qt::Key_Escape) return chart.hideCard();
    if (count == 0) return;
    if (key == Qt::Key_Down) key = Qt::Key_Left;
    if (key == Qt::Key_Up) key = Qt::Key_Right;
    const auto next = steppedTo(key, m_state.current, count);
    if (!next) return;
    choose(RecomputePoint(m_state.curve.points[*next]), kKeyGesture);
    if (m_state.current < 0) return;
    const RecomputePoint& chosen = m_state.curve.points[m_state.current];
    const std::optional<double> height =
        &chart == m_memory ? std::optional(static_cast<double>(chosen.peak)) : chosen.seconds;
    if (height)
        chart.showCard(recomputeCard(m_state, chosen),
                       chart.toPixel({chosen.x, std::min(*height, kEdge * chart.axis(ChartAxis::Y).max)}));
}

}  // namespace plumb::ui
