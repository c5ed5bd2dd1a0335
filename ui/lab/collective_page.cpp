// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/collective_page.h"

#include "ui/charts/axis.h"
#include "ui/charts/chart_panel.h"
#include "ui/lab/collective_picture.h"
#include "ui/settings/settings.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/lab_edit.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/slider_row.h"
#include "ui/widgets/splitter.h"
#include "ui/widgets/tone_label.h"
#include "ui/widgets/wrap_layout.h"
#include "ui/workbench/workbench.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <vector>

namespace plumb::ui {
namespace {

constexpr int kBeside = 760;        // the cards below
constexpr int kBetweenSteps = 700;  // ms
constexpr std::array<Seconds, 7> kLatencies{1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4};
constexpr ColorRole kWayColors[]{ColorRole::Accent, ColorRole::Warning, ColorRole::Good};

Qt::Alignment alignmentOf(int column) {
    return (column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

std::vector<std::int64_t> sizeStops() {
    std::vector<std::int64_t> stops;
    for (std::int64_t decade = kLeastCollective; decade <= kMostCollective; decade *= 10)
        for (const std::int64_t part : {1, 2, 4, 8})
            if (part * decade <= kMostCollective) stops.push_back(part * decade);
    return stops;
}

std::vector<std::int64_t> countsTo(std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> counts;
    for (std::int64_t count = least; count <= most; ++count) counts.push_back(count);
    return counts;
}

}  // namespace

CollectivePage::CollectivePage(LabContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("collectivePage"));
    setAccessibleName(tr("Collectives step by step"));
    m_split = makeSplitter(Qt::Horizontal, QStringLiteral("collectiveSplit"), this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(makeQuestionCard());
    layout->addWidget(m_split, 1);
    m_split->addWidget(makeStepsCard());
    m_split->addWidget(makeCostCard());
    m_split->setSizes({1000, 1000});  // shares
    m_playing.setInterval(kBetweenSteps);
    connect(&m_playing, &QTimer::timeout, this, [this] {
        CollectiveInput next = m_state.input;
        ++next.step;
        show(next);
        if (next.step >= static_cast<int>(m_state.collective.steps.size())) playOrPause();
    });
    refreshLinks();
    CollectiveInput input;
    // The fastest link that several data sheets have, where there is one.
    const auto found = std::ranges::find_if(m_links, [](const CollectiveLinkChoice& link) {
        return link.name.startsWith(QLatin1String("NVLink 4"));
    });
    if (found != m_links.end()) input.link = static_cast<int>(found - m_links.begin());
    show(keptCollective(m_context.settings.lab().collective, m_links).value_or(input));
}

CollectivePage::~CollectivePage() { silenceFocus(*this); }

void CollectivePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_split->setOrientation(width() < scaled(kBeside) ? Qt::Vertical : Qt::Horizontal);
}

QWidget* CollectivePage::makeQuestionCard() {
    Theme& theme = m_context.view.theme;
    auto* card = new Card(theme, tr("A collective, step by step"), this);
    card->setObjectName(QStringLiteral("collectiveCard"));
    card->setContentMargins(16, 8, 16, 12);
    auto* copyButton = new QPushButton(tr("Copy"), card);
    copyButton->setObjectName(QStringLiteral("collectiveCopy"));
    copyButton->setToolTip(tr("Copy what the page says as text"));
    connect(copyButton, &QPushButton::clicked, this, &CollectivePage::copy);
    card->addHeaderWidget(copyButton);
    auto* content = new QWidget(card);
    QStringList kinds, ways;
    for (const CommKind kind : kCollectiveKinds) kinds << collectiveKindName(kind);
    for (const lab::CollectiveWay way : lab::kCollectiveWays) ways << collectiveWayName(way);
    m_kind = new SegmentedControl(theme, kinds, QStringLiteral("collectiveKind"), content);
    m_kind->setAccessibleName(tr("Collective"));
    m_way = new SegmentedControl(theme, ways, QStringLiteral("collectiveWay"), content);
    m_way->setAccessibleName(tr("Way"));
    for (int i = 0; i < ways.size(); ++i)
        m_way->setSegmentToolTip(i, collectiveWayText(lab::kCollectiveWays[i]));
    m_link = new QComboBox(content);
    m_link->setObjectName(QStringLiteral("collectiveLink"));
    m_link->setAccessibleName(tr("Link"));
    m_link->setToolTip(tr("Rate of one direction, as the data sheet has it"));
    m_link->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_link->setMinimumContentsLength(26);
    m_latency = new QComboBox(content);
    m_latency->setObjectName(QStringLiteral("collectiveLatency"));
    m_latency->setAccessibleName(tr("Latency of a step"));
    m_latency->setToolTip(tr("From the beginning of a step until its first byte is there"));
    for (const Seconds latency : kLatencies)
        m_latency->addItem(tr("%1 a step").arg(quantityText(latency, "s")), latency);
    auto* choices = new WrapLayout;
    for (QWidget* choice : std::initializer_list<QWidget*>{m_kind, m_way, m_link, m_latency})
        choices->addWidget(choice);
    m_ranks =
        new SliderRow(theme, tr("Ranks", "of a collective"), QStringLiteral("collectiveRanks"), content);
    m_bytes = new SliderRow(theme, tr("Buffer of a rank"), QStringLiteral("collectiveBytes"), content);
    m_bytes->setSuffix(tr(" B"));
    auto* sliders = new QHBoxLayout;
    sliders->setSpacing(24);
    sliders->addWidget(m_ranks, 1);
    sliders->addWidget(m_bytes, 1);
    m_wayText = new ToneLabel(theme, ColorRole::TextMuted, content);
    m_wayText->setObjectName(QStringLiteral("collectiveWayText"));
    m_wayText->setWordWrap(true);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addLayout(choices);
    column->addLayout(sliders);
    column->addWidget(m_wayText);
    card->setContent(content);
    const auto changed = [this](const auto& change, int gesture = 0) {
        CollectiveInput input = m_state.input;
        change(input);
        ask(input, gesture);
    };
    connect(m_kind, &SegmentedControl::chosen, this, [changed](int index) {
        changed([index](CollectiveInput& input) { input.kind = kCollectiveKinds[index]; });
    });
    connect(m_way, &SegmentedControl::chosen, this, [changed](int index) {
        changed([index](CollectiveInput& input) { input.way = lab::kCollectiveWays[index]; });
    });
    connect(m_link, &QComboBox::activated, this,
            [changed](int index) { changed([index](CollectiveInput& input) { input.link = index; }); });
    connect(m_latency, &QComboBox::activated, this, [changed](int index) {
        changed([index](CollectiveInput& input) {
            input.latency = kLatencies.at(static_cast<std::size_t>(index));
        });
    });
    connect(m_ranks, &SliderRow::chosen, this, [this, changed](qint64 value, int gesture) {
        const bool isDrawn = value >= 2 && value <= lab::kMostCollectiveRanks;
        m_ranks->showError(isDrawn ? QString()
                                   : tr("%1 ranks are not drawn: choose 2 to %2")
                                         .arg(countText(value), countText(lab::kMostCollectiveRanks)));
        if (!isDrawn) return;
        changed([value](CollectiveInput& input) { input.ranks = static_cast<int>(value); }, gesture);
    });
    connect(m_bytes, &SliderRow::chosen, this, [changed](qint64 value, int gesture) {
        changed([value](CollectiveInput& input) { input.bytes = value; }, gesture);
    });
    return card;
}

QWidget* CollectivePage::makeStepsCard() {
    Theme& theme = m_context.view.theme;
    auto* card = new Card(theme, tr("Steps", "of a collective"), this);
    card->setObjectName(QStringLiteral("collectiveStepsCard"));
    card->setContentMargins(16, 8, 16, 12);
    m_play = new QPushButton(card);
    m_play->setObjectName(QStringLiteral("collectivePlay"));
    m_play->setToolTip(tr("Goes through the steps, a moment each"));
    m_play->setText(tr("Play"));
    connect(m_play, &QPushButton::clicked, this, &CollectivePage::playOrPause);
    card->addHeaderWidget(m_play);
    auto* content = new QWidget(card);
    m_step = new SliderRow(theme, tr("Step", "of a collective"), QStringLiteral("collectiveStep"), content);
    m_stepText = new ToneLabel(theme, ColorRole::Text, content);
    m_stepText->setObjectName(QStringLiteral("collectiveStepText"));
    m_stepText->setWordWrap(true);
    m_picture = new CollectivePicture(theme, content);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_step);
    column->addWidget(m_stepText);
    column->addWidget(m_picture, 1);
    card->setContent(content);
    connect(m_step, &SliderRow::chosen, this, [this](qint64 value) {
        CollectiveInput input = m_state.input;
        input.step = static_cast<int>(std::clamp<qint64>(value, 0, 1000));
        show(input);
    });
    return card;
}

QWidget* CollectivePage::makeCostCard() {
    Theme& theme = m_context.view.theme;
    auto* card = new Card(theme, tr("What each way costs"), this);
    card->setObjectName(QStringLiteral("collectiveCostCard"));
    card->setContentMargins(16, 8, 16, 12);
    auto* content = new QWidget(card);
    m_table = new QTableWidget(content);
    m_table->setObjectName(QStringLiteral("collectiveTable"));
    m_table->setAccessibleName(tr("What each way costs"));
    setUpDataTable(*m_table);
    chooseRowAtFocus(*m_table);
    setColumns(*m_table, collectiveWayColumns());
    for (int column = 0; column < m_table->columnCount(); ++column)
        m_table->horizontalHeaderItem(column)->setTextAlignment(alignmentOf(column));
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setSectionResizeMode(4, QHeaderView::ResizeToContents);  // the longest title
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_summary = new ToneLabel(theme, ColorRole::TextMuted, content);
    m_summary->setObjectName(QStringLiteral("collectiveSummary"));
    m_summary->setWordWrap(true);
    m_chart = new ChartPanel(theme, content);
    m_chart->setObjectName(QStringLiteral("collectiveChart"));
    m_chart->setMinimumHeight(scaled(180));
    m_chart->setAxis(ChartAxis::X,
                     {tr("buffer of a rank"), QStringLiteral("B"), true,
                      static_cast<double>(kLeastCollective), static_cast<double>(kMostCollective), true});
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_table);
    column->addWidget(m_summary);
    column->addWidget(m_chart, 1);
    card->setContent(content);
    connect(m_table, &QTableWidget::activated, this, [this](const QModelIndex& index) {
        CollectiveInput input = m_state.input;
        input.way = m_state.rows.at(static_cast<std::size_t>(index.row())).way;
        ask(input);
    });
    return card;
}

