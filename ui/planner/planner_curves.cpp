// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_curves.h"

#include "core/base/entry_at.h"
#include "core/base/quantity.h"
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {
namespace {

using planner::Input;
using planner::Output;

const QString kExpected = QStringLiteral("expected");
constexpr qreal kThin = 1, kDot = 4;

/// An axis of numbers in a unit of the planner; those without prefixes stand in the title, shares in percent.
struct UnitAxis {
    AxisOptions options;
    double factor = 1;
};

UnitAxis axisIn(std::string_view label, std::string_view unit) {
    constexpr std::array<std::string_view, 6> kWithPrefixes{"B", "B/s", "FLOP", "FLOP/s", "W", "s"};
    UnitAxis axis;
    axis.options.title = coreText(label);
    axis.options.thousands = unit.empty();
    if (std::ranges::find(kWithPrefixes, unit) != kWithPrefixes.end()) {
        axis.options.unit = toText(unit);
    } else if (unit == "1") {
        axis.factor = 100;
        axis.options.title += QStringLiteral(" [%]");
    } else if (!unit.empty()) {
        axis.options.title += QStringLiteral(" [%1]").arg(toText(unit));
    }
    return axis;
}

/// By factors where the values reach over more than one power of ten.
void fitTo(AxisOptions& axis, double least, double most) {
    constexpr double kMuch = 8;
    axis.log = least > 0 && most / least >= kMuch;
    const auto [from, to] = niceRange(axis.log ? least : 0, std::max(most, 1e-300), axis.log);
    axis.min = from;
    axis.max = to;
}

}  // namespace

PlannerCurves::PlannerCurves(Theme& theme, PlannerModel& model, QWidget* parent)
    : QObject(parent),
      m_model(model),
      m_sweepCard(new Card(theme, tr("Over one input"), parent)),
      m_frontCard(new Card(theme, tr("Time against memory"), parent)) {
    const auto chart = [&](Card* card, const char* name) {
        card->setContentMargins(8, 2, 8, 8);
        auto* panel = new ChartPanel(theme, card);
        panel->setObjectName(QString::fromLatin1(name));
        panel->setAccessibleName(card->title());
        connect(panel, &ChartPanel::left, panel, &ChartPanel::hideCard);
        card->setContent(panel);
        return panel;
    };
    m_sweep = chart(m_sweepCard, "plannerSweep");
    m_front = chart(m_frontCard, "plannerFront");
    m_sweep->addLine(QStringLiteral("low"),
                     {.label = {}, .color = ColorRole::TextMuted, .width = kThin, .pen = Qt::DotLine});
    m_sweep->addLine(QStringLiteral("high"),
                     {.label = {}, .color = ColorRole::TextMuted, .width = kThin, .pen = Qt::DotLine});
    m_sweep->addLine(kExpected, {.label = {}, .color = ColorRole::Accent});
    m_front->addLine(QStringLiteral("front"), {.label = {}, .color = ColorRole::TextMuted, .width = kThin});
    connect(m_sweep, &ChartPanel::hovered, this, [this](const QPointF& at, const QPointF&) { showRow(at); });
    connect(m_front, &ChartPanel::hovered, this,
            [this](const QPointF&, const QPointF& pixel) { showOption(pixel); });
}

void PlannerCurves::show() {
    showSweep();
    m_frontCard->setVisible(m_model.question().table == PlannerQuestion::Table::Shardings);
    if (!m_frontCard->isHidden()) showFront();
}

void PlannerCurves::showSweep() {
    const planner::Sweep& sweep = m_model.explorer().explored().sweep;
    const Output output = m_model.question().output;
    const Input over = sweepInput(m_model.inputs());
    const bool known = sweep.outputs == std::vector{output} && sweep.axis.input == over;
    QVector<QPointF> low, expected, high;
    QVector<ChartMark> marks;
    const planner::InputInfo& input = planner::info(over);
    UnitAxis x = axisIn(input.label, input.unit),
             y = axisIn(planner::info(output).label, planner::info(output).unit);
    double least = 0, most = 0, highest = 0, lowest = 0;
    QString problem;
    for (std::size_t i = 0; known && i < sweep.rows.size(); ++i) {
        const planner::SweepRow& row = sweep.rows[i];
        const auto& answer = row.answers.front();
        const double at = x.factor * row.value;
        if (!answer) {
            // The line breaks where there is no answer.
            for (QVector<QPointF>* line : {&low, &expected, &high}) line->push_back({at, std::nan("")});
            if (problem.isEmpty()) problem = forWindow(coreText(row.problem));
            continue;
        }
        low.push_back({at, y.factor * answer->low});
        expected.push_back({at, y.factor * answer->expected});
        high.push_back({at, y.factor * answer->high});
        const bool fits = !row.verdict || row.verdict->fits() || !planner::wantsVerdict(sweep.outputs);
        marks.push_back(
            {expected.last(), fits ? ColorRole::Accent : ColorRole::Bad, fits, kDot, static_cast<int>(i)});
        least = least > 0 ? std::min(least, at) : at;
        most = std::max(most, at);
        lowest = lowest > 0 ? std::min(lowest, low.last().y()) : low.last().y();
        highest = std::max(highest, high.last().y());
    }
    fitTo(x.options, least, most);
    fitTo(y.options, lowest, highest);
    m_sweep->setAxis(ChartAxis::X, x.options);
    m_sweep->setAxis(ChartAxis::Y, y.options);
    m_sweep->setLine(QStringLiteral("low"), low);
    m_sweep->setLine(QStringLiteral("high"), high);
    m_sweep->setLine(kExpected, expected);
    m_sweep->setMarks(marks);
    QString empty;
    if (marks.isEmpty())
        empty = m_model.explorer().progress() && !known ? tr("Working it out…")
                : problem.isEmpty()                     ? tr("There is no answer over this input")
                                                        : problem;
    m_sweep->setEmptyText(empty);
    const bool isOfMap = m_model.question().charts == PlannerQuestion::Charts::Training;
    m_sweepCard->setSubtitle(
        (isOfMap ? tr("%1 over %2, the first input of the map") : tr("%1 by %2"))
            .arg(coreText(planner::info(output).label), coreText(input.label)),
        tr("The line is the expected answer, dotted its ends; hollow points do not fit"));
}

void PlannerCurves::showRow(const QPointF& at) {
    const planner::Sweep& sweep = m_model.explorer().explored().sweep;
    if (sweep.rows.empty() || sweep.outputs.empty()) return m_sweep->hideCard();
    const Output output = sweep.outputs.front();
    const UnitAxis x = axisIn({}, planner::info(sweep.axis.input).unit);
    const double pixel = m_sweep->toPixel(at).x();
    const auto distance = [&](const planner::SweepRow& row) {
        return std::fabs(m_sweep->toPixel({x.factor * row.value, at.y()}).x() - pixel);
    };
    const planner::SweepRow& row = *std::ranges::min_element(sweep.rows, std::less<>(), distance);
    HoverCardContent card;
    card.title = QStringLiteral("%1 %2").arg(coreText(planner::info(sweep.axis.input).label),
                                             shortInputText(sweep.axis.input, row.value));
    const auto text = [&](double value) {
        return QStringList{grouped(planner::formatOutput(output, value))};
    };
    if (const auto& answer = row.answers.front()) {
        card.rows.push_back(
            {coreText(planner::info(output).label), text(answer->expected), std::nullopt, true});
        card.rows.push_back({tr("from"), text(answer->low), std::nullopt, false});
        card.rows.push_back({tr("to"), text(answer->high), std::nullopt, false});
    }
    card.footer = !row.problem.empty() ? forWindow(coreText(row.problem))
                  : row.verdict        ? capitalised(coreText(planner::verdictText(*row.verdict)))
                                       : QString();
    m_sweep->showCard(card);
}

void PlannerCurves::showFront() {
    const planner::ShardingSearch& search = m_model.explorer().explored().shardings;
    AxisOptions x{.title = tr("memory per device"), .unit = QStringLiteral("B")};
    AxisOptions y{.title = tr("step time"), .unit = QStringLiteral("s")};
    QVector<QPointF> line;
    QVector<ChartMark> marks;
    double most = search.available, slowest = 0, fastest = 0, least = search.available;
    for (std::size_t i = 0; i < search.front.size(); ++i) {
        const planner::ShardingOption& option = search.front[i];
        line.push_back({option.memoryBytes, option.stepSeconds});
        marks.push_back({line.last(), option.fits ? ColorRole::Good : ColorRole::Bad, option.fits, kDot,
                         static_cast<int>(i)});
        most = std::max(most, option.memoryBytes);
        least = std::min(least, option.memoryBytes);
        slowest = std::max(slowest, option.stepSeconds);
        fastest = fastest > 0 ? std::min(fastest, option.stepSeconds) : option.stepSeconds;
    }
    fitTo(x, least, most);
    fitTo(y, fastest, slowest);
    m_front->setAxis(ChartAxis::X, x);
    m_front->setAxis(ChartAxis::Y, y);
    m_front->setLine(QStringLiteral("front"), line);
    m_front->setMarks(marks);
    m_front->removeMarker(QStringLiteral("capacity"));
    if (search.available > 0)
        m_front->setMarker(QStringLiteral("capacity"),
                           {.x = search.available,
                            .y = {},
                            .text = tr("capacity %1").arg(quantityText(search.available, "B")),
                            .color = ColorRole::TextMuted});
    const QString problem = m_model.explorer().explored().tableProblem;
    m_front->setEmptyText(!marks.isEmpty()                ? QString()
                          : m_model.explorer().progress() ? tr("Trying the combinations…")
                          : problem.isEmpty()             ? tr("There is nothing to spread")
                                                          : problem);
    m_frontCard->setSubtitle(tr("ways to spread the work that no other beats in both"));
}

void PlannerCurves::showOption(const QPointF& pixel) {
    const std::vector<planner::ShardingOption>& front = m_model.explorer().explored().shardings.front;
    const auto tag = m_front->markAt(pixel);
    if (!tag || *tag >= static_cast<int>(front.size())) return m_front->hideCard();
    const planner::ShardingOption& option = entryAt(front, *tag);
    HoverCardContent card;
    card.title = coreText(planner::layoutText(option.layout));
    const auto row = [&](const QString& name, const QString& value) {
        card.rows.push_back({name, {value}, std::nullopt, false});
    };
    row(tr("recomputation"), coreText(planner::name(option.recompute)));
    row(tr("memory"), quantityText(option.memoryBytes, "B"));
    row(tr("step time"), quantityText(option.stepSeconds, "s"));
    row(tr("MFU"), QStringLiteral("%1 %").arg(numberText(100 * option.mfu, 'f', 1)));
    card.footer = option.fits ? tr("fits") : tr("does not fit");
    m_front->showCard(card);
}

}  // namespace plumb::ui
