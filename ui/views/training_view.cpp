// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/training_view.h"

#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/views/training_figures.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace plumb::ui {

namespace {

constexpr int kFrameMs = 16;
constexpr std::size_t kGhosts = 4;         // earlier runs that are shown unless the user says otherwise
constexpr int kGhostSmoothing = 20;        // least smoothing of an earlier run
constexpr std::size_t kLegendEntries = 8;  // the newest ones

QString quantity(double value, std::string_view unit) {
    return QString::fromStdString(formatQuantity(value, unit));
}
QString exact(std::int64_t value) { return QString::fromStdString(formatExact(value, "")).trimmed(); }
/// Losses have no SI prefix: 0.0132, 3.1e-7.
QString lossText(double loss, int digits = 3) {
    if (std::isnan(loss)) return QCoreApplication::translate("TrainingView", "not a number");
    if (std::isinf(loss)) return loss > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    const double size = std::abs(loss);
    if (size >= 1e-4 && size < 1e5) {
        const int before = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
        const int zeros = size > 0 && size < 1 ? -static_cast<int>(std::floor(std::log10(size))) - 1 : 0;
        return QString::number(loss, 'f', std::max(0, digits - before + zeros));
    }
    return QString::number(loss, 'g', digits);
}

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
    m_chart->setObjectName(QStringLiteral("lossChart"));
    m_chart->setAccessibleName(tr("Loss over training, logarithmic"));
    m_chart->setCrosshair(ChartPanel::Crosshair::Vertical);
    column->addWidget(m_chart, 1);
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
            [this](const QPointF& at, const QPointF& pixel) { hover(at.x(), pixel); });
    connect(m_chart, &ChartPanel::left, m_chart, &ChartPanel::hideCard);
    connect(m_chart, &ChartPanel::keyPressed, this, &TrainingView::moveCursor);
    connect(m_chart, &ChartPanel::legendToggled, this, [this](const QString& id, bool on) {
        m_toggled[id] = on;
        refresh();
    });
}

TrainingView::~TrainingView() = default;

void TrainingView::buildControls() {
    auto* label = new QLabel(tr("Smoothing"), m_card);
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

bool TrainingView::isVisibleRun(std::size_t index) const {
    const std::size_t count = m_context.workbench.runs().size();
    return m_toggled.value(QStringLiteral("run%1").arg(index), index + 1 + kGhosts >= count);
}

ChartColor TrainingView::colorOf(const Shown& shown) const {
    return shown.newest ? ColorRole::Accent : ColorRole::Ghost;
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
    if (m_size == ViewSize::Full) showLegend();
    showFigures();
}

void TrainingView::collectCurves() {
    const auto& runs = m_context.workbench.runs();
    std::vector<Shown> next;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!isVisibleRun(i)) continue;
        Shown shown;
        if (const auto old =
                std::ranges::find(m_shown, std::shared_ptr<const RunRecord>(runs[i]), &Shown::run);
            old != m_shown.end())
            shown = std::move(*old);
        shown.run = runs[i];
        shown.id = QStringLiteral("run%1").arg(i);
        shown.newest = i + 1 == runs.size();
        // A curve that has ended is made once, not at every frame of the run that goes on.
        TrainingOptions options = m_options;
        if (!shown.newest) options.smoothing = std::max(options.smoothing, kGhostSmoothing);
        if (shown.count != runs[i]->history.count() || shown.options != options) {
            shown.curve = makeCurve(runs[i]->history, options);
            shown.count = runs[i]->history.count();
            shown.options = options;
        }
        next.push_back(std::move(shown));
    }
    m_shown = std::move(next);
}

std::size_t TrainingView::keptPoints() const {
    std::size_t sum = 0;
    for (const Shown& shown : m_shown)
        sum += shown.curve.points.size() +
               static_cast<std::size_t>(shown.curve.line.size() + shown.curve.smooth.size());
    return sum;
}

