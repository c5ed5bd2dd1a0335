// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_view.h"

#include "ui/charts/chart_panel.h"
#include "ui/charts/legend_room.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/training/device_cells.h"
#include "ui/training/device_strip.h"
#include "ui/training/layer_scales.h"
#include "ui/training/loss_chart.h"
#include "ui/training/marked_stretch.h"
#include "ui/training/marked_stretch_row.h"
#include "ui/training/runs_page.h"
#include "ui/training/training_companions.h"
#include "ui/training/training_cursor.h"
#include "ui/training/training_figures.h"
#include "ui/training/training_text.h"
#include "ui/training/training_zoom.h"
#include "ui/widgets/action_link.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/first_focus.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kFrameMs = 16;
constexpr double kWideWindow = 88.8e3;  // of smoothing, as wide as it is written
constexpr int kLeastLoss = 150;         // the largest of the curves

/// Its widget is as high as the room, or as high as it has to be and scrolled. QScrollArea by itself gives a
/// widget whose height follows its width more than the least that it needs.
class CurvesArea final : public QScrollArea {
public:
    using QScrollArea::QScrollArea;

private:
    void fit() {
        if (!widget() || !widget()->layout()) return;
        const int least = widget()->layout()->minimumSize().height();
        widget()->resize(viewport()->width(), std::max(viewport()->height(), least));
    }
    void resizeEvent(QResizeEvent* event) override {
        QScrollArea::resizeEvent(event);
        fit();
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        const bool done = QScrollArea::eventFilter(watched, event);
        if (watched == widget() && event->type() == QEvent::LayoutRequest) fit();
        return done;
    }
};

}  // namespace

TrainingView::TrainingView(ViewContext context, ViewSize size, QWidget* parent)
    : QWidget(parent), m_context(context), m_size(size) {
    const bool compact = size == ViewSize::Compact;
    setObjectName(compact ? QStringLiteral("trainingCompact") : QStringLiteral("trainingView"));
    m_card = new Card(context.theme, tr("Training"), this);
    m_card->setObjectName(QStringLiteral("trainingCard"));
    m_card->setOpenable(compact);
    auto* content = new QWidget(m_card);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    if (!compact) {
        m_figures = new TrainingFigures(context.theme, content);
        column->addWidget(m_figures);
        m_device = new DeviceStrip(context.theme, content);
        column->addWidget(m_device);
    }
    m_outcome = new QLabel(content);
    m_outcome->setObjectName(QStringLiteral("trainingOutcome"));
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note = new QLabel(content);
    m_note->setObjectName(QStringLiteral("trainingNote"));
    m_notice = new QLabel(content);
    m_notice->setObjectName(QStringLiteral("trainingNotice"));
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (QLabel* line : {m_outcome, m_notice, m_note}) {
        line->setWordWrap(true);
        line->setTextFormat(Qt::PlainText);
        line->hide();
        column->addWidget(line);
    }
    if (!compact) {
        m_stretch = new MarkedStretchRow(context.theme, content);
        column->addWidget(m_stretch);
    }
    if (compact)
        column->addWidget(m_chart = new ChartPanel(context.theme, content), 1);
    else
        buildPages(content, *column);
    m_drawing = std::make_unique<LossChart>(*m_chart, size);
    m_cursor = std::make_unique<TrainingCursor>(*m_chart, m_companions, m_shown, size);
    m_chart->setObjectName(QStringLiteral("lossChart"));
    m_chart->setAccessibleName(tr("Loss over training, logarithmic"));
    m_chart->setCrosshair(ChartPanel::Crosshair::Vertical);
    m_card->setContent(content);
    m_card->setContentMargins(compact ? 8 : 16, compact ? 4 : 8, compact ? 8 : 16, compact ? 8 : 12);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_card);
    if (!compact) {
        buildZoom();
        buildControls();
    }
    showFigures();  // so that the room for them is there before the first paint

    m_frame.setSingleShot(true);
    m_frame.setInterval(kFrameMs);
    m_frame.setTimerType(Qt::PreciseTimer);
    connect(&m_frame, &QTimer::timeout, this, [this] {
        if (isVisible()) refresh();
    });
    connect(m_card, &Card::openRequested, this, &TrainingView::openRequested);
    connect(&context.workbench.runs(), &TrainingRuns::changed, this, &TrainingView::trainingChanged);
    connect(&context.theme, &Theme::changed, this, &TrainingView::trainingChanged);
    connect(&context.workbench, &Workbench::sceneChanged, this,
            [this, shown = std::shared_ptr<const TrainingRun>()]() mutable {
                const bool isRecorded = m_context.workbench.recording() != nullptr;
                const auto now = isRecorded ? shownTrainings(m_context.workbench).front() : nullptr;
                if (shown == now) return;
                shown = now;
                trainingChanged();
            });
    connect(m_chart, &ChartPanel::legendToggled, this, &TrainingView::switchCurve);
    connect(m_drawing->run(), &ActionLink::whyNotChanged, this, &TrainingView::trainingChanged);
}

