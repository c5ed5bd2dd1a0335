// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/trace/trace_scope.h"

#include <QScrollArea>
#include <QVector>

#include <cstddef>

class QComboBox;
class QGridLayout;
class QTreeWidget;

namespace plumb::ui {

class Card;
class DonutChart;
class HeadlineFigures;
class SplitBar;

/// Cards of what was chosen of a trace: headline figures, steps, idle time by cause, kernel categories and
/// the critical path. They stand in as many columns as there is room for.
class TraceCards final : public QScrollArea {
    Q_OBJECT
public:
    TraceCards(Theme& theme, const TraceScope& scope, QWidget* parent = nullptr);

    /// Fills the table of steps, of another trace.
    void refresh();
    /// Columns of cards that there is room for.
    [[nodiscard]] int columns() const { return m_columns; }

signals:
    void stepChosen(std::size_t step);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    Card* addCard(const QString& title, const QString& name, QWidget* content);
    void lay();
    void fillSteps();
    void showScope();
    void showFigures(const ScopeFigures& figures, const trace::DeviceWindow* device);
    void showIdle(const trace::DeviceWindow* device);
    void showCategories(const ScopeFigures& figures);
    void showPath(const ScopeFigures& figures);

    Theme& m_theme;
    const TraceScope& m_scope;
    QGridLayout* m_grid;
    QVector<Card*> m_cards;
    HeadlineFigures* m_figures;
    QTreeWidget* m_steps;
    QComboBox* m_devices;
    SplitBar* m_idle;
    DonutChart* m_categories;
    SplitBar* m_path;
    int m_columns = 0;  ///< none before they are laid out
};

}  // namespace plumb::ui
