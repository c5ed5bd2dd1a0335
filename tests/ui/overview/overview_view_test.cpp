// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/overview/overview_view.h"

#include "tests/ui/operations/operations_support.h"
#include "tests/ui/support.h"
#include "ui/memory/memory_view.h"
#include "ui/operations/operations_view.h"
#include "ui/roofline/roofline_view.h"
#include "ui/theme/theme.h"
#include "ui/training/training_view.h"

#include <QSignalSpy>
#include <QSplitter>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

TEST(OverviewView, FourCardsFillItWithoutOverlapFromSmallToLarge) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    const auto workbench = testWorkbench(testConfig(), true);
    OverviewView view({*workbench, theme});
    view.show();
    for (const QSize size : {QSize(880, 560), QSize(1280, 720), QSize(3500, 2000)}) {
        view.resize(size);
        QVector<QRect> cards;
        for (const QWidget* card : {static_cast<QWidget*>(view.findChild<MemoryView*>()),
                                    static_cast<QWidget*>(view.findChild<RooflineView*>()),
                                    static_cast<QWidget*>(view.findChild<OperationsView*>()),
                                    static_cast<QWidget*>(view.findChild<TrainingView*>())}) {
            ASSERT_NE(card, nullptr);
            const QRect rect(card->mapTo(&view, QPoint()), card->size());
            EXPECT_TRUE(view.rect().contains(rect));
            EXPECT_GE(rect.height(), size.height() / 3);
            for (const QRect& other : cards) EXPECT_FALSE(rect.intersects(other));
            cards.append(rect);
        }
        EXPECT_GT(cards[2].width(), cards[3].width()) << "operations need more room than the loss";
    }
}

TEST(OverviewView, EachCardAsksForItsFullView) {
    Theme theme;
    const auto workbench = testWorkbench(testConfig());
    OverviewView view({*workbench, theme});
    QSignalSpy opened(&view, &OverviewView::openRequested);
    emit view.findChild<MemoryView*>()->openRequested();
    emit view.findChild<RooflineView*>()->openRequested();
    emit view.findChild<OperationsView*>()->openRequested();
    emit view.findChild<TrainingView*>()->openRequested();
    ASSERT_EQ(opened.count(), 4);
    EXPECT_EQ(opened[0][0].toString(), QStringLiteral("memory"));
    EXPECT_EQ(opened[1][0].toString(), QStringLiteral("roofline"));
    EXPECT_EQ(opened[2][0].toString(), QStringLiteral("operations"));
    EXPECT_EQ(opened[3][0].toString(), QStringLiteral("training"));
}

TEST(OverviewView, AnOperationChosenInTheWorkbenchReachesTheCards) {
    Theme theme;
    const auto workbench = testWorkbench(testConfig(), true);
    OverviewView view({*workbench, theme});
    view.resize(1200, 700);
    view.show();
    workbench->selection().select(QStringLiteral("optimizer"));
    const auto* operations = view.findChild<OperationsView*>();
    const QModelIndex index = operations->model().indexOfOp(QStringLiteral("optimizer"));
    EXPECT_TRUE(index.isValid());
}

}  // namespace
}  // namespace plumb::ui::test