void CollectivePage::refreshLinks() {
    m_links = collectiveLinks(labMachines(m_context.view.workbench));
    m_link->clear();
    for (const CollectiveLinkChoice& link : m_links) {
        m_link->addItem(link.name);
        m_link->setItemData(m_link->count() - 1, link.source, Qt::ToolTipRole);
    }
}

void CollectivePage::playOrPause() {
    const bool isAtEnd = m_state.input.step >= static_cast<int>(m_state.collective.steps.size());
    if (m_playing.isActive()) {
        m_playing.stop();
    } else {
        if (isAtEnd) {
            CollectiveInput begin = m_state.input;
            begin.step = 0;
            show(begin);
        }
        m_playing.start();
    }
    m_play->setText(m_playing.isActive() ? tr("Pause") : tr("Play"));
}

void CollectivePage::ask(const CollectiveInput& input, int gesture) {
    if (input == m_state.input) return;
    pushInput<CollectiveInput>(
        m_context.undo, this, tr("collective"), m_state.input, input,
        [this](const CollectiveInput& shown) {
            show(shown);
            LabSettings kept = m_context.settings.lab();
            kept.collective = keptText(m_state.input, m_links.at(m_state.input.link));
            m_context.settings.setLab(kept);
            emit revealed();
        },
        gesture);
}

