// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/accessible.h"

#include "tests/ui/shell/filled_window.h"
#include "tests/ui/shell/shell_fixture.h"
#include "tests/ui/shell/shell_walk.h"
#include "ui/charts/chart_layout.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/text.h"

#include <QAccessible>
#include <QButtonGroup>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace plumb::ui {
namespace {

using test::forEachTab;
using test::nameOf;
using test::Shell;

bool isInteractive(const QWidget& widget) {
    return (widget.focusPolicy() & Qt::TabFocus) != 0 && widget.focusProxy() == nullptr && widget.isVisible();
}

/// Whether a screen reader can say what to do with it.
bool isRoleOfAControl(QAccessible::Role role) {
    const std::set<QAccessible::Role> none{QAccessible::NoRole, QAccessible::Client, QAccessible::Pane,
                                           QAccessible::Window, QAccessible::Whitespace};
    return !none.contains(role);
}

TEST(ScreenReader, HearsNameAndRoleOfEveryInteractiveWidgetOfEveryView) {
    test::FilledWindow filled;
    ASSERT_TRUE(filled.fill());
    std::set<QWidget*> seen;
    const auto look = [&](const std::string& page) {
        for (QWidget* widget : filled.window().findChildren<QWidget*>()) {
            if (!isInteractive(*widget) || !seen.insert(widget).second) continue;
            QAccessibleInterface* access = QAccessible::queryAccessibleInterface(widget);
            ASSERT_NE(access, nullptr);
            EXPECT_FALSE(access->text(QAccessible::Name).trimmed().isEmpty())
                << nameOf(*widget) << " of " << page << " has no name";
            const bool isText = qobject_cast<const QScrollArea*>(widget) != nullptr;  // that the keys scroll
            EXPECT_TRUE(isText || isRoleOfAControl(access->role()))
                << nameOf(*widget) << " of " << page << " has role " << access->role();
        }
    };
    filled.forEachPage(look);
    ASSERT_TRUE(filled.record(true));
    filled.forEachPage(look);
    EXPECT_GE(seen.size(), 200U);
}

TEST(ScreenReader, HearsSegmentsAsRadioButtonsOfANamedGroup) {
    Shell shell;
    int segments = 0;
    forEachTab(shell.window, [&](const std::string& tab) {
        for (QPushButton* button : shell.window.findChildren<QPushButton*>()) {
            if (!button->property("plumbSegment").toBool() || !button->isVisible()) continue;
            ++segments;
            const QAccessibleInterface* access = QAccessible::queryAccessibleInterface(button);
            const bool several = button->group() != nullptr && !button->group()->exclusive();
            EXPECT_EQ(access->role(), several ? QAccessible::CheckBox : QAccessible::RadioButton)
                << nameOf(*button);
            EXPECT_EQ(access->state().checked, button->isChecked());
            const QAccessibleInterface* group = access->parent();
            EXPECT_EQ(group->role(), QAccessible::Grouping) << nameOf(*button);
            EXPECT_FALSE(group->text(QAccessible::Name).isEmpty())
                << nameOf(*button->parentWidget()) << " of " << tab << " has no name";
        }
    });
    EXPECT_GE(segments, 20);
}

/// Widgets that draw data: by their base, or by what every one of them is called.
bool isPicture(const QWidget& widget) {
    const QString name = QString::fromLatin1(widget.metaObject()->className()).section(QLatin1Char(':'), -1);
    static const QStringList kEnds{QStringLiteral("Canvas"), QStringLiteral("Chart"), QStringLiteral("Strip"),
                                   QStringLiteral("Sparkline"), QStringLiteral("Picture")};
    const QWidget* const outer = widget.parentWidget();
    const bool isInner = outer != nullptr && outer->inherits("plumb::ui::ChartPanel");
    const bool isRow = widget.layout() != nullptr;  // of widgets, which say what they are themselves
    return !isInner && !isRow &&
           std::ranges::any_of(kEnds, [&](const QString& end) { return name.endsWith(end); });
}

// Those of documents and of a recorded step too.
TEST(ScreenReader, HearsWhatEveryChartShows) {
    test::FilledWindow filled;
    ASSERT_TRUE(filled.fill());
    std::map<std::string, QString> said;
    const auto look = [&](const std::string& page) {
        for (QWidget* widget : filled.window().findChildren<QWidget*>()) {
            QAccessibleInterface* access =
                widget->isVisible() ? QAccessible::queryAccessibleInterface(widget) : nullptr;
            if (access == nullptr) continue;
            const bool isChart = access->role() == QAccessible::Chart;
            if (isPicture(*widget))
                EXPECT_TRUE(isChart) << nameOf(*widget) << " of " << page << " has role " << access->role();
            if (!isChart) continue;
            // Some are worked out beside the window.
            EXPECT_TRUE(test::waitFor([&] { return !access->text(QAccessible::Description).isEmpty(); }))
                << nameOf(*widget) << " of " << page;
            EXPECT_FALSE(access->text(QAccessible::Name).isEmpty()) << nameOf(*widget) << " of " << page;
            said[widget->objectName().toStdString()] = access->text(QAccessible::Description);
        }
    };
    filled.forEachPage(look);
    ASSERT_TRUE(filled.record(true));
    filled.forEachPage(look);
    for (const char* chart : {"memoryChart", "timelineCanvas", "traceCanvas", "traceStrip", "traceCategories",
                              "allocatorChart", "allocatorBands", "allocatorSegments", "compareTimeline"})
        EXPECT_FALSE(said[chart].isEmpty()) << chart;
    // Of the data, and with their unit: the peak is among them.
    for (const char* chart : {"memoryChart", "allocatorChart"}) {
        EXPECT_TRUE(said[chart].contains(QStringLiteral("B"))) << said[chart].toStdString();
        EXPECT_TRUE(said[chart].contains(QStringLiteral("Peak"), Qt::CaseInsensitive))
            << said[chart].toStdString();
    }
}

TEST(ChartText, SaysRangesEndsPeaksAndWhatIsMarked) {
    ChartContent content;
    content.y.unit = QStringLiteral("B");
    content.lines.push_back(
        {QStringLiteral("a"), {QStringLiteral("Predicted")}, {{0, 1000}, {1, 3000}, {2, 2000}}});
    content.markers[QStringLiteral("peak")] = {.x = 1, .y = 3000, .text = QStringLiteral("peak of all")};
    EXPECT_EQ(chartText(content),
              QStringLiteral("peak of all; Predicted: from %1 to %2, at the end %3")
                  .arg(quantityText(1000, "B"), quantityText(3000, "B"), quantityText(2000, "B")));
    content.areas.edges = {0, 1, 2};
    AreaLayer layer;
    layer.label = QStringLiteral("data");
    layer.values = {10, 20};
    content.areas.layers = {layer};
    EXPECT_TRUE(chartText(content).contains(
        QStringLiteral("Peak %1 at place 2 of 2: data %1").arg(quantityText(20, "B"))))
        << chartText(content).toStdString();
    content.emptyText = QStringLiteral("Nothing yet.");
    EXPECT_EQ(chartText(content), QStringLiteral("Nothing yet."));
}

/// Fails for each control in sight that Tab does not lead to from where it is, and round.
void expectTabReachesAll(QWidget& window, const std::string& where) {
    const auto isInSight = [](const QWidget& widget) {
        // Of a group of radio buttons one is reached, the arrow keys lead to the others.
        const auto* button = qobject_cast<const QAbstractButton*>(&widget);
        const bool isOneOfMany = button != nullptr && (button->group() != nullptr || button->autoExclusive());
        return isInteractive(widget) && widget.isEnabled() && !widget.visibleRegion().isEmpty() &&
               !isOneOfMany;
    };
    // A table that gets the keyboard has a current row, for which a button may come.
    QList<QWidget*> there;
    for (QWidget* widget : window.findChildren<QWidget*>())
        if (isInSight(*widget)) there << widget;
    std::set<QWidget*> reached;
    QWidget* at = nullptr;
    constexpr int kMost = 600;
    for (int i = 0; i < kMost; ++i) {
        QWidget* const from = QApplication::focusWidget();
        QTest::keyClick(from != nullptr ? from : &window, Qt::Key_Tab);
        const QWidget* const before = std::exchange(at, QApplication::focusWidget());
        ASSERT_NE(at, nullptr) << where;
        if (!reached.insert(at).second && at != before) break;  // Tab goes through the links of a text first
    }
    for (QWidget* widget : there)
        if (isInSight(*widget)) EXPECT_TRUE(reached.contains(widget)) << nameOf(*widget) << " of " << where;
}

/// Presses each of these segments that is there, and calls `look` with what is shown then.
void forEachSegment(QWidget& window, const QString& control, const std::function<void()>& look) {
    for (int i = 0;; ++i) {
        auto* const segment = window.findChild<QPushButton*>(control + QString::number(i));
        if (segment == nullptr) return;
        if (!segment->isVisible()) continue;
        segment->click();
        test::settle();
        look();
    }
}

// Tab alone leads to every control in sight and back to the first: in every view, with documents of every
// kind, and with a step that was recorded elsewhere.
TEST(Keyboard, TabReachesEveryControlOfEveryView) {
    test::FilledWindow filled;
    ASSERT_TRUE(filled.fill());
    QWidget& frame = *filled.window().window();
    frame.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&frame));
    std::set<std::string> seen;
    const auto look = [&](const std::string& page) {
        MainWindow& window = filled.window();
        const auto expectAll = [&](const QString& control) {
            forEachSegment(window, control, [&] {
                seen.insert(control.toStdString());
                expectTabReachesAll(window, page + ", " + control.toStdString());
            });
        };
        expectTabReachesAll(window, page);
        if (page == "trace") expectAll(QStringLiteral("tracePage"));
        if (page == "allocator") {
            expectAll(QStringLiteral("allocatorLower"));
            forEachSegment(window, QStringLiteral("allocatorLower"),
                           [&] { expectAll(QStringLiteral("allocatorPage")); });
            expectAll(QStringLiteral("allocatorPage"));
        }
        if (page == "compare") expectAll(QStringLiteral("compareWhat"));
    };
    filled.forEachPage(look);
    const QString data = QStringLiteral(PLUMB_TEST_DATA);
    filled.window().openFiles({data + QStringLiteral("/memory/segments_alone.pickle"),
                               data + QStringLiteral("/memory/step_protocol4.pickle")});
    filled.window().openFiles({data + QStringLiteral("/trace/ranks")});
    ASSERT_TRUE(test::waitFor([&] { return !filled.window().openedFiles().isReading(); }));
    ASSERT_TRUE(filled.record(true));
    filled.forEachPage(look);
    EXPECT_EQ(seen.size(), 4U) << "of the pages that these have";
}

}  // namespace
}  // namespace plumb::ui
