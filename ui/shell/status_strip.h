// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/run_controller.h"
#include "ui/shell/document.h"
#include "ui/workbench/view.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace plumb::ui {

/// The line at the bottom: what the engine does, how fast, which of several measurements is shown, who made
/// the prediction when that was not this program now, and whether this machine's ceilings are known.
class StatusStrip final : public QWidget {
    Q_OBJECT
public:
    StatusStrip(ViewContext context, RunController& controller, Document& document,
                QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void showOtherEngine();

    ViewContext m_context;
    RunController& m_controller;
    Document& m_document;
    QLabel *m_engine, *m_speed, *m_measurement, *m_prediction, *m_calibration;
    QPushButton* m_calibrate;
};

}  // namespace plumb::ui