void CollectivePage::show(const CollectiveInput& input) {
    m_state = makeCollectiveState(input, m_links.at(input.link));
    const CollectiveInput& shown = m_state.input;
    const auto steps = static_cast<std::int64_t>(m_state.collective.steps.size());
    m_kind->setCurrent(static_cast<int>(std::ranges::find(kCollectiveKinds, shown.kind) - kCollectiveKinds));
    m_way->setCurrent(
        static_cast<int>(std::ranges::find(lab::kCollectiveWays, shown.way) - lab::kCollectiveWays));
    for (int i = 0; i < static_cast<int>(std::size(lab::kCollectiveWays)); ++i)
        m_way->setSegmentVisible(i, lab::hasWay(shown.kind, lab::kCollectiveWays[i]));
    m_link->setCurrentIndex(shown.link);
    m_latency->setCurrentIndex(
        static_cast<int>(std::ranges::find(kLatencies, shown.latency) - kLatencies.begin()));
    m_ranks->show({.value = shown.ranks, .stops = countsTo(2, lab::kMostCollectiveRanks)});
    m_bytes->show({.value = shown.bytes, .stops = sizeStops()});
    m_step->show({.value = shown.step, .stops = countsTo(0, steps)});
    m_wayText->setText(collectiveWayText(shown.way));
    m_stepText->setText(m_state.stepText);
    m_picture->showState(m_state);
    showRows();
    showChart();
}

