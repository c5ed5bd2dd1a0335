// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/roofline/roofline_view.h"

#include "core/base/entry_at.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_zoom.h"
#include "ui/roofline/roofline_series.h"
#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/widgets/calibrate_button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/range_button.h"
#include "ui/widgets/segmented_control.h"
#include "ui/workbench/first_focus.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kTrailStays = 4000;  // milliseconds after the last move
constexpr double kLeastPart = 0.02;

}  // namespace

RooflineView::RooflineView(ViewContext context, ViewSize size, QWidget* parent)
    : SceneView(context, size, QStringLiteral("roofline"), tr("Roofline"), parent) {
    auto* content = new QWidget(m_card);
    auto* inner = new QGridLayout(content);
    inner->setContentsMargins(0, 0, 0, 0);
    m_chart = new ChartPanel(context.theme, content);
    m_chart->setObjectName(QStringLiteral("rooflineChart"));
    setFirstFocus(*this, m_chart);
    inner->addWidget(m_chart, 0, 0);
    m_calibrate = new CalibrateButton(QStringLiteral("rooflineCalibrate"), *inner);
    m_card->setContent(content);
    if (!isCompact()) buildTools();
    connect(m_chart, &ChartPanel::hovered, this,
            [this](const QPointF&, const QPointF& pixel) { hover(pixel); });
    connect(m_chart, &ChartPanel::clicked, this,
            [this](const QPointF&, const QPointF& pixel) { select(pixel); });
    connect(m_chart, &ChartPanel::keyPressed, this, &RooflineView::moveSelection);
    const auto showAgain = [this] {
        if (!isStale()) showPoints();
    };
    connect(&context.workbench.selection(), &OpSelection::changed, this, showAgain);
    connect(&context.workbench.selection().range(), &OpRange::changed, this, showAgain);
    refresh();
}

RooflineView::~RooflineView() = default;

void RooflineView::buildTools() {
    auto* zoom = new ChartZoom(*m_chart, ChartZoom::Axes::Both, kLeastPart);
    auto* showAll = m_card->addHeaderButton(tr("Show all"), QStringLiteral("rooflineShowAll"),
                                            tr("Shows the whole chart again (0, or a double click in it)"));
    showAll->hide();
    m_chart->setAccessibleDescription(
        tr("Arrow keys select an operation. W and S zoom, A and D move, 0 shows all. M makes the selected "
           "operation the range, Shift with an arrow takes the next one into it, Esc lets go."));
    zoom->setDrawsBoxes();
    OpRange& range = m_context.workbench.selection().range();
    addRangeButton(*m_card, range, QStringLiteral("rooflineClearRange"));
    connect(zoom, &ChartZoom::boxDrawn, this,
            [this, &range](const QRectF& box) { range.select(opsIn(box)); });
    connect(zoom, &ChartZoom::rangeClicked, &range, &OpRange::clear);
    connect(zoom, &ChartZoom::rangeStepped, this, &RooflineView::stepRange);
    connect(showAll, &QPushButton::clicked, zoom, &ChartZoom::showAll);
    connect(zoom, &ChartZoom::changed, this, [zoom, showAll] { showAll->setVisible(zoom->isZoomed()); });
    m_looks = new SegmentedControl(m_context.theme, {tr("Size by time"), tr("Trail")},
                                   QStringLiteral("rooflineLooks"), m_card);
    m_looks->setSeveral();
    m_looks->setAccessibleName(tr("What the dots show"));
    m_looks->setSegmentToolTip(0, tr("The area of a dot is the time of its operations"));
    m_looks->setSegmentToolTip(1, tr("Where the predicted dots stood before a slider moved, for a while"));
    m_looks->setOn(1, true);
    m_card->addHeaderWidget(m_looks);
    m_trailTimer = new QTimer(this);
    m_trailTimer->setSingleShot(true);
    m_trailTimer->setInterval(kTrailStays);
    connect(m_looks, &SegmentedControl::toggled, this, &RooflineView::showPoints);
    connect(m_trailTimer, &QTimer::timeout, this, [this] {
        m_trail.clear();
        if (isStale()) return;
        m_trail.add(m_state);
        showPoints();
    });
    connect(m_chart, &ChartPanel::legendToggled, this, [this](const QString& id, bool shown) {
        if (shown)
            m_series.hidden.remove(id);
        else
            m_series.hidden.insert(id);
        showCeilings();
        showPoints();
        showLegend();
    });
    buildLevels();
}

