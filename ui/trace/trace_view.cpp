// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_view.h"

#include "core/trace/slice_filter.h"
#include "ui/charts/legend_row.h"
#include "ui/theme/error_text.h"
#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/trace/range_table.h"
#include "ui/trace/ranks_panel.h"
#include "ui/trace/trace_canvas.h"
#include "ui/trace/trace_cards.h"
#include "ui/trace/trace_columns.h"
#include "ui/trace/trace_facts.h"
#include "ui/trace/trace_masks.h"
#include "ui/trace/trace_scope.h"
#include "ui/trace/trace_sections.h"
#include "ui/trace/trace_strip.h"
#include "ui/trace/trace_tones.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/first_focus.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

namespace {

/// Below this width the figures stand under the lanes.
constexpr int kSideBySide = 860;
constexpr int kCardsPage = 0, kRanksPage = 2;  // the tables stand between them

}  // namespace

TraceView::TraceView(const ViewContext& context, OpenedAs<OpenedTrace>& file, QWidget* parent)
    : QWidget(parent),
      m_theme(context.theme),
      m_file(file),
      m_scope(new TraceScope(this)),
      m_masks(new TraceMasks(this)),
      m_body(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_name(new QLabel(this)),
      m_report(new QLabel(this)),
      m_search(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_strip(new TraceStrip(context.theme, this)),
      m_legend(new LegendRow(context.theme, this)),
      m_path(new QCheckBox(tr("Critical path"), this)),
      m_canvas(new TraceCanvas(context.theme, this)),
      m_range(new RangeTable(context.theme, this)),
      m_facts(new QLabel(this)) {
    setObjectName(QStringLiteral("traceView"));
    m_facts->setObjectName(QStringLiteral("traceFacts"));
    m_facts->setWordWrap(true);
    m_facts->setMinimumHeight(2 * m_facts->fontMetrics().lineSpacing() + 2);
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    followColor(m_facts, context.theme, ColorRole::TextMuted);
    m_path->setObjectName(QStringLiteral("tracePath"));
    m_path->setToolTip(tr("Makes pale what is not on the critical path of the chosen step; of the whole "
                          "trace, of the step of median length."));
    auto* lanes = new QVBoxLayout;
    lanes->addWidget(m_strip);
    auto* legend = new QHBoxLayout;
    legend->addWidget(m_legend, 1);
    legend->addWidget(m_path, 0, Qt::AlignTop);
    lanes->addLayout(legend);
    lanes->addWidget(m_canvas, 1);
    lanes->addWidget(m_facts);
    lanes->addWidget(m_range);
    m_body->addLayout(lanes, 5);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(makeHead());
    m_body->addWidget(makeSide(), 2);
    layout->addLayout(m_body, 1);
    connectParts();
    setFirstFocus(*this, m_canvas);  // where "/" leads to the filter and is not typed into it
    refresh();
}

QLayout* TraceView::makeHead() {
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("traceClose"));
    close->setAccessibleName(tr("Close the trace"));
    close->setProperty(kQuietButton, true);
    connect(close, &QPushButton::clicked, &m_file, &OpenedFile::close);
    m_report->setObjectName(QStringLiteral("traceReport"));
    m_report->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_report->setWordWrap(true);
    m_search->setObjectName(QStringLiteral("traceSearch"));
    m_search->setPlaceholderText(tr("Filter: name, cat:gemm, >1ms"));
    m_search->setToolTip(
        tr("Words of the name, cat: and a category, >1ms and <50us. Enter selects the next hit, "
           "Shift+Enter the one before it, Esc gives up."));
    m_search->setAccessibleName(tr("Filter of slices"));
    m_search->setClearButtonEnabled(true);
    constexpr int kButtonRoom = 44;  // frame and the button that clears it
    const int words = m_search->fontMetrics().horizontalAdvance(m_search->placeholderText());
    m_search->setMinimumWidth(words + kButtonRoom);
    m_search->setMaximumWidth(words + 2 * kButtonRoom);
    m_search->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("traceHits"));
    followColor(m_count, m_theme, ColorRole::TextMuted);
    followColor(m_report, m_theme, ColorRole::TextMuted);
    const auto stepButton = [this](const QString& text, const QString& name, const QString& tip,
                                   bool forwards) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(name);
        button->setProperty(kQuietButton, true);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        connect(button, &QPushButton::clicked, this, [this, forwards] { findNext(forwards); });
        return button;
    };
    auto* head = new QHBoxLayout;
    head->addWidget(m_name);
    head->addWidget(m_report, 2);
    head->addWidget(m_search, 1);
    head->addWidget(m_count);
    head->addWidget(
        stepButton(QStringLiteral("↑"), QStringLiteral("tracePrevious"), tr("Previous hit"), false));
    head->addWidget(stepButton(QStringLiteral("↓"), QStringLiteral("traceNext"), tr("Next hit"), true));
    head->addWidget(close);
    return head;
}

