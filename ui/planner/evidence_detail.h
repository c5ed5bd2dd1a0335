// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/evidence_model.h"
#include "ui/theme/theme.h"

#include <QObject>

class QLabel;
class QPushButton;

namespace plumb::ui {

class Card;
class EvidenceSpread;

/// The chosen training: what was measured and where it was read, what is predicted of which parts, how it was
/// laid out, and what was assumed. Without one: how to read the page, and how the errors spread.
class EvidenceDetail final : public QObject {
    Q_OBJECT
public:
    /// All outlive it; `parent` gets the card.
    EvidenceDetail(Theme& theme, EvidenceModel& model, QWidget* parent);
    [[nodiscard]] Card* card() const { return m_card; }
    void show();

signals:
    void planWanted(int row);

private:
    [[nodiscard]] QString html(const planner::ValidatedRow& row) const;
    [[nodiscard]] QString introduction() const;

    Theme& m_theme;
    EvidenceModel& m_model;
    Card* m_card;
    QLabel* m_text;
    QPushButton* m_plan;
    EvidenceSpread* m_spread;
};

}  // namespace plumb::ui
