// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fix_button.h"

#include "ui/theme/house_style.h"

#include <QLabel>
#include <QStyleOptionButton>
#include <QStylePainter>

#include <algorithm>
#include <utility>

namespace plumb::ui {

namespace {

QString fixNameOf(const QLabel& line) { return line.objectName() + QStringLiteral("Fix"); }

}  // namespace

FixButton::FixButton(QLabel& line) : QPushButton(line.parentWidget()) {
    setObjectName(fixNameOf(line));
    setAutoDefault(false);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    hide();
    connect(this, &QPushButton::clicked, this, [this] {
        const auto action = std::exchange(m_action, {});
        hide();
        if (action) action();
    });
}

FixButton* FixButton::of(const QLabel& line) {
    return line.parentWidget()
               ? line.parentWidget()->findChild<FixButton*>(fixNameOf(line), Qt::FindDirectChildrenOnly)
               : nullptr;
}

void FixButton::offer(const QString& text, const QString& toolTip, std::function<void()> action) {
    m_action = std::move(action);
    setText(text);
    setToolTip(toolTip);
    show();
}

void FixButton::offerUse(const QString& value, std::function<void()> action) {
    offer(tr("Use %1").arg(value), tr("Puts it in the place of what was typed"), std::move(action));
}

void FixButton::withdraw() {
    m_action = {};
    hide();
}

QSize FixButton::minimumSizeHint() const {
    return {std::min(fontMetrics().averageCharWidth() * 8, sizeHint().width()), sizeHint().height()};
}

void FixButton::paintEvent(QPaintEvent*) {
    QStyleOptionButton option;
    initStyleOption(&option);
    const int room = style()->subElementRect(QStyle::SE_PushButtonContents, &option, this).width();
    option.text = fontMetrics().elidedText(option.text, Qt::ElideRight, room, Qt::TextShowMnemonic);
    QStylePainter(this).drawControl(QStyle::CE_PushButton, option);
}

}  // namespace plumb::ui