TrainingView::~TrainingView() = default;

void TrainingView::buildPages(QWidget* content, QVBoxLayout& column) {
    m_pages = new QStackedWidget(content);
    // Scrolls, since a window need not grow for every curve that is switched on.
    auto* scroll = new CurvesArea(m_pages);
    scroll->setObjectName(QStringLiteral("trainingCurves"));
    scroll->setFocusPolicy(Qt::NoFocus);  // it follows what has the focus in it
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    auto* charts = new QWidget(scroll);
    auto* stack = new QVBoxLayout(charts);
    stack->setContentsMargins(0, 0, 0, 0);
    stack->setSpacing(2);
    m_companions = new TrainingCompanions(m_context, charts);  // its switches stand above all curves
    m_chart = new ChartPanel(m_context.theme, charts);
    stack->addWidget(m_chart, 5);
    stack->addWidget(m_companions, 4);
    scroll->setWidget(charts);
    charts->setAutoFillBackground(false);  // the card shows through
    new LegendRoom(*m_chart, scaled(kLeastLoss));
    auto* curves = new QWidget(m_pages);
    auto* curvesLayout = new QVBoxLayout(curves);
    curvesLayout->setContentsMargins(0, 0, 0, 0);
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(tr("Below the loss"), curves);
    followColor(label, m_context.theme, ColorRole::TextMuted);
    row->addWidget(label);
    row->addWidget(m_companions->switches());
    row->addStretch(1);
    curvesLayout->addLayout(row);
    curvesLayout->addWidget(scroll, 1);
    m_layers = new LayerScales(m_context, m_pages);
    m_pages->addWidget(curves);
    m_pages->addWidget(m_layers);
    m_runs = new RunsPage(m_context, m_pages);
    m_pages->addWidget(m_runs);
    column.addWidget(m_pages, 1);
    m_companions->setOn(Metric::GradientNorm, true);
    m_companions->setOn(Metric::SamplesPerSecond, true);
    connect(m_companions, &TrainingCompanions::switched, this, &TrainingView::refresh);
}

void TrainingView::buildZoom() {
    m_zoom = new TrainingZoom(this);
    QPushButton* const showAll =
        m_card->addHeaderButton(tr("Show all"), QStringLiteral("trainingShowAll"),
                                tr("Shows the whole training again (0, or a double click in a curve)"));
    showAll->hide();
    m_reach = m_card->addHeaderButton({}, QStringLiteral("trainingReach"), {});
    m_reach->hide();
    connect(m_reach, &QPushButton::clicked, this, [this] {
        m_reachOf = m_reachOf ? nullptr : m_shown.newest()->run;
        m_zoom->showAll();
        trainingChanged();
    });
    connect(m_stretch, &MarkedStretchRow::cleared, this, [this] { m_zoom->mark(std::nullopt); });
    connect(m_zoom, &TrainingZoom::markChanged, this, &TrainingView::trainingChanged);
    connect(m_zoom, &TrainingZoom::markStepped, this, [this](int by) {
        const ShownRun* const newest = m_shown.newest();
        const double last = newest ? newest->curve.lastX : m_drawing->horizontal().max;
        m_zoom->stepMark(by, m_cursor->place() < 0 ? last : m_cursor->place());
    });
    const auto letGo = [this](int key) {
        if (key == Qt::Key_Escape) m_zoom->mark(std::nullopt);
    };
    connect(m_chart, &ChartPanel::keyPressed, this, letGo);
    connect(m_companions, &TrainingCompanions::keyPressed, this, letGo);
    m_zoom->add(*m_chart);
    for (auto* chart : m_companions->findChildren<ChartPanel*>()) m_zoom->add(*chart);
    connect(m_companions, &TrainingCompanions::chartMade, this,
            [this](ChartPanel* chart) { m_zoom->add(*chart); });
    connect(showAll, &QPushButton::clicked, m_zoom, &TrainingZoom::showAll);
    connect(m_zoom, &TrainingZoom::changed, this, [this, showAll] {
        showAll->setVisible(m_zoom->isZoomed());
        trainingChanged();
    });
    m_chart->setAccessibleDescription(
        tr("Arrow keys read the runs at a step. W and S zoom, A and D move, 0 shows all. Shift with an arrow "
           "marks steps, M those in sight, Esc lets go."));
}

