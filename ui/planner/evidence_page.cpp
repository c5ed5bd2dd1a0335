// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_page.h"

#include "core/base/entry_at.h"
#include "core/io/file.h"
#include "ui/planner/evidence_chart.h"
#include "ui/planner/evidence_detail.h"
#include "ui/planner/evidence_filters.h"
#include "ui/planner/evidence_tables.h"
#include "ui/planner/evidence_text.h"
#include "ui/planner/evidence_tiles.h"
#include "ui/planner/planner_inputs.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/tone_label.h"

#include <QDir>
#include <QGridLayout>
#include <QKeyEvent>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

constexpr int kPageGap = 10;
constexpr int kLeastChartHeight = 380;
constexpr int kLeastTableHeight = 240;
constexpr int kLeastOfTwoColumns = 860;

}  // namespace

EvidencePage::EvidencePage(Theme& theme, EvidenceModel& model, QWidget* parent)
    : QWidget(parent), m_model(model), m_stack(new QStackedWidget(this)) {
    setObjectName(QStringLiteral("evidencePage"));
    setAccessibleName(tr("Evidence"));
    m_status = makeStatus(theme);
    m_stack->addWidget(m_status);
    m_stack->addWidget(makeContent(theme));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connect(&model, &EvidenceModel::changed, this, &EvidencePage::refresh);
    connect(&model, &EvidenceModel::progressed, this, &EvidencePage::showProgress);
    refresh();
}

QWidget* EvidencePage::makeStatus(Theme& theme) {
    auto* card = new Card(theme, tr("Evidence"), this);
    auto* content = new QWidget(card);
    auto* column = new QVBoxLayout(content);
    column->setSpacing(12);
    auto* what = new ToneLabel(theme, ColorRole::Text, content);
    m_what = what;
    what->setObjectName(QStringLiteral("evidenceStatus"));
    what->setAlignment(Qt::AlignCenter);
    what->setWordWrap(true);
    m_progress = new QProgressBar(content);
    m_progress->setObjectName(QStringLiteral("evidenceProgress"));
    m_progress->setAccessibleName(tr("Share of the published trainings that are worked out"));
    m_progress->setRange(0, 100);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(320);
    m_button = new QPushButton(content);
    m_button->setObjectName(QStringLiteral("evidenceCancel"));
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_model.state() == EvidenceModel::State::Working)
            m_model.cancel();
        else
            m_model.start();
    });
    column->addStretch(2);
    column->addWidget(what);
    column->addWidget(m_progress, 0, Qt::AlignHCenter);
    column->addWidget(m_button, 0, Qt::AlignHCenter);
    column->addStretch(3);
    card->setContent(content);
    return card;
}

QWidget* EvidencePage::makeContent(Theme& theme) {
    auto* content = new QWidget(this);
    auto* filters = new EvidenceFilters(theme, m_model, content);
    auto* tiles = new EvidenceTiles(theme, m_model, content);
    auto* chart = new EvidenceChart(theme, m_model, content);
    auto* detail = new EvidenceDetail(theme, m_model, content);
    auto* parts = new EvidencePartsTable(theme, m_model, content);
    auto* rows = new EvidenceRowsTable(theme, m_model, content);
    auto* problem = new ToneLabel(theme, ColorRole::Bad, content);
    m_csvProblem = problem;
    problem->setObjectName(QStringLiteral("evidenceCsvProblem"));
    problem->hide();
    m_cards = new QGridLayout;
    m_cards->setSpacing(kPageGap);
    m_cardsInOrder = {chart->card(), detail->card(), rows->card(), parts->card()};
    arrange(2);
    for (Card* card : {chart->card(), detail->card()}) card->setMinimumHeight(kLeastChartHeight);
    for (Card* card : {rows->card(), parts->card()}) card->setMinimumHeight(kLeastTableHeight);
    for (Card* card : {chart->card(), detail->card(), rows->card(), parts->card()})
        card->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kPageGap);
    column->addWidget(filters);
    column->addWidget(problem);
    column->addWidget(tiles);
    column->addLayout(m_cards, 1);
    connect(tiles, &EvidenceTiles::withoutWanted, rows,
            [rows] { rows->showOnly(EvidenceRows::Only::Without); });
    connect(chart, &EvidenceChart::planWanted, this, &EvidencePage::planWanted);
    connect(detail, &EvidenceDetail::planWanted, this, &EvidencePage::planWanted);
    connect(rows, &EvidenceRowsTable::planWanted, this, &EvidencePage::planWanted);
    connect(rows, &EvidenceRowsTable::csvWanted, this, &EvidencePage::askCsvPath);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("evidenceScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->viewport()->setAutoFillBackground(false);
    scroll->setWidget(content);
    content->setAutoFillBackground(false);  // setWidget() turns it on
    return scroll;
}

void EvidencePage::arrange(int columns) {
    if (columns == m_columns) return;
    m_columns = columns;
    for (int i = 0; i < 4; ++i) {
        m_cards->addWidget(entryAt(m_cardsInOrder, i), i / columns, i % columns);
        // Charts are in front of tables.
        m_cards->setRowStretch(i, i * columns >= 4 ? 0 : i * columns < 2 ? 3 : 2);
    }
    m_cards->setColumnStretch(0, 10);
    m_cards->setColumnStretch(1, columns > 1 ? 9 : 0);
}

void EvidencePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange(width() < scaled(kLeastOfTwoColumns) ? 1 : 2);
}

void EvidencePage::refresh() {
    using State = EvidenceModel::State;
    const State state = m_model.state();
    m_stack->setCurrentIndex(state == State::Done ? 1 : 0);
    auto& what = static_cast<ToneLabel&>(*m_what);
    m_progress->setVisible(state == State::Working);
    m_button->setText(state == State::Working  ? tr("Cancel")
                      : state == State::Failed ? tr("Try again")
                                               : tr("Work it out"));
    m_button->setAccessibleName(m_button->text());
    const QString idle = tr("The planner is asked every training that others measured and published.");
    if (state == State::Failed)
        what.showText(tr("The published trainings cannot be read: %1").arg(m_model.problem()),
                      ColorRole::Bad);
    else if (state == State::Stopped)
        what.showText(tr("Stopped at %1. %2").arg(evidenceShare(m_model.progress(), 0), idle),
                      ColorRole::Text);
    else
        what.showText(state == State::Working ? tr("Working out published trainings…") : idle,
                      ColorRole::Text);
    showProgress();
}

void EvidencePage::showProgress() { m_progress->setValue(static_cast<int>(100 * m_model.progress())); }

Result<void> EvidencePage::writeCsv(const QString& path) const {
    const QByteArray csv = evidenceCsv(m_model, m_model.shown());
    return writeFileAtomically(path.toStdString(), {csv.constData(), static_cast<std::size_t>(csv.size())});
}

void EvidencePage::askCsvPath() {
    askSavePath(*this, tr("Write the trainings as CSV"),
                QDir::home().filePath(QStringLiteral("evidence.csv")), tr("Comma-separated values (*.csv)"),
                QStringLiteral("csv"), [this](const QString& path) {
                    const Result<void> written = writeCsv(path);
                    m_csvProblem->setText(written.has_value() ? QString() : forWindow(written.error()));
                    m_csvProblem->setVisible(!written.has_value());
                });
}

void EvidencePage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_model.state() == EvidenceModel::State::Working)
        return m_model.cancel();
    QWidget::keyPressEvent(event);
}

}  // namespace plumb::ui
