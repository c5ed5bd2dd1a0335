// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "core/base/entry_at.h"
#include "ui/charts/chart_picture.h"
#include "ui/charts/legend_row.h"
#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_ops.h"
#include "ui/timeline/timeline_sums_model.h"
#include "ui/widgets/action_link.h"
#include "ui/widgets/card.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/search_words.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/splitter.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/marked_ops.h"

#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kFrameMs = 16;
constexpr int kSearchWidth = 210;

}  // namespace

TimelineView::TimelineView(ViewContext context, QWidget* parent)
    : SceneView(context, ViewSize::Full, QStringLiteral("timeline"), tr("Timeline"), parent) {
    m_card->setContentMargins(10, 6, 10, 10);
    buildHeader();
    m_pages = new QStackedWidget(m_card);
    auto* splitter = makeSplitter(Qt::Vertical, QStringLiteral("timelineSplitter"), m_pages);
    splitter->addWidget(buildLanes());
    splitter->addWidget(buildSums());
    splitter->setStretchFactor(0, 5);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({520, 220});
    m_pages->addWidget(buildEmpty());
    m_pages->addWidget(splitter);
    m_card->setContent(m_pages);
    m_sumsTimer.setSingleShot(true);
    m_sumsTimer.setInterval(kFrameMs);
    connect(&m_sumsTimer, &QTimer::timeout, this, [this] {
        showSums();
        publishRange();
    });
    connect(&context.workbench.selection().range(), &OpRange::changed, this, &TimelineView::takeRange);
    connect(&context.workbench.selection(), &OpSelection::changed, this, &TimelineView::takeSelection);
    connect(&context.workbench.marks, &DocumentMarks::changed, this, [this] {
        if (!isStale()) showMarks();
    });
    refresh();
}

TimelineView::~TimelineView() = default;

void TimelineView::buildHeader() {
    m_found = new QLabel(m_card);
    m_found->setObjectName(QStringLiteral("timelineFound"));
    m_search = new QLineEdit(m_card);
    m_search->setObjectName(QStringLiteral("timelineSearch"));
    m_search->setAccessibleName(tr("Find operations and kernels"));
    m_search->setPlaceholderText(tr("Find  /"));
    m_search->setToolTip(tr("Every word must be in the name of the operation or kernel: \"layer 3 weight\".\n"
                            "Enter or N: next, Shift+Enter or Shift+N: previous. Esc clears."));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(kSearchWidth);
    const auto button = [&](const QString& text, const char* name, const QString& tip, int direction) {
        auto* made = new QPushButton(text, m_card);
        made->setObjectName(QString::fromLatin1(name));
        made->setProperty(kQuietButton, true);
        made->setAccessibleName(tip);
        made->setToolTip(tip);
        made->setFixedWidth(30);
        connect(made, &QPushButton::clicked, this, [this, direction] { findNext(direction); });
        return made;
    };
    m_previous = button(QStringLiteral("↑"), "timelinePrevious", tr("Previous one found"), -1);
    m_next = button(QStringLiteral("↓"), "timelineNext", tr("Next one found"), 1);
    m_predictedAt = new SegmentedControl(m_context.theme, {tr("at each op"), tr("end to end")},
                                         QStringLiteral("timelinePredictedAt"), m_card);
    m_predictedAt->setAccessibleName(tr("Where predicted times begin"));
    m_predictedAt->setSegmentToolTip(0, tr("Predicted times begin where the measured operation began"));
    m_predictedAt->setSegmentToolTip(1,
                                     tr("Predicted times follow each other from the beginning of the step"));
    m_predictedAt->setCurrent(0);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_found), static_cast<QWidget*>(m_search), static_cast<QWidget*>(m_previous),
          static_cast<QWidget*>(m_next), static_cast<QWidget*>(m_predictedAt)})
        m_card->addHeaderWidget(widget);
    connect(m_search, &QLineEdit::textChanged, this, &TimelineView::search);
    connect(m_search, &QLineEdit::returnPressed, this,
            [this] { findNext((QGuiApplication::keyboardModifiers() & Qt::ShiftModifier) ? -1 : 1); });
    connect(m_predictedAt, &SegmentedControl::chosen, this, &TimelineView::refresh);
    const auto shortcut = [&](const QKeySequence& keys, auto handler) {
        auto* made = new QShortcut(keys, m_search);
        made->setContext(Qt::WidgetShortcut);
        connect(made, &QShortcut::activated, this, handler);
    };
    shortcut(QKeySequence(Qt::Key_Down), [this] { m_canvas->setFocus(Qt::ShortcutFocusReason); });
    shortcut(QKeySequence(Qt::Key_Escape), [this] {
        m_search->clear();
        m_canvas->setFocus(Qt::ShortcutFocusReason);
    });
}

