// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_view.h"

#include "ui/charts/chart_panel.h"
#include "ui/training/layer_scales.h"
#include "ui/training/training_companions.h"
#include "ui/training/training_figures.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/slider_row.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSlider>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kFrameMs = 16;

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
    }
    m_outcome = new QLabel(content);
    m_outcome->setObjectName(QStringLiteral("trainingOutcome"));
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note = new QLabel(content);
    m_note->setObjectName(QStringLiteral("trainingNote"));
    for (QLabel* line : {m_outcome, m_note}) {
        line->setWordWrap(true);
        line->setTextFormat(Qt::PlainText);
        line->hide();
        column->addWidget(line);
    }
    m_chart = new ChartPanel(context.theme, content);
    if (compact)
        column->addWidget(m_chart, 1);
    else
        buildPages(content, *column);
    m_chart->setObjectName(QStringLiteral("lossChart"));
    m_chart->setAccessibleName(tr("Loss over training, logarithmic"));
    m_chart->setCrosshair(ChartPanel::Crosshair::Vertical);
    m_card->setContent(content);
    m_card->setContentMargins(compact ? 8 : 16, compact ? 4 : 8, compact ? 8 : 16, compact ? 8 : 12);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_card);
    if (!compact) buildControls();
    showFigures();  // so that the room for them is there before the first paint

    m_frame.setSingleShot(true);
    m_frame.setInterval(kFrameMs);
    m_frame.setTimerType(Qt::PreciseTimer);
    connect(&m_frame, &QTimer::timeout, this, [this] {
        if (isVisible()) refresh();
    });
    connect(m_card, &Card::openRequested, this, &TrainingView::openRequested);
    connect(&context.workbench, &Workbench::trainingChanged, this, &TrainingView::trainingChanged);
    connect(&context.theme, &Theme::changed, this, &TrainingView::trainingChanged);
    connect(m_chart, &ChartPanel::hovered, this,
            [this](const QPointF& at, const QPointF& pixel) { hover(at.x(), m_chart, pixel); });
    connect(m_chart, &ChartPanel::left, m_chart, &ChartPanel::hideCard);
    connect(m_chart, &ChartPanel::left, this, &TrainingView::leave);
    connect(m_chart, &ChartPanel::keyPressed, this, &TrainingView::moveCursor);
    connect(m_chart, &ChartPanel::legendToggled, this, [this](const QString& id, bool on) {
        m_toggled[id] = on;
        refresh();
    });
}

TrainingView::~TrainingView() = default;

void TrainingView::buildPages(QWidget* content, QVBoxLayout& column) {
    m_pages = new QStackedWidget(content);
    // Scrolls, since a window need not grow for every curve that is switched on.
    auto* scroll = new CurvesArea(m_pages);
    scroll->setObjectName(QStringLiteral("trainingCurves"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    auto* charts = new QWidget(scroll);
    auto* stack = new QVBoxLayout(charts);
    stack->setContentsMargins(0, 0, 0, 0);
    stack->setSpacing(2);
    m_companions = new TrainingCompanions(m_context, charts);
    stack->addWidget(m_chart, 5);
    stack->addWidget(m_companions, 4);
    scroll->setWidget(charts);
    charts->setAutoFillBackground(false);  // the card shows through
    m_chart->setMinimumHeight(180);
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
    column.addWidget(m_pages, 1);
    m_companions->setOn(Metric::GradientNorm, true);
    m_companions->setOn(Metric::SamplesPerSecond, true);
    connect(m_companions, &TrainingCompanions::switched, this, &TrainingView::refresh);
    connect(m_companions, &TrainingCompanions::hovered, this, &TrainingView::hover);
    connect(m_companions, &TrainingCompanions::left, this, &TrainingView::leave);
    connect(m_companions, &TrainingCompanions::keyPressed, this, &TrainingView::moveCursor);
}

TrainingView::Page TrainingView::page() const {
    return m_pages && m_pages->currentIndex() == 1 ? Page::Layers : Page::Curves;
}

void TrainingView::showPage(Page page) {
    const bool curves = page == Page::Curves;
    m_pageChoice->setCurrent(curves ? 0 : 1);
    m_pages->setCurrentIndex(curves ? 0 : 1);
    for (QWidget* widget : {static_cast<QWidget*>(m_smoothingLabel), static_cast<QWidget*>(m_smoothing),
                            static_cast<QWidget*>(m_window), static_cast<QWidget*>(m_axis)})
        widget->setVisible(curves);
    showFigures();
}

void TrainingView::buildControls() {
    m_pageChoice = new SegmentedControl(m_context.theme, {tr("curves"), tr("layers")},
                                        QStringLiteral("trainingPage"), m_card);
    m_pageChoice->setAccessibleName(tr("Page"));
    m_pageChoice->setSegmentToolTip(0, tr("Loss and other figures over the steps"));
    m_pageChoice->setSegmentToolTip(1, tr("Scale of activations, weights and gradients by layer"));
    m_pageChoice->setCurrent(0);
    connect(m_pageChoice, &SegmentedControl::chosen, this,
            [this](int index) { showPage(index == 0 ? Page::Curves : Page::Layers); });
    auto* label = new QLabel(tr("Smoothing"), m_card);
    m_smoothingLabel = label;
    m_smoothing = new QSlider(Qt::Horizontal, m_card);
    m_smoothing->setObjectName(QStringLiteral("smoothing"));
    m_smoothing->setAccessibleName(tr("Smoothing of the loss"));
    m_smoothing->setToolTip(tr("Exponential mean of the loss over the steps before and after, each step with "
                               "the same weight, drawn over the raw curve"));
    m_smoothing->setRange(0, 100);
    m_smoothing->setValue(m_options.smoothing);
    m_smoothing->setFixedWidth(120);
    label->setBuddy(m_smoothing);
    m_window = new QLabel(m_card);
    m_window->setObjectName(QStringLiteral("smoothingWindow"));
    m_window->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("±88.8 k steps")));
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
    if (options.axis != m_options.axis) m_cursor = -1;
    m_options = options;
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
    collectCurves();
    const auto& runs = m_context.workbench.runs();
    m_chart->setEmptyText(runs.empty() ? tr("No run yet. Press Run (F5) to train this configuration.")
                          : runs.back()->history.empty() && m_shown.size() <= 1
                              ? tr("Waiting for the first step.")
                              : QString());
    showRange();
    showCurves();
    if (m_size == ViewSize::Full) {
        showLegend();
        const Shown* newest = newestShown();
        m_companions->showRun(runs.empty() ? nullptr : runs.back().get(), newest ? &newest->curve : nullptr,
                              m_options, m_horizontal);
        m_layers->showRun(runs.empty() ? nullptr : runs.back());
    }
    showFigures();
}

const TrainingView::Shown* TrainingView::newestShown() const {
    return !m_shown.empty() && m_shown.back().newest ? &m_shown.back() : nullptr;
}

std::size_t TrainingView::keptPoints() const {
    std::size_t sum = 0;
    for (const Shown& shown : m_shown)
        sum += shown.curve.points.size() +
               static_cast<std::size_t>(shown.curve.line.size() + shown.curve.smooth.size());
    return sum;
}

}  // namespace plumb::ui
