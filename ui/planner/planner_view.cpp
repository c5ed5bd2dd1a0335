// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_view.h"

#include "core/base/entry_at.h"
#include "core/planner/scenario_file.h"
#include "ui/planner/evidence_page.h"
#include "ui/planner/planner_answer.h"
#include "ui/planner/planner_charts.h"
#include "ui/planner/planner_panel.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace plumb::ui {
namespace {

constexpr int kBetweenCards = 10;
constexpr int kInputsEdge = 6;                     // of the card around the inputs
constexpr int kInputsShare = 2, kAnswerShare = 3;  // of the height, where they stand below each other

int leastWidthOf(const QScrollArea& scrolled) {
    return scrolled.widget()->minimumSizeHint().width() + scrolled.verticalScrollBar()->sizeHint().width();
}

}  // namespace

PlannerView::PlannerView(ViewContext context, DeviceLibrary& library, QUndoStack& stack,
                         const QByteArray& saved, QWidget* parent)
    : QWidget(parent), m_model(context.workbench, library), m_edits(m_model, context.workbench, stack) {
    setObjectName(QStringLiteral("plannerView"));
    setAccessibleName(tr("Planner"));
    QStringList labels;
    for (const PlannerQuestion& question : plannerQuestions()) labels << question.label;
    labels << tr("Evidence");
    m_questions = new SegmentedControl(context.theme, labels, QStringLiteral("plannerQuestion"), this);
    m_questions->setAccessibleName(tr("Question"));
    m_questions->setWrapping();
    for (int i = 0; i < labels.size() - 1; ++i)
        m_questions->setSegmentToolTip(i, entryAt(plannerQuestions(), i).title);
    m_questions->setSegmentToolTip(static_cast<int>(labels.size()) - 1,
                                   tr("How far are predictions from what others measured?"));
    connect(m_questions, &SegmentedControl::chosen, this, &PlannerView::choosePage);
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(makeQuestionPage(context));
    auto* evidence = new EvidencePage(context.theme, m_evidence, this);
    m_pages->addWidget(evidence);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addWidget(m_questions);
    layout->addWidget(m_pages, 1);

    connect(&m_model, &PlannerModel::changed, this, &PlannerView::refresh);
    connect(&m_edits, &PlannerEdits::refused, this, &PlannerView::refresh);
    // Whatever changes what is planned shows it.
    connect(&m_model, &PlannerModel::inputsSet, this, [this] { showEvidence(false); });
    connect(evidence, &EvidencePage::planWanted, this, [this](int row) {
        m_edits.takeTraining(*entryAt(m_evidence.rows(), row).row, m_evidence.filter().figure);
    });
    connect(&m_evidence, &EvidenceModel::changed, this, &PlannerView::showBusy);
    connect(&m_model.explorer(), &PlannerExplorer::changed, m_charts, &PlannerCharts::refreshExplored);
    connect(&m_model.explorer(), &PlannerExplorer::progressed, m_charts, &PlannerCharts::showProgress);
    connect(&m_model, &PlannerModel::changed, this, &PlannerView::showBusy);
    connect(&m_model.explorer(), &PlannerExplorer::changed, this, &PlannerView::showBusy);
    connect(&m_model, &PlannerModel::persistChanged, this, &PlannerView::persistChanged);
    connect(m_panel, &PlannerPanel::configWanted, this, &PlannerView::configWanted);
    connect(m_panel, &PlannerPanel::devicesWanted, this, &PlannerView::devicesWanted);
    connect(m_charts, &PlannerCharts::inputWanted, m_panel, &PlannerPanel::focusInput);
    connect(&context.theme, &Theme::changed, this, &PlannerView::refresh);
    m_model.restore(saved);
}

PlannerView::~PlannerView() = default;

