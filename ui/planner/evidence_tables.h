// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/evidence_rows.h"
#include "ui/theme/theme.h"

#include <QObject>

class QTableView;

namespace plumb::ui {

class Card;
class EvidenceParts;
class SegmentedControl;

/// Error, bias and coverage of the parts of what is shown: by source, device, regime or software.
class EvidencePartsTable final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `parent` gets the card.
    EvidencePartsTable(Theme& theme, EvidenceModel& model, QWidget* parent);
    [[nodiscard]] Card* card() const { return m_card; }
    void show();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
    /// Looks at this part alone, or at all again.
    void narrow(int row);

    EvidenceModel& m_model;
    Card* m_card;
    QTableView* m_table;
    EvidenceParts* m_parts;
    SegmentedControl* m_by;
};

/// The trainings themselves, which are copied and written as CSV.
class EvidenceRowsTable final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `parent` gets the card.
    EvidenceRowsTable(Theme& theme, EvidenceModel& model, QWidget* parent);
    [[nodiscard]] Card* card() const { return m_card; }
    void showOnly(EvidenceRows::Only only);
    void show();

signals:
    void planWanted(int row);
    void csvWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
    void follow();
    [[nodiscard]] QString widestName() const;

    EvidenceModel& m_model;
    Card* m_card;
    QTableView* m_table;
    EvidenceRows* m_rows;
    SegmentedControl* m_only;
};

}  // namespace plumb::ui
