// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QWidget>

#include <gtest/gtest.h>

namespace plumb::ui::test {

/// While it lives, a Qt warning or critical message fails the test. Warnings that the test asks for are
/// allowed by a part of their text.
class FailOnQtWarnings final {
public:
    explicit FailOnQtWarnings(QStringList allowed = {});
    ~FailOnQtWarnings();
    FailOnQtWarnings(const FailOnQtWarnings&) = delete;
    FailOnQtWarnings& operator=(const FailOnQtWarnings&) = delete;

private:
    static void handle(QtMsgType type, const QMessageLogContext& context, const QString& message);
    static FailOnQtWarnings* s_current;
    QStringList m_allowed;
    QtMessageHandler m_previous = nullptr;
    FailOnQtWarnings* m_outer = nullptr;
};

/// The only child with this object name; a test failure and a null pointer when there is none.
template <class T>
[[nodiscard]] T* child(const QObject& parent, const char* name) {
    T* found = parent.findChild<T*>(QString::fromLatin1(name));
    EXPECT_NE(found, nullptr) << "no child named " << name;
    return found;
}

/// Tab goes through the controls that are seen in `area` as they are read: along a line, then down.
void expectTabGoesDown(QWidget& area);

/// Lets the event loop work until `done` holds; false after `milliseconds` (only a hang takes that long).
template <class Condition>
[[nodiscard]] bool waitFor(Condition done, int milliseconds = 20000);

}  // namespace plumb::ui::test

#include <QTest>

namespace plumb::ui::test {
template <class Condition>
bool waitFor(Condition done, int milliseconds) {
    return QTest::qWaitFor(done, milliseconds);
}
}  // namespace plumb::ui::test
