// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lab_page.h"
#include "ui/lab/live_state.h"

#include <QWidget>

#include <optional>

class QCheckBox;
class QComboBox;
class QPushButton;
class QStandardItemModel;
class QTableView;
class QTimer;

namespace plumb::ui {

class ChartPanel;
class HeatMap;
class ToneLabel;

/// The numbers of a weight, gradient or activation of the training that goes on: by magnitude, what every
/// narrow format would lose of them, and the loss scales that would avoid it.
class LivePanel final : public QWidget {
    Q_OBJECT
public:
    explicit LivePanel(LabContext context, QWidget* parent = nullptr);

    void showInspection(const lab::TensorInspection& inspection);
    void showRefusal(const QString& sentence);
    [[nodiscard]] const std::optional<LiveState>& state() const { return m_state; }

signals:
    void inspectionWanted(plumb::TensorRole role, int layer);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void fillLayers();
    void ask();
    void showFormat();
    [[nodiscard]] TensorRole role() const;

    LabContext m_context;
    QComboBox *m_kind, *m_layer;
    QPushButton* m_look;
    QCheckBox* m_follow;
    QTimer* m_timer;
    ToneLabel *m_note, *m_title;
    ChartPanel* m_chart;
    HeatMap* m_map;
    QTableView* m_table;
    QStandardItemModel* m_model;
    std::optional<LiveState> m_state;
    std::int64_t m_layers = 0;
    bool m_head = true;
};

}  // namespace plumb::ui
