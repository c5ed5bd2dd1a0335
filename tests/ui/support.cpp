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

}  // namespace plumb::ui::test