void RooflineView::buildLevels() {
    m_levels = new SegmentedControl(m_context.theme,
                                    {memoryLevelLabel(MemoryLevel::Dram), memoryLevelLabel(MemoryLevel::L2),
                                     memoryLevelLabel(MemoryLevel::L1)},
                                    QStringLiteral("rooflineLevel"), m_card);
    m_levels->setAccessibleName(tr("Level of memory"));
    sayMetrics();
    m_card->addHeaderWidget(m_levels);
    connect(m_levels, &SegmentedControl::chosen, this, [this](int index) {
        m_level = static_cast<MemoryLevel>(index);
        placeKernels();
        refresh();
    });
}

// With the vendor's names of what a level was counted by, once it was.
void RooflineView::sayMetrics() {
    const QStringList helps{tr("Measured points by the bytes of the device's memory"),
                            tr("Measured points by the bytes asked of the L2 cache"),
                            tr("Measured points by the bytes of the L1 cache and shared memory")};
    const ScenePtr scene = m_context.workbench.scene();
    for (int i = 0; i < helps.size(); ++i) {
        const QStringList metrics = scene ? metricLines(*scene, static_cast<MemoryLevel>(i)) : QStringList();
        m_levels->setSegmentToolTip(i, (QStringList{helps[i]} + metrics).join(QLatin1Char('\n')));
    }
}

void RooflineView::setKernels(OpenedAs<OpenedKernels>& file) {
    m_kernelFile = &file;
    m_closeKernels = new QPushButton(m_card);
    m_closeKernels->setObjectName(QStringLiteral("rooflineCloseKernels"));
    m_closeKernels->setProperty(kQuietButton, true);
    m_card->addHeaderWidget(m_closeKernels);
    connect(m_closeKernels, &QPushButton::clicked, &file, &OpenedFile::close);
    connect(&file, &OpenedFile::changed, this, &RooflineView::showKernels);
    showKernels();
}

void RooflineView::showKernels() {
    m_closeKernels->setVisible(m_kernelFile->isOpen());
    m_closeKernels->setText(tr("Close %1").arg(QFileInfo(m_kernelFile->path()).fileName()));
    placeKernels();
    refresh();
}

// They follow the file and the level alone, and not each step that the sliders make.
void RooflineView::placeKernels() {
    const auto report = m_kernelFile ? m_kernelFile->content() : nullptr;
    m_kernels =
        report ? makeRooflineKernels(report->report, m_kernelFile->path(), m_level) : RooflineKernels();
}

void RooflineView::catchUp() {
    m_state = makeRooflineState(m_context.workbench.scene(), isCompact(), m_level);
    addKernels(m_state, m_kernels);
    if (m_levels) {
        // A report tells the levels apart also where the step's own counters do not.
        const bool hasLevels = m_state.levelsAbsent.isEmpty() || !m_kernels.isEmpty();
        m_levels->setEnabled(hasLevels);
        m_levels->setToolTip(hasLevels ? QString() : m_state.levelsAbsent);
        sayMetrics();
        m_levels->setCurrent(static_cast<int>(m_kernels.isEmpty() ? m_state.level : m_level));
    }
    m_card->setSubtitle(m_state.subtitle, m_state.subtitleHelp);
    m_chart->setAccessibleName(m_state.summary);
    m_chart->setEmptyText(m_state.emptyText);
    // Ceilings would not give the kernels of a report what it does not count.
    m_calibrate->setVisible(!m_state.emptyText.isEmpty() && m_kernels.isEmpty());
    if (!m_state.emptyText.isEmpty()) {
        m_chart->setLegend({});
        return;
    }
    m_chart->setAxis(ChartAxis::X, {tr("arithmetic intensity, FLOP / byte"),
                                    {},
                                    true,
                                    m_state.minIntensity,
                                    m_state.maxIntensity,
                                    true});
    m_chart->setAxis(ChartAxis::Y,
                     {tr("FLOP/s"), {}, true, m_state.minRate, m_state.maxRate, true, {}, true});
    if (m_looks) {
        // A path is of the sliders: it ends a while after their last move.
        m_trail.add(m_state);
        if (!m_trail.isEmpty()) m_trailTimer->start();
    }
    showCeilings();
    showPoints();
    showLegend();
}

bool RooflineView::isShown(const RooflineCeiling& ceiling) const {
    return ceiling.active || !isCompact() || std::ranges::none_of(m_state.ceilings, &RooflineCeiling::active);
}

double RooflineView::ceilingStart(const RooflineCeiling& ceiling) const {
    double bandwidth = 0;
    for (const RooflineSlope& slope : m_state.slopes) {
        // A flat part is drawn from the steepest slope on.
        if (bandwidth == 0 || slope.calibrated == ceiling.calibrated)
            bandwidth = std::max(bandwidth, slope.bytesPerSecond);
    }
    return bandwidth > 0 ? std::max(m_state.minIntensity, ceiling.flopPerSecond / bandwidth)
                         : m_state.minIntensity;
}

