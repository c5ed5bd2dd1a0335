// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_chart.h"

#include "core/base/entry_at.h"
#include "ui/charts/chart_panel.h"
#include "ui/planner/evidence_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractScrollArea>
#include <QKeyEvent>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {
namespace {

constexpr qreal kEvidenceDot = 3.8;
constexpr double kMargin = 1.5;  // of the axes around the outermost dots, as a factor
const QString kEqual = QStringLiteral("equal");
const QString kAbove = QStringLiteral("above");
const QString kBelow = QStringLiteral("below");
const QString kFittedUse = QStringLiteral("use.fitted");
const QString kValidatedUse = QStringLiteral("use.validated");

/// Colours that are told apart with little light and by colour-blind readers, in the order of the groups.
constexpr std::array<ChartColor, 10> kGroupColours{
    Phase::Forward,   Category::Activations, Category::OptimizerState,      Category::Gradients,
    Phase::Loss,      Phase::Recompute,      Category::ActivationGradients, Category::Data,
    ColorRole::Ghost, ColorRole::TextMuted};
constexpr std::array kColourDivisions{std::string_view("regime"), std::string_view("software")};

ChartColor colourOf(int group) {
    return kGroupColours.at(static_cast<std::size_t>(group) % kGroupColours.size());
}

}  // namespace

EvidenceChart::EvidenceChart(Theme& theme, EvidenceModel& model, QWidget* parent)
    : QObject(parent),
      m_model(model),
      m_card(new Card(theme, tr("Predicted against published"), parent)),
      m_chart(new ChartPanel(theme, m_card)),
      m_colours(new SegmentedControl(theme, {tr("device"), tr("regime"), tr("software")},
                                     QStringLiteral("evidenceColours"), m_card)) {
    m_card->setContentMargins(8, 2, 8, 8);
    m_card->addHeaderWidget(m_colours);
    m_colours->setCurrent(0);
    m_colours->setAccessibleName(tr("What colours tell apart"));
    m_card->setContent(m_chart);
    m_chart->setObjectName(QStringLiteral("evidenceChart"));
    m_chart->setAccessibleName(m_card->title());
    m_chart->addLine(kBelow, {.label = {}, .color = ColorRole::TextMuted, .width = 1, .pen = Qt::DashLine});
    m_chart->addLine(
        kAbove,
        {.label = {}, .color = ColorRole::TextMuted, .width = 1, .pen = Qt::DashLine, .bandTo = kBelow});
    m_chart->addLine(kEqual, {.label = {}, .color = ColorRole::TextMuted, .width = 1.2});
    m_chart->installEventFilter(this);
    if (auto* canvas = m_chart->findChild<QAbstractScrollArea*>(QStringLiteral("chartCanvas")))
        canvas->viewport()->installEventFilter(this);
    connect(m_colours, &SegmentedControl::chosen, this, [this] {
        m_hidden.clear();
        show();
    });
    connect(m_chart, &ChartPanel::legendToggled, this, [this](const QString& id, bool checked) {
        if (checked)
            m_hidden.remove(id);
        else
            m_hidden.insert(id);
        showMarks();
        showLegend();
    });
    connect(m_chart, &ChartPanel::hovered, this, [this](const QPointF&, const QPointF& pixel) {
        const auto row = m_chart->markAt(pixel);
        if (row)
            showCard(*row, pixel);
        else
            m_chart->hideCard();
    });
    connect(m_chart, &ChartPanel::left, m_chart, &ChartPanel::hideCard);
    connect(m_chart, &ChartPanel::clicked, this, [this](const QPointF&, const QPointF& pixel) {
        if (const auto row = m_chart->markAt(pixel)) m_model.select(*row);
    });
    connect(m_chart, &ChartPanel::keyPressed, this, &EvidenceChart::step);
    connect(&model, &EvidenceModel::selectionChanged, this, &EvidenceChart::showMarks);
    connect(&model, &EvidenceModel::filtered, this, &EvidenceChart::show);
}

QString EvidenceChart::groupOf(const planner::PublishedTraining& row) const {
    const int by = m_colours->current();
    if (by <= 0) return toText(planner::familyOf(row));
    const auto name = entryAt(kColourDivisions, by - 1);
    const auto all = planner::divisions();
    return toText(std::ranges::find(all, name, &planner::Division::name)->of(m_model.evidence(), row));
}

/// The groups of all rows, so that a colour stays what it is when a filter changes.
void EvidenceChart::gather() {
    const planner::Figure figure = m_model.filter().figure;
    m_groups.clear();
    for (const planner::ValidatedRow& row : m_model.rows())
        if (const QString group = groupOf(*row.row); !m_groups.contains(group)) m_groups << group;
    m_groups.sort();
    m_points.clear();
    for (const int row : m_model.shown()) {
        const planner::ValidatedRow& at = entryAt(m_model.rows(), row);
        if (!at.error(figure)) continue;
        m_points.push_back({row,
                            static_cast<int>(m_groups.indexOf(groupOf(*at.row))),
                            {*at.published(figure), at.predicted(figure)->expected}});
    }
    std::ranges::stable_sort(m_points, {}, [](const Point& point) { return point.at.x(); });
}

