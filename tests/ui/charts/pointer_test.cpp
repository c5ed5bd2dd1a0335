// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/pointer.h"

#include "tests/ui/charts/move_to.h"

#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWidget>

#include <gtest/gtest.h>

namespace plumb::ui {
namespace {

struct Pointed {
    Pointed() {
        widget.resize(200, 100);
        widget.show();
    }
    QWidget widget;
    Pointer pointer{widget};
    QSignalSpy hovered{&pointer, &Pointer::hovered};
    QSignalSpy left{&pointer, &Pointer::left};
    QSignalSpy pressed{&pointer, &Pointer::pressed};
    QSignalSpy dragged{&pointer, &Pointer::dragged};
    QSignalSpy dropped{&pointer, &Pointer::dropped};
    QSignalSpy clicked{&pointer, &Pointer::clicked};
    QSignalSpy doubleClicked{&pointer, &Pointer::doubleClicked};
};

using test::moveTo;

TEST(Pointer, HoversUntilItLeaves) {
    Pointed shown;
    moveTo(shown.widget, {10, 20});
    ASSERT_EQ(shown.hovered.size(), 1);
    EXPECT_EQ(shown.hovered.front().front().toPointF(), QPointF(10, 20));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&shown.widget, &leave);
    EXPECT_EQ(shown.left.size(), 1);
    EXPECT_TRUE(shown.pressed.isEmpty());
}

TEST(Pointer, AShakyPressIsAClickAndALongOneADrag) {
    Pointed shown;
    QTest::mousePress(&shown.widget, Qt::LeftButton, Qt::ShiftModifier, {50, 50});
    ASSERT_EQ(shown.pressed.size(), 1);
    EXPECT_EQ(shown.pressed.front()[1].value<Qt::KeyboardModifiers>(), Qt::ShiftModifier);
    moveTo(shown.widget, {52, 51}, Qt::LeftButton);
    EXPECT_TRUE(shown.dragged.isEmpty());
    QTest::mouseRelease(&shown.widget, Qt::LeftButton, {}, {52, 51});
    EXPECT_EQ(shown.clicked.size(), 1);

    QTest::mousePress(&shown.widget, Qt::LeftButton, {}, {50, 50});
    moveTo(shown.widget, {60, 50}, Qt::LeftButton);
    moveTo(shown.widget, {51, 50}, Qt::LeftButton);  // back to where it began: still a drag
    ASSERT_EQ(shown.dragged.size(), 2);
    EXPECT_EQ(shown.dragged[0], QVariantList({QPointF(60, 50), QPointF(50, 50)}));
    EXPECT_EQ(shown.dragged[1], QVariantList({QPointF(51, 50), QPointF(60, 50)}));
    EXPECT_EQ(shown.pointer.pressedAt(), QPointF(50, 50));
    QTest::mouseRelease(&shown.widget, Qt::LeftButton, {}, {51, 50});
    EXPECT_EQ(shown.dropped.size(), 1);
    EXPECT_EQ(shown.clicked.size(), 1) << "no click";
    EXPECT_TRUE(shown.hovered.isEmpty()) << "a button was down";
}

TEST(Pointer, ADoubleClickIsAPressToo) {
    Pointed shown;
    QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, {20, 20});
    QTest::mouseDClick(&shown.widget, Qt::LeftButton, {}, {20, 20});
    EXPECT_EQ(shown.pressed.size(), 2);
    EXPECT_EQ(shown.doubleClicked.size(), 1);
}

TEST(Pointer, OtherButtonsAndDisabledWidgetsPressNothing) {
    Pointed shown;
    QTest::mouseClick(&shown.widget, Qt::RightButton, {}, {20, 20});
    shown.widget.setEnabled(false);
    QTest::mouseClick(&shown.widget, Qt::LeftButton, {}, {20, 20});
    EXPECT_TRUE(shown.pressed.isEmpty());
    EXPECT_TRUE(shown.clicked.isEmpty());
}

TEST(Pointer, AReleaseThatNobodySawEndsThePress) {
    Pointed shown;
    QTest::mousePress(&shown.widget, Qt::LeftButton, {}, {50, 50});
    moveTo(shown.widget, {90, 50});
    EXPECT_TRUE(shown.dragged.isEmpty());
    EXPECT_EQ(shown.hovered.size(), 1);
}

TEST(Pointer, ShowsTheTipOfAPlace) {
    Pointed shown;
    shown.pointer.setTip(
        [](const QPointF& at) { return at.x() < 100 ? QStringLiteral("left half") : QString(); });
    const auto ask = [&](const QPoint& at) {
        QHelpEvent help(QEvent::ToolTip, at, shown.widget.mapToGlobal(at));
        QApplication::sendEvent(&shown.widget, &help);
    };
    ask({10, 10});
    EXPECT_EQ(QToolTip::text(), QStringLiteral("left half"));
}

}  // namespace
}  // namespace plumb::ui
