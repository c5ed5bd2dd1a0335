// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/scene.h"
#include "ui/workbench/view.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QLabel;
class QVBoxLayout;

namespace plumb {
struct Machine;
}

namespace plumb::ui {

class FindingsList;
class Meter;
class RunController;
struct Recording;

/// The left side of the window while a recorded step is shown: what was recorded and how, for which device it
/// is predicted, what its numbers say, whether it fits there, and the way back to the model of the sliders.
class RecordingPanel final : public QWidget {
    Q_OBJECT
public:
    RecordingPanel(ViewContext context, RunController& controller, QWidget* parent = nullptr);

signals:
    void closeWanted();  ///< back to the model of the sliders
    /// The view with this id is to show this operation.
    void wanted(const QString& view, const QString& opId);

private:
    void buildHead(QVBoxLayout& layout);
    void buildDevice(QVBoxLayout& layout);
    void buildFoot(QVBoxLayout& layout);
    void refresh();
    void showFacts(const Recording& recording);
    void showDevices();
    void showMemory();
    void showNotes(const Machine& machine);
    void showFindings();

    ViewContext m_context;
    RunController& m_controller;
    QLabel* m_title = nullptr;
    QFormLayout* m_facts = nullptr;
    QComboBox* m_device = nullptr;
    Meter* m_meter = nullptr;
    QLabel* m_fits = nullptr;
    QLabel* m_notes = nullptr;
    FindingsList* m_findings = nullptr;
    QLabel* m_noFindings = nullptr;
    ScenePtr m_foundIn;   ///< what the findings on the screen are of
    QString m_shownPath;  ///< of the recording whose facts are on the screen
};

}  // namespace plumb::ui
