// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/run_controller.h"
#include "ui/shell/document.h"
#include "ui/workbench/view.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace plumb::ui {

class ToneLabel;
class WorkProgress;

/// The line at the bottom: what the engine does, how far and how fast, which of several measurements is
/// shown, who made the prediction when that was not this program now, and whether the ceilings of the
/// engine's machine, this one or that of a host, are known. It asks for no width: what has no room goes, the
/// least important first, and stands in its tooltip.
class StatusStrip final : public QWidget {
    Q_OBJECT
public:
    StatusStrip(ViewContext context, RunController& controller, Document& document, WorkProgress& progress,
                QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void addLabel(QLabel* label, const char* name);
    void refresh();
    void showTexts();
    /// Shows what has room in the width.
    void arrange();
    [[nodiscard]] int widthOfEngine();
    void showSpeed();
    void showOtherEngine();
    void showCalibration();

    ViewContext m_context;
    RunController& m_controller;
    Document& m_document;
    WorkProgress& m_progress;
    ToneLabel* m_engine;
    QLabel *m_speed, *m_measurement, *m_prediction, *m_calibration;
    QProgressBar* m_bar;  ///< of work that counts its parts
    QPushButton* m_calibrate;
    int m_widestEngine =
        0;  ///< text of the work that goes on, so that nothing comes and goes with its numbers
};

}  // namespace plumb::ui
