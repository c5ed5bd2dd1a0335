// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/document_tabs.h"

#include "ui/theme/house_style.h"
#include "ui/theme/theme.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QStyleOptionTab>

#include <algorithm>

namespace plumb::ui {

DocumentTabs::DocumentTabs(Theme& theme, QWidget* parent) : QTabBar(parent), m_theme(theme) {
    setObjectName(QStringLiteral("documentTabs"));
    setAccessibleName(tr("Open documents"));
    setMovable(true);
    setExpanding(false);
    setDocumentMode(true);
    setDrawBase(false);
    setElideMode(Qt::ElideMiddle);
    setUsesScrollButtons(true);
    hide();
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

// The keyboard has Ctrl+W and the menu.
QPushButton* DocumentTabs::closeButton() {
    constexpr int kSide = 22;
    auto* button = new QPushButton(QStringLiteral("✕"), this);
    button->setObjectName(QStringLiteral("documentTabClose"));
    button->setAccessibleName(tr("Close the tab"));
    button->setToolTip(tr("Close the tab"));
    button->setProperty(kQuietButton, true);
    button->setFixedSize(kSide, kSide);
    button->setFocusPolicy(Qt::NoFocus);
    connect(button, &QPushButton::clicked, this, [this, button] {
        for (int tab = 0; tab < count(); ++tab)
            if (tabButton(tab, RightSide) == button) return emit closeWanted(tab);
    });
    return button;
}

// As the views below: the current one stands out by its surface and a line of the accent.
void DocumentTabs::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorRole::Window));
    constexpr int kLine = 2;
    constexpr int kRing = 2;
    for (int tab = 0; tab < count(); ++tab) {
        QStyleOptionTab option;
        initStyleOption(&option, tab);
        const bool isCurrent = tab == currentIndex();
        const bool isHovered = (option.state & QStyle::State_MouseOver) != 0;
        if (isCurrent || isHovered)
            painter.fillRect(option.rect, m_theme.color(isCurrent ? ColorRole::Panel : ColorRole::Hover));
        if (isCurrent)
            painter.fillRect(QRect(option.rect.left(), option.rect.top(), option.rect.width(), kLine),
                             m_theme.color(ColorRole::Accent));
        const QRect room = style()->subElementRect(QStyle::SE_TabBarTabText, &option, this);
        painter.setPen(m_theme.color(isCurrent ? ColorRole::TextStrong : ColorRole::TextMuted));
        painter.drawText(
            room, Qt::AlignCenter | Qt::TextShowMnemonic,
            fontMetrics().elidedText(option.text, elideMode(), room.width(), Qt::TextShowMnemonic));
        if (isCurrent && hasFocus()) {
            painter.setPen(QPen(m_theme.color(ColorRole::Accent), 1));
            painter.drawRect(option.rect.adjusted(kRing, kRing, -kRing - 1, -kRing - 1));
        }
    }
}

void DocumentTabs::describe(int tab, const QString& name, const QString& path, bool isModified) {
    // An & in a name is no mnemonic.
    QString text = name;
    text.replace(QLatin1Char('&'), QStringLiteral("&&"));
    setTabText(tab, isModified ? tr("• %1").arg(text) : text);
    const QString place = path.isEmpty() ? tr("In no file yet") : path;
    setTabToolTip(tab, isModified ? tr("%1\nNot saved").arg(place) : place);
    setAccessibleTabName(tab, isModified ? tr("%1, not saved").arg(name) : name);
}

void DocumentTabs::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton) {
        const int tab = tabAt(event->position().toPoint());
        if (tab >= 0) emit closeWanted(tab);
        event->accept();
        return;
    }
    QTabBar::mouseReleaseEvent(event);
}

void DocumentTabs::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const int tab = byKey ? currentIndex() : tabAt(event->pos());
    if (tab < 0) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("documentTabMenu"));
    menu->addAction(tr("&Close"), this, [this, tab] { emit closeWanted(tab); });
    menu->addAction(tr("&Move to a new window"), this, [this, tab] { emit windowWanted(tab); });
    menu->popup(byKey ? mapToGlobal(tabRect(tab).bottomLeft()) : event->globalPos());
}

void DocumentTabs::tabInserted(int index) {
    setTabButton(index, RightSide, closeButton());
    QTabBar::tabInserted(index);
    setVisible(count() > 1);
}

void DocumentTabs::tabRemoved(int index) {
    QTabBar::tabRemoved(index);
    setVisible(count() > 1);
}

QSize DocumentTabs::minimumTabSizeHint(int index) const {
    constexpr int kLeast = 90;
    const QSize hint = tabSizeHint(index);
    return {std::min(hint.width(), kLeast), hint.height()};
}

}  // namespace plumb::ui
