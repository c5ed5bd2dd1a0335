// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support.h"

#include <QtGlobal>

#include <algorithm>
#include <utility>

namespace plumb::ui::test {

FailOnQtWarnings* FailOnQtWarnings::s_current = nullptr;

FailOnQtWarnings::FailOnQtWarnings(QStringList allowed) : m_allowed(std::move(allowed)), m_outer(s_current) {
    s_current = this;
    m_previous = qInstallMessageHandler(&FailOnQtWarnings::handle);
}

FailOnQtWarnings::~FailOnQtWarnings() {
    qInstallMessageHandler(m_previous);
    s_current = m_outer;
}

void FailOnQtWarnings::handle(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type != QtWarningMsg && type != QtCriticalMsg) return;
    const bool allowed = s_current && std::ranges::any_of(s_current->m_allowed, [&](const QString& part) {
                             return message.contains(part);
                         });
    if (!allowed) ADD_FAILURE() << "Qt warned: " << message.toStdString();
}

void expectTabGoesDown(QWidget& area) {
    const auto placeOf = [&](const QWidget& control) {
        return QRect(control.mapTo(&area, QPoint()), control.size());
    };
    const QWidget* before = nullptr;
    for (QWidget* at = area.nextInFocusChain(); at != &area; at = at->nextInFocusChain()) {
        const bool isReached =
            at->isVisible() && (at->focusPolicy() & Qt::TabFocus) != 0 && !at->focusProxy();
        if (!isReached || !area.isAncestorOf(at)) continue;
        if (before != nullptr && !before->isAncestorOf(at)) {
            const QRect last = placeOf(*before), next = placeOf(*at);
            const bool isBeside = next.top() < last.bottom() && last.top() < next.bottom();
            EXPECT_TRUE(isBeside ? next.left() >= last.right() : next.top() >= last.bottom())
                << before->objectName().toStdString() << " to " << at->objectName().toStdString() << ", "
                << at->metaObject()->className() << " at " << next.left() << ", " << next.top() << " behind "
                << last.left() << ", " << last.top();
        }
        before = at;
    }
    EXPECT_NE(before, nullptr);
}

}  // namespace plumb::ui::test
