// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/engine/lab_engine.h"
#include "ui/lab/einsum_page.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/tone_label.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStandardItemModel>

#include <algorithm>
#include <tuple>

namespace plumb::ui {
namespace {

constexpr int kSizesPerRow = 5;

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

void EinsumPage::showTiming() {
    const LabEngine& engine = m_context.engine;
    const QString whyNot = engine.whyNotTime();
    m_time->setText(engine.timing() ? tr("Cancel") : tr("Time it"));
    m_time->setEnabled(engine.timing() || (whyNot.isEmpty() && m_state.valid()));
    m_time->setToolTip(engine.timing()    ? tr("Stops the timing")
                       : whyNot.isEmpty() ? tr("Runs the expression on this machine and takes the time")
                                          : whyNot);
    if (!m_measured || m_measured->of.text != m_input.text || m_measured->of.sizes != m_input.sizes ||
        m_measured->of.dtype != m_input.dtype) {
        m_measured.reset();
        if (engine.timing()) return m_timed->showText(tr("Timing…"), ColorRole::TextMuted);
        return m_timed->showText(m_refusal, ColorRole::Bad);
    }
    const protocol::EinsumTimed& result = m_measured->result;
    QString text =
        tr("Measured on %1: %2 (median of %3, fastest %4), %5")
            .arg(m_measured->machine.name.empty() ? tr("the engine's processor")
                                                  : QString::fromStdString(m_measured->machine.name),
                 QString::fromStdString(formatQuantity(result.median, "s")))
            .arg(result.runs)
            .arg(QString::fromStdString(formatQuantity(result.fastest, "s")),
                 QString::fromStdString(result.implementation));
    if (m_state.workFlops > 0 && result.median > 0)
        text += tr("; %1").arg(QString::fromStdString(
            formatQuantity(static_cast<double>(m_state.workFlops) / result.median, "FLOP/s")));
    if (m_state.cost.flops == 0 && result.median > 0)
        text += tr("; %1").arg(QString::fromStdString(
            formatQuantity(static_cast<double>(m_state.cost.bytes) / result.median, "B/s")));
    if (m_state.workFlops != m_state.cost.flops) text += tr(" in the best order");
    const Machine* device = machine();
    if (m_state.bound && device && device->id == m_measured->machine.id && m_state.bound->seconds > 0 &&
        m_state.workFlops == m_state.cost.flops)
        text += tr("; %1 times the least time").arg(result.median / m_state.bound->seconds, 0, 'g', 3);
    m_timed->showText(text, ColorRole::Measured);
}

void EinsumPage::showState(EinsumState state) {
    m_error->setText(state.error);
    m_error->setVisible(!state.valid());
    m_results->setEnabled(state.valid());
    if (!state.valid() && state.dimensions.empty()) return;  // what is shown stays, greyed
    m_state = std::move(state);
    showSizes();
    if (!m_state.valid()) return;
    showFigures();
    showTables();
    showTiming();
    showRoofline();
}

void EinsumPage::showSizes() {
    QStringList wanted;
    for (const auto& [name, size] : m_state.dimensions) wanted << name;
    if (wanted != m_sizeOrder) {
        for (auto& [name, entry] : m_sizeEntries) {
            m_sizes->removeWidget(entry.label);
            m_sizes->removeWidget(entry.field);
            entry.label->setVisible(wanted.contains(name));
            entry.field->setVisible(wanted.contains(name));
        }
        for (int i = 0; i < wanted.size(); ++i) {
            SizeEntry& entry = m_sizeEntries[wanted[i]];
            if (!entry.field) {
                QWidget* parent = m_text->parentWidget();
                entry.label = new ToneLabel(m_context.view.theme, ColorRole::TextMuted, parent);
                entry.label->setText(wanted[i]);
                entry.field = new SizeField(parent);
                entry.field->setObjectName(QStringLiteral("einsumSize ") + wanted[i]);
                entry.field->setAccessibleName(tr("Size of %1").arg(wanted[i]));
                entry.label->setBuddy(entry.field);
                connect(entry.field, &SizeField::valueEntered, this, [this, name = wanted[i]](qint64 value) {
                    EinsumInput input = m_input;
                    input.text = m_text->text().trimmed();
                    input.sizes[name.toStdString()] = value;
                    const EinsumState next = makeEinsumState(input, m_machines);
                    if (next.valid()) return change(input, tr("size of %1").arg(name));
                    m_error->setText(next.error);
                    m_error->show();
                });
                connect(entry.field, &SizeField::rejected, this, [this](const QString& sentence) {
                    m_error->setText(sentence);
                    m_error->show();
                });
                connect(entry.field, &SizeField::accepted, m_error, &QWidget::hide);
            }
            const int row = i / kSizesPerRow;
            m_sizes->addWidget(entry.label, row, 2 * (i % kSizesPerRow), Qt::AlignRight | Qt::AlignVCenter);
            m_sizes->addWidget(entry.field, row, 2 * (i % kSizesPerRow) + 1);
            entry.label->show();
            entry.field->show();
        }
        m_sizeOrder = wanted;
        // The order of the dimensions is that of the tab key.
        QWidget* before = m_text;
        for (const QString& name : wanted) {
            setTabOrder(before, m_sizeEntries[name].field);
            before = m_sizeEntries[name].field;
        }
    }
    for (const auto& [name, size] : m_state.dimensions) m_sizeEntries[name].field->showValue(size);
}

void EinsumPage::showFigures() {
    Theme& theme = m_context.view.theme;
    const auto count = static_cast<std::size_t>(m_state.figures.size());
    while (m_figures.size() < count) {
        const auto row = static_cast<int>(m_figures.size());
        QWidget* parent = m_detailChoice->parentWidget();
        FigureLabels labels;
        labels.name = new ToneLabel(theme, ColorRole::TextMuted, parent);
        labels.value = new ToneLabel(theme, ColorRole::TextStrong, parent);
        labels.value->setObjectName(QStringLiteral("einsumFigure%1").arg(row));
        labels.value->setStrong();
        labels.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        labels.formula = new ToneLabel(theme, ColorRole::TextMuted, parent);
        labels.formula->setElided();
        m_figureGrid->addWidget(labels.name, row, 0);
        m_figureGrid->addWidget(labels.value, row, 1);
        m_figureGrid->addWidget(labels.formula, row, 2);
        m_figures.push_back(labels);
    }
    for (std::size_t i = 0; i < m_figures.size(); ++i) {
        const FigureLabels& labels = m_figures[i];
        const bool used = i < count;
        labels.name->setVisible(used);
        labels.value->setVisible(used);
        labels.formula->setVisible(used);
        if (!used) continue;
        const EinsumFigure& figure = m_state.figures[static_cast<qsizetype>(i)];
        labels.name->setText(figure.name);
        labels.value->showText(figure.value, figure.tone);
        labels.value->setToolTip(figure.formula);
        labels.formula->setText(figure.formula);
        labels.formula->setToolTip(figure.formula);
    }
}

void EinsumPage::showTables() {
    const auto fill = [](QStandardItemModel* model, const QVector<QStringList>& rows) {
        model->removeRows(0, model->rowCount());
        for (const QStringList& row : rows) {
            QList<QStandardItem*> items;
            for (const QString& text : row) {
                auto* item = new QStandardItem(text);
                item->setToolTip(text);
                items << item;
            }
            model->appendRow(items);
        }
    };
    QVector<QStringList> gradients;
    for (const EinsumGradient& gradient : m_state.gradients)
        gradients.push_back({gradient.operand, gradient.text.isEmpty() ? QStringLiteral("–") : gradient.text,
                             gradient.flops, gradient.time, gradient.note});
    fill(m_gradients, gradients);
    QVector<QStringList> order;
    for (const EinsumOrderStep& step : m_state.order)
        order.push_back({step.product, step.flops, step.result});
    fill(m_order, order);
    m_orderNote->setText(m_state.orderNote);
    m_loops->setPlainText(m_state.loops);
}

void EinsumPage::showRoofline() {
    const Machine* device = machine();
    if (!m_state.bound || !device) {
        m_roofline->setEmptyText(m_state.whyNoBound);
        m_roofline->setLegend({});
        return;
    }
    m_roofline->setEmptyText({});
    const lab::ExpressionBound& bound = *m_state.bound;
    double least = std::min(0.1, bound.balance / 10), most = std::max(1000.0, bound.balance * 10);
    for (const EinsumPoint& point : m_state.points) {
        least = std::min(least, point.intensity / 2);
        most = std::max(most, point.intensity * 2);
    }
    std::tie(least, most) = niceRange(least, most, true);
    double slowest = least * bound.bandwidthBytesPerSecond;
    // What runs in the best order has another intensity than the one loop nest that is drawn.
    const bool measured = m_measured && m_measured->machine.id == device->id && m_state.cost.flops > 0 &&
                          m_state.workFlops == m_state.cost.flops;
    const double measuredRate =
        measured ? static_cast<double>(m_state.cost.flops) / m_measured->result.median : 0;
    if (measured) slowest = std::min(slowest, measuredRate / 2);
    const auto [low, high] = niceRange(slowest, bound.peakFlopPerSecond * 1.5, true);
    m_roofline->setAxis(ChartAxis::X, {tr("arithmetic intensity, FLOP / byte"), {}, true, least, most, true});
    m_roofline->setAxis(ChartAxis::Y, {tr("FLOP/s"), {}, true, low, high, true, {}, true});
    m_roofline->addLine(QStringLiteral("roof"), {{}, ColorRole::TextStrong, 1.8, Qt::SolidLine, 1, false});
    m_roofline->setLine(QStringLiteral("roof"), {{least, least * bound.bandwidthBytesPerSecond},
                                                 {bound.balance, bound.peakFlopPerSecond},
                                                 {most, bound.peakFlopPerSecond}});
    m_roofline->setMarker(QStringLiteral("balance"),
                          {bound.balance, std::nullopt, {}, ColorRole::Axis, Qt::DotLine, 1, 0});
    QVector<ChartMark> marks;
    QVector<ChartLabel> labels{
        {{most, bound.peakFlopPerSecond},
         QStringLiteral("%1 %2").arg(
             fromView(dtypeName(bound.peakDtype)),
             QString::fromStdString(formatQuantity(bound.peakFlopPerSecond, "FLOP/s"))),
         ColorRole::TextStrong,
         true,
         90,
         Qt::AlignLeft | Qt::AlignTop},
        {{bound.balance, low},
         tr("balance %1").arg(QString::fromStdString(formatQuantity(bound.balance, "FLOP/B"))),
         ColorRole::TextMuted,
         false,
         70,
         Qt::AlignRight | Qt::AlignTop}};
    for (int i = 0; i < m_state.points.size(); ++i) {
        const EinsumPoint& point = m_state.points[i];
        const bool own = point.kind == EinsumPoint::Kind::Expression;
        const bool ladder = point.kind == EinsumPoint::Kind::Ladder;
        marks.push_back({{point.intensity, point.rate},
                         ladder ? ChartColor(ColorRole::Ghost) : ChartColor(ColorRole::Accent),
                         own,
                         own ? 6.0 : 4.5,
                         i,
                         own});
        ChartLabel label{{point.intensity, point.rate},
                         point.label,
                         own ? ColorRole::TextStrong : ColorRole::TextMuted,
                         own,
                         own      ? 100
                         : ladder ? 30 - i
                                  : 60,
                         Qt::AlignRight | Qt::AlignBottom};
        label.merges = !own;
        labels.push_back(label);
    }
    if (measured) {
        marks.push_back({{m_state.cost.intensity, measuredRate}, ColorRole::Measured, true, 6.0, -1, false});
        labels.push_back({{m_state.cost.intensity, measuredRate},
                          tr("measured"),
                          ColorRole::Measured,
                          true,
                          95,
                          Qt::AlignRight | Qt::AlignBottom});
    }
    m_roofline->setMarks(marks);
    m_roofline->setLabels(labels);
    using Swatch = LegendEntry::Swatch;
    m_roofline->setLegend(
        {{QStringLiteral("own"), tr("this expression"), {}, ColorRole::Accent, Swatch::Dot},
         {QStringLiteral("gradients"), tr("its gradients"), {}, ColorRole::Accent, Swatch::Circle},
         {QStringLiteral("ladder"), tr("the ladder of examples"), {}, ColorRole::Ghost, Swatch::Circle}});
    m_roofline->setAccessibleName(tr("Roofline of %1: %2 FLOP per byte, bound by %3")
                                      .arg(QString::fromStdString(device->name),
                                           QString::number(m_state.cost.intensity, 'g', 3),
                                           bound.computeBound ? tr("compute") : tr("memory")));
}

}  // namespace plumb::ui
