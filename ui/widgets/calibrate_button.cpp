// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/calibrate_button.h"

#include <QGridLayout>
#include <QVBoxLayout>
#include <QWidget>

namespace plumb::ui {

CalibrateButton::CalibrateButton(const QString& name, QGridLayout& chart)
    : QPushButton(tr("Calibrate"), chart.parentWidget()) {
    constexpr int kSentence = 76;  ///< that stands above
    setObjectName(name);
    setAccessibleName(tr("Calibrate this machine"));
    setToolTip(tr("Measures the peak rates and the memory bandwidth of this machine"));
    hide();
    auto* below = new QVBoxLayout;
    below->addStretch(1);
    below->addSpacing(kSentence);
    below->addWidget(this, 0, Qt::AlignHCenter);
    below->addStretch(1);
    chart.addLayout(below, 0, 0);
    raise();
}

void CalibrateButton::follow(bool possible, bool running) {
    setEnabled(possible);
    setText(running ? tr("Calibrating") : tr("Calibrate"));
}

}  // namespace plumb::ui
