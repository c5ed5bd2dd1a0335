// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/evidence_model.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace plumb::ui {

class EvidenceChart;
class EvidenceDetail;
class EvidenceFilters;
class EvidencePartsTable;
class EvidenceRowsTable;
class EvidenceTiles;

/// What the planner's predictions are worth: published trainings beside them, with error, bias and coverage
/// by source, device, regime and software.
class EvidencePage final : public QWidget {
    Q_OBJECT
public:
    /// Both outlive it.
    EvidencePage(Theme& theme, EvidenceModel& model, QWidget* parent = nullptr);

    /// Writes the rows that the filters leave. Errors: Io.
    [[nodiscard]] Result<void> writeCsv(const QString& path) const;

signals:
    /// A row of the model is to be planned with.
    void planWanted(int row);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeStatus(Theme& theme);
    QWidget* makeContent(Theme& theme);
    /// Side by side in two columns, or below each other in one.
    void arrange(int columns);
    void refresh();
    void showProgress();
    void askCsvPath();

    EvidenceModel& m_model;
    QStackedWidget* m_stack = nullptr;
    QGridLayout* m_cards = nullptr;
    std::vector<QWidget*> m_cardsInOrder;
    int m_columns = 0;
    QWidget* m_status = nullptr;
    QLabel* m_what = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_button = nullptr;
    QLabel* m_csvProblem = nullptr;
};

}  // namespace plumb::ui