QWidget* TraceView::makeSide() {
    auto* side = new QWidget(this);
    m_scopes = new QComboBox(side);
    m_scopes->setObjectName(QStringLiteral("traceScope"));
    m_scopes->setAccessibleName(tr("What the figures are of"));
    m_scopes->setToolTip(tr("What the figures are of: all of the trace, or one step."));
    m_scopes->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_scopes->setMinimumContentsLength(8);
    m_median = new QPushButton(tr("To median"), side);
    m_median->setObjectName(QStringLiteral("traceMedian"));
    m_median->setAccessibleName(tr("Choose the step of median length"));
    m_median->setToolTip(tr("Chooses the step of median length, which stands for all, and shows it."));
    m_pages = new SegmentedControl(m_theme, {tr("Overview"), tr("Tables"), tr("Ranks")},
                                   QStringLiteral("tracePage"), side);
    m_side = new QStackedWidget(side);
    m_cards = new TraceCards(m_theme, *m_scope, side);
    m_tables = new QTreeWidget(side);
    m_tables->setObjectName(QStringLiteral("traceTables"));
    m_tables->setAccessibleName(tr("Tables of the trace"));
    setColumns(*m_tables, traceSectionColumns());
    m_tables->setIndentation(12);
    m_tables->header()->setStretchLastSection(false);
    m_tables->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_tables->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_tables->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    m_tables->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_ranks = new RanksPanel(m_theme, side);
    m_side->addWidget(m_cards);
    m_side->addWidget(m_tables);
    m_side->addWidget(m_ranks);
    auto* scope = new QHBoxLayout;
    scope->addWidget(m_scopes, 1);
    scope->addWidget(m_median);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(scope);
    column->addWidget(m_pages, 0, Qt::AlignLeft);
    column->addWidget(m_side, 1);
    side->setMinimumWidth(scaled(312));
    return side;
}

