// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/live_panel.h"

#include "core/base/entry_at.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/heat_map.h"
#include "ui/engine/run_controller.h"
#include "ui/settings/settings.h"
#include "ui/theme/text.h"
#include "ui/widgets/action_link.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/tone_label.h"
#include "ui/workbench/workbench.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kFollowMs = 1000;

QString shareText(double share) {
    if (share == 0) return QStringLiteral("–");
    if (share < 0.0001) return QStringLiteral("< 0.01 %");
    return QStringLiteral("%1 %").arg(numberText(share * 100, 'g', 3));
}

}  // namespace

LivePanel::LivePanel(LabContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    Theme& theme = context.view.theme;
    setObjectName(QStringLiteral("livePanel"));
    m_kind = new QComboBox(this);
    m_kind->setObjectName(QStringLiteral("liveKind"));
    m_kind->setAccessibleName(tr("Tensor"));
    for (const LiveKind& kind : liveKinds()) m_kind->addItem(ui::tr(kind.label));
    m_layer = new QComboBox(this);
    m_layer->setObjectName(QStringLiteral("liveLayer"));
    m_layer->setAccessibleName(tr("Layer"));
    // Layers come with the run, after the first show.
    m_layer->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_look = new QPushButton(tr("Look"), this);
    m_look->setObjectName(QStringLiteral("liveLook"));
    m_export = new QPushButton(tr("Export"), this);
    m_export->setObjectName(QStringLiteral("liveExport"));
    auto* menu = new QMenu(m_export);
    m_exportTensor = menu->addAction(tr("This tensor as .npy…"), this, [this] { askExport(false); });
    m_exportTensor->setObjectName(QStringLiteral("liveExportTensor"));
    m_exportWeights = menu->addAction(tr("All weights as .safetensors…"), this, [this] { askExport(true); });
    m_exportWeights->setObjectName(QStringLiteral("liveExportWeights"));
    m_export->setMenu(menu);
    m_follow = new QCheckBox(tr("every second"), this);
    m_follow->setObjectName(QStringLiteral("liveFollow"));
    m_follow->setToolTip(tr("Look again every second while the training goes on"));
    m_title = new ToneLabel(theme, ColorRole::Text, this);
    m_title->setObjectName(QStringLiteral("liveTitle"));
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_note = new ToneLabel(theme, ColorRole::TextMuted, this);
    m_note->setObjectName(QStringLiteral("liveNote"));
    m_note->setWordWrap(true);
    m_chart = new ChartPanel(theme, this);
    auto* run = new ActionLink(tr("Run"), "run.run", m_chart);
    run->setObjectName(QStringLiteral("labRun"));
    run->standBelowMiddle(*m_chart);
    m_chart->setObjectName(QStringLiteral("liveChart"));
    m_chart->setAccessibleName(tr("Numbers by magnitude"));
    m_map = new HeatMap(theme, this);
    m_map->setObjectName(QStringLiteral("liveMap"));
    m_map->setAccessibleName(tr("The numbers in their places"));
    const auto addTable = [this](const QStringList& columns, const QString& objectName,
                                 const QString& readName) {
        auto* model = new QStandardItemModel(this);
        model->setHorizontalHeaderLabels(columns);
        auto* table = new QTableView(this);
        table->setObjectName(objectName);
        table->setAccessibleName(readName);
        table->setModel(model);
        setUpDataTable(*table);
        table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
        table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
        return std::pair{table, model};
    };
    std::tie(m_table, m_model) =
        addTable({tr("format"), tr("exact"), tr("rounded"), tr("subnormal"), tr("to 0"), tr("too large"),
                  tr("loss scale")},
                 QStringLiteral("liveTable"), tr("What every format makes of the numbers"));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    std::tie(m_recovered, m_recoveredModel) =
        addTable({tr("feature"), tr("task"), tr("recovered"), tr("off by")}, QStringLiteral("liveRecovered"),
                 tr("The weights of the task and the recovered ones"));
    m_timer = new QTimer(this);
    m_timer->setInterval(kFollowMs);

    auto* entry = new QHBoxLayout;
    entry->setSpacing(8);
    entry->addWidget(m_kind);
    entry->addWidget(m_layer);
    entry->addWidget(m_look);
    entry->addWidget(m_export);
    entry->addWidget(m_follow);
    entry->addSpacing(8);
    entry->addWidget(m_title, 1);
    auto* sides = new QHBoxLayout;
    sides->setSpacing(16);
    sides->addWidget(m_chart, 5);
    sides->addWidget(m_map, 5);
    sides->addWidget(m_table, 6);
    sides->addWidget(m_recovered, 6);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(entry);
    column->addLayout(sides, 1);
    column->addWidget(m_note);

    connect(m_kind, &QComboBox::activated, this, [this] {
        fillLayers();
        refresh();
        ask();
    });
    connect(m_layer, &QComboBox::activated, this, [this] { ask(); });
    connect(m_look, &QPushButton::clicked, this, [this] { ask(); });
    connect(m_timer, &QTimer::timeout, this, [this] {
        if (isVisible() && m_follow->isChecked()) ask();
    });
    connect(m_follow, &QCheckBox::toggled, this, [this](bool on) {
        if (on)
            m_timer->start();
        else
            m_timer->stop();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &LivePanel::showFormat);
    connect(&context.controller, &RunController::changed, this, &LivePanel::refresh);
    connect(&context.view.workbench.runs(), &TrainingRuns::changed, this, &LivePanel::refresh);
    connect(m_chart, &ChartPanel::hovered, this, [this](const QPointF& at, const QPointF&) {
        if (!m_state || m_state->areas.edges.isEmpty()) return;
        const int power = static_cast<int>(std::floor(at.x()));
        const qsizetype bin = power - static_cast<int>(m_state->areas.edges.first());
        const auto& values = m_state->areas.layers.first().values;
        HoverCardContent card;
        card.title = tr("2^%1 to 2^%2").arg(power).arg(power + 1);
        card.rows.push_back({tr("share of the numbers"),
                             {bin >= 0 && bin < values.size() ? shareText(values[bin]) : QStringLiteral("–")},
                             std::nullopt,
                             false});
        card.footer = tr("from %1 on").arg(numberText(std::ldexp(1.0, power), 'g', 3));
        m_chart->showCard(card);
    });
    connect(m_chart, &ChartPanel::left, m_chart, &ChartPanel::hideCard);
    refresh();
}

const LiveKind& LivePanel::kind() const { return entryAt(liveKinds(), std::max(0, m_kind->currentIndex())); }

bool LivePanel::canLook() const {
    if (m_context.controller.work().training()) return true;
    return kind().role == TensorRole::Weight && m_context.controller.work().hasLearned() &&
           !m_context.controller.work().busy();
}

void LivePanel::fillLayers() {
    const int before = m_layer->currentIndex();
    m_layer->clear();
    m_layer->setVisible(!kind().isProduct);
    if (kind().isProduct) return m_layer->addItem(QString(), 0);
    const auto [first, last] = layersOf(kind().role, m_layers, m_head);
    for (std::int32_t layer = first; layer <= last; ++layer)
        m_layer->addItem(layerText(layer, m_layers), layer);
    m_layer->setCurrentIndex(std::clamp(before, 0, std::max(0, m_layer->count() - 1)));
}

void LivePanel::refresh() {
    const auto trained = m_context.controller.work().learnedConfig();
    const RunConfig& config = trained ? *trained : m_context.view.workbench.config();
    if (config.layers != m_layers || config.head != m_head) {
        m_layers = config.layers;
        m_head = config.head;
        fillLayers();
    }
    const bool training = m_context.controller.work().training();
    const bool left = !training && m_context.controller.work().hasLearned();
    const QString whyNot = left ? tr("The training is over: its weights are left, and nothing else")
                                : tr("Nothing is trained: press Run (F5) first");
    m_look->setEnabled(canLook());
    m_look->setToolTip(canLook() ? tr("Fetch the numbers of this tensor from the training") : whyNot);
    m_exportTensor->setEnabled(canLook());
    m_exportWeights->setEnabled(training || left);
    m_export->setEnabled(training || left);
    m_export->setToolTip(training || left ? tr("Have the engine write it to a file of its machine") : whyNot);
    m_table->setVisible(m_state.has_value() && !m_state->recovered);
    m_recovered->setVisible(m_state.has_value() && m_state->recovered);
    m_map->setVisible(m_state.has_value());
    m_title->setVisible(m_state.has_value());
    auto* const run = m_chart->findChild<ActionLink*>();
    run->setVisible(!m_state && !training && !left);
    if (m_state) return;
    m_chart->setEmptyText(training || left
                              ? tr("Press Look to fetch the numbers of this tensor from the training.")
                              : tr("No training goes on. Press Run (F5), then Look: the numbers of a weight, "
                                   "gradient or activation, and what every format would lose of them."));
    m_chart->setLegend({});
    m_note->hide();
}

/// Its columns take what they need, and the pictures beside it yield as far as half of the room.
void LivePanel::fitTable() {
    QHeaderView& header = *m_table->horizontalHeader();
    header.setStretchLastSection(false);
    m_table->resizeColumnsToContents();
    const int needed = header.length() + m_table->verticalScrollBar()->sizeHint().width();
    header.setStretchLastSection(true);
    m_table->setMinimumWidth(std::min(needed, width() / 2));
}

void LivePanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitTable();
}

void LivePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
    if (!m_state && canLook()) ask();
}

void LivePanel::ask(const QString& saveTo) {
    if (!canLook() || m_layer->count() == 0) return;
    emit inspectionWanted(kind().role, m_layer->currentData().toInt(), saveTo);
}

void LivePanel::askExport(bool allWeights) {
    const QString name = allWeights ? QStringLiteral("weights.safetensors") : QStringLiteral("tensor.npy");
    const QString proposal = QDir(m_context.settings.lastFolder()).filePath(name);
    if (!allWeights)
        return askSavePath(*this, tr("Export this tensor"), proposal, tr("Arrays of numpy (*.npy)"),
                           QStringLiteral("npy"), [this](const QString& path) { ask(path); });
    // Any weight stands for all of them.
    askSavePath(*this, tr("Export all weights"), proposal, tr("Tensors (*.safetensors)"),
                QStringLiteral("safetensors"),
                [this](const QString& path) { emit inspectionWanted(TensorRole::Weight, 1, path); });
}

void LivePanel::exportOrSayWhyNot(bool allWeights) {
    refresh();
    if ((allWeights ? m_exportWeights : m_exportTensor)->isEnabled()) return askExport(allWeights);
    showRefusal(m_look->toolTip());
}

void LivePanel::showRefusal(const QString& sentence) {
    m_follow->setChecked(false);
    m_note->showText(sentence, ColorRole::Bad);
    m_note->show();
}

