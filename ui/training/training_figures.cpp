// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/training_figures.h"

#include "ui/theme/theme.h"
#include "ui/widgets/wrap_layout.h"

#include <QLabel>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

constexpr int kBetween = 14;  // lines; columns have twice that

}  // namespace

TrainingFigures::TrainingFigures(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_layout(new WrapLayout(this, kBetween)) {
    m_layout->setContentsMargins(0, 0, 0, 4);
    connect(&theme, &Theme::changed, this, &TrainingFigures::restyle);
}

void TrainingFigures::setFigures(const QVector<Figure>& figures) {
    const bool isNew = m_pairs.size() < figures.size();
    while (m_pairs.size() < figures.size()) {
        auto* column = new QVBoxLayout;
        column->setSpacing(0);
        column->setContentsMargins(0, 0, kBetween, 0);
        const Pair pair{new QLabel(this), new QLabel(this)};
        column->addWidget(pair.caption);
        column->addWidget(pair.value);
        m_layout->addLayout(column);
        m_pairs.append(pair);
    }
    for (qsizetype i = 0; i < figures.size(); ++i) {
        const Figure& figure = figures[i];
        const Pair& pair = m_pairs[i];
        pair.caption->setText(figure.caption);
        pair.value->setObjectName(figure.id);
        pair.value->setText(figure.value);
        pair.value->setToolTip(figure.toolTip);
        pair.caption->setToolTip(figure.toolTip);
        pair.value->setAccessibleName(figure.caption + u' ' + figure.value);
        // A digit more must not move its neighbours at every frame.
        pair.value->setMinimumWidth(qMax(pair.value->minimumWidth(), pair.value->sizeHint().width()));
    }
    for (qsizetype i = 0; i < m_pairs.size(); ++i) {
        m_pairs[i].caption->setVisible(i < figures.size());
        m_pairs[i].value->setVisible(i < figures.size());
    }
    if (isNew) restyle();
}

void TrainingFigures::restyle() {
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    strong.setPointSizeF(font().pointSizeF() * 1.25);
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.9);
    const auto colored = [this](ColorRole role) {
        QPalette palette = this->palette();
        palette.setColor(QPalette::WindowText, m_theme.color(role));
        return palette;
    };
    for (const Pair& pair : m_pairs) {
        pair.caption->setFont(small);
        pair.caption->setPalette(colored(ColorRole::TextMuted));
        pair.value->setFont(strong);
        pair.value->setPalette(colored(ColorRole::TextStrong));
    }
}

}  // namespace plumb::ui
