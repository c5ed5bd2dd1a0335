// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/einsum_state.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QPlainTextEdit;
class QStackedWidget;
class QStandardItemModel;
class QTableView;

namespace plumb::ui {

class SegmentedControl;
class Theme;
class ToneLabel;

/// What an expression costs: its figures, gradients, best order and loops.
class EinsumCosts final : public QWidget {
    Q_OBJECT
public:
    EinsumCosts(Theme& theme, QWidget* parent);

    void show(const EinsumState& state);
    /// Brings the details into sight that hold this control.
    void reveal(QWidget* control);

signals:
    void gradientTaken(int index);

private:
    [[nodiscard]] QTableView* makeTable(const char* name, const QString& title, QStandardItemModel* model);
    [[nodiscard]] QWidget* makeOrder();
    void showFigures(const QVector<EinsumFigure>& figures);

    struct FigureLabels {
        ToneLabel *name = nullptr, *value = nullptr, *formula = nullptr;
    };
    Theme& m_theme;
    std::vector<FigureLabels> m_figures;
    QGridLayout* m_figureGrid;
    SegmentedControl* m_detailChoice;
    QStackedWidget* m_details;
    QStandardItemModel *m_gradients, *m_order;
    ToneLabel* m_orderNote = nullptr;
    QPlainTextEdit* m_loops;
};

}  // namespace plumb::ui
