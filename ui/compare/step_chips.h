// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QString>
#include <QWidget>

#include <vector>

class QGridLayout;
class QPushButton;
class QToolButton;

namespace plumb::ui {

class ComparedSteps;

/// One step: its letter, its name, where its numbers are from. A click compares it in detail; its buttons
/// make it the baseline and take it away.
class StepChip final : public QAbstractButton {
    Q_OBJECT
public:
    StepChip(Theme& theme, QWidget* parent);
    void show(std::size_t place, const QString& label, const QString& origin, bool isDetailed);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {150, sizeHint().height()}; }

signals:
    void removeWanted();
    void baselineWanted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] ColorRole role() const;

    Theme& m_theme;
    QToolButton* m_baseline;
    QToolButton* m_remove;
    std::size_t m_place = 0;
    QString m_origin;
    bool m_isDetailed = false;
};

/// The steps that are compared as chips, the baseline first, with a button that swaps it and one that adds
/// more.
class StepChips final : public QWidget {
    Q_OBJECT
public:
    StepChips(Theme& theme, ComparedSteps& steps, QWidget* parent = nullptr);
    /// What the button Add opens; it is filled when it is about to be shown.
    [[nodiscard]] QPushButton& addButton() { return *m_add; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void arrange();

    Theme& m_theme;
    ComparedSteps& m_steps;
    QGridLayout* m_layout;
    QToolButton* m_swap;
    QPushButton* m_add;
    std::vector<StepChip*> m_chips;
};

}  // namespace plumb::ui