QWidget* TimelineView::buildLanes() {
    auto* lanes = new QWidget(m_pages);
    auto* layout = new QVBoxLayout(lanes);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    m_canvas = new TimelineCanvas(m_context.theme, lanes);
    new PictureMenu(*m_canvas, m_context.theme);
    m_canvas->setObjectName(QStringLiteral("timelineCanvas"));
    m_canvas->setAccessibleName(tr("Timeline"));
    m_canvas->setMinimumHeight(180);
    setFirstFocus(*this, m_canvas);
    layout->addWidget(m_canvas, 1);
    m_legend = new LegendRow(m_context.theme, lanes);
    m_legend->setObjectName(QStringLiteral("timelineLegend"));
    layout->addWidget(m_legend);
    connect(m_canvas, &TimelineCanvas::barChosen, this, &TimelineView::chooseBar);
    connect(m_canvas, &TimelineCanvas::rangeChanged, &m_sumsTimer, qOverload<>(&QTimer::start));
    connect(m_canvas, &TimelineCanvas::searchWanted, this, &TimelineView::findNext);
    connect(findKey(*this), &QShortcut::activated, this,
            [this] { m_search->setFocus(Qt::ShortcutFocusReason); });
    return lanes;
}

QWidget* TimelineView::buildSums() {
    auto* content = new QWidget(m_pages);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto* row = new QHBoxLayout;
    m_rangeText = new QLabel(content);
    m_rangeText->setObjectName(QStringLiteral("timelineRange"));
    m_rangeText->setTextFormat(Qt::PlainText);
    m_rangeText->setContentsMargins(6, 0, 6, 0);
    row->addWidget(m_rangeText, 1);
    m_clearRange = new QPushButton(tr("Whole timeline"), content);
    m_clearRange->setObjectName(QStringLiteral("timelineClearRange"));
    m_clearRange->setProperty(kQuietButton, true);
    m_clearRange->setToolTip(tr("Take the range away (Esc)"));
    row->addWidget(m_clearRange);
    layout->addLayout(row);
    m_sums = new TimelineSumsModel(m_context.theme, this);
    m_table = new QTableView(content);
    m_table->setObjectName(QStringLiteral("timelineSums"));
    m_table->setAccessibleName(tr("Sums over the range"));
    m_table->setModel(m_sums);
    setUpDataTable(*m_table);
    using Column = TimelineSumsModel::Column;
    new ColumnFit(*m_table, static_cast<int>(Column::Kind),
                  {static_cast<int>(Column::Bandwidth), static_cast<int>(Column::Bytes),
                   static_cast<int>(Column::Flops), static_cast<int>(Column::Rate),
                   static_cast<int>(Column::Share), static_cast<int>(Column::Count)});
    m_table->setMinimumHeight(90);
    layout->addWidget(m_table, 1);
    connect(m_clearRange, &QPushButton::clicked, this, [this] {
        m_canvas->setRange(std::nullopt);
        m_context.workbench.selection().range().clear();
    });
    connect(&m_context.theme, &Theme::changed, this, [this] { m_table->viewport()->update(); });
    return content;
}

