// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/evidence_model.h"
#include "ui/planner/planner_edits.h"
#include "ui/workbench/view.h"

#include <QWidget>

class QHBoxLayout;
class QScrollArea;
class QStackedWidget;

namespace plumb::ui {

class EvidencePage;
class Card;
class PlannerAnswer;
class PlannerCharts;
class PlannerPanel;
class SegmentedControl;

/// The planner: which question, what goes into it, the answer as a range with its formula, and pictures of
/// what it is made of and what moves it; and beside the questions the evidence. Every change is a step in the
/// window's undo history. While it is hidden it does nothing; it catches up when it is shown or painted.
class PlannerView final : public QWidget {
    Q_OBJECT
public:
    /// `library` and `stack` outlive it. `saved` is what persistChanged() gave at some time, or empty.
    PlannerView(ViewContext context, DeviceLibrary& library, QUndoStack& stack, const QByteArray& saved,
                QWidget* parent = nullptr);
    ~PlannerView() override;

    [[nodiscard]] PlannerModel& model() { return m_model; }
    [[nodiscard]] PlannerEdits& edits() { return m_edits; }
    /// Writes the inputs as a plan. Errors: Io.
    [[nodiscard]] Result<void> savePlan(const QString& path) const;
    /// Names the file that holds what is planned now: it was opened or written.
    void setPlanFile(const QString& path);
    [[nodiscard]] const QString& planFile() const { return m_planFile; }  ///< empty: none
    void copyText();
    void copyJson();
    void focusSolve();
    void nextQuestion(int step);  ///< the evidence is behind the last
    /// The questions in their order, and the evidence behind them.
    [[nodiscard]] static int pageCount() { return static_cast<int>(plannerQuestions().size()) + 1; }
    [[nodiscard]] int page() const;
    /// Looks at a page for a picture, which is no step to undo.
    void showPage(int page);
    /// Shows the evidence, or the question again.
    void showEvidence(bool shown);
    [[nodiscard]] bool isEvidenceShown() const;
    [[nodiscard]] EvidenceModel& evidence() { return m_evidence; }
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void configWanted();
    void planToOpenWanted();
    void planToSaveWanted();
    void devicesWanted();
    void persistChanged(const QByteArray& bytes);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* makeQuestionPage(ViewContext context);
    void refresh();
    void choosePage(int segment);
    void showBusy();

    PlannerModel m_model;
    PlannerEdits m_edits;
    EvidenceModel m_evidence;
    SegmentedControl* m_questions = nullptr;
    Card* m_inputs = nullptr;
    PlannerPanel* m_panel = nullptr;
    PlannerAnswer* m_answer = nullptr;
    PlannerCharts* m_charts = nullptr;
    QStackedWidget* m_pages = nullptr;  ///< the question, the evidence
    QHBoxLayout* m_row = nullptr;       ///< inputs and answer
    QScrollArea* m_scroll = nullptr;    ///< answer and charts
    int m_shownPage = -1;
    QString m_planFile;
    std::string m_savedPlan;  ///< what was planned when it was opened or written
};

}  // namespace plumb::ui
