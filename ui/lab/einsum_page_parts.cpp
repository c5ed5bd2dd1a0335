// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_panel.h"
#include "ui/engine/lab_engine.h"
#include "ui/lab/einsum_page.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tone_label.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFontDatabase>
#include <QGridLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

constexpr int kSizesPerRow = 5;

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

QWidget* EinsumPage::makeExpressionCard() {
    Theme& theme = m_context.view.theme;
    auto* card = new Card(theme, tr("An expression over named dimensions"), this);
    card->setObjectName(QStringLiteral("einsumCard"));
    card->setContentMargins(16, 8, 16, 12);
    card->setSubtitle(tr("a product: batch in, in out -> batch out; also (h w), mean:, repeat:, relu:"));
    auto* copyButton = new QPushButton(tr("Copy"), card);
    copyButton->setObjectName(QStringLiteral("einsumCopy"));
    copyButton->setToolTip(tr("Copy what the page says as text"));
    connect(copyButton, &QPushButton::clicked, this, &EinsumPage::copy);
    card->addHeaderWidget(copyButton);

    auto* content = new QWidget(card);
    m_text = new QLineEdit(content);
    m_text->setObjectName(QStringLiteral("einsumText"));
    m_text->setAccessibleName(tr("Expression"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_dtype = new QComboBox(content);
    m_dtype->setObjectName(QStringLiteral("einsumDtype"));
    m_dtype->setAccessibleName(tr("Element type"));
    for (const Dtype dtype : kAllDtypes)
        m_dtype->addItem(fromView(dtypeName(dtype)), static_cast<int>(dtype));
    m_device = new QComboBox(content);
    m_device->setObjectName(QStringLiteral("einsumDevice"));
    m_device->setAccessibleName(tr("Device"));
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setMinimumContentsLength(14);
    auto* presets = new QComboBox(content);
    presets->setObjectName(QStringLiteral("einsumPresets"));
    presets->setAccessibleName(tr("Examples"));
    presets->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    presets->setMinimumContentsLength(10);
    presets->addItem(tr("Examples…"));
    for (const EinsumPreset& preset : einsumPresets()) {
        presets->addItem(preset.title);
        presets->setItemData(presets->count() - 1, preset.text, Qt::ToolTipRole);
    }
    presets->view()->setMinimumWidth(320);
    auto* entry = new QHBoxLayout;
    entry->setSpacing(8);
    entry->addWidget(m_text, 1);
    entry->addWidget(presets);
    entry->addWidget(m_dtype);
    entry->addWidget(m_device);
    m_error = new ToneLabel(theme, ColorRole::Bad, content);
    m_error->setObjectName(QStringLiteral("einsumError"));
    m_error->setWordWrap(true);
    m_error->hide();
    m_sizes = new QGridLayout;
    m_sizes->setHorizontalSpacing(6);
    m_sizes->setVerticalSpacing(4);
    m_sizes->setColumnStretch(2 * kSizesPerRow, 1);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(entry);
    column->addWidget(m_error);
    column->addLayout(m_sizes);
    card->setContent(content);
    connect(m_text, &QLineEdit::textEdited, this, &EinsumPage::typing);
    connect(m_text, &QLineEdit::editingFinished, this, &EinsumPage::commit);
    connect(m_dtype, &QComboBox::activated, this, &EinsumPage::commit);
    connect(m_device, &QComboBox::activated, this, &EinsumPage::commit);
    connect(presets, &QComboBox::activated, this, [this, presets](int index) {
        presets->setCurrentIndex(0);
        if (index <= 0) return;
        const EinsumPreset preset = einsumPresets().at(static_cast<std::size_t>(index - 1));
        EinsumInput input = m_input;
        input.text = preset.text;
        for (const auto& [name, size] : preset.sizes) input.sizes[name] = size;
        change(input, tr("expression"));
    });
    return card;
}

QTableView* EinsumPage::makeTable(const char* name, const QString& title, QStandardItemModel* model) {
    auto* table = new QTableView(m_details);
    table->setObjectName(QLatin1String(name));
    table->setAccessibleName(title);
    table->setModel(model);
    setUpDataTable(*table);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    return table;
}

QWidget* EinsumPage::makeCostCard() {
    Theme& theme = m_context.view.theme;
    auto* card = new Card(theme, tr("What it costs"), this);
    card->setObjectName(QStringLiteral("einsumCostCard"));
    card->setContentMargins(16, 8, 16, 10);
    auto* content = new QWidget(card);
    m_figureGrid = new QGridLayout;
    m_figureGrid->setHorizontalSpacing(12);
    m_figureGrid->setVerticalSpacing(4);
    m_figureGrid->setColumnStretch(2, 1);
    m_detailChoice = new SegmentedControl(theme, {tr("Gradients"), tr("Best order"), tr("Loops")},
                                          QStringLiteral("einsumDetail"), content);
    m_detailChoice->setAccessibleName(tr("Details"));
    m_detailChoice->setCurrent(0);
    m_details = new QStackedWidget(content);
    m_gradients = new QStandardItemModel(this);
    m_gradients->setHorizontalHeaderLabels({tr("of"), tr("is"), tr("FLOP"), tr("time"), tr("note")});
    m_order = new QStandardItemModel(this);
    m_order->setHorizontalHeaderLabels({tr("product"), tr("FLOP"), tr("result")});
    auto* gradients = makeTable("einsumGradients", tr("Gradients"), m_gradients);
    gradients->setToolTip(tr("Enter or a double click takes a gradient as the expression"));
    m_details->addWidget(gradients);
    auto* order = new QWidget(m_details);
    auto* orderColumn = new QVBoxLayout(order);
    orderColumn->setContentsMargins(0, 0, 0, 0);
    m_orderNote = new ToneLabel(theme, ColorRole::TextMuted, order);
    m_orderNote->setObjectName(QStringLiteral("einsumOrderNote"));
    m_orderNote->setWordWrap(true);
    orderColumn->addWidget(m_orderNote);
    orderColumn->addWidget(makeTable("einsumOrder", tr("Best order"), m_order), 1);
    m_details->addWidget(order);
    m_loops = new QPlainTextEdit(m_details);
    m_loops->setObjectName(QStringLiteral("einsumLoops"));
    m_loops->setAccessibleName(tr("Loops"));
    m_loops->setReadOnly(true);
    m_loops->setFrameShape(QFrame::NoFrame);
    m_loops->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_loops->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_details->addWidget(m_loops);
    auto* choice = new QHBoxLayout;
    choice->addWidget(m_detailChoice);
    choice->addStretch(1);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(m_figureGrid);
    column->addLayout(choice);
    column->addWidget(m_details, 1);
    card->setContent(content);
    connect(m_detailChoice, &SegmentedControl::chosen, m_details, &QStackedWidget::setCurrentIndex);
    connect(gradients, &QTableView::activated, this, [this](const QModelIndex& index) {
        const EinsumGradient& gradient = m_state.gradients[index.row()];
        if (gradient.text.isEmpty()) return;
        EinsumInput input = m_input;
        input.text = gradient.text;
        change(input, tr("expression"));
    });
    return card;
}

QWidget* EinsumPage::makeRooflineCard() {
    Theme& theme = m_context.view.theme;
    auto* card = new Card(theme, tr("Roofline"), this);
    card->setObjectName(QStringLiteral("einsumRooflineCard"));
    card->setContentMargins(8, 4, 8, 10);
    card->setMinimumWidth(320);
    m_roofline = new ChartPanel(theme, card);
    m_roofline->setObjectName(QStringLiteral("einsumRoofline"));
    auto* content = new QWidget(card);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_roofline, 1);
    m_timed = new ToneLabel(theme, ColorRole::TextMuted, content);
    m_timed->setObjectName(QStringLiteral("einsumTimed"));
    m_timed->setWordWrap(true);
    m_timed->setContentsMargins(8, 0, 8, 0);
    column->addWidget(m_timed);
    card->setContent(content);
    m_time = new QPushButton(tr("Time it"), card);
    m_time->setObjectName(QStringLiteral("einsumTime"));
    card->addHeaderWidget(m_time);
    connect(m_time, &QPushButton::clicked, this, &EinsumPage::timeOrCancel);
    connect(&m_context.engine, &LabEngine::changed, this, &EinsumPage::showTiming);
    connect(&m_context.engine, &LabEngine::timed, this, &EinsumPage::takeTime);
    connect(&m_context.engine, &LabEngine::timingRefused, this, [this](const QString& sentence) {
        m_refusal = sentence;
        showTiming();
    });
    connect(m_roofline, &ChartPanel::hovered, this, [this](const QPointF&, const QPointF& pixel) {
        const std::optional<int> tag = m_roofline->markAt(pixel);
        if (!tag || *tag < 0) return m_roofline->hideCard();
        const EinsumPoint& point = m_state.points[*tag];
        HoverCardContent hover;
        hover.title = point.label;
        hover.footer = point.toolTip;
        if (!point.text.isEmpty()) hover.footer += QLatin1Char('\n') + tr("click: take it as the expression");
        m_roofline->showCard(hover);
    });
    connect(m_roofline, &ChartPanel::left, m_roofline, &ChartPanel::hideCard);
    connect(m_roofline, &ChartPanel::clicked, this, [this](const QPointF&, const QPointF& pixel) {
        if (const std::optional<int> tag = m_roofline->markAt(pixel)) takePoint(*tag);
    });
    return card;
}

}  // namespace plumb::ui
