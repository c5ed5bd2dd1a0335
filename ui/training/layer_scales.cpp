// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/layer_scales.h"

#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/training/range_table_model.h"
#include "ui/training/training_text.h"
#include "ui/widgets/action_link.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/slider_row.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace plumb::ui {
namespace {

constexpr std::int64_t kNamedLayers = 40;  // more than that cannot be named one by one
constexpr std::int64_t kDottedLayers = 64;

/// "step 1" for people, who count from 1.
QString stepName(const LayerStatistics& statistics) {
    return LayerScales::tr("step %1").arg(countText(statistics.step + 1));
}

}  // namespace

LayerScales::LayerScales(ViewContext context, QWidget* parent) : LateView(parent), m_context(context) {
    setObjectName(QStringLiteral("layerScales"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("layersNote"));
    m_note->setWordWrap(true);
    followColor(m_note, context.theme, ColorRole::Bad);
    m_note->hide();
    layout->addWidget(m_note);
    auto* charts = new QHBoxLayout;
    charts->setSpacing(16);
    const auto add = [&](Side& side, const QString& title, const char* name, std::array<ScaleKind, 2> kinds) {
        side = makeSide(title, name, kinds);
        auto* column = new QVBoxLayout;
        auto* head = new QHBoxLayout;
        auto* label = new QLabel(title, this);
        QFont font = label->font();
        font.setWeight(QFont::DemiBold);
        label->setFont(font);
        head->addWidget(label);
        head->addStretch(1);
        head->addWidget(side.choice);
        column->addLayout(head);
        column->addWidget(side.chart, 1);
        charts->addLayout(column, 1);
    };
    add(m_forward, tr("Forward"), "scaleForward", {ScaleKind::Activations, ScaleKind::Weights});
    add(m_backward, tr("Gradients"), "scaleBackward", {ScaleKind::ActivationGradients, ScaleKind::Gradients});
    layout->addLayout(charts, 3);

    m_rangesTitle = new QLabel(tr("Out of range in the observed steps"), this);
    QFont font = m_rangesTitle->font();
    font.setWeight(QFont::DemiBold);
    m_rangesTitle->setFont(font);
    layout->addWidget(m_rangesTitle);
    m_rangesNote = new QLabel(this);
    m_rangesNote->setObjectName(QStringLiteral("rangesNote"));
    m_rangesNote->setWordWrap(true);
    followColor(m_rangesNote, context.theme, ColorRole::TextMuted);
    layout->addWidget(m_rangesNote);
    m_model = new RangeTableModel(context.theme, this);
    m_table = new QTableView(this);
    m_table->setObjectName(QStringLiteral("rangeTable"));
    m_table->setAccessibleName(tr("Values out of range by layer"));
    m_table->setModel(m_model);
    setUpDataTable(*m_table);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->setMinimumHeight(90);
    layout->addWidget(m_table, 2);
    connect(&context.theme, &Theme::changed, this, [this] { m_table->viewport()->update(); });
    refresh();
}

LayerScales::Side LayerScales::makeSide(const QString& title, const char* name,
                                        std::array<ScaleKind, 2> kinds) {
    Side side;
    side.kinds = kinds;
    side.choice = new SegmentedControl(m_context.theme, {scaleLabel(kinds[0]), scaleLabel(kinds[1])},
                                       QString::fromLatin1(name) + QStringLiteral("Kind"), this);
    side.choice->setAccessibleName(title);
    side.choice->setCurrent(0);
    for (int i = 0; i < 2; ++i)
        side.choice->setSegmentToolTip(i, scaleToolTip(kinds.at(static_cast<std::size_t>(i))));
    side.chart = new ChartPanel(m_context.theme, this);
    side.chart->setObjectName(QString::fromLatin1(name));
    side.chart->setAccessibleName(tr("%1 by layer, logarithmic").arg(title));
    side.chart->setCrosshair(ChartPanel::Crosshair::Vertical);
    side.chart->setMinimumHeight(150);
    const bool isForward = kinds[0] == ScaleKind::Activations;
    if (isForward) {  // one for both
        auto* run = new ActionLink(tr("Run"), "run.run", side.chart);
        run->setObjectName(QStringLiteral("scalesRun"));
        run->standBelowMiddle(*side.chart);
    }
    connect(side.choice, &SegmentedControl::chosen, this,
            [this, isForward] { showSide(isForward ? m_forward : m_backward); });
    connect(side.chart, &ChartPanel::hovered, this,
            [this, isForward](const QPointF& at, const QPointF& pixel) {
                hover(isForward ? m_forward : m_backward, at.x(), pixel);
            });
    connect(side.chart, &ChartPanel::left, side.chart, &ChartPanel::hideCard);
    return side;
}

ScaleKind LayerScales::kindOf(const Side& side) const {
    return side.kinds.at(static_cast<std::size_t>(std::max(0, side.choice->current())));
}

void LayerScales::showRun(std::shared_ptr<const TrainingRun> run) {
    const std::optional<std::int64_t> step =
        run && run->lastScales ? std::optional(run->lastScales->step) : std::nullopt;
    if (run == m_run && step == m_shownStep && (step || (run && run->outcome.isEmpty()))) return;
    m_run = std::move(run);
    m_shownStep = step;
    invalidate();
}

void LayerScales::setMarked(bool isMarked) {
    if (std::exchange(m_isMarked, isMarked) != isMarked) invalidate();
}

void LayerScales::catchUp() {
    showSide(m_forward);
    showSide(m_backward);
    showRanges();
    QString note;
    if (m_run) {
        const QVector<double> layers = makeScaleCurves(*m_run, ScaleKind::Activations).notFinite;
        const QVector<double> back = makeScaleCurves(*m_run, ScaleKind::ActivationGradients).notFinite;
        if (!layers.isEmpty())
            note = tr("From layer %1 on the activations are not finite.").arg(layers.front());
        else if (!back.isEmpty())
            note = tr("Down from layer %1 the gradients are not finite.").arg(back.back());
        if (!note.isEmpty() && m_run->config.initialisation == Initialisation::Naive)
            note += tr(" Naive weights make them grow %1 with every layer: choose scaled ones (Advanced, "
                       "Weights).")
                        .arg(growthText(m_run->config, ScaleKind::Activations));
    }
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void LayerScales::showSide(const Side& side) {
    ChartPanel& chart = *side.chart;
    if (auto* const link = chart.findChild<ActionLink*>()) link->setVisible(!m_run);
    if (!m_run || !m_run->firstScales) {
        chart.setEmptyText(!m_run ? tr("No run yet. Press Run (F5) to train this configuration.")
                           : m_run->outcome.isEmpty()
                               ? tr("Waiting for the first step.")
                               : tr("This run was recorded without the scale of its tensors."));
        chart.setLegend({});
        return;
    }
    chart.setEmptyText({});
    const RunConfig& config = m_run->config;
    const ScaleKind kind = kindOf(side);
    const ScaleCurves curves = makeScaleCurves(*m_run, kind);
    const double last =
        static_cast<double>(kind == ScaleKind::Activations ? config.layers : config.matrices());
    const double first = kind == ScaleKind::Activations ? 0 : 1;
    const AxisOptions x{
        .title = tr("layer"), .min = first - 0.5, .max = last + 0.5, .ticks = config.layers > kNamedLayers};
    QVector<ChartBand> bands;
    if (!x.ticks)
        for (double layer = first; layer <= last; ++layer)
            bands.append({layer - 0.5, layer + 0.5, layerName(config, kind, static_cast<std::int32_t>(layer)),
                          0, false});
    AxisOptions y;
    y.title = tr("root mean square");
    y.log = true;
    std::tie(y.min, y.max) =
        curves.highest > 0 ? niceRange(curves.lowest, curves.highest, true) : std::pair(0.1, 10.0);
    // A flat line is seen to be flat: never less than two decades.
    if (y.max < y.min * 100) {
        y.min /= 10;
        if (y.max < y.min * 100) y.max *= 10;
    }
    chart.setAxis(ChartAxis::X, x);
    chart.setAxis(ChartAxis::Y, y);
    chart.setBands(bands);
    const bool both = !curves.newest.isEmpty();
    const auto line = [&](const char* id, const QVector<QPointF>& points, LineStyle style) {
        chart.addLine(QString::fromLatin1(id), style);
        chart.setLine(QString::fromLatin1(id), points);
    };
    LineStyle expected;
    expected.color = ColorRole::Predicted;
    expected.pen = Qt::DotLine;
    LineStyle ghost{.color = both ? ColorRole::Ghost : ColorRole::Accent,
                    .width = 1.8,
                    .pen = both ? Qt::DashLine : Qt::SolidLine};
    LineStyle newest;
    newest.width = 2;
    line("expected", curves.expected, expected);
    line("first", curves.first, ghost);
    line("newest", curves.newest, newest);
    QVector<ChartMark> marks;
    const auto dots = [&](const QVector<QPointF>& points, const ChartColor& color, bool filled) {
        if (config.layers > kDottedLayers) return;
        for (const QPointF& point : points)
            if (std::isfinite(point.y())) marks.append({point, color, filled, 3});
    };
    dots(curves.first, ghost.color, !both);
    dots(curves.newest, ColorRole::Accent, true);
    for (const double layer : curves.notFinite) marks.append({{layer, y.max}, ColorRole::Bad, true, 3.5});
    chart.setMarks(marks);

    QVector<LegendEntry> legend;
    legend.append({QStringLiteral("first"), stepName(*m_run->firstScales), measuredGrowthText(*m_run, kind),
                   ghost.color, both ? LegendEntry::Swatch::DashedLine : LegendEntry::Swatch::Line});
    if (both)
        legend.append({QStringLiteral("newest"),
                       stepName(*m_run->lastScales),
                       {},
                       ColorRole::Accent,
                       LegendEntry::Swatch::Line});
    if (!curves.expected.isEmpty())
        legend.append({QStringLiteral("expected"), tr("expected at the start, per layer"),
                       growthText(config, kind), ColorRole::Predicted, LegendEntry::Swatch::DashedLine});
    chart.setLegend(legend);
}

void LayerScales::hover(const Side& side, double x, const QPointF& pixel) {
    if (!m_run || !m_run->firstScales) return;
    const ScaleKind kind = kindOf(side);
    const ScaleCurves curves = makeScaleCurves(*m_run, kind);
    const double layer = std::round(x);
    HoverCardContent card;
    card.title = tr("layer %1 · %2")
                     .arg(layerName(m_run->config, kind, static_cast<std::int32_t>(layer)),
                          scaleToolTip(kind).section(u',', 0, 0).section(u';', 0, 0));
    const auto row = [&](const QVector<QPointF>& points, const QString& name, ColorRole color, bool strong) {
        const auto at = std::ranges::find(points, layer, &QPointF::x);
        if (at == points.end()) return;
        const bool broken = std::isnan(at->y());
        const QString value = !broken                            ? lossText(at->y(), 4)
                              : curves.notFinite.contains(layer) ? tr("not finite")
                                                                 : QStringLiteral("0");
        card.rows.append({name, {value}, color, strong});
    };
    if (m_run->lastScales) row(curves.newest, stepName(*m_run->lastScales), ColorRole::Accent, true);
    row(curves.first, stepName(*m_run->firstScales),
        curves.newest.isEmpty() ? ColorRole::Accent : ColorRole::Ghost, curves.newest.isEmpty());
    row(curves.expected, tr("expected at the start"), ColorRole::Predicted, false);
    if (card.rows.isEmpty()) return side.chart->hideCard();
    side.chart->showCard(card, pixel);
}

void LayerScales::showRanges() {
    const QString why = m_run ? whyNoRanges(*m_run) : QString();
    std::vector<RangeRow> rows = m_run ? makeRangeRows(*m_run) : std::vector<RangeRow>();
    m_table->setVisible(!rows.empty());
    m_rangesTitle->setVisible(m_run != nullptr);
    m_rangesNote->setVisible(m_run != nullptr);
    QString note = !why.isEmpty() ? why
                   : rows.empty() ? tr("Counted from the first observed step on.")
                                  : tr("Share of the values that were too large for the format (↑) or became "
                                       "0 (↓), up to %1. A dash: the tensor is kept in a wider format.")
                                        .arg(stepName(*m_run->lastScales));
    if (m_isMarked && !rows.empty())
        note += u' ' + tr("They are counted over the whole run: the marked steps do not narrow them.");
    m_rangesNote->setText(note);
    m_model->setRows(std::move(rows));
}

}  // namespace plumb::ui