std::pair<QPointF, QPointF> RooflineView::slopeEnds(const RooflineSlope& slope) const {
    double top = m_state.maxRate;
    for (const RooflineCeiling& ceiling : m_state.ceilings) {
        if (ceiling.calibrated != slope.calibrated || !isShown(ceiling)) continue;
        top = ceiling.flopPerSecond;  // they are sorted, the highest first
        break;
    }
    const double from = std::max(m_state.minIntensity, m_state.minRate / slope.bytesPerSecond);
    return {{from, from * slope.bytesPerSecond}, {top / slope.bytesPerSecond, top}};
}

void RooflineView::showCeilings() {
    QStringList wanted;
    const auto line = [&](const QString& id, const QVector<QPointF>& points, const LineStyle& style) {
        wanted.push_back(id);
        m_chart->addLine(id, style);
        m_chart->setLine(id, points);
    };
    // The flat parts first, so that the active one and the slopes lie above the others.
    for (const bool active : {false, true}) {
        for (qsizetype i = 0; i < m_state.ceilings.size(); ++i) {
            const RooflineCeiling& ceiling = m_state.ceilings[i];
            if (ceiling.active != active || !isShown(ceiling) ||
                !m_series.isOn(roofSeries(ceiling.calibrated)))
                continue;
            const double from = ceilingStart(ceiling);
            const ColorRole role = ceiling.calibrated ? ColorRole::Accent : ColorRole::TextStrong;
            line(QStringLiteral("ceiling%1").arg(i),
                 {{from, ceiling.flopPerSecond}, {m_state.maxIntensity, ceiling.flopPerSecond}},
                 {{},
                  active ? role : ColorRole::Axis,
                  active ? 1.8 : 1.2,
                  ceiling.calibrated ? Qt::DashLine : Qt::SolidLine,
                  active ? 1.0 : 0.7,
                  false});
        }
    }
    for (qsizetype i = 0; i < m_state.slopes.size(); ++i) {
        const RooflineSlope& slope = m_state.slopes[i];
        if (!m_series.isOn(roofSeries(slope.calibrated))) continue;
        const auto [from, to] = slopeEnds(slope);
        line(QStringLiteral("slope%1").arg(i), {from, to},
             {{},
              !slope.active      ? ColorRole::Axis
              : slope.calibrated ? ColorRole::Accent
                                 : ColorRole::TextStrong,
              slope.active ? 1.8 : 1.2,
              slope.calibrated ? Qt::DashLine : Qt::SolidLine,
              slope.active ? 1.0 : 0.7,
              false});
    }
    for (const QString& id : m_chart->lineIds()) {
        if (!wanted.contains(id)) m_chart->removeLine(id);
    }
    if (m_state.balance)
        m_chart->setMarker(QStringLiteral("balance"),
                           {m_state.balance, std::nullopt, {}, ColorRole::Axis, Qt::DotLine, 1, 0});
    else
        m_chart->removeMarker(QStringLiteral("balance"));
}

void RooflineView::moveSelection(int key) {
    OpSelection& selection = m_context.workbench.selection();
    if (key == Qt::Key_Escape && !isCompact() && selection.range().isChosen())
        return selection.range().clear();
    if (key == Qt::Key_Escape) {
        selection.select({});
        m_chart->hideCard();
        return;
    }
    const auto count = static_cast<int>(m_state.points.size());
    if (count == 0 || !m_state.emptyText.isEmpty()) return;
    const int current = selectedPoint();
    const bool isBack = key == Qt::Key_Left || key == Qt::Key_Up;
    const bool isOn = key == Qt::Key_Right || key == Qt::Key_Down;
    // Points lie in no line: behind the last comes the first.
    if (isBack) key = current == 0 ? Qt::Key_End : Qt::Key_Left;
    if (isOn) key = current == count - 1 ? Qt::Key_Home : Qt::Key_Right;
    const auto next = steppedTo(key, current, count);
    if (!next) return;
    const RooflinePoint& point = entryAt(m_state.points, *next);
    selection.select(toText(m_state.scene->whatIf.step->opId(point.ops.front())));
    if (const auto rate = point.measured ? point.measured : point.predicted)
        m_chart->showCard(
            rooflineCard(m_state, point),
            m_chart->toPixel({point.measured ? point.measuredIntensity() : point.intensity, *rate}));
}

void RooflineView::stepRange(int by) {
    if (by != 0) moveSelection(by < 0 ? Qt::Key_Left : Qt::Key_Right);
    const int at = selectedPoint();
    if (at < 0) return;
    OpRange& range = m_context.workbench.selection().range();
    const OpSet before = by == 0 ? OpSet() : range.ops();
    range.select(before.with(m_state.shownOps(entryAt(m_state.points, at), false)));
}

}  // namespace plumb::ui