void TrainingView::showRange() {
    const auto active = m_context.workbench.activeRun();
    double lowest = 0;
    double highest = 0;
    double lastX = 0;
    const auto include = [&](double low, double high) {
        if (low <= 0) return;
        lowest = lowest > 0 ? std::min(lowest, low) : low;
        highest = std::max(highest, high);
    };
    for (const Shown& shown : m_shown) {
        include(shown.curve.lowest, shown.curve.highest);
        // An earlier, longer run is cut off: across its length the one that goes on would be a dot.
        if (!active || shown.run == active) lastX = std::max(lastX, shown.curve.lastX);
    }
    const auto& runs = m_context.workbench.runs();
    const double floor = runs.empty() ? 0 : noiseFloor(runs.back()->config).value_or(0);
    include(floor, floor);
    if (lowest <= 0) {  // nothing that a log axis could show
        lowest = 0.1;
        highest = 10;
    }
    const bool bySteps = m_options.axis == TrainingOptions::Axis::Steps;
    double right = niceRange(0, std::max(lastX, 1.0), false).second;
    // Once a good part of the run is done, the axis shows all of it: the gap at the right is what is left.
    if (bySteps && active && active->stepsWanted > 0 && active->stepsDone * 4 >= active->stepsWanted)
        right = std::max(lastX, static_cast<double>(active->stepsWanted));
    AxisOptions x;
    x.title = bySteps ? tr("step") : tr("training time");
    x.unit = bySteps ? QString() : QStringLiteral("s");
    x.max = right;
    AxisOptions y;
    y.title = m_size == ViewSize::Full ? tr("loss") : QString();
    y.log = true;
    std::tie(y.min, y.max) = niceRange(lowest, highest, true);
    if (!(y.max > y.min)) y.max = y.min * 10;
    m_chart->setAxis(ChartAxis::X, x);
    m_chart->setAxis(ChartAxis::Y, y);
    if (floor > 0) {
        ChartMarker marker;
        marker.y = floor;
        marker.color = ColorRole::TextMuted;
        marker.pen = Qt::DotLine;
        m_chart->setMarker(QStringLiteral("floor"), marker);
    } else {
        m_chart->removeMarker(QStringLiteral("floor"));
    }
}

void TrainingView::showCurves() {
    QStringList wanted;
    QVector<ChartMark> marks;
    QVector<ChartLabel> labels;
    const AxisOptions x = m_chart->axis(ChartAxis::X);
    const AxisOptions y = m_chart->axis(ChartAxis::Y);
    // What is drawn follows the pixels and not the history: strokes are what a frame costs.
    const double pixel = (x.max - x.min) / std::max(100, m_chart->width());
    for (const Shown& shown : m_shown) {
        const QVector<QPointF> mean = onePerColumn(shown.curve.smooth, 2 * pixel);
        const QVector<QPointF> raw =
            shown.newest || mean.isEmpty() ? columnExtremes(shown.curve.line, pixel) : QVector<QPointF>();
        LineStyle style;
        style.color = colorOf(shown);
        if (!shown.newest) {
            style.pen = Qt::DashLine;
            m_chart->addLine(shown.id, style);
            m_chart->setLine(shown.id, mean.isEmpty() ? raw : mean);
            wanted << shown.id;
        } else {
            style.opacity = mean.isEmpty() ? 1 : 0.35;
            style.endDot =
                mean.isEmpty() && !shown.curve.line.isEmpty() && std::isfinite(shown.curve.line.last().y());
            style.width = mean.isEmpty() ? style.width : 1;
            m_chart->addLine(shown.id, style);
            m_chart->setLine(shown.id, raw);
            wanted << shown.id;
            if (!mean.isEmpty()) {
                style.opacity = 1;
                style.width = 2;
                style.endDot = true;
                m_chart->addLine(shown.id + u'~', style);
                m_chart->setLine(shown.id + u'~', mean);
                wanted << shown.id + u'~';
            }
        }
        // What a log axis cannot show stands at its edge, marked, instead of being left out in silence.
        const double apart = (x.max - x.min) / 200;
        for (const double at : thinned(shown.curve.notPositive, apart))
            marks.append({{at, y.min}, ColorRole::Warning, false, 3.5});
        for (const double at : thinned(shown.curve.notFinite, apart))
            marks.append({{at, y.max}, ColorRole::Bad, true, 3.5});
        if (shown.newest || shown.curve.line.isEmpty()) continue;
        const QString difference =
            runDifference(shown.run->config, m_context.workbench.runs().back()->config);
        ChartLabel label;
        // Above the falling curve and away from its end there is room beside the line.
        const QVector<QPointF>& line = mean.isEmpty() ? raw : mean;
        const auto inside = std::ranges::upper_bound(line, x.max, {}, &QPointF::x) - line.begin();
        if (inside == 0) continue;
        label.anchor = line[inside * 2 / 3];
        label.text = tr("earlier: %1").arg(difference.isEmpty() ? shown.run->title : difference);
        label.color = ColorRole::TextMuted;
        label.prefer = Qt::AlignRight | Qt::AlignTop;
        if (std::isfinite(label.anchor.y())) labels.append(label);
    }
    for (const QString& id : m_chart->lineIds())
        if (!wanted.contains(id)) m_chart->removeLine(id);
    const auto& runs = m_context.workbench.runs();
    if (const double floor = runs.empty() ? 0 : noiseFloor(runs.back()->config).value_or(0); floor > 0) {
        // At the left end: a curve falls, and reaches its floor at the right.
        ChartLabel label;
        label.anchor = {x.min, floor};
        label.text = tr("noise floor %1").arg(lossText(floor));
        label.color = ColorRole::TextMuted;
        label.priority = 10;
        label.prefer = Qt::AlignRight | Qt::AlignBottom;
        labels.append(label);
    }
    m_chart->setMarks(marks);
    m_chart->setLabels(labels);
    if (m_cursor < 0) m_chart->removeMarker(QStringLiteral("cursor"));
}