void CollectivePage::showRows() {
    m_table->setRowCount(static_cast<int>(m_state.rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const CollectiveWayCost& shown = m_state.rows[static_cast<std::size_t>(row)];
        for (int column = 0; column < shown.cells.size(); ++column) {
            auto* item = new QTableWidgetItem(shown.cells[column]);
            item->setTextAlignment(alignmentOf(column));
            m_table->setItem(row, column, item);
        }
        if (shown.way == m_state.input.way) m_table->selectRow(row);
    }
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                            m_table->verticalHeader()->defaultSectionSize() * m_table->rowCount() +
                            2 * m_table->frameWidth() + m_table->horizontalScrollBar()->sizeHint().height());
    m_summary->setText(tr("%1: %2").arg(collectiveWayName(m_state.input.way), m_state.summary));
}

void CollectivePage::showChart() {
    double least = 1e300, most = 0;
    for (std::size_t i = 0; i < std::size(lab::kCollectiveWays); ++i) {
        const QString id = QString::number(i);
        const auto found = std::ranges::find(m_state.rows, lab::kCollectiveWays[i], &CollectiveWayCost::way);
        if (found == m_state.rows.end()) {
            m_chart->removeLine(id);
            continue;
        }
        m_chart->addLine(id, {collectiveWayName(found->way), kWayColors[i],
                              found->way == m_state.input.way ? 2.4 : 1.4, Qt::SolidLine, 1, false});
        m_chart->setLine(id, found->timeBySize);
        least = std::min(least, found->timeBySize.front().y());
        most = std::max(most, found->timeBySize.back().y());
    }
    const auto [low, high] = niceRange(least, most, true);
    m_chart->setAxis(ChartAxis::Y, {tr("time"), QStringLiteral("s"), true, low, high, true});
    m_chart->setMarker(QStringLiteral("size"),
                       {static_cast<double>(m_state.input.bytes), std::nullopt,
                        bytesText(m_state.input.bytes), ColorRole::Axis, Qt::DashLine, 1, 50});
    m_chart->setAccessibleName(tr("Time of each way over the size of the buffer"));
}

void CollectivePage::copy() {
    QApplication::clipboard()->setText(collectiveReport(m_state, m_links.at(m_state.input.link).name));
}

}  // namespace plumb::ui
