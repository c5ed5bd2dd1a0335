// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/marked_stretch_row.h"

#include "ui/theme/house_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/tone_label.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace plumb::ui {

MarkedStretchRow::MarkedStretchRow(Theme& theme, QWidget* parent)
    : QWidget(parent), m_says(new ToneLabel(theme, ColorRole::TextStrong, this)) {
    m_says->setObjectName(QStringLiteral("trainingStretch"));
    m_says->setWordWrap(true);
    m_says->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* clear = new QPushButton(tr("Clear the marked steps"), this);
    clear->setObjectName(QStringLiteral("trainingClearRange"));
    clear->setProperty(kQuietButton, true);
    clear->setToolTip(tr("Figures are of the whole training again (Esc in a curve)"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_says, 1);
    row->addWidget(clear);
    hide();
    connect(clear, &QPushButton::clicked, this, &MarkedStretchRow::cleared);
}

void MarkedStretchRow::showStretch(const TrainingRun* run, const MarkedStretch& stretch) {
    m_says->setText(stretchText(run, stretch));
    setVisible(stretch.window.has_value());
}

}  // namespace plumb::ui
