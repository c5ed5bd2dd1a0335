// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace plumb::ui::test {

/// Command line of the fake engine in this mode: see fake_engine.cpp.
[[nodiscard]] inline QString fakeEngine(const QString& mode) {
    return QStringLiteral("\"" PLUMB_FAKE_ENGINE "\" ") + mode;
}

}  // namespace plumb::ui::test