void TraceView::connectParts() {
    connect(&m_file, &OpenedFile::changed, this, &TraceView::refresh);
    connect(m_pages, &SegmentedControl::chosen, m_side, &QStackedWidget::setCurrentIndex);
    connect(m_scopes, &QComboBox::activated, this, [this](int index) {
        const QVariant step = m_scopes->itemData(index);
        chooseScope(step.isValid() ? std::optional<std::size_t>(step.toULongLong()) : std::nullopt);
    });
    connect(m_median, &QPushButton::clicked, this, [this] {
        if (m_opened) chooseScope(trace::medianStep(m_opened->links));
    });
    connect(m_cards, &TraceCards::stepChosen, this, [this](std::size_t step) { chooseScope(step); });
    connect(m_scope, &TraceScope::changed, this, &TraceView::showScope);
    connect(m_path, &QCheckBox::toggled, this, &TraceView::filter);
    connect(m_legend, &LegendRow::toggled, this, [this](const QString& id, bool shown) {
        m_masks->setToneShown(static_cast<TraceTone>(id.toInt()), shown);
        QVector<LegendEntry> entries = m_legend->entries();
        for (LegendEntry& entry : entries)
            if (entry.id == id) entry.checked = shown;
        m_legend->setEntries(entries);
    });
    connect(m_masks, &TraceMasks::shown, m_canvas, &TraceCanvas::setShown);
    connect(m_masks, &TraceMasks::found, m_canvas, &TraceCanvas::setEmphasis);
    connect(m_masks, &TraceMasks::found, this, &TraceView::countHits);
    connect(m_search, &QLineEdit::textChanged, this, &TraceView::filter);
    connect(findKey(*this), &QShortcut::activated, m_search, qOverload<>(&QWidget::setFocus));
    connect(m_canvas, &TraceCanvas::windowChanged, m_strip, &TraceStrip::setWindow);
    connect(m_canvas, &TraceCanvas::selectionChanged, this, &TraceView::showFacts);
    connect(m_canvas, &TraceCanvas::selectionChanged, this, &TraceView::countHits);
    connect(m_canvas, &TraceCanvas::rangeChosen, m_range, &RangeTable::setRange);
    connect(m_range, &RangeTable::closed, m_canvas, &TraceCanvas::clearRange);
    connect(m_strip, &TraceStrip::windowChosen, m_canvas, &TraceCanvas::setWindow);
    connect(m_ranks, &RanksPanel::collectiveChosen, this,
            [this](std::uint32_t slice, trace::Nanoseconds from, trace::Nanoseconds to) {
                m_canvas->setWindow({from, to});
                m_canvas->select(slice);
            });
    connect(m_tables, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        if (const QVariant slice = item->data(0, kSliceRole); slice.isValid())
            m_canvas->select(slice.toUInt());
    });
    connect(m_tables, &QTreeWidget::itemActivated, m_tables, &QTreeWidget::itemClicked);
}

void TraceView::refresh() {
    m_opened = m_file.content();
    const QString first = QFileInfo(m_file.path()).fileName();
    const auto others = m_file.paths().size() - 1;
    m_name->setText(others > 0 ? tr("%1 and %2 more").arg(first).arg(others) : first);
    m_tables->clear();
    m_strip->setTrace(m_opened);
    m_canvas->setTrace(m_opened);
    m_range->setTrace(m_opened);
    m_masks->setTrace(m_opened);
    m_ranks->setTrace(m_opened);
    m_report->clear();
    m_legend->setEntries(m_opened ? toneEntries(*m_opened) : QVector<LegendEntry>());
    const bool hasRanks = m_opened && m_opened->ranks;
    m_pages->setSegmentVisible(kRanksPage, hasRanks);
    m_pages->setCurrent(hasRanks ? kRanksPage : kCardsPage);
    m_side->setCurrentIndex(m_pages->current());
    fillScopes();
    m_scope->setTrace(m_opened);
    m_cards->refresh();
    if (m_opened) {
        const trace::Trace& trace = *m_opened->trace;
        const trace::Losses& losses = trace.losses;
        m_report->setText(tr("%1 trace · %2 · %3 events, %4 lost · read in %5")
                              .arg(toText(trace.writer()), bytesText(static_cast<Bytes>(trace.fileBytes)),
                                   exactText(trace.events, ""), exactText(losses.events(), ""),
                                   quantityText(m_opened->readSeconds, "s")));
        QStringList sentences;
        for (const std::string& sentence : losses.sentences()) sentences << coreText(sentence);
        m_report->setToolTip(sentences.isEmpty() ? tr("The file was whole.")
                                                 : sentences.join(QLatin1Char('\n')));
        m_strip->setWindow(m_canvas->window());
    }
    showFacts();
    filter();
}

void TraceView::fillScopes() {
    m_scopes->clear();
    m_scopes->addItem(tr("Whole trace"));
    const auto median = m_opened ? trace::medianStep(m_opened->links) : std::nullopt;
    if (m_opened)
        for (std::size_t i = 0; i < m_opened->links.steps.size(); ++i) {
            const QString name = toText(m_opened->trace->names.at(m_opened->links.steps[i].name));
            m_scopes->addItem(i == median ? tr("%1 (median)").arg(name) : name, static_cast<qulonglong>(i));
        }
    m_scopes->setEnabled(median.has_value());
    m_median->setEnabled(median.has_value());
}

