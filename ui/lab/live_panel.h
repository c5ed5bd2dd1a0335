// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lab_page.h"
#include "ui/lab/live_state.h"

#include <QWidget>

#include <optional>

class QAction;
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

/// The numbers of a weight, gradient or activation of the training that goes on, or of a weight of the newest
/// one that ended: by magnitude, what every narrow format would lose of them, and the loss scales that would
/// avoid it. Of the product of a linear model's weights, how near it came to the task's 0, 1, 2, ...
class LivePanel final : public QWidget {
    Q_OBJECT
public:
    explicit LivePanel(LabContext context, QWidget* parent = nullptr);

    void showInspection(const TensorInspection& inspection);
    void showRefusal(const QString& sentence);
    /// Asks where the tensor that is chosen, or all weights, are to be written.
    void exportOrSayWhyNot(bool allWeights);
    [[nodiscard]] const std::optional<LiveState>& state() const { return m_state; }

signals:
    /// `saveTo`: also to be written there, see LabEngine::inspect().
    void inspectionWanted(plumb::TensorRole role, int layer, const QString& saveTo);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void fillLayers();
    void ask(const QString& saveTo = {});
    void askExport(bool allWeights);
    void showFormat();
    void showRecovered();
    void fitTable();
    [[nodiscard]] bool canLook() const;
    [[nodiscard]] const LiveKind& kind() const;

    LabContext m_context;
    QComboBox *m_kind, *m_layer;
    QPushButton *m_look, *m_export;
    QAction *m_exportTensor, *m_exportWeights;
    QCheckBox* m_follow;
    QTimer* m_timer;
    ToneLabel *m_note, *m_title;
    ChartPanel* m_chart;
    HeatMap* m_map;
    QTableView* m_table;
    QStandardItemModel* m_model;
    QTableView* m_recovered;  ///< numbers of the product of a linear model, in the place of the formats
    QStandardItemModel* m_recoveredModel;
    std::optional<LiveState> m_state;
    std::int64_t m_layers = 0;
    bool m_head = true;
};

}  // namespace plumb::ui