bool EvidenceChart::isDrawn(const Point& point) const {
    return !m_hidden.contains(QString::number(point.group)) &&
           !m_hidden.contains(m_model.fits(entryAt(m_model.rows(), point.row)) ? kFittedUse : kValidatedUse);
}

void EvidenceChart::show() {
    gather();
    showLines();
    showMarks();
    showLegend();
    const bool time = m_model.filter().figure == planner::Figure::Time;
    m_chart->setEmptyText(!m_points.empty() ? QString()
                          : m_model.filter().narrows()
                              ? tr("No training with a prediction is left: clear the filters")
                              : tr("There is no training with a prediction"));
    const double band = planner::goalsOf(m_model.filter().figure).ninetieth;
    m_card->setSubtitle(
        tr("%1 · line: equal · band: ±%2")
            .arg(time ? tr("time of a step") : tr("memory of the fullest device"), evidenceShare(band, 0)),
        tr("Filled: priors were fitted on the source; hollow: nothing was. Above the line: "
           "predicted %1. Control and the wheel zoom, 0 shows all.")
            .arg(time ? tr("too slow") : tr("too much")));
}

void EvidenceChart::showLines() {
    const bool time = m_model.filter().figure == planner::Figure::Time;
    double least = 0, most = 0;
    for (const Point& point : m_points) {
        const double low = std::min(point.at.x(), point.at.y());
        least = least > 0 ? std::min(least, low) : low;
        most = std::max({most, point.at.x(), point.at.y()});
    }
    if (!(least > 0)) least = most = 1;
    least /= kMargin;
    most *= kMargin;
    m_whole = {std::log(least), std::log(most)};
    AxisOptions axis{.title = time ? tr("published step time") : tr("published memory of a device"),
                     .unit = time ? QStringLiteral("s") : QStringLiteral("B"),
                     .log = true,
                     .min = least,
                     .max = most};
    m_chart->setAxis(ChartAxis::X, axis);
    axis.title = time ? tr("predicted step time") : tr("predicted memory of a device");
    m_chart->setAxis(ChartAxis::Y, axis);
    const double band = planner::goalsOf(m_model.filter().figure).ninetieth;
    QVector<ChartLabel> labels;
    for (const auto& [id, factor] :
         {std::pair{kEqual, 1.0}, std::pair{kAbove, 1 + band}, std::pair{kBelow, 1 - band}}) {
        const QPointF from{least, factor * least}, to{most, factor * most};
        m_chart->setLine(id, {from, to});
        if (factor == 1) continue;
        const QString text =
            (factor > 1 ? QStringLiteral("+") : QStringLiteral("−")) + evidenceShare(band, 0);
        ChartLabel label{{std::sqrt(least * most), factor * std::sqrt(least * most)}, text};
        label.prefer = Qt::AlignLeft | Qt::AlignVCenter;
        label.along = {from, to};
        labels.push_back(label);
    }
    m_chart->setLabels(labels);
}

void EvidenceChart::showMarks() {
    QVector<ChartMark> marks;
    const auto add = [&](const Point& point) {
        const bool fits = m_model.fits(entryAt(m_model.rows(), point.row));
        marks.push_back({point.at, colourOf(point.group), fits, kEvidenceDot, point.row,
                         m_model.selected() == point.row});
    };
    // Hollow ones over filled ones, the chosen one over all.
    const Point* chosen = nullptr;
    for (const bool fits : {true, false})
        for (const Point& point : m_points) {
            if (!isDrawn(point) || m_model.fits(entryAt(m_model.rows(), point.row)) != fits) continue;
            if (m_model.selected() == point.row)
                chosen = &point;
            else
                add(point);
        }
    if (chosen != nullptr) add(*chosen);
    m_chart->setMarks(marks);
    QString said = tr("%1 trainings. Arrow keys go from one to the next by what was published, Enter plans "
                      "with it.")
                       .arg(marks.size());
    if (chosen != nullptr) {
        const planner::ValidatedRow& row = entryAt(m_model.rows(), chosen->row);
        said = tr("Chosen: %1, error %2. ")
                   .arg(evidenceTitle(row), evidenceDeviation(row.deviation(m_model.filter().figure))) +
               said;
    }
    m_chart->setAccessibleDescription(said);
}

