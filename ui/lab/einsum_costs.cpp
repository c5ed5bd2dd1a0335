// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/einsum_costs.h"

#include "ui/lab/fixed_font.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tone_label.h"
#include "ui/widgets/whole_label.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTextLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

constexpr int kBetweenColumns = 12;

/// Cells that leave room between the texts of two columns, which stand side by side at the left.
class SpacedCells final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(kBetweenColumns, 0);
    }
};

/// Letters that the font has not come from another one, whose lines are higher above their base line.
int ascentOf(const QLabel& label) {
    QTextLayout text(label.text(), label.font());
    text.beginLayout();
    QTextLine first = text.createLine();
    if (first.isValid()) first.setLineWidth(QWIDGETSIZE_MAX);
    text.endLayout();
    return first.isValid() ? qRound(first.ascent()) : 0;
}

void putOnOneLine(const std::array<QLabel*, 3>& labels) {
    int highest = 0;
    for (const QLabel* label : labels) highest = std::max(highest, ascentOf(*label));
    for (QLabel* label : labels) label->setContentsMargins(0, highest - ascentOf(*label), 0, 0);
}

}  // namespace

EinsumCosts::EinsumCosts(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
    m_figureGrid = new QGridLayout;
    m_figureGrid->setHorizontalSpacing(12);
    m_figureGrid->setVerticalSpacing(4);
    m_figureGrid->setColumnStretch(2, 1);
    m_detailChoice = new SegmentedControl(theme, {tr("Gradients"), tr("Best order"), tr("Loops")},
                                          QStringLiteral("einsumDetail"), this);
    m_detailChoice->setAccessibleName(tr("Details"));
    m_detailChoice->setCurrent(0);
    m_details = new QStackedWidget(this);
    m_gradients = new QStandardItemModel(this);
    m_gradients->setHorizontalHeaderLabels(
        {tr("of", "a gradient"), tr("is", "a gradient"), tr("FLOP"), tr("time"), tr("note")});
    m_order = new QStandardItemModel(this);
    m_order->setHorizontalHeaderLabels({tr("product"), tr("FLOP"), tr("result")});
    auto* gradients = makeTable("einsumGradients", tr("Gradients"), m_gradients);
    gradients->setToolTip(tr("Enter or a double click takes a gradient as the expression"));
    m_details->addWidget(gradients);
    m_details->addWidget(makeOrder());
    m_loops = new QPlainTextEdit(m_details);
    m_loops->setObjectName(QStringLiteral("einsumLoops"));
    m_loops->setAccessibleName(tr("Loops"));
    m_loops->setReadOnly(true);
    m_loops->setFrameShape(QFrame::NoFrame);
    m_loops->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_loops->setFont(fixedFont(font()));
    m_details->addWidget(m_loops);
    auto* choice = new QHBoxLayout;
    choice->addWidget(m_detailChoice);
    choice->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(m_figureGrid);
    column->addLayout(choice);
    column->addWidget(m_details, 1);
    connect(m_detailChoice, &SegmentedControl::chosen, m_details, &QStackedWidget::setCurrentIndex);
    connect(gradients, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit gradientTaken(index.row()); });
}

QTableView* EinsumCosts::makeTable(const char* name, const QString& title, QStandardItemModel* model) {
    auto* table = new QTableView(m_details);
    table->setObjectName(QLatin1String(name));
    table->setAccessibleName(title);
    table->setModel(model);
    setUpDataTable(*table);
    table->setItemDelegate(new SpacedCells(table));
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    return table;
}

QWidget* EinsumCosts::makeOrder() {
    auto* order = new QWidget(m_details);
    auto* column = new QVBoxLayout(order);
    column->setContentsMargins(0, 0, 0, 0);
    m_orderNote = new ToneLabel(m_theme, ColorRole::TextMuted, order);
    m_orderNote->setObjectName(QStringLiteral("einsumOrderNote"));
    m_orderNote->setWordWrap(true);
    column->addWidget(m_orderNote);
    column->addWidget(makeTable("einsumOrder", tr("Best order"), m_order), 1);
    return order;
}

void EinsumCosts::show(const EinsumState& state) {
    showFigures(state.figures);
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
    for (const EinsumGradient& gradient : state.gradients)
        gradients.push_back({gradient.operand, gradient.text.isEmpty() ? QStringLiteral("–") : gradient.text,
                             gradient.flops, gradient.time, gradient.note});
    fill(m_gradients, gradients);
    QVector<QStringList> order;
    for (const EinsumOrderStep& step : state.order) order.push_back({step.product, step.flops, step.result});
    fill(m_order, order);
    m_orderNote->setText(state.orderNote);
    m_loops->setPlainText(state.loops);
}

void EinsumCosts::showFigures(const QVector<EinsumFigure>& figures) {
    const auto count = static_cast<std::size_t>(figures.size());
    while (m_figures.size() < count) {
        const auto row = static_cast<int>(m_figures.size());
        QWidget* parent = m_detailChoice->parentWidget();
        FigureLabels labels;
        labels.name = new ToneLabel(m_theme, ColorRole::TextMuted, parent);
        labels.value = new ToneLabel(m_theme, ColorRole::TextStrong, parent);
        labels.value->setObjectName(QStringLiteral("einsumFigure%1").arg(row));
        labels.value->setStrong();
        labels.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        labels.formula = new ToneLabel(m_theme, ColorRole::TextMuted, parent);
        labels.formula->setObjectName(QStringLiteral("einsumFormula%1").arg(row));
        labels.formula->setWordWrap(true);
        labels.formula->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        new WholeLabel(*labels.formula);
        m_figureGrid->addWidget(labels.name, row, 0, Qt::AlignTop);
        m_figureGrid->addWidget(labels.value, row, 1, Qt::AlignTop);
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
        const EinsumFigure& figure = figures[static_cast<qsizetype>(i)];
        labels.name->setText(figure.name);
        labels.value->showText(figure.value, figure.tone);
        labels.value->setToolTip(figure.formula);
        labels.formula->setText(figure.formula);
        labels.formula->setToolTip(figure.formula);
        putOnOneLine({labels.name, labels.value, labels.formula});
    }
}

void EinsumCosts::reveal(QWidget* control) {
    for (int i = 0; i < m_details->count(); ++i) {
        if (m_details->widget(i) != control && !m_details->widget(i)->isAncestorOf(control)) continue;
        m_detailChoice->setCurrent(i);
        m_details->setCurrentIndex(i);
    }
}

}  // namespace plumb::ui
