// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/findings/findings_view.h"

#include "ui/findings/findings_detail.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/range_button.h"
#include "ui/workbench/config_history.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/workbench.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

constexpr int kPause = 150;   // milliseconds without another scene
constexpr int kNarrow = 760;  // without room for Source and What to try, which the detail has
constexpr std::array kYieldingFindingColumns{FindingColumn::Source, FindingColumn::Remedy};

QScrollArea* scrolled(QWidget* content, QWidget* parent, const QString& name) {
    auto* scroll = new QScrollArea(parent);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    scroll->setWidget(content);
    content->setAutoFillBackground(false);
    scroll->setAccessibleName(name);
    scroll->setFocusPolicy(Qt::NoFocus);  // what is in it takes the focus and comes into sight
    return scroll;
}

}  // namespace

FindingsView::FindingsView(ViewContext context, ConfigHistory& history, QWidget* parent)
    : SceneView(context, ViewSize::Full, QStringLiteral("findings"), tr("Findings"), parent),
      m_history(history),
      m_model(new FindingsModel(context.theme, this)),
      m_table(new QTableView(this)),
      m_detail(new FindingsDetail(context.theme, this)),
      m_silent(new FindingsDetail(context.theme, this)),
      m_pause(new QTimer(this)) {
    m_pause->setSingleShot(true);
    m_pause->setInterval(kPause);
    connect(m_pause, &QTimer::timeout, this, &FindingsView::fill);
    m_silent->setObjectName(QStringLiteral("findingsSilent"));
    setUpDataTable(*m_table);
    m_table->setObjectName(QStringLiteral("findingsTable"));
    m_table->setAccessibleName(tr("Findings, the most severe first"));
    m_table->setModel(m_model);
    m_table->setWordWrap(true);
    m_table->setTextElideMode(Qt::ElideNone);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // columns are fitted to the width
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);     // which rows of any height do not change

    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table, 1);
    auto* below = new QHBoxLayout;
    below->addWidget(scrolled(m_detail, content, tr("The chosen finding")), 1);
    m_silentArea = scrolled(m_silent, content, tr("What else was looked at"));
    below->addWidget(m_silentArea, 1);
    layout->addLayout(below, 1);
    m_card->setContent(content);
    m_card->setContentMargins(8, 6, 8, 8);

    OpRange& range = context.workbench.selection().range();
    addRangeButton(*m_card, range, QStringLiteral("findingsClearRange"));
    connect(&range, &OpRange::changed, this, [this] {
        if (m_isFilled && !isStale()) sayCount();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &FindingsView::showChosen);
    connect(m_table, &QAbstractItemView::activated, this, [this](const QModelIndex& at) { goTo(at.row()); });
    connect(m_table, &QAbstractItemView::clicked, this, [this](const QModelIndex& at) {
        if (static_cast<FindingColumn>(at.column()) == FindingColumn::Place) goTo(at.row());
    });
    connect(m_detail, &FindingsDetail::placeWanted, this, [this] { goTo(m_table->currentIndex().row()); });
    connect(m_detail, &FindingsDetail::remedyWanted, this, &FindingsView::apply);
    connect(&context.theme, &Theme::changed, m_table->viewport(), qOverload<>(&QWidget::update));
}

void FindingsView::catchUp() {
    if (!m_isFilled) return fill();
    setProperty(kBusyView, true);
    m_pause->start();
}

void FindingsView::fill() {
    m_isFilled = true;
    setProperty(kBusyView, false);
    const Finding* const chosen = m_model->at(m_table->currentIndex().row());
    const std::string rule(chosen != nullptr ? chosen->rule : std::string_view());
    m_model->setFindings(findingsOf(shownStep(m_context.workbench)));
    const Findings& findings = m_model->findings();
    const auto count = static_cast<int>(findings.found.size());
    sayCount();
    m_table->setVisible(count > 0);
    m_detail->parentWidget()->parentWidget()->setVisible(count > 0);
    m_silent->showSilent(findings);
    if (!m_silentArea->isAncestorOf(QApplication::focusWidget()))
        m_silentArea->verticalScrollBar()->setValue(0);
    setFirstFocus(*this, count > 0 ? static_cast<QWidget*>(m_table) : &m_silent->heading());
    const auto same = std::ranges::find(findings.found, rule, &Finding::rule);
    if (count > 0)
        m_table->selectRow(same == findings.found.end() ? 0
                                                        : static_cast<int>(same - findings.found.begin()));
    showChosen();
    fitColumns();
}