void TrainingView::showLegend() {
    const auto& runs = m_context.workbench.runs();
    QVector<LegendEntry> entries;
    const std::size_t first = runs.size() > kLegendEntries ? runs.size() - kLegendEntries : 0;
    for (std::size_t i = runs.size(); i-- > first;) {
        const bool newest = i + 1 == runs.size();
        LegendEntry entry;
        entry.id = QStringLiteral("run%1").arg(i);
        entry.label = tr("%1. %2").arg(i + 1).arg(runs[i]->title);
        if (!newest && runs[i]->title == runs.back()->title)
            if (const QString difference = runDifference(runs[i]->config, runs.back()->config);
                !difference.isEmpty())
                entry.label += QStringLiteral(" · ") + difference;
        entry.value = runs[i]->history.empty() ? QString() : lossText(runs[i]->history.last().loss);
        entry.color = newest ? ColorRole::Accent : ColorRole::Ghost;
        entry.swatch = newest ? LegendEntry::Swatch::Line : LegendEntry::Swatch::DashedLine;
        entry.checkable = true;
        entry.checked = isVisibleRun(i);
        entries.append(entry);
    }
    m_chart->setLegend(entries);
}

void TrainingView::showFigures() {
    const auto& runs = m_context.workbench.runs();
    const QString none = QStringLiteral("–");
    const RunRecord* run = runs.empty() ? nullptr : runs.back().get();
    const bool hasLoss = run && !run->history.empty();
    const QString loss = hasLoss ? lossText(run->history.last().loss) : none;
    const bool hasRate = run && run->stepsPerSecond > 0;
    const auto seconds = run ? secondsLeft(*run) : std::nullopt;
    const QString left = seconds ? clockText(*seconds) : QString();

    if (m_size == ViewSize::Compact) {
        QStringList parts;
        if (hasLoss) parts << tr("loss %1").arg(loss);
        if (hasRate) parts << quantity(run->stepsPerSecond, "") + tr(" steps/s");
        if (!left.isEmpty()) parts << tr("ETA %1").arg(left);
        if (run && !run->outcome.isEmpty()) parts << run->outcome;
        m_card->setSubtitle(parts.join(QStringLiteral(" · ")));
    } else {
        m_card->setSubtitle(run ? run->title : QString());
        const QString wanted =
            run && run->stepsWanted > 0 ? tr(" of %1").arg(exact(run->stepsWanted)) : QString();
        const double rate = hasRate ? run->stepsPerSecond : 0;
        m_figures->setFigures({
            {QStringLiteral("figureLoss"), tr("loss"), loss,
             hasLoss ? lossText(run->history.last().loss, 17) : QString()},
            {QStringLiteral("figureStep"), tr("step"), run ? exact(run->stepsDone) + wanted : none,
             tr("Optimizer steps done")},
            {QStringLiteral("figureSteps"), tr("steps/s"), hasRate ? quantity(rate, "") : none,
             tr("Measured by the engine's clock, with everything between the steps")},
            {QStringLiteral("figureSamples"), tr("samples/s"),
             hasRate ? quantity(rate * static_cast<double>(run->config.batch), "") : none,
             hasRate ? tr("with everything between the steps: steps/s × batch = %1 × %2")
                           .arg(quantity(rate, ""), exact(run->config.batch))
                     : QString()},
            {QStringLiteral("figureElapsed"), tr("training time"),
             hasLoss ? clockText(run->history.last().seconds) : none,
             tr("Since the start of training, pauses left out")},
            {QStringLiteral("figureLeft"), tr("left"), left.isEmpty() ? none : left,
             left.isEmpty() ? tr("Known while a run with a number of steps goes on")
                            : tr("steps left / steps per second")},
        });
        const bool newestShown = !m_shown.empty() && m_shown.back().newest;
        m_window->setText(windowText(newestShown ? m_shown.back().curve.window : 0));
    }

    const auto say = [this](QLabel* label, const QString& text, ColorRole role) {
        label->setText(text);
        label->setVisible(!text.isEmpty());
        QPalette palette = this->palette();
        palette.setColor(QPalette::WindowText, m_context.theme.color(role));
        label->setPalette(palette);
    };
    const bool failed = run && isFailure(run->outcome);
    const bool ended = run && !run->outcome.isEmpty() && (failed || m_size == ViewSize::Full);
    say(m_outcome, ended ? tr("● Run ended: %1").arg(run->outcome) : QString(),
        failed ? ColorRole::Bad : ColorRole::TextMuted);
    const bool unseen = std::ranges::any_of(m_shown, [](const Shown& shown) {
        return !shown.curve.notPositive.isEmpty() || !shown.curve.notFinite.isEmpty();
    });
    say(m_note,
        unseen && m_size == ViewSize::Full ? tr("A log axis has no place for losses that are zero, negative "
                                                "or not a number: they are marked at its edges.")
                                           : QString(),
        ColorRole::TextMuted);
}