TrainingView::Page TrainingView::page() const {
    return m_pages ? static_cast<Page>(m_pages->currentIndex()) : Page::Curves;
}

bool TrainingView::hasLayers() const { return m_pages && m_context.workbench.recording() == nullptr; }

void TrainingView::showPage(Page page) {
    // A recording is one run without scales.
    const bool curves = page == Page::Curves || !hasLayers();
    const int index = curves ? 0 : static_cast<int>(page);
    m_pageChoice->setCurrent(index);
    m_pages->setCurrentIndex(index);
    if (page == Page::Runs) m_runs->showRuns();
    setFirstFocus(*this, curves ? m_chart : firstFocusOf(*m_pages->currentWidget()));
    for (QWidget* widget : {static_cast<QWidget*>(m_smoothingLabel), static_cast<QWidget*>(m_smoothing),
                            static_cast<QWidget*>(m_window), static_cast<QWidget*>(m_axis)})
        widget->setVisible(curves);
    m_reach->setVisible(curves && m_shown.newest() && m_drawing->hasLonger());
    showFigures();
}

void TrainingView::buildControls() {
    m_pageChoice = new SegmentedControl(m_context.theme, {tr("curves"), tr("layers"), tr("runs")},
                                        QStringLiteral("trainingPage"), m_card);
    m_pageChoice->setAccessibleName(tr("Page"));
    m_pageChoice->setSegmentToolTip(0, tr("Loss and other figures over the steps"));
    m_pageChoice->setSegmentToolTip(1, tr("Scale of activations, weights and gradients by layer"));
    m_pageChoice->setSegmentToolTip(2, tr("The runs of the session: names, colours, baseline"));
    m_pageChoice->setCurrent(0);
    connect(m_pageChoice, &SegmentedControl::chosen, this,
            [this](int index) { showPage(static_cast<Page>(index)); });
    auto* label = new QLabel(tr("Smoothing"), m_card);
    m_smoothingLabel = label;
    m_smoothing = new QSlider(Qt::Horizontal, m_card);
    m_smoothing->setObjectName(QStringLiteral("smoothing"));
    m_smoothing->setAccessibleName(tr("Smoothing of the loss"));
    m_smoothing->setToolTip(tr("Exponential mean of the loss over the steps before and after, each step with "
                               "the same weight, drawn over the raw curve"));
    m_smoothing->setRange(0, 100);
    m_smoothing->setValue(m_options.smoothing);
    m_smoothing->setMinimumWidth(50);
    m_smoothing->setMaximumWidth(120);
    label->setBuddy(m_smoothing);
    m_window = new QLabel(m_card);
    m_window->setObjectName(QStringLiteral("smoothingWindow"));
    m_window->setMinimumWidth(fontMetrics().horizontalAdvance(smoothingText(1, kWideWindow)));
    m_axis = new SegmentedControl(m_context.theme, {tr("steps"), tr("seconds")}, QStringLiteral("lossAxis"),
                                  m_card);
    m_axis->setObjectName(QStringLiteral("lossAxis"));
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_axis->setCurrent(0);
    m_card->addHeaderWidget(label);
    m_card->addHeaderWidget(m_smoothing);
    m_card->addHeaderWidget(m_window);
    m_card->addHeaderWidget(m_axis);
    m_card->addHeaderWidget(m_pageChoice);
    setFirstFocus(*this, m_chart);
    connect(m_smoothing, &QSlider::valueChanged, this, [this](int value) {
        TrainingOptions options = m_options;
        options.smoothing = value;
        setOptions(options);
    });
    connect(m_axis, &SegmentedControl::chosen, this, [this](int index) {
        TrainingOptions options = m_options;
        options.axis = index == 0 ? TrainingOptions::Axis::Steps : TrainingOptions::Axis::Seconds;
        setOptions(options);
    });
}

void TrainingView::setOptions(const TrainingOptions& options) {
    if (options == m_options) return;
    if (m_zoom && options.axis != m_options.axis) m_zoom->showAll();  // steps are no seconds
    m_options = options;
    m_cursor->setAxis(options.axis);
    if (m_smoothing) m_smoothing->setValue(options.smoothing);
    if (m_axis) m_axis->setCurrent(options.axis == TrainingOptions::Axis::Steps ? 0 : 1);
    trainingChanged();
}

void TrainingView::trainingChanged() {
    m_dirty = true;
    if (isVisible() && !m_frame.isActive()) m_frame.start();
}

