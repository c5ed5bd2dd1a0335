// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/einsum_page.h"

#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/lab/lab_edit.h"
#include "ui/lab/tone_label.h"
#include "ui/settings/settings.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/size_field.h"
#include "ui/workbench.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFontDatabase>
#include <QGridLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace plumb::ui {
namespace {

constexpr int kSizesPerRow = 5;

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

EinsumPage::EinsumPage(LabContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("einsumPage"));
    setAccessibleName(tr("Expressions over named dimensions"));
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->setObjectName(QStringLiteral("einsumSplit"));
    split->setChildrenCollapsible(false);
    split->setHandleWidth(10);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(makeExpressionCard());
    layout->addWidget(split, 1);
    split->addWidget(makeCostCard());
    split->addWidget(makeRooflineCard());
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    split->setSizes({1000, 1000});  // shares
    m_results = split;

    refreshDevices();
    EinsumInput input;
    const LabSettings kept = context.settings.lab();
    if (!kept.expression.isNull()) input.text = kept.expression;
    input.sizes = kept.sizes.isNull() ? DimensionSizes{{"batch", 8192}, {"in", 4096}, {"out", 4096}}
                                      : sizesFromText(kept.sizes);
    if (const auto dtype = dtypeFromName(kept.einsumDtype.toStdString())) input.dtype = *dtype;
    input.device = kept.einsumDevice;
    if (m_device->findData(input.device) < 0) {
        const auto usual = HardwareDatabase::builtIn().find("H100 SXM");
        input.device = usual.has_value() ? QString::fromStdString((*usual).id) : QString();
    }
    if (!makeEinsumState(input, m_machines).valid()) {
        const QString device = input.device;
        input = {};
        input.device = device;
    }
    apply(input);
    connect(&context.view.workbench, &Workbench::sceneChanged, this, [this] {
        const auto& scene = m_context.view.workbench.scene();
        if (m_machines.empty() || m_machines.front().id != scene->machine.id ||
            m_machines.front().source != scene->machine.source) {
            refreshDevices();
            apply(m_input);
        }
    });
}

EinsumPage::~EinsumPage() = default;

void EinsumPage::refreshDevices() {
    const QString chosen = m_device->currentData().toString();
    m_machines = labMachines(m_context.view.workbench);
    m_device->clear();
    for (const Machine& machine : m_machines) {
        m_device->addItem(QString::fromStdString(machine.name), QString::fromStdString(machine.id));
        m_device->setItemData(m_device->count() - 1, QString::fromStdString(machine.source), Qt::ToolTipRole);
    }
    m_device->setCurrentIndex(std::max(0, m_device->findData(chosen)));
}

const Machine* EinsumPage::machine() const {
    const auto found = std::ranges::find(m_machines, m_input.device.toStdString(), &Machine::id);
    return found == m_machines.end() ? nullptr : &*found;
}

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
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setShowGrid(false);
    table->viewport()->setAutoFillBackground(false);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    table->horizontalHeader()->setHighlightSections(false);
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
    card->setContent(m_roofline);
    connect(m_roofline, &ChartPanel::hovered, this, [this](const QPointF&, const QPointF& pixel) {
        const std::optional<int> tag = m_roofline->markAt(pixel);
        if (!tag) return m_roofline->hideCard();
        const EinsumPoint& point = m_state.points[*tag];
        HoverCardContent content;
        content.title = point.label;
        content.footer = point.toolTip;
        if (!point.text.isEmpty())
            content.footer += QLatin1Char('\n') + tr("click: take it as the expression");
        m_roofline->showCard(content);
    });
    connect(m_roofline, &ChartPanel::left, m_roofline, &ChartPanel::hideCard);
    connect(m_roofline, &ChartPanel::clicked, this, [this](const QPointF&, const QPointF& pixel) {
        if (const std::optional<int> tag = m_roofline->markAt(pixel)) takePoint(*tag);
    });
    return card;
}

void EinsumPage::takePoint(int tag) {
    const EinsumPoint point = m_state.points[tag];
    if (point.text.isEmpty()) return;
    EinsumInput input = m_input;
    input.text = point.text;
    for (const auto& [name, size] : point.sizes) input.sizes[name] = size;
    m_roofline->hideCard();
    change(input, tr("expression"));
}

void EinsumPage::typing() {
    EinsumInput input = m_input;
    input.text = m_text->text();
    showState(makeEinsumState(input, m_machines));
}

void EinsumPage::commit() {
    EinsumInput input = m_input;
    input.text = m_text->text().trimmed();
    input.dtype = static_cast<Dtype>(m_dtype->currentData().toInt());
    input.device = m_device->currentData().toString();
    if (!makeEinsumState(input, m_machines).valid()) {
        // What was chosen holds; what was typed stays beside the sentence that says what is wrong with it.
        input.text = m_input.text;
        if (input == m_input) return;
    }
    if (input != m_input) change(input, tr("expression"));
}

void EinsumPage::change(const EinsumInput& input, const QString& what) {
    if (input == m_input) return apply(input);
    pushEdit(
        m_context.undo, this, what,
        [this, input] {
            apply(input);
            emit revealed();
        },
        [this, before = m_input] {
            apply(before);
            emit revealed();
        });
}

void EinsumPage::apply(const EinsumInput& input) {
    m_input = input;
    m_text->setText(input.text);
    m_dtype->setCurrentIndex(m_dtype->findData(static_cast<int>(input.dtype)));
    m_device->setCurrentIndex(std::max(0, m_device->findData(input.device)));
    LabSettings kept = m_context.settings.lab();
    kept.expression = input.text;
    kept.sizes = sizesText(input.sizes);
    kept.einsumDtype = fromView(dtypeName(input.dtype));
    kept.einsumDevice = input.device;
    m_context.settings.setLab(kept);
    showState(makeEinsumState(input, m_machines));
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
    const auto [low, high] =
        niceRange(least * bound.bandwidthBytesPerSecond, bound.peakFlopPerSecond * 1.5, true);
    m_roofline->setAxis(ChartAxis::X, {tr("arithmetic intensity, FLOP / byte"), {}, true, least, most, true});
    m_roofline->setAxis(ChartAxis::Y, {tr("FLOP/s"), {}, true, low, high, true});
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

void EinsumPage::copy() {
    const Machine* device = machine();
    QApplication::clipboard()->setText(
        einsumReport(m_state, device ? QString::fromStdString(device->name) : QString()));
}

}  // namespace plumb::ui
