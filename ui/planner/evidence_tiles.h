// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/evidence_model.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QWidget>

#include <vector>

class QGridLayout;

namespace plumb::ui {

/// One figure of both uses side by side: fitted muted, validated only strong.
class EvidenceTile final : public QAbstractButton {
    Q_OBJECT
public:
    struct Content {
        QString title;
        QString goal;  ///< at the right of the title; may be empty
        QString fitted;
        QString validated;
        bool misses = false;  ///< validated only is beyond the goal
    };
    EvidenceTile(Theme& theme, QWidget* parent);
    void show(const Content& content);
    [[nodiscard]] const Content& content() const { return m_content; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    Content m_content;
};

/// Rows, median error, 90 % within, bias, coverage, and how many rows have no prediction, of what is shown.
class EvidenceTiles final : public QWidget {
    Q_OBJECT
public:
    /// Both outlive it.
    EvidenceTiles(Theme& theme, EvidenceModel& model, QWidget* parent);
    void refresh();
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void withoutWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// In as many columns: all in one row, or two rows where that has no room for their values.
    void arrange(int columns);

    QGridLayout* m_grid = nullptr;
    int m_columns = 0;
    EvidenceModel& m_model;
    std::vector<EvidenceTile*> m_tiles;
};

}  // namespace plumb::ui