QWidget* TimelineView::buildEmpty() {
    auto* page = new QWidget(m_pages);
    auto* layout = new QVBoxLayout(page);
    m_empty = new QLabel(page);
    m_empty->setObjectName(QStringLiteral("timelineEmpty"));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignCenter);
    m_profile = new ActionLink(tr("Profile"), "run.profile", page);
    m_profile->setObjectName(QStringLiteral("timelineProfile"));
    m_profile->setAccessibleName(tr("Profile the step of the settings"));
    layout->addStretch(1);
    layout->addWidget(m_empty);
    layout->addSpacing(10);
    layout->addWidget(m_profile, 0, Qt::AlignHCenter);
    layout->addStretch(1);
    connect(m_profile, &ActionLink::whyNotChanged, this, &TimelineView::showEmpty);
    return page;
}

void TimelineView::catchUp() {
    const ScenePtr scene = m_context.workbench.scene();
    const std::shared_ptr<const Timeline> before = m_state.timeline;
    const BarPlace current = m_canvas->current();
    const std::int32_t record = current.isValid() ? m_state.bar(current).record : -1;
    m_canvas->setState(nullptr, true);  // it must not see the state while that is replaced
    m_state =
        makeTimelineState(scene, m_predictedAt->current() == 0 ? PredictedAt::Op : PredictedAt::EndToEnd);
    const bool has = m_state.timeline != nullptr;
    const bool same = has && m_state.timeline == before;
    m_canvas->setState(&m_state, same);
    if (same && record >= 0) m_canvas->setCurrent(m_state.placeOf(record));
    m_card->setSubtitle(m_state.subtitle, m_state.subtitleToolTip);
    m_pages->setCurrentIndex(has ? 1 : 0);
    showEmpty();
    for (QWidget* widget :
         {static_cast<QWidget*>(m_search), static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_next),
          static_cast<QWidget*>(m_predictedAt), static_cast<QWidget*>(m_found)})
        widget->setVisible(has);
    m_apart.clear();
    search();
    showLegend();
    m_sumsTimer.stop();  // a range that came with other figures is nobody's choice
    showSums();
    if (m_context.workbench.selection().range().isChosen()) takeRange();
    takeSelection(m_context.workbench.selection().op());
    showMarks();
}

// The card is no wider than its place for it.
void TimelineView::resizeEvent(QResizeEvent* event) {
    SceneView::resizeEvent(event);
    constexpr int kSearchShare = 4;
    m_search->setFixedWidth(std::clamp(width() / kSearchShare, kSearchWidth / 2, kSearchWidth));
}

void TimelineView::showEmpty() {
    const bool isOfPlan = m_state.scene->whatIf.plan != nullptr;  // a recorded step cannot be run here
    const QString why = isOfPlan ? m_profile->whyNot() : QString();
    m_empty->setText(why.isEmpty() ? m_state.emptyText : why);
    m_profile->setVisible(isOfPlan && why.isEmpty());
}

void TimelineView::takeSelection(const QString& opId) {
    if (isStale()) return;
    const std::int32_t op = m_state.readingOp(opId);
    m_canvas->setSelectedOp(op);
    const BarPlace current = m_canvas->current();
    if (m_choosing || !m_state.timeline) return;
    if (op < 0) {
        if (current.isValid() && m_state.bar(current).op >= 0) m_canvas->setCurrent({});
        return;
    }
    if (current.isValid() && m_state.bar(current).op == op) return;
    const auto& places = m_state.placesOf(op);
    if (places.empty()) return m_canvas->setCurrent({});
    // What is on screen before what is not.
    const TimeWindow& window = m_canvas->timeWindow();
    const auto seen = std::ranges::find_if(places, [&](const BarPlace& place) {
        const TimelineBar& bar = m_state.bar(place);
        return bar.end > window.from && bar.begin < window.to;
    });
    m_canvas->setCurrent(seen == places.end() ? places.front() : *seen);
}

void TimelineView::chooseBar(const BarPlace& place) {
    m_choosing = true;
    m_context.workbench.selection().select(place.isValid() ? m_state.opId(m_state.bar(place).op) : QString());
    m_choosing = false;
}

