// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segmented_control.h"

#include "ui/theme/house_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/wrap_layout.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

namespace plumb::ui {

namespace {
constexpr int kBetween = 2;
}

SegmentedControl::SegmentedControl(Theme& theme, const QStringList& labels, const QString& name,
                                   QWidget* parent)
    : QWidget(parent), m_theme(theme), m_group(new QButtonGroup(this)) {
    setObjectName(name);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(2, 2, 2, 2);
    layout->setSpacing(kBetween);
    for (qsizetype i = 0; i < labels.size(); ++i) {
        // What it is comes before its text, with which screen readers learn of it.
        auto* button = new QPushButton(this);
        button->setProperty(kSegmentButton, true);
        button->setCheckable(true);
        button->setText(labels[i]);
        button->setAutoDefault(false);
        button->setObjectName(name + QString::number(i));
        button->setAccessibleName(labels[i]);
        m_group->addButton(button, static_cast<int>(i));
        layout->addWidget(button, 1);
    }
    connect(m_group, &QButtonGroup::idClicked, this, &SegmentedControl::chosen);
    connect(&m_theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

int SegmentedControl::current() const { return m_group->checkedId(); }

void SegmentedControl::setCurrent(int index) {
    auto* const button = m_group->button(index);
    if (button == nullptr || button->isChecked()) return;
    // Tab leads to the one that is chosen: a ring around another would tell of what is not.
    const QAbstractButton* const before = m_group->checkedButton();
    if (before != nullptr && before->hasFocus()) button->setFocus();
    button->setChecked(true);
}

void SegmentedControl::setSegmentToolTip(int index, const QString& text) {
    if (auto* button = m_group->button(index)) button->setToolTip(text);
}

void SegmentedControl::setSegmentVisible(int index, bool visible) {
    if (auto* button = m_group->button(index)) button->setVisible(visible);
}

void SegmentedControl::setWrapping() {
    const QMargins margins = layout()->contentsMargins();
    delete layout();
    auto* const lines = new WrapLayout(this, kBetween);
    lines->setContentsMargins(margins);
    for (QAbstractButton* button : m_group->buttons()) lines->addWidget(button);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void SegmentedControl::setSeveral() {
    m_group->setExclusive(false);
    for (QAbstractButton* button : m_group->buttons())
        connect(button, &QAbstractButton::clicked, this,
                [this, index = m_group->id(button)](bool on) { emit toggled(index, on); });
}

bool SegmentedControl::isOn(int index) const {
    const auto* button = m_group->button(index);
    return button && button->isChecked();
}

void SegmentedControl::setOn(int index, bool on) {
    if (auto* button = m_group->button(index)) button->setChecked(on);
}

void SegmentedControl::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(m_theme.color(ColorRole::FieldBorder));
    painter.setBrush(m_theme.color(ColorRole::Field));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

}  // namespace plumb::ui