void TrainingView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_dirty) refresh();
}

void TrainingView::paintEvent(QPaintEvent* event) {
    // A picture can be taken of a view that was never shown; a visible one waits for its frame.
    if (m_dirty && !m_frame.isActive()) refresh();
    QWidget::paintEvent(event);
}

void TrainingView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_refreshes > 0) trainingChanged();  // as many points as there are pixels now
}

void TrainingView::refresh() {
    m_dirty = false;
    ++m_refreshes;
    const Workbench& workbench = m_context.workbench;
    m_shown.collect(shownTrainings(workbench), m_options);
    const TrainingWindow window = m_zoom ? m_zoom->window() : std::nullopt;
    const ShownRun* newest = m_shown.newest();
    if (newest == nullptr || newest->run != m_reachOf) m_reachOf = nullptr;
    m_drawing->setReachesAll(m_reachOf != nullptr);
    m_drawing->show(workbench, m_shown, m_options, window, !m_companions || !m_companions->anyOn());
    if (m_zoom) m_zoom->setAxis(m_drawing->horizontal());
    m_cursor->redrawn();
    if (m_size == ViewSize::Full) {
        for (const int segment : {1, 2}) m_pageChoice->setSegmentVisible(segment, hasLayers());
        if (!hasLayers() && page() != Page::Curves) showPage(Page::Curves);
        const MarkedStretch stretch{m_zoom->marked(), m_options.axis};
        m_runs->setStretch(stretch);
        m_layers->setMarked(stretch.window.has_value());
        m_stretch->showStretch(newest ? newest->run.get() : nullptr, stretch);
        if (page() == Page::Runs) m_runs->showRuns();
        const std::shared_ptr<const TrainingRun> run =
            shownTrainings(workbench).empty() ? nullptr : shownTrainings(workbench).back();
        m_companions->showRun(run.get(), newest ? &newest->curve : nullptr, m_options,
                              m_drawing->horizontal(), window);
        m_layers->showRun(run);
        m_reach->setText(m_reachOf ? tr("This run") : tr("All runs"));
        m_reach->setToolTip(m_reachOf ? tr("Shows the steps of the newest run, whatever the others have")
                                      : tr("Shows the curves to the end of the longest run, which has more "
                                           "steps than the newest"));
        m_reach->setVisible(newest && m_drawing->hasLonger() && page() == Page::Curves);
    }
    showFigures();
}

void TrainingView::switchCurve(const QString& id, bool on) {
    const auto runs = shownTrainings(m_context.workbench);
    const auto index = static_cast<std::size_t>(id.mid(3).toULongLong());
    if (index >= runs.size()) return;
    if (m_context.workbench.recording() != nullptr) {  // which is no run of the session
        runs[index]->look.isShown = on;
    } else {
        RunLook look = runs[index]->look;
        look.isShown = on;
        m_context.workbench.runs().setLook(index, look);
    }
    refresh();
}

void TrainingView::showFigures() {
    const auto runs = shownTrainings(m_context.workbench);
    const TrainingRun* run = runs.empty() ? nullptr : runs.back().get();
    const bool full = m_size == ViewSize::Full;
    if (full) {
        m_card->setSubtitle(run ? run->name() : QString());
        m_figures->setFigures(trainingFigures(run));
        m_device->setCells(makeDeviceCells(page() == Page::Curves ? run : nullptr));
        const ShownRun* newest = m_shown.newest();
        m_window->setText(smoothingText(m_options.smoothing, newest ? newest->curve.window : 0));
    } else {
        m_card->setSubtitle(run ? trainingSummary(*run) : QString());
    }
    const bool failed = run && run->end == TrainingEnd::Failed;
    const bool ended = run && !run->recorded && !run->outcome.isEmpty() && (failed || full);
    say(*m_outcome, ended ? tr("● Run ended: %1").arg(outcomeText(run->outcome)) : QString(),
        failed ? ColorRole::Bad : ColorRole::TextMuted);
    say(*m_notice, full ? m_watch.notice(run) : QString(), ColorRole::Bad);
    const bool curves = full && page() == Page::Curves;
    say(*m_note, curves ? trainingNotes(run, m_shown.haveUnseen()).join(u'\n') : QString(),
        ColorRole::TextMuted);
}

void TrainingView::say(QLabel& label, const QString& text, ColorRole role) const {
    label.setText(text);
    label.setVisible(!text.isEmpty());
    QPalette palette = this->palette();
    palette.setColor(QPalette::WindowText, m_context.theme.color(role));
    label.setPalette(palette);
}

}  // namespace plumb::ui
