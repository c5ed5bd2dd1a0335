// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/training/marked_stretch.h"

#include <QWidget>

namespace plumb::ui {

class Theme;
class ToneLabel;

/// What the newest run was like in the marked stretch, with the way back; not there where nothing is marked.
class MarkedStretchRow final : public QWidget {
    Q_OBJECT
public:
    explicit MarkedStretchRow(Theme& theme, QWidget* parent = nullptr);

    /// `run` may be null.
    void showStretch(const TrainingRun* run, const MarkedStretch& stretch);

signals:
    void cleared();

private:
    ToneLabel* m_says;
};

}  // namespace plumb::ui