void EvidenceChart::showLegend() {
    QVector<LegendEntry> legend;
    const auto count = [&](const auto& is) { return static_cast<int>(std::ranges::count_if(m_points, is)); };
    for (int group = 0; group < m_groups.size(); ++group) {
        const int size = count([&](const Point& point) { return point.group == group; });
        const QString id = QString::number(group);
        if (size > 0)
            legend.push_back({id, m_groups[group], QString::number(size), colourOf(group),
                              LegendEntry::Swatch::Square, true, !m_hidden.contains(id)});
    }
    for (const bool fits : {true, false}) {
        const QString id = fits ? kFittedUse : kValidatedUse;
        const int size = count(
            [&](const Point& point) { return m_model.fits(entryAt(m_model.rows(), point.row)) == fits; });
        if (size > 0)
            legend.push_back({id, fits ? tr("fitted") : tr("validated only"), QString::number(size),
                              ColorRole::TextMuted,
                              fits ? LegendEntry::Swatch::Dot : LegendEntry::Swatch::Circle, true,
                              !m_hidden.contains(id)});
    }
    m_chart->setLegend(legend);
}

void EvidenceChart::showCard(int row, const QPointF& at) {
    const planner::ValidatedRow& shown = entryAt(m_model.rows(), row);
    const planner::Figure figure = m_model.filter().figure;
    HoverCardContent card;
    card.title = evidenceTitle(shown);
    const auto add = [&](const QString& name, const QString& value, bool strong = false) {
        card.rows.push_back({name, {value}, std::nullopt, strong});
    };
    add(tr("device"), tr("%1 × %2")
                          .arg(shown.row->scenario.cluster.devices)
                          .arg(deviceText(*shown.row->scenario.cluster.device)));
    add(tr("published"), evidenceFigure(figure, shown.published(figure)));
    if (const auto& range = shown.predicted(figure)) {
        add(tr("predicted"), evidenceFigure(figure, range->expected), true);
        add(tr("range"),
            tr("%1 to %2").arg(evidenceFigure(figure, range->low), evidenceFigure(figure, range->high)));
    }
    add(tr("error"), evidenceDeviation(shown.deviation(figure)));
    const planner::EvidenceSource& source = m_model.evidence().sources[shown.row->source];
    card.footer =
        tr("%1\n%2").arg(toText(source.id), m_model.fits(shown) ? tr("fitted") : tr("validated only"));
    m_chart->showCard(card, at);
}

void EvidenceChart::step(int key) {
    std::vector<const Point*> drawn;
    for (const Point& point : m_points)
        if (isDrawn(point)) drawn.push_back(&point);
    if (drawn.empty()) return;
    if (key == Qt::Key_Escape) return m_model.select(std::nullopt);
    if (key == Qt::Key_Up) key = Qt::Key_Right;
    if (key == Qt::Key_Down) key = Qt::Key_Left;
    const auto chosen =
        std::ranges::find_if(drawn, [&](const Point* point) { return m_model.selected() == point->row; });
    const int current = chosen == drawn.end() ? -1 : static_cast<int>(chosen - drawn.begin());
    const auto next = steppedTo(key, current, static_cast<int>(drawn.size()));
    if (!next) return;
    const Point& point = *entryAt(drawn, *next);
    m_model.select(point.row);
    showCard(point.row, m_chart->toPixel(point.at));
}

/// Both axes alike, so that the diagonal stays one.
void EvidenceChart::zoom(double factor, const QPointF& about) {
    if (!m_whole) return;
    constexpr double kMostZoom = 0.04;
    const auto [least, most] = *m_whole;
    for (const auto& [which, at] : {std::pair{ChartAxis::X, about.x()}, std::pair{ChartAxis::Y, about.y()}}) {
        AxisOptions axis = m_chart->axis(which);
        const double middle = std::log(at), low = std::log(axis.min), high = std::log(axis.max);
        double span = std::clamp((high - low) * factor, kMostZoom * (most - least), most - least);
        const double from = std::clamp(middle - (middle - low) * span / (high - low), least, most - span);
        axis.min = std::exp(from);
        axis.max = std::exp(from + span);
        m_chart->setAxis(which, axis);
    }
    m_chart->hideCard();
}

bool EvidenceChart::eventFilter(QObject* watched, QEvent* event) {
    constexpr double kStep = 0.8;
    if (event->type() == QEvent::Wheel) {
        const auto& wheel = *static_cast<QWheelEvent*>(event);
        if (wheel.modifiers() & Qt::ControlModifier && wheel.angleDelta().y() != 0) {
            const auto* canvas = qobject_cast<QWidget*>(watched);
            const QPointF at = canvas->mapTo(m_chart, wheel.position().toPoint());
            zoom(std::pow(kStep, wheel.angleDelta().y() / 120.0), m_chart->toData(at));
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress && watched == m_chart) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const QPointF middle = m_chart->toData(m_chart->plotRect().center());
        if (key == Qt::Key_Plus || key == Qt::Key_Equal) return zoom(kStep, middle), true;
        if (key == Qt::Key_Minus) return zoom(1 / kStep, middle), true;
        if (key == Qt::Key_0) return showLines(), true;
        if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_model.selected())
            return emit planWanted(*m_model.selected()), true;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace plumb::ui