QWidget* PlannerView::makeQuestionPage(ViewContext context) {
    auto* page = new QWidget(this);
    m_inputs = new Card(context.theme, tr("What goes in"), page);
    m_inputs->setObjectName(QStringLiteral("plannerInputs"));
    m_inputs->setContentMargins(0, 0, 2, 4);
    connect(m_inputs->addHeaderButton(tr("Open…"), QStringLiteral("plannerOpen"),
                                      tr("Opens a plan: everything that goes in, from a file")),
            &QPushButton::clicked, this, &PlannerView::planToOpenWanted);
    connect(m_inputs->addHeaderButton(tr("Save…"), QStringLiteral("plannerSave"),
                                      tr("Saves everything that goes in as a plan")),
            &QPushButton::clicked, this, &PlannerView::planToSaveWanted);
    m_panel = new PlannerPanel(context.theme, m_model, m_edits, m_inputs);
    m_inputs->setContent(m_panel);
    m_answer = new PlannerAnswer(context.theme, m_model, m_edits, this);
    m_charts = new PlannerCharts(context.theme, m_model, m_edits, this);
    auto* content = new QWidget(page);
    content->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(m_answer);
    column->addWidget(m_charts, 1);
    m_scroll = new QScrollArea(page);
    m_scroll->setObjectName(QStringLiteral("plannerScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(content);
    content->setAutoFillBackground(false);  // setWidget() turns it on
    m_row = new QHBoxLayout(page);
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(kBetweenCards);
    m_row->addWidget(m_inputs, kInputsShare);
    m_row->addWidget(m_scroll, kAnswerShare);
    return page;
}

void PlannerView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_model.setActive(!isEvidenceShown());
}

void PlannerView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_model.setActive(false);
}

// Inputs wrap, and give way to the answer where letters are large: without its width it would be cut. Where
// that is not enough, as beside a lesson, it stands below them.
void PlannerView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int room = width() - leastWidthOf(*m_scroll) - kBetweenCards - kInputsEdge;
    const bool isBelow = room < PlannerPanel::leastWidth();
    m_row->setDirection(isBelow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_panel->fitWidth(isBelow ? std::nullopt : std::optional(room));
}

QSize PlannerView::minimumSizeHint() const {
    const int below = std::max(leastWidthOf(*m_scroll), PlannerPanel::leastWidth() + kInputsEdge);
    const QSize least = QWidget::minimumSizeHint();
    return {std::min(least.width(), below), least.height()};
}

void PlannerView::paintEvent(QPaintEvent*) {
    m_model.setActive(!isEvidenceShown());  // a picture of a view that was never shown
}

void PlannerView::refresh() {
    m_questions->setCurrent(page());
    if (std::exchange(m_shownPage, page()) != page())
        m_scroll->verticalScrollBar()->setValue(0);  // the answer
    m_panel->refresh();
    m_answer->refresh();
    m_charts->refresh();
    if (m_planFile.isEmpty()) return;
    const QString name = QFileInfo(m_planFile).fileName();
    const bool isSaved = planner::scenarioToText(m_model.inputs().scenario) == m_savedPlan;
    m_inputs->setSubtitle(isSaved ? name : tr("%1, changed").arg(name), m_planFile);
}

bool PlannerView::isEvidenceShown() const { return m_pages->currentIndex() == 1; }

void PlannerView::showEvidence(bool shown) {
    if (shown == isEvidenceShown()) return;
    m_pages->setCurrentIndex(shown ? 1 : 0);
    m_model.setActive(!shown && isVisible());
    if (shown) m_evidence.start();
    refresh();
    showBusy();
}

void PlannerView::choosePage(int segment) {
    const bool isEvidence = segment == static_cast<int>(plannerQuestions().size());
    showEvidence(isEvidence);
    if (!isEvidence) m_edits.setQuestion(segment);
}

/// What a picture waits for.
void PlannerView::showBusy() {
    setProperty(kBusyView, isEvidenceShown() ? m_evidence.state() == EvidenceModel::State::Working
                                             : m_model.explorer().progress().has_value());
}

Result<void> PlannerView::savePlan(const QString& path) const {
    return planner::writeScenario(path.toStdString(), planOf(m_model.inputs()));
}

void PlannerView::setPlanFile(const QString& path) {
    m_planFile = path;
    m_savedPlan = planner::scenarioToText(m_model.inputs().scenario);
    refresh();
}

void PlannerView::copyText() { m_answer->copyText(); }
void PlannerView::copyJson() { m_answer->copyJson(); }
void PlannerView::focusSolve() { m_answer->focusSolve(); }

void PlannerView::nextQuestion(int step) { choosePage((page() + step + pageCount()) % pageCount()); }

int PlannerView::page() const { return isEvidenceShown() ? pageCount() - 1 : m_model.inputs().question; }

void PlannerView::showPage(int page) {
    const bool isEvidence = page == pageCount() - 1;
    showEvidence(isEvidence);
    if (isEvidence || page == m_model.inputs().question) return;
    PlannerInputs inputs = m_model.inputs();
    inputs.question = page;
    m_model.setInputs(inputs);
}

}  // namespace plumb::ui
