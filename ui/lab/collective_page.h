// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/collective_state.h"
#include "ui/lab/lab_page.h"

#include <QTimer>
#include <QWidget>

class QComboBox;
class QPushButton;
class QSplitter;
class QTableWidget;

namespace plumb::ui {

class ChartPanel;
class CollectivePicture;
class SegmentedControl;
class SliderRow;
class ToneLabel;

/// Collectives step by step: who sends what to whom, and what each way costs by size and ranks.
class CollectivePage final : public QWidget {
    Q_OBJECT
public:
    explicit CollectivePage(LabContext context, QWidget* parent = nullptr);
    ~CollectivePage() override;

    [[nodiscard]] const CollectiveState& state() const { return m_state; }
    void show(const CollectiveInput& input);
    using QWidget::show;
    void copy();

signals:
    void revealed();  ///< an edit was undone or redone: the page wants to be in sight

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* makeQuestionCard();
    [[nodiscard]] QWidget* makeStepsCard();
    [[nodiscard]] QWidget* makeCostCard();
    void refreshLinks();
    /// As an edit that can be undone.
    void ask(const CollectiveInput& input, int gesture = 0);
    void playOrPause();
    void showRows();
    void showChart();

    LabContext m_context;
    QVector<CollectiveLinkChoice> m_links;
    CollectiveState m_state;
    SegmentedControl *m_kind = nullptr, *m_way = nullptr;
    QComboBox *m_link = nullptr, *m_latency = nullptr;
    SliderRow *m_ranks = nullptr, *m_bytes = nullptr, *m_step = nullptr;
    QSplitter* m_split = nullptr;
    CollectivePicture* m_picture = nullptr;
    ToneLabel *m_stepText = nullptr, *m_wayText = nullptr, *m_summary = nullptr;
    QPushButton* m_play = nullptr;
    QTableWidget* m_table = nullptr;
    ChartPanel* m_chart = nullptr;
    QTimer m_playing;
};

}  // namespace plumb::ui
