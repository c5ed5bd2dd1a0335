// SPDX-License-Identifier: GPL-3.0-or-later
// What a TrainingView says in words: figures, outcome, the card beside the pointer, and the keyboard's
// cursor.
#include "ui/charts/chart_panel.h"
#include "ui/training/training_companions.h"
#include "ui/training/training_figures.h"
#include "ui/training/training_text.h"
#include "ui/training/training_view.h"
#include "ui/widgets/card.h"

#include <QLabel>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>

namespace plumb::ui {

namespace {

constexpr std::int64_t kManySteps = 10;  // so many, and skipping most of them is no start but a mistake
constexpr double kShortSeconds = 10;     // a clock would show too few digits of less

QString elapsedText(double seconds) {
    return seconds < kShortSeconds ? quantityText(seconds, "s") : clockText(seconds);
}

}  // namespace

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
        if (hasRate) parts << quantityText(run->stepsPerSecond, "") + tr(" steps/s");
        if (!left.isEmpty()) parts << tr("ETA %1").arg(left);
        if (run && !run->outcome.isEmpty()) parts << run->outcome;
        m_card->setSubtitle(parts.join(QStringLiteral(" · ")));
    } else {
        m_card->setSubtitle(run ? run->title : QString());
        const QString wanted =
            run && run->stepsWanted > 0 ? tr(" of %1").arg(countText(run->stepsWanted)) : QString();
        const double rate = hasRate ? run->stepsPerSecond : 0;
        QVector<TrainingFigures::Figure> figures{
            {QStringLiteral("figureLoss"), tr("loss"), loss,
             hasLoss ? lossText(run->history.last().loss, 17) + lossUnit(run->config) : QString()},
            {QStringLiteral("figureStep"), tr("step"), run ? countText(run->stepsDone) + wanted : none,
             tr("Optimizer steps done")},
            {QStringLiteral("figureSteps"), tr("steps/s"), hasRate ? quantityText(rate, "") : none,
             tr("Measured by the engine's clock, with everything between the steps")},
            {QStringLiteral("figureSamples"), tr("samples/s"),
             hasRate ? quantityText(rate * static_cast<double>(run->config.batch), "") : none,
             hasRate ? tr("with everything between the steps: steps/s × batch = %1 × %2")
                           .arg(quantityText(rate, ""), countText(run->config.batch))
                     : QString()},
            {QStringLiteral("figureElapsed"), tr("training time"),
             hasLoss ? elapsedText(run->history.last().seconds) : none,
             tr("Since the start of training, pauses left out")},
            {QStringLiteral("figureLeft"), tr("left"), left.isEmpty() ? none : left,
             left.isEmpty() ? tr("Known while a run with a number of steps goes on")
                            : tr("steps left / steps per second")},
        };
        if (run && run->config.scalesLoss()) {
            const double scale = hasLoss ? run->history.last().lossScale : kNotKnown;
            figures.append({QStringLiteral("figureScale"), tr("loss scale"),
                            metricText(scale, Metric::LossScale),
                            tr("Factor on the loss of the newest step, so that small gradients do not become "
                               "0 in fp16")});
            figures.append({QStringLiteral("figureSkipped"), tr("skipped"), countText(run->skippedSteps),
                            tr("Steps in which a value did not fit in fp16: nothing was updated and the loss "
                               "scale backed off. Marked on the curve of the loss scale")});
        }
        m_figures->setFigures(figures);
        m_window->setText(windowText(newestShown() ? newestShown()->curve.window : 0));
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
    QStringList notes;
    if (m_size == ViewSize::Full && m_pages->currentIndex() == 0) {
        if (unseen)
            notes << tr(
                "A log axis has no place for losses that are zero, negative or not a number: they are "
                "marked at its edges.");
        if (run && run->stepsDone >= kManySteps && 2 * run->skippedSteps > run->stepsDone)
            notes << tr("%1 of %2 steps were skipped, since a value did not fit in fp16: start with a lower "
                        "loss "
                        "scale (Advanced).")
                         .arg(countText(run->skippedSteps), countText(run->stepsDone));
    }
    say(m_note, notes.join(u'\n'), ColorRole::TextMuted);
}

QString TrainingView::windowText(double steps) const {
    if (m_options.smoothing <= 0) return tr("off");
    if (steps <= 0) return QStringLiteral("–");  // no run yet, or too few steps for a mean of this width
    return steps < 1000 ? tr("±%n steps", nullptr, static_cast<int>(std::lround(steps)))
                        : tr("±%1 steps").arg(quantityText(steps, ""));
}

void TrainingView::hover(double x, ChartPanel* chart, const QPointF& pixel) {
    HoverCardContent card;
    std::optional<double> at;
    for (auto shown = m_shown.rbegin(); shown != m_shown.rend(); ++shown) {
        const StepMetrics* point = nearestPoint(shown->curve, x, m_options.axis);
        // An earlier, shorter run says nothing about a place that it never reached.
        if (!point || (x > shown->curve.lastX && !shown->newest)) continue;
        if (card.title.isEmpty())
            card.title =
                tr("step %1 · %2").arg(countText(point->step + 1), quantityText(point->seconds, "s"));
        const bool full = m_size == ViewSize::Full && shown->newest;
        card.rows.append({full ? tr("loss") : shown->run->title,
                          {lossText(point->loss, 6)},
                          colorOf(*shown),
                          shown->newest});
        if (!full) continue;
        at = xOf(*point, m_options.axis);
        for (const Metric metric : kAllMetrics)
            if (const double value = metricValue(*point, metric, *shown->run); !std::isnan(value))
                card.rows.append({metricInfo(metric).label, {metricText(value, metric)}, {}, false});
        if (std::isfinite(point->stepSeconds))
            card.rows.append({tr("step time"), {quantityText(point->stepSeconds, "s")}, {}, false});
        if (point->skipped) card.footer = tr("Skipped: a value was not finite in fp16, nothing was updated");
    }
    if (card.rows.isEmpty()) return chart->hideCard();
    if (m_companions) {
        m_companions->setCursor(at, chart);
        if (at && chart != m_chart) {
            ChartMarker marker;
            marker.x = at;
            marker.color = ColorRole::TextMuted;
            m_chart->setMarker(QStringLiteral("cursor"), marker);
        } else if (m_cursor < 0) {
            m_chart->removeMarker(QStringLiteral("cursor"));
        }
    }
    chart->showCard(card, pixel);
}

void TrainingView::leave() {
    if (m_cursor >= 0) return;  // the keyboard's stays
    m_chart->removeMarker(QStringLiteral("cursor"));
    if (m_companions) m_companions->setCursor(std::nullopt);
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
        leave();
        return m_chart->hideCard();
    }
    m_cursor = std::clamp(m_cursor, x.min, x.max);
    const StepMetrics* point = nearestPoint(m_shown.back().curve, m_cursor, m_options.axis);
    if (!point) return;
    ChartMarker marker;
    marker.x = xOf(*point, m_options.axis);
    marker.color = ColorRole::TextMuted;
    m_chart->setMarker(QStringLiteral("cursor"), marker);
    const AxisOptions y = m_chart->axis(ChartAxis::Y);
    const double height = std::isfinite(point->loss) && point->loss > 0 ? point->loss : y.min;
    hover(*marker.x, m_chart, m_chart->toPixel({*marker.x, height}));
}
}  // namespace plumb::ui