void TraceView::chooseScope(std::optional<std::size_t> step) {
    if (!m_opened) return;
    m_scope->choose(step);
    if (!step) return m_canvas->setWindow(m_canvas->whole());
    const trace::TraceStep& chosen = m_opened->links.steps[*step];
    m_canvas->setWindow({chosen.begin, chosen.windowEnd});
}

void TraceView::showScope() {
    m_scopes->setCurrentIndex(m_scope->chosen() ? static_cast<int>(*m_scope->chosen()) + 1 : 0);
    const std::shared_ptr<const ScopeFigures>& figures = m_scope->figures();
    if (!m_opened || !figures) return;
    fillTraceTables(m_tables, m_theme, *m_opened, *figures);
    m_path->setEnabled(figures->path.has_value());
    if (!m_path->isEnabled()) m_path->setChecked(false);
    emphasizePath();
}

void TraceView::showFacts() {
    m_facts->setText(
        m_opened && m_canvas->selected()
            ? breakable(factsOf(*m_opened, *m_canvas->selected()))
            : tr("A click or the arrow keys go to a slice, and to a group, which ← → fold; Shift+drag "
                 "or M sums a range; / filters. Wheel, W and S zoom; drag, A and D move; F fits; Esc "
                 "gives up what is chosen, then shows all."));
}

void TraceView::filter() {
    m_count->setToolTip({});
    const Result<trace::SliceFilter> wanted = trace::parseSliceFilter(m_search->text().toStdString());
    m_filters = wanted.has_value() && !wanted->isEmpty();
    if (m_filters && m_opened) {
        m_masks->find(*wanted);
        m_count->setText(tr("looking…"));
        return;
    }
    m_count->setText(wanted.has_value() ? QString() : tr("not understood"));
    if (!wanted.has_value()) m_count->setToolTip(errorSentence(wanted.error()));
    emphasizePath();
}

void TraceView::emphasizePath() {
    if (m_filters) return;
    m_masks->findPath(m_path->isChecked() ? m_scope->figures() : nullptr);
}

void TraceView::countHits() {
    if (!m_filters || m_masks->isFinding()) return;
    const std::vector<std::uint32_t>& hits = m_masks->hits();
    const auto at = m_canvas->selected() ? std::ranges::lower_bound(hits, *m_canvas->selected()) : hits.end();
    const bool isHit = at != hits.end() && *at == *m_canvas->selected();
    const QString count = exactText(static_cast<std::int64_t>(hits.size()), "");
    m_count->setText(isHit ? tr("%1 of %2").arg(at - hits.begin() + 1).arg(count)
                           : (hits.size() == 1 ? tr("1 hit") : tr("%1 hits").arg(count)));
}

void TraceView::findNext(bool forwards) {
    const std::vector<std::uint32_t>& hits = m_masks->hits();
    if (hits.empty() || m_masks->isFinding()) return;
    const auto selected = m_canvas->selected();
    if (forwards) {
        const auto next = selected ? std::ranges::upper_bound(hits, *selected) : hits.begin();
        return m_canvas->select(next == hits.end() ? hits.front() : *next);
    }
    const auto at = selected ? std::ranges::lower_bound(hits, *selected) : hits.end();
    m_canvas->select(at == hits.begin() ? hits.back() : *std::prev(at));
}

bool TraceView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_search || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape) {
        m_search->clear();
        m_canvas->setFocus();
        return true;
    }
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter)
        return QWidget::eventFilter(watched, event);
    findNext((key->modifiers() & Qt::ShiftModifier) == 0);
    return true;
}

void TraceView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_body->setDirection(width() < kSideBySide ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

}  // namespace plumb::ui
