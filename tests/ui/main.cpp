// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_environment.h"

#include <QApplication>

#include <gtest/gtest.h>

int main(int argc, char** argv) {
    const plumb::test::TestEnvironment environment;
    // Runs without a display.
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    testing::InitGoogleTest(&argc, argv);
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("plumbline-test"));
    return RUN_ALL_TESTS();
}