void LivePanel::showInspection(const TensorInspection& inspection) {
    m_state = makeLiveState(inspection);
    m_title->setText(m_state->title);
    m_title->setToolTip(m_state->title);
    m_note->showText(m_state->summary, ColorRole::TextMuted);
    m_note->show();
    m_chart->setEmptyText({});
    m_chart->setAxis(ChartAxis::X,
                     {tr("power of two of the magnitude"), {}, false, m_state->least, m_state->most, true});
    m_chart->setAxis(ChartAxis::Y, {tr("share of the numbers"), {}, false, 0, m_state->highest * 1.1, true});
    m_chart->setAreas(m_state->areas);
    m_map->setContent(makeLiveMap(inspection));
    showRecovered();
    const int before = std::max(0, m_table->currentIndex().row());
    const auto rows = static_cast<int>(m_state->rows.size());
    m_model->setRowCount(rows);
    for (int i = 0; i < rows; ++i) {
        const LiveRow& row = entryAt(m_state->rows, i);
        const QStringList texts{coreText(row.format.label),
                                shareText(row.exact),
                                shareText(row.rounded),
                                shareText(row.subnormal),
                                shareText(row.toZero),
                                shareText(row.beyond),
                                row.window};
        for (int column = 0; column < texts.size(); ++column) {
            auto* item = new QStandardItem(texts[column]);  // the model takes it
            item->setToolTip(column + 1 == texts.size() ? row.toolTip : texts[column]);
            const bool bad = (column == 4 && row.toZero > 0) || (column == 5 && row.beyond > 0);
            if (bad) item->setForeground(m_context.view.theme.color(ColorRole::Bad));
            if (column == 6) item->setForeground(m_context.view.theme.color(row.tone));
            m_model->setItem(i, column, item);
        }
    }
    m_table->setCurrentIndex(m_model->index(std::min(before, std::max(0, rows - 1)), 0));
    fitTable();
    refresh();
    showFormat();
}

void LivePanel::showRecovered() {
    m_recoveredModel->setRowCount(0);
    if (!m_state->recovered) return;
    const RecoveredNumbers& recovered = *m_state->recovered;
    const auto number = [](double value, char format, int digits) {
        return std::isfinite(value) ? numberText(value, format, digits) : tr("not finite");
    };
    for (std::size_t i = 0; i < recovered.found.size(); ++i) {
        const double off = recovered.found[i] - recovered.expected[i];
        const QStringList texts{QString::number(i), number(recovered.expected[i], 'g', 6),
                                number(recovered.found[i], 'f', 3),
                                (off > 0 ? QStringLiteral("+") : QString()) + number(off, 'g', 2)};
        QList<QStandardItem*> row;
        for (const QString& text : texts) {
            row.append(new QStandardItem(text));  // the model takes it
            row.last()->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        }
        m_recoveredModel->appendRow(row);
    }
}

void LivePanel::showFormat() {
    const int row = m_table->currentIndex().row();
    if (!m_state || row < 0 || row >= static_cast<int>(m_state->rows.size())) return;
    const NumberFormat& format = entryAt(m_state->rows, row).format;
    const double least = std::log2(format.leastSubnormal());
    const double normal = std::log2(format.leastNormal());
    const double most = std::log2(format.largest());
    const double from = std::clamp(least, m_state->least, m_state->most);
    const double to = std::clamp(most, m_state->least, m_state->most);
    m_chart->setHighlight(to > from ? std::optional(std::pair(from, to)) : std::nullopt);
    const auto mark = [&](const char* id, double at, const QString& text) {
        if (at > m_state->least && at < m_state->most)
            m_chart->setMarker(QLatin1String(id),
                               {at, std::nullopt, text, ColorRole::TextMuted, Qt::DashLine, 1, 50});
        else
            m_chart->removeMarker(QLatin1String(id));
    };
    const QString name = coreText(format.label);
    mark("least", least, tr("least of %1").arg(name));
    mark("normal", normal, tr("least normal"));
    mark("most", most, tr("largest of %1").arg(name));
    m_chart->setLegend({{QStringLiteral("range"), tr("range of %1").arg(name), {}, ColorRole::Selection}});
}

}  // namespace plumb::ui