QString TrainingView::windowText(double steps) const {
    if (m_options.smoothing <= 0) return tr("off");
    if (steps <= 0) return QStringLiteral("–");  // no run yet, or too few steps for a mean of this width
    return steps < 1000 ? tr("±%n steps", nullptr, static_cast<int>(std::lround(steps)))
                        : tr("±%1 steps").arg(quantity(steps, ""));
}

void TrainingView::hover(double x, const QPointF& pixel) {
    HoverCardContent card;
    for (auto shown = m_shown.rbegin(); shown != m_shown.rend(); ++shown) {
        const LossPoint* point = nearestPoint(shown->curve, x, m_options.axis);
        // An earlier, shorter run says nothing about a place that it never reached.
        if (!point || (x > shown->curve.lastX && !shown->newest)) continue;
        if (card.title.isEmpty())
            card.title = tr("step %1 · %2").arg(exact(point->step + 1), quantity(point->seconds, "s"));
        const QString value = std::isfinite(point->loss) ? lossText(point->loss, 6) : tr("not a number");
        card.rows.append({shown->run->title, {value}, colorOf(*shown), shown->newest});
    }
    if (card.rows.isEmpty()) return m_chart->hideCard();
    m_chart->showCard(card, pixel);
}

void TrainingView::moveCursor(int key) {
    if (m_shown.empty()) return;
    const AxisOptions x = m_chart->axis(ChartAxis::X);
    const double last = m_shown.back().curve.lastX;
    const double stride = (x.max - x.min) / 100;
    if (m_cursor < 0)
        m_cursor = last;
    else if (key == Qt::Key_Left)
        m_cursor -= stride;
    else if (key == Qt::Key_Right)
        m_cursor += stride;
    else if (key == Qt::Key_PageUp)
        m_cursor -= 10 * stride;
    else if (key == Qt::Key_PageDown)
        m_cursor += 10 * stride;
    else if (key == Qt::Key_Home)
        m_cursor = 0;
    else if (key == Qt::Key_End)
        m_cursor = last;
    if (key == Qt::Key_Escape) {
        m_cursor = -1;
        m_chart->removeMarker(QStringLiteral("cursor"));
        return m_chart->hideCard();
    }
    m_cursor = std::clamp(m_cursor, x.min, x.max);
    const LossPoint* point = nearestPoint(m_shown.back().curve, m_cursor, m_options.axis);
    if (!point) return;
    ChartMarker marker;
    marker.x = xOf(*point, m_options.axis);
    marker.color = ColorRole::TextMuted;
    m_chart->setMarker(QStringLiteral("cursor"), marker);
    const AxisOptions y = m_chart->axis(ChartAxis::Y);
    const double height = std::isfinite(point->loss) && point->loss > 0 ? point->loss : y.min;
    hover(*marker.x, m_chart->toPixel({*marker.x, height}));
}

}  // namespace plumb::ui