void TimelineView::search() {
    m_matches.clear();
    const SearchWords words(m_search->text());
    if ((words.isEmpty() && m_apart.empty()) || !m_state.timeline) {
        m_canvas->setMatches({});
        m_found->clear();
        m_previous->setEnabled(false);
        m_next->setEnabled(false);
        return;
    }
    // Names repeat: each op and each name is looked at once. A kernel is found by its op's words too.
    std::vector<SearchWords::Found> ops, names;
    for (const OpReading& op : m_state.reading().ops)
        ops.push_back(words.in(toText(op.name)) | words.namesIn(toText(op.id)));
    for (const std::string& name : m_state.timeline->names) names.push_back(words.in(toText(name)));
    TimelineCanvas::Matches byRow(m_state.rows.size());
    for (std::size_t row = 0; row < m_state.rows.size(); ++row) {
        if (m_state.rows[row].kind == TimelineRow::Kind::Predicted) continue;
        const auto& bars = m_state.rows[row].bars.bars();
        for (std::size_t i = 0; i < bars.size(); ++i) {
            if (!isChosen(bars[i])) continue;
            const TimelineRecord* record = m_state.record(bars[i]);
            SearchWords::Found found = 0;
            if (record && record->name >= 0) found |= entryAt(names, record->name);
            if (bars[i].op >= 0) found |= entryAt(ops, bars[i].op);
            if (!words.areAll(found)) continue;
            byRow[row].push_back(static_cast<std::int32_t>(i));
            m_matches.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(i)});
        }
    }
    std::ranges::stable_sort(m_matches, {}, [&](const BarPlace& place) { return m_state.bar(place).begin; });
    m_canvas->setMatches(std::move(byRow));
    m_found->setText(m_matches.empty()
                         ? tr("nothing found")
                         : tr("%1 found").arg(exactText(static_cast<std::int64_t>(m_matches.size()), "")));
    m_previous->setEnabled(!m_matches.empty());
    m_next->setEnabled(!m_matches.empty());
}

void TimelineView::findNext(int direction) {
    if (m_matches.empty()) return;
    const auto count = static_cast<std::ptrdiff_t>(m_matches.size());
    const auto at = std::ranges::find(m_matches, m_canvas->current());
    std::ptrdiff_t next = 0;
    if (at != m_matches.end()) {
        next = (at - m_matches.begin() + direction + count) % count;
    } else {
        // From the middle of what is shown.
        const TimeWindow& window = m_canvas->timeWindow();
        const auto after =
            std::ranges::lower_bound(m_matches, (window.from + window.to) / 2, {},
                                     [&](const BarPlace& place) { return m_state.bar(place).begin; });
        next = after - m_matches.begin();
        if (direction < 0) --next;
        next = (next + count) % count;
    }
    const BarPlace place = entryAt(m_matches, next);
    m_canvas->setCurrent(place);
    chooseBar(place);
    m_found->setText(tr("%1 of %2").arg(next + 1).arg(count));
}

std::optional<TimeRange> TimelineView::range() const { return m_canvas->range(); }

void TimelineView::showRange(const TimeRange& range) {
    if (!m_state.timeline) return;
    m_canvas->setRange(
        TimeRange(std::clamp(range.first, 0.0, m_state.whole), std::clamp(range.second, 0.0, m_state.whole)));
    m_canvas->fitSelection();
}

// Those at operations stand where these ran in the first step that has them.
void TimelineView::showMarks() {
    if (!m_state.timeline) return;
    std::vector<TimelineFlag> flags;
    if (m_context.workbench.recording() != nullptr) return m_canvas->setFlags({});
    for (const Bookmark& mark : m_context.workbench.marks.all().bookmarks) {
        std::optional<TimeRange> range;
        if (mark.time) range = TimeRange(mark.time->from, mark.time->to);
        if (const auto span = spanOf(mark, m_context.workbench); span && !range)
            range = timeOfOps(m_state, *span);
        if (range && range->first <= m_state.whole) flags.push_back({*range, toText(mark.title)});
    }
    m_canvas->setFlags(std::move(flags));
}

void TimelineView::publishRange() {
    if (m_quietRange || !m_state.timeline || isStale()) return;
    const auto& range = m_canvas->range();
    const QScopedValueRollback<bool> quiet(m_quietRange, true);
    m_context.workbench.selection().range().select(range ? opsWithin(m_state, *range) : std::nullopt);
    if (m_apart.empty()) return;
    m_apart.clear();
    search();
    showSums();
}

