// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/findings/findings_model.h"
#include "ui/widgets/scene_view.h"

class QScrollArea;
class QTableView;
class QTimer;

namespace plumb::ui {

class ConfigHistory;
class FindingsDetail;

/// What the rules noticed of the step that is shown (docs/findings.md): a table, the chosen one in full below
/// it, and what else was looked at beside that. Enter, or a click on "Where", leads to the view that shows it
/// and selects the operation there.
class FindingsView final : public SceneView {
    Q_OBJECT
public:
    FindingsView(ViewContext context, ConfigHistory& history, QWidget* parent = nullptr);

    [[nodiscard]] const FindingsModel& model() const { return *m_model; }

signals:
    void viewWanted(const QString& id);
    void failed(const plumb::Error& error);

private:
    /// At once where nothing is shown yet; later when scenes follow each other, as while a slider moves:
    /// what is tried takes longer than a frame of a deep model.
    void catchUp() override;
    void fill();
    /// How many there are, of what.
    void sayCount();
    void resizeEvent(QResizeEvent* event) override;
    void fitColumns();
    void showChosen();
    void goTo(int row);
    void apply();

    ConfigHistory& m_history;
    FindingsModel* m_model;
    QTableView* m_table;
    FindingsDetail* m_detail;
    FindingsDetail* m_silent;
    QScrollArea* m_silentArea = nullptr;
    QTimer* m_pause;
    bool m_isFilled = false;
};

}  // namespace plumb::ui