void FindingsView::sayCount() {
    const Scene& scene = *m_context.workbench.scene();
    const Findings& findings = m_model->findings();
    const auto count = static_cast<int>(findings.found.size());
    const QString times = findings.isMeasured ? tr("from what was measured") : tr("from what is predicted");
    QString all = count == 1 ? tr("1 finding, %1").arg(times) : tr("%1 findings, %2").arg(count).arg(times);
    // A share of the time or the memory is one of the step.
    if (m_context.workbench.selection().range().isChosen())
        all = tr("%1 · of the whole step, not of the range").arg(all);
    m_card->setSubtitle(all,
                        scene.measured && !findings.isMeasured
                            ? tr("%1: what was measured is of another step than the sliders ask for").arg(all)
                            : all);
}

void FindingsView::resizeEvent(QResizeEvent* event) {
    SceneView::resizeEvent(event);
    fitColumns();
}

void FindingsView::fitColumns() {
    const int width = m_table->viewport()->width();
    if (width <= 0) return;
    const QFontMetrics metrics = m_table->fontMetrics();
    const bool isNarrow = width < kNarrow;
    for (const FindingColumn column : kYieldingFindingColumns)
        m_table->setColumnHidden(static_cast<int>(column), isNarrow);
    const auto set = [&](FindingColumn column, int pixels) {
        const int section = static_cast<int>(column);
        if (m_table->isColumnHidden(section)) return 0;
        const int wide = std::max(pixels, m_table->horizontalHeader()->sectionSizeHint(section));
        m_table->setColumnWidth(section, wide);
        return wide;
    };
    constexpr int kPadding = 28;
    int rest = width - set(FindingColumn::Severity, metrics.horizontalAdvance(tr("serious")) + kPadding + 12);
    rest -= set(FindingColumn::Place, metrics.horizontalAdvance(tr("Operations")) + kPadding);
    rest -=
        set(FindingColumn::Source, std::min(width / 6, metrics.horizontalAdvance(QStringLiteral("n")) * 18));
    if (!isNarrow) rest -= set(FindingColumn::Remedy, rest * 2 / 5);
    set(FindingColumn::Sentence, rest);
    m_table->resizeRowsToContents();
    constexpr int kBetweenRows = 8;
    for (int row = 0; row < m_model->rowCount(); ++row)
        m_table->setRowHeight(row, m_table->rowHeight(row) + kBetweenRows);
}

void FindingsView::showChosen() {
    const Finding* const finding = m_model->at(m_table->currentIndex().row());
    if (finding != nullptr) m_detail->show(*finding);
}

void FindingsView::goTo(int row) {
    const Finding* const finding = m_model->at(row);
    if (finding == nullptr) return;
    const QString view = toText(finding->view);
    if (!finding->opId.empty()) m_context.workbench.selection().select(toText(finding->opId));
    emit viewWanted(view);
}

void FindingsView::apply() {
    const Finding* const finding = m_model->at(m_table->currentIndex().row());
    if (finding == nullptr || finding->remedy.changes.empty()) return;
    RunConfig config = m_context.workbench.config();
    for (const auto& [option, value] : finding->remedy.changes) {
        if (const Result<void> set = setOption(config, option, value); !set.has_value())
            return emit failed(set.error());
    }
    const QString setting = toText(finding->remedy.changes.front().first);
    if (const Result<void> changed = m_history.change(config, setting); !changed.has_value())
        emit failed(changed.error());
}

}  // namespace plumb::ui