void TimelineView::takeRange() {
    if (m_quietRange || !m_state.timeline || isStale()) return;
    const OpSet& ops = m_context.workbench.selection().range().ops();
    const bool wasApart = !m_apart.empty();
    m_apart = ops.spans().size() > 1 ? readingOpsIn(m_state, ops) : std::vector<bool>();
    if (wasApart || !m_apart.empty()) search();
    const std::optional<OpSpan> span = ops.span();
    const auto& range = m_canvas->range();
    // What is chosen here may begin and end within an op, and is not rounded to whole ones.
    if (!span || !range || opsWithin(m_state, *range) != span)
        m_canvas->setRange(span ? timeOfOps(m_state, *span) : std::nullopt);
    m_sumsTimer.stop();  // which would publish what has just been taken
    showSums();
}

bool TimelineView::isChosen(const TimelineBar& bar) const {
    return m_apart.empty() || (bar.op >= 0 && entryAt(m_apart, bar.op));
}

void TimelineView::showSums() {
    const auto& range = m_canvas->range();
    const Seconds from = range ? range->first : 0;
    const Seconds to = range ? range->second : m_state.whole;
    std::function<bool(const TimelineBar&)> isIn;
    if (!m_apart.empty()) isIn = [this](const TimelineBar& bar) { return isChosen(bar); };
    m_sums->setSums(sumTimeline(m_state, from, to, isIn));
    m_clearRange->setVisible(range.has_value() || !m_apart.empty());
    if (!m_state.timeline) return;
    const TimelineSums& sums = m_sums->sums();
    const QString share =
        sums.span() > 0
            ? tr("operations ran for %1 % of it").arg(numberText(100 * sums.busy / sums.span(), 'f', 1))
            : QString();
    m_rangeText->setText(
        !m_apart.empty() ? tr("%1 operations chosen elsewhere · %2")
                               .arg(m_context.workbench.selection().range().ops().count())
                               .arg(share)
        : range
            ? tr("Range %1 to %2: %3 · %4").arg(exactTime(from), exactTime(to), exactTime(sums.span()), share)
            : tr("All of it: %1 · %2 · Shift with a drag or an arrow selects a range")
                  .arg(quantityText(sums.span(), "s"), share));
}

void TimelineView::showLegend() {
    QVector<LegendEntry> entries;
    std::vector<bool> used(256, false);
    bool predicted = false, live = false;
    for (const TimelineRow& row : m_state.rows) {
        predicted = predicted || row.kind == TimelineRow::Kind::Predicted;
        live = live || row.kind == TimelineRow::Kind::Curve;
        for (const TimelineBar& bar : row.bars.bars()) used[bar.group] = true;
    }
    const auto add = [&](const QString& label, const ChartColor& color, LegendEntry::Swatch swatch) {
        entries.push_back({label, label, {}, color, swatch, false, true});
    };
    for (std::size_t group = 0; group < used.size(); ++group)
        if (used[group])
            add(barGroupLabel(static_cast<std::uint8_t>(group)), barColor(static_cast<std::uint8_t>(group)),
                LegendEntry::Swatch::Square);
    if (predicted) add(tr("hollow: predicted"), ColorRole::Predicted, LegendEntry::Swatch::Circle);
    if (live) {
        for (const MemoryLayer& layer : m_state.layers) {
            add(tr("memory: %1").arg(coreText(categoryLabel(layer.category))), layer.category,
                LegendEntry::Swatch::Square);
        }
        add(tr("bytes alive"),
            m_state.layers.empty() ? ChartColor(Category::Activations) : ChartColor(ColorRole::Measured),
            LegendEntry::Swatch::Line);
        if (!m_state.predictedLive.empty())
            add(tr("bytes predicted"), ColorRole::Predicted, LegendEntry::Swatch::DashedLine);
    }
    m_legend->setEntries(entries);
}

}  // namespace plumb::ui
